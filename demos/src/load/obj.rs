//! OBJ, second half: tobj builds meshes from the checked statements; libraries and pictures are found.
//!
//! Before: `obj_text`, `mtl`. After: `normals`, `model`. Texture coordinates are turned over: in OBJ (0, 0) is the lower left
//! corner of a picture. OBJ does not say whether back faces show, so they do. Nor does it say what its colours are: they are
//! taken as sRGB, like the pictures beside them, and become linear here.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use glam::Vec3;
use raster::{Sampler, Topology};

use crate::load::error::LoadError;
use crate::load::model::{Alpha, Budget, Material, Mesh, Model};
use crate::load::mtl::Libraries;
use crate::load::normals;
use crate::load::obj_text::{self, ObjText};
use crate::load::picture::picture_from_bytes;
use crate::load::reference::References;

/// Reads an OBJ file that is already in memory; `file` is for messages and for the folder of its libraries.
///
/// A library or picture that is absent or lies outside the folder is a warning; a picture that is there but damaged is an error.
///
/// # Errors
/// See [`LoadError`]; places are lines.
pub fn obj_from_bytes(file: &Path, bytes: &[u8]) -> Result<Model, LoadError> {
    let text = obj_text::read(file, bytes)?;
    let mut references = References::of(file);
    let mut model = Model { warnings: text.warnings.clone(), ..Model::default() };
    let libraries = read_libraries(&mut references, &text, &mut model.warnings)?;
    let damaged = |error: tobj::LoadError| LoadError::Damaged {
        file: file.to_path_buf(),
        place: "as a whole".to_owned(),
        reason: error.to_string(),
    };
    add_materials(&mut references, &libraries, &mut model, damaged)?;
    for (line, name) in &text.materials {
        if !model.materials.iter().any(|material| material.name == *name) {
            let warning = format!("line {line}: no library has a material `{name}`; it is white");
            // A file may switch back and forth between two names.
            if !model.warnings.iter().any(|known| known.ends_with(warning.split_once(':').map_or("", |parts| parts.1)))
            {
                model.warnings.push(warning);
            }
        }
    }
    add_meshes(file, &text, &libraries, &mut model, damaged)?;
    if !text.has_normals && !text.is_flat {
        normals::make_smooth(&mut model.meshes);
    }
    for mesh in &mut model.meshes {
        match (text.has_normals, text.is_flat) {
            (true, _) => normals::repair(mesh),
            (false, true) => normals::make_flat(mesh),
            (false, false) => {}
        }
    }
    add_strokes(file, &text, &mut model)?;
    model.finished(file)
}

/// A colour as sRGB has it in linear light (IEC 61966-2-1). By glam (libm inside), so that every host gets the same bits.
fn linear(color: [f32; 3]) -> [f32; 3] {
    let color = Vec3::from(color);
    let curved = ((color.max(Vec3::ZERO) + 0.055) / 1.055).powf(2.4);
    Vec3::select(color.cmple(Vec3::splat(0.04045)), color / 12.92, curved).to_array()
}

/// Lines and points, shown without light.
fn add_strokes(file: &Path, text: &ObjText, model: &mut Model) -> Result<(), LoadError> {
    let mut budget = Budget::default();
    for stroke in &text.strokes {
        let count = stroke.positions.len();
        budget.take(file, "lines and points", count as u64, count as u64)?;
        let known = model.materials.iter().position(|material| material.name == stroke.material);
        let material = known.unwrap_or_else(|| {
            model.materials.push(Material { double_sided: true, ..Material::default() });
            model.materials.len() - 1
        });
        model.meshes.push(Mesh {
            name: "lines and points".to_owned(),
            positions: stroke.positions.clone(),
            normals: vec![[0.0, 0.0, 1.0]; count],
            uvs: stroke.uvs.iter().map(|[u, v]| [*u, 1.0 - v]).collect(),
            colors: stroke.colors.iter().map(|&color| opaque(linear(color))).collect(),
            indices: (0..count as u32).collect(),
            topology: stroke.topology,
            has_normals: false,
            material,
        });
    }
    Ok(())
}

fn opaque([red, green, blue]: [f32; 3]) -> [f32; 4] {
    [red, green, blue, 1.0]
}

/// The libraries that can be read, as one.
fn read_libraries(
    references: &mut References<'_>,
    text: &ObjText,
    warnings: &mut Vec<String>,
) -> Result<Libraries, LoadError> {
    let mut libraries = Libraries::default();
    for (line, names) in &text.libraries {
        let place = format!("line {line}");
        // One name with blanks, or several names: whichever is there.
        let is_one = find(references, names, &place).is_ok_and(|path| path.is_file());
        let names: Vec<&str> = if is_one { vec![names] } else { names.split_whitespace().collect() };
        for name in names {
            match find(references, name, &place).and_then(|path| references.read(&path, &place)) {
                Ok(bytes) => libraries.add(name, &bytes),
                Err(LoadError::Named { source, .. }) => {
                    warnings.push(format!(
                        "{place}: the library `{name}` cannot be read ({source}); its materials are white"
                    ));
                }
                Err(error @ LoadError::Outside { .. }) => warnings.push(format!("{error}; it was not read")),
                Err(error) => return Err(error),
            }
        }
    }
    warnings.append(&mut libraries.warnings);
    Ok(libraries)
}

/// Backslashes are from Windows.
fn find(references: &References<'_>, name: &str, place: &str) -> Result<PathBuf, LoadError> {
    references.resolve(&name.replace('\\', "/"), place)
}

fn add_materials(
    references: &mut References<'_>,
    libraries: &Libraries,
    model: &mut Model,
    damaged: impl Fn(tobj::LoadError) -> LoadError,
) -> Result<(), LoadError> {
    let mut known = BTreeMap::new();
    for material in libraries.materials().map_err(damaged)? {
        let place = format!("material `{}`", material.name);
        let mut texture = None;
        if let Some(name) = &material.picture {
            match find(references, name, &place)
                .and_then(|path| picture_of(references, &mut known, model, path, &place))
            {
                Ok(index) => texture = Some(index),
                Err(LoadError::Named { source, .. }) => {
                    model.warnings.push(format!("{place}: the picture `{name}` cannot be read ({source})"));
                }
                Err(error @ LoadError::Outside { .. }) => model.warnings.push(format!("{error}; it was not read")),
                Err(error) => return Err(error),
            }
        }
        let [red, green, blue, alpha] = material.base_color;
        let [red, green, blue] = linear([red, green, blue]);
        model.materials.push(Material {
            name: material.name,
            base_color: [red, green, blue, alpha],
            texture,
            sampler: Sampler { wrap_u: material.wrap, wrap_v: material.wrap, ..Sampler::TRILINEAR },
            double_sided: true,
            alpha: if material.base_color[3] < 1.0 { Alpha::Blend } else { Alpha::Opaque },
            is_unlit: material.is_unlit,
        });
    }
    Ok(())
}

/// The index of a picture, which is read once however many materials show it.
fn picture_of(
    references: &mut References<'_>,
    known: &mut BTreeMap<PathBuf, usize>,
    model: &mut Model,
    path: PathBuf,
    place: &str,
) -> Result<usize, LoadError> {
    if let Some(&index) = known.get(&path) {
        return Ok(index);
    }
    let bytes = references.read(&path, place)?;
    model.textures.push(picture_from_bytes(&path, "the picture", &bytes)?);
    let index = model.textures.len() - 1;
    known.insert(path, index);
    Ok(index)
}

fn add_meshes(
    file: &Path,
    text: &ObjText,
    libraries: &Libraries,
    model: &mut Model,
    damaged: impl Fn(tobj::LoadError) -> LoadError,
) -> Result<(), LoadError> {
    // One library, which the closure gives whatever its name.
    let statements = format!("mtllib all\n{}", text.statements);
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..tobj::LoadOptions::default() };
    let load_library = |_: &Path| tobj::load_mtl_buf(&mut Cursor::new(&libraries.statements));
    let (objects, _) = tobj::load_obj_buf(&mut Cursor::new(statements), &options, load_library).map_err(damaged)?;
    let mut default_material = None;
    let mut budget = Budget::default();
    for object in objects {
        let tobj::Mesh { positions, normals, texcoords, vertex_color, indices, material_id, .. } = object.mesh;
        let count = positions.len() / 3;
        budget.take(file, &format!("object `{}`", object.name), count as u64, indices.len() as u64)?;
        let material = material_id.unwrap_or_else(|| {
            *default_material.get_or_insert_with(|| {
                model.materials.push(Material { double_sided: true, ..Material::default() });
                model.materials.len() - 1
            })
        });
        let triple = |values: &[f32], vertex: usize, otherwise: f32| -> [f32; 3] {
            std::array::from_fn(|axis| values.get(vertex * 3 + axis).copied().unwrap_or(otherwise))
        };
        let uv = |vertex: usize| match texcoords.get(vertex * 2..vertex * 2 + 2) {
            Some(uv) => [uv[0], 1.0 - uv[1]],
            None => [0.0; 2],
        };
        model.meshes.push(Mesh {
            name: object.name,
            positions: (0..count).map(|vertex| triple(&positions, vertex, 0.0)).collect(),
            normals: (0..count).map(|vertex| triple(&normals, vertex, 0.0)).collect(),
            uvs: (0..count).map(uv).collect(),
            colors: (0..count).map(|vertex| opaque(linear(triple(&vertex_color, vertex, 1.0)))).collect(),
            indices,
            topology: Topology::TriangleList,
            has_normals: true,
            material,
        });
    }
    Ok(())
}
