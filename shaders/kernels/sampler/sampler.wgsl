// The sampler experiment: every pixel of a picture shows one sample of a texture.
//
// One kernel for the texture unit and for two samplers in software: only `sample` differs, and the override SAMPLER
// chooses; what is not chosen leaves no instruction behind. All three give the bits of `texture::sample`.
//
// Work: one workgroup is all warps of a core and draws one row, so row r goes to core r mod cores. Within a row warp w
// takes the runs of LANES pixels k * WARPS + w, k = 0, 1, ...

override LANES: u32 = 4u;
override WARPS: u32 = 4u;
/// 0 `tex`, 1 software for one texture, 2 software for any texture.
override SAMPLER: u32 = 0u;
/// 0 point, 1 bilinear, 2 trilinear.
override FILTER: u32 = 0u;
/// Whether rows are whole runs.
override FULL_RUNS: bool = false;

const POINT: u32 = 0u;
const TRILINEAR: u32 = 2u;

// The texture that the specialised sampler is made for: A8R8G8B8, clamped, two neighbouring levels of it (sides up to
// 8192 texels, offsets in texels).
override FINE_WIDTH: u32 = 1u;
override FINE_HEIGHT: u32 = 1u;
override FINE_OFFSET: u32 = 0u;
override COARSE_WIDTH: u32 = 1u;
override COARSE_HEIGHT: u32 = 1u;
override COARSE_OFFSET: u32 = 0u;

/// u = (u_x * x + u_y * y + u_0) >> 7 in Q9.23 for the pixel (x, y), and v likewise.
struct Job {
    width: u32,
    u_x: i32,
    u_y: i32,
    u_0: i32,
    v_x: i32,
    v_y: i32,
    v_0: i32,
    /// The finer level, and the weight of the next one, of 255.
    level: u32,
    fraction: u32,
}

/// A texture stage as its registers hold it; the address is an offset into `texels` in bytes.
struct Stage {
    address: u32,
    width: u32,
    height: u32,
    levels: u32,
    format: u32,
    filtering: u32,
    wrap_u: u32,
    wrap_v: u32,
    border: u32,
    mip_offsets: array<u32, 16>,
}

@group(0) @binding(0) var<uniform> job: Job;
@group(0) @binding(1) var<storage, read> stage: Stage;
@group(0) @binding(2) var<storage, read> texels: array<u32>;
/// 0xAARRGGBB, row by row.
@group(0) @binding(3) var<storage, read_write> picture: array<u32>;

fn intrinsic_tex(stage: u32, u: i32, v: i32, level: u32) -> u32 { return 0u; }
fn intrinsic_multiply_high_signed(a: i32, b: i32) -> i32 { return 0; }

// ---- what both samplers in software share ---------------------------------------------------------------------------

const PAIR: u32 = 0x00ff00ffu;

/// Two channels at once, in the low bytes of two halves: a + (b - a) * fraction / 255, rounded to nearest.
fn lerp_pair(a: u32, b: u32, fraction: u32) -> u32 {
    let sum = a * (255u - fraction) + b * fraction + 0x00800080u;
    return ((sum + ((sum >> 8u) & PAIR)) >> 8u) & PAIR;
}

/// Four channels.
fn lerp_packed(a: u32, b: u32, fraction: u32) -> u32 {
    let low = lerp_pair(a & PAIR, b & PAIR, fraction);
    let high = lerp_pair((a >> 8u) & PAIR, (b >> 8u) & PAIR, fraction);
    return (high << 8u) | low;
}

fn bilinear_pair(c00: u32, c10: u32, c01: u32, c11: u32, alpha: u32, beta: u32) -> u32 {
    return lerp_pair(lerp_pair(c00, c10, alpha), lerp_pair(c01, c11, alpha), beta);
}

/// Along x on both rows, then along y; channels are taken apart once and put together once.
fn bilinear_packed(c00: u32, c10: u32, c01: u32, c11: u32, alpha: u32, beta: u32) -> u32 {
    let low = bilinear_pair(c00 & PAIR, c10 & PAIR, c01 & PAIR, c11 & PAIR, alpha, beta);
    let high = bilinear_pair(
        (c00 >> 8u) & PAIR,
        (c10 >> 8u) & PAIR,
        (c01 >> 8u) & PAIR,
        (c11 >> 8u) & PAIR,
        alpha,
        beta,
    );
    return (high << 8u) | low;
}

// ---- the texture unit -----------------------------------------------------------------------------------------------

fn sample_hardware(u: i32, v: i32, level: u32, fraction: u32) -> u32 {
    let fine = intrinsic_tex(0u, u, v, level);
    if FILTER != TRILINEAR {
        return fine;
    }
    return lerp_packed(fine, intrinsic_tex(0u, u, v, level + 1u), fraction);
}

// ---- software for one texture ---------------------------------------------------------------------------------------

/// One level. A coordinate times a size is a 64-bit number of texels with 23 fraction bits; its upper word, with the size
/// moved up beforehand, is whole texels (9 bits) or 1/256 texels (17 bits).
///
/// Beyond the edges both texels are the same, so the weight there does not matter and is not clamped.
fn specialised_level(u: i32, v: i32, width: i32, height: i32, offset: i32) -> u32 {
    if FILTER == POINT {
        let x = clamp(intrinsic_multiply_high_signed(u, width << 9u), 0i, width - 1i);
        let y = clamp(intrinsic_multiply_high_signed(v, height << 9u), 0i, height - 1i);
        return texels[offset + y * width + x];
    }
    // Texel centres are at halves: 128/256 back.
    let x = intrinsic_multiply_high_signed(u, width << 17u) - 128i;
    let y = intrinsic_multiply_high_signed(v, height << 17u) - 128i;
    let column = x >> 8u;
    let row = y >> 8u;
    let first = offset + clamp(row, 0i, height - 1i) * width + clamp(column, 0i, width - 1i);
    // The neighbours, or at an edge the same texel again: not negative and below the last, in one comparison.
    let right = select(0i, 1i, u32(column) < u32(width - 1i));
    let below = first + select(0i, width, u32(row) < u32(height - 1i));
    return bilinear_packed(
        texels[first],
        texels[first + right],
        texels[below],
        texels[below + right],
        u32(x) & 255u,
        u32(y) & 255u,
    );
}

fn sample_specialised(u: i32, v: i32, fraction: u32) -> u32 {
    let fine = specialised_level(u, v, i32(FINE_WIDTH), i32(FINE_HEIGHT), i32(FINE_OFFSET));
    if FILTER != TRILINEAR {
        return fine;
    }
    let coarse = specialised_level(u, v, i32(COARSE_WIDTH), i32(COARSE_HEIGHT), i32(COARSE_OFFSET));
    return lerp_packed(fine, coarse, fraction);
}

// ---- software for any texture ---------------------------------------------------------------------------------------

/// The two texels along one axis, -1 in the border, and the weight of the second.
struct Axis {
    first: i32,
    second: i32,
    weight: u32,
}

fn wrap_index(wrap: u32, index: i32, size: i32) -> i32 {
    switch wrap {
        case 0u: {
            return clamp(index, 0i, size - 1i);
        }
        case 1u: {
            let rest = index % size;
            return select(rest, rest + size, rest < 0i);
        }
        case 2u: {
            let rest = index % (2i * size);
            let phase = select(rest, rest + 2i * size, rest < 0i);
            return min(phase, 2i * size - 1i - phase);
        }
        default: {
            return select(-1i, index, (index >= 0i) & (index < size));
        }
    }
}

/// Right for coordinates within ±128, which is all that a coordinate made from a float can be.
fn axis(wrap: u32, filtering: u32, coordinate: i32, size: i32) -> Axis {
    // In 1/256 texel: the 64-bit product shifted by 15.
    let high = u32(intrinsic_multiply_high_signed(coordinate, size));
    let position = i32((high << 17u) | (u32(coordinate * size) >> 15u));
    if filtering == POINT {
        let first = wrap_index(wrap, position >> 8u, size);
        return Axis(first, first, 0u);
    }
    let shifted = position - 128i;
    let first = wrap_index(wrap, shifted >> 8u, size);
    let second = wrap_index(wrap, (shifted >> 8u) + 1i, size);
    return Axis(first, second, u32(shifted) & 255u);
}

fn widen_5(channel: u32) -> u32 { return ((channel & 31u) << 3u) | ((channel & 31u) >> 2u); }
fn widen_6(channel: u32) -> u32 { return ((channel & 63u) << 2u) | ((channel & 63u) >> 4u); }
fn widen_4(channel: u32) -> u32 { return (channel & 15u) * 17u; }

fn argb(alpha: u32, red: u32, green: u32, blue: u32) -> u32 {
    return (alpha << 24u) | (red << 16u) | (green << 8u) | blue;
}

/// The colour of a texel; codes are those of the format register.
fn expand(format: u32, raw: u32) -> u32 {
    switch format {
        case 0u: { return raw; }
        case 1u: { return argb(255u, widen_5(raw >> 11u), widen_6(raw >> 5u), widen_5(raw)); }
        case 2u: { return argb(((raw >> 15u) & 1u) * 255u, widen_5(raw >> 10u), widen_5(raw >> 5u), widen_5(raw)); }
        case 3u: { return argb(widen_4(raw >> 12u), widen_4(raw >> 8u), widen_4(raw >> 4u), widen_4(raw)); }
        case 4u: { return argb((raw >> 8u) & 255u, raw & 255u, raw & 255u, raw & 255u); }
        case 5u: { return argb(255u, raw & 255u, raw & 255u, raw & 255u); }
        case 6u: { return argb(raw & 255u, 255u, 255u, 255u); }
        case 7u: { return argb(raw >> 24u, raw & 255u, (raw >> 8u) & 255u, (raw >> 16u) & 255u); }
        case 8u: { return argb(255u, raw & 255u, 0u, 0u); }
        default: { return argb(255u, raw & 255u, (raw >> 8u) & 255u, 0u); }
    }
}

/// Base-2 logarithm of the bytes of a texel.
fn texel_bytes_log2(format: u32) -> u32 {
    switch format {
        case 0u, 7u: { return 2u; }
        case 5u, 6u, 8u: { return 0u; }
        default: { return 1u; }
    }
}

fn fetch(base: u32, x: i32, y: i32, width: i32) -> u32 {
    if (x | y) < 0i {
        return stage.border;
    }
    let address = base + (u32(y * width + x) << texel_bytes_log2(stage.format));
    return expand(stage.format, texels[address >> 2u] >> ((address & 3u) << 3u));
}

fn generic_level(u: i32, v: i32, lod: u32) -> u32 {
    let level = min(lod, stage.levels - 1u);
    let width = i32(max(stage.width >> level, 1u));
    let height = i32(max(stage.height >> level, 1u));
    let base = stage.address + stage.mip_offsets[level];
    let x = axis(stage.wrap_u, stage.filtering, u, width);
    let y = axis(stage.wrap_v, stage.filtering, v, height);
    let c00 = fetch(base, x.first, y.first, width);
    if stage.filtering == POINT {
        return c00;
    }
    let c10 = fetch(base, x.second, y.first, width);
    let c01 = fetch(base, x.first, y.second, width);
    let c11 = fetch(base, x.second, y.second, width);
    return bilinear_packed(c00, c10, c01, c11, x.weight, y.weight);
}

fn sample_generic(u: i32, v: i32, level: u32, fraction: u32) -> u32 {
    let fine = generic_level(u, v, level);
    if FILTER != TRILINEAR {
        return fine;
    }
    return lerp_packed(fine, generic_level(u, v, level + 1u), fraction);
}

// ---- the picture ----------------------------------------------------------------------------------------------------

fn sample(u: i32, v: i32, level: u32, fraction: u32) -> u32 {
    switch SAMPLER {
        case 0u: { return sample_hardware(u, v, level, fraction); }
        case 1u: { return sample_specialised(u, v, fraction); }
        default: { return sample_generic(u, v, level, fraction); }
    }
}

@compute @workgroup_size(LANES * WARPS)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(subgroup_id) warp: u32,
    @builtin(subgroup_invocation_id) lane: u32,
) {
    let width = job.width;
    let u_row = job.u_y * i32(group.x) + job.u_0;
    let v_row = job.v_y * i32(group.x) + job.v_0;
    let u_x = job.u_x;
    let v_x = job.v_x;
    let level = job.level;
    let fraction = job.fraction;
    let row = group.x * width;
    for (var run = warp * LANES; run < width; run += WARPS * LANES) {
        let x = run + lane;
        if !FULL_RUNS {
            if x >= width { continue; }
        }
        let u = (u_x * i32(x) + u_row) >> 7u;
        let v = (v_x * i32(x) + v_row) >> 7u;
        picture[row + x] = sample(u, v, level, fraction);
    }
}
