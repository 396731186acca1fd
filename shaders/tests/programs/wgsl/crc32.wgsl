// The check of Ethernet and PNG over three words an invocation, by a table that the workgroup makes first.
@group(0) @binding(0) var<storage, read> messages: array<array<u32, 3>>;
@group(0) @binding(1) var<storage, read_write> checks: array<u32>;

var<workgroup> table: array<u32, 256>;

fn divided(byte: u32) -> u32 {
    var rest = byte;
    for (var bit = 0; bit < 8; bit++) {
        rest = select(rest >> 1u, (rest >> 1u) ^ 0xedb88320u, (rest & 1u) != 0u);
    }
    return rest;
}

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) i: u32) {
    for (var byte = i; byte < 256u; byte += 8u) { table[byte] = divided(byte); }
    workgroupBarrier();
    var crc = ~0u;
    for (var n = 0u; n < 12u; n++) {
        let byte = messages[i][n / 4u] >> (8u * (n % 4u));
        crc = table[(crc ^ byte) & 255u] ^ (crc >> 8u);
    }
    checks[i] = ~crc;
}
