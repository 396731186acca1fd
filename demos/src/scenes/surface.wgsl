// A textured surface under one distant light.

struct Light {
  direction: vec3<f32>,  // towards the light, length one, world space
  ambient: f32,          // what the shadow side gets, 0 to 1
  tint: vec4<f32>,       // multiplies the texture's colour
}

@group(0) @binding(0) var<uniform> light: Light;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var filtering: sampler;

@fragment
fn lit(@location(0) uv: vec2<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
  let color = textureSample(picture, filtering, uv) * light.tint;
  let facing = max(dot(normalize(normal), light.direction), 0.0);
  return vec4<f32>(color.rgb * (light.ambient + (1.0 - light.ambient) * facing), color.a);
}

@fragment
fn unlit(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
  return textureSample(picture, filtering, uv) * light.tint;
}
