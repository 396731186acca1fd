//! The third operand of a sample: which level, and in our own forms also which filter, layer and channel.
//!
//! Before: an instruction's operands. After: `footprint`, `sampler`. Vortex's form has the level alone; a word of the other two is
//!
//! ```text
//! bits 31:16   15:12              11:10                              9:8       7:6                5:0
//!      layer   banks ahead, 3:0   0 the stage's filter, 1 point,     channel   banks ahead, 5:4   level
//!                                 2 and 3 bilinear
//! ```
//!
//! Level and layer beyond the last act as the last. *Banks ahead* lets a warp reach 256 stages without changing its bank: the stage is
//! (bank + banks ahead) · 4 + the selector in the instruction.

use crate::stage::Filter;

/// The forms of a sample.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The third operand is a level (signed); the answer is a colour `0xAARRGGBB`. The form of Vortex.
    Level,
    /// The third operand is a [`Lookup`]; the answer is a colour `0xAARRGGBB`.
    Lookup,
    /// The third operand is a [`Lookup`]; the answer is one channel: an `f32`, or of integer formats an integer.
    Channel,
}

/// A third operand, taken apart.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookup {
    /// As [`crate::Stage::level`] takes it.
    pub level: u32,
    /// Replaces the stage's filter.
    pub filter: Option<Filter>,
    /// From 0.
    pub layer: u32,
    /// Red 0, green 1, blue 2, alpha 3.
    pub channel: u32,
    /// Banks from the warp's to the stage's, 0 to 63.
    pub banks_ahead: u32,
}

impl Lookup {
    /// Level bits of a word.
    pub const LEVEL: u32 = 0x3f;

    /// Takes an operand apart.
    #[inline(always)]
    pub fn of(form: Form, operand: u32) -> Self {
        match form {
            Form::Level => Self { level: operand, ..Self::default() },
            Form::Lookup | Form::Channel => Self {
                level: operand & Self::LEVEL,
                filter: Self::filter_of(operand),
                layer: operand >> 16,
                channel: operand >> 8 & 3,
                banks_ahead: operand >> 12 & 15 | operand >> 2 & 0x30,
            },
        }
    }

    /// The filter that a word asks for.
    #[inline(always)]
    pub const fn filter_of(word: u32) -> Option<Filter> {
        match word >> 10 & 3 {
            0 => None,
            1 => Some(Filter::Point),
            _ => Some(Filter::Bilinear),
        }
    }

    /// The word of [`Form::Lookup`] and [`Form::Channel`]; what is beyond its bits is cut off.
    pub const fn to_word(self) -> u32 {
        let filter = match self.filter {
            None => 0,
            Some(Filter::Point) => 1,
            Some(Filter::Bilinear) => 2,
        };
        (self.layer & 0xffff) << 16
            | (self.banks_ahead & 15) << 12
            | (self.banks_ahead & 0x30) << 2
            | filter << 10
            | (self.channel & 3) << 8
            | self.level & Self::LEVEL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_apart_as_it_was_put_together() {
        for word in (0..=0xffff_ffff_u32).step_by(0x3_3377) {
            let lookup = Lookup::of(Form::Lookup, word);
            // Code 3 is another name for 2.
            let expected = if word >> 10 & 3 == 3 { word & !0x400 } else { word };
            assert_eq!(lookup.to_word(), expected, "{word:#x}");
            assert_eq!(Lookup::of(Form::Channel, word), lookup);
        }
        assert_eq!(Lookup::of(Form::Level, u32::MAX), Lookup { level: u32::MAX, ..Lookup::default() });
        let lookup = Lookup { level: 3, filter: Some(Filter::Bilinear), layer: 7, channel: 2, banks_ahead: 37 };
        assert_eq!(lookup.to_word(), 0x0007_5a83);
    }
}
