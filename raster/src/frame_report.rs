//! What a frame took on the machine.
//!
//! Before: the device adds up its launches. After: overlays and reports.

use gpu_core::gpu::{LaunchReport, TimedReport};

/// What the last frame took, as far as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameReport {
    /// Lanes of a warp of the machine that drew it.
    pub lanes: u32,
    /// Vertices that WGSL shaders made, instances counted apart.
    pub vertices: u64,
    /// What of all that follows was spent on them.
    pub vertex_work: VertexWork,
    /// Triangles left after clipping and culling.
    pub triangles: u64,
    /// Triangles by tile.
    pub entries: u64,
    /// Tiles that were walked.
    pub tiles: u64,
    /// Kernel launches.
    pub launches: u64,
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// In timed mode: what the launches counted, added up.
    pub timed: Option<TimedReport>,
}

/// What making vertices took; a launch for each draw that has a vertex shader in WGSL.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct VertexWork {
    /// Kernel launches.
    pub launches: u64,
    /// Instructions that warps executed.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// In timed mode: how long the launches took.
    pub cycles: Option<u64>,
}

impl FrameReport {
    /// Adds what a launch did.
    pub(crate) fn add(&mut self, launch: &LaunchReport) {
        self.launches += 1;
        self.warp_instructions += launch.warp_instructions;
        self.lane_instructions += launch.lane_instructions;
        if let Some(more) = &launch.timed {
            self.timed.get_or_insert_default().add(more);
        }
    }

    /// Adds what a launch did that made vertices.
    pub(crate) fn add_vertex_launch(&mut self, launch: &LaunchReport) {
        self.add(launch);
        let work = &mut self.vertex_work;
        work.launches += 1;
        work.warp_instructions += launch.warp_instructions;
        work.lane_instructions += launch.lane_instructions;
        if let Some(timed) = &launch.timed {
            *work.cycles.get_or_insert_default() += timed.counters.cycles;
        }
    }
}
