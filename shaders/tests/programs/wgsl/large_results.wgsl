// Functions that give arrays and structures of more scalars than there are registers: through ways out of every kind, as parts of
// larger values, in a loop.
@group(0) @binding(0) var<storage, read> seeds: array<u32>;
@group(0) @binding(1) var<storage, read_write> found: array<u32>;

struct Table {
    head: u32,
    rows: array<array<u32, 300>, 4>,
    tail: vec2<u32>,
}

fn counted(first: u32) -> array<u32, 300> {
    var a: array<u32, 300>;
    for (var n = 0u; n < 300u; n++) { a[n] = first + n; }
    return a;
}

fn chosen(a: array<u32, 300>, which: u32) -> array<u32, 300> {
    if which == 0u { return a; }
    if which == 1u { return counted(1000u); }
    var b = a;
    for (var n = 0u; n < 300u; n++) {
        if n == 100u * which { return b; }
        b[n] *= 2u;
    }
    return array<u32, 300>();
}

fn table(seed: u32) -> Table {
    let a = counted(seed);
    var t = Table(seed + 1u, array<array<u32, 300>, 4>(a, chosen(a, seed % 4u), counted(2u * seed), a), vec2<u32>(seed, 7u));
    t.rows[3][5] = 99u;
    return t;
}

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    var sum = 0u;
    for (var round = 0u; round < 2u; round++) {
        let t = table(seeds[i] + round);
        var changed = t;
        changed.rows[1][0] = 5u;
        for (var n = 0u; n < 300u; n++) { sum = sum * 31u + t.rows[1][n] + t.rows[3][n]; }
        sum += t.head + t.rows[i % 4u][7u + i] + t.rows[1][0] + changed.rows[1][0] + t.tail.x * t.tail.y;
    }
    found[2u * i] = sum;
    found[2u * i + 1u] = chosen(counted(i), i % 5u)[150u + i];
}
