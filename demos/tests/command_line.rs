//! The program as a user meets it: exit status, what it says, and what it leaves behind when the input is bad.

mod folder;

use folder::{Folder, refused, text};

/// A program of the SIMT machine that prints `hi` and ends with a status.
fn program(status: u32) -> String {
    format!(
        "li a1, 0x40\nli a0, 'h'\nsb a0, 0(a1)\nli a0, 'i'\nsb a0, 0(a1)\nli a0, 10\nsb a0, 0(a1)\n\
         li a0, {status}\nli a1, 0x88\nsw a0, 0(a1)\nfence\ntmc x0\n"
    )
}

#[test]
fn a_programs_console_and_exit_status_are_the_programs() {
    let folder = Folder::new();
    for status in [0, 3, 255] {
        folder.write("hello.s", program(status));
        let output = folder.warpaint(&["run", "hello.s", "--machine", "1c1w1t"]);
        assert_eq!(output.status.code(), Some(status as i32), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "hi\n");
    }
    folder.write("large.s", program(256));
    assert_eq!(folder.warpaint(&["run", "large.s"]).status.code(), Some(255), "a failure is never 0");
}

#[test]
fn the_riscv_tests_convention_gives_the_exit_status_too() {
    let folder = Folder::new();
    folder.write("pass.s", "li gp, 1\nli a7, 93\nli a0, 0\necall\n");
    assert_eq!(folder.warpaint(&["run", "pass.s"]).status.code(), Some(0));
    folder.write("fail.s", "li gp, 11\nli a7, 93\nli a0, 11\necall\n");
    assert_eq!(folder.warpaint(&["run", "fail.s"]).status.code(), Some(11));
}

#[test]
fn run_reports_as_json() {
    let folder = Folder::new();
    folder.write("hello.s", program(7));
    let output = folder.warpaint(&["run", "hello.s", "--machine", "1c1w4t", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&report["report"], &report["exit_status"]), (&"run".into(), &7.into()));
    assert_eq!(report["console"], "hi\n");
    // The lane-instructions of one lane on one warp are the warp's instructions.
    assert_eq!(report["warp_instructions"], report["lane_instructions"]);
}

#[test]
fn a_trap_names_core_warp_lanes_and_instruction() {
    let folder = Folder::new();
    folder.write("wild.s", "li a0, 0x200000\nlw a1, 0(a0)\ntmc x0\n");
    refused(&folder, &["run", "wild.s"], &["wild.s", "core 0", "warp 0", "lw", "0x00200000"]);
}

#[test]
fn a_program_that_makes_no_progress_ends_by_itself() {
    let folder = Folder::new();
    folder.write("forever.s", "loop: j loop\n");
    refused(&folder, &["run", "forever.s"], &["progress"]);
}

#[test]
fn bad_programs_are_refused_by_name() {
    let folder = Folder::new();
    refused(&folder, &["run", "missing.elf"], &["missing.elf"]);
    folder.write("damaged.elf", b"\x7fELF\x01\x01\x01");
    refused(&folder, &["run", "damaged.elf"], &["damaged.elf"]);
    folder.write("wrong.s", "addi a0, a1\n");
    refused(&folder, &["run", "wrong.s"], &["wrong.s", "1"]);
    folder.write("empty.bin", "");
    refused(&folder, &["run", "empty.bin"], &["empty.bin"]);
    folder.write("nothing.s", "# no instruction\n");
    refused(&folder, &["run", "nothing.s"], &["nothing.s", "no instructions"]);
    folder.write("fine.s", program(0));
    refused(&folder, &["run", "fine.s", "--machine", "33c1w1t"], &["32"]);
    refused(&folder, &["run", "fine.s", "--machine", "nonsense"], &["nonsense"]);
}

#[test]
fn disasm_shows_programs_and_shaders_with_their_lines() {
    let folder = Folder::new();
    folder.write("add.s", "start: addi a0, a1, 5\ntmc x0\n");
    let listing = text(&folder.warpaint(&["disasm", "add.s"]).stdout);
    assert!(listing.contains("00558513  addi a0, a1, 5"), "{listing}");
    let source = "@group(0) @binding(0) var<storage, read_write> data: array<u32>;\n\
                  @compute @workgroup_size(16) fn double(@builtin(global_invocation_id) id: vec3<u32>) {\n\
                  \x20   data[id.x] = data[id.x] * 2u;\n}\n";
    folder.write("double.wgsl", source);
    let output = folder.warpaint(&["disasm", "double.wgsl"]);
    let listing = text(&output.stdout);
    assert!(listing.contains("double.wgsl:3  data[id.x] = data[id.x] * 2u;"), "{listing}{}", text(&output.stderr));
    folder.write("wrong.wgsl", "@compute @workgroup_size(1) fn main() {\n  let x = 1 + true;\n}\n");
    refused(&folder, &["disasm", "wrong.wgsl"], &["wrong.wgsl:2", "1 + true"]);
    refused(&folder, &["disasm", "double.wgsl", "--entry", "triple"], &["triple", "double"]);
}

#[test]
fn a_picture_is_written_whole_and_has_the_asked_size() {
    let folder = Folder::new();
    // One pixel, and a size that is no multiple of a tile.
    for (width, height) in [(1, 1), (17, 3)] {
        let size = format!("{width}x{height}");
        let output = folder.warpaint(&["render", "--scene", "ground", "--size", &size, "--out", "out.png", "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let picture = image::open(folder.path("out.png")).expect("it is a PNG");
        assert_eq!((picture.width(), picture.height()), (width, height));
        assert_eq!(folder.files(), ["out.png"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(report["width"], width);
    }
}

#[test]
fn a_heat_map_is_a_picture_with_a_legend_and_figures() {
    let folder = Folder::new();
    let render = |kind: &str, size: &str| {
        let options = ["render", "--scene", "knot", "--size", size, "--heatmap", kind, "--out", "heat.png", "--json"];
        let output = folder.warpaint(&options);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let picture = image::open(folder.path("heat.png")).expect("it is a PNG");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
        assert_eq!(report["heatmap"]["kind"], kind);
        ((picture.width(), picture.height()), report)
    };
    // Where there is no room for a legend there is none.
    let (size, report) = render("overdraw", "60x40");
    assert_eq!(size, (60, 40));
    assert!(report["heatmap"]["totals"]["shaded"]["fragments"].as_u64().is_some_and(|fragments| fragments > 100));
    let (size, report) = render("cycles", "130x40");
    assert_eq!(size, (130, 76));
    assert!(report["heatmap"]["totals"]["slot_cycles"]["on_tiles"].as_u64().is_some_and(|cycles| cycles > 1000));
    assert!(report["timed"].is_object(), "a map of cycles is timed without being asked");
    refused(&folder, &["render", "--heatmap", "mip", "--backend", "reference", "--out", "a.png"], &["--heatmap"]);
    refused(&folder, &["render", "--heatmap", "rain", "--out", "a.png"], &["rain", "overdraw", "cycles"]);
    refused(&folder, &["render", "--heatmap", "mip", "--trace", "t.json", "--out", "a.png"], &["--trace"]);
}

#[test]
fn bad_pictures_are_refused_and_leave_no_file() {
    let folder = Folder::new();
    let render = |options: &[&str], parts: &[&str]| {
        let arguments: Vec<&str> = ["render", "--out", "out.png"].iter().chain(options).copied().collect();
        refused(&folder, &arguments, parts);
    };
    render(&["--size", "0x480"], &["width is zero"]);
    render(&["--size", "640x99999"], &["8192"]);
    render(&["--scene", "nowhere"], &["nowhere", "knot", "ground"]);
    render(&["--machine", "1c4w5t"], &["5", "lanes"]);
    render(&["--machine", "1c4w64t"], &["32"]);
    render(&["--model", "missing.obj"], &["missing.obj"]);
    folder.write("empty.obj", "# nothing\n");
    render(&["--model", "empty.obj"], &["empty.obj"]);
    folder.write("broken.glb", b"glTF\x02\0\0\0");
    render(&["--model", "broken.glb"], &["broken.glb"]);
    folder.write("broken.png", b"\x89PNG\r\n\x1a\n1234");
    render(&["--texture", "broken.png"], &["broken.png"]);
    folder.write("kind.xyz", "");
    render(&["--model", "kind.xyz"], &["kind.xyz"]);
    render(&["--time", "nan"], &["finite", "seconds"]);
    render(&["--time=-inf"], &["finite", "seconds"]);
    refused(&folder, &["render", "--out", "out.jpg"], &["out.jpg", "out.png"]);
    refused(&folder, &["render", "--out", "out"], &["`out`", "out.png"]);
    refused(&folder, &["render", "--size", "8x8", "--out", "no/such/folder/out.png"], &["no/such/folder"]);
}

#[test]
fn a_model_and_a_picture_from_files_are_drawn() {
    let folder = Folder::new();
    folder.write("triangle.obj", "v -1 -1 0\nv 1 -1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0.5 1\nf 1/1 2/2 3/3\n");
    let red = image::RgbaImage::from_pixel(4, 4, image::Rgba([255, 0, 0, 255]));
    red.save(folder.path("red.png")).expect("the folder is writable");
    let arguments =
        ["render", "--model", "triangle.obj", "--texture", "red.png", "--size", "64x64", "--out", "out.png"];
    let output = folder.warpaint(&arguments);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let picture = image::open(folder.path("out.png")).expect("it is a PNG").into_rgba8();
    let reds = picture.pixels().filter(|pixel| pixel[0] > 40 && pixel[1] == 0 && pixel[2] == 0).count();
    assert!(reds > 200, "the triangle is red: {reds} pixels");
    // The corners of the frame show the background.
    assert!(picture.get_pixel(0, 0)[2] > 0);
}

/// Why there is no window: nothing to show it on, or the program was built without.
const NO_WINDOW: &str = if cfg!(feature = "window") { "no display" } else { "without the feature `window`" };

#[test]
fn without_a_display_the_window_becomes_a_file() {
    let folder = Folder::new();
    let output = folder.warpaint(&["--scene", "ground", "--size", "32x24"]);
    let message = text(&output.stderr);
    assert!(output.status.success(), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("warpaint.png") && message.contains(NO_WINDOW), "{message}");
    for builders in [".cargo", ".rs:"] {
        assert!(!message.contains(builders), "the user has no use for `{builders}`: {message}");
    }
    assert_eq!(folder.files(), ["warpaint.png"]);
}

#[test]
fn a_model_may_stand_alone_after_view() {
    let folder = Folder::new();
    folder.write("one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let options = ["--size", "32x24"];
    for model in [&["view", "one.obj"][..], &["view", "--model", "one.obj"]] {
        let output = folder.warpaint(&[model, &options].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("scene one"), "{}", text(&output.stdout));
    }
    refused(&folder, &["view", "none.obj", "--size", "32x24"], &["none.obj"]);
    refused(&folder, &["view", "one.obj", "--scene", "knot"], &["FILE", "--scene"]);
}

#[test]
fn scenes_are_listed_with_the_default_first() {
    let folder = Folder::new();
    let list = text(&folder.warpaint(&["scenes"]).stdout);
    assert!(list.starts_with("knot"), "{list}");
    let report: serde_json::Value =
        serde_json::from_slice(&folder.warpaint(&["scenes", "--json"]).stdout).expect("it is JSON");
    assert_eq!(report["scenes"].as_array().map(Vec::len), Some(demos::scenes::SCENES.len()));
}

#[test]
fn help_teaches_every_subcommand() {
    let folder = Folder::new();
    let help = text(&folder.warpaint(&["--help"]).stdout);
    for word in ["view", "render", "scenes", "run", "disasm", "bench", "--machine", "Examples"] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

/// A display that is named and is not there.
#[test]
fn a_display_that_cannot_be_reached_becomes_a_file_too() {
    let folder = Folder::new();
    let mut command = folder.command(&["--scene", "ground", "--size", "32x24"]);
    let output = command.env("DISPLAY", ":98765").output().expect("the program starts");
    let message = text(&output.stderr);
    assert!(output.status.success(), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains(NO_WINDOW) && !message.contains(".rs:") && !message.contains("panicked"), "{message}");
    assert_eq!(folder.files(), ["warpaint.png"]);
}

#[test]
fn output_that_cannot_be_written_is_an_error_and_no_panic() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else {
        println!("skipped: this system has no /dev/full");
        return;
    };
    let folder = Folder::new();
    folder.write("hello.s", program(0));
    let mut commands =
        vec![vec!["scenes"], vec!["scenes", "--json"], vec!["run", "hello.s"], vec!["disasm", "hello.s"]];
    commands.push(vec!["render", "--size", "1x1", "--out", "out.png"]);
    for arguments in commands {
        let stdout = full.try_clone().expect("a file can be opened twice");
        let output = folder.command(&arguments).stdout(stdout).output().expect("the program starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {message}");
        assert!(message.contains("standard output") && !message.contains("panicked"), "{arguments:?}: {message}");
    }
    // With nowhere to say it either, the exit status still does.
    let stderr = full.try_clone().expect("a file can be opened twice");
    let status = folder.command(&["run", "missing.s"]).stderr(stderr).status().expect("the program starts");
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let folder = Folder::new();
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let output = folder.command(&["scenes"]).stdout(writer).output().expect("the program starts");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
}

#[test]
fn benchmarks_report_figures() {
    let folder = Folder::new();
    let bench = |arguments: &[&str]| -> serde_json::Value {
        let output = folder.warpaint(&[&["bench"], arguments, &["--seconds", "0.01", "--json"]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("it is JSON")
    };
    let positive = |figure: &serde_json::Value, name: &str| {
        assert!(figure[name].as_f64().is_some_and(|value| value > 0.0), "{name}: {figure}");
    };
    let report = bench(&["machine", "--machine", "1c1w4t"]);
    let figures = report["figures"].as_array().expect("a list");
    // On one host thread, and on all where there are more.
    assert!(matches!(figures.len(), 3 | 6), "{report}");
    for kernels in figures.chunks(3) {
        assert_eq!(kernels.iter().map(|f| &f["kernel"]).collect::<Vec<_>>(), ["arithmetic", "memory", "divergent"]);
    }
    for figure in figures {
        for name in ["warp_instructions", "lane_instructions", "seconds", "lane_instructions_per_second"] {
            positive(figure, name);
        }
    }
    let report = bench(&["frame", "--size", "8x8", "--scene", "ground"]);
    let figures = report["figures"].as_array().expect("a list");
    assert_eq!(figures.iter().map(|f| &f["filter"]).collect::<Vec<_>>(), ["point", "bilinear", "trilinear"]);
    for figure in figures {
        assert_eq!(figure["scene"], "ground");
        for name in ["triangles", "frames", "seconds", "frames_per_second"] {
            positive(figure, name);
        }
        // Without the fast engine nobody knows of `tex`.
        let parts = ["vertices", "geometry", "binning", "kernels", "tex", "rest"];
        let parts = parts.map(|part| figure["host_time"][part].as_f64());
        let sum: f64 = parts.iter().flatten().sum();
        assert!(parts.iter().flatten().all(|part| *part >= 0.0) && (sum - 1.0).abs() < 1e-6, "{figure}");
        assert_eq!(parts[4].is_some(), cfg!(feature = "fast"));
        assert!(parts[3].is_some_and(|kernels| kernels > 0.0), "{figure}");
    }
    let report = bench(&["frame", "--vertices"]);
    let figures = report["figures"].as_array().expect("a list");
    assert_eq!(figures.iter().map(|f| &f["shader"]).collect::<Vec<_>>(), ["turned", "lifted"]);
    for figure in figures {
        assert_eq!(figure["vertices"], 150 * 150);
        positive(figure, "times_the_closure");
        // Closures' vertices are made among the geometry; how long either takes is nobody's promise.
        let part = |way: &str| figure[way]["host_time"]["vertices"].as_f64().expect("a part");
        assert!(part("by_shader") > 0.0 && part("by_closure") >= 0.0, "{figure}");
    }
    refused(&folder, &["bench", "frame", "--vertices", "--fill"], &["--vertices", "--fill"]);
    refused(&folder, &["bench", "frame", "--scene", "nowhere"], &["nowhere", "knot"]);
    refused(&folder, &["bench", "machine", "--scene", "ground"], &["--scene"]);
    refused(&folder, &["bench", "frame", "--seconds", "nan"], &["--seconds", "600"]);
}

#[test]
fn the_sampler_experiment_reports_and_plots() {
    let folder = Folder::new();
    let output = folder.warpaint(&["bench", "sampler", "--size", "24x16", "--json"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&report["report"], &report["pictures_equal_the_model"]), (&"bench sampler".into(), &true.into()));
    let rows = report["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 9);
    let of = |filter: &str, sampler: &str| {
        let row = rows.iter().find(|row| row["filter"] == filter && row["sampler"] == sampler).expect("all are there");
        row["instructions_per_pixel"].as_f64().expect("a number")
    };
    for filter in ["point", "bilinear", "trilinear"] {
        assert!(of(filter, "tex") < of(filter, "specialised") && of(filter, "specialised") < of(filter, "generic"));
    }
    assert_eq!(report["simx_small"].as_array().map(Vec::len), Some(6));
    refused(&folder, &["bench", "sampler", "--quick", "--plot", "a.gif"], &["a.gif", "a.png"]);
    refused(&folder, &["bench", "sampler", "--quick", "--plot", "none/a.png"], &["no folder `none`"]);
    refused(&folder, &["bench", "sampler", "--quick", "--cores", "1,33"], &["cores", "33", "32"]);
    refused(&folder, &["bench", "sampler", "--size", "512x8", "--source", "16x8"], &["shift", "textures"]);
}

#[test]
fn claims_are_reproduced_by_name() {
    let folder = Folder::new();
    let output = folder.warpaint(&["reproduce", "v17", "V8"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("25.6 G operations/s") && said.contains("2 claims: 2 agree"), "{said}");
    let output = folder.warpaint(&["reproduce", "V14", "--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert_eq!((&report["claims"][0]["id"], &report["claims"][0]["agreement"]), (&"V14".into(), &"agrees".into()));
    refused(&folder, &["reproduce", "V11"], &["V11", "V10", "V12"]);

    folder.write("page.md", "Ours.\n<!-- reproduction -->\n<!-- end -->\n");
    let output = folder.warpaint(&["reproduce", "V17", "--quick", "--html", "a.html", "--page", "page.md"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.read("page.md").contains("| V17 (exact) |"));
    assert!(folder.read("a.html").contains("<section id=\"V17\">"));
    folder.write("none.md", "Nothing.\n");
    refused(&folder, &["reproduce", "V17", "--page", "none.md"], &["none.md", "<!-- reproduction -->"]);
    refused(&folder, &["reproduce", "V17", "--html", "none/a.html"], &["no folder `none`"]);
}
