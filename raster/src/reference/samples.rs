//! Stencil and depth of one sample in a canvas: their test, and what it leaves behind.
//!
//! Before: coverage, and shading where the test must come late. After: colour.

use super::canvas::Canvas;
use super::stencil;
use crate::depth_value::{DEPTH24_BITS, DEPTH24_MASK};
use crate::format::DepthFormat;
use crate::state::State;

/// Whether a fragment's tests leave something behind.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Writes {
    /// As the state says.
    AsStated,
    /// Nothing: the fragment may yet be dropped.
    None,
}

/// Depth (in the format's value) and stencil value of a pixel.
fn stored(canvas: &Canvas, at: usize) -> (u32, u8) {
    let word = canvas.depth[at];
    match canvas.depth_format() {
        DepthFormat::Depth16 | DepthFormat::Depth32Float => (word, 0),
        DepthFormat::Depth24Stencil8 => (word & DEPTH24_MASK, (word >> DEPTH24_BITS) as u8),
        DepthFormat::Depth32FloatStencil8 => (word, canvas.depth[canvas.second_word() + at] as u8),
    }
}

fn store(canvas: &mut Canvas, at: usize, depth: u32, stencil: u8) {
    match canvas.depth_format() {
        DepthFormat::Depth16 | DepthFormat::Depth32Float => canvas.depth[at] = depth,
        DepthFormat::Depth24Stencil8 => canvas.depth[at] = depth | u32::from(stencil) << DEPTH24_BITS,
        DepthFormat::Depth32FloatStencil8 => {
            let second = canvas.second_word() + at;
            canvas.depth[at] = depth;
            canvas.depth[second] = stencil.into();
        }
    }
}

/// Stencil test, then depth test, of a fragment at the pixel whose words lie at `at`: whether it passes both.
///
/// `references` are those of front and back, `incoming` is the fragment's depth as the format stores it.
pub fn test(
    state: &State,
    canvas: &mut Canvas,
    at: usize,
    incoming: u32,
    is_front: bool,
    references: [u8; 2],
    writes: Writes,
) -> bool {
    if canvas.depth.is_empty() {
        // Nothing to test; such a pass takes only pipelines that ask for nothing.
        return true;
    }
    let (depth, value) = stored(canvas, at);
    let (face, reference) =
        if is_front { (state.stencil.front, references[0]) } else { (state.stencil.back, references[1]) };
    let stencil_passes = stencil::passes(face, reference, value);
    let depth_passes = state.depth.compare.passes(incoming, depth);
    let passes = stencil_passes && depth_passes;
    if writes == Writes::AsStated {
        let new_depth = if passes && state.depth.write { incoming } else { depth };
        store(canvas, at, new_depth, stencil::updated(face, reference, value, depth_passes));
    }
    passes
}

/// Leaves a depth behind that was tested before; the stencil value stays.
pub fn store_depth(canvas: &mut Canvas, at: usize, depth: u32) {
    let (_, value) = stored(canvas, at);
    store(canvas, at, depth, value);
}
