// Products of 128-bit numbers, by halves of words and with carries.
@group(0) @binding(0) var<storage, read> factors: array<array<vec4<u32>, 2>>;
@group(0) @binding(1) var<storage, read_write> products: array<vec4<u32>>;

// Lower and upper word.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
    let low = (a & 0xffffu) * (b & 0xffffu);
    let middle = (a >> 16u) * (b & 0xffffu) + (low >> 16u);
    let other = (a & 0xffffu) * (b >> 16u) + (middle & 0xffffu);
    let high = (a >> 16u) * (b >> 16u) + (middle >> 16u) + (other >> 16u);
    return vec2<u32>((other << 16u) | (low & 0xffffu), high);
}

fn add_at(sum: ptr<function, vec4<u32>>, place: u32, word: u32) {
    var carry = word;
    for (var n = place; n < 4u && carry != 0u; n++) {
        (*sum)[n] += carry;
        carry = u32((*sum)[n] < carry);
    }
}

@compute @workgroup_size(16)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let pair = factors[id.x];
    var product = vec4<u32>();
    for (var i = 0u; i < 4u; i++) {
        for (var j = 0u; i + j < 4u; j++) {
            let part = wide_product(pair[0][i], pair[1][j]);
            add_at(&product, i + j, part.x);
            add_at(&product, i + j + 1u, part.y);
        }
    }
    products[id.x] = product;
}
