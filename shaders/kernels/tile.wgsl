// The tile kernel: walks the triangles of one tile of the target and shades what they cover.
//
// One workgroup is one warp, and one warp is one tile. Colour and depth of the tile stay in workgroup memory while its
// triangles are walked, in the order they were drawn, and go out once (tile residency: Seiler et al., "Larrabee: A
// Many-Core x86 Architecture for Visual Computing", 2008).
//
// The lanes of the warp are the pixels of a *block*; four adjacent lanes are a quad of 2 x 2 pixels, which is what
// derivatives are made of:
//
//     lanes        4        8        16       32            lane in a quad    0 1
//     block       2x2      4x2      4x4      8x4                              2 3
//
// A tile is stored block by block: pixel `lane` of `block` is word `block * LANES + lane`. A word is only ever touched by
// its own lane, so no barrier is needed.
//
// Edge functions are exact integers, divided by the sub-pixel step on the host (raster/src/geometry/setup.rs); the
// fill rule is in them. Planes are rounded once on the host and evaluated here by explicit fused multiply-adds; no other
// operation may be contracted, or the reference rasterizer would no longer agree.

// ---- the machine, and how it divides a tile -------------------------------------------------------------------------

/// Lanes of a warp: 4, 8, 16 or 32.
override LANES: u32 = 16u;
override BLOCK_WIDTH_LOG2: u32 = 2u;
override BLOCK_HEIGHT_LOG2: u32 = 2u;
override TILE_SIDE_LOG2: u32 = 4u;
override TILE_PIXELS: u32 = 256u;
override TILE_BLOCKS: u32 = 16u;

// ---- pipeline state -------------------------------------------------------------------------------------------------

/// `Compare::code` of the depth test; 7 is "always".
override DEPTH_COMPARE: u32 = 7u;
override DEPTH_WRITE: bool = false;
/// Whether the fragment shader may discard. If it may, depth is still tested early, but written late.
override MAY_DISCARD: bool = false;
/// Whether the fragment shader samples textures.
override SAMPLES_TEXTURES: bool = false;
/// Two bits a texture stage: 0 no mip levels, 1 nearest, 2 linear.
override MIP_FILTERS: u32 = 0u;

const COMPARE_ALWAYS: u32 = 7u;

// ---- records, written by the host (shaders/src/tile_records.rs) ----------------------------------------------------

struct Pass {
    /// Words from one row of the targets to the next.
    pitch: u32,
    clear_color: u32,
    clear_depth: u32,
}

struct Tile {
    /// The top left pixel.
    x: u32,
    y: u32,
    /// Its entries: `first` up to, not including, `end`.
    first: u32,
    end: u32,
    /// `FRESH_COLOR`, `FRESH_DEPTH`.
    flags: u32,
}

/// Nothing was drawn here before: start from the clear value instead of loading.
const FRESH_COLOR: u32 = 1u;
const FRESH_DEPTH: u32 = 2u;

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
}

struct Draw {
    texture_bank: u32,
    first_resource: u32,
    first_sampling: u32,
}

/// What texture sampling asks about a stage.
struct SamplingState {
    width: u32,
    height: u32,
    levels: u32,
    mip_filter: u32,
    lod_min: f32,
    lod_max: f32,
    lod_bias: f32,
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
@group(0) @binding(8) var<storage, read_write> color_target: array<u32>;
/// Bits of f32: non-negative floats order like integers.
@group(0) @binding(9) var<storage, read_write> depth_target: array<u32>;

var<workgroup> tile_color: array<u32, TILE_PIXELS>;
var<workgroup> tile_depth: array<u32, TILE_PIXELS>;

// ---- the user's shader ----------------------------------------------------------------------------------------------

/// A pixel on its way through the pipeline.
struct Fragment {
    /// Window position of the pixel's centre, and window depth.
    x: f32,
    y: f32,
    z: f32,
    /// 1/w interpolated, and the inverse of that.
    q: f32,
    w: f32,
    /// From the triangle's anchor.
    dx: f32,
    dy: f32,
    /// The triangle's first plane.
    planes: u32,
    draw: u32,
    front: bool,
    /// False for a helper, which runs only for its neighbours' derivatives.
    live: bool,
}

struct Shaded {
    color: vec4<f32>,
    /// False if the fragment was discarded.
    keep: bool,
}

fn on_plane(plane: Plane, dx: f32, dy: f32) -> f32 {
    return fma(plane.dy, dy, fma(plane.dx, dx, plane.value));
}

/// A perspective-correct input; `slot` counts the shader's scalar inputs.
fn smooth_input(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.dx, f.dy) * f.w;
}

/// An input that is linear on the screen.
fn linear_input(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.dx, f.dy);
}

/// The first vertex's value, as bits.
fn flat_input(slot: u32, f: Fragment) -> u32 {
    return bitcast<u32>(planes[f.planes + slot].value);
}

/// Device address and byte length of a buffer the shader reads.
fn resource_range(index: u32, f: Fragment) -> vec2<u32> {
    return resources[draws[f.draw].first_resource + index];
}

fn sampling_state(stage: u32, f: Fragment) -> SamplingState {
    var state = samplings[draws[f.draw].first_sampling + stage];
    // A constant, so that the compiler drops what this filter does not need.
    state.mip_filter = (MIP_FILTERS >> (2u * stage)) & 3u;
    return state;
}

/// Intrinsic: selects the bank of texture stages that the warp samples from.
fn intrinsic_texture_bank(bank: u32) {}

/// The fragment shader. The linker replaces this body by the user's entry point, which may call any of the functions
/// above; they are called here too, so that none is dropped as unused before the linker comes.
fn shade(f: Fragment) -> Shaded {
    _ = linear_input(0u, f);
    _ = flat_input(0u, f);
    _ = resource_range(0u, f);
    _ = sampling_state(0u, f);
    return Shaded(vec4<f32>(smooth_input(0u, f), smooth_input(1u, f), smooth_input(2u, f), smooth_input(3u, f)), true);
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

/// The first pixel of a block, seen from the first pixel of the tile.
fn block_origin(block: u32) -> vec2<u32> {
    let row_log2 = TILE_SIDE_LOG2 - BLOCK_WIDTH_LOG2;
    return vec2<u32>((block & ((1u << row_log2) - 1u)) << BLOCK_WIDTH_LOG2, (block >> row_log2) << BLOCK_HEIGHT_LOG2);
}

/// A lane's pixel, seen from the first pixel of its block: quads go left to right, then down.
fn pixel_in_block(lane: u32) -> vec2<u32> {
    let quad = lane >> 2u;
    let quads_log2 = BLOCK_WIDTH_LOG2 - 1u;
    let quad_x = quad & ((1u << quads_log2) - 1u);
    let quad_y = quad >> quads_log2;
    return vec2<u32>((quad_x << 1u) | (lane & 1u), (quad_y << 1u) | ((lane >> 1u) & 1u));
}

/// Whether all three edge functions say "inside": none is negative.
fn is_inside(edges: vec3<i32>) -> bool {
    return (edges.x | edges.y | edges.z) >= 0;
}

// ---- one block of one triangle --------------------------------------------------------------------------------------

fn passes_depth_test(incoming: u32, stored: u32) -> bool {
    switch DEPTH_COMPARE {
        case 0u: { return false; }
        case 1u: { return incoming < stored; }
        case 2u: { return incoming == stored; }
        case 3u: { return incoming <= stored; }
        case 4u: { return incoming > stored; }
        case 5u: { return incoming != stored; }
        case 6u: { return incoming >= stored; }
        default: { return true; }
    }
}

/// Clamped, then the nearest of c * 255, ties to even (Vulkan, "Conversion From Floating-Point to Normalized
/// Fixed-Point").
fn pack_color(color: vec4<f32>) -> u32 {
    let bytes = vec4<u32>(round(clamp(color, vec4<f32>(0.0), vec4<f32>(1.0)) * 255.0));
    return (bytes.a << 24u) | (bytes.r << 16u) | (bytes.g << 8u) | bytes.b;
}

/// Depth test, shading, and writing of one block. `x` and `y` are the window position of this lane's pixel centre.
fn draw_block(block: u32, lane: u32, triangle: u32, covered: bool, x: f32, y: f32) {
    let at = block * LANES + lane;
    let dx = x - triangles[triangle].anchor_x;
    let dy = y - triangles[triangle].anchor_y;
    let z = on_plane(triangles[triangle].depth, dx, dy);
    let depth = bitcast<u32>(clamp(z, 0.0, 1.0));

    var live = covered;
    if DEPTH_COMPARE != COMPARE_ALWAYS {
        live = covered & passes_depth_test(depth, tile_depth[at]);
        if !subgroupAny(live) {
            return;
        }
    }
    if DEPTH_WRITE & !MAY_DISCARD {
        if live { tile_depth[at] = depth; }
    }

    let q = on_plane(triangles[triangle].inverse_w, dx, dy);
    let first_plane = triangles[triangle].first_plane;
    let is_front = triangles[triangle].is_front != 0u;
    let fragment = Fragment(x, y, z, q, 1.0 / q, dx, dy, first_plane, triangles[triangle].draw, is_front, live);
    let shaded = shade(fragment);

    let color = pack_color(shaded.color);
    if live & shaded.keep {
        tile_color[at] = color;
        if DEPTH_WRITE & MAY_DISCARD { tile_depth[at] = depth; }
    }
}

// ---- the walk -------------------------------------------------------------------------------------------------------

/// Draws the blocks of a tile that a triangle covers. `pixel` is this lane's pixel in any block, `x` and `y` the window
/// position of its centre in the tile's first block.
fn draw_entry(entry: Entry, lane: u32, pixel: vec2<u32>, x: f32, y: f32) {
    let triangle = entry.triangle;
    let step_x = triangles[triangle].step_x;
    let step_y = triangles[triangle].step_y;
    let edges = vec3<i32>(entry.edge_0, entry.edge_1, entry.edge_2);
    let in_block = step_x * i32(pixel.x) + step_y * i32(pixel.y);
    let first_block = entry.blocks & 0xffffu;
    let last_block = entry.blocks >> 16u;
    if SAMPLES_TEXTURES {
        intrinsic_texture_bank(draws[triangles[triangle].draw].texture_bank);
    }

    // Rounds of as many blocks as there are lanes: every lane judges one, then the warp walks those that are not empty.
    for (var round = first_block & ~(LANES - 1u); round <= last_block; round += LANES) {
        var corner = edges;
        var todo = 1u << (first_block - round);
        var full = 0u;
        var origin = block_origin(first_block);
        if first_block != last_block {
            let mine = round + lane;
            origin = block_origin(mine);
            corner = edges + step_x * i32(origin.x) + step_y * i32(origin.y);
            let is_touched = (mine < TILE_BLOCKS) & is_inside(corner + triangles[triangle].best);
            todo = subgroupBallot(is_touched).x;
            full = subgroupBallot(is_inside(corner + triangles[triangle].worst)).x;
        }
        while todo != 0u {
            let judge = countTrailingZeros(todo);
            todo &= todo - 1u;
            var covered = true;
            if ((full >> judge) & 1u) == 0u {
                let block_edges = vec3<i32>(
                    subgroupShuffle(corner.x, judge),
                    subgroupShuffle(corner.y, judge),
                    subgroupShuffle(corner.z, judge),
                );
                covered = is_inside(block_edges + in_block);
                if !subgroupAny(covered) {
                    continue;
                }
            }
            let block_x = x + f32(subgroupShuffle(origin.x, judge));
            let block_y = y + f32(subgroupShuffle(origin.y, judge));
            draw_block(round + judge, lane, triangle, covered, block_x, block_y);
        }
    }
}

// ---- the tile comes in and goes out ---------------------------------------------------------------------------------

/// Blocks side by side in a tile; as many rows of blocks as TILE_BLOCKS / this.
fn blocks_in_row() -> u32 {
    return 1u << (TILE_SIDE_LOG2 - BLOCK_WIDTH_LOG2);
}

/// `word` is where this lane's pixel of the tile's first block lies in the targets; in all three functions.
fn load_color(tile: Tile, lane: u32, word: u32) {
    if (tile.flags & FRESH_COLOR) != 0u {
        for (var block = 0u; block < TILE_BLOCKS; block++) {
            tile_color[block * LANES + lane] = frame.clear_color;
        }
        return;
    }
    var at = lane;
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            tile_color[at] = color_target[row + (column << BLOCK_WIDTH_LOG2)];
            at += LANES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

fn load_depth(tile: Tile, lane: u32, word: u32) {
    if (tile.flags & FRESH_DEPTH) != 0u {
        for (var block = 0u; block < TILE_BLOCKS; block++) {
            tile_depth[block * LANES + lane] = frame.clear_depth;
        }
        return;
    }
    var at = lane;
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            tile_depth[at] = depth_target[row + (column << BLOCK_WIDTH_LOG2)];
            at += LANES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

fn store_tile(lane: u32, word: u32) {
    var at = lane;
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            let to = row + (column << BLOCK_WIDTH_LOG2);
            color_target[to] = tile_color[at];
            if DEPTH_WRITE { depth_target[to] = tile_depth[at]; }
            at += LANES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

@compute @workgroup_size(LANES)
fn tile_main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let tile = tiles[group.x];
    let pixel = pixel_in_block(lane);
    let word = (tile.y + pixel.y) * frame.pitch + tile.x + pixel.x;

    load_color(tile, lane, word);
    if DEPTH_WRITE | (DEPTH_COMPARE != COMPARE_ALWAYS) {
        load_depth(tile, lane, word);
    }
    let x = f32(tile.x + pixel.x) + 0.5;
    let y = f32(tile.y + pixel.y) + 0.5;
    for (var i = tile.first; i < tile.end; i++) {
        draw_entry(entries[i], lane, pixel, x, y);
    }
    store_tile(lane, word);
}
