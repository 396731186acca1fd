//! The beginning of a trace file: what it is a trace of, and what its tracks are called.

use gpu_core::config::GpuConfig;
use serde::Serialize;

use super::TraceOptions;
use super::event::{Event, Events, Track};

/// Said once in the file.
#[derive(Serialize)]
struct About<'a> {
    program: &'static str,
    version: &'static str,
    time: &'static str,
    machine: &'a str,
    cores: u32,
    warps: u32,
    lanes: u32,
    issue_slots: u32,
    window: String,
    counter_cycles: u64,
}

#[derive(Serialize)]
struct Name<'a> {
    name: &'a str,
}

#[derive(Serialize)]
struct Position {
    sort_index: u32,
}

/// Everything before the first thing that happened; further events begin with a comma.
pub(super) fn header(options: &TraceOptions, machine: &str, config: &GpuConfig) -> Vec<u8> {
    let slots = config.timing.issue.width;
    let about = About {
        program: "warpaint",
        version: env!("CARGO_PKG_VERSION"),
        time: "1 cycle of the machine is 1 microsecond here",
        machine,
        cores: config.cores,
        warps: config.warps,
        lanes: config.lanes,
        issue_slots: slots,
        window: options.window.to_string(),
        counter_cycles: super::STEP_CYCLES,
    };
    let about = serde_json::to_string(&about).expect("it is a map with text keys");
    let mut names = Events::default();
    let mut process = |track: Track, name: &str, position: u32| {
        names.push(&Event::metadata("process_name", track, Name { name }));
        names.push(&Event::metadata("process_sort_index", track, Position { sort_index: position }));
    };
    process(Track::LAUNCHES, "machine", 0);
    for core in 0..config.cores {
        process(Track::core(core as usize), &format!("core {core}"), core + 1);
    }
    let mut thread = |track: Track, name: &str| {
        names.push(&Event::metadata("thread_name", track, Name { name }));
        names.push(&Event::metadata("thread_sort_index", track, Position { sort_index: track.tid }));
    };
    thread(Track::LAUNCHES, "launches");
    for core in 0..config.cores as usize {
        for slot in 0..slots {
            thread(Track::slot(core, slot), &format!("stalls of issue slot {slot}"));
        }
        for warp in 0..config.warps as usize {
            thread(Track::warp(core, warp), &format!("warp {warp}"));
        }
    }
    let mut text = format!("{{\"displayTimeUnit\":\"ms\",\"otherData\":{about},\"traceEvents\":[").into_bytes();
    text.extend_from_slice(&names.0[1..]);
    text
}
