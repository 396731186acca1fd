// A sea and what floats on it. Both vertex shaders ask `swell` where the water is: the sea for each point of its grid, the
// buoys for the place of their instance, on which they ride and tilt.

struct Sea {
  view_projection: mat4x4<f32>,
  eye: vec3<f32>,
  time: f32,
  sun: vec3<f32>,  // towards the sun, length one
  half: f32,       // of the sea's side
  waves: array<vec4<f32>, 5>,  // radians a unit along x and z, height, radians a second
}

@group(0) @binding(0) var<uniform> sea: Sea;

/// Height of the water, and how it changes along x and z.
fn swell(at: vec2<f32>) -> vec3<f32> {
  var sum = vec3<f32>();
  for (var n = 0u; n < 5u; n++) {
    let wave = sea.waves[n];
    let phase = dot(wave.xy, at) + wave.w * sea.time;
    let change = wave.z * cos(phase);
    sum += vec3<f32>(wave.z * sin(phase), wave.xy * change);
  }
  return sum;
}

struct Water {
  @builtin(position) position: vec4<f32>,
  @location(0) normal: vec3<f32>,
  @location(1) place: vec3<f32>,
}

@vertex
fn water_vertex(@location(0) grid: vec2<f32>) -> Water {
  let at = (grid * 2.0 - 1.0) * sea.half;
  let water = swell(at);
  let place = vec3<f32>(at.x, water.x, at.y);
  let normal = normalize(vec3<f32>(-water.y, 1.0, -water.z));
  return Water(sea.view_projection * vec4<f32>(place, 1.0), normal, place);
}

fn sky(up: f32) -> vec3<f32> {
  return mix(vec3<f32>(0.86, 0.78, 0.7), vec3<f32>(0.32, 0.52, 0.75), clamp(up * 1.6, 0.0, 1.0));
}

@fragment
fn water(@location(0) normal: vec3<f32>, @location(1) place: vec3<f32>) -> @location(0) vec4<f32> {
  let up = normalize(normal);
  let to_eye = normalize(sea.eye - place);
  let away = 1.0 - max(dot(up, to_eye), 0.0);
  let mirrored = sky(2.0 * dot(up, to_eye) * up.y - to_eye.y);
  let deep = mix(vec3<f32>(0.01, 0.1, 0.16), vec3<f32>(0.06, 0.38, 0.38), clamp(place.y * 1.4 + 0.5, 0.0, 1.0));
  let shine = pow(max(dot(up, normalize(to_eye + sea.sun)), 0.0), 90.0);
  let color = mix(deep, mirrored, 0.05 + 0.85 * away * away * away) + vec3<f32>(1.0, 0.9, 0.7) * shine;
  return vec4<f32>(color, 1.0);
}

struct Buoy {
  @builtin(position) position: vec4<f32>,
  @location(0) normal: vec3<f32>,
  @location(1) color: vec3<f32>,
}

@vertex
fn buoy_vertex(
  @location(0) at: vec2<f32>,      // of the instance
  @location(1) paint: vec4<f32>,   // of the instance; alpha is its size
  @location(2) corner: vec3<f32>,
  @location(3) normal: vec3<f32>,
  @builtin(instance_index) number: u32,
) -> Buoy {
  let water = swell(at);
  let up = normalize(vec3<f32>(-water.y, 1.0, -water.z));
  let right = normalize(vec3<f32>(1.0, water.y, 0.0));
  let back = cross(right, up);
  let size = 0.25 + 0.25 * paint.a;
  let base = vec3<f32>(at.x, water.x - 0.1 * size, at.y);
  let place = base + (right * corner.x + up * corner.y + back * corner.z) * size;
  let turned = right * normal.x + up * normal.y + back * normal.z;
  // Every other ring is white.
  let is_white = (u32(corner.y * 3.0 + 3.0) + number) % 2u == 1u;
  let color = select(paint.rgb, vec3<f32>(0.95), is_white);
  return Buoy(sea.view_projection * vec4<f32>(place, 1.0), turned, color);
}

@fragment
fn buoy(@location(0) normal: vec3<f32>, @location(1) color: vec3<f32>) -> @location(0) vec4<f32> {
  let lit = 0.35 + 0.65 * max(dot(normalize(normal), sea.sun), 0.0);
  return vec4<f32>(color * lit, 1.0);
}
