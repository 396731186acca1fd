//! The branch structures that the two mechanisms are measured on: a tree of ifs, written as assembly of either kind, as WGSL,
//! and computed in plain Rust.
//!
//! Every thread has one word x from memory and its lane. A body is so many instructions on x; a condition looks at the lane or at
//! x. The two kinds of assembly differ in what lets lanes diverge and in nothing else.

use std::fmt::Write;

use gpu_core::config::DivergenceMechanism;

/// A condition that the lanes of a warp disagree on.
#[derive(Copy, Clone, Debug)]
pub enum Condition {
    /// This bit of the lane.
    Lane(u32),
    /// The lane is this number, counted round by so many (a power of two).
    Path(u32, u32),
    /// A bit of a product of x: known when it is computed.
    Data(u32),
}

/// What a thread does.
#[derive(Clone, Debug)]
pub enum Node {
    /// So many instructions; the number makes bodies differ.
    Body(u32, u32),
    /// Two sides, the second may be empty.
    If(Condition, Vec<Node>, Vec<Node>),
}

/// A tree by name.
#[derive(Clone, Debug)]
pub struct Shape {
    pub name: String,
    pub nodes: Vec<Node>,
}

/// Instructions of a body where its length is not what is measured.
const LENGTH: u32 = 4;
/// Spreads bits (Knuth's multiplicative hash).
const FACTOR: u32 = 0x9e37_79b1;

fn body(number: u32) -> Vec<Node> {
    vec![Node::Body(number, LENGTH)]
}

fn if_else(on: Condition, accept: Vec<Node>, reject: Vec<Node>) -> Node {
    Node::If(on, accept, reject)
}

impl Shape {
    fn new(name: impl Into<String>, nodes: Vec<Node>) -> Self {
        Self { name: name.into(), nodes }
    }

    /// The five of the published figure, nested two deep where they nest.
    pub fn five() -> [Self; 5] {
        use Condition::{Data, Lane};
        let inner = |bit, first| if_else(Lane(bit), body(first), body(first + 1));
        [
            Self::new("low-degree", vec![if_else(Lane(0), body(1), body(2))]),
            Self { name: "high-degree".to_owned(), ..Self::paths(4) },
            Self::new("data-dependent", vec![if_else(Data(0), body(1), body(2)), if_else(Data(1), body(3), body(4))]),
            Self::new("asymmetric", vec![if_else(Lane(0), vec![inner(1, 1)], body(3))]),
            Self::new("multi-level", vec![if_else(Lane(0), vec![inner(1, 1)], vec![inner(1, 3)])]),
        ]
    }

    /// A switch of so many paths, each behind a guard of its own: no nesting.
    pub fn paths(count: u32) -> Self {
        let guarded = |path| Node::If(Condition::Path(path, count), body(path + 1), Vec::new());
        Self::new(format!("{count} paths"), (0..count).map(guarded).collect())
    }

    /// One if/else whose bodies have this length.
    pub fn bodies(length: u32) -> Self {
        let side = |number| vec![Node::Body(number, length)];
        Self::new(format!("bodies of {length}"), vec![if_else(Condition::Lane(0), side(1), side(2))])
    }

    /// Ifs in both sides of ifs, on one bit of the lane each.
    pub fn nested(depth: u32) -> Self {
        fn level(bit: u32, depth: u32, number: u32) -> Vec<Node> {
            if bit == depth {
                return body(number % 1000);
            }
            let side = |half| level(bit + 1, depth, 2 * number + half);
            vec![Node::If(Condition::Lane(bit), side(0), side(1))]
        }
        Self::new(format!("{depth} levels"), level(0, depth, 1))
    }

    /// What x becomes in a lane.
    pub fn compute(&self, x: u32, lane: u32) -> u32 {
        compute(&self.nodes, x, lane)
    }

    /// The program, of either kind. In-place on one word for each thread of the machine, at the address in `mscratch`.
    pub fn assembly(&self, mechanism: DivergenceMechanism) -> String {
        let mut writer = Writer { text: START.to_owned(), mechanism, labels: 0, depth: 0 };
        writer.nodes(&self.nodes);
        writer.text + "    sw a0, 0(a2)\n    tmc zero\n"
    }

    /// The same in WGSL, a warp of so many lanes a workgroup.
    pub fn wgsl(&self, lanes: u32) -> String {
        let mut text = format!(
            "@group(0) @binding(0) var<storage, read_write> words: array<u32>;\n\n\
             @compute @workgroup_size({lanes})\n\
             fn main(@builtin(global_invocation_id) thread: vec3<u32>, @builtin(local_invocation_id) at: vec3<u32>) {{\n\
             let lane = at.x;\nvar x = words[thread.x];\n"
        );
        wgsl(&self.nodes, &mut text);
        text + "words[thread.x] = x;\n}\n"
    }
}

fn compute(nodes: &[Node], mut x: u32, lane: u32) -> u32 {
    for node in nodes {
        x = match node {
            Node::Body(number, length) => (0..*length)
                .fold(x, |x, step| if step % 2 == 0 { x.wrapping_add(*number) } else { x ^ (number + step) }),
            Node::If(on, accept, reject) => {
                let holds = match *on {
                    Condition::Lane(bit) => lane >> bit & 1 != 0,
                    Condition::Path(path, count) => lane % count == path,
                    Condition::Data(bit) => x.wrapping_mul(FACTOR) >> (28 + bit) & 1 != 0,
                };
                compute(if holds { accept } else { reject }, x, lane)
            }
        };
    }
    x
}

/// Every lane of every warp comes to `work`; a0 = x, a1 = lane, a2 = where x lies.
const START: &str = "
    csrr t0, num_warps
    la   t1, work
    wspawn t0, t1
work:
    li   t0, -1
    tmc  t0
    csrr a1, thread_id
    csrr a2, mscratch
    csrr t0, mhartid
    slli t0, t0, 2
    add  a2, a2, t0
    lw   a0, 0(a2)
";

struct Writer {
    text: String,
    mechanism: DivergenceMechanism,
    labels: u32,
    depth: u32,
}

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.text, "    {line}").expect("a string takes all");
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Body(number, length) => {
                    for step in 0..*length {
                        if step % 2 == 0 {
                            self.line(format_args!("addi a0, a0, {number}"));
                        } else {
                            self.line(format_args!("xori a0, a0, {}", number + step));
                        }
                    }
                }
                Node::If(on, accept, reject) => self.if_else(*on, accept, reject),
            }
        }
    }

    /// t0 = the condition, 0 or 1.
    fn condition(&mut self, on: Condition) {
        match on {
            Condition::Lane(bit) => {
                self.line(format_args!("srli t0, a1, {bit}"));
                self.line(format_args!("andi t0, t0, 1"));
            }
            Condition::Path(path, count) => {
                self.line(format_args!("andi t0, a1, {}", count - 1));
                self.line(format_args!("addi t0, t0, -{path}"));
                self.line(format_args!("seqz t0, t0"));
            }
            Condition::Data(bit) => {
                self.line(format_args!("li t0, {}", FACTOR as i32));
                self.line(format_args!("mul t0, a0, t0"));
                self.line(format_args!("srli t0, t0, {}", 28 + bit));
                self.line(format_args!("andi t0, t0, 1"));
            }
        }
    }

    fn if_else(&mut self, on: Condition, accept: &[Node], reject: &[Node]) {
        self.condition(on);
        let saved = format!("s{}", self.depth);
        self.depth += 1;
        match self.mechanism {
            DivergenceMechanism::Mask => {
                self.line(format_args!("vote.ballot t1, t0"));
                self.line(format_args!("mask.and {saved}, t1"));
                self.nodes(accept);
                if !reject.is_empty() {
                    self.line(format_args!("mask.xor {saved}, {saved}"));
                    self.nodes(reject);
                }
                self.line(format_args!("mask.or zero, {saved}"));
            }
            DivergenceMechanism::Ipdom => {
                let number = self.labels;
                self.labels += 1;
                let otherwise = if reject.is_empty() { "end" } else { "else" };
                self.line(format_args!("split {saved}, t0"));
                self.line(format_args!("beqz t0, {otherwise}_{number}"));
                self.nodes(accept);
                if !reject.is_empty() {
                    self.line(format_args!("j end_{number}"));
                    writeln!(self.text, "else_{number}:").expect("a string takes all");
                    self.nodes(reject);
                }
                writeln!(self.text, "end_{number}:").expect("a string takes all");
                self.line(format_args!("join {saved}"));
            }
        }
        self.depth -= 1;
    }
}

fn wgsl(nodes: &[Node], text: &mut String) {
    for node in nodes {
        match node {
            Node::Body(number, length) => {
                for step in 0..*length {
                    *text += &match step % 2 {
                        0 => format!("x = x + {number}u;\n"),
                        _ => format!("x = x ^ {}u;\n", number + step),
                    };
                }
            }
            Node::If(on, accept, reject) => {
                let condition = match *on {
                    Condition::Lane(bit) => format!("((lane >> {bit}u) & 1u) != 0u"),
                    Condition::Path(path, count) => format!("(lane & {}u) == {path}u", count - 1),
                    Condition::Data(bit) => format!("(((x * {FACTOR}u) >> {}u) & 1u) != 0u", 28 + bit),
                };
                *text += &format!("if {condition} {{\n");
                wgsl(accept, text);
                if !reject.is_empty() {
                    *text += "} else {\n";
                    wgsl(reject, text);
                }
                *text += "}\n";
            }
        }
    }
}
