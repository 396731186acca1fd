//! The Chrome trace-event format, as far as it is used here: what Perfetto and chrome://tracing open.
//!
//! Times are in microseconds there, and a cycle is written as one. Source: "Trace Event Format", the JSON object format.

use std::borrow::Cow;

use serde::Serialize;

/// What is shown when an event is selected.
#[derive(Debug, Default, Serialize)]
pub struct Details<'a> {
    /// The instruction, where the event's name is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instruction: Option<&'a str>,
    /// Its address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pc: Option<&'a str>,
    /// Its source line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'a str>,
    /// The warp.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warp: Option<u8>,
    /// The issue slot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot: Option<u32>,
    /// Active lanes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lanes: Option<u32>,
    /// The same, a bit each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<String>,
    /// Active lanes before, a bit each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask_before: Option<String>,
    /// What more there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'a str>,
}

/// A number that differs between processes, so that no two tracks of a trace have the same.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Track {
    /// A core, or the machine.
    pub pid: u32,
    /// A warp or an issue slot of it.
    pub tid: u32,
}

/// The process of what concerns all cores.
const MACHINE: u32 = 1000;
/// Tracks of a process.
const TRACKS: u32 = 1000;
/// Where a core's warps begin among its tracks, after its issue slots.
const FIRST_WARP: u32 = 100;

impl Track {
    /// Launches.
    pub const LAUNCHES: Self = Self { pid: MACHINE, tid: MACHINE * TRACKS };

    /// Counters of a core.
    pub const fn core(core: usize) -> Self {
        // 0 is the idle process to viewers.
        let pid = core as u32 + 1;
        Self { pid, tid: pid * TRACKS }
    }

    /// An issue slot of a core.
    pub const fn slot(core: usize, slot: u32) -> Self {
        let Self { pid, tid } = Self::core(core);
        Self { pid, tid: tid + 1 + slot }
    }

    /// A warp of a core.
    pub const fn warp(core: usize, warp: usize) -> Self {
        let Self { pid, tid } = Self::core(core);
        Self { pid, tid: tid + FIRST_WARP + warp as u32 }
    }
}

/// The identity of an asynchronous event, within its process.
#[derive(Debug, Serialize)]
struct Id {
    local: String,
}

/// One event.
#[derive(Debug, Serialize)]
pub struct Event<'a, Arguments: Serialize> {
    ph: &'static str,
    cat: &'static str,
    name: Cow<'a, str>,
    pid: u32,
    tid: u32,
    ts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id2: Option<Id>,
    /// How far an instant reaches: its thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    args: Arguments,
}

impl<'a, Arguments: Serialize> Event<'a, Arguments> {
    fn new(
        ph: &'static str,
        cat: &'static str,
        name: impl Into<Cow<'a, str>>,
        track: Track,
        ts: u64,
        args: Arguments,
    ) -> Self {
        let Track { pid, tid } = track;
        Self { ph, cat, name: name.into(), pid, tid, ts, dur: None, id2: None, s: None, args }
    }

    /// Something that lasts from `start` to `end`.
    pub fn complete(
        cat: &'static str,
        name: impl Into<Cow<'a, str>>,
        track: Track,
        [start, end]: [u64; 2],
        args: Arguments,
    ) -> Self {
        Self { dur: Some(end - start), ..Self::new("X", cat, name, track, start, args) }
    }

    /// Something at one moment.
    pub fn instant(
        cat: &'static str,
        name: impl Into<Cow<'a, str>>,
        track: Track,
        cycle: u64,
        args: Arguments,
    ) -> Self {
        Self { s: Some("t"), ..Self::new("i", cat, name, track, cycle, args) }
    }

    /// From this cycle on, a counter of the process has other values.
    pub fn counter(name: impl Into<Cow<'a, str>>, track: Track, cycle: u64, args: Arguments) -> Self {
        Self::new("C", "counter", name, track, cycle, args)
    }

    /// The beginning of something that may overlap with others of its kind.
    pub fn begin(
        cat: &'static str,
        name: impl Into<Cow<'a, str>>,
        track: Track,
        cycle: u64,
        id: u64,
        args: Arguments,
    ) -> Self {
        Self { id2: Some(Id { local: format!("{id:#x}") }), ..Self::new("b", cat, name, track, cycle, args) }
    }

    /// Its end; category, name, process and `id` are those of the beginning.
    pub fn end(
        cat: &'static str,
        name: impl Into<Cow<'a, str>>,
        track: Track,
        cycle: u64,
        id: u64,
        args: Arguments,
    ) -> Self {
        Self { id2: Some(Id { local: format!("{id:#x}") }), ..Self::new("e", cat, name, track, cycle, args) }
    }

    /// What a process or thread is called, or where it is shown.
    pub fn metadata(what: &'static str, track: Track, args: Arguments) -> Self {
        Self::new("M", "__metadata", what, track, 0, args)
    }
}

/// Events as text, each after a comma.
#[derive(Clone, Debug, Default)]
pub struct Events(pub Vec<u8>);

impl Events {
    /// Appends one.
    pub fn push<Arguments: Serialize>(&mut self, event: &Event<'_, Arguments>) {
        self.0.extend_from_slice(b",\n");
        serde_json::to_writer(&mut self.0, event).expect("an event is made of maps with text keys");
    }
}
