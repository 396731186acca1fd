//! The five shapes written by hand, `shapes/*.s`: one file of each kind for each shape.
//!
//! What is known early is computed early in both kinds, conditions while the address is made and ballots while x is loaded, so
//! that they differ in their mechanism and not in their order. How many warps, threads and cores there are they read from control
//! registers; the lanes of a warp may be any number of at least four.

use gpu_core::config::DivergenceMechanism;

/// Name of the shape, by the stack, by masks.
const FILES: [(&str, &str, &str); 5] = [
    ("low-degree", include_str!("shapes/low_degree.stack.s"), include_str!("shapes/low_degree.mask.s")),
    ("high-degree", include_str!("shapes/high_degree.stack.s"), include_str!("shapes/high_degree.mask.s")),
    ("data-dependent", include_str!("shapes/data_dependent.stack.s"), include_str!("shapes/data_dependent.mask.s")),
    ("asymmetric", include_str!("shapes/asymmetric.stack.s"), include_str!("shapes/asymmetric.mask.s")),
    ("multi-level", include_str!("shapes/multi_level.stack.s"), include_str!("shapes/multi_level.mask.s")),
];

/// The program of one of the five shapes.
///
/// # Panics
/// If it is none of them.
pub fn program(shape: &str, mechanism: DivergenceMechanism) -> &'static str {
    let (_, stack, masks) = FILES.iter().find(|(name, ..)| *name == shape).expect("one of the five is asked for");
    match mechanism {
        DivergenceMechanism::Ipdom => stack,
        DivergenceMechanism::Mask => masks,
    }
}

#[cfg(test)]
mod tests {
    use super::super::run::{Written, both, machine};
    use super::super::tree::Shape;

    /// Each run is held against plain Rust by `cost`; beyond that, files and generated texts take the same instructions for
    /// divergence, but that one ballot of the file serves both inner ifs of the last shape.
    #[test]
    fn files_and_generated_texts_are_the_same_programs() {
        for [cores, warps, lanes] in [[1, 1, 4], [1, 4, 16], [2, 3, 8], [1, 2, 32]] {
            let config = machine(cores, warps, lanes);
            for shape in Shape::five() {
                let run = |written| both(&shape, written, &config).unwrap_or_else(|error| panic!("{error}"));
                let [hand, tree] = [Written::Hand, Written::Assembly].map(run);
                let spared = if shape.name == "multi-level" { 1.0 } else { 0.0 };
                let of = |costs: [super::super::run::Cost; 2]| costs.map(|cost| cost.branch_instructions);
                let [stack, masks] = of(tree);
                assert_eq!(of(hand), [stack, masks - spared], "{} at {cores}, {warps}, {lanes}", shape.name);
            }
        }
    }

    /// What the files differ in is what lets lanes diverge: without it both kinds have the same instructions.
    #[test]
    fn both_kinds_do_the_same_beside_divergence() {
        let of_divergence = |line: &str| {
            let names = ["split", "join", "beqz", "j", "vote.ballot", "mask.and", "mask.or", "mask.xor"];
            names.contains(&line.split_whitespace().next().unwrap_or_default())
        };
        for (name, stack, masks) in super::FILES {
            let rest = |text: &'static str| -> Vec<String> {
                let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
                let lines = lines.filter(|line| !line.is_empty() && !of_divergence(line) && !line.ends_with(':'));
                lines.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
            };
            assert_eq!(rest(stack), rest(masks), "{name}");
        }
    }
}
