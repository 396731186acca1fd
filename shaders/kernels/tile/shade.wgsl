// The user's fragment shader as the tile kernel sees it: what it is given, and the hooks by which it asks for more.
//
// Before: fragment.wgsl, which calls `shade` for a block. The linker (shaders/src/link.rs) documents the contract.

/// Whether the fragment shader may discard. If it may, depth is still tested early, but written late.
override MAY_DISCARD: bool = false;
/// Whether the fragment shader samples textures.
override SAMPLES_TEXTURES: bool = false;

/// A pixel on its way through the pipeline.
struct Fragment {
    /// Window position of the pixel's centre, and window depth.
    x: f32,
    y: f32,
    z: f32,
    /// 1/w interpolated, and the inverse of that.
    q: f32,
    w: f32,
    /// From the triangle's anchor.
    dx: f32,
    dy: f32,
    /// The triangle's first plane.
    planes: u32,
    draw: u32,
    front: bool,
    /// False for a helper, which runs only for its neighbours' derivatives.
    live: bool,
    /// Where centroid and sample inputs are taken, from the triangle's anchor; and w there.
    at_dx: f32,
    at_dy: f32,
    at_w: f32,
    sample_index: u32,
    sample_mask: u32,
}

struct Shaded {
    color: vec4<f32>,
    /// False if the fragment was discarded.
    keep: bool,
    /// Of the other targets.
    color_1: vec4<f32>,
    color_2: vec4<f32>,
    color_3: vec4<f32>,
    color_4: vec4<f32>,
    color_5: vec4<f32>,
    color_6: vec4<f32>,
    color_7: vec4<f32>,
    /// Window depth, and the samples to be written, if the shader gives them.
    depth: f32,
    mask: u32,
}

fn on_plane(plane: Plane, dx: f32, dy: f32) -> f32 {
    return fma(plane.dy, dy, fma(plane.dx, dx, plane.value));
}

/// A perspective-correct input; `slot` counts the shader's scalar inputs.
fn smooth_input(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.dx, f.dy) * f.w;
}

/// An input that is linear on the screen.
fn linear_input(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.dx, f.dy);
}

/// The same two at the centroid, or at the sample that the shader runs for.
fn smooth_input_at(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.at_dx, f.at_dy) * f.at_w;
}

fn linear_input_at(slot: u32, f: Fragment) -> f32 {
    return on_plane(planes[f.planes + slot], f.at_dx, f.at_dy);
}

/// The first vertex's value, as bits.
fn flat_input(slot: u32, f: Fragment) -> u32 {
    return bitcast<u32>(planes[f.planes + slot].value);
}

/// Device address and byte length of a buffer the shader reads.
fn resource_range(index: u32, f: Fragment) -> vec2<u32> {
    return resources[draws[f.draw].first_resource + index];
}

/// Intrinsic: selects the bank of texture stages that the warp samples from.
fn intrinsic_texture_bank(bank: u32) {}

/// The fragment shader. The linker replaces this body by the user's entry point, which may call any of the functions
/// above; they are called here too, so that none is dropped as unused before the linker comes.
fn shade(f: Fragment) -> Shaded {
    _ = linear_input(0u, f);
    _ = flat_input(0u, f);
    _ = resource_range(0u, f);
    _ = sampling_state(0u, f);
    let color = vec4<f32>(smooth_input(0u, f), smooth_input(1u, f), smooth_input(2u, f), smooth_input(3u, f));
    let elsewhere = smooth_input_at(0u, f) + linear_input_at(0u, f);
    return Shaded(color, true, color, color, color, color, color, color, color, elsewhere, 0u);
}
