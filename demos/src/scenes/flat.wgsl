// Colours as the vertices have them, and one colour for all.

struct Flat {
  tint: vec4<f32>,
}

@group(0) @binding(0) var<uniform> flat_color: Flat;

@fragment
fn by_vertex(@location(2) color: vec4<f32>) -> @location(0) vec4<f32> {
  return color * flat_color.tint;
}

@fragment
fn all_one() -> @location(0) vec4<f32> {
  return flat_color.tint;
}
