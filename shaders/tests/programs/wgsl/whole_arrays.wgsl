// Arrays copied whole: between memories of every kind, as snapshots, to a function, in a loop, with padding between elements.
struct Padded {
    rows: array<vec3<u32>, 100>,
    last: u32,
}

@group(0) @binding(0) var<storage, read> numbers: array<u32, 512>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;
@group(0) @binding(2) var<storage, read_write> copied: array<u32, 512>;
@group(0) @binding(3) var<storage, read> padded: Padded;
@group(0) @binding(4) var<storage, read_write> kept: Padded;

var<workgroup> tiles: array<array<u32, 512>, 2>;

fn total(values: array<u32, 512>, step: u32) -> u32 {
    var sum = 0u;
    for (var n = 0u; n < 512u; n += step) { sum += values[n]; }
    return sum;
}

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) i: u32) {
    var own = numbers;
    own[i] += 1u;
    let before = own;
    own[7u + i] = 0u;
    if i == 1u { tiles[1] = before; }
    workgroupBarrier();
    if i == 0u {
        copied = tiles[1];
        tiles[0] = tiles[1];
        kept = padded;
    }
    workgroupBarrier();
    let pair = tiles;
    found[8u * i] = total(own, 1u + i);
    found[8u * i + 1u] = before[7u + i];
    found[8u * i + 2u] = tiles[0][i];
    found[8u * i + 3u] = pair[i][511];
    var sum = 0u;
    var k = 0u;
    loop {
        let all = own;
        own[k] = 0u;
        k++;
        if all[k] % 2u == 1u { continue; }
        sum += 1000u;
        continuing {
            sum += all[k - 1u] % 10u;
            break if k >= 6u;
        }
    }
    found[8u * i + 4u] = sum;
    let rows = padded;
    found[8u * i + 5u] = rows.rows[40u + i].z + rows.last;
}
