//! Pieces of code whose length depends on distances: simplified, placed, and turned into instructions.

use gpu_core::isa::{Instruction, Op};

use crate::ir::Location;
use crate::machine_code::CodeLabel;
use crate::options::Mutation;

/// A piece and the source it came from.
#[derive(Copy, Clone, Debug)]
pub struct Item {
    pub piece: Piece,
    pub at: Location,
}

/// One or two instructions, or a place.
#[derive(Copy, Clone, Debug)]
pub enum Piece {
    Label(CodeLabel),
    Plain(Instruction),
    Branch { op: Op, rs1: u8, rs2: u8, target: CodeLabel, is_far: bool },
    Jump(CodeLabel),
    Address { rd: u8, label: CodeLabel },
}

/// Where each label lies among the items; `usize::MAX` if nowhere.
fn places(items: &[Item]) -> Vec<usize> {
    let mut places = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if let Piece::Label(label) = item.piece {
            let label = label.0 as usize;
            if places.len() <= label {
                places.resize(label + 1, usize::MAX);
            }
            places[label] = index;
        }
    }
    places
}

/// The first item from here on that is not a label.
fn next_real(items: &[Item], from: usize) -> usize {
    let skipped = items[from..].iter().take_while(|item| matches!(item.piece, Piece::Label(_))).count();
    from + skipped
}

/// Instructions before a loop's test that are worth repeating at its end.
const LONGEST_TEST: usize = 3;

/// A jump back to a branch becomes the branch itself, inverted: a loop that tests at its top takes one jump a turn. The few
/// instructions that its test is made of are repeated. `label_count` labels are in use.
pub fn rotate(items: &mut Vec<Item>, mut label_count: u32, mutation: Option<Mutation>) {
    let places = places(items);
    // Behind the branch at this index goes this label.
    let mut behind: Vec<(usize, CodeLabel)> = Vec::new();
    let mut rotated = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Piece::Jump(top) = item.piece else { continue };
        let begin = next_real(items, places[top.0 as usize]);
        let test = items[begin..].iter().take_while(|item| matches!(item.piece, Piece::Plain(_))).count();
        let first = begin + test;
        let Some(Piece::Branch { op, rs1, rs2, target, .. }) = items.get(first).map(|item| item.piece) else {
            continue;
        };
        if test > LONGEST_TEST {
            continue;
        }
        if first < index {
            let label = match behind.iter().find(|&&(place, _)| place == first) {
                Some(&(_, label)) => label,
                None => {
                    label_count += 1;
                    behind.push((first, CodeLabel(label_count - 1)));
                    CodeLabel(label_count - 1)
                }
            };
            let op = if mutation == Some(Mutation::RotateWrong) { op } else { inverse(op) };
            let branch = Piece::Branch { op, rs1, rs2, target: label, is_far: false };
            rotated.push((index, begin..first, branch, target));
        }
    }
    let mut out = Vec::with_capacity(items.len() + 2 * rotated.len());
    for (index, item) in items.iter().enumerate() {
        match rotated.iter().find(|&&(place, ..)| place == index) {
            Some((_, test, branch, target)) => {
                let (branch, target) = (*branch, *target);
                out.extend_from_slice(&items[test.clone()]);
                out.push(Item { piece: branch, at: item.at });
                out.push(Item { piece: Piece::Jump(target), at: item.at });
            }
            None => out.push(*item),
        }
        if let Some(&(_, label)) = behind.iter().find(|&&(place, _)| place == index) {
            out.push(Item { piece: Piece::Label(label), at: item.at });
        }
    }
    *items = out;
}

/// Straightens jumps until nothing changes.
pub fn simplify(items: &mut Vec<Item>) {
    loop {
        let before = items.len();
        let places = places(items);
        let mut removed = vec![false; items.len()];
        for index in 0..items.len() {
            let final_target = |mut target: CodeLabel| {
                // A loop of nothing but jumps ends after as many hops as there are items.
                for _ in 0..items.len() {
                    match items.get(next_real(items, places[target.0 as usize])).map(|item| item.piece) {
                        Some(Piece::Jump(next)) if next != target => target = next,
                        _ => break,
                    }
                }
                target
            };
            match items[index].piece {
                Piece::Jump(target) => items[index].piece = Piece::Jump(final_target(target)),
                Piece::Branch { op, rs1, rs2, target, is_far } => {
                    let target = final_target(target);
                    items[index].piece = Piece::Branch { op, rs1, rs2, target, is_far };
                }
                _ => {}
            }
        }
        let mut index = 0;
        while index < items.len() {
            let real_places = |target: CodeLabel| next_real(items, places[target.0 as usize]);
            match items[index].piece {
                Piece::Jump(target) => {
                    // What follows is dead up to the next label.
                    let dead = items[index + 1..].iter().take_while(|i| !matches!(i.piece, Piece::Label(_)));
                    let dead = dead.count();
                    removed[index + 1..index + 1 + dead].fill(true);
                    if real_places(target) == next_real(items, index + 1 + dead) {
                        removed[index] = true;
                    }
                    index += dead;
                }
                Piece::Branch { op, rs1, rs2, target, is_far } => {
                    let follower = next_real(items, index + 1);
                    if real_places(target) == follower {
                        removed[index] = true;
                    } else if follower == index + 1
                        && let Some(Piece::Jump(other)) = items.get(follower).map(|item| item.piece)
                        && real_places(target) == next_real(items, follower + 1)
                    {
                        let op = inverse(op);
                        items[index].piece = Piece::Branch { op, rs1, rs2, target: other, is_far };
                        removed[follower] = true;
                        index += 1;
                    }
                }
                _ => {}
            }
            index += 1;
        }
        // A label that nothing goes to would keep what is dead behind it.
        let mut is_target = vec![false; places.len()];
        for (item, removed) in items.iter().zip(&removed) {
            if let (Piece::Jump(target) | Piece::Branch { target, .. } | Piece::Address { label: target, .. }, false) =
                (item.piece, removed)
            {
                is_target[target.0 as usize] = true;
            }
        }
        for (item, removed) in items.iter().zip(&mut removed) {
            *removed |= matches!(item.piece, Piece::Label(label) if !is_target[label.0 as usize]);
        }
        let mut keep = removed.iter().map(|removed| !removed);
        items.retain(|_| keep.next().expect("one for each item"));
        if items.len() == before {
            break;
        }
    }
}

fn inverse(op: Op) -> Op {
    match op {
        Op::Beq => Op::Bne,
        Op::Bne => Op::Beq,
        Op::Blt => Op::Bge,
        Op::Bge => Op::Blt,
        Op::Bltu => Op::Bgeu,
        _ => Op::Bltu,
    }
}

fn length(piece: &Piece) -> u32 {
    match piece {
        Piece::Label(_) => 0,
        Piece::Plain(_) | Piece::Jump(_) | Piece::Branch { is_far: false, .. } => 4,
        Piece::Branch { is_far: true, .. } | Piece::Address { .. } => 8,
    }
}

/// The byte offset of each item, and the end; far branches are marked.
pub fn place(items: &mut [Item], mutation: Option<Mutation>) -> Placed {
    let places = places(items);
    loop {
        let mut offsets = Vec::with_capacity(items.len() + 1);
        let mut offset = 0;
        for item in items.iter() {
            offsets.push(offset);
            offset += length(&item.piece);
        }
        offsets.push(offset);
        let mut changed = false;
        for (index, item) in items.iter_mut().enumerate() {
            if let Piece::Branch { target, is_far: is_far @ false, .. } = &mut item.piece {
                let distance = i64::from(offsets[places[target.0 as usize]]) - i64::from(offsets[index]);
                if !(-4096..4096).contains(&distance) {
                    *is_far = true;
                    changed = true;
                }
            }
        }
        if !changed {
            return Placed { offsets, places, mutation };
        }
    }
}

/// Where everything lies.
pub struct Placed {
    /// Byte offset of each item, then the end.
    pub offsets: Vec<u32>,
    places: Vec<usize>,
    mutation: Option<Mutation>,
}

impl Placed {
    fn label(&self, label: CodeLabel) -> i32 {
        self.offsets[self.places[label.0 as usize]] as i32
    }

    /// The instructions of an item.
    pub fn instructions(&self, index: usize, item: &Item) -> Vec<Instruction> {
        let here = self.offsets[index] as i32;
        let new = |op, rd, rs1, rs2, imm| Instruction { rd, rs1, rs2, imm, rm: 0, ..Instruction::new(op) };
        match item.piece {
            Piece::Label(_) => vec![],
            Piece::Plain(instruction) => vec![instruction],
            Piece::Jump(target) => vec![new(Op::Jal, 0, 0, 0, self.label(target) - here)],
            Piece::Branch { op, rs1, rs2, target, is_far: false } => {
                vec![new(op, 0, rs1, rs2, self.label(target) - here)]
            }
            Piece::Branch { op, rs1, rs2, target, is_far: true } => {
                let op = if self.mutation == Some(Mutation::FarSame) { op } else { inverse(op) };
                vec![new(op, 0, rs1, rs2, 8), new(Op::Jal, 0, 0, 0, self.label(target) - here - 4)]
            }
            Piece::Address { rd, label } => {
                let distance = self.label(label) - here;
                let low = distance << 20 >> 20;
                vec![new(Op::Auipc, rd, 0, 0, distance - low), new(Op::Addi, rd, rd, 0, low)]
            }
        }
    }
}
