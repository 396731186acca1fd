//! `--trace` and `warpaint profile` as a user meets them: files that other programs can read, and what is refused.

mod folder;

use folder::{Folder, refused, text};
use serde_json::Value;

/// Two dependent sums in a loop of ten rounds, in one lane.
const LOOP: &str = "li a0, 10\n1: addi a1, a1, 3\n   mul a2, a1, a1\n   addi a0, a0, -1\n   bnez a0, 1b\n   tmc x0\n";

fn json(bytes: impl AsRef<[u8]>) -> Value {
    serde_json::from_slice(bytes.as_ref()).expect("it is JSON")
}

/// The events of a trace file that are instructions.
fn issues(folder: &Folder, name: &str) -> Vec<Value> {
    let trace = json(std::fs::read(folder.path(name)).expect("the trace was written"));
    let events = trace["traceEvents"].as_array().expect("a list").clone();
    events.into_iter().filter(|event| event["cat"] == "issue").collect()
}

#[test]
fn a_run_is_traced_and_stays_the_same_run() {
    let folder = Folder::new();
    folder.write("loop.s", LOOP);
    let plain = folder.warpaint(&["run", "loop.s", "--timed", "--json"]);
    let traced = folder.warpaint(&["run", "loop.s", "--json", "--trace", "t.json"]);
    assert_eq!(traced.status.code(), Some(0), "{}", text(&traced.stderr));
    assert!(text(&traced.stderr).contains("t.json: a trace of cycles 0.."), "{}", text(&traced.stderr));
    assert_eq!(json(&plain.stdout)["timed"], json(&traced.stdout)["timed"]);
    // Forty in the loop, and the first and the last.
    assert_eq!(issues(&folder, "t.json").len(), 42);
    assert_eq!(folder.files(), ["loop.s", "t.json"]);

    let part = folder.warpaint(&["run", "loop.s", "--trace", "p.json", "--trace-window", "150..200"]);
    assert_eq!(part.status.code(), Some(0), "{}", text(&part.stderr));
    let part = issues(&folder, "p.json");
    assert!(!part.is_empty() && part.len() < 42);
    assert!(part.iter().all(|event| (150..200).contains(&event["ts"].as_u64().expect("a cycle"))));
}

#[test]
fn a_traced_picture_is_the_same_picture() {
    let folder = Folder::new();
    let small = ["render", "--scene", "knot", "--size", "24x16", "--filter", "point"];
    let with = |more: &[&'static str]| folder.warpaint(&[&small[..], more].concat());
    let plain = with(&["--out", "plain.png"]);
    assert_eq!(plain.status.code(), Some(0), "{}", text(&plain.stderr));
    let traced = with(&["--out", "traced.png", "--trace", "t.json"]);
    assert_eq!(traced.status.code(), Some(0), "{}", text(&traced.stderr));
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("written");
    assert_eq!(bytes("plain.png"), bytes("traced.png"));
    assert!(
        issues(&folder, "t.json")
            .iter()
            .any(|event| { event["args"]["source"].as_str().is_some_and(|source| source.contains(".wgsl:")) })
    );
}

/// The sea's vertex shader is the first that runs, and all of it in the trace's window.
#[test]
fn vertex_kernels_are_in_traces_and_profiles_under_both_mechanisms() {
    let folder = Folder::new();
    let small = ["--scene", "waves", "--size", "24x16"];
    let render = |more: &[&'static str]| {
        let output = folder.warpaint(&[&["render"], &small[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output
    };
    let told = render(&["--out", "plain.png"]);
    assert!(text(&told.stdout).contains("vertices made by shaders: "), "{}", text(&told.stdout));
    let plain = std::fs::read(folder.path("plain.png")).expect("written");
    for mechanism in ["ipdom", "mask"] {
        let traced =
            ["--divergence", mechanism, "--out", "a.png", "--json", "--trace", "t.json", "--trace-window", "0..4000"];
        let rendered = json(&render(&traced).stdout);
        assert!(std::fs::read(folder.path("a.png")).expect("written") == plain, "{mechanism}");
        let issues = issues(&folder, "t.json");
        let of = |file: &str| {
            let is_of = |event: &&Value| event["args"]["source"].as_str().is_some_and(|place| place.starts_with(file));
            issues.iter().filter(is_of).count()
        };
        for file in ["vertex.wgsl:", "attributes.wgsl:", "waves.wgsl:"] {
            assert!(of(file) > 10, "{file} under {mechanism}");
        }
        assert_eq!(of("tile.wgsl:"), 0, "tiles come later");
        let profile = folder.warpaint(&[&["profile", "--json", "--divergence", mechanism], &small[..]].concat());
        assert_eq!(profile.status.code(), Some(0), "{}", text(&profile.stderr));
        let (profile, frame) = (json(&profile.stdout), &rendered["frame"]);
        assert_eq!(profile["launches"], frame["launches"]);
        assert_eq!(profile["cycles"], rendered["timed"]["cycles"]);
        assert_eq!(profile["total"]["issued"], frame["warp_instructions"]);
        let rows = profile["rows"].as_array().expect("rows");
        let issued = |file: &str| -> u64 {
            rows.iter().filter(|row| row["file"] == file).map(|row| row["issued"].as_u64().expect("a count")).sum()
        };
        // These two files are part of every vertex kernel, and of no other.
        let count = |value: &Value| value.as_u64().expect("a count");
        let (made, fetched) =
            (count(&frame["vertex_warp_instructions"]), issued("vertex.wgsl") + issued("attributes.wgsl"));
        assert!(fetched > 0 && fetched < made, "{fetched} of {made} under {mechanism}");
        // 81 x 81 points of the sea; 40 buoys, each with the corners of one mesh.
        let buoys = count(&frame["vertices"]) - 81 * 81;
        assert!(buoys > 0 && buoys.is_multiple_of(40), "{buoys}");
        let cycles = count(&frame["vertex_cycles"]);
        assert!(cycles > 0 && cycles < count(&rendered["timed"]["cycles"]), "{cycles}");
    }
}

#[test]
fn traces_that_cannot_be_made_are_refused() {
    let folder = Folder::new();
    folder.write("loop.s", LOOP);
    let trace = ["run", "loop.s", "--trace"];
    let with = |more: &[&'static str]| [&trace[..], more].concat();
    refused(&folder, &with(&["absent/t.json"]), &["absent/t.json", "No such file"]);
    refused(&folder, &with(&["."]), &["no file name"]);
    refused(&folder, &with(&["t.json", "--trace-window", "9..3"]), &["9..3", "empty"]);
    refused(&folder, &with(&["t.json", "--trace-window", "soon"]), &["START..END"]);
    refused(&folder, &with(&["t.json", "--trace-window", "500000.."]), &["500000..", "cycles"]);
    refused(&folder, &with(&["t.json", "--trace-limit", "many"]), &["many", "256M"]);
    refused(&folder, &with(&["t.json", "--trace-limit", "1"]), &["out of range"]);
    refused(&folder, &with(&["t.json", "--trace-limit", "8K"]), &["8K", "--trace-window 0..", "--trace-limit"]);
    refused(&folder, &["run", "loop.s", "--trace-window", "1..2"], &["--trace <FILE.json>"]);
    let reference = ["render", "--backend", "reference", "--out", "a.png", "--size", "8x8", "--trace", "t.json"];
    refused(&folder, &reference, &["no machine", "--trace"]);
    let full = ["render", "--out", "a.png", "--size", "8x8", "--trace", "t.json", "--trace-limit", "32K"];
    refused(&folder, &full, &["32K", "--trace-window"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::new();
    folder.write("loop.s", LOOP);
    refused(&folder, &["run", "loop.s", "--trace", "/dev/full"], &["/dev/full", "No space left"]);
}

#[test]
fn a_trap_ends_trace_and_profile_and_both_are_whole() {
    let folder = Folder::new();
    folder.write("trap.s", "li a0, 2\nli a1, 3\nlw a2, 0(x0)\ntmc x0\n");
    for arguments in [&["run", "trap.s", "--trace", "t.json"][..], &["profile", "trap.s", "--trace", "t.json"][..]] {
        let output = folder.warpaint(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("outside every region") && message.contains("trap.s:3"), "{message}");
        let trace = json(std::fs::read(folder.path("t.json")).expect("it was written"));
        assert!(trace["traceEvents"].as_array().expect("a list").iter().any(|event| event["name"] == "trap"));
        std::fs::remove_file(folder.path("t.json")).expect("it is there");
    }
    let profile = folder.warpaint(&["profile", "trap.s", "--json"]);
    let profile = json(&profile.stdout);
    assert_eq!(profile["total"]["issued"], 2);
    assert!(profile["trap"].as_str().expect("a text").contains("outside every region"));
}

#[test]
fn a_profile_adds_up_and_names_what_costs_most() {
    let folder = Folder::new();
    folder.write("loop.s", LOOP);
    let output = folder.warpaint(&["profile", "loop.s", "--json", "--html", "p.html"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let profile = json(&output.stdout);
    assert_eq!(profile["report"], "profile");
    assert_eq!(profile["total"]["issued"], 42);
    let slots = profile["cores"].as_u64().expect("a count") * profile["issue_slots"].as_u64().expect("a count");
    assert_eq!(profile["total"]["slot_cycles"].as_u64(), profile["cycles"].as_u64().map(|cycles| cycles * slots));
    let rows = profile["rows"].as_array().expect("rows");
    let sum: u64 = rows.iter().map(|row| row["slot_cycles"].as_u64().expect("a count")).sum();
    assert_eq!(profile["total"]["slot_cycles"], sum);
    let page = std::fs::read_to_string(folder.path("p.html")).expect("the page was written");
    assert!(page.contains("mul a2, a1, a1") && page.ends_with("</html>\n"));

    let table = folder.warpaint(&["profile", "loop.s", "--by", "instruction", "--order", "source"]);
    let table = text(&table.stdout);
    let at = |part: &str| table.find(part).unwrap_or_else(|| panic!("{part} is in {table}"));
    assert!(at("loop.s:1  addi a0, zero, 10") < at("loop.s:3  mul a2, a1, a1"));
    assert!(at("loop.s:3  mul a2, a1, a1") < at("loop.s:6  tmc zero"));
}

#[test]
fn scenes_and_workloads_have_profiles_too() {
    let folder = Folder::new();
    let checked = |arguments: &[&str], parts: &[&str]| {
        let output = folder.warpaint(arguments);
        let table = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(parts.iter().all(|part| table.contains(part)), "{table}");
    };
    checked(&["profile", "--scene", "knot", "--size", "24x16"], &["scene knot, 24 x 16", "tile.wgsl:"]);
    checked(&["profile", "--workload", "saxpy", "--workload-size", "100"], &["saxpy", ".wgsl:", "(all)"]);
    let sampler = ["profile", "--workload", "sampler-bilinear-tex", "--size", "16x8", "--machine", "2c4w4t"];
    checked(&sampler, &["sampler bilinear tex, 16 x 8 on 2c4w4t", "2 cores"]);
}

#[test]
fn profiles_of_nothing_and_of_too_much_are_refused() {
    let folder = Folder::new();
    folder.write("loop.s", LOOP);
    refused(&folder, &["profile"], &["--scene", "--workload"]);
    refused(&folder, &["profile", "absent.s"], &["absent.s"]);
    refused(&folder, &["profile", "loop.s", "--scene", "knot"], &["one run"]);
    refused(&folder, &["profile", "loop.s", "--workload", "sgemm"], &["--workload"]);
    refused(&folder, &["profile", "--workload", "nothing"], &["nothing", "sgemm", "sampler-trilinear-generic"]);
    refused(&folder, &["profile", "--workload", "sgemm", "--workload-size", "0"], &["1 to 2048"]);
    refused(&folder, &["profile", "loop.s", "--html", "absent/p.html"], &["absent/p.html"]);
    refused(&folder, &["profile", "loop.s", "--html", "p.html", "--trace", "absent/t.json"], &["absent/t.json"]);
    refused(&folder, &["profile", "loop.s", "--workload-size", "5"], &["--workload"]);
}
