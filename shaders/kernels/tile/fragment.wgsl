// One block of one triangle: tests, shading, and writing.
//
// Before: walk.wgsl, which finds the block. After: the resident tile holds the result.

/// Whether each block stores, before it is shaded, to the marks of the pixels it shades: whoever watches the run then knows
/// where a warp is (heat maps do).
override MARKS_SHADED: bool = false;

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

    if MARKS_SHADED {
        if live { marks[u32(y) * frame.pitch + u32(x)] = 1u; }
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
