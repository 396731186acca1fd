//! Z1 to Z6: transcendental instructions, what they are worth and what they save.

use gpu_core::config::GpuConfig;
use gpu_core::gpu::LaunchError;
use gpu_core::isa::fusion::FUSED_PAIRS;
use gpu_core::isa::{Extension, ExtensionSet, Op, Operand, SPECS, assemble, decode, decode_for};
use gpu_core::semantics::transcendental::{is_binary, operations};
use gpu_core::trap::TrapKind;
use gpu_core::units::Address;
use rayon::prelude::*;
use shaders::evaluate::{BufferBinding, Evaluator};
use shaders::front_end::Module;
use shaders::kernels::KernelSource;

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::accuracy::{self, sweep};
use crate::experiments::build::build;
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;
use crate::experiments::machine::timed;
use crate::experiments::workload::{Binding, Buffer, Expected, Step, Workload};

pub const Z1: Claim = Claim {
    id: "Z1",
    kind: Kind::Exact,
    published: "34 operations in nine groups: Zftrans 7, ZftransExt 4, Ztrignpi 3, Ztrigpi 3, Zarctrignpi 4, Zarctrigpi 4, Zfhyp 6, ZftransAdv 2, Zfrsqrt 1",
    tests: &[(
        "gpu_core/tests/transcendental.rs",
        "the_machine_computes_what_the_functions_say_and_traps_without_the_group",
    )],
    measure: z1,
};

pub const Z2: Claim = Claim {
    id: "Z2",
    kind: Kind::Exact,
    published: "accuracy as Khronos demands it (read as the full profile of OpenCL), and the same results everywhere; FRECIP has no entry (ours: 0.5 ulp)",
    tests: &[
        ("demos/src/experiments/accuracy/tests.rs", "every_instruction_is_within_its_bound_on_a_dense_sample"),
        ("demos/src/experiments/accuracy/tests.rs", "vectors_agree_with_the_reference_and_with_the_instructions"),
    ],
    measure: z2,
};

pub const Z3: Claim = Claim {
    id: "Z3",
    kind: Kind::Shape,
    published: "for 3D at least Zftrans, Ztrigpi and Zarctrigpi (the list breaks off at a comma)",
    tests: &[],
    measure: z3,
};

pub const Z4: Claim = Claim {
    id: "Z4",
    kind: Kind::Exact,
    published: "FSIN then FCOS fuse, FSINPI then FCOSPI fuse, in that order; atan is atan2 with 1, asinh ln(x + sqrt(x*x + 1))",
    tests: &[
        ("gpu_core/tests/machine/timed_cycles.rs", "a_cosine_after_the_sine_of_the_same_argument_costs_a_cycle"),
        ("gpu_core/tests/machine/timed_cycles.rs", "what_is_no_pair_does_not_fuse"),
        ("shaders/tests/compiler/transcendental.rs", "sine_and_cosine_of_one_argument_stand_in_the_order_that_fuses"),
    ],
    measure: z4,
};

pub const Z5: Claim = Claim {
    id: "Z5",
    kind: Kind::Ours,
    published: "a lit shader with these instructions against software routines (no figure)",
    tests: &[(
        "raster/tests/differential.rs",
        "machines_with_transcendental_instructions_draw_what_their_reference_draws",
    )],
    measure: z5,
};

pub const Z6: Claim = Claim {
    id: "Z6",
    kind: Kind::Exact,
    published: "fmt selects the precision; there are no half, native or fast operations",
    tests: &[("gpu_core/tests/transcendental.rs", "only_single_precision_means_something")],
    measure: z6,
};

/// The proposal's list.
const GROUPS: [(Extension, &str); 9] = [
    (Extension::Zftrans, "fhypot fcbrt frecip fexp2 flog2 fexpm1 flog1p"),
    (Extension::ZftransExt, "fexp flog fexp10 flog10"),
    (Extension::Ztrignpi, "fsin fcos ftan"),
    (Extension::Ztrigpi, "fsinpi fcospi ftanpi"),
    (Extension::Zarctrignpi, "fatan2 fasin facos fatan"),
    (Extension::Zarctrigpi, "fatan2pi fasinpi facospi fatanpi"),
    (Extension::Zfhyp, "fsinh fcosh ftanh fasinh facosh fatanh"),
    (Extension::ZftransAdv, "fpow froot"),
    (Extension::Zfrsqrt, "frsqrt"),
];

/// The preset with these extensions beside its own.
fn machine(groups: ExtensionSet) -> GpuConfig {
    let plain = GpuConfig::vortex(1, 4, 4);
    GpuConfig { extensions: plain.extensions.union(groups), ..plain }
}

fn program_failed(name: &str, cause: LaunchError) -> ExperimentError {
    ExperimentError::Program { name: name.to_owned(), cause }
}

fn z1(_: &Setting) -> Result<Finding, ExperimentError> {
    let (mut ran, mut trapped, mut listed) = (0, 0, 0);
    for (extension, names) in GROUPS {
        for name in names.split(' ') {
            let mnemonic = format!("{name}.s");
            let Some(spec) = SPECS.iter().find(|spec| spec.mnemonic == mnemonic && spec.extension == extension) else {
                continue;
            };
            listed += 1;
            let second = if spec.operands.contains(&Operand::Fs2) { ", fa1" } else { "" };
            let text = format!("li a0, 15; tmc a0; {mnemonic} fa2, fa0{second}; tmc x0");
            let program = assemble("one.s", &text).expect("the programs of the claims assemble");
            let with = machine(ExtensionSet::NONE.with(extension));
            timed(with)?.launch(&program, Address(0)).map_err(|cause| program_failed(&mnemonic, cause))?;
            ran += 1;
            let is_refused = |trap: &gpu_core::trap::Trap| trap.kind == TrapKind::MissingExtension { extension };
            let without = GpuConfig { extensions: ExtensionSet::ALL.without(extension), ..GpuConfig::vortex(1, 4, 4) };
            match timed(without)?.launch(&program, Address(0)) {
                Err(LaunchError::Trap(trap)) if is_refused(&trap) => trapped += 1,
                _ => {}
            }
        }
    }
    let rows = SPECS.iter().filter(|spec| ExtensionSet::TRANSCENDENTAL.contains(spec.extension)).count();
    Ok(Finding {
        measured: format!(
            "{listed} of {rows} rows are the list's; {ran} run with their group, {trapped} trap without it"
        ),
        agreement: Agreement::of_parts(&[listed == 34 && rows == 34, ran == 34, trapped == 34]),
        reason: "the words are of our own choosing; that a missing group traps is ours too".to_owned(),
        figures: vec![figure("run with the group", ran.into()), figure("trap without it", trapped.into())],
        charts: Vec::new(),
    })
}

fn z2(setting: &Setting) -> Result<Finding, ExperimentError> {
    let all: Vec<Op> = operations().collect();
    let worst: Vec<_> = all.par_iter().map(|&op| (op, sweep::sampled(op, setting.vector.max(2048)))).collect();
    let count: u64 = worst.iter().map(|(_, worst)| worst.count).sum();
    let misrounded: u64 = worst.iter().map(|(_, worst)| worst.misrounded).sum();
    let (farthest, most) = worst.iter().max_by(|a, b| a.1.ulps.total_cmp(&b.1.ulps)).expect("there are instructions");
    let holds: Vec<bool> = worst.iter().map(|(op, worst)| worst.ulps <= accuracy::bound(*op)).collect();
    Ok(Finding {
        measured: format!(
            "worst {:.6} ulp ({}) over {count} operands; {misrounded} results are not the nearest number",
            most.ulps,
            farthest.spec().mnemonic
        ),
        agreement: Agreement::of_parts(&holds),
        reason: "computed in 53 digits and rounded once to 24; docs/transcendentals.md has the sweep of each"
            .to_owned(),
        figures: worst.iter().map(|(op, worst)| figure(format!("{} ulp", op.spec().mnemonic), worst.ulps)).collect(),
        charts: Vec::new(),
    })
}

const LIT: KernelSource = KernelSource { name: "lit.wgsl", text: include_str!("lit.wgsl") };

/// The lit kernel over so many points, its results checked against the evaluator, which has the same extensions.
fn lit(setting: &Setting, groups: ExtensionSet) -> Result<Figures, ExperimentError> {
    let config = machine(groups);
    let lanes = [("LANES", f64::from(config.lanes))];
    let count = setting.vector / 8;
    let job = [64, count];
    let module = Module::parse(LIT.name, LIT.text)?.select("main", &lanes)?;
    let mut evaluator = Evaluator::for_machine(&module, config.extensions)?;
    let mut job_bytes: Vec<u8> = job.iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
    let mut colors = vec![0; 4 * count as usize];
    let mut bound = [
        BufferBinding { group: 0, binding: 0, bytes: &mut job_bytes },
        BufferBinding { group: 0, binding: 1, bytes: &mut colors },
    ];
    let grid = [count.div_ceil(config.lanes), 1, 1];
    evaluator
        .run_compute(grid, &mut bound, &[], config.lanes)
        .map_err(|error| ExperimentError::Guard(format!("the evaluator cannot run the kernel: {error}")))?;
    let words = colors.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let buffers =
        vec![Buffer { name: "job", words: job.to_vec() }, Buffer { name: "colors", words: vec![0; count as usize] }];
    let bindings =
        (0..).zip(&buffers).map(|(buffer, what)| Binding { buffer, offset: 0, bytes: what.bytes() }).collect();
    let workload = Workload {
        name: "lit",
        size: count.to_string(),
        kernels: vec![build(&LIT, "main", &lanes, &config)?],
        buffers,
        steps: vec![Step { kernel: 0, grid, bindings }],
        check: vec![Expected { buffer: 1, words }],
    };
    Ok(Figures::of(&workload.run(&mut timed(config)?)?))
}

fn z3(setting: &Setting) -> Result<Finding, ExperimentError> {
    let least = ExtensionSet::NONE.with(Extension::Zftrans).with(Extension::Ztrigpi).with(Extension::Zarctrigpi);
    let mut figures = Vec::new();
    let mut cycles = Vec::new();
    for (name, groups) in [("none", ExtensionSet::NONE), ("the three", least), ("all", ExtensionSet::TRANSCENDENTAL)] {
        let taken = lit(setting, groups)?.timed()?.cycles;
        figures.push(figure(format!("cycles, {name}"), taken as f64));
        cycles.push(taken as f64);
    }
    Ok(Finding {
        measured: format!(
            "a lit shader's cycles: {} without, {} with the three groups ({:.2}x), {} with all ({:.2}x)",
            cycles[0],
            cycles[1],
            cycles[0] / cycles[1],
            cycles[2],
            cycles[0] / cycles[2]
        ),
        agreement: if cycles[1] < cycles[0] { Agreement::Agrees } else { Agreement::Differs },
        reason: "WGSL's angles are radians: of the three only exp2 and log2 (and pow by them) serve its builtins"
            .to_owned(),
        figures,
        charts: Vec::new(),
    })
}

/// The cycles that 320 pairs take: ten of them, eight times over, on four warps.
fn pairs(first: Op, second: Op) -> Result<f64, ExperimentError> {
    let [first, second] = [first, second].map(|op| op.spec().mnemonic);
    // Two arguments take turns, so that no pair begins with the end of another.
    let pair = |n: u32| {
        let argument = 30 + n % 2;
        format!("{first} f{}, f{argument}; {second} f{}, f{argument};", 2 * n, 2 * n + 1)
    };
    let ten: String = (0..10).map(pair).collect();
    let text = format!(
        "la t1, work; li t0, 4; wspawn t0, t1
         work: li t2, 15; tmc t2; li t3, 8
         again: {ten} addi t3, t3, -1; bnez t3, again; tmc x0"
    );
    let program = assemble("pairs.s", &text).expect("the programs of the claims assemble");
    let mut gpu = timed(machine(ExtensionSet::TRANSCENDENTAL))?;
    let report = gpu.launch(&program, Address(0)).map_err(|cause| program_failed("pairs.s", cause))?;
    Ok(Figures::of(&[report]).timed()?.cycles as f64)
}

fn z4(_: &Setting) -> Result<Finding, ExperimentError> {
    let (mut figures, mut texts, mut holds) = (Vec::new(), Vec::new(), Vec::new());
    for (first, second) in FUSED_PAIRS {
        let (fused, other) = (pairs(first, second)?, pairs(second, first)?);
        let names = [first, second].map(|op| op.spec().mnemonic);
        texts.push(format!("{} {} {fused} cycles, {} {} {other}", names[0], names[1], names[1], names[0]));
        figures.push(figure(format!("cycles, {} then {}", names[0], names[1]), fused));
        figures.push(figure(format!("cycles, {} then {}", names[1], names[0]), other));
        holds.push(fused < other);
    }
    // Every 4099th number.
    let one = 1_f32;
    let numbers = || (0..=u32::MAX / 4099).map(|n| f32::from_bits(n * 4099)).filter(|x| x.is_finite());
    let sample = || numbers().step_by(97);
    let is_same =
        |x: f32, by: Op, of: Op| accuracy::result(by, x, one).to_bits() == accuracy::result(of, x, 0.0).to_bits();
    holds.push(sample().all(|x| is_same(x, Op::Fatan2, Op::Fatan) && is_same(x, Op::Fatan2pi, Op::Fatanpi)));
    let printed = |x: f32| accuracy::result(Op::Flog, x + libm::sqrtf(x * x + one), 0.0);
    let truth = |x: f32| accuracy::reference::value(Op::Fasinh, x, 0.0);
    let errors = sample()
        .filter(|x| (one..1e15).contains(x))
        .filter_map(|x| Some(accuracy::error_of(printed(x), truth(x)?).ulps));
    let worst = errors.fold(0.0, f64::max);
    figures.push(figure("asinh as printed, worst ulp from 1 to 1e15", worst));
    holds.push(worst < 4.0);
    Ok(Finding {
        measured: format!("320 pairs: {}; atan2 with 1 is atan to the bit; asinh as printed {worst:.1} ulp from 1 on", texts.join("; ")),
        agreement: Agreement::of_parts(&holds),
        reason: "the second of a pair finds its result in the unit; asinh as printed loses its digits below 1, and overflows early".to_owned(),
        figures,
        charts: Vec::new(),
    })
}

fn z5(setting: &Setting) -> Result<Finding, ExperimentError> {
    let software = lit(setting, ExtensionSet::NONE)?;
    let hardware = lit(setting, ExtensionSet::TRANSCENDENTAL)?;
    let cycles = [&software, &hardware].map(|figures| figures.cycles().unwrap_or_default() as f64);
    let instructions = [&software, &hardware].map(|figures| figures.warp_instructions as f64);
    Ok(Finding {
        measured: format!(
            "vortex-4w4t: {} cycles and {} instructions in software, {} and {} with the groups: {:.2}x and {:.2}x",
            cycles[0],
            instructions[0],
            cycles[1],
            instructions[1],
            cycles[0] / cycles[1],
            instructions[0] / instructions[1]
        ),
        agreement: if cycles[1] < cycles[0] { Agreement::Agrees } else { Agreement::Differs },
        reason: "latency 18 and one instruction in 4 cycles are ours; the software is the compiler's own, as accurate as WGSL asks"
            .to_owned(),
        figures: vec![
            figure("cycles, software", cycles[0]),
            figure("cycles, instructions", cycles[1]),
            figure("warp-instructions, software", instructions[0]),
            figure("warp-instructions, instructions", instructions[1]),
        ],
        charts: Vec::new(),
    })
}

fn z6(_: &Setting) -> Result<Finding, ExperimentError> {
    let single = operations().filter(|op| decode_for(ExtensionSet::ALL, op.spec().value).is_some()).count();
    let others: Vec<u32> = operations().flat_map(|op| (1..4).map(move |fmt| op.spec().value | fmt << 25)).collect();
    let reserved = others.iter().filter(|&&word| decode(word).is_none()).count();
    let has_fast = SPECS.iter().any(|spec| ["half", "native", "fast"].iter().any(|part| spec.mnemonic.contains(part)));
    let pairs = operations().filter(|&op| is_binary(op)).count();
    Ok(Finding {
        measured: format!(
            "fmt 00: {single} decode ({pairs} of two operands); fmt 01, 10, 11: {reserved} of {} are reserved",
            others.len()
        ),
        agreement: Agreement::of_parts(&[single == 34, reserved == others.len(), !has_fast]),
        reason: "the machine has single precision only".to_owned(),
        figures: vec![figure("decode", single as f64), figure("reserved", reserved as f64)],
        charts: Vec::new(),
    })
}
