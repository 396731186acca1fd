// What host and tile kernel share: the machine's shape, records, bindings, and the memory of the resident tile.
//
// Before: the host fills these (shaders/src/tile_records.rs). After: every other file of the kernel.

/// Lanes of a warp: 4, 8, 16 or 32.
override LANES: u32 = 16u;
override BLOCK_WIDTH_LOG2: u32 = 2u;
override BLOCK_HEIGHT_LOG2: u32 = 2u;
override TILE_SIDE_LOG2: u32 = 4u;
override TILE_PIXELS: u32 = 256u;
/// Words of depth and stencil in a tile.
override TILE_DEPTH_WORDS: u32 = 256u;
override TILE_BLOCKS: u32 = 16u;
/// Samples of a pixel: 1 or 4.
override SAMPLES: u32 = 1u;
/// Words of the resident tile for one target, and for all colour targets.
override TILE_WORDS: u32 = 256u;
override COLOR_WORDS: u32 = 256u;

struct Pass {
    /// Words from one row of the targets to the next.
    pitch: u32,
    /// Words from the plane of one sample to the next.
    plane: u32,
    /// The first word of depth and stencil.
    clear_depth: u32,
    /// The second word, where there is one.
    clear_stencil: u32,
    /// Words from the first word of a sample in `depth_target` to the second.
    stencil_plane: u32,
    clear_color_0: u32,
    clear_color_1: u32,
    clear_color_2: u32,
    clear_color_3: u32,
    clear_color_4: u32,
    clear_color_5: u32,
    clear_color_6: u32,
    clear_color_7: u32,
}

struct Tile {
    /// The top left pixel.
    x: u32,
    y: u32,
    /// Its entries: `first` up to, not including, `end`.
    first: u32,
    end: u32,
    /// `FRESH_COLOR`, `FRESH_DEPTH`, `FRESH_STENCIL`.
    flags: u32,
}

/// Nothing was drawn here before: start from the clear value instead of loading. Bits 0 to 7 speak of the colour targets.
const FRESH_COLOR: u32 = 1u;
const FRESH_DEPTH: u32 = 256u;
/// Of the second word of depth and stencil.
const FRESH_STENCIL: u32 = 512u;

/// A triangle in a tile.
struct Entry {
    triangle: u32,
    /// First block of the tile it may touch; last such block in the upper half. If they are the same, `edges` holds for
    /// the first pixel of that block, else for the first pixel of the tile.
    blocks: u32,
    edge_0: i32,
    edge_1: i32,
    edge_2: i32,
}

struct Plane {
    value: f32,
    dx: f32,
    dy: f32,
}

/// Or a point, or a line: see tile_records.rs.
struct Triangle {
    /// What the three edge functions change by from a pixel to its right neighbour …
    step_x: vec3<i32>,
    draw: u32,
    /// … and to the one below.
    step_y: vec3<i32>,
    first_plane: u32,
    /// From a block's first pixel to the pixel of the block where an edge function is largest …
    best: vec3<i32>,
    is_front: u32,
    /// … and where it is smallest.
    worst: vec3<i32>,
    /// Where the planes are anchored, in pixels.
    anchor_x: f32,
    anchor_y: f32,
    depth: Plane,
    inverse_w: Plane,
    /// The pixels that may be drawn.
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

struct Draw {
    texture_bank: u32,
    first_resource: u32,
    first_sampling: u32,
    /// Bits of an f32 in [0, 1].
    alpha_reference: u32,
    /// Of triangles that show their back, and their front.
    stencil_reference: array<u32, 2>,
    fog_red: f32,
    fog_green: f32,
    fog_blue: f32,
    fog_end: f32,
    fog_scale: f32,
    blend_red: f32,
    blend_green: f32,
    blend_blue: f32,
    blend_alpha: f32,
}

@group(0) @binding(0) var<uniform> frame: Pass;
@group(0) @binding(1) var<storage, read> tiles: array<Tile>;
@group(0) @binding(2) var<storage, read> entries: array<Entry>;
@group(0) @binding(3) var<storage, read> triangles: array<Triangle>;
@group(0) @binding(4) var<storage, read> planes: array<Plane>;
@group(0) @binding(5) var<storage, read> draws: array<Draw>;
/// Address and byte length of the buffers that the draws' shaders read.
@group(0) @binding(6) var<storage, read> resources: array<vec2<u32>>;
@group(0) @binding(7) var<storage, read> samplings: array<SamplingState>;
/// 0xAARRGGBB, as the `tex` instruction returns it.
@group(0) @binding(8) var<storage, read_write> color_target_0: array<u32>;
/// Words of `DepthFormat`.
@group(0) @binding(9) var<storage, read_write> depth_target: array<u32>;
/// A word for each pixel, laid out like the targets; see MARKS_SHADED.
@group(0) @binding(10) var<storage, read_write> marks: array<u32>;
@group(0) @binding(12) var<storage, read_write> color_target_1: array<u32>;
@group(0) @binding(13) var<storage, read_write> color_target_2: array<u32>;
@group(0) @binding(14) var<storage, read_write> color_target_3: array<u32>;
@group(0) @binding(20) var<storage, read_write> color_target_4: array<u32>;
@group(0) @binding(21) var<storage, read_write> color_target_5: array<u32>;
@group(0) @binding(22) var<storage, read_write> color_target_6: array<u32>;
@group(0) @binding(23) var<storage, read_write> color_target_7: array<u32>;
/// What colour targets of several samples are averaged into.
@group(0) @binding(15) var<storage, read_write> resolved_target_0: array<u32>;
@group(0) @binding(16) var<storage, read_write> resolved_target_1: array<u32>;
@group(0) @binding(17) var<storage, read_write> resolved_target_2: array<u32>;
@group(0) @binding(18) var<storage, read_write> resolved_target_3: array<u32>;
@group(0) @binding(24) var<storage, read_write> resolved_target_4: array<u32>;
@group(0) @binding(25) var<storage, read_write> resolved_target_5: array<u32>;
@group(0) @binding(26) var<storage, read_write> resolved_target_6: array<u32>;
@group(0) @binding(27) var<storage, read_write> resolved_target_7: array<u32>;
/// Sixteen words a triangle: what its edges change by from a pixel's centre to its samples, three edges for each of four
/// samples; then left, top, width and height of the places that a point or a line takes, in steps of 1/512 pixel.
@group(0) @binding(19) var<storage, read> sample_deltas: array<i32>;

/// How to encode and decode sRGB: raster/src/srgb.rs.
@group(0) @binding(11) var<storage, read> srgb: array<u32>;

/// Target after target, `TILE_WORDS` words each; within a block sample after sample, `LANES` words each.
var<workgroup> tile_color: array<u32, COLOR_WORDS>;
/// Where a sample has two words of depth and stencil, the second ones follow the first ones, `TILE_WORDS` further on.
var<workgroup> tile_depth: array<u32, TILE_DEPTH_WORDS>;
