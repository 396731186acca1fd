//! What lanes of a warp read of one another in the fast engine.
//!
//! Before: `interpret` has found the instruction. After: the destination register as the plain engine leaves it.

use super::frame::{Frame, MAX_CHUNKS, each_row};
use super::lanes::{Host, map1, ones_if};
use super::operation::Operation;
use crate::isa::table::Op;

impl<const LANES: usize, const CHUNKS: usize> Frame<'_, LANES, CHUNKS> {
    /// `shfl.*`. Kernels mostly read one lane in all, which is a copy of that lane's value.
    #[inline(always)]
    pub fn shuffle<H: Host, const MASKED: bool>(&mut self, o: &Operation) {
        let control = self.scalar(o.rs2);
        let (b, clamp, segment) = (control & 63, control >> 6 & 63, control >> 12 & 63);
        let is_readable = segment == 0 && b <= clamp && b < 32 && self.active >> (b & 31) & 1 != 0;
        if o.op == Op::ShflIdx && is_readable {
            let mut different = 0;
            for chunk in 0..self.chunks() {
                let row = map1(self.row(o.rs2, chunk), |other| ones_if(other != control));
                different |= H::top_bits(&row) << (chunk * LANES);
            }
            if different & self.active::<MASKED>() == 0 {
                let value = self.row(o.rs1, b as usize / LANES)[b as usize % LANES];
                return self.splat::<MASKED>(o.rd, value);
            }
        }
        self.shuffle_lanes::<MASKED>(o);
    }

    /// `shfl.*`: rs2 is segment mask << 12 | clamp << 6 | b, read in the lane that it steers.
    #[inline(always)]
    fn shuffle_lanes<const MASKED: bool>(&mut self, o: &Operation) {
        let active = self.active::<MASKED>();
        let chunks = self.chunks();
        let mut values = [0; MAX_CHUNKS * 4];
        for chunk in 0..chunks {
            values[chunk * LANES..][..LANES].copy_from_slice(self.row(o.rs1, chunk));
        }
        let mut result = [[0; LANES]; MAX_CHUNKS];
        for chunk in 0..chunks {
            let controls = *self.row(o.rs2, chunk);
            for (index, control) in controls.into_iter().enumerate() {
                let lane = (chunk * LANES + index) as u32;
                let (b, clamp, segment) = (control & 63, control >> 6 & 63, control >> 12 & 63);
                let first = lane & segment;
                let last = first | clamp & !segment;
                // Signed where a difference may fall below lane 0: as a huge number it is no lane.
                let (from, is_inside) = match o.op {
                    Op::ShflUp => (lane.wrapping_sub(b), lane as i32 - b as i32 >= last as i32),
                    Op::ShflDown => (lane + b, lane + b <= last),
                    Op::ShflBfly => (lane ^ b, lane ^ b <= last),
                    _ => (first | b & !segment, first | b & !segment <= last),
                };
                let is_readable = is_inside && from < 32 && active >> (from & 31) & 1 != 0;
                let from = if is_readable { from } else { lane };
                result[chunk % MAX_CHUNKS][index] = values[from as usize % values.len()];
            }
        }
        each_row!(self, MASKED, o.rd, chunk => result[chunk % MAX_CHUNKS]);
    }
}
