// Nearest neighbours, first half: the distance of every place to a target. The smallest are picked on the host.

override LANES: u32 = 4u;

struct Job {
    count: u32,
    latitude: f32,
    longitude: f32,
}

@group(0) @binding(0) var<uniform> job: Job;
/// Latitude and longitude.
@group(0) @binding(1) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> distances: array<f32>;

@compute @workgroup_size(LANES)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < job.count {
        let place = places[id.x];
        let north = place.x - job.latitude;
        let east = place.y - job.longitude;
        distances[id.x] = sqrt(north * north + east * east);
    }
}
