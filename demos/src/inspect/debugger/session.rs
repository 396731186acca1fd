//! One debugging session: the machine, where it can go back to, and what it stops at.
//!
//! Time is the only coordinate: every movement ends at a cycle, and the state at a cycle is the same however it was reached.

use gpu_core::config::{ConfigError, GpuConfig};
use gpu_core::gpu::{Gpu, LaunchError, Mode, RunState};
use gpu_core::observe::{Moment, TimedObserver};
use gpu_core::program::Program;
use gpu_core::retired::Retired;
use gpu_core::semantics::Warp;
use gpu_core::snapshot::RestoreError;
use gpu_core::trap::Trap;
use gpu_core::units::{Address, CoreId, WarpId};

use super::command::{COMMANDS, Command};
use super::history::History;
use super::place::{self, PlaceError};
use super::show;
use super::stops::{self, Condition, Hit, Stop};
use crate::load::{StoreError, write_atomically};

/// Why a command could not be done. The session goes on.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The place does not exist.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The program has ended.
    #[error("the program has ended; `back`, `rewind` and `goto` go back")]
    Ended,
    /// The program has trapped.
    #[error("the program has trapped: {0}; `back`, `rewind` and `goto` go back")]
    Trapped(Box<Trap>),
    /// The selected warp cannot execute anything any more.
    #[error("core {core} warp {warp} has ended; `warps` shows which live, `warp` selects one")]
    WarpEnded {
        /// Its core.
        core: CoreId,
        /// The warp.
        warp: WarpId,
    },
    /// The machine has no such warp.
    #[error("there is no core {core} warp {warp}: the machine has {cores} cores of {warps} warps, numbered from 0")]
    NoSuchWarp {
        /// The core.
        core: u32,
        /// The warp.
        warp: u32,
        /// How many cores there are.
        cores: u32,
        /// How many warps each has.
        warps: u32,
    },
    /// The cycle lies before the session's first.
    #[error("this session begins at cycle {first}, there is no way back to {cycle}")]
    TooEarly {
        /// What was asked for.
        cycle: u64,
        /// The first.
        first: u64,
    },
    /// No stop has the number.
    #[error("there is no stop {0}; `stops` lists them")]
    NoSuchStop(usize),
    /// Nothing can be watched.
    #[error("a watch is at least one byte long")]
    NoBytes,
    /// No register has the name.
    #[error("`{0}` is no register; write it like a0, x10, fa0, f10")]
    NoSuchRegister(String),
    /// Nothing is mapped there.
    #[error("no memory is at {0}")]
    NoMemory(Address),
    /// A file cannot be read.
    #[error("cannot read `{file}`: {cause}")]
    Read {
        /// The file.
        file: String,
        /// The system's reason.
        cause: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] StoreError),
    /// A file is no snapshot of a started timed machine.
    #[error("`{file}`: {cause}")]
    Snapshot {
        /// The file.
        file: String,
        /// Why.
        cause: RestoreError,
    },
    /// The snapshot holds no program.
    #[error("`{0}` holds no program that was started in timed mode")]
    NotStarted(String),
    /// A checkpoint of this session cannot be restored.
    #[error("a checkpoint cannot be restored")]
    Checkpoint(#[from] RestoreError),
}

/// Why a session cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// The machine is refused.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The program does not fit.
    #[error(transparent)]
    Launch(#[from] LaunchError),
}

/// Where the machine stands.
#[derive(Clone, Debug)]
enum Standing {
    Running,
    Ended,
    Trapped(Box<Trap>),
}

/// A machine under the debugger.
#[derive(Debug)]
pub struct Session {
    gpu: Gpu,
    history: History,
    standing: Standing,
    stops: Vec<Stop>,
    next_number: usize,
    core: CoreId,
    warp: WarpId,
}

/// Why the machine stopped moving.
#[derive(Debug)]
enum Arrival {
    Reached,
    Hit(Hit),
    Ended,
    Trapped(Box<Trap>),
}

/// Sees each issue; `found` says for which one the machine is to stop, at the start of its cycle.
struct Watcher<F> {
    wanted: F,
    hit: Option<Hit>,
}

impl<F: FnMut(u64, CoreId, WarpId, &Retired) -> Option<Hit>> TimedObserver for Watcher<F> {
    fn issued(&mut self, moment: Moment, warp: WarpId, _slot: u32, retired: &Retired) {
        let Moment { cycle, core } = moment;
        // Within a window cores are shown one after the other, so a later call may be an earlier cycle.
        if self.hit.as_ref().is_none_or(|hit| cycle < hit.cycle)
            && let Some(hit) = (self.wanted)(cycle, core, warp, retired)
        {
            self.hit = Some(hit);
        }
    }
}

impl Session {
    /// Starts a program on a timed machine and stops before its first cycle.
    pub fn begin(config: GpuConfig, program: &Program, argument: Address) -> Result<Self, BeginError> {
        let mut gpu = Gpu::new(config)?;
        gpu.set_mode(Mode::Timed);
        gpu.start(program, argument)?;
        Ok(Self::of_started(gpu))
    }

    /// A session on a machine that was started in timed mode.
    pub fn of_started(gpu: Gpu) -> Self {
        let history = History::new(&gpu);
        let (core, warp) = (CoreId(0), WarpId(0));
        Self { gpu, history, standing: Standing::Running, stops: Vec::new(), next_number: 1, core, warp }
    }

    /// The machine.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Does one command and says what there is to say, each line ended.
    pub fn execute(&mut self, command: &Command) -> Result<String, SessionError> {
        match command {
            Command::Step(count) => self.step(*count),
            Command::Cycle(count) => {
                self.must_run()?;
                let arrival = self.run_to(self.gpu.cycle().saturating_add(*count))?;
                Ok(self.arrived(arrival))
            }
            Command::Back(count) => self.back(*count),
            Command::Rewind(count) => {
                let first = self.history.first_cycle();
                self.seek(self.gpu.cycle().saturating_sub(*count).max(first))
            }
            Command::Goto(cycle) => self.seek(*cycle),
            Command::Continue => self.go_on(),
            Command::Break(text) => {
                let places = place::instructions(self.program(), text)?;
                Ok(self.add_stop(format!("break {text}"), Condition::Execution(places)))
            }
            Command::Watch { bytes: 0, .. } => Err(SessionError::NoBytes),
            Command::Watch { place: text, bytes } => {
                let start = place::address(self.program(), text)?;
                let text = format!("watch {text} {bytes}");
                Ok(self.add_stop(text, Condition::Change { start, bytes: *bytes }))
            }
            Command::Delete(number) => {
                let index = self.stops.iter().position(|stop| stop.number == *number);
                let stop = self.stops.remove(index.ok_or(SessionError::NoSuchStop(*number))?);
                Ok(format!("removed {}\n", stop.text))
            }
            Command::Stops => Ok(show::stops(&self.stops)),
            Command::Warp { core, warp } => self.select(core.unwrap_or(self.core.0.into()), *warp),
            Command::Where => Ok(self.whereabouts()),
            Command::Warps => Ok(show::warps(&self.gpu, self.core, self.warp)),
            Command::Stack => Ok(show::stack(self.program(), self.state())),
            Command::Barriers => Ok(show::barriers(&self.gpu)),
            Command::Registers(names) => show::registers(self.state(), self.gpu.config().lanes, names),
            Command::Memory { place, words } => self.memory(place, *words),
            Command::List => Ok(show::source(self.program(), self.state().pc)),
            Command::Disassemble { place, count } => {
                let start = match place {
                    Some(text) => place::address(self.program(), text)?,
                    None => self.state().pc,
                };
                show::code(&self.gpu, self.core, start, *count)
            }
            Command::Counters => Ok(show::counters(&self.gpu)),
            Command::Save(file) => {
                write_atomically(file, &self.gpu.snapshot())?;
                Ok(format!("cycle {} is in `{file}`\n", self.gpu.cycle()))
            }
            Command::Load(file) => self.load(file),
            Command::Help => Ok(help()),
            Command::Quit => Ok(String::new()),
        }
    }

    fn program(&self) -> &Program {
        self.gpu.program().expect("a session has a program")
    }

    fn state(&self) -> &Warp {
        &self.gpu.cores()[self.core.index()].warps[self.warp.index()]
    }

    /// An error unless the machine can move forwards.
    fn must_run(&self) -> Result<(), SessionError> {
        match &self.standing {
            Standing::Running => Ok(()),
            Standing::Ended => Err(SessionError::Ended),
            Standing::Trapped(trap) => Err(SessionError::Trapped(trap.clone())),
        }
    }

    fn step(&mut self, count: u64) -> Result<String, SessionError> {
        self.must_run()?;
        // When all warps have ended, the machine still drains: a step then leads to its end.
        let is_draining = self.gpu.cores().iter().all(|core| core.active_warps() == 0);
        if !self.state().is_alive() && !is_draining {
            return Err(SessionError::WarpEnded { core: self.core, warp: self.warp });
        }
        let (core, warp, mut left) = (self.core, self.warp, count);
        let arrival = self.run_until(move |cycle, at_core, at_warp, _| {
            if (at_core, at_warp) != (core, warp) {
                return None;
            }
            left = left.saturating_sub(1);
            // The instruction is executed in its cycle, so the machine stops after it.
            (left == 0).then(|| Hit { cycle: cycle + 1, core, warp, stops: Vec::new() })
        })?;
        Ok(self.arrived(arrival))
    }

    fn go_on(&mut self) -> Result<String, SessionError> {
        self.must_run()?;
        let (stops, now) = (self.stops.clone(), self.gpu.cycle());
        let arrival = self.run_until(|cycle, core, warp, retired| {
            // What is met in this very cycle is where it stands already.
            if cycle == now { None } else { stops::hit(&stops, cycle, core, warp, retired) }
        })?;
        if let Arrival::Hit(hit) = &arrival {
            (self.core, self.warp) = (hit.core, hit.warp);
        }
        Ok(self.arrived(arrival))
    }

    fn back(&mut self, count: u64) -> Result<String, SessionError> {
        let (core, warp) = (self.core, self.warp);
        let (mut end, mut left) = (self.gpu.cycle(), count);
        let first = self.history.first_cycle();
        // From the newest checkpoint backwards: run from each to the next, and count the warp's issues.
        while left > 0 && end > first {
            let mut past = self.history.before(end - 1)?;
            let start = past.cycle();
            let mut issues = Vec::new();
            let mut watcher = Watcher {
                wanted: |cycle, at_core, at_warp, _: &Retired| {
                    if (at_core, at_warp) == (core, warp) && cycle < end {
                        issues.push(cycle);
                    }
                    None
                },
                hit: None,
            };
            // A trap at the end of the stretch is where the session stands already.
            let _ = past.resume_cycles_observed(end - start, &mut watcher);
            let enough = (issues.len() as u64).checked_sub(left).map(|index| issues[index as usize]);
            end = enough.unwrap_or(start);
            left = if enough.is_some() { 0 } else { left - issues.len() as u64 };
        }
        self.seek(end)
    }

    /// Goes to a cycle, forwards or backwards, without regard to stops.
    fn seek(&mut self, cycle: u64) -> Result<String, SessionError> {
        let arrival = self.run_to(cycle)?;
        Ok(self.arrived(arrival))
    }

    fn run_to(&mut self, cycle: u64) -> Result<Arrival, SessionError> {
        let first = self.history.first_cycle();
        if cycle < first {
            return Err(SessionError::TooEarly { cycle, first });
        }
        if cycle < self.gpu.cycle() {
            self.gpu = self.history.before(cycle)?;
            self.standing = Standing::Running;
        }
        if cycle > self.gpu.cycle() {
            self.must_run()?;
        }
        while self.gpu.cycle() < cycle {
            let next = cycle.min(self.history.next_cycle().max(self.gpu.cycle() + 1));
            let outcome = self.gpu.resume_cycles(next - self.gpu.cycle());
            if let Some(arrival) = self.ended(outcome) {
                return Ok(arrival);
            }
            self.history.note(&self.gpu);
        }
        Ok(Arrival::Reached)
    }

    /// Runs on until `wanted` gives a hit, and stops at the start of the hit's cycle.
    fn run_until(
        &mut self,
        wanted: impl FnMut(u64, CoreId, WarpId, &Retired) -> Option<Hit>,
    ) -> Result<Arrival, SessionError> {
        let mut watcher = Watcher { wanted, hit: None };
        loop {
            let next = self.history.next_cycle().max(self.gpu.cycle() + 1);
            let outcome = self.gpu.resume_cycles_observed(next - self.gpu.cycle(), &mut watcher);
            if let Some(hit) = watcher.hit.take() {
                // A step that ends with the program or in a trap has nowhere further to go.
                return if hit.cycle <= self.gpu.cycle() || outcome.is_ok() {
                    let arrival = self.run_to(hit.cycle)?;
                    Ok(if matches!(arrival, Arrival::Reached) { Arrival::Hit(hit) } else { arrival })
                } else {
                    Ok(self.ended(outcome).expect("it has trapped"))
                };
            }
            if let Some(arrival) = self.ended(outcome) {
                return Ok(arrival);
            }
            self.history.note(&self.gpu);
        }
    }

    /// Takes note that the program has ended or trapped.
    fn ended(&mut self, outcome: Result<RunState, Box<Trap>>) -> Option<Arrival> {
        match outcome {
            Ok(RunState::Paused) => None,
            Ok(RunState::Ended) => {
                self.standing = Standing::Ended;
                Some(Arrival::Ended)
            }
            Err(trap) => {
                (self.core, self.warp) = (trap.core, trap.warp);
                self.standing = Standing::Trapped(trap.clone());
                Some(Arrival::Trapped(trap))
            }
        }
    }

    fn arrived(&self, arrival: Arrival) -> String {
        match arrival {
            Arrival::Reached => self.whereabouts(),
            Arrival::Hit(hit) => {
                let stops = self.stops.iter().filter(|stop| hit.stops.contains(&stop.number));
                let mut text: String = stops.map(|stop| format!("stop {}: {}\n", stop.number, stop.text)).collect();
                text.push_str(&self.whereabouts());
                text
            }
            Arrival::Ended => {
                let status = self.gpu.report().exit_status;
                format!("cycle {}: the program has ended with exit status {status}\n", self.gpu.cycle())
            }
            Arrival::Trapped(trap) => format!("cycle {}: trap: {trap}\n", self.gpu.cycle()),
        }
    }

    fn whereabouts(&self) -> String {
        show::whereabouts(&self.gpu, self.core, self.warp)
    }

    fn select(&mut self, core: u32, warp: u32) -> Result<String, SessionError> {
        let config = self.gpu.config();
        if core >= config.cores || warp >= config.warps {
            return Err(SessionError::NoSuchWarp { core, warp, cores: config.cores, warps: config.warps });
        }
        (self.core, self.warp) = (CoreId(core as u8), WarpId(warp as u8));
        Ok(self.whereabouts())
    }

    fn add_stop(&mut self, text: String, condition: Condition) -> String {
        let number = self.next_number;
        self.next_number += 1;
        let line = format!("stop {number}: {text}\n");
        self.stops.push(Stop { number, text, condition });
        line
    }

    fn memory(&self, text: &str, words: u32) -> Result<String, SessionError> {
        let start = match show::row_of(text) {
            Some(row) => Address(self.state().registers.row(row)[self.state().scalar_lane()]),
            None => place::address(self.program(), text)?,
        };
        show::memory(&self.gpu, self.core, Address(start.0 & !3), words)
    }

    fn load(&mut self, file: &str) -> Result<String, SessionError> {
        let name = || file.to_owned();
        let bytes = std::fs::read(file).map_err(|cause| SessionError::Read { file: name(), cause })?;
        let gpu = Gpu::restore(&bytes).map_err(|cause| SessionError::Snapshot { file: name(), cause })?;
        if gpu.program().is_none() || gpu.report().timed.is_none() {
            return Err(SessionError::NotStarted(name()));
        }
        // Breakpoints of another program would point anywhere.
        if gpu.program() != self.gpu.program() {
            self.stops.clear();
        }
        self.history = History::new(&gpu);
        self.gpu = gpu;
        self.standing = Standing::Running;
        (self.core, self.warp) = (CoreId(0), WarpId(0));
        Ok(self.whereabouts())
    }
}

fn help() -> String {
    let width = COMMANDS.iter().map(|(_, _, usage, _)| usage.len()).max().unwrap_or(0);
    let rows = COMMANDS.iter().map(|(_, short, usage, meaning)| format!("{usage:width$}  {short:>2}  {meaning}\n"));
    rows.collect()
}
