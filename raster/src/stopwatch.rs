//! Where a frame's host time goes: a stopwatch that the host stages turn from one part of their work to the next.
//!
//! Before: whoever measures gives it a clock (`warpaint bench frame`). After: how long each part took. Without a clock it does
//! nothing; no picture and no report of a frame depends on it.

use std::time::Duration;

/// A part of the work that a frame is for its host.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum HostStage {
    /// Making vertices by vertex programs: lists, copies to the device and back, running the machine.
    Vertices,
    /// From vertices to triangles that are set up; vertices of closures are made here.
    Geometry,
    /// From triangles to the lists of tiles.
    Binning,
    /// Running the machine for tiles.
    Kernels,
    /// Checks, copies to the device and back, compiling.
    Rest,
}

impl HostStage {
    /// All of them, in the order in which a pass comes to them first; checks and copies between them are the rest.
    pub const ALL: [Self; 5] = [Self::Vertices, Self::Geometry, Self::Binning, Self::Kernels, Self::Rest];
}

/// How long the parts took since the stopwatch was made, of all frames together.
#[derive(Copy, Clone, Debug, Default)]
pub struct Stopwatch {
    clock: Option<fn() -> Duration>,
    /// What is being done, and since when.
    current: Option<(HostStage, Duration)>,
    spent: [Duration; 5],
}

impl Stopwatch {
    /// One that counts by this clock, which tells how long it has been running.
    pub fn new(clock: fn() -> Duration) -> Self {
        Self { clock: Some(clock), ..Self::default() }
    }

    /// How long a part took.
    pub fn spent(&self, stage: HostStage) -> Duration {
        self.spent[stage as usize]
    }

    /// A frame begins. What passed since the last one counts nowhere.
    pub(crate) fn start(&mut self) {
        self.current = self.clock.map(|clock| (HostStage::Rest, clock()));
    }

    /// The work goes on with another part of it; gives the one before.
    pub(crate) fn turn_to(&mut self, stage: HostStage) -> HostStage {
        let Some((last, since)) = self.current else { return stage };
        let now = self.clock.map_or(since, |clock| clock());
        self.spent[last as usize] += now.saturating_sub(since);
        self.current = Some((stage, now));
        last
    }

    /// The frame is done.
    pub(crate) fn stop(&mut self) {
        self.turn_to(HostStage::Rest);
        self.current = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    thread_local! { static NOW: Cell<u64> = const { Cell::new(0) }; }

    fn clock() -> Duration {
        Duration::from_secs(NOW.get())
    }

    fn pass(seconds: u64) {
        NOW.set(NOW.get() + seconds);
    }

    #[test]
    fn each_part_gets_its_own_time_and_pauses_count_nowhere() {
        let mut watch = Stopwatch::new(clock);
        for _ in 0..2 {
            pass(1000);
            watch.start();
            pass(1);
            assert_eq!(watch.turn_to(HostStage::Geometry), HostStage::Rest);
            pass(2);
            watch.turn_to(HostStage::Binning);
            pass(4);
            watch.turn_to(HostStage::Kernels);
            pass(8);
            assert_eq!(watch.turn_to(HostStage::Vertices), HostStage::Kernels);
            pass(16);
            watch.turn_to(HostStage::Rest);
            pass(32);
            watch.stop();
        }
        assert_eq!(HostStage::ALL.map(|part| watch.spent(part).as_secs()), [32, 4, 8, 16, 66]);
    }

    #[test]
    fn without_a_clock_nothing_is_counted() {
        let mut watch = Stopwatch::default();
        watch.start();
        watch.turn_to(HostStage::Kernels);
        watch.stop();
        assert_eq!((watch.current, watch.spent), (None, [Duration::ZERO; 5]));
    }
}
