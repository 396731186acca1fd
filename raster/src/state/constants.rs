//! The values of the fragment path that may change from draw to draw: references, the blend constant, fog.
//!
//! Before: a scene writes them down, as a field of `Dynamic`. After: `records::Draw`, and the reference rasterizer; both
//! take [`Constants::prepared`], so that what is computed once for a draw is computed in one place.

use super::fog::FogMode;
use crate::unit_range::saturate;

/// Colour and figures of fog.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Fog {
    /// Red, green, blue; clamped to [0, 1].
    pub color: [f32; 3],
    /// `FogMode::Linear`: up to here there is none.
    pub start: f32,
    /// `FogMode::Linear`: from here on there is nothing else. May lie before `start`: then near things are hidden.
    pub end: f32,
    /// `FogMode::Exp` and `Exp2`; not negative.
    pub density: f32,
}

impl Fog {
    /// The values OpenGL starts with.
    pub const DEFAULT: Self = Self { color: [0.0; 3], start: 0.0, end: 1.0, density: 1.0 };
}

/// The values of one draw that its pipeline's fragment path reads, as far as its state uses them.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Constants {
    /// What alpha is compared with; clamped to [0, 1].
    pub alpha_reference: f32,
    /// What stored stencil values are compared with and replaced by, front and back. Clamped to 255, as `glStencilFunc`
    /// does.
    pub stencil_reference: [u32; 2],
    /// Red, green, blue, alpha; clamped to [0, 1].
    pub blend: [f32; 4],
    /// Fog.
    pub fog: Fog,
}

/// A constant that has no meaning.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConstantsError {
    /// Infinite, or not a number.
    #[error("the {what} is {value}; it must be finite")]
    NotFinite {
        /// Which value.
        what: &'static str,
        /// What it is.
        value: f32,
    },
    /// OpenGL ES 1.1, `glFog`: `GL_INVALID_VALUE`.
    #[error("the fog's density is {density}; it must not be negative")]
    Density {
        /// What it is.
        density: f32,
    },
}

/// [`Constants`] clamped, with what depends on them alone.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Prepared {
    /// Bits of an f32 in [0, 1].
    pub alpha_reference: u32,
    /// Front and back.
    pub stencil_reference: [u8; 2],
    /// In [0, 1].
    pub blend: [f32; 4],
    /// In [0, 1].
    pub fog_color: [f32; 3],
    /// `FogMode::Linear`: where nothing is left.
    pub fog_end: f32,
    /// What the distance is multiplied by: 1 / (end − start); −density · log₂ e; density · √log₂ e.
    pub fog_scale: f32,
}

impl Constants {
    /// Zeros, and OpenGL's fog.
    pub const DEFAULT: Self =
        Self { alpha_reference: 0.0, stencil_reference: [0; 2], blend: [0.0; 4], fog: Fog::DEFAULT };

    /// The same stencil reference for both sides.
    pub const fn with_stencil_reference(mut self, reference: u32) -> Self {
        self.stencil_reference = [reference; 2];
        self
    }

    /// Refuses values that have no meaning.
    pub fn check(&self) -> Result<(), ConstantsError> {
        let [red, green, blue, alpha] = self.blend;
        let Fog { color, start, end, density } = self.fog;
        let values = [
            ("alpha reference", self.alpha_reference),
            ("blend constant's red", red),
            ("blend constant's green", green),
            ("blend constant's blue", blue),
            ("blend constant's alpha", alpha),
            ("fog's red", color[0]),
            ("fog's green", color[1]),
            ("fog's blue", color[2]),
            ("fog's start", start),
            ("fog's end", end),
            ("fog's density", density),
        ];
        if let Some((what, value)) = values.into_iter().find(|(_, value)| !value.is_finite()) {
            return Err(ConstantsError::NotFinite { what, value });
        }
        if density < 0.0 {
            return Err(ConstantsError::Density { density });
        }
        Ok(())
    }

    /// What the rasterizers read. `mode` is the pipeline's.
    pub fn prepared(&self, mode: FogMode) -> Prepared {
        let fog = self.fog;
        // log₂ e and its square root; the products are rounded once.
        let scaled = |factor: f64| (f64::from(fog.density) * factor) as f32;
        let fog_scale = match mode {
            FogMode::Off => 0.0,
            // Where start = end this is infinite, and the factor becomes a step.
            FogMode::Linear => (1.0 / (f64::from(fog.end) - f64::from(fog.start))) as f32,
            FogMode::Exp => scaled(-std::f64::consts::LOG2_E),
            FogMode::Exp2 => scaled(1.201_122_408_786_449_8),
        };
        Prepared {
            alpha_reference: saturate(self.alpha_reference).to_bits(),
            stencil_reference: self.stencil_reference.map(|reference| reference.min(255) as u8),
            blend: self.blend.map(saturate),
            fog_color: fog.color.map(saturate),
            fog_end: fog.end,
            fog_scale,
        }
    }
}

impl Default for Constants {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_without_meaning_are_refused_by_name() {
        let message = |constants: Constants| constants.check().expect_err("it has no meaning").to_string();
        let fog = |fog| Constants { fog, ..Constants::DEFAULT };
        assert_eq!(Constants::DEFAULT.check(), Ok(()));
        assert_eq!(
            message(fog(Fog { density: -0.5, ..Fog::DEFAULT })),
            "the fog's density is -0.5; it must not be negative"
        );
        assert_eq!(message(fog(Fog { end: f32::INFINITY, ..Fog::DEFAULT })), "the fog's end is inf; it must be finite");
        let nan = Constants { blend: [0.0, 0.0, f32::NAN, 0.0], ..Constants::DEFAULT };
        assert_eq!(message(nan), "the blend constant's blue is NaN; it must be finite");
        let nan = Constants { alpha_reference: f32::NAN, ..Constants::DEFAULT };
        assert_eq!(message(nan), "the alpha reference is NaN; it must be finite");
    }

    #[test]
    fn references_and_colours_are_clamped() {
        let constants = Constants {
            alpha_reference: 2.0,
            stencil_reference: [256, 7],
            blend: [-1.0, 0.5, 3.0, -0.0],
            fog: Fog { color: [9.0, -9.0, 0.25], ..Fog::DEFAULT },
        };
        let prepared = constants.prepared(FogMode::Off);
        assert_eq!(prepared.alpha_reference, 1.0f32.to_bits());
        assert_eq!(prepared.stencil_reference, [255, 7]);
        assert_eq!(prepared.blend, [0.0, 0.5, 1.0, 0.0]);
        assert_eq!(prepared.fog_color, [1.0, 0.0, 0.25]);
        let negative = Constants { alpha_reference: -1.0, ..Constants::DEFAULT };
        assert_eq!(negative.prepared(FogMode::Off).alpha_reference, 0);
    }
}
