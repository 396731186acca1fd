//! glTF 2.0 documents, as JSON or GLB: the container, the buffers, and the tree of nodes that places meshes.
//!
//! Before: the bytes. After: `model`. Source: glTF 2.0, sections 3.5 "Scenes and Nodes" and 4 "GLB File Format Specification".
//! Left out with a warning: skins, morph targets (meshes are shown as they stand). Left out silently: animations, cameras, lights.

use std::path::Path;

use gltf::json::Root;
use gltf::json::scene::Node;

use crate::load::accessor::Storage;
use crate::load::appearance;
use crate::load::error::LoadError;
use crate::load::model::{Budget, Material, Model, check_position};
use crate::load::normals;
use crate::load::primitive;
use crate::load::reference::References;
use crate::load::transform::Transform;

/// Bytes before the first chunk of a GLB file, and before the content of a chunk.
const GLB_HEADER_BYTES: usize = 12;
const CHUNK_HEADER_BYTES: usize = 8;

/// Extensions that a file may require: integer attributes, which `accessor` reads anyway; transforms of texture coordinates; and
/// all that change a material, of which we show those of the base colour (`KHR_materials_unlit` among them).
fn is_understood(extension: &str) -> bool {
    matches!(extension, "KHR_mesh_quantization" | "KHR_texture_transform") || extension.starts_with("KHR_materials_")
}

/// Reads a glTF or GLB file that is already in memory; `file` is for messages and for the folder of its buffers.
///
/// # Errors
/// See [`LoadError`]; places are objects of the document.
pub fn gltf_from_bytes(file: &Path, bytes: &[u8]) -> Result<Model, LoadError> {
    let (json, mut blob) = split_container(file, bytes)?;
    let root = Root::from_slice(json).map_err(|error| LoadError::Damaged {
        file: file.to_path_buf(),
        place: format!("line {} column {} of the JSON", error.line(), error.column()),
        // The message ends in the place, which is said already.
        reason: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    })?;
    let mut storage = Storage { file, root: &root, buffers: Vec::new() };
    check_asset(&storage)?;
    let mut references = References::of(file);
    for (index, buffer) in root.buffers.iter().enumerate() {
        let place = format!("buffer {index}");
        let bytes = match &buffer.uri {
            Some(uri) => references.read_uri(uri, &place)?.1,
            None => match blob.take().filter(|_| index == 0) {
                Some(blob) => blob.to_vec(),
                None => return Err(storage.damaged(&place, "no URI and no binary chunk")),
            },
        };
        let declared = buffer.byte_length.0;
        if (bytes.len() as u64) < declared {
            return Err(storage.damaged(&place, format!("{} bytes, {declared} are declared", bytes.len())));
        }
        storage.buffers.push(bytes);
    }
    let mut model = Model::default();
    appearance::add_materials(&storage, &mut references, &mut model)?;
    add_meshes(&storage, &mut model)?;
    model.finished(file)
}

/// The JSON part, and the binary chunk if there is one.
fn split_container<'a>(file: &Path, bytes: &'a [u8]) -> Result<(&'a [u8], Option<&'a [u8]>), LoadError> {
    let damaged = |at: usize, reason: String| LoadError::Damaged {
        file: file.to_path_buf(),
        place: format!("byte {at}"),
        reason,
    };
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
    let (version, length) = (word(4).unwrap_or(0), word(8).unwrap_or(0) as usize);
    if version != 2 {
        return Err(damaged(4, format!("GLB version {version}, 2 is read")));
    }
    if length < GLB_HEADER_BYTES || length > bytes.len() {
        return Err(damaged(8, format!("a length of {length} bytes, the file has {}", bytes.len())));
    }
    let mut chunks = Vec::new();
    let mut at = GLB_HEADER_BYTES;
    // Later chunks than the second are for extensions.
    while chunks.len() < 2 && at + CHUNK_HEADER_BYTES <= length {
        let (size, kind) = (word(at).unwrap_or(0) as usize, word(at + 4).unwrap_or(0));
        let content = bytes[..length].get(at + CHUNK_HEADER_BYTES..).and_then(|rest| rest.get(..size));
        let content = content.ok_or_else(|| damaged(at, format!("a chunk of {size} bytes beyond the end")))?;
        chunks.push((kind.to_le_bytes(), content));
        // Chunks are padded to four bytes.
        at += CHUNK_HEADER_BYTES + size.next_multiple_of(4);
    }
    match chunks[..] {
        [(kind, json), ref rest @ ..] if kind == *b"JSON" => {
            let binary = rest.first().filter(|(kind, _)| kind == b"BIN\0").map(|(_, content)| *content);
            Ok((json, binary))
        }
        _ => Err(damaged(GLB_HEADER_BYTES, "the first chunk is not JSON".to_owned())),
    }
}

fn check_asset(storage: &Storage<'_>) -> Result<(), LoadError> {
    let unsupported =
        |what: String| LoadError::Unsupported { file: storage.file.to_path_buf(), place: "asset".to_owned(), what };
    let asset = &storage.root.asset;
    let wanted = asset.min_version.as_ref().unwrap_or(&asset.version);
    if wanted != "2.0" && (asset.min_version.is_some() || !wanted.starts_with("2.")) {
        return Err(unsupported(format!("glTF version `{}` is", wanted.chars().take(20).collect::<String>())));
    }
    match storage.root.extensions_required.iter().find(|extension| !is_understood(extension)) {
        Some(extension) => {
            Err(unsupported(format!("the required extension `{}` is", extension.chars().take(60).collect::<String>())))
        }
        None => Ok(()),
    }
}

/// Walks the nodes of the scene that the file shows and adds their meshes in model space.
fn add_meshes(storage: &Storage<'_>, model: &mut Model) -> Result<(), LoadError> {
    let nodes = &storage.root.nodes;
    let mut budget = Budget::default();
    let mut default_material = None;
    let mut is_visited = vec![false; nodes.len()];
    let mut waiting: Vec<(usize, Transform)> = Vec::new();
    // Last in, first out: in this order the first root and the first child come first.
    waiting.extend(scene_roots(storage)?.into_iter().rev().map(|root| (root, Transform::IDENTITY)));
    while let Some((index, parent)) = waiting.pop() {
        let place = format!("node {index}");
        let node = nodes
            .get(index)
            .ok_or_else(|| storage.damaged("the scene", format!("node {index}, but there are {}", nodes.len())))?;
        if std::mem::replace(&mut is_visited[index], true) {
            return Err(storage.damaged(&place, "it has two parents or is its own ancestor"));
        }
        let global = parent.of(&local_transform(storage, node, &place)?);
        if let Some(mesh) = node.mesh {
            add_mesh(storage, model, &mut budget, &mut default_material, node, mesh.value(), &global)?;
        }
        if node.skin.is_some() {
            model.warnings.push(format!("{place}: its skin was left out"));
        }
        for child in node.children.iter().flatten().rev() {
            waiting.push((child.value(), global));
        }
    }
    Ok(())
}

/// The default scene's nodes, else the first scene's, else every node that is no other's child.
fn scene_roots(storage: &Storage<'_>) -> Result<Vec<usize>, LoadError> {
    let scenes = &storage.root.scenes;
    let chosen = storage.root.scene.map_or(0, |scene| scene.value());
    match scenes.get(chosen) {
        Some(scene) => Ok(scene.nodes.iter().map(|node| node.value()).collect()),
        None if storage.root.scene.is_some() => {
            Err(storage.damaged("scene", format!("scene {chosen}, but there are {}", scenes.len())))
        }
        None => {
            let nodes = &storage.root.nodes;
            let mut is_child = vec![false; nodes.len()];
            for child in nodes.iter().flat_map(|node| node.children.iter().flatten()) {
                if let Some(is_child) = is_child.get_mut(child.value()) {
                    *is_child = true;
                }
            }
            Ok((0..nodes.len()).filter(|node| !is_child[*node]).collect())
        }
    }
}

fn local_transform(storage: &Storage<'_>, node: &Node, place: &str) -> Result<Transform, LoadError> {
    let rotation = node.rotation.map_or([0.0, 0.0, 0.0, 1.0], |rotation| rotation.0);
    let (translation, scale) = (node.translation.unwrap_or([0.0; 3]), node.scale.unwrap_or([1.0; 3]));
    let numbers = node.matrix.iter().flatten().chain(&rotation).chain(&translation).chain(&scale);
    if !numbers.into_iter().all(|number| number.is_finite()) {
        return Err(storage.damaged(place, "its transform is not finite"));
    }
    Ok(match node.matrix {
        Some(matrix) => Transform::from_columns(matrix),
        None => Transform::from_parts(translation, rotation, scale),
    })
}

/// The primitives of one mesh, as one node shows it.
fn add_mesh(
    storage: &Storage<'_>,
    model: &mut Model,
    budget: &mut Budget,
    default_material: &mut Option<usize>,
    node: &Node,
    index: usize,
    global: &Transform,
) -> Result<(), LoadError> {
    let meshes = &storage.root.meshes;
    let mesh = meshes
        .get(index)
        .ok_or_else(|| storage.damaged("the scene", format!("mesh {index}, but there are {}", meshes.len())))?;
    let name = node.name.clone().or_else(|| mesh.name.clone()).unwrap_or_else(|| format!("mesh {index}"));
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let place = format!("mesh {index} `{name}`, primitive {number}");
        let material = primitive.material.map(|material| material.value());
        if let Some(material) = material.filter(|material| *material >= storage.root.materials.len()) {
            let reason = format!("material {material}, but there are {}", storage.root.materials.len());
            return Err(storage.damaged(&place, reason));
        }
        let coordinates = appearance::coordinates(storage, material, &place)?;
        let mut read = primitive::read(storage, primitive, coordinates.set, &place, budget, &mut model.warnings)?;
        coordinates.apply(&mut read.uvs);
        if primitive.targets.as_ref().is_some_and(|targets| !targets.is_empty()) {
            model.warnings.push(format!("{place}: its morph targets were left out"));
        }
        global.apply(&mut read);
        for (vertex, &position) in read.positions.iter().enumerate() {
            check_position(storage.file, position, || format!("{place}, vertex {vertex} in the scene"))?;
        }
        normals::repair(&mut read);
        read.name.clone_from(&name);
        read.material = material.unwrap_or_else(|| {
            *default_material.get_or_insert_with(|| {
                model.materials.push(Material::default());
                model.materials.len() - 1
            })
        });
        model.meshes.push(read);
    }
    Ok(())
}
