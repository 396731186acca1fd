// Texture sampling, told once: the part of the prelude that a sampler's state and a texture's kind choose from.
//
// `prelude.wgsl` states the rules of this file and is joined in front of it. The arithmetic is that of the crate `texture`:
// `coordinate_from_f32`, `LevelOfDetail`, `sample_trilinear`, `lerp_f32`. What a pipeline fixes (mip filter, filters, channels,
// anisotropy) is a constant in its kernel, so of the branches below only what it needs is left.
//
// Source of the rules: Vulkan, "Image Operations": LOD operation, anisotropic filtering, cube map face selection.

// ---- Intrinsics. ----

// What a texture stage is, as the sampling functions need to know it.
struct SamplingState {
    width: u32,          // Texels across, level 0.
    height: u32,         // Texels down, level 0.
    levels: u32,         // At least 1.
    layers: u32,         // Elements of an array; cubes of a cube array.
    mip_filter: u32,     // 0 none, 1 nearest, 2 linear.
    filters: u32,        // 0 the stage's at every size; 1 point where magnified and bilinear where not; 2 the reverse.
    channels: u32,       // 0: 8 bits a channel in one word; 1 to 4: so many channels of the wide form.
    is_anisotropic: u32, // Whether max_anisotropy is above 1.
    lod_min: f32,
    lod_max: f32,
    lod_bias: f32,       // Added before the level of detail is clamped.
    max_anisotropy: f32, // 1 to 16.
    comparison: u32,     // Relations of reference to texel that hold: 1 less, 2 equal, 4 greater, 8 one is NaN.
    wrap_w: u32,         // Along the depth of a volume: 0 clamp, 1 repeat, 2 mirror.
    is_linear: u32,      // Whether the stage's filter is bilinear.
}

// The sampler hardware: packed 0xAARRGGBB at (u, v) in Q9.23, integer level.
fn intrinsic_tex(stage: u32, u: i32, v: i32, level: u32) -> u32 { return 0u; }
// The same by a lookup word (texture/src/lookup.rs): level 5:0, channel 9:8, filter 11:10, layer 31:16.
fn intrinsic_texl(stage: u32, u: i32, v: i32, word: u32) -> u32 { return 0u; }
// The wide form: one channel.
fn intrinsic_texf(stage: u32, u: i32, v: i32, word: u32) -> f32 { return 0.0; }

fn intrinsic_sampling_state(stage: u32) -> SamplingState {
    return SamplingState(1u, 1u, 1u, 1u, 0u, 0u, 0u, 0u, 0.0, 0.0, 0.0, 1.0, 0u, 0u, 0u);
}

// ---- Coordinates and colours. ----

fn texture_coordinate(u: f32) -> i32 {
    // Takes whole even numbers off until at most 128 is left; every step is exact, so it needs no branch.
    let a = min(abs(u), 33554432.0);
    let reduced = fma(-2.0, floor(max(a - 126.0, 0.0) * 0.5), a);
    return i32(round(intrinsic_copysign(reduced * 8388608.0, u)));
}
fn texture_color(packed: u32) -> vec4<f32> {
    return vec4<f32>(f32((packed >> 16u) & 255u) / 255.0, f32((packed >> 8u) & 255u) / 255.0, f32(packed & 255u) / 255.0, f32(packed >> 24u) / 255.0);
}
fn lerp_pair(a: u32, b: u32, fraction: u32) -> u32 {
    let sum = a * (255u - fraction) + b * fraction + 0x00800080u;
    return ((sum + ((sum >> 8u) & 0x00ff00ffu)) >> 8u) & 0x00ff00ffu;
}
fn lerp_packed(a: u32, b: u32, fraction: u32) -> u32 {
    let low = lerp_pair(a & 0x00ff00ffu, b & 0x00ff00ffu, fraction);
    let high = lerp_pair((a >> 8u) & 0x00ff00ffu, (b >> 8u) & 0x00ff00ffu, fraction);
    return (high << 8u) | low;
}
fn lerp_wide(a: f32, b: f32, fraction: u32) -> f32 {
    return select(a + (b - a) * (f32(fraction) * 0.00390625), a, (fraction == 0u) | (a == b));
}

// ---- Level and filter. ----

// Where a sample looks, beside its level.
struct TexturePlace {
    u: i32,
    v: i32,
    word: u32,        // Layer and filter bits of a lookup word.
    is_plain: bool,   // The word is zero, known when the kernel is made.
}
// Two levels and the weight of the coarser one, of 255 or 256.
struct TextureLevel {
    finer: u32,
    fraction: u32,
}
// Limits come after the bias. In this order of min and max a NaN becomes the smallest level.
fn texture_limited(state: SamplingState, lod: f32) -> f32 {
    return min(max(lod, state.lod_min), state.lod_max);
}
// Between two levels halfway, the finer one is the nearest.
fn texture_level(state: SamplingState, limited: f32) -> TextureLevel {
    if state.mip_filter == 0u {
        return TextureLevel(0u, 0u);
    }
    let steps = u32(round(min(max(limited, 0.0), f32(state.levels - 1u)) * 256.0));
    if state.mip_filter == 1u {
        return TextureLevel((steps + 127u) >> 8u, 0u);
    }
    return TextureLevel(steps >> 8u, steps & 255u);
}
// A level of detail of 0 or below is magnification.
fn texture_place(state: SamplingState, u: i32, v: i32, layer: u32, is_plain: bool, limited: f32) -> TexturePlace {
    if state.filters == 0u {
        return TexturePlace(u, v, layer, is_plain);
    }
    let magnified = select(0x800u, 0x400u, state.filters == 1u);
    return TexturePlace(u, v, layer | select(0xc00u ^ magnified, magnified, limited <= 0.0), false);
}

// ---- One sample. ----

fn texture_packed(stage: u32, place: TexturePlace, level: u32) -> u32 {
    // `tex` names one of four stages; a lookup word names one of 256.
    if place.is_plain & (stage < 4u) {
        return intrinsic_tex(stage, place.u, place.v, level);
    }
    return intrinsic_texl(stage, place.u, place.v, place.word | level);
}
fn texture_channel(stage: u32, state: SamplingState, place: TexturePlace, level: TextureLevel, channel: u32) -> f32 {
    let word = place.word | (channel << 8u) | level.finer;
    let finer = intrinsic_texf(stage, place.u, place.v, word);
    if state.mip_filter != 2u {
        return finer;
    }
    return lerp_wide(finer, intrinsic_texf(stage, place.u, place.v, word + 1u), level.fraction);
}
fn texture_wide(stage: u32, state: SamplingState, place: TexturePlace, level: TextureLevel) -> vec4<f32> {
    var color = vec4<f32>(texture_channel(stage, state, place, level, 0u), 0.0, 0.0, 1.0);
    if state.channels > 1u { color.y = texture_channel(stage, state, place, level, 1u); }
    if state.channels > 2u { color.z = texture_channel(stage, state, place, level, 2u); }
    if state.channels > 3u { color.w = texture_channel(stage, state, place, level, 3u); }
    return color;
}
fn texture_once(stage: u32, state: SamplingState, place: TexturePlace, level: TextureLevel) -> vec4<f32> {
    if state.channels != 0u {
        return texture_wide(stage, state, place, level);
    }
    let finer = texture_packed(stage, place, level.finer);
    if state.mip_filter != 2u {
        return texture_color(finer);
    }
    return texture_color(lerp_packed(finer, texture_packed(stage, place, level.finer + 1u), level.fraction));
}
// `layer` is the layer's part of a lookup word.
fn texture_at(stage: u32, s: f32, t: f32, layer: u32, is_plain: bool, lod: f32) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let limited = texture_limited(state, lod);
    let place = texture_place(state, texture_coordinate(s), texture_coordinate(t), layer, is_plain, limited);
    return texture_once(stage, state, place, texture_level(state, limited));
}

// ---- Several samples along the longer axis of the footprint. ----

// A tap's way to the next one. A way of 8 textures or more is cut: then the last level, one texel, is what shows.
fn texture_step(d: f32) -> i32 { return i32(round(clamp_f32(d, -8.0, 8.0) * 8388608.0)); }

// Sums of two channels each in the halves of a word: at most 16 times 255.
struct TextureSums { low: u32, high: u32 }
fn texture_add(sums: TextureSums, packed: u32) -> TextureSums {
    return TextureSums(sums.low + (packed & 0x00ff00ffu), sums.high + ((packed >> 8u) & 0x00ff00ffu));
}
// Tap i of N lies at i / (N + 1) - 1/2 of the longer axis from the centre, i = 1 to N; coordinates advance in Q9.23. The average is
// exact in integers, both levels weighed, and rounded once by the division to f32; in the wide form the sum of the taps in
// their order, divided.
fn texture_taps(
    stage: u32, state: SamplingState, first: TexturePlace, du: i32, dv: i32, level: TextureLevel, taps: f32,
) -> vec4<f32> {
    var place = first;
    let count = u32(taps);
    if state.channels != 0u {
        var sum = vec4<f32>(0.0);
        for (var i = 0u; i < count; i++) {
            sum += texture_wide(stage, state, place, level);
            place.u += du;
            place.v += dv;
        }
        return sum / taps;
    }
    var finer = TextureSums(0u, 0u);
    var coarser = TextureSums(0u, 0u);
    for (var i = 0u; i < count; i++) {
        finer = texture_add(finer, texture_packed(stage, place, level.finer));
        if state.mip_filter == 2u {
            coarser = texture_add(coarser, texture_packed(stage, place, level.finer + 1u));
        }
        place.u += du;
        place.v += dv;
    }
    var sums = vec4<u32>(finer.low >> 16u, finer.high & 0xffffu, finer.low & 0xffffu, finer.high >> 16u);
    var whole = 255.0;
    if state.mip_filter == 2u {
        let others = vec4<u32>(coarser.low >> 16u, coarser.high & 0xffffu, coarser.low & 0xffffu, coarser.high >> 16u);
        sums = sums * (255u - level.fraction) + others * level.fraction;
        whole = 65025.0;
    }
    return vec4<f32>(sums) / (taps * whole);
}

// ---- From derivatives. ----

// log2 of the square of a length, to 1.2e-4 (a level of detail has eight bits after the point) and exact at powers of two.
// The bits of a float are its logarithm already, but for a bump between powers of two that t·(1-t)·P(t) fills in. Zero and
// NaN give -127, infinity 128.
fn texture_log2(x: f32) -> f32 {
    let bits = bitcast<i32>(max(x, 0.0));
    let t = bitcast<f32>((bits & 0x007fffffi) | 0x3f800000i) - 1.0;
    let line = fma(f32(bits), 0.00000011920928955078125, -127.0);
    let p = fma(fma(0.08212988, t, -0.23905739), t, 0.43872556);
    return fma(fma(-t, t, t), p, line);
}
// The level of detail is log2 of the longer of the two footprint axes, in texels of level 0. With anisotropic filtering it is
// log2(longer / N) with N = min(ceil(longer / shorter), max_anisotropy) taps along the longer axis, x only if it is longer.
fn texture_gradients(
    stage: u32, s: f32, t: f32, layer: u32, is_plain: bool, ddx: vec2<f32>, ddy: vec2<f32>, bias: f32,
) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let size = vec2<f32>(f32(state.width), f32(state.height));
    let x = ddx * size;
    let y = ddy * size;
    let x_squared = dot_vec2f(x, x);
    let y_squared = dot_vec2f(y, y);
    let longer = max(x_squared, y_squared);
    if state.is_anisotropic == 0u {
        return texture_at(stage, s, t, layer, is_plain, 0.5 * texture_log2(longer) + bias);
    }
    // Two points give 0/0, which this order of max and min makes one tap; a line gives all.
    let ratio = sqrt(longer / min(x_squared, y_squared));
    let taps = min(max(ceil(ratio), 1.0), state.max_anisotropy);
    let limited = texture_limited(state, 0.5 * texture_log2(longer / (taps * taps)) + bias);
    let axis = select(ddy, ddx, x_squared > y_squared);
    let step = axis / (taps + 1.0);
    let first = vec2<f32>(s, t) + (step - 0.5 * axis);
    let u = texture_coordinate(first.x);
    let v = texture_coordinate(first.y);
    let place = texture_place(state, u, v, layer, is_plain, limited);
    return texture_taps(stage, state, place, texture_step(step.x), texture_step(step.y), texture_level(state, limited), taps);
}

// ---- WGSL's functions. The sampler's bias counts for explicit levels and gradients too, as in Vulkan ("LOD Operation"). ----

fn texture_bias(stage: u32) -> f32 { return intrinsic_sampling_state(stage).lod_bias; }
fn texture_bias_with(stage: u32, bias: f32) -> f32 { return texture_bias(stage) + clamp_f32(bias, -16.0, 15.99); }

fn texture_sample_2d(stage: u32, uv: vec2<f32>) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, 0u, true, dpdxCoarse(uv), dpdyCoarse(uv), texture_bias(stage));
}
fn texture_sample_bias_2d(stage: u32, uv: vec2<f32>, bias: f32) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, 0u, true, dpdxCoarse(uv), dpdyCoarse(uv), texture_bias_with(stage, bias));
}
fn texture_sample_grad_2d(stage: u32, uv: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, 0u, true, ddx, ddy, texture_bias(stage));
}
fn texture_sample_level_2d(stage: u32, uv: vec2<f32>, level: f32) -> vec4<f32> {
    return texture_at(stage, uv.x, uv.y, 0u, true, level + texture_bias(stage));
}
// textureSampleBaseClampToEdge: level 0, at least half a texel from the border.
fn texture_sample_base_clamp_to_edge(stage: u32, uv: vec2<f32>) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let half = vec2<f32>(0.5 / f32(state.width), 0.5 / f32(state.height));
    let u = texture_coordinate(clamp_f32(uv.x, half.x, 1.0 - half.x));
    let v = texture_coordinate(clamp_f32(uv.y, half.y, 1.0 - half.y));
    let level = TextureLevel(0u, 0u);
    return texture_once(stage, state, texture_place(state, u, v, 0u, true, 0.0), level);
}

// A one-dimensional texture has one row, met in its middle.
fn texture_sample_1d(stage: u32, u: f32) -> vec4<f32> {
    let ddx = vec2<f32>(dpdxCoarse(u), 0.0);
    return texture_gradients(stage, u, 0.5, 0u, true, ddx, vec2<f32>(dpdyCoarse(u), 0.0), texture_bias(stage));
}
fn texture_sample_level_1d(stage: u32, u: f32, level: f32) -> vec4<f32> {
    return texture_at(stage, u, 0.5, 0u, true, level + texture_bias(stage));
}

// Layers below 0 are layer 0; those beyond the last act as the last, which the machine sees to.
fn texture_layer_u32(layer: u32) -> u32 { return min(layer, 0xffffu) << 16u; }
fn texture_layer_i32(layer: i32) -> u32 { return bitcast<u32>(min(max(layer, 0i), 0xffffi)) << 16u; }

fn texture_sample_2d_array(stage: u32, uv: vec2<f32>, layer: u32) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, layer, false, dpdxCoarse(uv), dpdyCoarse(uv), texture_bias(stage));
}
fn texture_sample_bias_2d_array(stage: u32, uv: vec2<f32>, layer: u32, bias: f32) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, layer, false, dpdxCoarse(uv), dpdyCoarse(uv), texture_bias_with(stage, bias));
}
fn texture_sample_grad_2d_array(stage: u32, uv: vec2<f32>, layer: u32, ddx: vec2<f32>, ddy: vec2<f32>) -> vec4<f32> {
    return texture_gradients(stage, uv.x, uv.y, layer, false, ddx, ddy, texture_bias(stage));
}
fn texture_sample_level_2d_array(stage: u32, uv: vec2<f32>, layer: u32, level: f32) -> vec4<f32> {
    return texture_at(stage, uv.x, uv.y, layer, false, level + texture_bias(stage));
}

// ---- Cubes: six layers in the order +x, -x, +y, -y, +z, -z. Samples stay within their face. ----

struct CubeFace {
    is_y: bool,
    is_z: bool,
    is_negative: bool,
}
// The component of greatest magnitude; of equal ones z before y before x.
fn cube_face(r: vec3<f32>) -> CubeFace {
    let x = abs(r.x);
    let y = abs(r.y);
    let z = abs(r.z);
    let is_z = (z >= x) & (z >= y);
    let is_y = (y >= x) & !is_z;
    return CubeFace(is_y, is_z, select(select(r.x, r.y, is_y), r.z, is_z) < 0.0);
}
// A vector in the face's own axes: s, t, and outwards.
fn cube_axes(face: CubeFace, r: vec3<f32>) -> vec3<f32> {
    let from_x = vec3<f32>(select(-r.z, r.z, face.is_negative), -r.y, r.x);
    let from_y = vec3<f32>(r.x, select(r.z, -r.z, face.is_negative), r.y);
    let from_z = vec3<f32>(select(r.x, -r.x, face.is_negative), -r.y, r.z);
    let axes = select(select(from_x, from_y, face.is_y), from_z, face.is_z);
    return vec3<f32>(axes.xy, select(axes.z, -axes.z, face.is_negative));
}
// Where a face is met, 0 to 1 along both sides.
fn cube_place(face: CubeFace, r: vec3<f32>) -> vec2<f32> {
    let axes = cube_axes(face, r);
    return axes.xy * (1.0 / axes.z) * 0.5 + 0.5;
}
fn cube_layer(face: CubeFace, cube: u32) -> u32 {
    return cube + (select(select(0u, 2u, face.is_y), 4u, face.is_z) + select(0u, 1u, face.is_negative)) * 0x10000u;
}
// Of s / outwards in a face: half of (ds - s/out · dout) / out.
fn cube_derivative(face: CubeFace, st: vec2<f32>, inverse: f32, d: vec3<f32>) -> vec2<f32> {
    let axes = cube_axes(face, d);
    return (axes.xy - st * axes.z) * (0.5 * inverse);
}
// `cube` is the layer's part of a lookup word for the cube's first face.
fn cube_gradients(stage: u32, r: vec3<f32>, cube: u32, ddx: vec3<f32>, ddy: vec3<f32>, bias: f32) -> vec4<f32> {
    let face = cube_face(r);
    let axes = cube_axes(face, r);
    let inverse = 1.0 / axes.z;
    let st = axes.xy * inverse;
    let dx = cube_derivative(face, st, inverse, ddx);
    let dy = cube_derivative(face, st, inverse, ddy);
    let at = st * 0.5 + 0.5;
    return texture_gradients(stage, at.x, at.y, cube_layer(face, cube), false, dx, dy, bias);
}
fn cube_level(stage: u32, r: vec3<f32>, cube: u32, level: f32) -> vec4<f32> {
    let face = cube_face(r);
    let at = cube_place(face, r);
    return texture_at(stage, at.x, at.y, cube_layer(face, cube), false, level + texture_bias(stage));
}
// Six layers to a cube.
fn cube_first(layer: u32) -> u32 { return min(layer >> 16u, 10922u) * 0x60000u; }

fn texture_sample_cube(stage: u32, r: vec3<f32>) -> vec4<f32> {
    return cube_gradients(stage, r, 0u, dpdxCoarse(r), dpdyCoarse(r), texture_bias(stage));
}
fn texture_sample_bias_cube(stage: u32, r: vec3<f32>, bias: f32) -> vec4<f32> {
    return cube_gradients(stage, r, 0u, dpdxCoarse(r), dpdyCoarse(r), texture_bias_with(stage, bias));
}
fn texture_sample_grad_cube(stage: u32, r: vec3<f32>, ddx: vec3<f32>, ddy: vec3<f32>) -> vec4<f32> {
    return cube_gradients(stage, r, 0u, ddx, ddy, texture_bias(stage));
}
fn texture_sample_level_cube(stage: u32, r: vec3<f32>, level: f32) -> vec4<f32> {
    return cube_level(stage, r, 0u, level);
}
// A cube beyond the last acts as the last; the machine would take the last face for all.
fn cube_of(stage: u32, layer: u32) -> u32 {
    return cube_first(min(layer >> 16u, intrinsic_sampling_state(stage).layers - 1u) << 16u);
}
fn texture_sample_cube_array(stage: u32, r: vec3<f32>, layer: u32) -> vec4<f32> {
    return cube_gradients(stage, r, cube_of(stage, layer), dpdxCoarse(r), dpdyCoarse(r), texture_bias(stage));
}
fn texture_sample_bias_cube_array(stage: u32, r: vec3<f32>, layer: u32, bias: f32) -> vec4<f32> {
    return cube_gradients(stage, r, cube_of(stage, layer), dpdxCoarse(r), dpdyCoarse(r), texture_bias_with(stage, bias));
}
fn texture_sample_grad_cube_array(stage: u32, r: vec3<f32>, layer: u32, ddx: vec3<f32>, ddy: vec3<f32>) -> vec4<f32> {
    return cube_gradients(stage, r, cube_of(stage, layer), ddx, ddy, texture_bias(stage));
}
fn texture_sample_level_cube_array(stage: u32, r: vec3<f32>, layer: u32, level: f32) -> vec4<f32> {
    return cube_level(stage, r, cube_of(stage, layer), level);
}

// ---- Texels by number, and questions. ----

// The stage has point filter and clamp; coordinates and level outside are clamped. The middle of a texel is off by at most two
// units of Q9.23, and a texel of the largest side has 256.
fn texture_load_place(state: SamplingState, x: i32, y: i32, layer: u32, is_plain: bool, level: u32) -> TexturePlace {
    let w = max(state.width >> level, 1u);
    let h = max(state.height >> level, 1u);
    let u = (f32(clamp_i32(x, 0i, i32(w) - 1i)) + 0.5) / f32(w);
    let v = (f32(clamp_i32(y, 0i, i32(h) - 1i)) + 0.5) / f32(h);
    return TexturePlace(texture_coordinate(u), texture_coordinate(v), layer, is_plain);
}
fn texture_load_level(state: SamplingState, level: i32) -> u32 {
    return u32(clamp_i32(level, 0i, i32(state.levels) - 1i));
}
fn texture_load(stage: u32, x: i32, y: i32, layer: u32, is_plain: bool, level: i32) -> vec4<f32> {
    // A stage for texture_load has no mip filter.
    let state = intrinsic_sampling_state(stage);
    let l = texture_load_level(state, level);
    let place = texture_load_place(state, x, y, layer, is_plain, l);
    return texture_once(stage, state, place, TextureLevel(l, 0u));
}
// The bits of integers: channels that the format lacks are 0 and 1.
fn texture_load_bits(stage: u32, x: i32, y: i32, layer: u32, level: i32) -> vec4<u32> {
    let state = intrinsic_sampling_state(stage);
    let l = texture_load_level(state, level);
    let place = texture_load_place(state, x, y, layer, false, l);
    let bits = bitcast<vec4<u32>>(texture_wide(stage, state, place, TextureLevel(l, 0u)));
    return vec4<u32>(bits.xyz, select(1u, bits.w, state.channels > 3u));
}
fn texture_load_1d(stage: u32, x: i32, level: i32) -> vec4<f32> { return texture_load(stage, x, 0i, 0u, true, level); }
fn texture_load_2d(stage: u32, at: vec2<i32>, level: i32) -> vec4<f32> { return texture_load(stage, at.x, at.y, 0u, true, level); }
fn texture_load_2d_array(stage: u32, at: vec2<i32>, layer: u32, level: i32) -> vec4<f32> {
    return texture_load(stage, at.x, at.y, layer, false, level);
}
fn texture_load_bits_1d(stage: u32, x: i32, level: i32) -> vec4<u32> { return texture_load_bits(stage, x, 0i, 0u, level); }
fn texture_load_bits_2d(stage: u32, at: vec2<i32>, level: i32) -> vec4<u32> { return texture_load_bits(stage, at.x, at.y, 0u, level); }
fn texture_load_bits_2d_array(stage: u32, at: vec2<i32>, layer: u32, level: i32) -> vec4<u32> {
    return texture_load_bits(stage, at.x, at.y, layer, level);
}
fn texture_width(stage: u32, level: i32) -> u32 {
    let state = intrinsic_sampling_state(stage);
    return max(state.width >> texture_load_level(state, level), 1u);
}
fn texture_dimensions(stage: u32, level: i32) -> vec2<u32> {
    let state = intrinsic_sampling_state(stage);
    let l = texture_load_level(state, level);
    return vec2<u32>(max(state.width >> l, 1u), max(state.height >> l, 1u));
}
fn texture_levels(stage: u32) -> u32 { return intrinsic_sampling_state(stage).levels; }
fn texture_layers(stage: u32) -> u32 { return intrinsic_sampling_state(stage).layers; }
