//! The walls of the house: which crate may import which, which room of a crate may import which, and what may appear
//! only in one place. ARCHITECTURE.md draws the same picture.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates in the order in which they may be imported: each may use those before it, never those after it.
const CRATES: [&str; 6] = ["texture", "gpu_core", "shaders", "raster", "demos", "golden_images"];

/// A crate, and the only places that may import it.
const CONFINED: &[(&str, &[&str])] = &[
    ("winit", &["demos/"]),
    ("pixels", &["demos/"]),
    ("softbuffer", &["demos/"]),
    // The second opinion reads the inputs of a shader off its module, to feed them to the other rasterizer.
    ("naga", &["shaders/", "golden_images/src/wgpu_backend/"]),
    // The table of programs says its textures and samplers in that crate's words.
    ("wgpu", &["golden_images/src/wgpu_backend/", "golden_images/tests/second_opinion/programs.rs"]),
    ("anyhow", &["demos/", "golden_images/"]),
];

/// The only room that may hold unsafe code.
const UNSAFE_ROOM: &str = "gpu_core/src/fast/";

/// Rooms that other rooms of their crate must not import, but for the one named: (crate, room, who may).
const PRIVATE_ROOMS: &[(&str, &str, &[&str])] = &[("gpu_core", "fast", &["gpu"])];

/// What meaning must never see: (crate, room, rooms it must not import).
const FORBIDDEN: &[(&str, &str, &[&str])] = &[
    ("gpu_core", "isa", &["semantics", "timing", "fast", "gpu", "memory"]),
    ("gpu_core", "semantics", &["timing", "fast", "gpu"]),
    ("gpu_core", "timing", &["semantics", "memory", "fast", "gpu"]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_path_buf()
}

/// All Rust files below `folder`, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return files };
    for entry in entries {
        let path = entry.expect("a readable folder entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Code without line comments, string contents and the unit tests at the end of the file.
fn code_of(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests").next().expect("split gives at least one part");
    let mut out = String::new();
    for line in text.lines() {
        let mut quoted = false;
        let mut previous = ' ';
        let mut characters = line.chars().peekable();
        while let Some(character) = characters.next() {
            if character == '"' && previous != '\\' && previous != '\'' {
                quoted = !quoted;
            } else if !quoted && character == '/' && characters.peek() == Some(&'/') {
                break;
            } else if !quoted {
                out.push(character);
            }
            previous = character;
        }
        out.push('\n');
    }
    out
}

/// The words (identifiers) of a text.
fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|character: char| !character.is_alphanumeric() && character != '_').filter(|word| !word.is_empty())
}

/// Whether code names a crate: `use name`, or `name::` not inside a longer path.
fn imports_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let starts = !before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        let ends = !after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        starts && ends && (before.trim_end().ends_with("use") || after.starts_with("::"))
    })
}

/// What comes after each `crate::` in a text: the rooms it imports.
fn rooms_imported(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        if let Some(group) = after.strip_prefix('{') {
            // `use crate::{a::X, b::{Y, Z}}`: the first word of each part at depth one.
            let (mut depth, mut start_of_part) = (1, true);
            let mut word = String::new();
            for character in group.chars() {
                match character {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => start_of_part = true,
                    _ => {}
                }
                if character.is_alphanumeric() || character == '_' {
                    word.push(character);
                    continue;
                }
                if start_of_part && !word.is_empty() {
                    rooms.insert(word.clone());
                    start_of_part = false;
                }
                word.clear();
                if depth == 0 {
                    break;
                }
                if character == ',' && depth == 1 {
                    start_of_part = true;
                }
            }
        } else if let Some(word) = words(after).next() {
            rooms.insert(word.to_string());
        }
    }
    rooms
}

/// For each room (top-level file or folder of `src`) of a crate, the rooms that it imports.
fn room_graph(name: &str) -> BTreeMap<String, BTreeSet<String>> {
    let source = workspace().join(name).join("src");
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in rust_files(&source) {
        let inside = file.strip_prefix(&source).expect("the file was found below the folder");
        let first = inside.iter().next().expect("a file has a name").to_string_lossy();
        let room = first.trim_end_matches(".rs").to_string();
        let is_test = inside.iter().any(|part| part == "tests" || part == "tests.rs");
        if room == "lib" || room == "main" || is_test {
            continue;
        }
        let code = code_of(&std::fs::read_to_string(&file).expect("a source file is text"));
        graph.entry(room).or_default().extend(rooms_imported(&code));
    }
    let rooms: BTreeSet<String> = graph.keys().cloned().collect();
    for (room, imports) in &mut graph {
        imports.retain(|import| rooms.contains(import) && import != room);
    }
    graph
}

#[test]
fn crates_import_one_way() {
    for (place, name) in CRATES.iter().enumerate() {
        let manifest =
            std::fs::read_to_string(workspace().join(name).join("Cargo.toml")).expect("a crate has a manifest");
        let imported: Vec<&str> = manifest.lines().filter_map(|line| line.split(['.', ' ', '=']).next()).collect();
        for later in &CRATES[place..] {
            assert!(!imported.contains(later), "crate `{name}` must not import `{later}`");
        }
    }
}

#[test]
fn crates_and_unsafe_code_stay_where_they_belong() {
    for name in CRATES {
        for file in rust_files(&workspace().join(name)) {
            let path =
                file.strip_prefix(workspace()).expect("the file is in the workspace").to_string_lossy().to_string();
            if path == "golden_images/tests/architecture.rs" {
                continue; // This table says them all.
            }
            let code = code_of(&std::fs::read_to_string(&file).expect("a source file is text"));
            for (imported, places) in CONFINED {
                let said = imports_crate(&code, imported);
                assert!(
                    !said || places.iter().any(|place| path.starts_with(place)),
                    "`{imported}` is imported by {path}; it belongs to {places:?}"
                );
            }
            let is_unsafe = words(&code).any(|word| word == "unsafe");
            assert!(!is_unsafe || path.starts_with(UNSAFE_ROOM), "{path} holds unsafe code; only {UNSAFE_ROOM} may");
        }
    }
}

#[test]
fn rooms_import_one_way() {
    for name in CRATES {
        let graph = room_graph(name);
        // Take away rooms that import nothing that is left, until none is left: possible exactly when there is no cycle.
        let mut left = graph.clone();
        while !left.is_empty() {
            let free: Vec<String> = left
                .iter()
                .filter(|(_, imports)| !imports.iter().any(|import| left.contains_key(import)))
                .map(|(room, _)| room.clone())
                .collect();
            assert!(!free.is_empty(), "the rooms of `{name}` import each other in a circle: {left:#?}");
            for room in free {
                left.remove(&room);
            }
        }
    }
}

#[test]
fn private_rooms_stay_private() {
    for (name, room, allowed) in PRIVATE_ROOMS {
        for (importer, imports) in room_graph(name) {
            assert!(
                !imports.contains(*room) || allowed.contains(&importer.as_str()),
                "`{name}::{importer}` must not import `{room}`"
            );
        }
    }
    for (name, room, forbidden) in FORBIDDEN {
        if let Some(imports) = room_graph(name).get(*room) {
            for import in *forbidden {
                assert!(!imports.contains(*import), "`{name}::{room}` must not import `{import}`");
            }
        }
    }
}

#[test]
fn the_reader_of_imports_reads_imports() {
    let code = code_of(
        "use crate::memory::Memory; // crate::timing\nuse crate::{isa::{a, b}, units::X};\nlet s = \"crate::fast\";\n",
    );
    assert!(imports_crate("use naga;", "naga") && imports_crate("let x = naga::Module::new();", "naga"));
    assert!(
        !imports_crate("let pixels = 1; crate::naga::x; my_naga::y", "naga") && !imports_crate("pixels: u64", "pixels")
    );
    assert_eq!(rooms_imported(&code), ["isa", "memory", "units"].map(String::from).into());
}
