//! Whether what a snapshot holds can be a core of this machine, so that damaged bytes are refused and do not panic later.

use super::commit::NO_REGISTER;
use super::core::{Core, Event};
use crate::config::GpuConfig;
use crate::units::ThreadMask;

impl Event {
    /// Whether it is one of a core with so many warps.
    fn is_of(&self, warps: usize) -> bool {
        let all = ThreadMask::first(warps as u32).0 as u32;
        let is_register = |register: u8| register <= NO_REGISTER;
        match *self {
            Self::Fetched { warp } => usize::from(warp) < warps,
            Self::Result { warp, register } => usize::from(warp) < warps && is_register(register),
            Self::Answer { token, .. } => ((token & 31) as usize) < warps && is_register((token >> 5 & 127) as u8),
            Self::Control { warp, register, resumed, released, .. } => {
                usize::from(warp) < warps && is_register(register) && (resumed | released) & !all == 0
            }
        }
    }
}

impl Core {
    /// Whether what a snapshot holds is core `index` of this machine, with these warps alive.
    pub fn check(&self, index: usize, config: &GpuConfig, alive: u32) -> Result<(), &'static str> {
        let holds = |is_so: bool, what| if is_so { Ok(()) } else { Err(what) };
        let (warps, slices) = (config.warps as usize, config.timing.issue.width as usize);
        holds(self.id.index() == index && self.config == *config, "a core in time is not of this machine")?;
        let mut slice_of = self.slice_of.iter().enumerate();
        holds(slice_of.all(|(warp, &slice)| warp % slices == usize::from(slice)), "a warp has another slice")?;
        holds(self.slices == slices, "a core has another number of issue slices")?;
        holds(self.last_issued.iter().all(|&warp| warp < 32), "a slice issued for a warp that does not exist")?;
        holds(self.front_end.is_of(warps), "a core has another number of warps in time")?;
        holds(self.commit.is_of(warps), "counts of a core are damaged")?;
        holds(self.units.is_of(slices), "a core has other function units")?;
        let all = ThreadMask::first(config.warps).0 as u32;
        let masks = self.scheduler.active | self.scheduler.visible | self.scheduler.barrier | self.ready | self.held;
        holds(masks & !all == 0 && self.front_end.warps() & !all == 0, "a warp that does not exist is timed")?;
        holds(self.front_end.buffered & !alive == 0, "a warp that has ended has instructions")?;
        holds(self.ready & !self.front_end.buffered == 0, "a warp without an instruction is ready")?;
        holds(self.calendar.entries().all(|event| event.is_of(warps)), "an event is none of this core's")
    }
}
