// The sun over the sea, from the place on the picture alone.

struct Moment {
  time: f32,  // seconds
}

@group(0) @binding(0) var<uniform> moment: Moment;

const SUN = vec2<f32>(0.12, 0.13);

/// 1 in the middle, falling off to both sides.
fn bell(x: f32) -> f32 {
  return exp2(-x * x);
}

fn sky(at: vec2<f32>) -> vec3<f32> {
  let height = clamp(at.y * 1.6, 0.0, 1.0);
  let low = mix(vec3<f32>(1.0, 0.56, 0.2), vec3<f32>(0.86, 0.28, 0.34), smoothstep(0.0, 0.35, height));
  let color = mix(low, vec3<f32>(0.1, 0.1, 0.34), smoothstep(0.2, 1.0, height));
  let away = length(at - SUN);
  let glow = exp2(-5.0 * away) * vec3<f32>(0.55, 0.36, 0.12);
  // Two long clouds, thinner towards their ends.
  let bank = sin(at.x * 3.1 + 0.7) * 0.02 + sin(at.x * 7.3 + moment.time * 0.05) * 0.008;
  let cloud = bell((at.y - 0.27 - bank) * 32.0) + 0.7 * bell((at.y - 0.4 + bank * 1.5) * 42.0);
  let lit = mix(color + glow, vec3<f32>(0.98, 0.6, 0.42), 0.42 * cloud);
  let disk = smoothstep(0.088, 0.084, away);
  return mix(lit, vec3<f32>(1.0, 0.93, 0.7), disk);
}

@fragment
fn sunset(@location(0) at: vec2<f32>) -> @location(0) vec4<f32> {
  if at.y >= 0.0 {
    return vec4<f32>(sky(at), 1.0);
  }
  // A flat sea seen from a unit above it: the farther, the finer the waves.
  let far = 0.08 / (0.004 - at.y);
  let wave = sin(far * 22.0 - moment.time * 1.7 + sin(at.x * far * 5.0) * 1.3)
    + 0.6 * sin(far * 51.0 + at.x * far * 17.0 + moment.time * 2.3);
  let steep = 0.016 + 0.05 * clamp(-at.y, 0.0, 0.6);
  let mirrored = vec2<f32>(at.x + wave * steep * 0.6, abs(-at.y + wave * steep));
  let deep = vec3<f32>(0.04, 0.1, 0.2);
  let glance = clamp(0.78 + at.y * 0.9, 0.25, 0.78);
  var color = mix(deep, sky(mirrored), glance);
  // The path of light below the sun.
  let path = bell((at.x - SUN.x) / (0.05 - at.y * 0.22) * 1.4);
  color += vec3<f32>(1.0, 0.72, 0.36) * path * smoothstep(0.5, 1.5, wave) * 0.8;
  return vec4<f32>(color, 1.0);
}
