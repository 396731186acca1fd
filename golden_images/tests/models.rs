//! Models from files, as pictures: mirrored nodes, and every way of writing the same quad.

use std::path::{Path, PathBuf};

use demos::load::{self, Model};
use demos::shapes::Shape;
use glam::{Mat4, Vec3, Vec4};
use golden_images::compare::difference;
use golden_images::picture::Picture;
use golden_images::scene_picture::picture;
use raster::{Bindings, Buffer, Clear, Cull, Draw, Frame, Pipeline, Reference, State, Topology, Vertex};

/// Side of the pictures in pixels.
const SIDE: u32 = 96;

/// Shows vertex colours times the material's, unlit.
const SHADER: &str = "@group(0) @binding(0) var<uniform> tint: vec4<f32>;
@fragment fn show(@location(0) color: vec4<f32>) -> @location(0) vec4<f32> { return color * tint; }";

/// All meshes of a model through one matrix, back faces culled or not.
fn draw(model: &Model, to_clip: Mat4, cull: Cull) -> Picture {
    let mut draws = Vec::new();
    for mesh in &model.meshes {
        let state = State { cull, topology: mesh.topology, ..State::SOLID };
        let pipeline = Pipeline::new("show.wgsl", SHADER, "show", state).expect("the shader is sound");
        let (positions, colors) = (mesh.positions.clone(), mesh.colors.clone());
        let tint = Buffer::from_value(&model.materials[mesh.material].base_color);
        let count = positions.len() as u32;
        let vertex = move |index: u32| {
            let position = Vec3::from(positions[index as usize]).extend(1.0);
            Vertex::at(to_clip * position).with(0, Vec4::from(colors[index as usize]))
        };
        draws.push(
            Draw::indexed(&pipeline, count, mesh.indices.clone(), vertex)
                .with_bindings(Bindings::new().with(0, 0, &tint)),
        );
    }
    picture(&mut Reference::new(), &Frame::new(SIDE, SIDE, Clear::BLACK, draws))
}

/// A cube with a colour for each side, as glTF, below a parent and a node with the given scales.
fn cube_file(folder: &Path, parent: [f32; 3], node: [f32; 3]) -> PathBuf {
    let cube = Shape::cube();
    let mut bytes = Vec::new();
    for corner in &cube.corners {
        bytes.extend(corner.position.to_array().into_iter().flat_map(f32::to_le_bytes));
    }
    let colors_at = bytes.len();
    for corner in &cube.corners {
        let side = corner.normal * 0.5 + Vec3::splat(0.5);
        bytes.extend([side.x, side.y * 0.8 + 0.1, side.z, 1.0].into_iter().flat_map(f32::to_le_bytes));
    }
    let indices_at = bytes.len();
    bytes.extend(cube.indices.iter().flat_map(|&index| (index as u16).to_le_bytes()));
    let (corners, indices) = (cube.corners.len(), cube.indices.len());
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"children":[1],"scale":{parent:?}}},{{"mesh":0,"scale":{node:?}}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"COLOR_0":1}},"indices":2}}]}}],
        "buffers":[{{"uri":"cube.bin","byteLength":{}}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{colors_at}}},
          {{"buffer":0,"byteOffset":{colors_at},"byteLength":{}}},{{"buffer":0,"byteOffset":{indices_at},"byteLength":{}}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":{corners},"type":"VEC3","min":[-1,-1,-1],"max":[1,1,1]}},
          {{"bufferView":1,"componentType":5126,"count":{corners},"type":"VEC4"}},
          {{"bufferView":2,"componentType":5123,"count":{indices},"type":"SCALAR"}}]}}"#,
        bytes.len(),
        indices_at - colors_at,
        indices * 2,
    );
    std::fs::write(folder.join("cube.bin"), bytes).expect("the folder is writable");
    let path = folder.join("cube.gltf");
    std::fs::write(&path, json).expect("the folder is writable");
    path
}

/// A mirrored node must show its outside, wherever in the tree the mirror stands: the picture of the mirrored cube is
/// the mirrored picture of the cube.
#[test]
fn a28_a_mirrored_node_is_not_drawn_inside_out() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let eye = glam::camera::rh::view::look_at_mat4(Vec3::new(1.7, 1.3, 4.0), Vec3::ZERO, Vec3::Y);
    let lens = glam::camera::rh::proj::directx::perspective(0.8, 1.0, 0.5, 20.0);
    let show = |parent, node, mirror: Vec3| {
        let model = load::model(cube_file(folder.path(), parent, node)).expect("the file is sound");
        draw(&model, lens * eye * Mat4::from_scale(mirror), Cull::Back)
    };
    const ONE: [f32; 3] = [1.0; 3];
    let plain = show(ONE, ONE, Vec3::ONE);
    let lit = plain.rgba.chunks_exact(4).filter(|pixel| pixel[..3] != [0, 0, 0]).count();
    assert!(lit > 1000, "the cube is seen: {lit} pixels");
    for (parent, node) in [
        (ONE, [-1.0, 1.0, 1.0]),
        (ONE, [-1.0, -1.0, 1.0]),
        (ONE, [-1.0, -1.0, -1.0]),
        ([-1.0, 1.0, 1.0], ONE),
        ([-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]),
    ] {
        // The same mirror once more in front of the camera brings the cube back, its winding included only if the
        // loader turned the triangles over.
        let scale = Vec3::from(parent) * Vec3::from(node);
        let flips = scale.x * scale.y * scale.z < 0.0;
        let model = load::model(cube_file(folder.path(), parent, node)).expect("the file is sound");
        // An even number of mirrors keeps winding on its own; after an odd one the camera's mirror turns it again.
        let cull = if flips { Cull::Front } else { Cull::Back };
        let back = draw(&model, lens * eye * Mat4::from_scale(scale), cull);
        // The planes start at another corner of a turned triangle, which may round a colour to its neighbour.
        let found = difference(&plain, &back, 1);
        assert_eq!(found.count, 0, "parent {parent:?}, node {node:?}: {found:?}");
        // And seen through the unmirrored camera the outside shows: no pixel of a side that faces away.
        let outside = show(parent, node, Vec3::ONE);
        let seen = outside.rgba.chunks_exact(4).filter(|pixel| pixel[..3] != [0, 0, 0]).count();
        assert!(seen.abs_diff(lit) < lit / 20, "{seen} pixels, unmirrored {lit}");
        let all = draw(&load::model(cube_file(folder.path(), parent, node)).expect("sound"), lens * eye, Cull::None);
        assert_eq!(difference(&all, &outside, 0).count, 0, "with culling off the near sides hide the far ones anyway");
    }
}

/// Indexed or not, list, strip, loop or fan: one picture of each kind (glTF asset generator, `Mesh_PrimitiveMode`).
#[test]
fn a31_lists_strips_and_fans_of_one_quad_give_one_picture() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/gltf/asset-generator");
    if !folder.exists() {
        println!("skipped: the glTF asset generator's files are not here");
        return;
    }
    let to_clip = Mat4::from_scale(Vec3::new(1.4, 1.4, 0.1)) * Mat4::from_translation(Vec3::new(0.0, 0.0, 5.0));
    let (mut solid, mut rims, mut dots) = (Vec::new(), Vec::new(), Vec::new());
    for number in 0..=15 {
        let path = folder.join(format!("Mesh_PrimitiveMode_{number:02}.gltf"));
        let model = load::model(&path).unwrap_or_else(|error| panic!("{number}: {error}"));
        let kind = match model.meshes[0].topology {
            Topology::PointList => &mut dots,
            Topology::LineList => &mut rims,
            _ => &mut solid,
        };
        kind.push((number, draw(&model, to_clip, Cull::None)));
    }
    // The generator's table: 00 and 07 are points, 01 to 03 and 08 to 10 lines.
    assert_eq!((solid.len(), rims.len(), dots.len()), (8, 6, 2));
    let lit = |picture: &Picture| picture.rgba.chunks_exact(4).filter(|pixel| pixel[..3] != [0, 0, 0]).count();
    assert!(lit(&solid[0].1) > 500, "the quad is seen");
    // Its corners are (±0.5, ±0.5), but for one at (0.5, 0.3): sides of 67, 67, 54 and 67 columns or rows.
    assert_eq!(lit(&rims[0].1), 255, "each pixel of the rim once");
    assert!(lit(&dots[0].1) > 100, "the points are seen");
    for pictures in [&solid, &rims, &dots] {
        for (number, picture) in &pictures[1..] {
            assert_eq!(
                difference(&pictures[0].1, picture, 0).count,
                0,
                "variant {number} differs from {}",
                pictures[0].0
            );
        }
    }
}
