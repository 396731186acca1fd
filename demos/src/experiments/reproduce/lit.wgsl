// Blinn and Phong's light on a rippled surface, under a sun that turns, in fog: what a lit shader asks of functions.

override LANES: u32 = 4;

struct Job { width: u32, count: u32 }
@group(0) @binding(0) var<storage, read> job: Job;
@group(0) @binding(1) var<storage, read_write> colors: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= job.count { return; }
    let at = vec2(f32(id.x % job.width), f32(id.x / job.width)) * 0.05;
    // The slope of waves.
    let slope = vec2(cos(at.x * 3.0), cos(at.y * 2.0 + sin(at.x)));
    let normal = normalize(vec3(-slope * 0.2, 1.0));
    let hour = at.x * 0.3;
    let sun = normalize(vec3(sin(hour), cos(hour), 0.7));
    let eye = normalize(vec3(2.0 - at, 4.0));
    let diffuse = max(dot(normal, sun), 0.0);
    let specular = pow(max(dot(normal, normalize(sun + eye)), 0.0), 40.0);
    let fog = exp2(-0.1 * length(at));
    colors[id.x] = fog * (0.1 + 0.7 * diffuse + 0.4 * specular);
}
