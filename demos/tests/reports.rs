//! Machines from the command line, and the reports of what they did: set, repeat, compare, refuse.

mod folder;

use folder::{Folder, refused, text};
use serde_json::Value;

/// Every lane of two warps stores and loads; lane numbers decide a branch; two regions are marked.
const PROGRAM: &str = "
    csrwi region, 1
    li t0, 2
    la t1, work
    wspawn t0, t1
work:
    li t0, -1
    tmc t0
    csrr t0, mhartid
    slli t1, t0, 6
    li a0, 0x10000
    la a0, data
    add a0, a0, t1
    sw t0, 0(a0)
    lw t2, 0(a0)
    add t2, t2, t0
    csrwi region, 2
    sw t2, 4(a0)
    tmc x0
.data
data: .zero 4096
";

/// A program that has issued a few instructions when it touches nothing.
const TRAPPING: &str = "li a0, 1\naddi a0, a0, 1\nli a1, 0x200000\nlw a1, 0(a1)\ntmc x0\n";

#[track_caller]
fn report(folder: &Folder, arguments: &[&str]) -> Value {
    let output = folder.warpaint(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments:?}: {error}"))
}

/// Reports and the file with the same text.
#[track_caller]
fn saved(folder: &Folder, name: &str, arguments: &[&str]) -> Value {
    let report = report(folder, arguments);
    folder.write(name, report.to_string());
    report
}

#[test]
fn a_report_says_what_it_takes_to_get_it_again() {
    let folder = Folder::new();
    folder.write("work.s", PROGRAM);
    let first = saved(&folder, "first.json", &["run", "work.s", "--timed", "--set", "dcache.ports=2", "--json"]);
    assert_eq!((&first["schema_version"], &first["report"]), (&2.into(), &"run".into()));
    let command: Vec<&str> = first["command"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(command, ["warpaint", "run", "work.s", "--timed", "--set", "dcache.ports=2", "--json"]);
    assert!(first["program_version"].is_string());
    let configuration = &first["configuration"];
    assert_eq!(
        (&configuration["machine"], &configuration["fields"]["dcache.ports"]),
        (&"vortex-4w4t".into(), &2.into())
    );
    assert_eq!(configuration["fields"]["extensions"][0], "I");
    for hash in [&configuration["hash"], &first["program_hash"]] {
        assert!(hash.as_str().is_some_and(|hash| hash.len() == 16), "{hash}");
    }
    // The same machine again, from the report alone: the same hash, the same cycles.
    let again = report(&folder, &["run", "work.s", "--timed", "--config", "first.json", "--json"]);
    assert_eq!(again["configuration"]["fields"], configuration["fields"]);
    assert_eq!(again["configuration"]["hash"], configuration["hash"]);
    assert_eq!((&again["timed"], &again["program_hash"]), (&first["timed"], &first["program_hash"]));
    // Another machine or program has another hash.
    let other = report(&folder, &["run", "work.s", "--config", "first.json", "--set", "dram.latency=7", "--json"]);
    assert_ne!(other["configuration"]["hash"], configuration["hash"]);
    assert_eq!(other["configuration"]["fields"]["dcache.ports"], 2);
    folder.write("other.s", "tmc x0\n");
    assert_ne!(report(&folder, &["run", "other.s", "--json"])["program_hash"], first["program_hash"]);
}

#[test]
fn a_timed_run_counts_by_core_region_and_rate() {
    let folder = Folder::new();
    folder.write("work.s", PROGRAM);
    let arguments = ["run", "work.s", "--machine", "vortex-2c2w4t", "--timed", "--csv", "out.csv", "--json"];
    let timed = report(&folder, &arguments)["timed"].clone();
    let core = &timed["core"];
    // Four warps on two cores: each loads once and stores twice; warp 0 of each core starts one.
    assert_eq!(
        (&core["lsu"]["loads"], &core["lsu"]["stores"], &core["control"]["spawned"]),
        (&4.into(), &8.into(), &2.into())
    );
    assert_eq!(timed["cores"].as_array().map(Vec::len), Some(2));
    assert!(timed["rates"]["ipc"].as_f64().is_some_and(|ipc| ipc > 0.0 && ipc <= 2.0), "{}", timed["rates"]);
    let number = |value: &Value| value.as_u64().expect("a count");
    let regions = timed["regions"].as_array().expect("a list");
    assert_eq!(regions.iter().map(|region| number(&region["region"])).collect::<Vec<_>>(), [0, 1, 2]);
    let in_regions: u64 = regions.iter().map(|region| number(&region["core"]["issue"]["issued"])).sum();
    assert_eq!(in_regions, number(&core["issue"]["issued"]));
    let csv = std::fs::read_to_string(folder.path("out.csv")).expect("it was written");
    let line = format!("machine,core.issue.issued,instructions,{}", core["issue"]["issued"]);
    assert!(csv.starts_with("scope,counter,unit,value\n") && csv.lines().any(|found| found == line), "{line}\n{csv}");
    assert_eq!(folder.files(), ["out.csv", "work.s"]);
}

#[test]
fn a_trap_prints_the_counters_up_to_it() {
    let folder = Folder::new();
    folder.write("trap.s", TRAPPING);
    let output = folder.warpaint(&["run", "trap.s", "--timed", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("0x00200000"), "{}", text(&output.stderr));
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert!(report["trap"].as_str().is_some_and(|trap| trap.contains("0x00200000")), "{report}");
    // `li a0`, `addi`, and the one word that `li a1, 0x200000` is: the load itself has not been executed.
    assert_eq!(report["warp_instructions"], 3);
    assert!(report["timed"]["cycles"].as_u64().is_some_and(|cycles| cycles > 3), "{}", report["timed"]);
    let output = folder.warpaint(&["run", "trap.s", "--timed"]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(message.contains("trap.s: trapped, 3 warp instructions") && message.contains("slots: issued"), "{message}");
}

#[test]
fn two_reports_are_compared() {
    let folder = Folder::new();
    folder.write("work.s", PROGRAM);
    let a = saved(&folder, "a.json", &["run", "work.s", "--timed", "--json"]);
    let b = saved(&folder, "b.json", &["run", "work.s", "--timed", "--json", "--set", "dram.latency=200"]);
    let cycles = |report: &Value| report["timed"]["cycles"].as_u64().expect("a count");
    assert!(cycles(&b) > cycles(&a));
    let output = text(&folder.warpaint(&["diff", "a.json", "b.json"]).stdout);
    assert!(output.contains("dram.latency  100 -> 200") && output.contains("timed.cycles"), "{output}");
    let difference = report(&folder, &["diff", "a.json", "b.json", "--json"]);
    assert_eq!(difference["configuration"][0]["name"], "dram.latency");
    assert_eq!(difference["configuration"].as_array().map(Vec::len), Some(1));
    let moved = difference["moved"].as_array().expect("a list");
    let found = moved.iter().find(|moved| moved["name"] == "timed.cycles").expect("cycles moved");
    assert_eq!(found["change"].as_f64(), Some((cycles(&b) - cycles(&a)) as f64));
    let same = text(&folder.warpaint(&["diff", "a.json", "a.json"]).stdout);
    assert!(same.contains("machine: the same in both") && same.contains("no number moved"), "{same}");

    folder.write("scenes.json", report(&folder, &["scenes", "--json"]).to_string());
    refused(&folder, &["diff", "a.json", "scenes.json"], &["a.json", "scenes.json", "run", "scenes"]);
    refused(&folder, &["diff", "a.json", "missing.json"], &["missing.json"]);
    folder.write("list.json", "[1]");
    refused(&folder, &["diff", "a.json", "list.json"], &["list.json", "no report"]);
    folder.write("broken.json", "{\"report\": ");
    refused(&folder, &["diff", "a.json", "broken.json"], &["broken.json", "JSON"]);
    folder.write("old.json", "{\"report\": \"run\", \"schema_version\": 1}");
    refused(&folder, &["diff", "old.json", "a.json"], &["old.json", "version 1", "version 2"]);
}

#[test]
fn machines_come_by_name_from_files_and_field_by_field() {
    let folder = Folder::new();
    let list = text(&folder.warpaint(&["machines"]).stdout);
    for name in ["vortex-4w4t", "vortex-8c4w4t", "vortex-32c8w4t", "wide", "perfect", "through-dcache"] {
        assert!(list.contains(name), "{name}: {list}");
    }
    // A printed machine is a file for --machine.
    let printed = folder.warpaint(&["machines", "vortex-8c4w4t", "--memory", "perfect", "--set", "tcache.ways=4"]);
    folder.write("mine.toml", &printed.stdout);
    folder.write("work.s", PROGRAM);
    let fields = report(&folder, &["run", "work.s", "--machine", "mine.toml", "--json"])["configuration"].clone();
    assert_eq!((&fields["machine"], &fields["fields"]["cores"]), (&"mine.toml".into(), &8.into()));
    assert_eq!((&fields["fields"]["memory.model"], &fields["fields"]["tcache.ways"]), (&"perfect".into(), &4.into()));
    folder.write("small.toml", "base = \"vortex-2w8t\"\nlocal_bytes = 4096\n[dcache]\nbytes = 8192\n");
    let fields = report(&folder, &["machines", "small.toml", "--json"])["configuration"]["fields"].clone();
    assert_eq!(
        (&fields["lanes"], &fields["local_bytes"], &fields["dcache.bytes"]),
        (&8.into(), &4096.into(), &8192.into())
    );
}

#[test]
fn bad_machines_are_refused_and_leave_no_file() {
    let folder = Folder::new();
    folder.write("work.s", PROGRAM);
    let run = |options: &[&str], parts: &[&str]| {
        refused(&folder, &[&["run", "work.s", "--timed", "--csv", "out.csv", "--json"], options].concat(), parts);
    };
    run(&["--set", "dcache.port=2"], &["dcache.port", "dcache.ports"]);
    run(&["--set", "dcache.ports"], &["--set dcache.ports", "FIELD=VALUE"]);
    run(&["--set", "dcache.ports=5"], &["dcache.ports", "1 to 4", "5"]);
    run(&["--set", "dcache.ways=0"], &["dcache.ways", "1 to 64", "0"]);
    run(&["--set", "dcache.ports=4", "--set", "dcache.banks=2"], &["dcache.ports 4", "dcache.banks 2"]);
    run(
        &["--set", "memory.line_bytes=256", "--set", "dcache.bytes=128"],
        &["memory.line_bytes 256", "dcache.bytes 128"],
    );
    run(&["--memory", "fast"], &["fast", "perfect", "through-dcache"]);
    run(&["--machine", "missing.toml"], &["missing.toml"]);
    folder.write("bad.toml", "dcache.ports = \n");
    run(&["--machine", "bad.toml"], &["bad.toml", "line 1"]);
    folder.write("field.toml", "[dcache]\nwayz = 2\n");
    run(&["--machine", "field.toml"], &["field.toml", "dcache.wayz", "dcache.ways"]);
    run(&["--config", "missing.json"], &["missing.json"]);
    folder.write("scenes.json", report(&folder, &["scenes", "--json"]).to_string());
    run(&["--config", "scenes.json"], &["scenes.json", "no machine"]);
    let edited = report(&folder, &["run", "work.s", "--json"]).to_string().replace("\"lanes\":4", "\"lanes\":8");
    folder.write("edited.json", edited);
    run(&["--config", "edited.json"], &["edited.json", "was changed"]);
    // clap's own refusals.
    for (options, part) in [(&["--config", "a.json", "--machine", "wide"][..], "--machine"), (&["--budget", "x"], "x")]
    {
        run(options, &[part]);
    }
    refused(&folder, &["run", "work.s", "--csv", "out.csv"], &["--timed"]);
    refused(&folder, &["run", "work.s", "--timed", "--csv", "no/such/out.csv"], &["no/such/out.csv"]);
    refused(&folder, &["machines", "--set", "cores=2"], &["name the machine"]);
    let reference = ["render", "--backend", "reference", "--timed", "--size", "8x8", "--out", "out.png"];
    refused(&folder, &reference, &["reference", "--timed"]);
}

#[test]
fn a_timed_picture_is_the_same_picture() {
    let folder = Folder::new();
    let render = |options: &[&str]| {
        let common = ["render", "--scene", "ground", "--size", "16x12", "--json", "--machine", "1c4w8t"];
        report(&folder, &[&common, options].concat())
    };
    let plain = render(&["--out", "plain.png"]);
    let timed = render(&["--out", "timed.png", "--timed", "--csv", "out.csv"]);
    let bytes = |name: &str| std::fs::read(folder.path(name)).expect("it was written");
    assert!(bytes("plain.png") == bytes("timed.png"));
    assert!(plain.get("timed").is_none());
    assert!(timed["timed"]["core"]["texture"]["instructions"].as_u64().is_some_and(|samples| samples > 0));
    assert_eq!(plain["program_hash"], timed["program_hash"]);
    assert_eq!(plain["frame"], timed["frame"]);
    assert_eq!(folder.files(), ["out.csv", "plain.png", "timed.png"]);
}

#[test]
fn a_picture_that_is_not_finished_leaves_counters_and_no_file() {
    let folder = Folder::new();
    let arguments = ["render", "--scene", "ground", "--size", "16x12", "--machine", "1c4w8t", "--out", "out.png"];
    let few = ["--set", "instruction_budget=500", "--set", "progress_interval=100"];
    let output = folder.warpaint(&[&arguments[..], &few, &["--timed", "--json"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    assert!(report["trap"].as_str().is_some_and(|trap| trap.contains("500")), "{}", report["trap"]);
    let issued = report["timed"]["core"]["issue"]["issued"].as_u64();
    assert!(issued.is_some_and(|issued| issued >= 500), "{issued:?}");
    assert_eq!(folder.files(), Vec::<String>::new());
    refused(&folder, &[&arguments[..], &few].concat(), &["500"]);
}

#[test]
fn races_between_cores_are_reported_with_their_lines() {
    let folder = Folder::new();
    folder.write("race.s", "la a0, word\nsw zero, 0(a0)\ntmc zero\n.data\nword: .zero 4\n");
    let run = |machine: &str| {
        let output = folder.warpaint(&["run", "race.s", "--machine", machine, "--races"]);
        assert_eq!(output.status.code(), Some(0));
        text(&output.stderr)
    };
    let said = run("vortex-2c1w1t");
    assert!(said.contains("1 race between cores") && said.contains("(race.s:2, race.s:2)"), "{said}");
    assert!(run("vortex-1w1t").contains("0 races between cores"));
}

#[test]
fn a_sweep_keeps_records_goes_on_where_it_stopped_and_writes_its_table() {
    let folder = Folder::new();
    folder.write("page.md", "before\n<!-- worst errors -->\n<!-- end -->\nafter\n");
    let sweep = |names: &[&str], more: &[&str]| {
        let arguments = [&["sweep", "transcendental"], names, more].concat();
        let output = folder.warpaint(&arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let record = |file: &str, place: usize| -> serde_json::Value {
        let records: serde_json::Value = serde_json::from_str(&folder.read(file)).expect("records are JSON");
        records[place].clone()
    };
    sweep(&["frecip", "FSIN.s"], &["--stride", "268435455", "--records", "found.json", "--page", "page.md"]);
    // 17 multiples of 2^28 - 1 have 32 bits; the first is zero, the ninth and the last are NaNs.
    let first = record("found.json", 0);
    assert_eq!((&first["name"], &first["stride"]), (&"frecip.s".into(), &268_435_455.into()));
    assert_eq!((&first["worst"]["count"], &first["worst"]["misrounded"]), (&14.into(), &0.into()));
    let page = folder.read("page.md");
    assert!(page.starts_with("before\n") && page.ends_with("after\n") && page.contains("not swept yet"), "{page}");
    assert_eq!(page.matches("| every 268435455th | none |").count(), 2, "{page}");
    assert_eq!(folder.files(), ["found.json", "page.md"]);

    // A coarser sweep adds nothing, unless it is asked for; a finer one does.
    let said = sweep(&["frecip"], &["--stride", "268435456", "--records", "found.json"]);
    assert!(said.contains("kept from the records: frecip.s"), "{said}");
    assert_eq!(record("found.json", 0), first);
    sweep(&["frecip"], &["--stride", "268435456", "--records", "found.json", "--again"]);
    let again = record("found.json", 0);
    assert_eq!((&again["stride"], &again["worst"]["count"]), (&268_435_456.into(), &14.into()), "16 less two zeros");

    // What was begun is taken as it is: this one lacks nothing.
    let begun = r#"{"parts":64,"record":{"name":"frecip.s","stride":5,"worst":{"count":7,"ulps":0.25,"at":[1,0],"misrounded":0}}}"#;
    folder.write("begun.part", begun);
    sweep(&["frecip"], &["--stride", "5", "--records", "begun.json"]);
    assert_eq!(record("begun.json", 0)["worst"]["count"], 7);
    assert!(!folder.files().contains(&"begun.part".to_owned()));
    folder.write("broken.part", "{");
    refused(
        &folder,
        &["sweep", "transcendental", "frecip", "--stride", "5", "--records", "broken.json"],
        &["broken.part"],
    );
    refused(&folder, &["sweep", "transcendental", "fsine"], &["`fsine`", "fsin.s"]);
    refused(&folder, &["sweep", "transcendental", "fsin", "--stride", "0"], &["--stride"]);
}
