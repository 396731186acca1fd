//! Traces of small programs: their form, and events worked out by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gpu_core::gpu::Gpu;
use serde_json::Value;

use super::*;
use crate::experiments::compute::Benchmark;
use crate::inspect::samples::{EVERYTHING, THREE, launch, machine};
use crate::inspect::watch::Watch;

fn options(folder: &Path, window: &str, limit: &str) -> TraceOptions {
    TraceOptions {
        file: folder.join("trace.json"),
        window: window.parse().expect("a sound window"),
        limit: limit.parse().expect("a sound limit"),
    }
}

/// Runs a program and gives the trace's text, or why there is none; whatever happens, no other file is left.
fn run(text: &str, config: &GpuConfig, window: &str, limit: &str, threads: usize) -> Result<String, TraceError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = Trace::create(options(folder.path(), window, limit), "test", config)?;
    let mut watch = Watch::new(Some(trace), None);
    let _ = launch(text, config, threads, &mut watch);
    let outcome = watch.finish();
    let files = std::fs::read_dir(folder.path()).expect("readable").count();
    assert_eq!(files, usize::from(outcome.is_ok()), "a trace is there whole or not at all");
    let (summary, _) = outcome?;
    let summary = summary.expect("there was a trace");
    let text = std::fs::read_to_string(&summary.file).expect("it was written");
    assert_eq!(text.len() as u64, summary.bytes);
    Ok(text)
}

/// Cycles that a program takes when nobody watches.
fn cycles(text: &str, config: &GpuConfig) -> u64 {
    let report = launch(text, config, 1, &mut Watch::default()).expect("it runs");
    report.timed.expect("it was timed").counters.cycles
}

/// The events of a trace, in the order of the file; those that name tracks apart.
fn events(text: &str) -> (Vec<Value>, Vec<Value>) {
    let trace: Value = serde_json::from_str(text).expect("a trace is JSON");
    let all = trace["traceEvents"].as_array().expect("a list").clone();
    all.into_iter().partition(|event| event["ph"] == "M")
}

/// `name start..end of what` for the events of a category that last, sorted by time.
fn spans(events: &[Value], category: &str) -> Vec<String> {
    let of = events.iter().filter(|event| event["cat"] == category && event["ph"] == "X");
    let mut spans: Vec<(u64, String)> = of
        .map(|event| {
            let [start, length] = ["ts", "dur"].map(|field| event[field].as_u64().expect("a cycle"));
            let what = event["args"]["instruction"].as_str().unwrap_or("-");
            let name = event["name"].as_str().expect("a name");
            (start, format!("{name} {start}..{} {what}", start + length))
        })
        .collect();
    spans.sort();
    spans.into_iter().map(|(_, span)| span).collect()
}

/// The pipeline of one warp where every fetch hits (four cycles in the instruction cache, one of decoding):
///
/// - The word fetched in cycle 0 is decoded in cycle 5, to be issued in 6. In 5 the next word is fetched, decoded in 10, to be
///   issued in 11; and that after it is decoded in 15.
/// - `addi a0` issues in 6; two cycles of operands, four of dispatch, four in the unit: its result is there in 16, and
///   committed in 17, when `addi a1` issues. `tmc` issues in 18.
/// - `tmc` ends its warp in 18 + 10 = 28 and is committed in 29, the last cycle; from 28 on the slot has no warp.
#[test]
fn three_instructions_are_shown_in_the_cycles_worked_out_by_hand() {
    let config = machine("vortex-1w1t", "perfect");
    let text = run(THREE, &config, "..", "1M", 1).expect("a trace");
    let (_, events) = events(&text);
    assert_eq!(spans(&events, "issue"), ["addi a0, zero, 1 6..7 -", "addi a1, a0, 1 17..18 -", "tmc zero 18..19 -"]);
    let stalls = spans(&events, "stall");
    let (last, stalls) = stalls.split_last().expect("there are stalls");
    assert_eq!(
        stalls,
        [
            "instruction_cache 0..6 addi a0, zero, 1",
            "instruction_cache 7..11 addi a1, a0, 1",
            "scoreboard 11..17 addi a1, a0, 1",
            "control 19..28 tmc zero",
        ]
    );
    let end = cycles(THREE, &config);
    assert_eq!(end, 30);
    assert_eq!(last, &format!("ended 28..{end} -"));
    assert_eq!(spans(&events, "launch"), [format!("launch 0 0..{end} -")]);
    let first = events.iter().find(|event| event["cat"] == "issue").expect("an issue");
    let args = serde_json::json!({"pc": "0x80000000", "source": "test.s:1", "slot": 0, "lanes": 1, "mask": "0x1"});
    assert_eq!(first["args"], args);
    let counter = |name: &str| &events.iter().find(|event| event["name"] == name).expect("a counter")["args"];
    let rate = 3.0 / end as f64;
    assert_eq!(counter("IPC"), &serde_json::json!({"instructions": rate, "lanes": rate}));
    assert_eq!(counter("stalled slots")["instruction_cache"], 10);
    assert_eq!(counter("stalled slots")["control"], 9);
}

/// Events lie in the window; what begins ends, once; spans of a track do not overlap; every track has a name.
fn check_form(text: &str, window: [u64; 2]) -> Vec<Value> {
    let (names, events) = events(text);
    let track = |event: &Value| (event["pid"].as_u64(), event["tid"].as_u64());
    let named: BTreeSet<_> = names.iter().map(track).collect();
    let mut open = BTreeMap::new();
    let mut spans: BTreeMap<_, Vec<[u64; 2]>> = BTreeMap::new();
    for event in &events {
        assert!(named.contains(&track(event)), "{event}");
        let start = event["ts"].as_u64().expect("a cycle");
        let end = start + event["dur"].as_u64().unwrap_or(0);
        assert!(window[0] <= start && end <= window[1], "{event} lies outside {window:?}");
        let identity = || format!("{} {} {} {}", event["pid"], event["cat"], event["name"], event["id2"]["local"]);
        match event["ph"].as_str().expect("a phase") {
            "X" => spans.entry(track(event)).or_default().push([start, end]),
            "b" => assert!(open.insert(identity(), start).is_none(), "{event} has begun before"),
            "e" => {
                let began = open.remove(&identity()).unwrap_or_else(|| panic!("{event} has not begun"));
                assert!(began <= start, "{event}");
            }
            "i" => assert_eq!(event["s"], "t"),
            "C" => assert!(event["args"].as_object().is_some_and(|values| values.values().all(Value::is_number))),
            phase => panic!("phase {phase}"),
        }
    }
    assert!(open.is_empty(), "never end: {open:?}");
    for (track, mut spans) in spans {
        spans.sort_unstable();
        for pair in spans.windows(2) {
            assert!(pair[0][1] <= pair[1][0], "{track:?}: {pair:?} overlap");
        }
    }
    events
}

#[test]
fn every_kind_of_event_is_well_formed() {
    let config = machine("2c4w4t", "default");
    let events = check_form(&run(EVERYTHING, &config, "..", "4M", 1).expect("a trace"), [0, u64::MAX]);
    let categories: BTreeSet<&str> = events.iter().map(|event| event["cat"].as_str().expect("a category")).collect();
    let all = ["barrier", "counter", "divergence", "issue", "launch", "memory", "stall"];
    assert_eq!(categories.into_iter().collect::<Vec<_>>(), all);
    // Of four warps of each of two cores, three wait at the barrier and the last lets them go.
    let of = |category: &str, phase: &str| {
        events.iter().filter(|event| event["cat"] == category && event["ph"] == phase).count()
    };
    assert_eq!((of("barrier", "X"), of("barrier", "i")), (6, 2));
    // A store and a load of each warp.
    assert_eq!((of("memory", "b"), of("memory", "e")), (16, 16));
    // Four lanes to two, the other two, and four again, for each warp; and from one lane to four.
    let lanes: Vec<&str> = events
        .iter()
        .filter(|event| event["cat"] == "divergence" && event["tid"] == 1103)
        .map(|event| event["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(lanes, ["lanes 1 to 4", "lanes 4 to 2", "lanes 2 to 2", "lanes 2 to 4"]);
}

/// A barrier is left when the `bar` of the last warp has been executed: two cycles of operands, four of dispatch, four in the
/// unit after its issue.
#[test]
fn a_wait_at_a_barrier_lasts_from_the_arrival_to_the_release() {
    let text = run(EVERYTHING, &machine("vortex-2w1t", "perfect"), "..", "1M", 1).expect("a trace");
    let (_, events) = events(&text);
    let is_bar =
        |event: &&Value| event["cat"] == "issue" && event["name"].as_str().expect("a name").starts_with("bar ");
    let bars: Vec<u64> = events.iter().filter(is_bar).map(|event| event["ts"].as_u64().expect("a cycle")).collect();
    assert_eq!(bars.len(), 2);
    let expected = format!("local barrier 0 {}..{} bar zero, s9", bars[0] + 1, bars[1] + 10);
    assert_eq!(spans(&events, "barrier"), [expected]);
}

/// A window shows what the whole trace shows of its cycles, wherever it begins.
#[test]
fn a_window_is_a_part_of_the_whole() {
    let config = machine("2c4w4t", "default");
    let (_, whole) = events(&run(EVERYTHING, &config, "..", "4M", 1).expect("a trace"));
    let issues = |events: &[Value], [start, end]: [u64; 2]| {
        let mut texts: Vec<String> = events
            .iter()
            .filter(|event| event["cat"] == "issue")
            .filter(|event| (start..end).contains(&event["ts"].as_u64().expect("a cycle")))
            .map(Value::to_string)
            .collect();
        texts.sort();
        texts
    };
    for [start, end] in [[0, 10_000], [250, 401], [301, 302], [400, 10_000]] {
        let text = run(EVERYTHING, &config, &format!("{start}..{end}"), "4M", 1).expect("a trace");
        let (_, part) = events(&text);
        assert_eq!(issues(&part, [0, u64::MAX]), issues(&whole, [start, end]), "{start}..{end}");
    }
    let text = run(EVERYTHING, &config, "300..600", "4M", 1).expect("a trace");
    check_form(&text, [300, 600]);
    // An access that is under way at the end of the window is closed there.
    let store = whole.iter().find(|event| event["ph"] == "b").expect("a store")["ts"].as_u64().expect("a cycle");
    let text = run(EVERYTHING, &config, &format!("{store}..{}", store + 2), "4M", 1).expect("a trace");
    let part = check_form(&text, [store, store + 2]);
    let closed = part.iter().filter(|event| event["ph"] == "e" && event["args"]["note"].is_string());
    assert!(closed.count() > 0);
}

#[test]
fn the_bytes_do_not_depend_on_host_threads() {
    let config = machine("4c4w4t", "default");
    let one = run(EVERYTHING, &config, "..", "4M", 1).expect("a trace");
    assert!(run(EVERYTHING, &config, "..", "4M", 3).expect("a trace") == one);
}

/// What the refusal proposes fits, and is the most that does, to a step.
#[test]
fn a_trace_that_is_too_large_is_refused_with_a_window_that_fits() {
    let config = machine("2c4w4t", "default");
    let error = run(EVERYTHING, &config, "100..", "40K", 1).expect_err("it is larger");
    let TraceError::TooLarge { fits, .. } = &error else { panic!("{error}") };
    let message = error.to_string();
    assert!(message.contains(&format!("--trace-window {fits}")), "{message}");
    assert_eq!(fits.start, 100);
    let text = run(EVERYTHING, &config, &fits.to_string(), "40K", 1).expect("it fits");
    assert!(text.len() <= 40 << 10);
    check_form(&text, [fits.start, fits.end]);
    let more = format!("100..{}", fits.end + STEP_CYCLES);
    assert!(matches!(run(EVERYTHING, &config, &more, "40K", 1), Err(TraceError::TooLarge { .. })));
}

#[test]
fn a_limit_below_any_window_is_said_to_be_too_small() {
    let error = run(EVERYTHING, &machine("2c4w4t", "default"), "..", "4K", 1).expect_err("the header is larger");
    assert!(matches!(error, TraceError::TooSmall { cycles: 64, .. }), "{error}");
}

#[test]
fn a_window_after_the_end_and_a_place_that_cannot_be_written_are_refused() {
    let config = machine("vortex-1w1t", "perfect");
    let end = cycles(THREE, &config);
    let error = run(THREE, &config, &format!("{end}..99"), "1M", 1).expect_err("no cycle is left");
    assert!(matches!(error, TraceError::Missed { cycles, .. } if cycles == end), "{error}");
    let text = run(THREE, &config, "28..99", "1M", 1).expect("it has some cycles more");
    assert!(spans(&events(&text).1, "stall")[0].starts_with("ended 28.."));

    let folder = tempfile::tempdir().expect("a temporary folder");
    let absent = options(&folder.path().join("absent"), "..", "1M");
    assert!(matches!(Trace::create(absent, "test", &config), Err(TraceError::Store(_))));
}

#[test]
fn a_trace_ends_at_a_trap_and_says_so() {
    let text = "li a0, 1\nlw a1, 0(a0)\n.word 0\n";
    let (_, events) = events(&run(text, &machine("vortex-1w1t", "perfect"), "..", "1M", 1).expect("a trace"));
    let trap = events.iter().find(|event| event["cat"] == "trap").expect("the trap is shown");
    assert!(trap["args"]["note"].as_str().expect("a text").contains("test.s:2"), "{trap}");
    assert_eq!(spans(&events, "issue").len(), 1, "the instruction that traps is not executed");
}

/// The worked example of `docs/inspect.md`: each of the 16 rows of `b` is a cache line that all warps wait for once, and the
/// instruction that waits is the multiplication in the inner loop.
#[test]
fn the_dips_of_the_worked_example_are_the_rows_of_the_second_matrix() {
    let config = machine("vortex-4w4t", "default");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let trace = Trace::create(options(folder.path(), "..", "16M"), "test", &config).expect("it can be written");
    let mut watch = Watch::new(Some(trace), None);
    let workload = Benchmark::Sgemm.workload(16, &config).expect("a small workload");
    workload.run_by(&mut Gpu::new(config).expect("a machine"), &mut watch).expect("it runs");
    let summary = watch.finish().expect("it fits").0.expect("a trace");
    let (_, events) = events(&std::fs::read_to_string(summary.file).expect("it was written"));
    let is_dip = |event: &&Value| {
        event["name"] == "scoreboard"
            && event["dur"].as_u64().expect("a length") > 100
            && event["args"]["instruction"].as_str().is_some_and(|text| text.starts_with("fmul.s"))
    };
    let dips: Vec<&Value> = events.iter().filter(is_dip).collect();
    assert_eq!(dips.len(), 16);
    assert!(dips.iter().all(|dip| dip["args"]["source"] == dips[0]["args"]["source"]));
}
