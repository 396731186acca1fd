// Components of vectors by computed indices, read and written, and swizzles.
@group(0) @binding(0) var<storage, read_write> vectors: array<vec4<u32>>;

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) n: u32) {
    var v = vectors[n];
    let i = n % 4u;
    let j = n / 4u % 4u;
    v[i] = v[j] + n;
    v[3u - j] ^= v[i];
    vectors[n] = v.zxyw;
    vectors[n].w += v[n % 3u];
}
