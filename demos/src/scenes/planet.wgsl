// A planet in sunlight: its colours are its vertices', its seas shine, its air glows at the rim.

struct Light {
  sun: vec3<f32>,  // towards the sun, length one
  eye: vec3<f32>,
}

@group(0) @binding(0) var<uniform> light: Light;

/// Alpha of a vertex colour is how much it shines.
@fragment
fn planet(
  @location(1) normal: vec3<f32>,
  @location(2) color: vec4<f32>,
  @location(3) place: vec3<f32>,
) -> @location(0) vec4<f32> {
  let up = normalize(normal);
  let to_eye = normalize(light.eye - place);
  let day = max(dot(up, light.sun), 0.0);
  let shine = pow(max(dot(up, normalize(to_eye + light.sun)), 0.0), 28.0) * color.a;
  let rim = pow(1.0 - max(dot(up, to_eye), 0.0), 3.0) * (0.15 + day);
  let ground = color.rgb * (0.05 + 0.95 * day);
  return vec4<f32>(ground + vec3<f32>(1.0, 0.92, 0.75) * shine + vec3<f32>(0.3, 0.5, 0.9) * rim, 1.0);
}

@fragment
fn star(@location(2) color: vec4<f32>) -> @location(0) vec4<f32> {
  return color;
}
