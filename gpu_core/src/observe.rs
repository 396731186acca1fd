//! The one hook: who wants to see each retired instruction.
//!
//! Before: the run loop. After: traces, profiles, race checks, tests. An observer sees what `Retired` holds and
//! nothing else of the machine, and cannot change it.

use crate::retired::Retired;
use crate::units::{CoreId, WarpId};

/// Sees every instruction, in the order in which the run loop executes them, after its request was served.
pub trait Observer {
    /// `retired` was executed by this warp of this core. The record is reused for the next one.
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired);
}

/// A closure is an observer.
impl<F: FnMut(CoreId, WarpId, &Retired)> Observer for F {
    fn retired(&mut self, core: CoreId, warp: WarpId, retired: &Retired) {
        self(core, warp, retired);
    }
}
