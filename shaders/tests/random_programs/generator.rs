//! Random WGSL compute programs that end: every loop counts to a small number by a variable nothing else writes.

use crate::random::Random;

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
}

use Type::*;

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
var<workgroup> lanes_word: array<u32, 32>;
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
            let ty = [U32, I32, F32, Vec3, Pair][self.random.below(5)];
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
        for ty in [U32, I32, F32, Bool, Vec3, Small, Large, Pair] {
            body += &self.declaration(ty);
        }
        self.budget = 14;
        body += &self.block(Inside::default(), 1);
        if !self.is_fragment {
            // All invocations are here: what they read of each other changes.
            let word = self.expression(U32, 3);
            body +=
                &format!("let word = {word};\nworkgroupBarrier();\nlanes_word[lane] = word;\nworkgroupBarrier();\n");
            self.budget = 6;
            body += &self.block(Inside::default(), 1);
        }
        body
    }
}

impl Generator {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    fn named(&mut self, ty: Type, must_write: bool) -> Option<String> {
        let fitting: Vec<_> = self.names.iter().filter(|n| n.ty == ty && (n.can_write || !must_write)).collect();
        let index = self.random.below(fitting.len().max(1));
        fitting.get(index).map(|name| name.text.clone())
    }

    fn declaration(&mut self, ty: Type) -> String {
        let value = self.expression(ty, 2);
        let text = self.fresh();
        let is_let = self.random.one_in(4);
        let is_zero = !is_let && self.random.one_in(4);
        self.names.push(Name { text: text.clone(), ty, can_write: !is_let });
        match (is_let, is_zero) {
            (true, _) => format!("let {text} = {value};\n"),
            (false, true) => format!("var {text}: {};\n", ty.text()),
            (false, false) => format!("var {text}: {} = {value};\n", ty.text()),
        }
    }

    fn block(&mut self, inside: Inside, depth: usize) -> String {
        let visible = self.names.len();
        let mut text = String::new();
        for _ in 0..1 + self.random.below(4) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            text += &self.statement(inside, depth);
        }
        self.names.truncate(visible);
        text
    }

    fn statement(&mut self, inside: Inside, depth: usize) -> String {
        let deeper = depth < 5;
        match self.random.below(13) {
            0 | 1 => {
                let ty = [U32, I32, F32, Bool, Vec3, Small, Large, Pair][self.random.below(8)];
                self.declaration(ty)
            }
            2 | 3 if deeper => {
                let (condition, accept) = (self.expression(Bool, 3), self.block(inside, depth + 1));
                let escape = if self.random.one_in(3) { self.escape(inside) } else { String::new() };
                let reject = if self.random.one_in(2) { self.block(inside, depth + 1) } else { String::new() };
                format!("if {condition} {{\n{accept}{escape}}} else {{\n{reject}}}\n")
            }
            4 | 5 if deeper && inside.loops < 3 => self.loop_(inside, depth),
            6 if deeper => {
                let selector = self.expression(U32, 2);
                let inner = Inside { in_switch: true, ..inside };
                let mut cases = String::new();
                for case in ["case 0u, 3u", "case 1u", "default", "case 2u, 7u, 9u"] {
                    let body = self.block(inner, depth + 1);
                    let escape = if self.random.one_in(3) { self.escape(inner) } else { String::new() };
                    cases += &format!("{case}: {{\n{body}{escape}}}\n");
                }
                format!("switch ({selector}) % 11u {{\n{cases}}}\n")
            }
            7 if !self.functions.is_empty() => match (self.named(U32, true), self.named(Large, true)) {
                (Some(p), Some(q)) if p != "counter" && q != "table" => {
                    let (function, ty) = self.functions[self.random.below(self.functions.len())].clone();
                    let (a, b) = (self.expression(U32, 2), self.expression(F32, 2));
                    let text = self.fresh();
                    self.names.push(Name { text: text.clone(), ty, can_write: false });
                    let pointer = |name: &str| match name {
                        "(*p)" => "p".to_owned(),
                        "(*q)" => "q".to_owned(),
                        name => format!("&{name}"),
                    };
                    format!("let {text} = {function}({a}, {b}, {}, {});\n", pointer(&p), pointer(&q))
                }
                _ => self.assignment(),
            },
            8 if self.is_fragment && self.random.one_in(3) => {
                format!("if {} {{ discard; }}\n", self.expression(Bool, 2))
            }
            8 if !inside.is_continuing => {
                let escape = self.escape(inside);
                if escape.is_empty() {
                    return self.assignment();
                }
                let condition = self.expression(Bool, 2);
                format!("if {condition} {{ {escape} }}\n")
            }
            _ => self.assignment(),
        }
    }

    fn loop_(&mut self, inside: Inside, depth: usize) -> String {
        let counter = self.fresh();
        let count = 1 + self.random.below(4);
        let inner = Inside { loops: inside.loops + 1, in_switch: false, ..inside };
        let visible = self.names.len();
        self.names.push(Name { text: counter.clone(), ty: U32, can_write: false });
        let text = match self.random.below(3) {
            0 => {
                let body = self.block(inner, depth + 1);
                format!("for (var {counter} = 0u; {counter} < {count}u; {counter}++) {{\n{body}}}\n")
            }
            1 => {
                let carried = self.fresh();
                let first = format!("let {carried} = {};\n", self.expression(U32, 2));
                let body = self.block(inner, depth + 1);
                // What the body declared is visible in `continuing`.
                let value = format!("({carried} + {})", self.expression(U32, 2));
                let target = self.named(U32, true).unwrap_or("counter".into());
                let extra = self.expression(Bool, 2);
                format!(
                    "var {counter} = 0u; loop {{\n{first}{body}continuing {{ {target} ^= {value}; {counter} += 1u; break if ({counter} >= {count}u) | {extra}; }} }}\n"
                )
            }
            _ => {
                let condition = self.expression(Bool, 2);
                let body = self.block(inner, depth + 1);
                format!(
                    "var {counter} = 0u; while {counter} < {count}u && {condition} {{\n{counter} += 1u;\n{body}}}\n"
                )
            }
        };
        self.names.truncate(visible);
        text
    }

    fn escape(&mut self, inside: Inside) -> String {
        match (self.random.below(3), inside.returns) {
            _ if inside.is_continuing => String::new(),
            (0, Some(ty)) => format!("return {};\n", self.expression(ty, 2)),
            (1, _) if inside.loops > 0 => "continue;\n".into(),
            (_, _) if inside.loops > 0 || inside.in_switch => "break;\n".into(),
            _ => String::new(),
        }
    }

    fn assignment(&mut self) -> String {
        let ty = [U32, U32, I32, F32, Bool, Vec3, Small, Large, Pair][self.random.below(9)];
        let Some(target) = self.named(ty, true) else { return String::new() };
        let index = self.expression(U32, 2);
        match ty {
            Vec3 if self.random.one_in(2) => {
                let value = self.expression(F32, 2);
                let part = ["x", "y", "z"][self.random.below(3)];
                if self.random.one_in(2) {
                    format!("{target}.{part} = {value};\n")
                } else {
                    format!("{target}[({index}) % 4u] = {value};\n")
                }
            }
            Small => format!("{target}[({index}) % 5u] = {};\n", self.expression(U32, 2)),
            Large => format!("{target}[({index}) % 9u] = {};\n", self.expression(I32, 2)),
            Pair if self.random.one_in(2) => {
                format!("{target}.flags[({index}) % 3u] = {};\n", self.expression(Bool, 2))
            }
            Pair => format!("{target}.second.y = {};\n", self.expression(F32, 2)),
            U32 | I32 if self.random.one_in(2) => {
                let operator = self.random.pick(&["+=", "-=", "*=", "^=", "|=", "&=", "/=", "%="]);
                format!("{target} {operator} {};\n", self.expression(ty, 3))
            }
            _ => format!("{target} = {};\n", self.expression(ty, 3)),
        }
    }

    fn expression(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            if let (Some(name), false) = (self.named(ty, false), self.random.one_in(4)) {
                return name;
            }
            return self.literal(ty);
        }
        let d = depth - 1;
        match ty {
            F32 if self.is_fragment && self.random.one_in(6) => {
                let function = self.random.pick(&["dpdx", "dpdyFine", "dpdxFine", "dpdyCoarse", "fwidth"]);
                if self.random.one_in(3) {
                    return format!("textureSample(t, s, vec2<f32>({}, 0.3)).y", self.expression(F32, 1));
                }
                format!("{function}({})", self.expression(F32, d))
            }
            U32 if self.is_fragment && self.random.one_in(8) => format!("countOneBits({})", self.expression(U32, d)),
            U32 => match self.random.below(14) {
                0 if !self.is_fragment => format!(
                    "lanes_word[({} + {}) % 32u]",
                    self.named(U32, false).unwrap_or("1u".into()),
                    self.expression(U32, d)
                ),
                1 => format!("u32({})", self.expression(F32, d)),
                2 => format!("bitcast<u32>({})", self.expression(F32, d)),
                3 => format!("u32({})", self.expression(I32, d)),
                4 => match self.named(Small, false) {
                    Some(array) => format!("{array}[({}) % 5u]", self.expression(U32, d)),
                    None => format!("u32({})", self.expression(Bool, d)),
                },
                5 => format!(
                    "select({}, {}, {})",
                    self.expression(U32, d),
                    self.expression(U32, d),
                    self.expression(Bool, d)
                ),
                6 => {
                    let function = self.random.pick(&[
                        "countOneBits",
                        "reverseBits",
                        "firstLeadingBit",
                        "countTrailingZeros",
                        "~",
                    ]);
                    format!("{function}({})", self.expression(U32, d))
                }
                12 => format!("pack2x16snorm({}.yx)", self.expression(Vec3, d)),
                13 => {
                    let (word, bits, place) =
                        (self.expression(U32, d), self.expression(U32, d), self.expression(U32, d));
                    format!("insertBits({word}, {bits}, {place}, counter)")
                }
                7 => match self.named(Pair, false) {
                    Some(pair) => format!("({pair}.first + u32({pair}.flags[({}) % 3u]))", self.expression(U32, d)),
                    None => self.literal(U32),
                },
                _ => {
                    let operator = self.random.pick(&["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"]);
                    let right = self.expression(U32, d);
                    let right = if operator == "<<" || operator == ">>" { format!("({right} & 31u)") } else { right };
                    format!("({} {operator} {right})", self.expression(U32, d))
                }
            },
            I32 => match self.random.below(9) {
                0 => match self.named(Large, false) {
                    Some(array) => format!("{array}[({}) % 9u]", self.expression(U32, d)),
                    None => self.literal(I32),
                },
                1 => format!("i32({})", self.expression(F32, d)),
                2 => format!("bitcast<i32>({})", self.expression(U32, d)),
                3 => format!("clamp({}, -50i, i32(counter))", self.expression(I32, d)),
                4 => format!("abs({})", self.expression(I32, d)),
                5 => format!("extractBits({}, {}, 7u)", self.expression(I32, d), self.expression(U32, d)),
                _ => {
                    let operator = self.random.pick(&["+", "-", "*", "/", "%", "^"]);
                    format!("({} {operator} {})", self.expression(I32, d), self.expression(I32, d))
                }
            },
            F32 => match self.random.below(11) {
                0 => format!("f32({})", self.expression(U32, d)),
                1 => format!("f32({})", self.expression(I32, d)),
                2 => format!(
                    "fma({}, {}, {})",
                    self.expression(F32, d),
                    self.expression(F32, d),
                    self.expression(F32, d)
                ),
                3 => {
                    let function =
                        self.random.pick(&["floor", "sqrt", "abs", "round", "fract", "sign", "-", "exp2", "saturate"]);
                    format!("{function}({})", self.expression(F32, d))
                }
                4 => match self.named(Vec3, false) {
                    Some(vector) => format!("{vector}[({}) % 4u]", self.expression(U32, d)),
                    None => self.literal(F32),
                },
                5 => format!("dot({}, {})", self.expression(Vec3, d), self.expression(Vec3, d)),
                6 => format!(
                    "select({}, {}, {})",
                    self.expression(F32, d),
                    self.expression(F32, d),
                    self.expression(Bool, d)
                ),
                7 => {
                    let function = self.random.pick(&["min", "max"]);
                    format!("{function}({}, {})", self.expression(F32, d), self.expression(F32, d))
                }
                _ => {
                    let operator = self.random.pick(&["+", "-", "*", "/", "%"]);
                    format!("({} {operator} {})", self.expression(F32, d), self.expression(F32, d))
                }
            },
            Bool => match self.random.below(7) {
                0 => format!("({} < {})", self.expression(F32, d), self.expression(F32, d)),
                1 => format!("({} >= {})", self.expression(I32, d), self.expression(I32, d)),
                2 => format!("!{}", self.expression(Bool, d)),
                3 => {
                    let operator = self.random.pick(&["&&", "||", "&", "|", "==", "!="]);
                    format!("({} {operator} {})", self.expression(Bool, d), self.expression(Bool, d))
                }
                4 => format!("any({} > {})", self.expression(Vec3, d), self.expression(Vec3, d)),
                _ => format!("(({}) % 3u == {})", self.expression(U32, d), ["0u", "1u", "2u"][self.random.below(3)]),
            },
            Vec3 => match self.random.below(6) {
                0 => format!(
                    "vec3<f32>({}, {}, {})",
                    self.expression(F32, d),
                    self.expression(F32, d),
                    self.expression(F32, d)
                ),
                1 => format!("{}.zxy", self.expression(Vec3, d)),
                2 => format!("({} * {})", self.expression(Vec3, d), self.expression(F32, d)),
                3 => format!("cross({}, {})", self.expression(Vec3, d), self.expression(Vec3, d)),
                4 => {
                    let [a, b, c] = [0, 1, 2].map(|_| self.expression(Vec3, d));
                    format!("(transpose(mat3x3<f32>({a}, {b}, {c})) * {a})")
                }
                _ => {
                    let operator = self.random.pick(&["+", "-", "*", "/"]);
                    format!("({} {operator} {})", self.expression(Vec3, d), self.expression(Vec3, d))
                }
            },
            Small => format!("array<u32, 3>({}, {}, 5u)", self.expression(U32, d), self.expression(U32, d)),
            Large => {
                format!("array<i32, 7>(1i, {}, 2i, 3i, {}, -1i, 0i)", self.expression(I32, d), self.expression(I32, d))
            }
            Pair => format!(
                "Pair({}, array<bool, 2>({}, true), vec2<f32>({}, 1.5))",
                self.expression(U32, d),
                self.expression(Bool, d),
                self.expression(F32, d)
            ),
        }
    }

    fn literal(&mut self, ty: Type) -> String {
        match ty {
            U32 => self.random.pick(&["0u", "1u", "2u", "7u", "31u", "0x80000000u", "0xffffffffu", "1234567u"]).into(),
            I32 => self.random.pick(&["0i", "1i", "-1i", "5i", "-77i", "i32(2147483647)"]).into(),
            F32 => self.random.pick(&["0.0", "1.0", "-0.5", "3.25", "1e10", "1e-30", "0.1"]).into(),
            Bool => self.random.pick(&["true", "false"]).into(),
            Vec3 => self.random.pick(&["vec3<f32>(1.0, 2.0, -3.0)", "vec3<f32>(0.5)", "vec3<f32>()"]).into(),
            Small => "array<u32, 3>(1u, 2u, 3u)".into(),
            Large => "array<i32, 7>()".into(),
            Pair => "Pair()".into(),
        }
    }
}
