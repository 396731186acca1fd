// Each invocation sorts nine words of its own, in an array that only it has.
@group(0) @binding(0) var<storage, read> unsorted: array<array<u32, 9>>;
@group(0) @binding(1) var<storage, read_write> sorted: array<array<u32, 9>>;

@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    var own = unsorted[id.x];
    for (var n = 1; n < 9; n++) {
        let word = own[n];
        var place = n;
        while place > 0 && own[place - 1] > word {
            own[place] = own[place - 1];
            place--;
        }
        own[place] = word;
    }
    sorted[id.x] = own;
}
