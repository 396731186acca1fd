//! Statements: declarations, branches, loops, calls, writes.

use super::{EVERY, Generator, Inside, Name, Type};
use Type::*;

impl Generator {
    pub(super) fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }

    pub(super) fn named(&mut self, ty: Type, must_write: bool) -> Option<String> {
        let fitting: Vec<_> = self.names.iter().filter(|n| n.ty == ty && (n.can_write || !must_write)).collect();
        let index = self.random.below(fitting.len().max(1));
        fitting.get(index).map(|name| name.text.clone())
    }

    pub(super) fn declaration(&mut self, ty: Type) -> String {
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

    pub(super) fn block(&mut self, inside: Inside, depth: usize) -> String {
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

    pub(super) fn statement(&mut self, inside: Inside, depth: usize) -> String {
        let deeper = depth < 5;
        match self.random.below(16) {
            0 | 1 => {
                let ty = EVERY[self.random.below(EVERY.len())];
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
            9 if !self.is_fragment => format!("atomicAdd(&tally, {});\n", self.expression(U32, 2)),
            10 => self.by_pointer(),
            11 if !self.is_fragment && self.random.one_in(2) => self.joined(),
            _ => self.assignment(),
        }
    }

    /// A write through a pointer to a part of a variable.
    fn by_pointer(&mut self) -> String {
        let ty = [Small, Large, Pair, Matrix][self.random.below(4)];
        let Some(target) = self.named(ty, true) else { return self.assignment() };
        let (pointer, index) = (self.fresh(), self.expression(U32, 2));
        let (part, write) = match ty {
            Small => (format!("[({index}) % 4u]"), format!("*{pointer} += {};", self.expression(U32, 2))),
            Large => (format!("[({index}) % 8u]"), format!("*{pointer} = {};", self.expression(I32, 2))),
            Pair => (".second".into(), format!("(*{pointer})[({index}) % 3u] = {};", self.expression(F32, 2))),
            _ => (format!("[({index}) % 3u]"), format!("(*{pointer}).z = {};", self.expression(F32, 2))),
        };
        format!("{{\nlet {pointer} = &{target}{part};\n{write}\n}}\n")
    }

    /// A value from, or of, the other lanes that are here.
    pub(super) fn joined(&mut self) -> String {
        let ty = [U32, I32, F32][self.random.below(3)];
        let (text, value) = (self.fresh(), self.expression(ty, 2));
        let call = match (self.random.below(7), ty) {
            (0, _) => format!("subgroupAdd({value})"),
            (1, _) => format!("subgroupMax({value})"),
            (2, _) => format!("subgroupExclusiveAdd({value})"),
            (3, _) => format!("subgroupShuffle({value}, {})", self.expression(U32, 1)),
            (4, _) => format!("subgroupShuffleXor({value}, {}u)", 1 + self.random.below(3)),
            (5, _) => format!("quadBroadcast({value}, {}u)", self.random.below(4)),
            (_, U32) => format!("subgroupBallot({}).x", self.expression(Bool, 2)),
            _ => format!("subgroupBroadcastFirst({value})"),
        };
        self.names.push(Name { text: text.clone(), ty, can_write: false });
        format!("let {text} = {call};\n")
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
        let ty = if self.random.one_in(10) { U32 } else { EVERY[self.random.below(EVERY.len())] };
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
            Matrix if self.random.one_in(3) => format!("{target}[({index}) % 3u] = {};\n", self.expression(Vec3, 2)),
            Matrix if self.random.one_in(2) => {
                let row = self.expression(U32, 1);
                format!("{target}[({index}) % 3u][({row}) % 4u] = {};\n", self.expression(F32, 2))
            }
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
}
