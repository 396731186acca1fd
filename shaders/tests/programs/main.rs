//! Whole WGSL programs, each with the results that plain Rust computes for it (`table`), run every way there is: by the
//! evaluator, from the intermediate form, and compiled on machines of many shapes (`ways`).
//!
//! The programs are small, one idea each. A new one is a file in `wgsl/`, a function that computes what it should leave in
//! its buffers, and a line in its family's list; other implementations run the same table (`golden_images`).

mod stages;
mod table;
mod ways;

use shaders::compile::DivergenceMechanism::{Ipdom, Mask};
use shaders::compile::Mutation;
use table::{Case, Family, Program};
use ways::{Ready, Way};

/// Runs a program every way and compares each buffer: the evaluator with plain Rust, the others with the evaluator, bit for bit.
fn check(program: &Program) {
    let ready = Ready::new(program);
    for lanes in ways::LANES {
        let case = program.case(lanes);
        let evaluated = ready.run(&Way::Evaluated { lanes }, &case);
        if let Err(difference) = case.judge(&evaluated) {
            panic!("`{}`, {lanes} lanes, evaluated: {difference}", program.name);
        }
        for way in ways::others(lanes) {
            let found = ready.run(&way, &case);
            for (binding, (found, wanted)) in found.iter().zip(&evaluated).enumerate() {
                let differing = found.iter().zip(wanted).position(|(found, wanted)| found != wanted);
                if let Some(n) = differing {
                    panic!(
                        "`{}`, {way}: word {n} of binding {binding} is {:#010x}, the evaluator has {:#010x}",
                        program.name, found[n], wanted[n]
                    );
                }
            }
        }
    }
}

/// One test a family: they run side by side, and a failure says which.
macro_rules! families {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            family(stringify!($name)).programs.iter().for_each(check);
        })*

        #[test]
        fn every_family_is_tested() {
            let tested = [$(stringify!($name)),*];
            let listed: Vec<_> = table::FAMILIES.iter().map(|family| family.name).collect();
            assert_eq!(listed, tested);
        }
    };
}

fn family(name: &str) -> &'static Family {
    table::FAMILIES.iter().find(|family| family.name == name).expect("`every_family_is_tested` holds")
}

families! { sorting scans integers control numeric data builtins subgroups joins odd_control odd_numbers
texture_reads texture_samples texture_stores }

/// naga's own SPIR-V is read back by naga; what comes out must mean what went in, private globals and wrappers included.
#[test]
fn programs_mean_the_same_as_spirv() {
    let (mut read, mut unread) = (0, Vec::new());
    // naga writes `case 3, default` as a jump to the default's block and reads that as a fall into the case that comes next.
    // SPIR-V leaves open what lies out of range, and naga's indices are bare there; it limits floats before they become
    // integers, where a NaN becomes the least.
    let left_out = ["fall_through", "robust_spaces", "partial_elements", "float_to_integer"];
    for program in table::programs().filter(|program| !left_out.contains(&program.name)) {
        let Some(ready) = Ready::by_spirv(program) else {
            unread.push(program.name);
            continue;
        };
        read += 1;
        let case = program.case(8);
        let ways = ways::others(8);
        let [evaluated, compiled] = [&Way::Evaluated { lanes: 8 }, &ways[1]].map(|way| ready.run(way, &case));
        let is_right = case.judge(&evaluated);
        assert!(is_right.is_ok(), "`{}` by SPIR-V: {is_right:?}", program.name);
        assert_eq!(compiled, evaluated, "`{}` by SPIR-V", program.name);
    }
    println!("{read} programs by SPIR-V; naga does not write or read {unread:?}");
    // What it does not read back: atomics in workgroup memory, `frexp`, `&&` of vectors, packed dot products, halves, quads (two),
    // sizes of one-dimensional textures.
    assert!(unread.len() <= 15, "{unread:?}");
}

/// Every planted fault of the compiler shows in some program, with all registers or few, under one mechanism or the other.
#[test]
fn planted_faults_are_noticed() {
    let programs: Vec<_> =
        table::programs().map(|program| (Ready::new(program), program.case(8), program.name)).collect();
    let ways = [((29, 32), Ipdom), ((10, 6), Ipdom), ((10, 6), Mask)];
    let witness = |mutation| {
        let mut tried = ways.iter().flat_map(|way| programs.iter().map(move |program| (way, program)));
        tried.find(|((registers, divergence), (ready, case, _))| {
            let found = ready.launched_with(mutation, *registers, *divergence, case);
            found.is_none_or(|found| case.judge(&found).is_err())
        })
    };
    let mut unnoticed = Vec::new();
    for mutation in Mutation::EVERY {
        match witness(mutation) {
            Some((way, (.., name))) => println!("{mutation:?} shows in `{name}` with {way:?}"),
            None => unnoticed.push(mutation),
        }
    }
    assert_eq!(unnoticed, [], "planted faults show nowhere");
}

#[test]
fn names_are_unique_and_every_file_is_in_the_table() {
    let mut names: Vec<_> = table::programs().map(|program| format!("{}.wgsl", program.name)).collect();
    names.sort();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/wgsl");
    let files = std::fs::read_dir(folder).expect("the programs are in the repository");
    let mut files: Vec<_> =
        files.map(|file| file.expect("a readable folder").file_name().to_string_lossy().into_owned()).collect();
    files.sort();
    assert_eq!(names, files);
}

#[test]
fn a_wrong_word_is_noticed() {
    let program = table::programs().next().expect("there are programs");
    let case: Case = program.case(8);
    let mut right: Vec<_> = case.buffers.iter().map(|buffer| buffer.after.clone()).collect();
    assert_eq!(case.judge(&right), Ok(()));
    let last = right.last_mut().expect("a program has a buffer");
    last[0] ^= 1;
    assert!(case.judge(&right).is_err());
}
