//! No input brings the front end or the evaluator down: random bytes, words, and programs with words lost or swapped.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::*;

/// Pieces from which odd programs are made.
const TOKENS: &[&str] = &[
    "fn",
    "f",
    "main",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ";",
    ":",
    ",",
    ".",
    "->",
    "@",
    "=",
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "&&",
    "|",
    "~",
    "!",
    "<<",
    ">>",
    "+=",
    "==",
    "let",
    "var",
    "const",
    "override",
    "if",
    "else",
    "loop",
    "for",
    "while",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "continuing",
    "return",
    "discard",
    "struct",
    "array",
    "vec4",
    "vec3<f32>",
    "mat4x4<f32>",
    "f32",
    "i32",
    "u32",
    "bool",
    "ptr",
    "atomic<u32>",
    "private",
    "workgroup",
    "storage",
    "uniform",
    "function",
    "texture_2d<f32>",
    "sampler",
    "0",
    "1",
    "1u",
    "2.5",
    "1e40",
    "0x7fffffff",
    "4294967295u",
    "-2147483648",
    "true",
    "x",
    "y",
    "a",
    "compute",
    "fragment",
    "vertex",
    "workgroup_size(1)",
    "group(0)",
    "binding(0)",
    "location(0)",
    "builtin(position)",
    "textureSample",
    "select",
    "dpdx",
    "pow",
    "bitcast<f32>",
    "&a",
    "*a",
    "/*",
    "*/",
    "//",
    "\n",
    "\"",
    "é",
    "\u{202e}",
    "_",
    "enable",
    "subgroups",
    "diagnostic",
    "const_assert",
    "alias",
    "array<f32>",
    "array<i32, 3>",
    "atomicAdd(&a, 1u)",
    "workgroupBarrier()",
    "subgroupBallot(true)",
    "fn f(x: f32) -> f32 { return x; }",
    "@fragment fn main() -> @location(0) vec4<f32> { ",
    "@compute @workgroup_size(1) fn main() { ",
    "var<private> a: i32 = 1;",
];

/// Repeatable runs; `SEED=n` tries other inputs, `COUNT=100000` looks further.
fn cases() -> ProptestConfig {
    let count = std::env::var("COUNT").ok().and_then(|count| count.parse().ok()).unwrap_or(150);
    let seed = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    println!("SEED={seed}");
    ProptestConfig { rng_seed: RngSeed::Fixed(seed), failure_persistence: None, ..ProptestConfig::with_cases(count) }
}

fn try_everything(source: &str) {
    if let Ok(module) = Module::parse("odd", source) {
        for point in &module.naga.entry_points {
            let Ok(selected) = module.select(&point.name, &[]) else { continue };
            let Ok(mut evaluator) = Evaluator::new(&selected) else { continue };
            evaluator.step_limit = 1000;
            let mut bytes = [0u8; 64];
            let mut buffers = [BufferBinding { group: 0, binding: 0, bytes: &mut bytes }];
            let _ = evaluator.run_compute([1, 1, 1], &mut buffers, &[], 4);
            let _ = evaluator.run_quad(&[FragmentInput::default(); 4], &FragmentResources::default());
        }
    }
}

/// Whole programs of many features, to be damaged word by word.
const PROGRAMS: &[&str] = &[
    "struct S { a : array < vec3 < f32 > , 4 > , m : mat3x2 < f32 > , n : atomic < u32 > }
     @group(0) @binding(0) var < storage , read_write > s : S ; var < workgroup > w : array < i32 , 8 > ; var < private > p : vec4 < f32 > ;
     const k = 3 ; override o : u32 = 2u ;
     fn g ( q : ptr < function , vec2 < f32 > > , i : i32 ) -> f32 { ( * q ) . x += 1.0 ; if i > k { return - ( * q ) . y ; } return f32 ( i ) ; }
     @compute @workgroup_size(4) fn main ( @builtin(local_invocation_id) l : vec3 < u32 > ) {
       var v = vec2 < f32 > ( 1.0 , f32 ( l . x ) ) ; var t : array < i32 , 5 > ;
       for ( var i = 0 ; i < 5 ; i ++ ) { t [ i ] = i * i ; if t [ i ] > 9 { continue ; } w [ i ] += t [ i ] ; }
       loop { v . y += 1.0 ; switch i32 ( v . y ) { case 1 , 2 : { break ; } default : { p . x = sin ( v . x ) ; } } continuing { break if v . y > 6.0 ; } }
       let r = g ( & v , t [ l . x ] ) ; s . a [ l . x ] = vec3 < f32 > ( r , p . x , s . m [ 1 ] . y ) ; atomicAdd ( & s . n , o ) ;
       workgroupBarrier ( ) ; s . a [ 0 ] . z = f32 ( w [ l . x ] ) ; }",
    "struct I { @location(0) uv : vec2 < f32 > , @location(1) @interpolate(flat) id : u32 , @builtin(position) p : vec4 < f32 > }
     var < private > c : vec4 < f32 > = vec4 < f32 > ( 1.0 ) ;
     fn cut ( x : f32 ) -> f32 { if x < 0.5 { discard ; } return x * 2.0 ; }
     @fragment fn main ( i : I , @builtin(front_facing) f : bool ) -> @location(0) vec4 < f32 > {
       let d = dpdx ( i . uv ) + fwidth ( i . uv ) ; c *= select ( d . x , cut ( i . p . x ) , f ) ;
       let m = mat2x2 < f32 > ( d , i . uv ) ; let q = m * d ; let z = modf ( q . x ) ;
       while c . w < 3.0 { c . w += normalize ( vec3 < f32 > ( q , 1.0 ) ) . z ; }
       return vec4 < f32 > ( pow ( q . x , 2.0 ) , z . fract , f32 ( countOneBits ( i . id ) ) , unpack4x8unorm ( i . id ) . x ) + c ; }",
];

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn random_bytes_never_bring_it_down(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_everything(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_tokens_never_bring_it_down(picks in prop::collection::vec(0..TOKENS.len(), 0..60)) {
        let words: Vec<_> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        try_everything(&words.join(" "));
    }

    #[test]
    fn damaged_programs_never_bring_it_down(at in 0usize..20_000, length in 0usize..40, picks in prop::collection::vec(0..TOKENS.len(), 0..4)) {
        let whole = crate::prelude::TEXT;
        let start = (0..=at).rev().find(|&i| whole.is_char_boundary(i)).expect("0 is a boundary");
        let end = (start + length..).find(|&i| i >= whole.len() || whole.is_char_boundary(i)).expect("the end is one").min(whole.len());
        let words: Vec<_> = picks.into_iter().map(|pick| TOKENS[pick]).collect();
        try_everything(&format!("{} {} {}", &whole[..start], words.join(" "), &whole[end..]));
    }

    #[test]
    fn programs_with_words_lost_swapped_or_added_never_bring_it_down(
        which in 0..PROGRAMS.len(),
        edits in prop::collection::vec((0usize..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let mut words: Vec<_> = PROGRAMS[which].split_whitespace().collect();
        for (edit, at, other) in edits {
            let (at, other) = (at.index(words.len()), other.index(words.len()));
            match edit {
                0 => _ = words.remove(at),
                1 => words.swap(at, other),
                2 => words[at] = words[other],
                _ => words.insert(at, TOKENS[other % TOKENS.len()]),
            }
        }
        try_everything(&words.join(" "));
    }
}

#[test]
fn the_programs_to_be_damaged_run_undamaged() {
    for source in PROGRAMS {
        let module = Module::parse("whole", source).and_then(|module| module.select("main", &[]));
        module.and_then(|module| Evaluator::new(&module)).unwrap_or_else(|error| panic!("{error}"));
    }
}
