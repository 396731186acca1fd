// Textures beyond colour in two dimensions: texels one by one (gather, comparison), offsets, and the third dimension.
//
// `prelude.wgsl` states the rules of this file; `textures.wgsl` is joined in front of it. Every texel still comes through the
// sampler hardware: a single one by its middle under the point filter, with the stage's wraps; a volume is a stack of layers, and the
// machine filters within a layer, the code here between two.
//
// Source of the rules: WGSL, "Texture Built-in Functions"; Vulkan, "Texel Gathering", "Depth Compare Operation", "Texel Filtering".

// Upper word of the signed 64-bit product.
fn intrinsic_multiply_high_signed(a: i32, b: i32) -> i32 {
    let high = bitcast<i32>(intrinsic_multiply_high_unsigned(bitcast<u32>(a), bitcast<u32>(b)));
    return high - select(0i, b, a < 0i) - select(0i, a, b < 0i);
}

// ---- Texels by number, as the sampler's footprint counts them (texture/src/footprint.rs). ----

// A texel's number before it is wrapped, and the weight of its neighbour, of 256.
struct TexelAxis { first: i32, weight: u32 }
// `half` is 2^22, half a texel, for the bilinear footprint and 0 for the texel that holds the coordinate.
fn texel_axis(coordinate: i32, size: u32, half: u32) -> TexelAxis {
    let low = bitcast<u32>(coordinate) * size;
    let high = intrinsic_multiply_high_signed(coordinate, bitcast<i32>(size)) - select(0i, 1i, low < half);
    let shifted = low - half;
    return TexelAxis((high << 9u) | bitcast<i32>(shifted >> 23u), (shifted >> 15u) & 255u);
}
// The middle of a texel in Q9.23, off by less than a third of the smallest texel.
fn texel_coordinate(number: i32, size: u32) -> i32 {
    return i32(round((f32(number) + 0.5) / f32(size) * 8388608.0));
}
fn texel_channel(stage: u32, u: i32, v: i32, layer: u32, level: u32, channel: u32) -> f32 {
    return intrinsic_texf(stage, u, v, layer | 0x400u | (channel << 8u) | level);
}
fn level_width(state: SamplingState, level: u32) -> u32 { return max(state.width >> level, 1u); }
fn level_height(state: SamplingState, level: u32) -> u32 { return max(state.height >> level, 1u); }
fn level_depth(state: SamplingState, level: u32) -> u32 { return max(state.layers >> level, 1u); }

// One channel of the four texels of the bilinear footprint in level 0, counter-clockwise from (left, lower).
fn texture_gather(stage: u32, s: f32, t: f32, layer: u32, channel: u32, offset: vec2<i32>) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let x = texel_axis(texture_coordinate(s), state.width, 0x400000u).first + offset.x;
    let y = texel_axis(texture_coordinate(t), state.height, 0x400000u).first + offset.y;
    let left = texel_coordinate(x, state.width);
    let right = texel_coordinate(x + 1i, state.width);
    let upper = texel_coordinate(y, state.height);
    let lower = texel_coordinate(y + 1i, state.height);
    return vec4<f32>(
        texel_channel(stage, left, lower, layer, 0u, channel), texel_channel(stage, right, lower, layer, 0u, channel),
        texel_channel(stage, right, upper, layer, 0u, channel), texel_channel(stage, left, upper, layer, 0u, channel));
}
fn texture_gather_2d(stage: u32, uv: vec2<f32>, channel: u32, offset: vec2<i32>) -> vec4<f32> {
    return texture_gather(stage, uv.x, uv.y, 0u, channel, offset);
}
fn texture_gather_2d_array(stage: u32, uv: vec2<f32>, layer: u32, channel: u32, offset: vec2<i32>) -> vec4<f32> {
    return texture_gather(stage, uv.x, uv.y, layer, channel, offset);
}
fn gather_cube(stage: u32, r: vec3<f32>, cube: u32, channel: u32) -> vec4<f32> {
    let face = cube_face(r);
    let at = cube_place(face, r);
    return texture_gather(stage, at.x, at.y, cube_layer(face, cube), channel, vec2<i32>(0i));
}
fn texture_gather_cube(stage: u32, r: vec3<f32>, channel: u32) -> vec4<f32> { return gather_cube(stage, r, 0u, channel); }
fn texture_gather_cube_array(stage: u32, r: vec3<f32>, layer: u32, channel: u32) -> vec4<f32> {
    return gather_cube(stage, r, cube_of(stage, layer), channel);
}
// The bits of integers.
fn texture_gather_bits_2d(stage: u32, uv: vec2<f32>, channel: u32, offset: vec2<i32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(texture_gather_2d(stage, uv, channel, offset));
}
fn texture_gather_bits_2d_array(stage: u32, uv: vec2<f32>, layer: u32, channel: u32, offset: vec2<i32>) -> vec4<u32> {
    return bitcast<vec4<u32>>(texture_gather_2d_array(stage, uv, layer, channel, offset));
}
fn texture_gather_bits_cube(stage: u32, r: vec3<f32>, channel: u32) -> vec4<u32> {
    return bitcast<vec4<u32>>(texture_gather_cube(stage, r, channel));
}
fn texture_gather_bits_cube_array(stage: u32, r: vec3<f32>, layer: u32, channel: u32) -> vec4<u32> {
    return bitcast<vec4<u32>>(texture_gather_cube_array(stage, r, layer, channel));
}

// ---- Depth comparison: each texel is compared, then the answers are filtered as the wide form filters channels. ----

// Whether `reference` stands in the sampler's relation to a texel: 1.0 or 0.0.
fn texture_passes(state: SamplingState, texel: f32, reference: f32) -> f32 {
    let unequal = select(select(8u, 4u, reference > texel), 1u, reference < texel);
    let relation = select(unequal, 2u, reference == texel);
    return select(0.0, 1.0, (state.comparison & relation) != 0u);
}
// Whether texels are filtered at this level of detail.
fn texture_is_linear(state: SamplingState, limited: f32) -> bool {
    return select((limited <= 0.0) == (state.filters == 2u), state.is_linear != 0u, state.filters == 0u);
}
struct TextureComparison {
    layer: u32,
    offset: vec2<i32>,
    reference: f32,
    is_linear: bool,
}
fn texture_compare_in(stage: u32, state: SamplingState, u: i32, v: i32, c: TextureComparison, level: u32) -> f32 {
    let width = level_width(state, level);
    let height = level_height(state, level);
    let half = select(0u, 0x400000u, c.is_linear);
    let x = texel_axis(u, width, half);
    let y = texel_axis(v, height, half);
    let left = texel_coordinate(x.first + c.offset.x, width);
    let right = texel_coordinate(x.first + c.offset.x + 1i, width);
    let upper = texel_coordinate(y.first + c.offset.y, height);
    let lower = texel_coordinate(y.first + c.offset.y + 1i, height);
    let a = texture_passes(state, texel_channel(stage, left, upper, c.layer, level, 0u), c.reference);
    let b = texture_passes(state, texel_channel(stage, right, upper, c.layer, level, 0u), c.reference);
    let d = texture_passes(state, texel_channel(stage, left, lower, c.layer, level, 0u), c.reference);
    let e = texture_passes(state, texel_channel(stage, right, lower, c.layer, level, 0u), c.reference);
    let x_weight = select(0u, x.weight, c.is_linear);
    return lerp_wide(lerp_wide(a, b, x_weight), lerp_wide(d, e, x_weight), select(0u, y.weight, c.is_linear));
}
fn texture_compare_at(
    stage: u32, s: f32, t: f32, layer: u32, offset: vec2<i32>, lod: f32, reference: f32,
) -> f32 {
    let state = intrinsic_sampling_state(stage);
    let limited = texture_limited(state, lod);
    let level = texture_level(state, limited);
    let c = TextureComparison(layer, offset, reference, texture_is_linear(state, limited));
    let u = texture_coordinate(s);
    let v = texture_coordinate(t);
    let finer = texture_compare_in(stage, state, u, v, c, level.finer);
    if state.mip_filter != 2u {
        return finer;
    }
    return lerp_wide(finer, texture_compare_in(stage, state, u, v, c, level.finer + 1u), level.fraction);
}
// textureSampleCompareLevel: level 0, whatever the sampler limits levels to.
fn texture_compare_base(stage: u32, s: f32, t: f32, layer: u32, offset: vec2<i32>, reference: f32) -> f32 {
    let state = intrinsic_sampling_state(stage);
    let c = TextureComparison(layer, offset, reference, texture_is_linear(state, 0.0));
    return texture_compare_in(stage, state, texture_coordinate(s), texture_coordinate(t), c, 0u);
}
// Level of detail of a footprint in level 0; anisotropic filtering plays no part here.
fn texture_lod(stage: u32, ddx: vec2<f32>, ddy: vec2<f32>) -> f32 {
    let state = intrinsic_sampling_state(stage);
    let size = vec2<f32>(f32(state.width), f32(state.height));
    let x = ddx * size;
    let y = ddy * size;
    return 0.5 * texture_log2(max(dot_vec2f(x, x), dot_vec2f(y, y)));
}
fn texture_compare_2d(stage: u32, uv: vec2<f32>, reference: f32, offset: vec2<i32>) -> f32 {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias(stage);
    return texture_compare_at(stage, uv.x, uv.y, 0u, offset, lod, reference);
}
fn texture_compare_2d_array(stage: u32, uv: vec2<f32>, layer: u32, reference: f32, offset: vec2<i32>) -> f32 {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias(stage);
    return texture_compare_at(stage, uv.x, uv.y, layer, offset, lod, reference);
}
fn compare_cube(stage: u32, r: vec3<f32>, cube: u32, reference: f32, ddx: vec3<f32>, ddy: vec3<f32>) -> f32 {
    let face = cube_face(r);
    let axes = cube_axes(face, r);
    let inverse = 1.0 / axes.z;
    let st = axes.xy * inverse;
    let dx = cube_derivative(face, st, inverse, ddx);
    let dy = cube_derivative(face, st, inverse, ddy);
    let at = st * 0.5 + 0.5;
    let lod = texture_lod(stage, dx, dy) + texture_bias(stage);
    return texture_compare_at(stage, at.x, at.y, cube_layer(face, cube), vec2<i32>(0i), lod, reference);
}
fn texture_compare_cube(stage: u32, r: vec3<f32>, reference: f32) -> f32 {
    return compare_cube(stage, r, 0u, reference, dpdxCoarse(r), dpdyCoarse(r));
}
fn texture_compare_cube_array(stage: u32, r: vec3<f32>, layer: u32, reference: f32) -> f32 {
    return compare_cube(stage, r, cube_of(stage, layer), reference, dpdxCoarse(r), dpdyCoarse(r));
}
fn texture_compare_level_2d(stage: u32, uv: vec2<f32>, reference: f32, offset: vec2<i32>) -> f32 {
    return texture_compare_base(stage, uv.x, uv.y, 0u, offset, reference);
}
fn texture_compare_level_2d_array(stage: u32, uv: vec2<f32>, layer: u32, reference: f32, offset: vec2<i32>) -> f32 {
    return texture_compare_base(stage, uv.x, uv.y, layer, offset, reference);
}
fn texture_compare_level_cube(stage: u32, r: vec3<f32>, reference: f32) -> f32 {
    let face = cube_face(r);
    let at = cube_place(face, r);
    return texture_compare_base(stage, at.x, at.y, cube_layer(face, 0u), vec2<i32>(0i), reference);
}
fn texture_compare_level_cube_array(stage: u32, r: vec3<f32>, layer: u32, reference: f32) -> f32 {
    let face = cube_face(r);
    let at = cube_place(face, r);
    let part = cube_layer(face, cube_of(stage, layer));
    return texture_compare_base(stage, at.x, at.y, part, vec2<i32>(0i), reference);
}
fn texture_passes_each(stage: u32, texels: vec4<f32>, reference: f32) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    return vec4<f32>(
        texture_passes(state, texels.x, reference), texture_passes(state, texels.y, reference),
        texture_passes(state, texels.z, reference), texture_passes(state, texels.w, reference));
}
fn texture_gather_compare_2d(stage: u32, uv: vec2<f32>, reference: f32, offset: vec2<i32>) -> vec4<f32> {
    return texture_passes_each(stage, texture_gather_2d(stage, uv, 0u, offset), reference);
}
fn texture_gather_compare_2d_array(
    stage: u32, uv: vec2<f32>, layer: u32, reference: f32, offset: vec2<i32>,
) -> vec4<f32> {
    return texture_passes_each(stage, texture_gather_2d_array(stage, uv, layer, 0u, offset), reference);
}
fn texture_gather_compare_cube(stage: u32, r: vec3<f32>, reference: f32) -> vec4<f32> {
    return texture_passes_each(stage, texture_gather_cube(stage, r, 0u), reference);
}
fn texture_gather_compare_cube_array(stage: u32, r: vec3<f32>, layer: u32, reference: f32) -> vec4<f32> {
    return texture_passes_each(stage, texture_gather_cube_array(stage, r, layer, 0u), reference);
}

// ---- Samples a few texels away. The way is of whole texels of the level that is looked at; such a sample is never anisotropic. ----

fn texture_shift(offset: i32, size: u32) -> i32 {
    var shift = 0i;
    if offset != 0i {
        shift = i32(round(f32(offset) / f32(size) * 8388608.0));
    }
    return shift;
}
fn texture_moved(state: SamplingState, place: TexturePlace, offset: vec2<i32>, level: u32) -> TexturePlace {
    let u = place.u + texture_shift(offset.x, level_width(state, level));
    let v = place.v + texture_shift(offset.y, level_height(state, level));
    return TexturePlace(u, v, place.word, place.is_plain);
}
fn lerp_wide_each(a: vec4<f32>, b: vec4<f32>, fraction: u32) -> vec4<f32> {
    return vec4<f32>(
        lerp_wide(a.x, b.x, fraction), lerp_wide(a.y, b.y, fraction),
        lerp_wide(a.z, b.z, fraction), lerp_wide(a.w, b.w, fraction));
}
// One level in the wide form.
fn texture_wide_in(stage: u32, state: SamplingState, place: TexturePlace, level: u32) -> vec4<f32> {
    var flat_state = state;
    flat_state.mip_filter = 0u;
    return texture_wide(stage, flat_state, place, TextureLevel(level, 0u));
}
fn texture_at_offset(stage: u32, s: f32, t: f32, layer: u32, lod: f32, offset: vec2<i32>) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let limited = texture_limited(state, lod);
    let level = texture_level(state, limited);
    let place = texture_place(state, texture_coordinate(s), texture_coordinate(t), layer, false, limited);
    let finer = texture_moved(state, place, offset, level.finer);
    if state.mip_filter != 2u {
        return texture_once(stage, state, finer, level);
    }
    let coarser = texture_moved(state, place, offset, level.finer + 1u);
    if state.channels != 0u {
        let first = texture_wide_in(stage, state, finer, level.finer);
        return lerp_wide_each(first, texture_wide_in(stage, state, coarser, level.finer + 1u), level.fraction);
    }
    let first = texture_packed(stage, finer, level.finer);
    return texture_color(lerp_packed(first, texture_packed(stage, coarser, level.finer + 1u), level.fraction));
}
fn texture_sample_offset_2d(stage: u32, uv: vec2<f32>, offset: vec2<i32>) -> vec4<f32> {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias(stage);
    return texture_at_offset(stage, uv.x, uv.y, 0u, lod, offset);
}
fn texture_sample_bias_offset_2d(stage: u32, uv: vec2<f32>, bias: f32, offset: vec2<i32>) -> vec4<f32> {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias_with(stage, bias);
    return texture_at_offset(stage, uv.x, uv.y, 0u, lod, offset);
}
fn texture_sample_grad_offset_2d(
    stage: u32, uv: vec2<f32>, ddx: vec2<f32>, ddy: vec2<f32>, offset: vec2<i32>,
) -> vec4<f32> {
    return texture_at_offset(stage, uv.x, uv.y, 0u, texture_lod(stage, ddx, ddy) + texture_bias(stage), offset);
}
fn texture_sample_level_offset_2d(stage: u32, uv: vec2<f32>, level: f32, offset: vec2<i32>) -> vec4<f32> {
    return texture_at_offset(stage, uv.x, uv.y, 0u, level + texture_bias(stage), offset);
}
fn texture_sample_offset_2d_array(stage: u32, uv: vec2<f32>, layer: u32, offset: vec2<i32>) -> vec4<f32> {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias(stage);
    return texture_at_offset(stage, uv.x, uv.y, layer, lod, offset);
}
fn texture_sample_bias_offset_2d_array(
    stage: u32, uv: vec2<f32>, layer: u32, bias: f32, offset: vec2<i32>,
) -> vec4<f32> {
    let lod = texture_lod(stage, dpdxCoarse(uv), dpdyCoarse(uv)) + texture_bias_with(stage, bias);
    return texture_at_offset(stage, uv.x, uv.y, layer, lod, offset);
}
fn texture_sample_grad_offset_2d_array(
    stage: u32, uv: vec2<f32>, layer: u32, ddx: vec2<f32>, ddy: vec2<f32>, offset: vec2<i32>,
) -> vec4<f32> {
    return texture_at_offset(stage, uv.x, uv.y, layer, texture_lod(stage, ddx, ddy) + texture_bias(stage), offset);
}
fn texture_sample_level_offset_2d_array(
    stage: u32, uv: vec2<f32>, layer: u32, level: f32, offset: vec2<i32>,
) -> vec4<f32> {
    return texture_at_offset(stage, uv.x, uv.y, layer, level + texture_bias(stage), offset);
}

// ---- Volumes: layer z is the slice at depth z. Within a slice the machine filters, between two slices these functions do. ----

// The layer's part of a lookup word for a slice anywhere, wrapped as the sampler says (a border acts as clamp).
fn texture_slice(state: SamplingState, number: i32, depth: u32) -> u32 {
    let size = bitcast<i32>(depth);
    let turns = i32(floor(f32(number) / f32(size)));
    let repeated = number - turns * size;
    let mirrored = select(repeated, size - 1i - repeated, (turns & 1i) != 0i);
    let clamped = clamp_i32(number, 0i, size - 1i);
    let wrapped = select(select(clamped, repeated, state.wrap_w == 1u), mirrored, state.wrap_w == 2u);
    return bitcast<u32>(wrapped) << 16u;
}
struct TextureSlices {
    finer: TexturePlace,
    other: TexturePlace,
    weight: u32,
}
fn texture_slices(
    state: SamplingState, place: TexturePlace, w: i32, is_linear: bool, level: u32, offset: vec3<i32>,
) -> TextureSlices {
    let depth = level_depth(state, level);
    let axis = texel_axis(w, depth, select(0u, 0x400000u, is_linear));
    let at = texture_moved(state, place, offset.xy, level);
    let first = at.word | texture_slice(state, axis.first + offset.z, depth);
    let second = at.word | texture_slice(state, axis.first + offset.z + 1i, depth);
    let weight = select(0u, axis.weight, is_linear);
    return TextureSlices(TexturePlace(at.u, at.v, first, false), TexturePlace(at.u, at.v, second, false), weight);
}
fn texture_volume_packed(stage: u32, slices: TextureSlices, level: u32) -> u32 {
    return lerp_packed(texture_packed(stage, slices.finer, level), texture_packed(stage, slices.other, level), slices.weight);
}
fn texture_volume_wide(stage: u32, state: SamplingState, slices: TextureSlices, level: u32) -> vec4<f32> {
    let first = texture_wide_in(stage, state, slices.finer, level);
    return lerp_wide_each(first, texture_wide_in(stage, state, slices.other, level), slices.weight);
}
fn texture_volume(stage: u32, uvw: vec3<f32>, lod: f32, offset: vec3<i32>) -> vec4<f32> {
    let state = intrinsic_sampling_state(stage);
    let limited = texture_limited(state, lod);
    let level = texture_level(state, limited);
    let is_linear = texture_is_linear(state, limited);
    let place = texture_place(state, texture_coordinate(uvw.x), texture_coordinate(uvw.y), 0u, false, limited);
    let w = texture_coordinate(uvw.z);
    let finer = texture_slices(state, place, w, is_linear, level.finer, offset);
    let coarser = texture_slices(state, place, w, is_linear, level.finer + 1u, offset);
    if state.channels != 0u {
        let color = texture_volume_wide(stage, state, finer, level.finer);
        if state.mip_filter != 2u {
            return color;
        }
        return lerp_wide_each(color, texture_volume_wide(stage, state, coarser, level.finer + 1u), level.fraction);
    }
    let packed = texture_volume_packed(stage, finer, level.finer);
    if state.mip_filter != 2u {
        return texture_color(packed);
    }
    return texture_color(lerp_packed(packed, texture_volume_packed(stage, coarser, level.finer + 1u), level.fraction));
}
fn texture_lod_3d(stage: u32, ddx: vec3<f32>, ddy: vec3<f32>) -> f32 {
    let state = intrinsic_sampling_state(stage);
    let size = vec3<f32>(f32(state.width), f32(state.height), f32(state.layers));
    let x = ddx * size;
    let y = ddy * size;
    return 0.5 * texture_log2(max(dot_vec3f(x, x), dot_vec3f(y, y)));
}
fn texture_sample_3d(stage: u32, uvw: vec3<f32>, offset: vec3<i32>) -> vec4<f32> {
    let lod = texture_lod_3d(stage, dpdxCoarse(uvw), dpdyCoarse(uvw)) + texture_bias(stage);
    return texture_volume(stage, uvw, lod, offset);
}
fn texture_sample_bias_3d(stage: u32, uvw: vec3<f32>, bias: f32, offset: vec3<i32>) -> vec4<f32> {
    let lod = texture_lod_3d(stage, dpdxCoarse(uvw), dpdyCoarse(uvw)) + texture_bias_with(stage, bias);
    return texture_volume(stage, uvw, lod, offset);
}
fn texture_sample_grad_3d(
    stage: u32, uvw: vec3<f32>, ddx: vec3<f32>, ddy: vec3<f32>, offset: vec3<i32>,
) -> vec4<f32> {
    return texture_volume(stage, uvw, texture_lod_3d(stage, ddx, ddy) + texture_bias(stage), offset);
}
fn texture_sample_level_3d(stage: u32, uvw: vec3<f32>, level: f32, offset: vec3<i32>) -> vec4<f32> {
    return texture_volume(stage, uvw, level + texture_bias(stage), offset);
}
fn volume_layer(stage: u32, z: i32, level: i32) -> u32 {
    let state = intrinsic_sampling_state(stage);
    let depth = level_depth(state, texture_load_level(state, level));
    return bitcast<u32>(clamp_i32(z, 0i, bitcast<i32>(depth) - 1i)) << 16u;
}
fn texture_load_3d(stage: u32, at: vec3<i32>, level: i32) -> vec4<f32> {
    return texture_load(stage, at.x, at.y, volume_layer(stage, at.z, level), false, level);
}
fn texture_load_bits_3d(stage: u32, at: vec3<i32>, level: i32) -> vec4<u32> {
    return texture_load_bits(stage, at.x, at.y, volume_layer(stage, at.z, level), level);
}
fn texture_dimensions_3d(stage: u32, level: i32) -> vec3<u32> {
    let state = intrinsic_sampling_state(stage);
    let l = texture_load_level(state, level);
    return vec3<u32>(level_width(state, l), level_height(state, l), level_depth(state, l));
}

// The levels of detail that depth textures take are integers.
fn texture_lod_i32(level: i32) -> f32 { return f32(level); }
fn texture_lod_u32(level: u32) -> f32 { return f32(level); }
