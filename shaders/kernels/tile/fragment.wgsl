// One block of one triangle: tests, shading, and writing.
//
// Before: walk.wgsl, which finds the block. After: the resident tile holds the result.
//
// A fragment's way: stencil and depth test, if they may come early → shading → alpha test → stencil and depth test, if
// they must come late → fog → blending or logic operation → colour mask. Tests come early unless a fragment may be
// dropped after them (`discard`, alpha test) and they change a stencil value: a dropped fragment changes nothing at all.
// Depth is then tested early, and written late. Tests come late too where the shader gives the depth or writes buffers.

/// Whether each block stores, before it is shaded, to the marks of the pixels it shades: whoever watches the run then knows
/// where a warp is (heat maps do).
override MARKS_SHADED: bool = false;

/// Whether stencil and depth test must wait until the fragment is shaded.
override TESTS_LATE: bool = false;

/// Whether shading may drop a fragment, or some of its samples.
fn may_drop() -> bool {
    return MAY_DISCARD | (ALPHA_COMPARE != COMPARE_ALWAYS) | SHADER_MASK | ALPHA_TO_COVERAGE;
}

/// Whether stencil and depth test can drop a sample or change something.
fn tests_samples() -> bool {
    return (DEPTH_COMPARE != COMPARE_ALWAYS) | DEPTH_WRITE | uses_stencil();
}

/// Alpha test and what comes after it, for the sample at word `at` of the resident tile.
fn write_sample(at: u32, live: bool, given_depth: u32, is_front: u32, f: Fragment, shaded: Shaded) {
    var depth = given_depth;
    if SHADER_DEPTH {
        depth = depth_value(shaded.depth);
    }
    var kept = live & shaded.keep;
    if ALPHA_COMPARE != COMPARE_ALWAYS {
        kept &= passes_alpha_test(clamp(shaded.color.a, 0.0, 1.0), f.draw);
    }
    if TESTS_LATE {
        kept = test_sample(at, depth, kept, is_front, f.draw, true);
    }
    write_color(0u, at, kept, shaded.color, f);
    write_color(1u, at, kept, shaded.color_1, f);
    write_color(2u, at, kept, shaded.color_2, f);
    write_color(3u, at, kept, shaded.color_3, f);
    write_color(4u, at, kept, shaded.color_4, f);
    write_color(5u, at, kept, shaded.color_5, f);
    write_color(6u, at, kept, shaded.color_6, f);
    write_color(7u, at, kept, shaded.color_7, f);
    if DEPTH_WRITE & may_drop() & !TESTS_LATE {
        if kept { store_depth(at, tile_depth[at], depth); }
    }
}

/// Fog, blending and mask of one colour target.
fn write_color(number: u32, at: u32, kept: bool, color: vec4<f32>, f: Fragment) {
    if is_drawn(number) {
        let place = number * TILE_WORDS + at;
        var word = 0u;
        if ((INTEGER_TARGETS >> number) & 1u) != 0u {
            word = integer_color(number, tile_color[place], bitcast<vec4<u32>>(color));
        } else {
            var shown = clamp(color, vec4<f32>(0.0), vec4<f32>(1.0));
            if FOG_MODE != 0u {
                shown = fogged(shown, f.w, f.z, f.draw);
            }
            word = blend_color(number, tile_color[place], shown, f.draw);
        }
        if kept { tile_color[place] = word; }
    }
}

/// `covered` says whether the triangle covers this lane's pixel, `coverage` which of its samples, if there are several.
/// `x` and `y` are the window position of the pixel's centre.
fn draw_block(block: u32, lane: u32, triangle: u32, covered: bool, coverage: u32, x: f32, y: f32) {
    let at = block * (LANES * SAMPLES) + lane;
    let dx = x - triangles[triangle].anchor_x;
    let dy = y - triangles[triangle].anchor_y;
    let z = on_plane(triangles[triangle].depth, dx, dy);
    let depth = depth_value(z);
    let draw = triangles[triangle].draw;
    let is_front = triangles[triangle].is_front;

    var live = covered;
    var samples = select(0u, coverage & SAMPLE_MASK, covered);
    if SAMPLES == 4u {
        if !TESTS_LATE & tests_samples() {
            samples = test_samples(at, triangle, dx, dy, samples, is_front, draw);
        }
        live = samples != 0u;
    } else {
        if (SAMPLE_MASK & 1u) == 0u {
            live = false;
        }
        if !TESTS_LATE {
            live = test_sample(at, depth, live, is_front, draw, !may_drop());
        }
    }
    if !TESTS_LATE {
        if (DEPTH_COMPARE != COMPARE_ALWAYS) | ((STENCIL_FRONT & 15u) != COMPARE_ALWAYS) | ((STENCIL_BACK & 15u) != COMPARE_ALWAYS) {
            if !subgroupAny(live) {
                return;
            }
        }
    }

    if MARKS_SHADED {
        if live { marks[u32(y) * frame.pitch + u32(x)] = 1u; }
    }
    let q = on_plane(triangles[triangle].inverse_w, dx, dy);
    let first_plane = triangles[triangle].first_plane;
    var f = Fragment(x, y, z, q, 1.0 / q, dx, dy, first_plane, draw, is_front != 0u, live, dx, dy, 1.0 / q, 0u, 0u);
    if RUNS_PER_SAMPLE {
        shade_samples(at, triangle, coverage, samples, is_front, f);
        return;
    }
    if SAMPLES == 4u {
        f = at_centroid(triangle, covered, coverage, f);
        let shaded = shade(f);
        if SHADER_MASK { samples &= shaded.mask; }
        if ALPHA_TO_COVERAGE { samples &= coverage_of_alpha(shaded.color.a); }
        for (var sample = 0u; sample < 4u; sample++) {
            let mine = ((samples >> sample) & 1u) != 0u;
            if subgroupAny(mine) {
                let here = depth_value(sample_depth(triangle, dx, dy, sample));
                write_sample(at + sample * LANES, mine, here, is_front, f, shaded);
            }
        }
        return;
    }
    f.sample_mask = u32(covered);
    let shaded = shade(f);
    if SHADER_MASK {
        live = live & ((shaded.mask & 1u) != 0u);
    }
    write_sample(at, live, depth, is_front, f, shaded);
}
