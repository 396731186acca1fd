//! Random WGSL compute programs that end: every loop counts to a small number by a variable nothing else writes.

use crate::random::Random;

#[path = "generator/expressions.rs"]
mod expressions;
#[path = "generator/statements.rs"]
mod statements;

#[derive(Copy, Clone, PartialEq, Eq)]
enum Type {
    U32,
    I32,
    F32,
    Bool,
    Vec3,
    Small,
    Large,
    Pair,
    Matrix,
}

use Type::*;

const EVERY: [Type; 9] = [U32, I32, F32, Bool, Vec3, Small, Large, Pair, Matrix];

impl Type {
    fn text(self) -> &'static str {
        match self {
            U32 => "u32",
            I32 => "i32",
            F32 => "f32",
            Bool => "bool",
            Vec3 => "vec3<f32>",
            Small => "array<u32, 3>",
            Large => "array<i32, 7>",
            Pair => "Pair",
            Matrix => "mat2x3<f32>",
        }
    }
}

#[derive(Clone)]
struct Name {
    text: String,
    ty: Type,
    can_write: bool,
}

#[derive(Copy, Clone, Default)]
struct Inside {
    /// Loops around.
    loops: usize,
    /// Whether `break` means a switch.
    in_switch: bool,
    returns: Option<Type>,
    is_continuing: bool,
}

pub struct Generator {
    random: Random,
    /// Fragment shaders may differentiate, sample and discard, and have no workgroup memory.
    is_fragment: bool,
    names: Vec<Name>,
    next: usize,
    functions: Vec<(String, Type)>,
    /// Statements left to write, so that programs stay small.
    budget: usize,
}

/// A compute program whose entry point `main` reads `inputs` and writes four words a lane to `outputs`.
pub fn program(seed: u64) -> String {
    let mut g = Generator::new(seed, false);
    let functions = g.functions();
    let body = g.main_body();
    let results = [g.expression(U32, 2), g.expression(I32, 2), g.expression(F32, 2), g.expression(U32, 3)];
    format!(
        "{GLOBALS}
@group(0) @binding(0) var<storage, read> inputs: array<u32>;
@group(0) @binding(1) var<storage, read_write> outputs: array<u32>;
@group(1) @binding(0) var floats: texture_2d<f32>;
@group(1) @binding(1) var words: texture_2d_array<u32>;
var<workgroup> lanes_word: array<u32, 32>;
var<workgroup> tally: atomic<u32>;
{functions}
@compute @workgroup_size(32)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) lane: u32) {{
    let x = inputs[id.x];
    lanes_word[lane] = x;
    workgroupBarrier();
{body}
    outputs[id.x * 4u] = {};
    outputs[id.x * 4u + 1u] = bitcast<u32>({});
    outputs[id.x * 4u + 2u] = bitcast<u32>({});
    outputs[id.x * 4u + 3u] = {};
}}
",
        results[0], results[1], results[2], results[3]
    )
}

/// A fragment shader with one flat and three smooth inputs and one texture.
pub fn fragment_program(seed: u64) -> String {
    let mut g = Generator::new(seed, true);
    let functions = g.functions();
    let body = g.main_body();
    let results = [g.expression(F32, 2), g.expression(F32, 2), g.expression(F32, 2), g.expression(U32, 3)];
    format!(
        "{GLOBALS}
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var s: sampler;
{functions}
@fragment
fn main(@builtin(position) position: vec4<f32>, @location(0) @interpolate(flat) x: u32, @location(1) uvw: vec3<f32>)
    -> @location(0) vec4<f32> {{
    let lane = u32(position.x);
    let held = textureSample(t, s, uvw.xy).x + uvw.z;
{body}
    return vec4<f32>({}, {}, {} + held, f32({}));
}}
",
        results[0], results[1], results[2], results[3]
    )
}

const GLOBALS: &str = "struct Pair { first: u32, flags: array<bool, 2>, second: vec2<f32> }
var<private> counter: u32 = 3u;
var<private> table: array<i32, 7>;";

impl Generator {
    fn new(seed: u64, is_fragment: bool) -> Self {
        let random = Random(seed);
        Self { random, is_fragment, names: vec![], next: 0, functions: vec![], budget: 0 }
    }

    fn globals() -> Vec<Name> {
        let globals = [("counter", U32), ("table", Large)];
        globals.map(|(text, ty)| Name { text: text.into(), ty, can_write: true }).to_vec()
    }

    fn functions(&mut self) -> String {
        let mut text = String::new();
        for n in 0..1 + self.random.below(3) {
            self.names = Self::globals();
            let ty = [U32, I32, F32, Vec3, Pair, Matrix][self.random.below(6)];
            let parameters = [("a", U32, false), ("b", F32, false), ("(*p)", U32, true), ("(*q)", Large, true)];
            self.names.extend(parameters.map(|(text, ty, can_write)| Name { text: text.into(), ty, can_write }));
            self.budget = 6;
            let body = self.block(Inside { returns: Some(ty), ..Inside::default() }, 1);
            let result = self.expression(ty, 3);
            text += &format!(
                "fn f{n}(a: u32, b: f32, p: ptr<function, u32>, q: ptr<function, array<i32, 7>>) -> {} {{\n{body}return {result};\n}}\n",
                ty.text()
            );
            self.functions.push((format!("f{n}"), ty));
        }
        text
    }

    fn main_body(&mut self) -> String {
        self.names = Self::globals();
        self.names.push(Name { text: "x".into(), ty: U32, can_write: false });
        self.names.push(Name { text: "lane".into(), ty: U32, can_write: false });
        if self.is_fragment {
            self.names.push(Name { text: "uvw".into(), ty: Vec3, can_write: false });
            self.names.push(Name { text: "held".into(), ty: F32, can_write: false });
        }
        let mut body = String::new();
        for ty in EVERY {
            body += &self.declaration(ty);
        }
        self.budget = 14;
        body += &self.block(Inside::default(), 1);
        if !self.is_fragment {
            // All invocations are here: what they read of each other changes.
            let word = self.expression(U32, 3);
            body += &format!(
                "let word = {word};\nworkgroupBarrier();\nlanes_word[lane] = word + atomicLoad(&tally);\nworkgroupBarrier();\n"
            );
            for _ in 0..self.random.below(3) {
                body += &self.joined();
            }
            self.budget = 6;
            body += &self.block(Inside::default(), 1);
        }
        body
    }
}
