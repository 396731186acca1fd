//! What the documents name exists: links, pictures, and the tests that ARCHITECTURE.md says guard its invariants.

use std::path::{Path, PathBuf};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_path_buf()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files for people: three at the root, and everything in `docs`.
fn documents() -> Vec<PathBuf> {
    let mut documents: Vec<_> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| workspace().join(name)).to_vec();
    let folder = std::fs::read_dir(workspace().join("docs")).expect("there is a folder `docs`");
    let paths = folder.map(|entry| entry.expect("a readable folder entry").path());
    documents.extend(paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    documents.sort();
    documents
}

/// What lies between `open` and `close`, everywhere in the text.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close)).map(|(inside, _)| inside).collect()
}

/// Text without blocks and pieces of code, in which brackets mean something else.
fn prose_of(text: &str) -> String {
    let outside = text.split("```").step_by(2).collect::<String>();
    outside.split('`').step_by(2).collect()
}

/// Targets of links and pictures that should be files, without the part after `#`.
fn file_targets(text: &str) -> Vec<String> {
    let prose = prose_of(text);
    let all = [between(&prose, "](", ')'), between(&prose, "src=\"", '"'), between(&prose, "href=\"", '"')].concat();
    let targets = all.into_iter().map(|target| target.split(['#', ' ']).next().expect("split gives a part"));
    targets.filter(|target| !target.is_empty() && !target.contains(':')).map(str::to_owned).collect()
}

#[test]
fn links_and_pictures_exist() {
    let mut missing = Vec::new();
    for document in documents() {
        let folder = document.parent().expect("a file lies in a folder");
        for target in file_targets(&read(&document)) {
            if !folder.join(&target).exists() {
                missing.push(format!("{}: `{target}`", document.display()));
            }
        }
    }
    assert!(missing.is_empty(), "links that lead nowhere: {missing:#?}");
}

#[test]
fn links_are_found_in_every_form() {
    let text = "[a](b.md#c) ![p](docs/p.png) <img src=\"q.png\" width=\"9\"> [w](https://x.y/z) [s](#below) `[n](o)`\n\
        ```\nx[1](2)\n```\n[t](u.md \"title\")";
    assert_eq!(file_targets(text), ["b.md", "docs/p.png", "u.md", "q.png"]);
}

/// The text of every Rust file of the workspace's crates.
fn sources(folder: &Path, texts: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder entry").path();
        let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            sources(&path, texts);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            texts.push(read(&path));
        }
    }
}

/// Whether a text defines a test of this name.
fn has_test(text: &str, name: &str) -> bool {
    let function = format!("fn {name}(");
    text.match_indices(&function).any(|(at, _)| {
        // Attributes and their comments stand between `#[test]` and the function.
        let before = text[..at].trim_end();
        let head = before.rfind(['}', '{', ';']).map_or(before, |end| &before[end..]);
        head.contains("#[test]")
    })
}

#[test]
fn the_invariants_are_guarded_by_what_exists() {
    let text = read(&workspace().join("ARCHITECTURE.md"));
    let chapter =
        text.split("\n## ").find(|chapter| chapter.starts_with("Invariants")).expect("a chapter of invariants");
    let rows = chapter.lines().filter(|line| line.starts_with('|')).skip(2);
    let mut files = Vec::new();
    sources(&workspace(), &mut files);
    let mut wrong = Vec::new();
    let mut counts = [0; 2];
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let [invariant, guard] = cells[..] else { panic!("a row of two cells: {row}") };
        let paths = [quoted(invariant), quoted(guard)].concat().into_iter().filter(|name| name.contains('/'));
        for path in paths {
            counts[0] += 1;
            if !workspace().join(path).exists() {
                wrong.push(format!("there is no `{path}`"));
            }
        }
        let guards = quoted(guard);
        assert!(!guards.is_empty(), "nothing guards: {invariant}");
        for name in guards.into_iter().filter(|name| !name.contains('/')) {
            counts[1] += 1;
            let is_there = if name.contains('.') {
                // A file's name alone: it lies in a folder that the row names, or beside a file that it names.
                quoted(guard).iter().filter(|path| path.contains('/')).any(|path| {
                    let path = workspace().join(path);
                    path.join(name).exists() || path.with_file_name(name).exists()
                })
            } else {
                files.iter().any(|text| has_test(text, name))
            };
            if !is_there {
                wrong.push(format!("there is no test or file `{name}`"));
            }
        }
    }
    assert!(counts[0] > 10 && counts[1] > 5, "the table was read: {counts:?}");
    assert!(wrong.is_empty(), "the table of invariants: {wrong:#?}");
}

#[test]
fn the_rules_are_held_by_tests_that_exist() {
    let mut files = Vec::new();
    sources(&workspace(), &mut files);
    for (document, least) in
        [("docs/primitives.md", 20), ("docs/fragments.md", 20), ("docs/vertices.md", 12), ("docs/language.md", 50)]
    {
        let text = read(&workspace().join(document));
        let last_cell = |row: &str| row.trim_matches('|').rsplit('|').next().map(|cell| cell.trim().to_owned());
        let mut names = 0;
        // A table whose last column is called "tests", or the like.
        for table in text.split("\n\n") {
            let mut rows = table.lines().filter(|line| line.starts_with('|'));
            if !rows.next().and_then(last_cell).is_some_and(|title| title.starts_with("test")) {
                continue;
            }
            for row in rows.skip(1) {
                let tests = last_cell(row).expect("a row has cells");
                let tests = quoted(&tests);
                assert!(!tests.is_empty(), "{document}: no test holds: {row}");
                for name in tests {
                    let is_there = files.iter().any(|text| has_test(text, name)) || is_program(name);
                    assert!(is_there, "{document}: there is no test and no program `{name}`");
                    names += 1;
                }
            }
        }
        assert!(names > least, "the tables of {document} were read: {names}");
    }
}

/// Whether the compiler's tests run a program of this name.
fn is_program(name: &str) -> bool {
    workspace().join(format!("shaders/tests/programs/wgsl/{name}.wgsl")).exists()
}

/// What stands in backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}
