// Constant expressions: literals of every form, tables, structures, sizes of arrays and of workgroups.
override WIDTH: u32 = 4u;
const ROWS = 2 + 1;
const_assert ROWS * 2 == 6;
const_assert 0x10 == 16 && 7 / 2 == 3 && -7 % 3 == -1 && 7.5 % 2.0 == 1.5;

struct Pair { a: vec2<i32>, b: f32 }

const TABLE = array<array<u32, ROWS>, 2>(array<u32, ROWS>(1u, 2u, 3u), array(4u, 5u, 6u));
const PAIR = Pair(vec2(3, -4), 0x1.8p3);
const SPREAD = PAIR.a.yxx * vec3(1, 10, 100);
const PRODUCT = mat2x2(1.0, 2.0, 3.0, 4.0) * vec2(10.0, 1.0);
const COUNT = countOneBits(0xff0fu) + firstLeadingBit(0x400u) + u32(all(vec2(true, 1 < 2)));

@group(0) @binding(0) var<storage, read_write> results: array<array<u32, 10>>;

var<workgroup> shared_words: array<u32, WIDTH * 2 + 1>;

@compute @workgroup_size(WIDTH, ROWS - 1)
fn main(@builtin(local_invocation_index) i: u32) {
    shared_words[i + 1u] = i * i;
    workgroupBarrier();
    let chosen = TABLE[i % 2u];
    const shadow = 5;
    var sum = 0;
    {
        const shadow = shadow * 2;
        sum += shadow;
    }
    sum += shadow;
    results[i] = array<u32, 10>(
        chosen[i % 3u], shared_words[WIDTH * 2u - i], bitcast<u32>(SPREAD[i % 3u]), bitcast<u32>(PRODUCT[i % 2u]), COUNT,
        bitcast<u32>(PAIR.b), u32(sum), bitcast<u32>(0x1p-149f), bitcast<u32>(1e-3f), bitcast<u32>(i32(-2147483648)));
}
