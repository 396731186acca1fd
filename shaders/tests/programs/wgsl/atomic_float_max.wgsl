// The largest float, by compare and exchange on its bits.
@group(0) @binding(0) var<storage, read> input: array<f32>;
@group(0) @binding(1) var<storage, read_write> most: atomic<u32>;

fn raise(value: f32) {
    var old = atomicLoad(&most);
    while bitcast<f32>(old) < value {
        let result = atomicCompareExchangeWeak(&most, old, bitcast<u32>(value));
        if result.exchanged { return; }
        old = result.old_value;
    }
}

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    raise(input[id.x]);
}
