//! What a pass of the reference draws into: the words of its attachments.
//!
//! Before: the surfaces, whose words are taken out for the time of the pass. After: they go back.

use crate::format::DepthFormat;
use crate::screen::{Attached, View};

/// The words of a pass's attachments, laid out as surfaces are.
#[derive(Clone, Debug)]
pub struct Canvas {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Words from one row to the next.
    pub pitch: u32,
    /// Words of one sample of every pixel.
    pub plane_words: usize,
    /// What there is.
    pub attached: Attached,
    /// By `@location`.
    pub colors: Vec<Vec<u32>>,
    /// Depth and stencil; empty if there is none.
    pub depth: Vec<u32>,
}

impl Canvas {
    /// For a pass, its words still to be filled in.
    pub fn of(view: &View) -> Self {
        let first = view.first();
        let (width, height) = first.size();
        Self {
            width,
            height,
            pitch: first.pitch(),
            plane_words: first.plane_words(),
            attached: view.attached(),
            colors: Vec::new(),
            depth: Vec::new(),
        }
    }

    /// Where the word of a sample of a pixel lies.
    pub const fn index(&self, (x, y): (u32, u32), sample: u32) -> usize {
        sample as usize * self.plane_words + y as usize * self.pitch as usize + x as usize
    }

    /// What the depth words mean.
    pub fn depth_format(&self) -> DepthFormat {
        self.attached.depth.unwrap_or_default()
    }

    /// From the first word of a sample of depth and stencil to the second.
    pub const fn second_word(&self) -> usize {
        self.plane_words * self.attached.samples.count() as usize
    }
}
