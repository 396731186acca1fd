//! `warpaint run SHADER` as a user meets it: what it prints and writes, in every language, and what it says of bad input.

mod folder;

use folder::{Folder, refused, text};

const DOUBLE: &str = "
@group(0) @binding(0) var<storage, read> numbers: array<f32>;
@group(0) @binding(1) var<storage, read_write> doubled: array<f32>;

override FACTOR: f32 = 2.0;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < arrayLength(&numbers) { doubled[id.x] = FACTOR * numbers[id.x]; }
}

@compute @workgroup_size(4)
fn count(@builtin(global_invocation_id) id: vec3<u32>) { doubled[id.x] = f32(id.x + id.y); }
";

const DOUBLE_GLSL: &str = "#version 450
#define FACTOR 2.0
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer Numbers { float numbers[]; };
layout(set = 0, binding = 1) buffer Doubled { float doubled[]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < uint(numbers.length())) doubled[i] = FACTOR * numbers[i];
}
";

const NUMBERS: [&str; 4] = ["--buffer", "0:0=f32:1,2.5,-3", "--buffer", "0:1=zero:12"];

fn run<'a>(file: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", file], more].concat()
}

#[test]
fn a_shader_is_run_with_its_buffers_in_wgsl_and_in_glsl() {
    let folder = Folder::new();
    folder.write("double.wgsl", DOUBLE);
    folder.write("double.comp", DOUBLE_GLSL);
    folder.write("odd.txt", DOUBLE_GLSL);
    let words = "     0  2.0 5.0 -6.0\n";
    let runs: [(&str, &[&str], &str); 4] = [
        ("double.wgsl", &["--entry", "main"], "doubled"),
        ("double.wgsl", &["--entry", "main", "--timed", "--machine", "1c2w8t"], "doubled"),
        ("double.comp", &[], "Doubled"),
        ("odd.txt", &["--language", "comp"], "Doubled"),
    ];
    for (file, more, name) in runs {
        let output = folder.warpaint(&[&run(file, &NUMBERS), more].concat());
        assert_eq!(text(&output.stdout), format!("0:1 `{name}`, 3 words as f32\n{words}"), "{}", text(&output.stderr));
        assert!(output.status.success());
    }
}

#[test]
fn results_go_where_they_are_asked_for() {
    let folder = Folder::new();
    folder.write("double.wgsl", DOUBLE);
    folder
        .write("in.bin", [0x3f80_0000u32, 0x4000_0000].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
    let options = ["--entry", "main", "--override", "FACTOR=-1", "--buffer", "0:0=@in.bin", "--buffer", "0:1=zero:8"];
    let asked = ["--print", "0:1=hex:1", "--print", "0:0=u32", "--output", "0:1=@out.bin"];
    let output = folder.warpaint(&[&run("double.wgsl", &options)[..], &asked].concat());
    let expected = "0:1 `doubled`, the first 1 of 2 words as hex\n     0  bf800000\n\
                    0:0 `numbers`, 2 words as u32\n     0  1065353216 1073741824\n";
    assert_eq!(text(&output.stdout), expected, "{}", text(&output.stderr));
    let written = std::fs::read(folder.path("out.bin")).expect("it was written");
    assert_eq!(written, [-1.0f32, -2.0].iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>());

    let grid = ["--entry", "count", "--buffer", "0:1=zero:32", "--groups", "2", "--json", "--timed"];
    let output = folder.warpaint(&run("double.wgsl", &grid));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&report["report"], &report["entry"]), (&"run shader".into(), &"count".into()));
    let buffer = &report["buffers"][0];
    assert_eq!(buffer["values"], serde_json::json!([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
    assert!(report["timed"].is_object() && report["trap"].is_null());
}

#[test]
fn shaders_can_be_traced_profiled_and_listed() {
    let folder = Folder::new();
    folder.write("double.comp", DOUBLE_GLSL);
    let output = folder.warpaint(&run("double.comp", &[&NUMBERS[..], &["--trace", "trace.json"]].concat()));
    assert!(output.status.success() && folder.path("trace.json").exists(), "{}", text(&output.stderr));
    let output = folder.warpaint(&[&["profile", "double.comp"], &NUMBERS[..]].concat());
    assert!(text(&output.stdout).contains("double.comp:8"), "{}", text(&output.stdout));
    let output = folder.warpaint(&["disasm", "double.comp"]);
    assert!(text(&output.stdout).contains("fmul.s"), "{}", text(&output.stderr));
}

#[test]
fn bindings_that_do_not_match_are_named() {
    let folder = Folder::new();
    folder.write("double.wgsl", DOUBLE);
    let main = ["run", "double.wgsl", "--entry", "main"];
    let cases: [(&[&str], &[&str]); 9] = [
        (&[], &["`numbers`", "@group(0) @binding(0)", "--buffer 0:0=zero:4"]),
        (&["--buffer", "0:0=zero:4"], &["`doubled`", "--buffer 0:1="]),
        (&["--buffer", "0:0=zero:4", "--buffer", "0:1=zero:4", "--buffer", "0:2=zero:4"], &["0:2", "0:0 (`numbers`)"]),
        (&["--buffer", "0:0=zero:4", "--buffer", "0:1=zero:4", "--buffer", "0:1=zero:8"], &["0:1", "twice"]),
        (&["--buffer", "0:0=@missing.bin", "--buffer", "0:1=zero:4"], &["missing.bin"]),
        (&["--buffer", "0:0=@double.wgsl", "--buffer", "0:1=zero:4"], &["double.wgsl", "words of 4 bytes"]),
        (&["--buffer", "0:0=f33:1"], &["f33"]),
        (&["--buffer", "0:0=zero:4", "--buffer", "0:1=zero:4", "--print", "0:7=f32"], &["0:7"]),
        (&["--override", "FACTR=1", "--buffer", "0:0=zero:4", "--buffer", "0:1=zero:4"], &["FACTR", "`FACTOR`"]),
    ];
    // A file of five bytes more than whole words.
    folder.write("double.wgsl", format!("{DOUBLE}{}", " ".repeat(5 - DOUBLE.len() % 4)));
    for (more, expected) in cases {
        refused(&folder, &[&main, more].concat(), expected);
    }
    refused(&folder, &["run", "double.wgsl"], &["several entry points", "main, count"]);
    refused(&folder, &["run", "double.wgsl", "--entry", "mian"], &["`mian`", "main, count"]);
    folder.write(
        "sizes.wgsl",
        "@group(0) @binding(0) var<uniform> m: mat4x4<f32>;
        @group(0) @binding(1) var<storage, read_write> x: f32;
        @compute @workgroup_size(1) fn main() { x = m[0].x; }",
    );
    let short = ["run", "sizes.wgsl", "--buffer", "0:0=zero:60", "--buffer", "0:1=zero:4"];
    refused(&folder, &short, &["0:0", "60 bytes", "`m`", "64"]);
    folder.write("fragment.wgsl", "@fragment fn main() -> @location(0) vec4<f32> { return vec4<f32>(); }");
    refused(&folder, &["run", "fragment.wgsl"], &["`main`", "not a compute shader"]);
}

#[test]
fn bad_shaders_are_refused_with_their_source() {
    let folder = Folder::new();
    folder.write("wrong.wgsl", "@compute @workgroup_size(1)\nfn main() { let x = y; }\n");
    refused(&folder, &["run", "wrong.wgsl"], &["wrong.wgsl:2:21", "let x = y", "^"]);
    folder.write("wrong.comp", "#version 450\nvoid main() { int x = y; }\n");
    refused(&folder, &["run", "wrong.comp"], &["wrong.comp:2:", "int x = y"]);
    folder.write("macro.comp", "#version 450\n#define TWICE(x) x x\nvoid main() {}\n");
    refused(&folder, &["run", "macro.comp"], &["macro.comp:2:1", "`TWICE`"]);
    folder.write("wrong.spv", [3u8, 2, 35, 7, 0, 0, 1, 0]);
    refused(&folder, &["run", "wrong.spv"], &["SPIR-V"]);
    folder.write("bytes.wgsl", [0xffu8, 0xfe]);
    refused(&folder, &["run", "bytes.wgsl"], &["bytes.wgsl", "UTF-8"]);
    refused(&folder, &["run", "missing.wgsl"], &["missing.wgsl"]);
    folder.write(
        "barrier.wgsl",
        "@group(0) @binding(0) var<storage, read_write> x: array<u32>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
            if x[i] < 7u {
                workgroupBarrier();
            }
        }",
    );
    refused(&folder, &["run", "barrier.wgsl", "--buffer", "0:0=zero:256"], &["barrier.wgsl:4:", "workgroupBarrier();"]);
    folder.write("program.s", "tmc x0\n");
    refused(&folder, &["run", "program.s", "--buffer", "0:0=zero:4"], &["program.s", "--buffer"]);
}

#[test]
fn an_endless_shader_ends_and_says_where() {
    let folder = Folder::new();
    let endless = "@group(0) @binding(0) var<storage, read_write> x: u32;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
            var n = i;
            while n != 5000u || x == 0u {
                n = n * 3u;
            }
            x = n;
        }";
    folder.write("endless.wgsl", endless);
    let output = folder.warpaint(&["run", "endless.wgsl", "--buffer", "0:0=zero:4", "--budget", "20000"]);
    let said = text(&output.stderr);
    assert!(!output.status.success() && said.contains("budget of 20000") && said.contains("endless.wgsl:"), "{said}");
}
