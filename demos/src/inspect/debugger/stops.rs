//! Breakpoints and watched bytes, and the observer that finds the first cycle in which one of them is met.

use gpu_core::retired::{Effect, Retired};
use gpu_core::trap::AccessKind;
use gpu_core::units::{Address, CoreId, WarpId};

/// One thing to stop at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// Its number, never used again in a session.
    pub number: usize,
    /// As it was typed.
    pub text: String,
    /// What it waits for.
    pub condition: Condition,
}

/// What a stop waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// An instruction at one of these addresses.
    Execution(Vec<Address>),
    /// A store or atomic that touches one of these bytes.
    Change {
        /// The first.
        start: Address,
        /// How many, at least 1.
        bytes: u32,
    },
}

impl Condition {
    /// Whether this instruction meets it.
    pub fn is_met_by(&self, retired: &Retired) -> bool {
        match self {
            Self::Execution(places) => places.contains(&retired.pc),
            Self::Change { start, bytes } => {
                let access = &retired.access;
                let changes = retired.effect == Effect::Memory && access.kind != AccessKind::Load;
                changes
                    && retired.mask.lanes().any(|lane| {
                        let first = u64::from(access.addresses[lane]);
                        let watched = u64::from(start.0);
                        first < watched + u64::from(*bytes) && watched < first + u64::from(access.bytes)
                    })
            }
        }
    }
}

/// A stop that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The cycle in which the instruction was issued; nothing of it has been executed when that cycle begins.
    pub cycle: u64,
    /// The core.
    pub core: CoreId,
    /// The warp.
    pub warp: WarpId,
    /// Numbers of the stops, ascending.
    pub stops: Vec<usize>,
}

/// Whether any of `stops` is met by this instruction.
pub fn hit(stops: &[Stop], cycle: u64, core: CoreId, warp: WarpId, retired: &Retired) -> Option<Hit> {
    let met = stops.iter().filter(|stop| stop.condition.is_met_by(retired)).map(|stop| stop.number);
    let stops: Vec<usize> = met.collect();
    (!stops.is_empty()).then_some(Hit { cycle, core, warp, stops })
}
