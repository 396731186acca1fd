// Whether the right side of `&&` and `||` is asked only when it matters.
@group(0) @binding(0) var<storage, read_write> results: array<vec2<u32>>;

var<private> asked: u32;

fn ask(answer: bool) -> bool {
    asked++;
    return answer;
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) n: u32) {
    let both = n % 2u == 0u && ask(n % 3u == 0u) && ask(n % 5u == 0u);
    let either = n % 2u == 0u || ask(n % 3u == 0u) || ask(n % 5u == 0u);
    let mixed = (n % 2u == 0u || ask(n > 9u)) && (n % 3u == 0u || ask(n < 20u));
    results[n] = vec2<u32>(asked, u32(both) | (u32(either) << 1u) | (u32(mixed) << 2u));
}
