//! Loaders: people's models and pictures become plain data; and files are written whole or not at all.
//!
//! After: `scenes` turns a [`Model`] into draws. A model is read in three steps: bytes (`reference`, with limits and the rule
//! which further files a model may name), the format (`obj_text`, `polygon` → `obj`, `mtl`; `document` → `accessor`, `primitive`),
//! and what every format shares (`normals`, `model`).
//!
//! Nothing from outside makes these functions panic, hang or allocate without bound: what tobj and gltf would not survive
//! (they index by what the file says) is checked before they see it. A file is refused with its name and the place in it;
//! what can be left out without changing the rest is left out, and said in [`Model::warnings`].

mod accessor;
mod appearance;
mod document;
mod error;
mod model;
mod mtl;
mod normals;
mod obj;
mod obj_text;
mod picture;
mod polygon;
mod primitive;
mod reference;
mod store;
mod transform;

use std::path::Path;

pub use document::gltf_from_bytes;
pub use error::LoadError;
pub use model::{Alpha, Bounds, MAX_INDICES, MAX_VERTICES, Material, Mesh, Model};
pub use obj::obj_from_bytes;
pub use picture::{MAX_PIXELS, picture, picture_from_bytes};
pub use reference::MAX_FILE_BYTES;
pub use store::{PendingFile, StoreError, write_atomically, write_png};

/// Loads a model; the end of the name decides how: `.obj`, `.gltf` or `.glb`, in any case.
///
/// # Errors
/// See [`LoadError`]; the message names the file and the place in it.
pub fn model(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    let file = path.as_ref();
    let extension = file.extension().and_then(|extension| extension.to_str()).unwrap_or_default().to_ascii_lowercase();
    let from_bytes = match extension.as_str() {
        "obj" => obj_from_bytes,
        "gltf" | "glb" => gltf_from_bytes,
        _ => return Err(LoadError::UnknownKind { file: file.to_path_buf() }),
    };
    from_bytes(file, &reference::read_file(file)?)
}

#[cfg(test)]
mod tests;
