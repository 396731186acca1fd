// naga takes no `bitcast` in expressions of overrides.
// The same operations on constants, on overrides, on variables that hold constants, and on words from a buffer.
override least: i32 = -2147483648;
override seven: i32 = 7;
override big: u32 = 4294967295u;
override half: f32 = 0.5;
override large: f32 = 16777217.0;
const LEAST = i32(-2147483648);
const SEVEN = 7i;
const BIG = 4294967295u;
const HALF = 0.5f;
const LARGE = 16777217.0f;

@group(0) @binding(0) var<storage, read> input: array<u32, 8>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 12>, 4>;

override by_override_0: i32 = least / seven;
override by_override_1: i32 = least % seven;
override by_override_2: u32 = big / 10u * 3u;
override by_override_3: i32 = least >> 3u;
override by_override_4: u32 = big >> 5u;
override by_override_5: f32 = half * large;
override by_override_6: f32 = round(half + 2.0) + round(half + 1.0);
override by_override_7: u32 = u32(large);
override by_override_8: i32 = -seven / 2 * 10 + -seven % 2;
override by_override_9: u32 = countLeadingZeros(big >> 9u) + reverseBits((big & 1u) << 31u);
override by_override_10: u32 = select(1u, 2u, least < seven) + select(10u, 20u, big > 7u);
override by_override_11: i32 = max(least, seven) ^ ~seven;

fn computed(least: i32, seven: i32, big: u32, half: f32, large: f32) -> array<u32, 12> {
    return array<u32, 12>(
        bitcast<u32>(least / seven), bitcast<u32>(least % seven), big / 10u * 3u, bitcast<u32>(least >> 3u), big >> 5u,
        bitcast<u32>(half * large), bitcast<u32>(round(half + 2.0) + round(half + 1.0)), u32(large),
        bitcast<u32>(-seven / 2 * 10 + -seven % 2), countLeadingZeros(big >> 9u) + reverseBits((big & 1u) << 31u),
        select(1u, 2u, least < seven) + select(10u, 20u, big > 7u), bitcast<u32>(max(least, seven) ^ ~seven));
}

@compute @workgroup_size(1)
fn main() {
    results[0] = array<u32, 12>(
        bitcast<u32>(LEAST / SEVEN), bitcast<u32>(LEAST % SEVEN), BIG / 10u * 3u, bitcast<u32>(LEAST >> 3u), BIG >> 5u,
        bitcast<u32>(HALF * LARGE), bitcast<u32>(round(HALF + 2.0) + round(HALF + 1.0)), u32(LARGE),
        bitcast<u32>(-SEVEN / 2 * 10 + -SEVEN % 2), countLeadingZeros(BIG >> 9u) + reverseBits((BIG & 1u) << 31u),
        select(1u, 2u, LEAST < SEVEN) + select(10u, 20u, BIG > 7u), bitcast<u32>(max(LEAST, SEVEN) ^ ~SEVEN));
    results[1] = array<u32, 12>(
        bitcast<u32>(by_override_0), bitcast<u32>(by_override_1), by_override_2, bitcast<u32>(by_override_3), by_override_4,
        bitcast<u32>(by_override_5), bitcast<u32>(by_override_6), by_override_7, bitcast<u32>(by_override_8), by_override_9, by_override_10, bitcast<u32>(by_override_11));
    var least_held = LEAST;
    var seven_held = SEVEN;
    results[2] = computed(least_held, seven_held, BIG, HALF, LARGE);
    results[3] = computed(bitcast<i32>(input[0]), bitcast<i32>(input[1]), input[2], bitcast<f32>(input[3]), bitcast<f32>(input[4]));
}
