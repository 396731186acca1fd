// A glowing point: its sprite coordinates run from 0 to 1 across it.

@fragment
fn spark(@location(0) uv: vec2<f32>, @location(2) color: vec4<f32>) -> @location(0) vec4<f32> {
  let away = (uv - vec2<f32>(0.5, 0.5)) * 2.0;
  let inside = max(1.0 - dot(away, away), 0.0);
  return vec4<f32>(color.rgb * (inside * inside), 1.0);
}
