// One step of sixteen bodies that pull each other.
@group(0) @binding(0) var<storage, read> bodies: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> moved: array<vec4<f32>>;

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let own = bodies[id.x];
    var force = vec3<f32>();
    for (var n = 0u; n < arrayLength(&bodies); n++) {
        let away = bodies[n].xyz - own.xyz;
        let square = dot(away, away) + 0.0625;
        force += away * (bodies[n].w / (square * sqrt(square)));
    }
    moved[id.x] = vec4<f32>(own.xyz + force * 0.015625, own.w);
}
