//! What goes from the vertex stage to the fragment shader: types and interpolation by location.
//!
//! WebGPU asks a fragment input for a vertex output of the same location, type and interpolation; a vertex shader may write
//! more than is read.

use std::fmt;

use naga::{ScalarKind, TypeInner};

use super::fragment::{FragmentInterface, InputSlot};
use super::vertex::VertexInterface;

/// How a scalar input comes from the three vertices.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Perspective-correct, WGSL's default for floats.
    Perspective,
    /// Linear on the screen.
    Linear,
    /// The first vertex's value, bit for bit; all integers.
    Flat,
}

/// Where in its pixel an input is interpolated. Without multisampling all three are the centre.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Point {
    /// The pixel's centre, also where the shader runs for each sample; WGSL's default.
    #[default]
    Center,
    /// A point that the triangle covers: the centre if all samples are covered, else the first covered sample.
    Centroid,
    /// The sample the shader runs for: it runs for each.
    Sample,
}

/// What the components of an input or output are; 32 bits each.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum NumericKind {
    /// `f32`.
    Float,
    /// `i32`.
    Sint,
    /// `u32`.
    Uint,
}

/// A scalar, or a vector of up to four: what a location can have.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct NumericType {
    /// Of its components.
    pub kind: NumericKind,
    /// 1 to 4.
    pub components: u32,
}

impl NumericType {
    /// The type, or what it is that no location has.
    pub(super) fn of(inner: &TypeInner) -> Result<Self, String> {
        let (scalar, components) = match *inner {
            TypeInner::Scalar(scalar) => (scalar, 1),
            TypeInner::Vector { size, scalar } => (scalar, size as u32),
            _ => return Err("this type".to_owned()),
        };
        if scalar.width != 4 {
            return Err("a scalar that is not 32 bits wide".to_owned());
        }
        let kind = match scalar.kind {
            ScalarKind::Sint => NumericKind::Sint,
            ScalarKind::Uint => NumericKind::Uint,
            _ => NumericKind::Float,
        };
        Ok(Self { kind, components })
    }
}

impl fmt::Display for NumericType {
    /// As WGSL writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scalar = match self.kind {
            NumericKind::Float => "f32",
            NumericKind::Sint => "i32",
            NumericKind::Uint => "u32",
        };
        if self.components == 1 { f.write_str(scalar) } else { write!(f, "vec{}<{scalar}>", self.components) }
    }
}

/// What stands at a location between the two stages.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Varying {
    /// `@location`.
    pub location: u32,
    /// Its type.
    pub ty: NumericType,
    /// How values between vertices are made.
    pub interpolation: Interpolation,
    /// Where; has no meaning for flat ones.
    pub point: Point,
}

impl Varying {
    /// What a declaration says, or what it is that is not supported.
    pub(super) fn of(
        location: u32,
        inner: &TypeInner,
        interpolation: Option<naga::Interpolation>,
        sampling: Option<naga::Sampling>,
    ) -> Result<Self, String> {
        let ty = NumericType::of(inner)?;
        let interpolation = match (ty.kind, interpolation) {
            (NumericKind::Sint | NumericKind::Uint, _) => Interpolation::Flat,
            (_, None | Some(naga::Interpolation::Perspective)) => Interpolation::Perspective,
            (_, Some(naga::Interpolation::Linear)) => Interpolation::Linear,
            (_, Some(naga::Interpolation::Flat)) => Interpolation::Flat,
            (_, Some(naga::Interpolation::PerVertex)) => return Err("per-vertex interpolation".to_owned()),
        };
        let point = match sampling {
            _ if interpolation == Interpolation::Flat => Point::Center,
            Some(naga::Sampling::Centroid) => Point::Centroid,
            Some(naga::Sampling::Sample) => Point::Sample,
            _ => Point::Center,
        };
        Ok(Self { location, ty, interpolation, point })
    }

    /// Its scalars as a fragment shader's input slots.
    pub(super) fn slots(&self) -> impl Iterator<Item = InputSlot> {
        let Self { location, ty, interpolation, point } = *self;
        (0..ty.components).map(move |component| InputSlot { location, component, interpolation, point })
    }

    /// Type and interpolation in words.
    fn in_words(&self) -> String {
        let how = match self.interpolation {
            Interpolation::Perspective => "perspective",
            Interpolation::Linear => "linear",
            Interpolation::Flat => "flat",
        };
        let at = match self.point {
            Point::Center => "",
            Point::Centroid => ", centroid",
            Point::Sample => ", sample",
        };
        format!("{} ({how}{at})", self.ty)
    }
}

/// A fragment shader's input that its vertex shader does not give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the fragment shader reads location {location} as {read}, the vertex shader {}",
    written.as_ref().map_or("does not write it".to_owned(), |written| format!("writes {written}")))]
pub struct VaryingMismatch {
    /// `@location`.
    pub location: u32,
    /// What the fragment shader declares.
    pub read: String,
    /// What the vertex shader declares, if anything.
    pub written: Option<String>,
}

impl FragmentInterface {
    /// Holds the inputs against a vertex shader's outputs. The location `but`, if any, is not the vertex shader's business.
    pub fn check_vertex(&self, vertex: &VertexInterface, but: Option<u32>) -> Result<(), VaryingMismatch> {
        for read in self.varyings.iter().filter(|read| Some(read.location) != but) {
            let written = vertex.varyings.iter().find(|written| written.location == read.location);
            if written != Some(read) {
                let (location, written) = (read.location, written.map(Varying::in_words));
                return Err(VaryingMismatch { location, read: read.in_words(), written });
            }
        }
        Ok(())
    }
}
