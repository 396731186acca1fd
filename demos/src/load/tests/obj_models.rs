//! OBJ and MTL.

use std::path::Path;

use crate::load::tests::{check_law, shared_data, triangles, volume};
use crate::load::{LoadError, Model, model, obj_from_bytes};

fn load(text: &str) -> Model {
    let model = obj_from_bytes(Path::new("test.obj"), text.as_bytes()).expect("a good file");
    check_law(&model);
    model
}

#[track_caller]
fn check_refused(text: &str, message: &str) {
    let error = obj_from_bytes(Path::new("test.obj"), text.as_bytes()).expect_err("a bad file");
    assert_eq!(error.to_string(), message);
}

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

/// A29: a negative index counts back from the statement, not from the end of the file.
#[test]
fn negative_indices_count_from_where_they_stand() {
    let model = load("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n");
    let faces = triangles(&model);
    assert_eq!(faces[0], [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(faces[1], [[5.0, 0.0, 0.0], [6.0, 0.0, 0.0], [5.0, 1.0, 0.0]]);
}

/// A29: each of the three lists has its own count.
#[test]
fn negative_indices_count_each_list_on_its_own() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.25\nvt 0.5 0.75\nvn 0 0 1\nf -3/-2/-1 -2/-1/-1 -1/-1/-1\nvt 9 9\nvn 1 0 0\n";
    let model = load(text);
    let mesh = &model.meshes[0];
    // The picture's upper left corner is (0, 0).
    assert_eq!(mesh.uvs, [[0.25, 0.75], [0.5, 0.25], [0.5, 0.25]]);
    assert_eq!(mesh.normals, [[0.0, 0.0, 1.0]; 3]);
}

/// A29: the reported file, a cube of 2 × 2 × 2 from six quads.
#[test]
fn the_reported_cube_is_a_cube() {
    let Some(path) = shared_data("obj/negative_indices.obj") else { return };
    let model = model(path).expect("a good file");
    check_law(&model);
    assert_eq!(model.triangle_count(), 12);
    assert!((volume(&model) - 8.0).abs() < 1e-6);
    // Flat faces: each stored normal is its triangle's.
    let mesh = &model.meshes[0];
    for corners in mesh.indices.chunks_exact(3) {
        let [a, b, c] = std::array::from_fn(|corner| glam::Vec3::from(mesh.positions[corners[corner] as usize]));
        let normal = (b - a).cross(c - a).normalize();
        assert_eq!(normal, glam::Vec3::from(mesh.normals[corners[0] as usize]));
    }
}

#[test]
fn people_s_models_load() {
    for (name, count) in [("obj/spot.obj", 5856), ("obj/teapot.obj", 6320)] {
        let Some(path) = shared_data(name) else { continue };
        let model = model(&path).expect("a good file");
        check_law(&model);
        assert_eq!(model.triangle_count(), count, "{name}");
        // Neither has normals: they are smooth.
        assert!(model.meshes[0].positions.len() < count * 3);
    }
}

#[test]
fn polygons_become_fans_and_curves_are_left_out() {
    let model = load(&format!("# a square\n{SQUARE}v 0.5 2 0\nf 1 2 3 5 4 # a house\nl 1 2 3\np 1\ncurv 0 1 1 2\n"));
    assert_eq!(model.triangle_count(), 3);
    assert!(model.warnings.is_empty());
    assert_eq!((model.bounds.min, model.bounds.max), ([0.0; 3], [1.0, 2.0, 0.0]));
    assert_eq!(model.meshes[0].normals, [[0.0, 0.0, 1.0]; 5]);
}

#[test]
fn polygons_with_a_corner_that_turns_inward_are_cut_inside() {
    // An arrow head in the plane x = 2 whose fan would leave it, its corners in both directions.
    for order in ["1/1 2/2 3/3 4/4", "4/4 3/3 2/2 1/1"] {
        let model =
            load(&format!("v 2 4 0\nv 2 1 1\nv 2 0 4\nv 2 0 0\nvt 1 0\nvt 0.25 0.25\nvt 0 1\nvt 0 0\nf {order}\n"));
        assert!(model.warnings.is_empty());
        let faces = triangles(&model);
        assert_eq!(faces.len(), 2);
        for face in faces {
            let [a, b, c] = face.map(|[_, y, z]| [y, z]);
            let area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0;
            assert_eq!(area.abs(), 2.0, "half of the arrow: {face:?}");
            assert_eq!(area > 0.0, order.starts_with('1'), "the winding is kept");
        }
        // Texture coordinates stay with their corners: a quarter of (y, z), turned over.
        for (position, uv) in model.meshes[0].positions.iter().zip(&model.meshes[0].uvs) {
            assert_eq!(*uv, [position[1] / 4.0, 1.0 - position[2] / 4.0]);
        }
    }
    let bow = load("v 0 0 0\nv 3 3 0\nv 3 0 0\nv 0 2 0\nv -1 1 0\nf 1 2 3 4 5\n");
    assert_eq!(bow.warnings, ["polygons that cannot be cut became fans, which may leave their outline: 1"]);
}

#[test]
fn corners_with_and_without_attributes_mix() {
    // A square in the plane x = 0 that looks along x.
    let square = "v 0 0 0\nv 0 1 0\nv 0 1 1\nv 0 0 1\n";
    let model = load(&format!("{square}vt 0.5 0.5\nvn -1 0 0\nf 1/1/1 2 3//1\nf 1 3 4/1\n"));
    let mesh = &model.meshes[0];
    // Corner 2 has neither: (0, 0) of the file, turned over, and its triangle's normal.
    let corner = mesh.positions.iter().position(|position| *position == [0.0, 1.0, 0.0]).expect("it is there");
    assert_eq!((mesh.uvs[corner], mesh.normals[corner]), ([0.0, 1.0], [1.0, 0.0, 0.0]));
    let corner = mesh.positions.iter().position(|position| *position == [0.0, 0.0, 1.0]).expect("it is there");
    assert_eq!((mesh.uvs[corner], mesh.normals[corner]), ([0.5, 0.5], [1.0, 0.0, 0.0]));
    assert_eq!(mesh.normals[mesh.indices[0] as usize], [-1.0, 0.0, 0.0]);
}

#[test]
fn vertex_colors_and_curve_weights_are_told_apart() {
    let model = load("v 0 0 0 1 0.5 0\nv 2 0 0 0.5\nv 0 2 0\nf 1 2 3\n");
    let mesh = &model.meshes[0];
    assert_eq!(mesh.positions[1], [2.0, 0.0, 0.0]);
    // Half of the scale is 0.214 of the light.
    let green = mesh.colors[0][1];
    assert!((green - 0.214_041).abs() < 1e-6, "{green}");
    assert_eq!(mesh.colors, [[1.0, green, 0.0, 1.0], [1.0; 4], [1.0; 4]]);
}

fn is_up(normal: [f32; 3]) -> bool {
    normal[0].abs() < 1e-6 && normal[1].abs() < 1e-6 && normal[2] > 0.999
}

#[test]
fn smoothing_off_gives_flat_normals() {
    let roof = "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 1\nv 1 2 0\nv 0 2 0\nf 1 2 3 4\nf 4 3 5 6\n";
    let smooth = load(roof);
    assert_eq!(smooth.meshes[0].positions.len(), 6);
    // The ridge looks straight up, although its ends belong to two triangles on one side and one on the other.
    assert!(is_up(smooth.meshes[0].normals[2]) && is_up(smooth.meshes[0].normals[3]));
    let flat = load(&format!("s off\n{roof}"));
    assert_eq!(flat.meshes[0].positions.len(), 12);
    let slope = 0.5f64.sqrt() as f32;
    assert_eq!(flat.meshes[0].normals[0], [0.0, -slope, slope]);
    assert_eq!(flat.meshes[0].normals[6], [0.0, slope, slope]);
}

#[test]
fn seams_do_not_show_in_smooth_normals() {
    // The middle edge has two texture coordinates for each end.
    let model = load(
        "v 0 0 0\nv 1 0 0\nv 1 1 1\nv 0 1 1\nv 1 2 0\nv 0 2 0\nvt 0 0\nvt 1 1\no a\nf 1/1 2/1 3/1 4/1\no b\nf 4/2 3/2 5/2 6/2\n",
    );
    assert_eq!(model.meshes.len(), 2);
    for mesh in &model.meshes {
        let ridge = mesh.positions.iter().zip(&mesh.normals).filter(|(position, _)| position[1] == 1.0);
        assert!(ridge.clone().count() == 2 && ridge.clone().all(|(_, normal)| is_up(*normal)));
    }
}

#[test]
fn objects_split_by_name_and_material_and_may_use_later_vertices() {
    let model = load(&format!("o first one\nf 1 2 3\nusemtl a\nf 1 3 4\no second\nf 1 2 4\n{SQUARE}"));
    let names: Vec<_> = model.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
    assert_eq!(names, ["first one", "second"]);
    assert_eq!(model.triangle_count(), 3);
    assert_eq!(model.warnings, ["line 3: no library has a material `a`; it is white"]);
}

#[test]
fn a_long_line_is_joined() {
    assert_eq!(load(&format!("{SQUARE}f 1 \\\n 2 \\\r\n3\nf 1 3 4\\")).triangle_count(), 2);
}

#[test]
fn libraries_and_pictures_are_found_in_the_folder() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("writable");
    std::fs::create_dir(folder.path().join("maps")).expect("writable");
    crate::load::write_png(folder.path().join("maps/red one.png"), 1, 1, &[255, 0, 0, 255]).expect("writable");
    write(
        "my lib.mtl",
        "newmtl red\nKd 0.5 0.5 0.5\nd 0.5\nmap_Kd maps\\red one.png\nnewmtl also red\nmap_Kd -clamp on maps/red one.png\n",
    );
    write("b.mtl", "newmtl plain\nKd 0 1 0\nKd 1\nmap_Kd absent.png\n");
    let faces = "usemtl red\nf 1 2 3\nusemtl also red\nf 1 3 4\nusemtl plain\nf 1 2 4\nusemtl unknown\nf 2 3 4\nusemtl\nf 1 2 3\n";
    write("a.obj", &format!("mtllib my lib.mtl\nmtllib b.mtl absent.mtl ../c.mtl\n{SQUARE}{faces}"));
    let model = model(folder.path().join("a.obj")).expect("a good file");
    check_law(&model);
    let shown: Vec<_> = model.materials.iter().map(|material| (material.name.as_str(), material.texture)).collect();
    assert_eq!(shown, [("red", Some(0)), ("also red", Some(0)), ("plain", None), ("default", None)]);
    let grey = model.materials[0].base_color[0];
    assert!((grey - 0.214_041).abs() < 1e-6, "{grey}");
    assert_eq!(model.materials[0].base_color, [grey, grey, grey, 0.5]);
    assert_eq!(model.materials[1].sampler.wrap_u, texture::Wrap::Clamp);
    assert_eq!(model.textures.len(), 1);
    assert_eq!(model.textures[0].color(0, 0, 0), 0xffff_0000);
    let used: Vec<_> = model.meshes.iter().map(|mesh| mesh.material).collect();
    assert_eq!(used, [0, 1, 2, 3]);
    let warnings = model.warnings.join("\n");
    for part in
        ["`absent.mtl` cannot be read", "`../c.mtl` leads out", "`absent.png` cannot be read", "material `unknown`"]
    {
        assert!(warnings.contains(part), "{part} in\n{warnings}");
    }
    // A picture that is there but damaged is no longer somebody's slip.
    write("maps/red one.png", "not a picture");
    let error = crate::load::model(folder.path().join("a.obj")).expect_err("a damaged picture");
    assert!(matches!(error, LoadError::Picture { .. }) && error.to_string().contains("red one.png"), "{error}");
}

#[test]
fn bad_statements_are_refused_with_their_line() {
    check_refused("v 0 0\n", "`test.obj`, line 1: 2 numbers, at least 3 are needed");
    check_refused("\nv 0 0 x\n", "`test.obj`, line 2: `x` is not a number");
    check_refused("v 0 0 nan\n", "`test.obj`, line 1: a coordinate of NaN; coordinates must be finite, within ±1e15");
    check_refused(
        "v 0 0 -1e39\n",
        "`test.obj`, line 1: a coordinate of -inf; coordinates must be finite, within ±1e15",
    );
    check_refused(
        "v 0 1e20 0\n",
        "`test.obj`, line 1: a coordinate of 100000002004087730000; coordinates must be finite, within ±1e15",
    );
    check_refused(&format!("{SQUARE}f 1 2\n"), "`test.obj`, line 5: a face of 2 corners, at least 3 are needed");
    check_refused(&format!("{SQUARE}f 1 2 5\n"), "`test.obj`, line 5: index 5, but the file has 4 vertices");
    check_refused(&format!("{SQUARE}f 1 2 0\n"), "`test.obj`, line 5: index 0 in `0`: indices count from 1");
    check_refused(&format!("{SQUARE}f -5 -2 -1\n"), "`test.obj`, line 5: index -5, but only 4 vertices come before it");
    check_refused(
        &format!("{SQUARE}f 1/1 2 3\n"),
        "`test.obj`, line 5: index 1, but the file has 0 texture coordinates",
    );
    check_refused(&format!("{SQUARE}f 1/1/1/1 2 3\n"), "`test.obj`, line 5: `1/1/1/1` has more than three indices");
    check_refused(&format!("{SQUARE}f a 2 3\n"), "`test.obj`, line 5: `a` is not a corner of a face");
    let most = format!("{SQUARE}f 1 2 {}\n", i64::MAX);
    check_refused(&most, "`test.obj`, line 5: index 9223372036854775807, but the file has 4 vertices");
    let least = format!("{SQUARE}f 1 2 {}\n", i64::MIN);
    check_refused(&least, "`test.obj`, line 5: index -9223372036854775808, but only 4 vertices come before it");
}

#[test]
fn a_model_without_triangles_is_refused() {
    for text in ["", "# nothing\n", SQUARE, "v 0 0 0\nf 1 1 1\n", "\0\0\u{fffd}"] {
        check_refused(text, "`test.obj` holds no triangle, line or point");
    }
}

#[test]
fn lines_and_points_are_meshes_of_their_own() {
    let text = "v 0 0 0\nv 1 0 0\nv 1 2 0 1 0 0\nvt 0.25 0.25\nl 1/1 2 -1\nusemtl a\np 2\nl 3 1\np 3 1\nf 1 2 3\n";
    let model = load(text);
    check_law(&model);
    let of = |topology| {
        let meshes = model.meshes.iter().filter(move |mesh| mesh.topology == topology);
        meshes.map(|mesh| (mesh.positions.clone(), mesh.colors.clone(), mesh.uvs[0])).collect::<Vec<_>>()
    };
    let (a, b, c) = ([0.0; 3], [1.0, 0.0, 0.0], [1.0, 2.0, 0.0]);
    let (white, red) = ([1.0; 4], [1.0, 0.0, 0.0, 1.0]);
    let lines = of(raster::Topology::LineList);
    // A line of three vertices is two lines; texture coordinates are turned over.
    assert_eq!(lines[0], (vec![a, b, b, c], vec![white, white, white, red], [0.25, 0.75]));
    assert_eq!(lines[1], (vec![c, a], vec![red, white], [0.0, 1.0]));
    assert_eq!(of(raster::Topology::PointList), [(vec![b, c, a], vec![white, red, white], [0.0, 1.0])]);
    assert_eq!(model.triangle_count(), 1);
}

#[test]
fn lines_and_points_have_vertices() {
    for (line, reason) in [
        ("l 1", "a line of 1 vertices, at least 2 are needed"),
        ("p", "a point of 0 vertices, at least 1 are needed"),
        ("l 1 9", "index 9, but the file has 4 vertices"),
    ] {
        let error = obj_from_bytes(Path::new("a.obj"), format!("{SQUARE}{line}\n").as_bytes()).expect_err(line);
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// IEC 61966-2-1: half of the scale is 0.214 of the light, and a tenth of 0.04045 lies on the straight part.
#[test]
fn colours_become_linear() {
    let model = load("v 0 0 0 0.5 0.004045 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let [red, green, blue, alpha] = model.meshes[0].colors[0];
    assert!((red - 0.214_041).abs() < 1e-6 && (green - 0.000_313_08).abs() < 1e-8, "{red} {green}");
    assert_eq!((blue, alpha), (1.0, 1.0));
}
