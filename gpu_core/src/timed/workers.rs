//! Host threads that run the cores of a timed run: long-lived, told of each window by a word that they spin on.
//!
//! Before: the run loop has cores enough to share. After: the same cycles as on one thread, sooner. A window is about a microsecond of
//! work for a core, so threads that sleep between windows would spend their time in waking up. On a host whose cores are busy
//! with other work a thread may be away for a thousand windows: then the first thread runs the others' cores itself for a while, and
//! tries again after longer and longer times.

use super::edge::{Run, Stops, Window};
use super::seat::Seated;
use crate::meeting::Outcome;
use crate::memory::Memory;
use crate::observe::Unwatched;
use crate::trap::Trap;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard};
use std::thread::Thread;
use std::time::Duration;

/// Cores that a thread must have, for sharing to be worth it.
pub(super) const CORES_PER_THREAD: usize = 2;
/// Looks at a word before a waiting thread sleeps, or the first thread takes the others to be away: some tens of microseconds.
const SPINS: u32 = 4000;
/// Windows that the first thread runs alone after the others were away for the first time.
const FIRST_ALONE: u64 = 4096;
/// The most windows it runs alone before it tries again.
const MOST_ALONE: u64 = 1 << 20;

/// What the first thread and the others tell each other.
#[derive(Default)]
struct Board {
    /// Windows that have been shared: a change starts the others.
    round: AtomicUsize,
    end: AtomicU64,
    instructions: AtomicU64,
    is_over: AtomicBool,
    /// How many of the others have run the window.
    done: AtomicUsize,
    /// How cores came out: 1 trapped, 2 exhausted, 4 not drained.
    stops: AtomicU8,
    /// Threads that sleep, or are about to.
    asleep: AtomicUsize,
    /// One of them has panicked: nobody must wait for it.
    is_broken: AtomicBool,
}

/// Tells the board when its thread panics.
struct BreaksOnPanic<'b>(&'b Board);

impl Drop for BreaksOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.is_broken.store(true, SeqCst);
        }
    }
}

impl Board {
    fn add(&self, stops: Stops) {
        let bits = u8::from(stops.is_trapped) | u8::from(stops.is_exhausted) << 1 | u8::from(!stops.is_drained) << 2;
        self.stops.fetch_or(bits, SeqCst);
    }

    fn take_stops(&self) -> Stops {
        let bits = self.stops.swap(0, SeqCst);
        Stops { is_trapped: bits & 1 != 0, is_exhausted: bits & 2 != 0, is_drained: bits & 4 == 0 }
    }

    /// Starts the others on a window.
    fn start(&self, window: Window, others: &[Thread]) {
        self.end.store(window.end, SeqCst);
        self.instructions.store(window.instructions, SeqCst);
        self.done.store(0, SeqCst);
        self.next_round(others);
    }

    fn next_round(&self, others: &[Thread]) {
        self.round.fetch_add(1, SeqCst);
        if self.asleep.load(SeqCst) > 0 {
            others.iter().for_each(Thread::unpark);
        }
    }

    /// Waits until so many others have run the window; gives whether they were there at once, `None` if they never will be.
    fn wait_for(&self, others: usize) -> Option<bool> {
        let mut spins = 0;
        while self.done.load(SeqCst) < others {
            if self.is_broken.load(SeqCst) {
                return None;
            }
            spins += 1;
            if spins < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
        Some(spins < SPINS)
    }

    /// Waits for a round after `seen`.
    fn wait_after(&self, seen: usize) -> usize {
        for _ in 0..SPINS {
            let round = self.round.load(SeqCst);
            if round != seen {
                return round;
            }
            std::hint::spin_loop();
        }
        self.asleep.fetch_add(1, SeqCst);
        // The first thread changes the round before it looks who sleeps, so that it wakes whoever does not see the change; the
        // time limit is for a first thread that has panicked.
        let round = loop {
            let round = self.round.load(SeqCst);
            if round != seen || self.is_broken.load(SeqCst) {
                break round;
            }
            std::thread::park_timeout(Duration::from_millis(100));
        };
        self.asleep.fetch_sub(1, SeqCst);
        round
    }
}

/// Whether windows are shared, by how it went.
#[derive(Default)]
struct Sharing {
    /// Windows to be run alone before the next attempt.
    alone: u64,
    /// How many that will be the next time.
    next: u64,
}

impl Sharing {
    /// Whether the next window is to be tried together.
    fn is_on(&mut self) -> bool {
        let is_on = self.alone == 0;
        self.alone = self.alone.saturating_sub(1);
        is_on
    }

    /// Takes up whether the others were there at once.
    fn note(&mut self, were_there: bool) {
        if were_there {
            self.next = self.next.saturating_sub(1);
        } else {
            self.alone = self.next.clamp(FIRST_ALONE, MOST_ALONE);
            self.next = self.alone * 2;
        }
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
    let board = Board::default();
    std::thread::scope(|scope| {
        let board = &board;
        let start = |part| scope.spawn(move || work(part, memory, board)).thread().clone();
        let others: Vec<Thread> = parts[1..].iter().map(start).collect();
        let _guard = BreaksOnPanic(board);
        let mut sharing = Sharing::default();
        let outcome = loop {
            let window = run.next_window();
            let is_shared = run.awake() >= parts.len() * CORES_PER_THREAD && sharing.is_on();
            if is_shared {
                board.start(window, &others);
                board.add(window.run_cores(&mut lock(&parts[0]), memory, &mut Unwatched));
                match board.wait_for(others.len()) {
                    Some(were_there) => sharing.note(were_there),
                    None => break None,
                }
            }
            let mut guards: Vec<MutexGuard<'_, &mut [Seated<'_>]>> = parts.iter().map(lock).collect();
            let mut groups: Vec<&mut [Seated<'_>]> = guards.iter_mut().map(|guard| &mut ***guard).collect();
            if !is_shared {
                for group in &mut groups {
                    board.add(window.run_cores(group, memory, &mut Unwatched));
                }
            }
            if let Some(outcome) = run.meet(&mut groups, window, board.take_stops(), &mut Unwatched) {
                break Some(outcome);
            }
        };
        board.is_over.store(true, SeqCst);
        board.next_round(&others);
        outcome
    })
    .expect("a thread that panicked has ended the scope")
}

/// What every thread but the first does.
fn work(part: &Mutex<&mut [Seated<'_>]>, memory: &Memory, board: &Board) {
    let _guard = BreaksOnPanic(board);
    let mut round = 0;
    loop {
        round = board.wait_after(round);
        if board.is_over.load(SeqCst) || board.is_broken.load(SeqCst) {
            return;
        }
        let window = Window { end: board.end.load(SeqCst), instructions: board.instructions.load(SeqCst) };
        board.add(window.run_cores(&mut lock(part), memory, &mut Unwatched));
        board.done.fetch_add(1, SeqCst);
    }
}

fn lock<'l, 'p, 'a>(part: &'l Mutex<&'p mut [Seated<'a>]>) -> MutexGuard<'l, &'p mut [Seated<'a>]> {
    part.lock().expect("a thread that panics breaks the meeting first")
}
