//! Heat maps: what a frame took on the machine, pixel by pixel.
//!
//! Before: a frame and a device. After: `render --heatmap`, and the window's overlay.
//! Nothing is estimated. The run is observed instruction by instruction (`watch`): the tile record that a warp loads says where it is,
//! the masks which lanes took part, and in timed runs each cycle of an issue slot belongs to the tile whose warp it was spent on.
//! Where pixels matter, the kernels also mark with a store which ones each block shades; then the addresses of `tex` say which
//! levels those pixels read. The picture has the same bits as without.

mod picture;
mod watch;

use gpu_core::gpu::Mode;
use raster::{Backend, Device, Frame, RenderError, Target};
use serde::Serialize;

pub use watch::HeatWatch;

/// What a heat map shows.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Fragments shaded for each pixel.
    Overdraw,
    /// The finest mip level that the last fragment of each pixel sampled.
    Mip,
    /// Of the lanes that shaded the quads of each place, the share that was there only for its neighbours' derivatives.
    Quads,
    /// Of the lanes of the instructions of each tile, the share that was masked off.
    Divergence,
    /// Cycles of each tile, divided by its pixels.
    Cycles,
}

impl Kind {
    /// All of them; the one that has to be timed last.
    pub const ALL: [Self; 5] = [Self::Overdraw, Self::Mip, Self::Quads, Self::Divergence, Self::Cycles];

    /// Its name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Overdraw => "overdraw",
            Self::Mip => "mip",
            Self::Quads => "quads",
            Self::Divergence => "divergence",
            Self::Cycles => "cycles",
        }
    }

    /// What a value says, with its unit.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Overdraw => "fragments shaded",
            Self::Mip => "mip level sampled",
            Self::Quads => "% of lanes that only help",
            Self::Divergence => "% of lanes masked off",
            Self::Cycles => "core cycles per pixel",
        }
    }

    /// Whether kernels have to mark what they shade; where they need not, they do not, so that no mark costs an instruction.
    pub const fn needs_marks(self) -> bool {
        matches!(self, Self::Overdraw | Self::Mip | Self::Quads)
    }

    /// Whether the frame has to be drawn in timed mode.
    pub const fn needs_time(self) -> bool {
        matches!(self, Self::Cycles)
    }

    /// The end of the scale; `None` if it is the largest value.
    const fn fixed_end(self) -> Option<f32> {
        match self {
            // Three of four lanes.
            Self::Quads => Some(75.0),
            Self::Overdraw | Self::Mip | Self::Divergence | Self::Cycles => None,
        }
    }
}

/// A value for each pixel of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What the values are.
    pub kind: Kind,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Row after row from the top; `None` where there is nothing to say.
    pub values: Vec<Option<f32>>,
    /// What the whole frame took.
    pub totals: Totals,
}

/// What the whole frame took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Instructions of warps.
    pub warp_instructions: u64,
    /// The same, each counted once for every active lane.
    pub lane_instructions: u64,
    /// Of the first, those that made vertices by WGSL shaders: before any tile, so on no pixel.
    pub vertex_warp_instructions: u64,
    /// What was shaded, where kernels marked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shaded: Option<ShadedTotals>,
    /// Where time went, if the frame was timed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slot_cycles: Option<SlotCycles>,
}

/// What was shaded.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ShadedTotals {
    /// Pixels with at least one fragment.
    pub pixels: u64,
    /// Fragments.
    pub fragments: u64,
    /// Lanes that helped them: their quad had a fragment, and they had none.
    pub helpers: u64,
}

/// Cycles of issue slots.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlotCycles {
    /// Spent on a tile.
    pub on_tiles: u64,
    /// Spent on vertices, with cores that had ended.
    pub on_vertices: u64,
    /// Spent on neither: cores that had ended, and the way to the first tile.
    pub on_none: u64,
}

/// The figures of a heat map for a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What the values are.
    pub kind: Kind,
    /// In words, with the unit.
    pub about: &'static str,
    /// The smallest value; `None` if there is none.
    pub least: Option<f32>,
    /// The mean over the pixels that have a value.
    pub mean: Option<f32>,
    /// The largest value.
    pub most: Option<f32>,
    /// The ends of the colour scale.
    pub scale: [f32; 2],
    /// Of the whole frame.
    pub totals: Totals,
}

impl HeatMap {
    /// The value of a pixel.
    ///
    /// # Panics
    /// If there is no such pixel.
    pub fn at(&self, x: u32, y: u32) -> Option<f32> {
        assert!(x < self.width, "a row has {} pixels", self.width);
        self.values[y as usize * self.width as usize + x as usize]
    }

    /// The last value of the colour scale, which begins at 0.
    pub fn scale_end(&self) -> f32 {
        let most = self.values.iter().flatten().fold(0.0f32, |most, value| most.max(*value));
        self.kind.fixed_end().unwrap_or(if most > 0.0 { most } else { 1.0 })
    }

    /// Its figures.
    pub fn summary(&self) -> Summary {
        let values = || self.values.iter().flatten().copied();
        let count = values().count();
        let sum: f64 = values().map(f64::from).sum();
        Summary {
            kind: self.kind,
            about: self.kind.about(),
            least: values().reduce(f32::min),
            mean: (count > 0).then(|| (sum / count as f64) as f32),
            most: values().reduce(f32::max),
            scale: [0.0, self.scale_end()],
            totals: self.totals,
        }
    }
}

/// Draws a frame and watches its picture. The device keeps the mode it has, but for a kind that needs time. Passes before the
/// picture have sizes and pixels of their own: they are drawn first, unwatched, and the device's report is of the picture.
///
/// # Errors
/// As for the frame without watching.
pub fn render(device: &mut Device, frame: &Frame, kind: Kind) -> Result<(Target, HeatMap), RenderError> {
    // What is refused is refused as a whole, before a pass is drawn.
    let tile_side = device.tile_side_of(frame)?;
    if !frame.passes.is_empty() {
        device.render(&Frame { draws: Vec::new(), ..frame.clone() })?;
    }
    let frame = &Frame { passes: Vec::new(), ..frame.clone() };
    let mut watch = HeatWatch::new(device, frame, tile_side);
    let mode = device.gpu().mode();
    if kind.needs_time() {
        device.gpu_mut().set_mode(Mode::Timed);
    }
    device.mark_shaded(kind.needs_marks());
    let outcome = device.render_by(frame, &mut watch);
    device.mark_shaded(false);
    device.gpu_mut().set_mode(mode);
    let target = outcome?;
    let map = watch.finish(kind);
    Ok((target, map))
}

#[cfg(test)]
mod tests;
