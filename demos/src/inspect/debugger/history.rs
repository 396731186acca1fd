//! Checkpoints of a launch: snapshots of the whole machine, from which any earlier cycle is reached again by running.

use gpu_core::gpu::Gpu;
use gpu_core::snapshot::RestoreError;

/// How many snapshots are kept.
const CAPACITY: usize = 48;
/// Cycles between two of them at first.
const FIRST_SPACING: u64 = 4096;

/// Snapshots by ascending cycle. When there are too many, every other one is dropped and the gaps double, so that memory is
/// bounded and the way back from any cycle is a fixed part of the way there.
#[derive(Clone, Debug)]
pub struct History {
    points: Vec<(u64, Vec<u8>)>,
    spacing: u64,
}

impl History {
    /// A history that begins with the machine as it stands.
    pub fn new(gpu: &Gpu) -> Self {
        Self { points: vec![(gpu.cycle(), gpu.snapshot())], spacing: FIRST_SPACING }
    }

    /// The cycle up to which the machine may run before [`History::note`] wants to see it.
    pub fn next_cycle(&self) -> u64 {
        self.points.last().map_or(0, |(cycle, _)| *cycle).saturating_add(self.spacing)
    }

    /// Keeps a snapshot if the last one is far enough behind.
    pub fn note(&mut self, gpu: &Gpu) {
        if gpu.cycle() < self.next_cycle() {
            return;
        }
        self.points.push((gpu.cycle(), gpu.snapshot()));
        if self.points.len() > CAPACITY {
            let mut index = 0;
            self.points.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            self.spacing *= 2;
        }
    }

    /// The first cycle that can be reached.
    pub fn first_cycle(&self) -> u64 {
        self.points[0].0
    }

    /// The machine at the last checkpoint at or before `cycle`, which is not before the first.
    ///
    /// # Errors
    /// The snapshot cannot be restored: a defect of the machine.
    pub fn before(&self, cycle: u64) -> Result<Gpu, RestoreError> {
        let past = self.points.partition_point(|(at, _)| *at <= cycle).max(1);
        Gpu::restore(&self.points[past - 1].1)
    }
}
