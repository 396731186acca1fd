// Values from the other three of four.
@group(0) @binding(0) var<storage, read> values: array<u32>;
@group(0) @binding(1) var<storage, read_write> results: array<vec4<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) i: u32) {
    let own = values[i];
    let x = quadSwapX(own);
    let y = quadSwapY(own);
    let diagonal = quadSwapDiagonal(own);
    let third = quadBroadcast(own, 2u);
    results[i] = vec4<u32>(x, y, diagonal, third);
}
