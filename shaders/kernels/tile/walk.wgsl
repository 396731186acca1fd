// The walk: which blocks of the tile a triangle covers.
//
// Before: tile.wgsl, entry by entry. After: fragment.wgsl draws each block.

/// Whether a triangle's rectangle may leave out what its edges hold: lines, points, and what a scissor or viewport cuts.
override HAS_RECTANGLES: bool = false;
/// Points have none.
override HAS_EDGES: bool = true;
/// Round points.
override HAS_DISCS: bool = false;
/// Points and lines whose samples are asked one by one.
override HAS_PLACES: bool = false;

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

/// Whether a pixel of the target lies in a triangle's rectangle.
fn is_in_rectangle(triangle: u32, at: vec2<u32>) -> bool {
    // What lies before the first column or row wraps round to a large number.
    return (at.x - triangles[triangle].left < triangles[triangle].width) &
        (at.y - triangles[triangle].top < triangles[triangle].height);
}

/// Whether a place of its rectangle lies in a round point; `at` is in steps of 1/512 pixel. Exact: see `Disc::holds` in
/// raster/src/geometry/extent.rs.
fn is_in_disc(triangle: u32, at: vec2<u32>) -> bool {
    let disc = triangles[triangle].step_x;
    let from_center = vec3<i32>(i32(at.x) - disc.x, i32(at.y) - disc.y, disc.z);
    let h = from_center >> vec3<u32>(10u);
    let l = from_center & vec3<i32>(1023);
    let high = h.x * h.x + h.y * h.y - h.z * h.z;
    let middle = 2 * (h.x * l.x + h.y * l.y - h.z * l.z);
    let low = l.x * l.x + l.y * l.y - l.z * l.z;
    let sum = high * 1024 + middle + (low >> 10u);
    return (sum < 0) | ((sum == 0) & ((low & 1023) == 0));
}

/// Whether a triangle may cover a pixel of a block. `corner` are the edges at the block's first pixel, which is `at`.
fn touches_block(triangle: u32, corner: vec3<i32>, at: vec2<u32>) -> bool {
    var is_touched = true;
    if HAS_EDGES {
        is_touched = is_inside(corner + triangles[triangle].best);
    }
    if HAS_RECTANGLES {
        let right = (1u << BLOCK_WIDTH_LOG2) - 1u;
        let down = (1u << BLOCK_HEIGHT_LOG2) - 1u;
        is_touched = is_touched &
            (at.x + right - triangles[triangle].left < triangles[triangle].width + right) &
            (at.y + down - triangles[triangle].top < triangles[triangle].height + down);
    }
    return is_touched;
}

/// Whether a triangle covers every pixel of a block; false if that is not sure.
fn fills_block(triangle: u32, corner: vec3<i32>, at: vec2<u32>) -> bool {
    var is_full = !HAS_DISCS & !HAS_PLACES;
    if HAS_EDGES & !HAS_PLACES {
        is_full = is_inside(corner + triangles[triangle].worst);
    }
    if HAS_RECTANGLES {
        let last = at + vec2<u32>((1u << BLOCK_WIDTH_LOG2) - 1u, (1u << BLOCK_HEIGHT_LOG2) - 1u);
        is_full = is_full & is_in_rectangle(triangle, at) & is_in_rectangle(triangle, last);
    }
    return is_full;
}

/// Draws the blocks of a tile that a triangle covers. `pixel` is this lane's pixel in any block, `tile` the first pixel of
/// the tile, `x` and `y` the window position of the lane's pixel centre in the tile's first block.
fn draw_entry(entry: Entry, lane: u32, pixel: vec2<u32>, tile: vec2<u32>, x: f32, y: f32) {
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
            todo = subgroupBallot((mine < TILE_BLOCKS) & touches_block(triangle, corner, tile + origin)).x;
            full = subgroupBallot(fills_block(triangle, corner, tile + origin)).x;
        }
        while todo != 0u {
            let judge = countTrailingZeros(todo);
            todo &= todo - 1u;
            var covered = true;
            var coverage = ALL_SAMPLES;
            if ((full >> judge) & 1u) == 0u {
                if HAS_EDGES {
                    let block_edges = vec3<i32>(
                        subgroupShuffle(corner.x, judge),
                        subgroupShuffle(corner.y, judge),
                        subgroupShuffle(corner.z, judge),
                    );
                    if SAMPLES == 1u {
                        covered = is_inside(block_edges + in_block);
                    } else {
                        coverage = sample_coverage(triangle, block_edges + in_block);
                        covered = coverage != 0u;
                    }
                }
                if HAS_RECTANGLES {
                    let block = vec2<u32>(subgroupShuffle(origin.x, judge), subgroupShuffle(origin.y, judge));
                    let at = tile + block + pixel;
                    covered = covered & is_in_rectangle(triangle, at);
                    if HAS_PLACES {
                        coverage &= place_coverage(triangle, at);
                        covered = covered & (coverage != 0u);
                    } else if HAS_DISCS {
                        covered = covered & is_in_disc(triangle, at * 512u + vec2<u32>(256u));
                    }
                }
                if !subgroupAny(covered) {
                    continue;
                }
            }
            let block_x = x + f32(subgroupShuffle(origin.x, judge));
            let block_y = y + f32(subgroupShuffle(origin.y, judge));
            draw_block(round + judge, lane, triangle, covered, coverage, block_x, block_y);
        }
    }
}
