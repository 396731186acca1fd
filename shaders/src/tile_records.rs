//! The records that the host's binning stage and the tile kernel (`kernels/tile/`) share.
//!
//! Before: `raster`'s host stages fill them. After: the tile kernel reads them. A test holds every offset against the
//! layout that naga gives the kernel's own declarations.

use bytemuck::{Pod, Zeroable};

use crate::diagnostic::CompileError;
use crate::front_end::Module;
use crate::interface::COLOR_TARGETS;

/// What texture sampling asks about a stage.
pub use crate::sampling_state::SamplingState as Sampling;

/// The files of the tile kernel, (name, text) each, in the order in which a reader meets them.
pub const TILE_KERNEL: &[(&str, &str)] = &[
    ("tile.wgsl", include_str!("../kernels/tile/tile.wgsl")),
    ("records.wgsl", include_str!("../kernels/tile/records.wgsl")),
    ("targets.wgsl", include_str!("../kernels/tile/targets.wgsl")),
    ("samples.wgsl", include_str!("../kernels/tile/samples.wgsl")),
    ("walk.wgsl", include_str!("../kernels/tile/walk.wgsl")),
    ("fragment.wgsl", include_str!("../kernels/tile/fragment.wgsl")),
    ("shade.wgsl", include_str!("../kernels/tile/shade.wgsl")),
    ("compare.wgsl", include_str!("../kernels/tile/compare.wgsl")),
    ("alpha.wgsl", include_str!("../kernels/tile/alpha.wgsl")),
    ("stencil.wgsl", include_str!("../kernels/tile/stencil.wgsl")),
    ("depth.wgsl", include_str!("../kernels/tile/depth.wgsl")),
    ("fog.wgsl", include_str!("../kernels/tile/fog.wgsl")),
    ("blend.wgsl", include_str!("../kernels/tile/blend.wgsl")),
    ("sampling.wgsl", include_str!("../kernels/tile/sampling.wgsl")),
];

/// Parses the tile kernel; its overrides are open.
pub fn tile_kernel() -> Result<Module, CompileError> {
    Module::parse_files("tile kernel", TILE_KERNEL)
}

/// What all tiles of a launch share.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Pass {
    /// Words from one row of the targets to the next.
    pub pitch: u32,
    /// Words from the plane of one sample to the next.
    pub plane: u32,
    /// The first word of depth and stencil.
    pub clear_depth: u32,
    /// The second word, where there is one.
    pub clear_stencil: u32,
    /// Words from the first word of a sample in the depth target to the second.
    pub stencil_plane: u32,
    /// 0xAARRGGBB, by colour target.
    pub clear_color: [u32; COLOR_TARGETS],
}

/// One tile, which is one workgroup.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Tile {
    /// Left pixel.
    pub x: u32,
    /// Top pixel.
    pub y: u32,
    /// Its first entry.
    pub first: u32,
    /// Past its last entry.
    pub end: u32,
    /// [`Tile::FRESH_COLOR`], [`Tile::FRESH_DEPTH`] and [`Tile::FRESH_STENCIL`].
    pub flags: u32,
}

impl Tile {
    /// Colour target 0 starts from the clear value; the next three bits say so of the others.
    pub const FRESH_COLOR: u32 = 1;
    /// The first word of depth and stencil starts from the clear value.
    pub const FRESH_DEPTH: u32 = Self::FRESH_COLOR << COLOR_TARGETS;
    /// The second word of depth and stencil starts from the clear value.
    pub const FRESH_STENCIL: u32 = 2 * Self::FRESH_DEPTH;
}

/// A triangle in a tile.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Entry {
    /// Index of its [`Triangle`].
    pub triangle: u32,
    /// First block it may touch, and last such block · 2^16. If they are the same, `edges` is the value at the first
    /// pixel of that block.
    pub blocks: u32,
    /// Edge functions at the first pixel of the tile (or block). One that accepts all of it is 2^30 − 1.
    pub edges: [i32; 3],
}

/// `fma(dy, y, fma(dx, x, value))`, x and y in pixels from the anchor.
#[derive(Copy, Clone, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Plane {
    /// At the anchor.
    pub value: f32,
    /// Change from a pixel to its right neighbour.
    pub dx: f32,
    /// Change from a pixel to the one below.
    pub dy: f32,
}

/// A triangle, whatever tiles it lies in; or a point, or a line.
///
/// A line is two parallel edges, one that holds everywhere, and its rectangle. A point has no edges, only a rectangle; a
/// round one has in the place of `step_x` its centre's x and y and its radius, in steps of 1/512 pixel.
#[derive(Copy, Clone, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Triangle {
    /// Change of the edge functions from a pixel to its right neighbour.
    pub step_x: [i32; 3],
    /// Index of its [`Draw`].
    pub draw: u32,
    /// Change of the edge functions from a pixel to the one below.
    pub step_y: [i32; 3],
    /// Index of its first [`Plane`].
    pub first_plane: u32,
    /// From a block's first pixel to where in the block each edge function is largest.
    pub best: [i32; 3],
    /// 1 if its front is seen, else 0.
    pub is_front: u32,
    /// From a block's first pixel to where in the block each edge function is smallest.
    pub worst: [i32; 3],
    /// The anchor of its planes, in pixels: x and y.
    pub anchor: [f32; 2],
    /// Window depth.
    pub depth: Plane,
    /// 1/w.
    pub inverse_w: Plane,
    /// The rectangle of pixels that may be drawn: first column and row …
    pub corner: [u32; 2],
    /// … and how many columns and rows.
    pub size: [u32; 2],
    /// WGSL rounds the size up to the alignment of `vec3`, 16 bytes.
    pub padding: u32,
}

/// What triangles of one draw share.
#[derive(Copy, Clone, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Draw {
    /// The bank of texture stages.
    pub texture_bank: u32,
    /// Index of its first buffer in the list of (address, byte length).
    pub first_resource: u32,
    /// Index of its first [`Sampling`].
    pub first_sampling: u32,
    /// Bits of an f32 in [0, 1].
    pub alpha_reference: u32,
    /// Of triangles that show their back, and their front.
    pub stencil_reference: [u32; 2],
    /// Red, green, blue in [0, 1].
    pub fog_color: [f32; 3],
    /// Where linear fog leaves nothing.
    pub fog_end: f32,
    /// What the distance is multiplied by.
    pub fog_scale: f32,
    /// The blend constant: red, green, blue, alpha in [0, 1].
    pub blend: [f32; 4],
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    /// Size in an array and (member, offset) pairs of a struct of the kernel.
    fn layout_of(module: &Module, name: &str) -> (u32, Vec<(String, u32)>) {
        let (_, ty) =
            module.naga.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name)).expect("the kernel declares it");
        let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
        let members = members.iter().map(|m| (m.name.clone().expect("WGSL members have names"), m.offset)).collect();
        (*span, members)
    }

    #[track_caller]
    fn check(name: &str, size: usize, offsets: &[(&str, usize)]) {
        let module = tile_kernel().expect("the tile kernel is valid");
        let expected = offsets.iter().map(|&(name, offset)| (name.to_owned(), offset as u32)).collect();
        assert_eq!(layout_of(&module, name), (size as u32, expected), "{name}");
    }

    #[test]
    fn records_lie_as_the_kernel_reads_them() {
        macro_rules! offsets {
            ($record:ty: $($member:ident),*) => { [$((stringify!($member), offset_of!($record, $member))),*] };
        }
        let color = offset_of!(Pass, clear_color);
        let names = [
            "clear_color_0",
            "clear_color_1",
            "clear_color_2",
            "clear_color_3",
            "clear_color_4",
            "clear_color_5",
            "clear_color_6",
            "clear_color_7",
        ];
        let colors: Vec<_> = names.into_iter().zip((color..).step_by(4)).collect();
        check(
            "Pass",
            size_of::<Pass>(),
            &[&offsets!(Pass: pitch, plane, clear_depth, clear_stencil, stencil_plane)[..], &colors].concat(),
        );
        check("Tile", size_of::<Tile>(), &offsets!(Tile: x, y, first, end, flags));
        check("Plane", size_of::<Plane>(), &offsets!(Plane: value, dx, dy));
        let before = offsets!(Draw: texture_bank, first_resource, first_sampling, alpha_reference, stencil_reference);
        let color = offset_of!(Draw, fog_color);
        let color = [("fog_red", color), ("fog_green", color + 4), ("fog_blue", color + 8)];
        let fog = offsets!(Draw: fog_end, fog_scale);
        let blend = offset_of!(Draw, blend);
        let channels = ["blend_red", "blend_green", "blend_blue", "blend_alpha"];
        let blend: Vec<_> = channels.into_iter().zip((blend..).step_by(4)).collect();
        check("Draw", size_of::<Draw>(), &[&before[..], &color, &fog, &blend].concat());
        let sampling = offsets!(
            Sampling: width, height, levels, layers, mip_filter, filters, channels, is_anisotropic, lod_min, lod_max, lod_bias, max_anisotropy,
                comparison, wrap_w, is_linear
        );
        check("SamplingState", size_of::<Sampling>(), &sampling);
        let edges = offset_of!(Entry, edges);
        let edges = [("edge_0", edges), ("edge_1", edges + 4), ("edge_2", edges + 8)];
        check("Entry", size_of::<Entry>(), &[&offsets!(Entry: triangle, blocks)[..], &edges].concat());
        let anchor = offset_of!(Triangle, anchor);
        let before = offsets!(Triangle: step_x, draw, step_y, first_plane, best, is_front, worst);
        let anchor = [("anchor_x", anchor), ("anchor_y", anchor + 4)];
        let after = offsets!(Triangle: depth, inverse_w);
        let rectangle = offset_of!(Triangle, corner);
        let rectangle = ["left", "top", "width", "height"].into_iter().zip((rectangle..).step_by(4));
        let rectangle: Vec<_> = rectangle.collect();
        check("Triangle", size_of::<Triangle>(), &[&before[..], &anchor, &after, &rectangle].concat());
    }

    #[test]
    fn the_kernel_can_be_specialised_for_every_machine_that_draws() {
        let module = tile_kernel().expect("the tile kernel is valid");
        for (lanes, width_log2, height_log2) in [(4u32, 1, 1), (8, 2, 1), (16, 2, 2), (32, 3, 2)] {
            let blocks = 256 / lanes;
            module
                .select(
                    "tile_main",
                    &[
                        ("LANES", lanes.into()),
                        ("BLOCK_WIDTH_LOG2", width_log2.into()),
                        ("BLOCK_HEIGHT_LOG2", height_log2.into()),
                        ("TILE_BLOCKS", blocks.into()),
                    ],
                )
                .expect("these are the machine shapes that draw");
        }
    }
}
