// Pointers into every memory, as arguments where naga takes them, passed on, and to elements chosen at run time.
@group(0) @binding(0) var<storage, read> input: array<u32, 16>;
@group(0) @binding(1) var<storage, read_write> results: array<array<u32, 4>, 16>;

struct Pair { first: vec2<u32>, rest: array<u32, 3> }

var<workgroup> shared_pairs: array<Pair, 16>;
var<private> own_pairs: array<Pair, 3>;

fn total(pair: ptr<function, Pair>) -> u32 { return (*pair).first.x + (*pair).first.y + rest_of(&(*pair).rest); }
fn rest_of(rest: ptr<function, array<u32, 3>>) -> u32 { return (*rest)[0] + 10u * (*rest)[1] + 100u * (*rest)[2]; }
fn fill_private(pair: ptr<private, Pair>, word: u32) {
    (*pair).first = vec2<u32>(word, word + 1u);
    for (var n = 0u; n < 3u; n++) { (*pair).rest[(n + word) % 3u] = n; }
}
fn fill_shared(i: u32, word: u32) {
    let pair = &shared_pairs[i];
    (*pair).first.y = word;
    (*pair).rest[word % 3u] = 5u;
}
fn turn(pair: ptr<function, array<Pair, 2>>, which: u32) -> Pair {
    let chosen = &(*pair)[which];
    (*chosen).first = (*chosen).first.yx;
    return *chosen;
}

@compute @workgroup_size(16)
fn main(@builtin(local_invocation_index) i: u32) {
    let word = input[i] % 100u;
    fill_private(&own_pairs[word % 3u], word);
    fill_shared(i, word);
    workgroupBarrier();
    let neighbour = &shared_pairs[(i + 1u) % 16u];
    var copy = own_pairs[word % 3u];
    var two = array<Pair, 2>(copy, *neighbour);
    let turned = turn(&two, word & 1u);
    let line = &results[i];
    (*line)[0] = total(&copy);
    (*line)[1] = total(&two[1]);
    (*line)[2] = turned.first.x;
    (*line)[3] = own_pairs[(word + 1u) % 3u].first.y + (*neighbour).rest[2];
}
