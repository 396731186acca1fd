// Several samples a pixel: where they are, which of them a triangle covers, and what becomes of them at the end.
//
// Before: walk.wgsl asks for coverage. After: fragment.wgsl tests and writes each sample; tile.wgsl averages them.
// The places are those of Direct3D 11.3 and Vulkan for four samples, in sixteenths of a pixel from its top left corner:
// (6, 2), (14, 6), (2, 10), (10, 14).

/// The samples that a pipeline may draw at all, a bit each.
override SAMPLE_MASK: u32 = 15u;

/// Whether alpha of the first colour takes samples away.
override ALPHA_TO_COVERAGE: bool = false;
/// Whether the shader runs for each sample.
override RUNS_PER_SAMPLE: bool = false;
/// Whether the shader gives the depth, and the samples it writes.
override SHADER_DEPTH: bool = false;
override SHADER_MASK: bool = false;

const ALL_SAMPLES: u32 = 15u;

/// From a pixel's centre to a sample, in pixels; exact.
fn sample_x(sample: u32) -> f32 {
    return f32(i32((0xa2e6u >> (4u * sample)) & 15u) - 8) * 0.0625;
}

fn sample_y(sample: u32) -> f32 {
    return f32(i32(4u * sample) - 6) * 0.0625;
}

fn covers_sample(triangle: u32, edges: vec3<i32>, sample: u32) -> u32 {
    let at = triangle * 16u + sample * 3u;
    let here = edges + vec3<i32>(sample_deltas[at], sample_deltas[at + 1u], sample_deltas[at + 2u]);
    return u32(is_inside(here)) << sample;
}

/// The samples of a pixel that a triangle covers, a bit each. `edges` are its edge functions at the pixel's centre.
fn sample_coverage(triangle: u32, edges: vec3<i32>) -> u32 {
    return covers_sample(triangle, edges, 0u) | covers_sample(triangle, edges, 1u) |
        covers_sample(triangle, edges, 2u) | covers_sample(triangle, edges, 3u);
}

/// Whether a sample of the pixel `at` lies in the places that a point or a line takes.
fn covers_place(triangle: u32, at: vec2<u32>, sample: u32) -> u32 {
    // A sixteenth of a pixel is 32 steps.
    let place = at * 512u + vec2<u32>(((0xa2e6u >> (4u * sample)) & 15u) * 32u, 128u * sample + 64u);
    let rectangle = triangle * 16u + 12u;
    // What lies before the first column or row wraps round to a large number.
    var covers = (place.x - u32(sample_deltas[rectangle]) < u32(sample_deltas[rectangle + 2u])) &
        (place.y - u32(sample_deltas[rectangle + 1u]) < u32(sample_deltas[rectangle + 3u]));
    if HAS_DISCS {
        covers = covers & is_in_disc(triangle, place);
    }
    return u32(covers) << sample;
}

fn place_coverage(triangle: u32, at: vec2<u32>) -> u32 {
    return covers_place(triangle, at, 0u) | covers_place(triangle, at, 1u) | covers_place(triangle, at, 2u) |
        covers_place(triangle, at, 3u);
}

/// The samples that an alpha covers: the first round(4 alpha) of them, ties to even.
fn coverage_of_alpha(alpha: f32) -> u32 {
    return (1u << u32(round(clamp(alpha, 0.0, 1.0) * 4.0))) - 1u;
}

/// Window depth at a sample; `dx` and `dy` lead from the triangle's anchor to the pixel's centre.
fn sample_depth(triangle: u32, dx: f32, dy: f32, sample: u32) -> f32 {
    return on_plane(triangles[triangle].depth, dx + sample_x(sample), dy + sample_y(sample));
}

/// Of the samples of this lane's pixel that a triangle covers those that pass stencil and depth test. `at` is the word of
/// the first.
fn test_samples(at: u32, triangle: u32, dx: f32, dy: f32, covered: u32, is_front: u32, draw: u32) -> u32 {
    // No loop, so that the places of samples are constants: a loop would work them out for every block.
    return passing_sample(at, triangle, dx, dy, covered, 0u, is_front, draw) |
        passing_sample(at, triangle, dx, dy, covered, 1u, is_front, draw) |
        passing_sample(at, triangle, dx, dy, covered, 2u, is_front, draw) |
        passing_sample(at, triangle, dx, dy, covered, 3u, is_front, draw);
}

/// One of them: its bit, or nothing.
fn passing_sample(
    at: u32,
    triangle: u32,
    dx: f32,
    dy: f32,
    covered: u32,
    sample: u32,
    is_front: u32,
    draw: u32,
) -> u32 {
    let depth = depth_value(sample_depth(triangle, dx, dy, sample));
    let mine = ((covered >> sample) & 1u) != 0u;
    return u32(test_sample(at + sample * LANES, depth, mine, is_front, draw, !may_drop())) << sample;
}

/// The fragment as a shader that runs once a pixel sees it: its centroid inputs are taken at the first covered sample, or
/// at the centre if all samples are covered or none.
fn at_centroid(triangle: u32, covered: bool, coverage: u32, center: Fragment) -> Fragment {
    var f = center;
    let first = countTrailingZeros(coverage) & 3u;
    let is_partial = covered & (coverage != ALL_SAMPLES);
    f.at_dx = f.dx + select(0.0, sample_x(first), is_partial);
    f.at_dy = f.dy + select(0.0, sample_y(first), is_partial);
    f.at_w = 1.0 / on_plane(triangles[triangle].inverse_w, f.at_dx, f.at_dy);
    f.sample_mask = select(0u, coverage, covered);
    return f;
}

/// Shades and writes the samples of a pixel one after the other.
fn shade_samples(at: u32, triangle: u32, coverage: u32, live: u32, is_front: u32, center: Fragment) {
    for (var sample = 0u; sample < 4u; sample++) {
        let mine = ((live >> sample) & 1u) != 0u;
        if subgroupAny(mine) {
            var f = center;
            f.x = f.x + sample_x(sample);
            f.y = f.y + sample_y(sample);
            f.z = sample_depth(triangle, f.dx, f.dy, sample);
            f.at_dx = f.dx + sample_x(sample);
            f.at_dy = f.dy + sample_y(sample);
            f.q = on_plane(triangles[triangle].inverse_w, f.at_dx, f.at_dy);
            f.at_w = 1.0 / f.q;
            f.live = mine;
            f.sample_index = sample;
            f.sample_mask = (1u << sample) & live;
            let shaded = shade(f);
            // From here on w is the fog's.
            f.w = f.at_w;
            var writes = mine;
            if SHADER_MASK { writes = writes & (((shaded.mask >> sample) & 1u) != 0u); }
            if ALPHA_TO_COVERAGE { writes = writes & (((coverage_of_alpha(shaded.color.a) >> sample) & 1u) != 0u); }
            write_sample(at + sample * LANES, writes, depth_value(f.z), is_front, f, shaded);
        }
    }
}

/// The average of four encoded bytes in linear light.
fn average_light(a: u32, b: u32, c: u32, d: u32) -> u32 {
    return srgb_encode(((srgb_decode(a) + srgb_decode(b)) + (srgb_decode(c) + srgb_decode(d))) * 0.25);
}

/// The average of four words of a target, byte by byte: (a + b + c + d + 2) / 4, rounded down; in linear light where red,
/// green and blue are encoded.
fn average(number: u32, a: u32, b: u32, c: u32, d: u32) -> u32 {
    if ((SRGB_TARGETS >> number) & 1u) != 0u {
        let red = average_light((a >> 16u) & 255u, (b >> 16u) & 255u, (c >> 16u) & 255u, (d >> 16u) & 255u);
        let green = average_light((a >> 8u) & 255u, (b >> 8u) & 255u, (c >> 8u) & 255u, (d >> 8u) & 255u);
        let blue = average_light(a & 255u, b & 255u, c & 255u, d & 255u);
        let alpha = ((a >> 24u) + (b >> 24u) + (c >> 24u) + (d >> 24u) + 2u) >> 2u;
        return (alpha << 24u) | (red << 16u) | (green << 8u) | blue;
    }
    let half = 0x00ff00ffu;
    let even = (a & half) + (b & half) + (c & half) + (d & half) + 0x00020002u;
    let odd = ((a >> 8u) & half) + ((b >> 8u) & half) + ((c >> 8u) & half) + ((d >> 8u) & half) + 0x00020002u;
    return ((even >> 2u) & half) | (((odd >> 2u) & half) << 8u);
}
