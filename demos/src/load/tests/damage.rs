//! Files nobody would write: random bytes, truncations, and good files with a few numbers changed. A loader gives a model that
//! keeps its law, or an error that names the file; it never panics.

use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};

use crate::load::tests::check_law;
use crate::load::tests::gltf_models::{data_uri, glb, triangle};
use crate::load::{LoadError, Model, gltf_from_bytes, model, obj_from_bytes, picture, picture_from_bytes};

/// Repeatable runs; `SEED=n` tries other inputs.
fn config(cases: u32) -> ProptestConfig {
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("SEED={seed}");
    ProptestConfig { cases, rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..ProptestConfig::default() }
}

/// The law for whatever a loader gives.
fn check(result: Result<Model, LoadError>) -> bool {
    match result {
        Ok(model) => {
            check_law(&model);
            true
        }
        Err(error) => {
            check_message(&error);
            false
        }
    }
}

fn check_message(error: &LoadError) {
    assert!(error.to_string().contains("`damaged"), "{error}");
    assert!(error.to_string().len() < 600, "{error}");
}

fn check_obj(bytes: &[u8]) -> bool {
    check(obj_from_bytes(Path::new("damaged.obj"), bytes))
}

fn check_gltf(bytes: &[u8]) -> bool {
    check(gltf_from_bytes(Path::new("damaged.glb"), bytes))
}

fn check_picture(bytes: &[u8]) {
    match picture_from_bytes(Path::new("damaged.png"), "the picture", bytes) {
        Ok(image) => assert_eq!(image.bytes.len() as u64, 4 * u64::from(image.width()) * u64::from(image.height())),
        Err(error) => check_message(&error),
    }
}

const OBJ: &str = "mtllib absent.mtl\no cube\nv 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0\nv 0 1 0 1\nvt 0 0\nvt 1 0.5\nvn 0 0 1\n\
    usemtl a b\ns 1\nf 1/1/1 2/2/1 3//1\nf -4 -3 -2 -1\ng\nl 1 2 3\nf 1/1 2/2 4/1\n";

const MTL: &str =
    "newmtl a\nKd 0.5 0.5 0.5\nd 0.5\nTr 0.5\nmap_Kd -s 1 1 1 -clamp on a.png\nnewmtl b\nillum 2\nmap_Kd b.png\n";

/// A document that uses every part that the loader reads.
fn document() -> Value {
    let mut document = triangle();
    let bytes: Vec<u8> = (0..96).collect();
    document["buffers"].as_array_mut().expect("a list").push(json!({ "uri": data_uri(&bytes), "byteLength": 96 }));
    document["bufferViews"].as_array_mut().expect("a list").extend([
        json!({ "buffer": 1, "byteOffset": 4, "byteLength": 60, "byteStride": 16 }),
        json!({ "buffer": 1, "byteLength": 4 }),
        json!({ "buffer": 1, "byteLength": 48, "byteOffset": 48 }),
    ]);
    document["accessors"].as_array_mut().expect("a list").extend([
        json!({ "bufferView": 2, "componentType": 5121, "normalized": true, "count": 3, "type": "VEC4" }),
        json!({ "bufferView": 2, "byteOffset": 4, "componentType": 5122, "count": 3, "type": "VEC2" }),
        json!({ "componentType": 5126, "count": 3, "type": "VEC3", "sparse": {
            "count": 1, "indices": { "bufferView": 3, "componentType": 5121, "byteOffset": 1 },
            "values": { "bufferView": 4, "byteOffset": 4 } } }),
    ]);
    document["meshes"][0]["primitives"] = json!([
        { "attributes": { "POSITION": 0, "COLOR_0": 2, "TEXCOORD_0": 3, "NORMAL": 4 }, "indices": 1, "material": 0 },
        { "attributes": { "POSITION": 0 }, "mode": 5 },
        { "attributes": { "POSITION": 0 }, "mode": 6, "indices": 1 }
    ]);
    document["materials"] = json!([{ "pbrMetallicRoughness": {
        "baseColorTexture": { "index": 0, "texCoord": 0 }, "baseColorFactor": [1, 0.5, 0.5, 1] }, "alphaMode": "MASK" }]);
    document["textures"] = json!([{ "source": 0, "sampler": 0 }]);
    document["samplers"] = json!([{ "magFilter": 9729, "minFilter": 9987, "wrapS": 10497, "wrapT": 33071 }]);
    document["images"] = json!([{ "uri": data_uri(&png_file()) }]);
    document["nodes"] = json!([
        { "children": [1, 2], "rotation": [0, 0, 0.6, 0.8], "translation": [1, 2, 3], "scale": [1, -2, 1] },
        { "mesh": 0 },
        { "mesh": 0, "matrix": [2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 5, 5, 1] }
    ]);
    document
}

fn png_file() -> Vec<u8> {
    let rgba = image::RgbaImage::from_fn(5, 3, |x, y| image::Rgba([x as u8 * 50, y as u8 * 80, 7, 200]));
    let mut file = std::io::Cursor::new(Vec::new());
    rgba.write_to(&mut file, image::ImageFormat::Png).expect("memory takes everything");
    file.into_inner()
}

fn jpeg_file() -> Vec<u8> {
    let rgb = image::RgbImage::from_fn(20, 17, |x, y| image::Rgb([x as u8 * 12, y as u8 * 15, 7]));
    let mut file = std::io::Cursor::new(Vec::new());
    rgb.write_to(&mut file, image::ImageFormat::Jpeg).expect("memory takes everything");
    file.into_inner()
}

/// Positions, taken modulo the length, and new bytes.
fn changes() -> impl Strategy<Value = Vec<(usize, u8)>> {
    proptest::collection::vec((any::<usize>(), prop_oneof![any::<u8>(), Just(0), Just(255)]), 1..6)
}

fn changed(file: &[u8], changes: &[(usize, u8)], length: usize) -> Vec<u8> {
    let mut file = file.to_vec();
    for &(position, byte) in changes {
        let position = position % file.len();
        file[position] = byte;
    }
    file.truncate(length % (2 * file.len()));
    file
}

/// Words that a parser meets rarely.
const WORDS: &[&str] = &[
    "0",
    "-1",
    "-0",
    "1",
    "2",
    "4",
    "5",
    "99999999",
    "-99999999",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "1e39",
    "-1e39",
    "nan",
    "inf",
    "-infinity",
    "1e-45",
    "1e14",
    "",
    "/",
    "//",
    "1//",
    "-1/-1/-1",
    "1/1/1/1",
    "f",
    "v",
    "vt",
    "vn",
    "o",
    "usemtl",
    "mtllib",
    "\\",
    "#",
    "\u{feff}",
    "\0",
    "newmtl",
    "Kd",
    "map_Kd",
    "-s",
    "-clamp",
];

/// Numbers that an index, a length or a factor is rarely.
fn numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-3i64..40).prop_map(|number| json!(number)),
        prop_oneof![Just(u64::MAX), Just(1 << 63), Just(1 << 32), Just((1 << 32) - 1), Just(1 << 31), Just(1 << 53)]
            .prop_map(|number| json!(number)),
        prop_oneof![Just(1e39), Just(-1e39), Just(1e308), Just(0.5), Just(1e20)].prop_map(|number: f64| json!(number)),
        prop_oneof![Just(5120), Just(5121), Just(5122), Just(5123), Just(5125), Just(5126)]
            .prop_map(|kind: u32| json!(kind)),
        prop_oneof![Just(json!(null)), Just(json!([])), Just(json!({})), Just(json!("")), Just(json!("VEC4"))],
    ]
}

/// Every number and word of a document, in order.
fn leaves<'a>(value: &'a mut Value, found: &mut Vec<&'a mut Value>) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| leaves(item, found)),
        Value::Object(items) => items.values_mut().for_each(|item| leaves(item, found)),
        leaf => found.push(leaf),
    }
}

#[test]
fn the_good_files_are_good() {
    assert!(check_obj(OBJ.as_bytes()));
    assert!(check_gltf(document().to_string().as_bytes()));
    assert!(picture_from_bytes(Path::new("damaged.png"), "the picture", &png_file()).is_ok());
    assert!(picture_from_bytes(Path::new("damaged.png"), "the picture", &jpeg_file()).is_ok());
}

#[test]
fn every_truncation_is_survived() {
    for length in 0..OBJ.len() {
        check_obj(&OBJ.as_bytes()[..length]);
    }
    let document = document().to_string();
    for length in (0..document.len()).step_by(7) {
        assert!(!check_gltf(&document.as_bytes()[..length]), "{length} bytes are not the whole");
    }
    for file in [png_file(), jpeg_file()] {
        for length in 0..file.len() {
            check_picture(&file[..length]);
        }
    }
}

#[test]
fn files_that_are_no_files_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["absent.obj", "absent.gltf", "absent.GLB"] {
        let error = model(folder.path().join(name)).expect_err("absent");
        assert!(matches!(error, LoadError::Read { .. }) && error.to_string().contains(name), "{error}");
    }
    std::fs::create_dir(folder.path().join("folder.obj")).expect("writable");
    assert!(matches!(model(folder.path().join("folder.obj")), Err(LoadError::Read { .. })));
    assert!(matches!(picture(folder.path()), Err(LoadError::Read { .. })));
    for name in ["model.fbx", "model", "", ".obj"] {
        assert!(matches!(model(name), Err(LoadError::UnknownKind { .. })), "{name}");
    }
    #[cfg(unix)]
    assert!(matches!(picture("/dev/zero"), Err(LoadError::Read { .. })));
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn random_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check_obj(&bytes);
        check_gltf(&bytes);
        check_gltf(&[b"glTF\x02\0\0\0", &bytes[..]].concat());
        check_picture(&bytes);
        check_picture(&[b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", &bytes[..]].concat());
        check_picture(&[b"\xff\xd8\xff\xe0", &bytes[..]].concat());
    }

    #[test]
    fn changed_bytes_are_survived(changes in changes(), length: usize) {
        check_obj(&changed(OBJ.as_bytes(), &changes, length));
        check_gltf(&changed(document().to_string().as_bytes(), &changes, length));
        let binary = changed(&glb(&triangle(), &[1, 2, 3]), &changes, usize::MAX);
        check_gltf(&binary);
        check_picture(&changed(&png_file(), &changes, length));
        check_picture(&changed(&jpeg_file(), &changes, length));
    }

    #[test]
    fn changed_words_are_survived(changes in proptest::collection::vec((any::<usize>(), 0..WORDS.len()), 1..6)) {
        for (text, is_model) in [(OBJ, true), (MTL, false)] {
            let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
            for &(position, word) in &changes {
                let position = position % words.len();
                words[position] = WORDS[word];
            }
            // Half of the changed words run into the next one; that is meant.
            let text = words.concat();
            if is_model {
                check_obj(text.as_bytes());
                check_obj(words.join(" ").as_bytes());
            } else {
                let mut libraries = crate::load::mtl::Libraries::default();
                libraries.add("damaged.mtl", text.as_bytes());
                libraries.add("damaged.mtl", words.join(" ").as_bytes());
                let materials = libraries.materials().expect("what was written anew is good");
                for material in materials {
                    prop_assert!(material.base_color.iter().all(|part| (0.0..=1.0).contains(part)));
                }
            }
        }
    }

    #[test]
    fn changed_numbers_are_survived(changes in proptest::collection::vec((any::<usize>(), numbers()), 1..5)) {
        let mut document = document();
        let mut found = Vec::new();
        leaves(&mut document, &mut found);
        let count = found.len();
        for (position, value) in changes {
            *found[position % count] = value;
        }
        check_gltf(document.to_string().as_bytes());
    }
}
