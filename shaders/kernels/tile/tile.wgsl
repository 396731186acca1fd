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
//
// The kernel's files are joined by the host (shaders/src/tile_records.rs): records.wgsl, targets.wgsl, shade.wgsl (the user's shader),
// walk.wgsl (which blocks), fragment.wgsl (one block) with a file for each operation on fragments, and this one, where
// the tile comes in and goes out.

/// Blocks side by side in a tile; as many rows of blocks as TILE_BLOCKS / this.
fn blocks_in_row() -> u32 {
    return 1u << (TILE_SIDE_LOG2 - BLOCK_WIDTH_LOG2);
}

/// `word` is where this lane's pixel of the tile's first block lies in the targets; here and below.
fn load_color(number: u32, tile: Tile, lane: u32, word: u32) {
    if !is_drawn(number) {
        return;
    }
    var at = number * TILE_WORDS + lane;
    if (tile.flags & (FRESH_COLOR << number)) != 0u {
        for (var block = 0u; block < TILE_BLOCKS * SAMPLES; block++) {
            tile_color[at] = clear_color(number);
            at += LANES;
        }
        return;
    }
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            let source = row + (column << BLOCK_WIDTH_LOG2);
            tile_color[at] = target_word(number, source);
            if SAMPLES == 4u {
                tile_color[at + LANES] = target_word(number, source + frame.plane);
                tile_color[at + 2u * LANES] = target_word(number, source + 2u * frame.plane);
                tile_color[at + 3u * LANES] = target_word(number, source + 3u * frame.plane);
            }
            at += LANES * SAMPLES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

/// The first or the second words of depth and stencil: `clear` is their clear value, `word` is where they lie in the
/// target, `first` where in the resident tile.
fn load_depth(is_fresh: bool, clear: u32, word: u32, first: u32) {
    if is_fresh {
        for (var block = 0u; block < TILE_BLOCKS * SAMPLES; block++) {
            tile_depth[block * LANES + first] = clear;
        }
        return;
    }
    var at = first;
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            let source = row + (column << BLOCK_WIDTH_LOG2);
            tile_depth[at] = depth_target[source];
            if SAMPLES == 4u {
                tile_depth[at + LANES] = depth_target[source + frame.plane];
                tile_depth[at + 2u * LANES] = depth_target[source + 2u * frame.plane];
                tile_depth[at + 3u * LANES] = depth_target[source + 3u * frame.plane];
            }
            at += LANES * SAMPLES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

/// Whether the tile holds the first words of depth and stencil, and whether they change.
fn holds_depth() -> bool {
    return DEPTH_WRITE | (DEPTH_COMPARE != COMPARE_ALWAYS) | (uses_stencil() & (DEPTH_FORMAT == DEPTH_24_STENCIL_8));
}
fn changes_depth() -> bool {
    return DEPTH_WRITE | (STENCIL_WRITE & (DEPTH_FORMAT == DEPTH_24_STENCIL_8));
}
/// The same of the second words.
fn holds_stencil() -> bool {
    return uses_stencil() & (DEPTH_FORMAT == DEPTH_32_FLOAT_STENCIL_8);
}
fn changes_stencil() -> bool {
    return STENCIL_WRITE & (DEPTH_FORMAT == DEPTH_32_FLOAT_STENCIL_8);
}

/// Stores one pixel of a target, and the average of its samples where that is asked for.
fn store_color(number: u32, pixel: u32, to: u32) {
    let at = number * TILE_WORDS + pixel;
    if is_kept(number) {
        set_target_word(number, to, tile_color[at]);
        if SAMPLES == 4u {
            set_target_word(number, to + frame.plane, tile_color[at + LANES]);
            set_target_word(number, to + 2u * frame.plane, tile_color[at + 2u * LANES]);
            set_target_word(number, to + 3u * frame.plane, tile_color[at + 3u * LANES]);
        }
    }
    if is_resolved(number) {
        let word = average(number, tile_color[at], tile_color[at + LANES], tile_color[at + 2u * LANES], tile_color[at + 3u * LANES]);
        set_resolved_word(number, to, word);
    }
}

/// Stores the first or the second words of depth and stencil of one pixel.
fn store_depth_words(at: u32, to: u32) {
    depth_target[to] = tile_depth[at];
    if SAMPLES == 4u {
        depth_target[to + frame.plane] = tile_depth[at + LANES];
        depth_target[to + 2u * frame.plane] = tile_depth[at + 2u * LANES];
        depth_target[to + 3u * frame.plane] = tile_depth[at + 3u * LANES];
    }
}

fn store_tile(lane: u32, word: u32) {
    var at = lane;
    var row = word;
    for (var block = 0u; block < TILE_BLOCKS; block += blocks_in_row()) {
        for (var column = 0u; column < blocks_in_row(); column++) {
            let to = row + (column << BLOCK_WIDTH_LOG2);
            store_color(0u, at, to);
            store_color(1u, at, to);
            store_color(2u, at, to);
            store_color(3u, at, to);
            store_color(4u, at, to);
            store_color(5u, at, to);
            store_color(6u, at, to);
            store_color(7u, at, to);
            if changes_depth() & KEEPS_DEPTH { store_depth_words(at, to); }
            if changes_stencil() & KEEPS_DEPTH { store_depth_words(TILE_WORDS + at, frame.stencil_plane + to); }
            at += LANES * SAMPLES;
        }
        row += frame.pitch << BLOCK_HEIGHT_LOG2;
    }
}

@compute @workgroup_size(LANES)
fn tile_main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3<u32>) {
    let tile = tiles[group.x];
    let pixel = pixel_in_block(lane);
    let word = (tile.y + pixel.y) * frame.pitch + tile.x + pixel.x;

    load_color(0u, tile, lane, word);
    load_color(1u, tile, lane, word);
    load_color(2u, tile, lane, word);
    load_color(3u, tile, lane, word);
    load_color(4u, tile, lane, word);
    load_color(5u, tile, lane, word);
    load_color(6u, tile, lane, word);
    load_color(7u, tile, lane, word);
    if holds_depth() {
        load_depth((tile.flags & FRESH_DEPTH) != 0u, frame.clear_depth, word, lane);
    }
    if holds_stencil() {
        let is_fresh = (tile.flags & FRESH_STENCIL) != 0u;
        load_depth(is_fresh, frame.clear_stencil, frame.stencil_plane + word, TILE_WORDS + lane);
    }
    let x = f32(tile.x + pixel.x) + 0.5;
    let y = f32(tile.y + pixel.y) + 0.5;
    for (var i = tile.first; i < tile.end; i++) {
        draw_entry(entries[i], lane, pixel, vec2<u32>(tile.x, tile.y), x, y);
    }
    store_tile(lane, word);
}
