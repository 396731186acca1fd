// A sky all round as a cube map, and things that mirror it.

struct Look {
  eye: vec3<f32>,
  blur: f32,          // added to the level of detail
  metal: vec4<f32>,   // colour of what is mirrored straight on; at grazing angles it is white
}

@group(0) @binding(0) var<uniform> look: Look;
@group(0) @binding(1) var sky: texture_cube<f32>;
@group(0) @binding(2) var filtering: sampler;

@fragment
fn backdrop(@location(3) place: vec3<f32>) -> @location(0) vec4<f32> {
  return textureSample(sky, filtering, place - look.eye);
}

@fragment
fn polished(@location(1) normal: vec3<f32>, @location(3) place: vec3<f32>) -> @location(0) vec4<f32> {
  let from_eye = normalize(place - look.eye);
  let outward = normalize(normal);
  let mirrored = textureSampleBias(sky, filtering, reflect(from_eye, outward), look.blur);
  // Schlick's approximation of Fresnel's equations.
  let grazing = pow(1.0 - max(-dot(from_eye, outward), 0.0), 5.0);
  return vec4<f32>(mirrored.rgb * mix(look.metal.rgb, vec3<f32>(1.0), grazing), 1.0);
}
