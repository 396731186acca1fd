// Storage textures: where a texel lies, and what its words mean.
//
// `prelude.wgsl` states the rules of this file. Texels are read and written as words of a buffer, without the sampler hardware; the
// layout is that of `texture::Image` with one level: row after row, layers at multiples of 64 bytes. Formats are named as in
// `texture::Format`. Source of the conversions: WGSL, "Channel Transfer Functions"; integers are limited to the format's range.

fn storage_layer_i32(layer: i32) -> u32 { return bitcast<u32>(layer); }
fn storage_layer_u32(layer: u32) -> u32 { return layer; }

fn storage_offset(state: SamplingState, at: vec3<u32>, bytes: u32) -> u32 {
    let stride = (state.width * state.height * bytes + 63u) & 0xffffffc0u;
    return at.z * stride + (at.y * state.width + at.x) * bytes;
}
// The nearest texel; a coordinate below 0 counts as beyond the end only for a layer.
fn storage_load(stage: u32, x: i32, y: i32, layer: u32, bytes: u32) -> u32 {
    let state = intrinsic_sampling_state(stage);
    let column = clamp_i32(x, 0i, bitcast<i32>(state.width) - 1i);
    let row = clamp_i32(y, 0i, bitcast<i32>(state.height) - 1i);
    let at = vec3<u32>(bitcast<u32>(column), bitcast<u32>(row), min(layer, state.layers - 1u));
    return storage_offset(state, at, bytes);
}
// All ones where there is no texel.
fn storage_store(stage: u32, x: i32, y: i32, layer: u32, bytes: u32) -> u32 {
    let state = intrinsic_sampling_state(stage);
    let at = vec3<u32>(bitcast<u32>(x), bitcast<u32>(y), layer);
    let is_inside = (at.x < state.width) & (at.y < state.height) & (at.z < state.layers);
    return select(0xffffffffu, storage_offset(state, at, bytes), is_inside);
}
fn storage_load_1d(stage: u32, x: i32, bytes: u32) -> u32 { return storage_load(stage, x, 0i, 0u, bytes); }
fn storage_load_2d(stage: u32, at: vec2<i32>, bytes: u32) -> u32 { return storage_load(stage, at.x, at.y, 0u, bytes); }
fn storage_load_2d_array(stage: u32, at: vec2<i32>, layer: u32, bytes: u32) -> u32 {
    return storage_load(stage, at.x, at.y, layer, bytes);
}
fn storage_load_3d(stage: u32, at: vec3<i32>, bytes: u32) -> u32 {
    return storage_load(stage, at.x, at.y, bitcast<u32>(max(at.z, 0i)), bytes);
}
fn storage_store_1d(stage: u32, x: i32, bytes: u32) -> u32 { return storage_store(stage, x, 0i, 0u, bytes); }
fn storage_store_2d(stage: u32, at: vec2<i32>, bytes: u32) -> u32 { return storage_store(stage, at.x, at.y, 0u, bytes); }
fn storage_store_2d_array(stage: u32, at: vec2<i32>, layer: u32, bytes: u32) -> u32 {
    return storage_store(stage, at.x, at.y, layer, bytes);
}
fn storage_store_3d(stage: u32, at: vec3<i32>, bytes: u32) -> u32 {
    return storage_store(stage, at.x, at.y, bitcast<u32>(at.z), bytes);
}

// ---- Words to components. ----

fn storage_decode_rgba8(a: u32) -> vec4<f32> { return unpack4x8unorm_u32(a); }
fn storage_decode_a8r8g8b8(a: u32) -> vec4<f32> { return unpack4x8unorm_u32(a).zyxw; }
fn storage_decode_rgba8snorm(a: u32) -> vec4<f32> { return unpack4x8snorm_u32(a); }
fn storage_decode_rgba8uint(a: u32) -> vec4<u32> { return unpack4x_u8_u32(a); }
fn storage_decode_rgba8sint(a: u32) -> vec4<i32> { return unpack4x_i8_u32(a); }
fn storage_decode_rgba16uint(a: u32, b: u32) -> vec4<u32> { return vec4<u32>(a & 65535u, a >> 16u, b & 65535u, b >> 16u); }
fn storage_decode_rgba16sint(a: u32, b: u32) -> vec4<i32> {
    let c = vec4<i32>(bitcast<i32>(a << 16u), bitcast<i32>(a), bitcast<i32>(b << 16u), bitcast<i32>(b));
    return c >> vec4<u32>(16u);
}
fn storage_decode_rgba16float(a: u32, b: u32) -> vec4<f32> {
    return vec4<f32>(unpack2x16float_u32(a), unpack2x16float_u32(b));
}
fn storage_decode_r32uint(a: u32) -> vec4<u32> { return vec4<u32>(a, 0u, 0u, 1u); }
fn storage_decode_r32sint(a: u32) -> vec4<i32> { return vec4<i32>(bitcast<i32>(a), 0i, 0i, 1i); }
fn storage_decode_r32float(a: u32) -> vec4<f32> { return vec4<f32>(bitcast<f32>(a), 0.0, 0.0, 1.0); }
fn storage_decode_rg32uint(a: u32, b: u32) -> vec4<u32> { return vec4<u32>(a, b, 0u, 1u); }
fn storage_decode_rg32sint(a: u32, b: u32) -> vec4<i32> { return vec4<i32>(bitcast<i32>(a), bitcast<i32>(b), 0i, 1i); }
fn storage_decode_rg32float(a: u32, b: u32) -> vec4<f32> { return vec4<f32>(bitcast<f32>(a), bitcast<f32>(b), 0.0, 1.0); }
fn storage_decode_rgba32uint(a: u32, b: u32, c: u32, d: u32) -> vec4<u32> { return vec4<u32>(a, b, c, d); }
fn storage_decode_rgba32sint(a: u32, b: u32, c: u32, d: u32) -> vec4<i32> {
    return bitcast<vec4<i32>>(vec4<u32>(a, b, c, d));
}
fn storage_decode_rgba32float(a: u32, b: u32, c: u32, d: u32) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4<u32>(a, b, c, d));
}

// ---- Components to words. ----

fn storage_encode_rgba8(e: vec4<f32>) -> u32 { return pack4x8unorm_vec4f(e); }
fn storage_encode_a8r8g8b8(e: vec4<f32>) -> u32 { return pack4x8unorm_vec4f(e.zyxw); }
fn storage_encode_rgba8snorm(e: vec4<f32>) -> u32 { return pack4x8snorm_vec4f(e); }
fn storage_encode_rgba8uint(e: vec4<u32>) -> u32 { return pack4x_u8_clamp_vec4u(e); }
fn storage_encode_rgba8sint(e: vec4<i32>) -> u32 { return pack4x_i8_clamp_vec4i(e); }
fn storage_encode_rgba16uint(e: vec4<u32>) -> vec2<u32> {
    let c = min(e, vec4<u32>(65535u));
    return vec2<u32>(c.x | (c.y << 16u), c.z | (c.w << 16u));
}
fn storage_encode_rgba16sint(e: vec4<i32>) -> vec2<u32> {
    let c = bitcast<vec4<u32>>(min(max(e, vec4<i32>(-32768i)), vec4<i32>(32767i)));
    return vec2<u32>((c.x & 65535u) | (c.y << 16u), (c.z & 65535u) | (c.w << 16u));
}
fn storage_encode_rgba16float(e: vec4<f32>) -> vec2<u32> {
    return vec2<u32>(pack2x16float_vec2f(e.xy), pack2x16float_vec2f(e.zw));
}
fn storage_encode_r32uint(e: vec4<u32>) -> u32 { return e.x; }
fn storage_encode_r32sint(e: vec4<i32>) -> u32 { return bitcast<u32>(e.x); }
fn storage_encode_r32float(e: vec4<f32>) -> u32 { return bitcast<u32>(e.x); }
fn storage_encode_rg32uint(e: vec4<u32>) -> vec2<u32> { return e.xy; }
fn storage_encode_rg32sint(e: vec4<i32>) -> vec2<u32> { return bitcast<vec2<u32>>(e.xy); }
fn storage_encode_rg32float(e: vec4<f32>) -> vec2<u32> { return bitcast<vec2<u32>>(e.xy); }
fn storage_encode_rgba32uint(e: vec4<u32>) -> vec4<u32> { return e; }
fn storage_encode_rgba32sint(e: vec4<i32>) -> vec4<u32> { return bitcast<vec4<u32>>(e); }
fn storage_encode_rgba32float(e: vec4<f32>) -> vec4<u32> { return bitcast<vec4<u32>>(e); }
