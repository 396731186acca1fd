// Euclid's algorithm; zero divides nothing.
@group(0) @binding(0) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(1) var<storage, read_write> divisors: array<u32>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var pair = pairs[id.x];
    while pair.y != 0u { pair = vec2<u32>(pair.y, pair.x % pair.y); }
    divisors[id.x] = pair.x;
}
