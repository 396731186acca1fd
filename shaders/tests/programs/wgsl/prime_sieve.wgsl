// Eratosthenes' sieve up to 256, one bit a number, cleared by all at once.
@group(0) @binding(0) var<storage, read_write> sieve: array<atomic<u32>, 8>;

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    if i < 2u { atomicAnd(&sieve[0], ~(1u << i)); return; }
    for (var multiple = i * i; multiple < 256u; multiple += i) {
        atomicAnd(&sieve[multiple / 32u], ~(1u << (multiple % 32u)));
    }
}
