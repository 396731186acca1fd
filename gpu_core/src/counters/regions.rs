//! Counters by region: which part of a kernel they were counted in.
//!
//! A kernel marks a region by writing its number to the control register `region`. A core is in one region at a time, the
//! one that any of its warps marked last, so that the regions' counters add up to the core's. It starts in region 0.

use super::CoreCounters;
use super::row::Block;
use crate::isa::csr::REGIONS;
use serde::{Deserialize, Serialize};

/// One core's counters by region.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regions {
    /// The region that is being counted.
    current: u32,
    /// The core's counters when it began.
    begun: CoreCounters,
    /// What the regions that were left have counted, with their numbers in ascending order.
    left: Vec<(u32, CoreCounters)>,
}

impl Regions {
    /// The core enters `region` (maybe the one it is in) while its counters stand at `now`.
    pub fn enter(&mut self, region: u32, now: &CoreCounters) {
        let region = region % REGIONS;
        if region == self.current {
            return;
        }
        let counted = now.since(&self.begun);
        let place = match self.left.binary_search_by_key(&self.current, |&(number, _)| number) {
            Ok(place) => place,
            Err(place) => {
                self.left.insert(place, (self.current, CoreCounters::default()));
                place
            }
        };
        self.left[place].1.add(&counted);
        self.current = region;
        self.begun = now.clone();
    }

    /// Each region with its counters, while the core's stand at `now`, in ascending order. A core that never marks one has
    /// region 0 alone.
    pub fn at(&self, now: &CoreCounters) -> Vec<(u32, CoreCounters)> {
        let mut all = self.clone();
        // Leaving for a region that is another one closes the last.
        all.enter(self.current + 1, now);
        all.left
    }
}
