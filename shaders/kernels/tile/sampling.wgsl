// What texture sampling asks about a stage.
//
// Before: shade.wgsl, whose shader samples. What a pipeline and its samplers fix is a constant here, so that the compiler drops
// what they do not need; of stages beyond the sixteenth everything is asked for.

/// A byte for each of the first sixteen texture stages, four to a word (raster/src/tile_kernel.rs): mip filter 1:0, filters 3:2, channels
/// 6:4, anisotropic 7.
override SAMPLING_0: u32 = 0u;
override SAMPLING_1: u32 = 0u;
override SAMPLING_2: u32 = 0u;
override SAMPLING_3: u32 = 0u;

/// As in shaders/src/sampling_state.rs.
struct SamplingState {
    width: u32,
    height: u32,
    levels: u32,
    layers: u32,
    mip_filter: u32,
    filters: u32,
    channels: u32,
    is_anisotropic: u32,
    lod_min: f32,
    lod_max: f32,
    lod_bias: f32,
    max_anisotropy: f32,
    comparison: u32,
    wrap_w: u32,
    is_linear: u32,
}

fn sampling_code(stage: u32) -> u32 {
    let low = select(SAMPLING_0, SAMPLING_1, (stage & 4u) != 0u);
    let high = select(SAMPLING_2, SAMPLING_3, (stage & 4u) != 0u);
    return select(low, high, (stage & 8u) != 0u) >> (8u * (stage & 3u));
}

fn sampling_state(stage: u32, f: Fragment) -> SamplingState {
    var state = samplings[draws[f.draw].first_sampling + stage];
    if stage >= 16u {
        return state;
    }
    let code = sampling_code(stage);
    state.mip_filter = code & 3u;
    state.filters = (code >> 2u) & 3u;
    state.channels = (code >> 4u) & 7u;
    state.is_anisotropic = (code >> 7u) & 1u;
    return state;
}
