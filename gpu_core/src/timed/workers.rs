//! Host threads that run the cores of a timed run: long-lived, meeting at a spinning barrier twice in each window.
//!
//! Before: the run loop has cores enough to share. After: the same cycles as on one thread, sooner. A window is about a microsecond of
//! work for a core, so threads that sleep between windows would spend their time in waking up.

use super::edge::{Run, Stops, Window};
use super::seat::Seated;
use crate::meeting::Outcome;
use crate::memory::Memory;
use crate::observe::Unwatched;
use crate::trap::Trap;
use std::sync::atomic::{
    AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::AcqRel, Ordering::Acquire, Ordering::Release,
};
use std::sync::{Mutex, MutexGuard};

/// Cores that a thread must have, for sharing to be worth it.
pub(super) const CORES_PER_THREAD: usize = 2;
/// Looks at the barrier before a waiting thread offers its host core to others.
const SPINS: u32 = 4000;

/// Where threads wait for each other, again and again.
struct Meeting {
    thread_count: usize,
    arrived: AtomicUsize,
    /// How often they have met.
    round: AtomicUsize,
    /// One of them has panicked: nobody must wait for it.
    is_broken: AtomicBool,
}

/// Breaks the meeting when its thread panics.
struct BreaksOnPanic<'m>(&'m Meeting);

impl Drop for BreaksOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_broken.store(true, Release);
        }
    }
}

impl Meeting {
    /// Waits until all have come; gives whether they have, rather than that one never will.
    fn wait(&self) -> bool {
        let round = self.round.load(Acquire);
        if self.arrived.fetch_add(1, AcqRel) + 1 == self.thread_count {
            self.arrived.store(0, Release);
            self.round.store(round + 1, Release);
            return true;
        }
        let mut spins = 0;
        while self.round.load(Acquire) == round {
            if self.is_broken.load(Acquire) {
                return false;
            }
            spins += 1;
            if spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        true
    }
}

/// What the first thread tells the others.
#[derive(Default)]
struct Task {
    end: AtomicU64,
    instructions: AtomicU64,
    is_over: AtomicBool,
    /// How cores came out: 1 trapped, 2 exhausted, 4 not drained.
    stops: AtomicU8,
}

impl Task {
    fn add(&self, stops: Stops) {
        let bits = u8::from(stops.is_trapped) | u8::from(stops.is_exhausted) << 1 | u8::from(!stops.is_drained) << 2;
        self.stops.fetch_or(bits, AcqRel);
    }

    fn take_stops(&self) -> Stops {
        let bits = self.stops.swap(0, AcqRel);
        Stops { is_trapped: bits & 1 != 0, is_exhausted: bits & 2 != 0, is_drained: bits & 4 == 0 }
    }
}

/// Runs until the program has ended, pauses or traps, on `thread_count` threads, this one among them.
pub(super) fn run_shared(
    run: &mut Run<'_>,
    all: &mut [Seated<'_>],
    memory: &Memory,
    thread_count: usize,
) -> Result<Outcome, Box<Trap>> {
    let length = all.len().div_ceil(thread_count);
    let parts: Vec<Mutex<&mut [Seated<'_>]>> = all.chunks_mut(length).map(Mutex::new).collect();
    let meeting = Meeting {
        thread_count: parts.len(),
        arrived: AtomicUsize::new(0),
        round: AtomicUsize::new(0),
        is_broken: AtomicBool::new(false),
    };
    let task = Task::default();
    std::thread::scope(|scope| {
        for part in &parts[1..] {
            scope.spawn(|| work(part, memory, &meeting, &task));
        }
        let _guard = BreaksOnPanic(&meeting);
        let outcome = loop {
            let window = run.next_window();
            let is_shared = run.awake() >= parts.len() * CORES_PER_THREAD;
            if is_shared {
                task.end.store(window.end, Release);
                task.instructions.store(window.instructions, Release);
                if !meeting.wait() {
                    break None;
                }
                task.add(window.run_cores(&mut lock(&parts[0]), memory, &mut Unwatched));
                if !meeting.wait() {
                    break None;
                }
            }
            let mut guards: Vec<MutexGuard<'_, &mut [Seated<'_>]>> = parts.iter().map(lock).collect();
            let mut groups: Vec<&mut [Seated<'_>]> = guards.iter_mut().map(|guard| &mut ***guard).collect();
            if !is_shared {
                for group in &mut groups {
                    task.add(window.run_cores(group, memory, &mut Unwatched));
                }
            }
            if let Some(outcome) = run.meet(&mut groups, window, task.take_stops(), &mut Unwatched) {
                break Some(outcome);
            }
        };
        task.is_over.store(true, Release);
        meeting.wait();
        outcome
    })
    .expect("a thread that panicked has ended the scope")
}

/// What every thread but the first does.
fn work(part: &Mutex<&mut [Seated<'_>]>, memory: &Memory, meeting: &Meeting, task: &Task) {
    let _guard = BreaksOnPanic(meeting);
    while meeting.wait() && !task.is_over.load(Acquire) {
        let window = Window { end: task.end.load(Acquire), instructions: task.instructions.load(Acquire) };
        task.add(window.run_cores(&mut lock(part), memory, &mut Unwatched));
        if !meeting.wait() {
            return;
        }
    }
}

fn lock<'l, 'p, 'a>(part: &'l Mutex<&'p mut [Seated<'a>]>) -> MutexGuard<'l, &'p mut [Seated<'a>]> {
    part.lock().expect("a thread that panics breaks the meeting first")
}
