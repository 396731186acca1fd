//! Expressions of each type.

use super::{Generator, Type};
use Type::*;

impl Generator {
    pub(super) fn expression(&mut self, ty: Type, depth: usize) -> String {
        if depth == 0 || self.random.one_in(4) {
            if let (Some(name), false) = (self.named(ty, false), self.random.one_in(4)) {
                return name;
            }
            return self.literal(ty);
        }
        let d = depth - 1;
        if matches!(ty, U32 | F32) && self.random.one_in(12) {
            return self.texel(ty, d);
        }
        match ty {
            F32 if self.is_fragment && self.random.one_in(6) => {
                let function = self.random.pick(&["dpdx", "dpdyFine", "dpdxFine", "dpdyCoarse", "fwidth"]);
                if self.random.one_in(3) {
                    return format!("textureSample(t, s, vec2<f32>({}, 0.3)).y", self.expression(F32, 1));
                }
                format!("{function}({})", self.expression(F32, d))
            }
            U32 if self.is_fragment && self.random.one_in(8) => format!("countOneBits({})", self.expression(U32, d)),
            U32 => match self.random.below(17) {
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
                14 => format!("dot4U8Packed({}, {})", self.expression(U32, d), self.expression(U32, d)),
                15 => format!("pack4x8snorm({}.xyzx)", self.expression(Vec3, d)),
                16 => format!("extractBits({}, {}, 9u)", self.expression(U32, d), self.expression(U32, d)),
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
            I32 => match self.random.below(11) {
                0 => match self.named(Large, false) {
                    Some(array) => format!("{array}[({}) % 9u]", self.expression(U32, d)),
                    None => self.literal(I32),
                },
                1 => format!("i32({})", self.expression(F32, d)),
                9 => format!("frexp({}).exp", self.expression(F32, d)),
                10 => format!(
                    "dot(vec2<i32>({0}, 3i), vec2<i32>({1}, {0}))",
                    self.expression(I32, d),
                    self.expression(I32, d)
                ),
                2 => format!("bitcast<i32>({})", self.expression(U32, d)),
                3 => format!("clamp({}, -50i, i32(counter))", self.expression(I32, d)),
                4 => format!("abs({})", self.expression(I32, d)),
                5 => format!("extractBits({}, {}, 7u)", self.expression(I32, d), self.expression(U32, d)),
                _ => {
                    let operator = self.random.pick(&["+", "-", "*", "/", "%", "^"]);
                    format!("({} {operator} {})", self.expression(I32, d), self.expression(I32, d))
                }
            },
            F32 => match self.random.below(14) {
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
                11 => format!("ldexp({}, {} % 300i)", self.expression(F32, d), self.expression(I32, d)),
                12 => format!("unpack2x16float({}).y", self.expression(U32, d)),
                13 => match self.named(Matrix, false) {
                    Some(matrix) => format!("{matrix}[({}) % 3u].x", self.expression(U32, d)),
                    None => self.literal(F32),
                },
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
            Vec3 => match self.random.below(8) {
                0 => format!(
                    "vec3<f32>({}, {}, {})",
                    self.expression(F32, d),
                    self.expression(F32, d),
                    self.expression(F32, d)
                ),
                1 => format!("{}.zxy", self.expression(Vec3, d)),
                5 => match self.named(Matrix, false) {
                    Some(matrix) => format!("{matrix}[({}) % 3u]", self.expression(U32, d)),
                    None => self.literal(Vec3),
                },
                6 => format!("({} * {}.xz)", self.expression(Matrix, d), self.expression(Vec3, d)),
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
            Matrix => match self.random.below(4) {
                0 => format!("mat2x3<f32>({}, {})", self.expression(Vec3, d), self.expression(Vec3, d)),
                1 => format!("({} * {})", self.expression(Matrix, d), self.expression(F32, d)),
                2 => format!(
                    "({} * mat2x2<f32>(1.0, {}, 2.0, -1.0))",
                    self.expression(Matrix, d),
                    self.expression(F32, d)
                ),
                _ => {
                    let operator = self.random.pick(&["+", "-"]);
                    format!("({} {operator} {})", self.expression(Matrix, d), self.expression(Matrix, d))
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

    /// A component of a texel, or what a texture says of itself. Levels, layers and coordinates are often none of the texture's.
    fn texel(&mut self, ty: Type, d: usize) -> String {
        let floats = if self.is_fragment { "t" } else { "floats" };
        let component = self.random.pick(&["x", "y", "z", "w"]);
        if ty == F32 {
            let [x, y, level] = [0, 1, 2].map(|_| self.near(d));
            return format!("textureLoad({floats}, vec2<i32>({x}, {y}), {level}).{component}");
        }
        match self.random.below(4) {
            0 => format!("textureDimensions({floats}, {}).{}", self.near(d), self.random.pick(&["x", "y"])),
            1 => format!("textureNumLevels({floats})"),
            _ if self.is_fragment => format!("u32(textureLoad(t, vec2<u32>({}, 3u), 0).y)", self.expression(U32, d)),
            2 => {
                let [layer, level] = [0, 1].map(|_| self.near(d));
                let [x, y] = [0, 1].map(|_| self.expression(U32, d));
                format!("textureLoad(words, vec2<u32>({x}, {y} % 7u), {layer}, {level}).{component}")
            }
            _ => {
                let [x, y] = [0, 1].map(|_| self.near(d));
                format!("textureLoad(words, vec2<i32>({x}, {y}), {}, 1u).{component}", self.expression(U32, d))
            }
        }
    }

    /// An integer of which half are small.
    fn near(&mut self, d: usize) -> String {
        let number = self.expression(I32, d);
        if self.random.one_in(2) { number } else { format!("({number} % 7i)") }
    }

    pub(super) fn literal(&mut self, ty: Type) -> String {
        match ty {
            U32 => self.random.pick(&["0u", "1u", "2u", "7u", "31u", "0x80000000u", "0xffffffffu", "1234567u"]).into(),
            I32 => self.random.pick(&["0i", "1i", "-1i", "5i", "-77i", "i32(2147483647)"]).into(),
            F32 => self.random.pick(&["0.0", "1.0", "-0.5", "3.25", "1e10", "1e-30", "0.1"]).into(),
            Bool => self.random.pick(&["true", "false"]).into(),
            Vec3 => self.random.pick(&["vec3<f32>(1.0, 2.0, -3.0)", "vec3<f32>(0.5)", "vec3<f32>()"]).into(),
            Small => "array<u32, 3>(1u, 2u, 3u)".into(),
            Large => "array<i32, 7>()".into(),
            Pair => "Pair()".into(),
            Matrix => "mat2x3<f32>(1.0, 2.0, 3.0, -4.0, 0.5, 0.25)".into(),
        }
    }
}
