// The vertices of a grid, with little work and with much: what `bench frame --vertices` makes. vertices.rs has the same in Rust.

struct Scene {
  turn: mat4x4<f32>,
  waves: array<vec4<f32>, 5>,  // radians a unit along x and z, height
}

@group(0) @binding(0) var<uniform> scene: Scene;

struct Made {
  @builtin(position) position: vec4<f32>,
  @location(0) normal: vec3<f32>,
}

/// A matrix.
@vertex
fn turned(@location(0) at: vec2<f32>) -> Made {
  return Made(scene.turn * vec4<f32>(at.x, 0.0, at.y, 1.0), vec3<f32>(at.x, 0.0, at.y));
}

/// The same with five waves, and their normal.
@vertex
fn lifted(@location(0) at: vec2<f32>) -> Made {
  var water = vec3<f32>();
  for (var n = 0u; n < 5u; n++) {
    let wave = scene.waves[n];
    let phase = dot(wave.xy, at);
    water += vec3<f32>(wave.z * sin(phase), wave.xy * wave.z * cos(phase));
  }
  let normal = normalize(vec3<f32>(-water.y, 1.0, -water.z));
  return Made(scene.turn * vec4<f32>(at.x, water.x, at.y, 1.0), normal);
}

@fragment
fn normal(@location(0) normal: vec3<f32>) -> @location(0) vec4<f32> {
  return vec4<f32>(normal, 1.0);
}
