//! glTF and GLB.

use std::path::Path;

use raster::Topology;
use serde_json::{Value, json};

use crate::load::tests::{check_law, shared_data, triangles, volume};
use crate::load::{LoadError, MAX_VERTICES, Model, gltf_from_bytes, model};

/// A unit right triangle in the plane z = 0, and three indices, in one buffer of 42 bytes.
pub(super) fn triangle() -> Value {
    let floats = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|number| number.to_le_bytes());
    let bytes: Vec<u8> = floats.chain([0, 0, 1, 0, 2, 0]).collect();
    json!({
        "asset": { "version": "2.0" },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": [{ "mesh": 0 }],
        "meshes": [{ "name": "tri", "primitives": [{ "attributes": { "POSITION": 0 }, "indices": 1 }] }],
        "accessors": [
            { "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" },
            { "bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR" }
        ],
        "bufferViews": [
            { "buffer": 0, "byteLength": 36 },
            { "buffer": 0, "byteOffset": 36, "byteLength": 6 }
        ],
        "buffers": [{ "uri": data_uri(&bytes), "byteLength": 42 }]
    })
}

/// Percent-encoding serves as well as base64, and needs no encoder.
pub(super) fn data_uri(bytes: &[u8]) -> String {
    let encoded: String = bytes.iter().map(|byte| format!("%{byte:02x}")).collect();
    format!("data:application/octet-stream,{encoded}")
}

/// A GLB file of a document and a binary chunk.
pub(super) fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let mut json = document.to_string().into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut binary = binary.to_vec();
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((12 + 8 + json.len() as u32 + 8 + binary.len() as u32).to_le_bytes());
    for (kind, content) in [(b"JSON", json), (b"BIN\0", binary)] {
        file.extend((content.len() as u32).to_le_bytes());
        file.extend(kind);
        file.extend(content);
    }
    file
}

fn try_load(document: &Value) -> Result<Model, LoadError> {
    gltf_from_bytes(Path::new("test.gltf"), document.to_string().as_bytes())
}

#[track_caller]
fn load(document: &Value) -> Model {
    let model = try_load(document).expect("a good file");
    check_law(&model);
    model
}

#[track_caller]
fn check_refused(change: impl FnOnce(&mut Value), message: &str) {
    let mut document = triangle();
    change(&mut document);
    let error = try_load(&document).expect_err("a bad file");
    assert_eq!(error.to_string(), message);
}

/// A28: the sign of the determinant of the global matrix decides the winding.
#[test]
fn mirrored_nodes_stay_outside_out() {
    let Some(path) = shared_data("gltf/gltf-rs/Box.gltf") else { return };
    let text = std::fs::read_to_string(&path).expect("readable");
    let with_scales = |parent: [f32; 3], child: [f32; 3]| {
        let mut document: Value = serde_json::from_str(&text).expect("it is JSON");
        // Moved off the origin, so that a mirrored copy lies elsewhere.
        document["nodes"] = json!([
            { "children": [1], "scale": parent },
            { "mesh": 0, "scale": child, "translation": [2.0, 0.0, 0.0] }
        ]);
        let model = gltf_from_bytes(&path, document.to_string().as_bytes()).expect("a good file");
        check_law(&model);
        model
    };
    let plain = with_scales([1.0; 3], [1.0; 3]);
    assert_eq!((plain.bounds.min, plain.bounds.max), ([1.5, -0.5, -0.5], [2.5, 0.5, 0.5]));
    for (parent, child) in [
        ([1.0; 3], [1.0; 3]),
        ([1.0; 3], [-1.0, 1.0, 1.0]),
        ([1.0; 3], [-1.0, -1.0, 1.0]),
        ([1.0; 3], [-1.0, -1.0, -1.0]),
        ([-1.0, 1.0, 1.0], [1.0; 3]),
        ([-1.0; 3], [-1.0; 3]),
    ] {
        let model = with_scales(parent, child);
        assert!((volume(&model) - 1.0).abs() < 1e-6, "{parent:?} {child:?} is inside out");
        let mesh = &model.meshes[0];
        for corners in mesh.indices.chunks_exact(3) {
            let [a, b, c] = std::array::from_fn(|corner| glam::Vec3::from(mesh.positions[corners[corner] as usize]));
            let normal = glam::Vec3::from(mesh.normals[corners[0] as usize]);
            assert!((b - a).cross(c - a).dot(normal) > 0.9, "{parent:?} {child:?}: normals look inwards");
        }
    }
    // Mirrored by the parent: the mirror image, point for point.
    let mirrored = with_scales([-1.0, 1.0, 1.0], [1.0; 3]);
    let sorted = |model: &Model, sign: f32| {
        let mut points: Vec<_> =
            model.meshes[0].positions.iter().map(|p| [p[0] * sign, p[1], p[2]].map(f32::to_bits)).collect();
        points.sort_unstable();
        points
    };
    assert_eq!(sorted(&mirrored, -1.0), sorted(&plain, 1.0));
}

/// A31: no indices, no byteOffset, no mode.
#[test]
fn a_triangle_without_indices_is_a_triangle() {
    let Some(path) = shared_data("gltf/khronos-sample-assets/TriangleWithoutIndices.gltf") else { return };
    let model = model(path).expect("a good file");
    check_law(&model);
    assert_eq!(triangles(&model), [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]);
    assert_eq!(model.meshes[0].normals, [[0.0, 0.0, 1.0]; 3]);
}

/// A31: strips, fans and lists, with and without indices of three widths, make the same square.
#[test]
fn every_variant_of_the_square_covers_it_once() {
    for number in 0..16 {
        let Some(path) = shared_data(&format!("gltf/asset-generator/Mesh_PrimitiveMode_{number:02}.gltf")) else {
            return;
        };
        let loaded = model(&path);
        let model = loaded.expect("a good file");
        check_law(&model);
        let mesh = &model.meshes[0];
        match number {
            0 | 7 => {
                // The generator's points lie along the rim of the square.
                assert_eq!(mesh.topology, Topology::PointList);
                assert!(mesh.indices.len() > 100 && !mesh.has_normals, "{number}");
                continue;
            }
            1 | 2 | 3 | 8 | 9 | 10 => {
                // Whatever the mode, the four sides of one outline.
                assert_eq!(mesh.topology, Topology::LineList);
                let ends = mesh
                    .indices
                    .chunks_exact(2)
                    .map(|ends| [0, 1].map(|end: usize| mesh.positions[ends[end] as usize]));
                let length = |[a, b]: [[f32; 3]; 2]| ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
                let rim: f32 = ends.map(length).sum();
                // One corner lies at (0.5, 0.3), so a side is 0.8 long and another the root of 1.04.
                assert!((rim - 3.819_804).abs() < 1e-5, "{number}: {rim}");
                continue;
            }
            _ => {}
        }
        let [first, second] = triangles(&model)[..] else { panic!("{number}: not two triangles") };
        for corners in [first, second] {
            let [a, b, c] = corners.map(|corner| [corner[0], corner[1]]);
            let area = ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2.0;
            assert_eq!(area, 0.5, "{number}: counter-clockwise, half the square");
        }
        // The corners that they share are the ends of a diagonal, so the halves do not overlap.
        let shared: Vec<_> = first.iter().filter(|corner| second.contains(corner)).collect();
        assert_eq!(shared.len(), 2, "{number}");
        assert_eq!((shared[0][0] + shared[1][0], shared[0][1] + shared[1][1]), (0.0, 0.0), "{number}");
    }
}

/// A31: byteStride, and the offset within it. The same box from JSON, from GLB and interleaved.
#[test]
fn the_three_boxes_are_one() {
    let names = ["gltf/gltf-rs/Box.gltf", "gltf/gltf-rs/Box.glb", "gltf/trimesh-models/BoxInterleaved.glb"];
    let paths: Vec<_> = names.iter().filter_map(|name| shared_data(name)).collect();
    let models: Vec<_> = paths.iter().map(|path| model(path).expect("a good file")).collect();
    for model in &models {
        check_law(model);
        assert_eq!(model.triangle_count(), 12);
        assert!((volume(model) - 1.0).abs() < 1e-6);
        assert_eq!(triangles(model), triangles(&models[0]));
        assert_eq!(model.meshes[0].normals, models[0].meshes[0].normals);
        assert_eq!(model.materials[0].base_color, [0.8, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn a_real_model_with_pictures_loads() {
    let Some(path) = shared_data("gltf/trimesh-models/AlphaBlendModeTest.glb") else { return };
    let model = model(path).expect("a good file");
    check_law(&model);
    assert!(!model.textures.is_empty() && model.meshes.len() > 5);
    assert!(model.materials.iter().any(|material| material.alpha == crate::load::Alpha::Mask(0.25)));
    assert!(model.materials.iter().any(|material| material.alpha == crate::load::Alpha::Blend));
}

#[test]
fn a_glb_of_our_own_loads() {
    let mut document = triangle();
    document["buffers"] = json!([{ "byteLength": 42 }]);
    let floats = [0.0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|number| number.to_le_bytes());
    let binary: Vec<u8> = floats.chain([0, 0, 1, 0, 2, 0]).collect();
    let file = glb(&document, &binary);
    let model = gltf_from_bytes(Path::new("test.glb"), &file).expect("a good file");
    assert_eq!(triangles(&model), triangles(&load(&triangle())));
    for length in 0..file.len() {
        // Also with the header's length made to fit, which lets the truncation reach the chunks.
        let mut cut = file[..length].to_vec();
        assert!(gltf_from_bytes(Path::new("test.glb"), &cut).is_err(), "{length} of {} bytes", file.len());
        if length >= 12 {
            cut[8..12].copy_from_slice(&(length as u32).to_le_bytes());
            let cut = gltf_from_bytes(Path::new("test.glb"), &cut);
            assert!(cut.is_err() || length >= file.len() - 2, "{length} of {} bytes", file.len());
        }
    }
}

#[test]
fn sparse_values_replace_and_may_stand_alone() {
    let mut document = triangle();
    // Indices 1 and 2, vectors (3, 0, 0) and (0, 4, 0).
    let vectors = [3.0f32, 0.0, 0.0, 0.0, 4.0, 0.0].iter().flat_map(|number| number.to_le_bytes());
    let bytes: Vec<u8> = [1u8, 2, 0, 0].into_iter().chain(vectors).collect();
    document["buffers"].as_array_mut().expect("a list").push(json!({ "uri": data_uri(&bytes), "byteLength": 28 }));
    document["bufferViews"]
        .as_array_mut()
        .expect("a list")
        .extend([json!({ "buffer": 1, "byteLength": 2 }), json!({ "buffer": 1, "byteOffset": 4, "byteLength": 24 })]);
    document["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": 2, "componentType": 5121 },
        "values": { "bufferView": 3 }
    });
    assert_eq!(triangles(&load(&document)), [[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]);
    // Without a view the rest is zero, so that with one value two corners coincide.
    document["accessors"][0].as_object_mut().expect("an object").remove("bufferView");
    assert!(matches!(try_load(&document), Err(LoadError::NoTriangles { .. })));
    document["accessors"][0]["sparse"]["count"] = json!(2);
    assert_eq!(triangles(&load(&document)), [[[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 0.0]]]);
    document["accessors"][0]["count"] = json!(1u64 << 40);
    assert!(matches!(try_load(&document), Err(LoadError::TooMany { .. })));
    document["accessors"][0]["count"] = json!(2);
    assert!(try_load(&document).expect_err("index 2 of 2").to_string().contains("sparse index 2 of 2 elements"));
}

#[test]
fn integer_attributes_are_widened() {
    let mut document = triangle();
    let bytes = [0u8, 255, 0, 0, 255, 0, 51, 0, 0, 102, 255, 0];
    document["buffers"].as_array_mut().expect("a list").push(json!({ "uri": data_uri(&bytes), "byteLength": 12 }));
    document["bufferViews"]
        .as_array_mut()
        .expect("a list")
        .push(json!({ "buffer": 1, "byteLength": 12, "byteStride": 4 }));
    document["accessors"].as_array_mut().expect("a list").extend([
        json!({ "bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC2" }),
        json!({ "bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC3" }),
    ]);
    document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0, "TEXCOORD_0": 2, "COLOR_0": 3 });
    let model = load(&document);
    assert_eq!(model.meshes[0].uvs, [[0.0, 1.0], [1.0, 0.0], [0.0, 0.4]]);
    assert_eq!(model.meshes[0].colors[2], [0.0, 0.4, 1.0, 1.0]);
}

#[test]
fn samplers_materials_and_pictures_are_read() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    crate::load::write_png(folder.path().join("a b.png"), 1, 1, &[0, 0, 255, 255]).expect("writable");
    let mut document = triangle();
    document["images"] = json!([{ "uri": "a%20b.png" }, { "uri": "absent.png" }]);
    document["samplers"] = json!([
        { "wrapS": 33071, "wrapT": 33648, "magFilter": 9728, "minFilter": 9985 },
        { "minFilter": 9728 }
    ]);
    document["textures"] = json!([{ "source": 0, "sampler": 0 }, { "source": 1 }, { "source": 0, "sampler": 1 }]);
    let textured = |index: u32| json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": index } } });
    document["materials"] =
        json!([textured(0), textured(1), textured(2), { "doubleSided": true, "alphaMode": "MASK" }]);
    document["meshes"][0]["primitives"][0]["material"] = json!(3);
    let model = gltf_from_bytes(&folder.path().join("a.gltf"), document.to_string().as_bytes()).expect("a good file");
    check_law(&model);
    let textures: Vec<_> = model.materials.iter().map(|material| material.texture).collect();
    assert_eq!(textures, [Some(0), None, Some(0), None]);
    let sampler = model.materials[0].sampler;
    assert_eq!((sampler.wrap_u, sampler.wrap_v), (texture::Wrap::Clamp, texture::Wrap::Mirror));
    assert_eq!((sampler.filter, sampler.mip_filter), (texture::Filter::Bilinear, raster::MipFilter::Nearest));
    assert_eq!(sampler.mag_filter, Some(texture::Filter::Point));
    assert_eq!(model.materials[1].sampler, raster::Sampler::TRILINEAR);
    assert_eq!(model.materials[2].sampler, raster::Sampler::POINT);
    assert!(model.materials[3].double_sided && model.materials[3].alpha == crate::load::Alpha::Mask(0.5));
    assert_eq!(model.meshes[0].material, 3);
    assert_eq!(model.warnings.len(), 1, "{:?}", model.warnings);
    document["images"][0]["uri"] = json!("../a.png");
    let outside = gltf_from_bytes(&folder.path().join("a.gltf"), document.to_string().as_bytes());
    assert!(matches!(outside, Err(LoadError::Outside { .. })));
}

/// Values of the specification's formulas in section 3.11, for each type that may be normalized.
#[test]
fn normalized_integers_have_the_values_of_the_specification() {
    for (component, bytes, expected) in [
        (5120, vec![127u8, 0x81, 0x80, 0], [1.0f32, -1.0]),
        (5120, vec![0x80, 0, 64, 0], [-1.0, 0.0]),
        (5121, vec![255, 51], [1.0, 0.2]),
        (5122, vec![0xff, 0x7f, 0x01, 0x80], [1.0, -1.0]),
        (5123, vec![0xff, 0xff, 0x33, 0x33], [1.0, 0.2]),
    ] {
        let mut document = triangle();
        let row: Vec<u8> = bytes.into_iter().chain([0; 4]).take(4).collect();
        document["buffers"]
            .as_array_mut()
            .expect("a list")
            .push(json!({ "uri": data_uri(&row.repeat(3)), "byteLength": 12 }));
        let views = document["bufferViews"].as_array_mut().expect("a list");
        views.push(json!({ "buffer": 1, "byteLength": 12, "byteStride": 4 }));
        let accessors = document["accessors"].as_array_mut().expect("a list");
        accessors.push(
            json!({ "bufferView": 2, "componentType": component, "normalized": true, "count": 3, "type": "VEC2" }),
        );
        document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0, "TEXCOORD_0": 2 });
        assert_eq!(load(&document).meshes[0].uvs, [expected; 3], "component type {component}");
    }
}

/// KHR_texture_transform: scale, then rotation, then offset; a positive angle turns +u towards -v; its own set of coordinates.
#[test]
fn texture_transforms_move_the_coordinates_they_name() {
    let mut document = triangle();
    let uvs = |uvs: [[f32; 2]; 3]| uvs.into_iter().flatten().flat_map(f32::to_le_bytes).collect::<Vec<u8>>();
    let bytes = [uvs([[9.0, 9.0]; 3]), uvs([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])].concat();
    document["buffers"].as_array_mut().expect("a list").push(json!({ "uri": data_uri(&bytes), "byteLength": 48 }));
    let views = document["bufferViews"].as_array_mut().expect("a list");
    views
        .extend([json!({ "buffer": 1, "byteLength": 24 }), json!({ "buffer": 1, "byteOffset": 24, "byteLength": 24 })]);
    let accessors = document["accessors"].as_array_mut().expect("a list");
    accessors
        .extend([2, 3].map(|view| json!({ "bufferView": view, "componentType": 5126, "count": 3, "type": "VEC2" })));
    document["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0, "TEXCOORD_0": 2, "TEXCOORD_1": 3 });
    document["meshes"][0]["primitives"][0]["material"] = json!(0);
    document["images"] = json!([{ "uri": "absent.png" }]);
    document["textures"] = json!([{ "source": 0 }]);
    document["extensionsRequired"] = json!(["KHR_texture_transform"]);
    let mut with = |transform: Value| {
        let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": transform } });
        document["materials"] = json!([{ "pbrMetallicRoughness": { "baseColorTexture": texture } }]);
        try_load(&document).map(|model| model.meshes[0].uvs.clone())
    };
    // The second example of the extension's text: the lower edge becomes the origin.
    let flipped = with(json!({ "offset": [0, 1], "scale": [1, -1], "texCoord": 1 })).expect("a good file");
    assert_eq!(flipped, [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    // Its first: the lower left quadrant, whose rotation by a quarter goes from +u to -v.
    let quarter =
        json!({ "offset": [0, 1], "rotation": std::f64::consts::FRAC_PI_2, "scale": [0.5, 0.5], "texCoord": 1 });
    for (uv, expected) in with(quarter).expect("a good file").iter().zip([[0.0, 1.0], [0.0, 0.5], [0.5, 1.0]]) {
        let error = (uv[0] - expected[0]).abs().max((uv[1] - expected[1]).abs());
        assert!(error < 1e-6, "{uv:?} for {expected:?}");
    }
    assert_eq!(with(json!({})).expect("a good file"), [[9.0, 9.0]; 3], "without texCoord the texture's own set");
    let error = with(json!({ "rotation": 1e39 })).expect_err("infinite").to_string();
    assert!(error.ends_with("primitive 0: the transform of its texture is not finite"), "{error}");
}

#[test]
fn unlit_materials_are_known() {
    let mut document = triangle();
    document["materials"] = json!([{ "extensions": { "KHR_materials_unlit": {} } }, {}]);
    document["extensionsRequired"] = json!(["KHR_materials_unlit"]);
    let unlit: Vec<_> = load(&document).materials.iter().map(|material| material.is_unlit).collect();
    assert_eq!(unlit[..2], [true, false]);
}

#[test]
fn a_file_without_scenes_shows_its_roots() {
    let mut document = triangle();
    let object = document.as_object_mut().expect("an object");
    object.remove("scene");
    object.remove("scenes");
    object.insert("nodes".to_owned(), json!([{ "mesh": 0 }, { "children": [0], "translation": [5, 0, 0] }]));
    assert_eq!(load(&document).bounds.min, [5.0, 0.0, 0.0]);
}

#[test]
fn what_contradicts_itself_is_refused_with_its_place() {
    let file = "`test.gltf`";
    check_refused(
        |d| d["asset"]["version"] = json!("1.0"),
        &format!("{file}, asset: glTF version `1.0` is not supported"),
    );
    check_refused(
        |d| d["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]),
        &format!("{file}, asset: the required extension `KHR_draco_mesh_compression` is not supported"),
    );
    check_refused(|d| d["scene"] = json!(4), &format!("{file}, scene: scene 4, but there are 1"));
    check_refused(|d| d["scenes"][0]["nodes"] = json!([7]), &format!("{file}, the scene: node 7, but there are 1"));
    check_refused(
        |d| d["nodes"][0]["children"] = json!([0]),
        &format!("{file}, node 0: it has two parents or is its own ancestor"),
    );
    check_refused(|d| d["nodes"][0]["mesh"] = json!(1), &format!("{file}, the scene: mesh 1, but there are 1"));
    let place = format!("{file}, mesh 0 `tri`, primitive 0");
    check_refused(
        |d| d["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(9),
        &format!("{place}: accessor 9, but there are 2"),
    );
    check_refused(
        |d| d["meshes"][0]["primitives"][0]["attributes"] = json!({ "NORMAL": 0 }),
        &format!("{place}: no POSITION"),
    );
    check_refused(
        |d| d["meshes"][0]["primitives"][0]["material"] = json!(0),
        &format!("{place}: material 0, but there are 0"),
    );
    check_refused(
        |d| d["accessors"][0]["count"] = json!(4),
        &format!("{place}, POSITION (accessor 0): 4 elements take 48 bytes from 0, the view has 36"),
    );
    check_refused(
        |d| d["accessors"][0]["byteOffset"] = json!(u64::MAX),
        &format!("{place}, POSITION (accessor 0): 3 elements take 36 bytes from {}, the view has 36", u64::MAX),
    );
    check_refused(
        |d| d["accessors"][0]["type"] = json!("VEC2"),
        &format!("{place}, POSITION: accessor 0 has 2 numbers an element, not 3"),
    );
    check_refused(
        |d| d["bufferViews"][0]["byteLength"] = json!(43),
        &format!("{place}, POSITION (accessor 0): buffer view 0 wants 43 bytes from 0, buffer 0 has 42"),
    );
    check_refused(
        |d| d["bufferViews"][0]["byteStride"] = json!(4),
        &format!("{place}, POSITION (accessor 0): a stride of 4 bytes for elements of 12 bytes"),
    );
    check_refused(
        |d| d["accessors"][1]["componentType"] = json!(5126),
        &format!("{place}, indices: accessor 1 does not hold unsigned integers"),
    );
    check_refused(
        |d| {
            // Where the number 1.0 lies.
            d["accessors"][1]["bufferView"] = json!(0);
            d["accessors"][1]["byteOffset"] = json!(12);
        },
        &format!("{place}: index 16256, but there are 3 vertices"),
    );
    check_refused(
        |d| d["buffers"][0]["byteLength"] = json!(43),
        &format!("{file}, buffer 0: 42 bytes, 43 are declared"),
    );
    check_refused(
        |d| d["buffers"][0]["uri"] = json!("../secret.bin"),
        &format!("{file}, buffer 0: `../secret.bin` leads out of the model's folder"),
    );
    check_refused(
        |d| d["buffers"][0]["uri"] = json!("data:;base64,?"),
        &format!("{file}, buffer 0: the data URI is not base64"),
    );
    check_refused(
        |d| d["buffers"] = json!([{ "byteLength": 42 }]),
        &format!("{file}, buffer 0: no URI and no binary chunk"),
    );
    check_refused(
        |d| d["nodes"][0]["scale"] = json!([1e39, 1, 1]),
        &format!("{file}, node 0: its transform is not finite"),
    );
    check_refused(
        |d| d["nodes"][0]["scale"] = json!([1e30, 1, 1]),
        &format!(
            "{place}, vertex 1 in the scene: a coordinate of 1000000015047466200000000000000; coordinates must be finite, within ±1e15"
        ),
    );
    check_refused(|d| d["meshes"][0]["primitives"] = json!([]), &format!("{file} holds no triangle, line or point"));
}

#[test]
fn vertices_that_are_not_finite_are_refused() {
    for number in [f32::NAN, f32::INFINITY, -1e20] {
        let mut document = triangle();
        let bytes: Vec<u8> =
            [0.0f32, 0.0, 0.0, 1.0, number, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|n| n.to_le_bytes()).collect();
        document["buffers"][0]["uri"] = json!(data_uri(&[&bytes[..], &[0, 0, 1, 0, 2, 0]].concat()));
        let error = try_load(&document).expect_err("a bad vertex");
        assert!(matches!(error, LoadError::Coordinate { .. }) && error.to_string().contains("vertex 1"), "{error}");
    }
}

#[test]
fn too_many_vertices_are_refused_before_memory_is_taken() {
    let mut document = triangle();
    // All zero but one, so that the file is small whatever the count.
    document["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": MAX_VERTICES + 1, "sparse": {
        "count": 1, "indices": { "bufferView": 1, "componentType": 5123 }, "values": { "bufferView": 0 } } });
    let error = try_load(&document).expect_err("too many");
    assert!(matches!(error, LoadError::TooMany { what: "vertices", .. }), "{error}");
    // One mesh in very many places: each is another copy.
    document["accessors"][0]["count"] = json!(100_000);
    document["nodes"] = json!(vec![json!({ "mesh": 0 }); 100]);
    document["scenes"][0]["nodes"] = json!((0..100).collect::<Vec<_>>());
    document["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(0);
    let error = try_load(&document).expect_err("too many");
    assert!(matches!(error, LoadError::TooMany { what: "vertices", .. }), "{error}");
}
