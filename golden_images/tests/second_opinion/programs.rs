//! The programs of the compiler's tests, run by the driver: integers must be the same, floats within what WGSL allows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use golden_images::wgpu_backend::Computation;

#[allow(dead_code)]
#[path = "../../../shaders/tests/programs/table/mod.rs"]
mod table;

/// Programs that the driver's side cannot run or is known to run wrongly, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("pointers", "naga 29 writes no SPIR-V for it: `Expression is not cached`"),
    ("pointer_spaces", "naga 29 writes no SPIR-V for it: `Expression is not cached`"),
    ("zeroed_memory", "naga 29 gives a variable of a loop's body its zero once, before the loop"),
    ("robust_spaces", "WGSL leaves open which element an index beyond the last one names"),
    ("rounding", "WGSL lets an implementation ignore the sign of a zero, and this one does"),
    ("float_parts", "WGSL lets an implementation ignore the sign of a zero, and this one does"),
    ("loop_control", "naga 29 gives a variable of a loop's body its zero once, before the loop"),
    ("partial_elements", "WGSL leaves open which element an index beyond the last one names"),
    ("float_to_integer", "WGSL leaves open which integer a NaN becomes"),
    ("float_limits", "WGSL lets an implementation take subnormal numbers for zero"),
    ("half_floats", "WGSL lets an implementation take subnormal numbers for zero, and leaves infinities open"),
    ("packing_limits", "WGSL leaves open what is packed of a NaN"),
    ("kept_bits", "WGSL leaves open which NaN an operation gives, and the signs of zeros"),
    ("absent_lanes", "WGSL leaves open what comes from a lane that is not there"),
    ("least_and_most", "WGSL leaves open what comes of a NaN, and which zero is the lesser"),
    ("lane_order", "WGSL leaves open in which order lanes meet"),
    ("subgroup_float_order", "WGSL leaves the order of a subgroup's sum open"),
];

#[test]
fn programs_leave_what_plain_rust_computes() {
    let Some(driver) = super::driver() else { return };
    let (mut right, mut wrong) = (0, Vec::new());
    for family in table::FAMILIES {
        // Without subgroups of one size nobody knows what their results should be.
        let Some(lanes) = driver.subgroup_lanes().or((!["subgroups", "joins"].contains(&family.name)).then_some(8))
        else {
            println!("skipped: {} on {}", family.name, driver.name());
            continue;
        };
        for program in family.programs {
            if let Some((_, reason)) = LEFT_OUT.iter().find(|(name, _)| *name == program.name) {
                println!("{}: left out: {reason}", program.name);
                continue;
            }
            let case = program.case(lanes);
            let before: Vec<_> = case.buffers.iter().map(|buffer| buffer.before.clone()).collect();
            // naga knows these builtins, but not the line that WGSL wants for them.
            let source = program.source.replace("enable subgroups;", "");
            let run = Computation { source: &source, overrides: program.overrides, buffers: &before, grid: case.grid };
            let judged = match catch_unwind(AssertUnwindSafe(|| driver.compute(&run))) {
                Ok(Ok(found)) => case.judge_elsewhere(&found),
                Ok(Err(error)) => Err(error.to_string()),
                Err(_) => Err("the driver's side panicked".to_owned()),
            };
            match judged {
                Ok(()) => right += 1,
                Err(difference) => wrong.push(format!("`{}`: {difference}", program.name)),
            }
        }
    }
    println!("{right} programs leave the same on {}", driver.name());
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
