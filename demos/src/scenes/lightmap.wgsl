// A surface whose light was worked out before: its texture times what two lamps give it.

struct Lamps {
  warm: vec4<f32>,  // colour of each lamp; how bright it is lies in the colour
  cool: vec4<f32>,
}

@group(0) @binding(0) var<uniform> lamps: Lamps;
@group(0) @binding(1) var surface: texture_2d<f32>;
@group(0) @binding(2) var filtering: sampler;
@group(0) @binding(3) var warm_light: texture_2d<f32>;
@group(0) @binding(4) var cool_light: texture_2d<f32>;
@group(0) @binding(5) var smooth_filtering: sampler;

@fragment
fn lightmapped(@location(0) uv: vec2<f32>, @location(2) light_uv: vec4<f32>) -> @location(0) vec4<f32> {
  let color = textureSample(surface, filtering, uv).rgb;
  let warm = textureSample(warm_light, smooth_filtering, light_uv.xy).r;
  let cool = textureSample(cool_light, smooth_filtering, light_uv.xy).r;
  return vec4<f32>(color * (warm * lamps.warm.rgb + cool * lamps.cool.rgb + vec3<f32>(0.05, 0.05, 0.07)), 1.0);
}
