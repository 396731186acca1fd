// A textured surface under one distant light.

struct Light {
  direction: vec3<f32>,  // towards the light, length one, world space
  ambient: f32,          // what the shadow side gets, 0 to 1
  tint: vec4<f32>,       // multiplies the texture's colour
  cutoff: f32,           // `masked` draws nothing where alpha is below this
}

@group(0) @binding(0) var<uniform> light: Light;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var filtering: sampler;

fn shaded(color: vec4<f32>, normal: vec3<f32>) -> vec4<f32> {
  let facing = max(dot(normal, light.direction), 0.0);
  return vec4<f32>(color.rgb * (light.ambient + (1.0 - light.ambient) * facing), color.a);
}

// Scenes made in code.

@fragment
fn lit(@location(0) uv: vec2<f32>, @location(1) normal: vec3<f32>) -> @location(0) vec4<f32> {
  return shaded(textureSample(picture, filtering, uv) * light.tint, normalize(normal));
}

@fragment
fn unlit(@location(0) uv: vec2<f32>) -> @location(0) vec4<f32> {
  return textureSample(picture, filtering, uv) * light.tint;
}

// Models from files: colours of vertices, and back faces lit from their own side.

@fragment
fn colored(
  @location(0) uv: vec2<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) vertex_color: vec4<f32>,
  @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
  let color = textureSample(picture, filtering, uv) * light.tint * vertex_color;
  let outward = normalize(normal);
  return shaded(color, select(-outward, outward, is_front));
}

@fragment
fn masked(
  @location(0) uv: vec2<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) vertex_color: vec4<f32>,
  @builtin(front_facing) is_front: bool,
) -> @location(0) vec4<f32> {
  let color = textureSample(picture, filtering, uv) * light.tint * vertex_color;
  if color.a < light.cutoff {
    discard;
  }
  let outward = normalize(normal);
  return shaded(color, select(-outward, outward, is_front));
}
