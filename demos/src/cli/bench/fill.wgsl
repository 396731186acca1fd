// As little as a picture can be made of: what `bench frame --fill` draws.

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var filtering: sampler;

@fragment
fn textured(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
  return textureSample(picture, filtering, uv);
}

@fragment
fn plain() -> @location(0) vec4<f32> {
  return vec4<f32>(0.9, 0.5, 0.2, 1.0);
}
