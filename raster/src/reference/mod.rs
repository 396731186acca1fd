//! The pipeline in plain Rust, slow and obvious: what a reader reads first, and what the device must match.

use crate::frame::{Backend, Frame, RenderError};
use crate::target::Target;

/// Draws frames in plain Rust.
#[derive(Debug, Default)]
pub struct Reference {}

impl Reference {
    /// A reference rasterizer.
    pub fn new() -> Self {
        Self::default()
    }
}

impl Backend for Reference {
    fn render(&mut self, frame: &Frame) -> Result<Target, RenderError> {
        let color = crate::target::pack_color(frame.clear.color);
        let depth = crate::target::pack_depth(frame.clear.depth);
        Ok(Target::new(frame.width, frame.height, color, depth)?)
    }

    fn name(&self) -> &str {
        "reference"
    }
}
