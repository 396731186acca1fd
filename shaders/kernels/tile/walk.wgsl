// The walk: which blocks of the tile a triangle covers.
//
// Before: tile.wgsl, entry by entry. After: fragment.wgsl draws each block.

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
