// The nearest of five spheres that a ray meets.
struct Sphere { center: vec3<f32>, radius: f32 }
struct Hit { distance: f32, which: f32 }

@group(0) @binding(0) var<uniform> spheres: array<Sphere, 5>;
@group(0) @binding(1) var<storage, read_write> hits: array<Hit>;

fn nearer(hit: Hit, aim: vec3<f32>, index: u32) -> Hit {
    let sphere = spheres[index];
    let along = dot(sphere.center, aim);
    let inside = sphere.radius * sphere.radius - (dot(sphere.center, sphere.center) - along * along);
    if inside < 0.0 { return hit; }
    let distance = along - sqrt(inside);
    if distance < hit.distance { return Hit(distance, f32(index)); }
    return hit;
}

@compute @workgroup_size(8, 4)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let aim = normalize(vec3<f32>(f32(id.x) * 0.125 - 0.4375, f32(id.y) * 0.25 - 0.375, 1.0));
    var hit = Hit(1000.0, -1.0);
    for (var index = 0u; index < 5u; index++) { hit = nearer(hit, aim, index); }
    hits[id.y * 8u + id.x] = hit;
}
