//! M10: whole kernels on 8 warps of 32 lanes, stack against masks, memory as it is.

use gpu_core::config::{DivergenceMechanism, FirstSide, GpuConfig};
use shaders::kernels::KernelSource;

use super::run::saving;
use super::{Agreement, BASELINE, Claim, Finding, Kind, Setting, figure, percent};
use crate::experiments::build::build;
use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::Figures;
use crate::experiments::machine::timed;
use crate::experiments::workload::{Binding, Buffer, Expected, Step, Workload};
use crate::patterns::hash;

pub const M10: Claim = Claim {
    id: "M10",
    kind: Kind::Shape,
    published: "whole kernels (bfs, gaussian, nearn, psum, transpose) at 8 warps of 32 threads: masks still win, little where memory or arithmetic dominates",
    tests: &[],
    measure: m10,
};

const PSUM: KernelSource = KernelSource { name: "psum.wgsl", text: include_str!("psum.wgsl") };
const TRANSPOSE: KernelSource = KernelSource { name: "transpose.wgsl", text: include_str!("transpose.wgsl") };

/// A kernel of one launch whose buffers are bound whole, in order; the last one is the result.
fn one_launch(
    name: &'static str,
    source: &KernelSource,
    config: &GpuConfig,
    grid: [u32; 3],
    buffers: Vec<Buffer>,
    expected: Vec<u32>,
) -> Result<Workload, ExperimentError> {
    let kernel = build(source, "main", &[("LANES", f64::from(config.lanes))], config)?;
    let bindings = (0..).zip(&buffers).map(|(buffer, of)| Binding { buffer, offset: 0, bytes: of.bytes() }).collect();
    let check = vec![Expected { buffer: buffers.len() - 1, words: expected }];
    let size = format!("{} words", buffers[buffers.len() - 2].words.len());
    Ok(Workload { name, size, kernels: vec![kernel], buffers, steps: vec![Step { kernel: 0, grid, bindings }], check })
}

fn psum(words: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    let groups = words.div_ceil(config.lanes);
    let input: Vec<u32> = (0..groups * config.lanes).map(|index| hash(index, 31)).collect();
    let sums =
        input.chunks(config.lanes as usize).map(|part| part.iter().fold(0u32, |sum, word| sum.wrapping_add(*word)));
    let sums: Vec<u32> = sums.collect();
    let buffers =
        vec![Buffer { name: "words", words: input }, Buffer { name: "sums", words: vec![0; groups as usize] }];
    one_launch("psum", &PSUM, config, [groups, 1, 1], buffers, sums)
}

fn transpose(side: u32, config: &GpuConfig) -> Result<Workload, ExperimentError> {
    // Its last warp of each row is not full.
    let (width, height) = (side + 5, side);
    let rows: Vec<u32> = (0..width * height).map(|index| hash(index, 32)).collect();
    let place = |index: u32| rows[(index % height * width + index / height) as usize];
    let columns: Vec<u32> = (0..width * height).map(place).collect();
    let buffers = vec![
        Buffer { name: "job", words: vec![width, height] },
        Buffer { name: "rows", words: rows },
        Buffer { name: "columns", words: vec![0; columns.len()] },
    ];
    one_launch("transpose", &TRANSPOSE, config, [width.div_ceil(config.lanes), height, 1], buffers, columns)
}

fn m10(setting: &Setting) -> Result<Finding, ExperimentError> {
    let stack = GpuConfig { first_side: FirstSide::Larger, ..GpuConfig::vortex(1, 8, 32) };
    let (mut figures, mut parts, mut savings) = (Vec::new(), Vec::new(), Vec::new());
    for name in ["bfs", "gaussian", "nearn", "psum", "transpose"] {
        let mut cycles = [0.0; 2];
        for (cycles, mechanism) in cycles.iter_mut().zip(DivergenceMechanism::EVERY) {
            let config = stack.with_divergence(mechanism);
            let workload = match name {
                "bfs" => Benchmark::Bfs.workload(setting.vector / 4, &config)?,
                "gaussian" => Benchmark::Gaussian.workload(setting.matrix / 2, &config)?,
                "nearn" => Benchmark::Nearn.workload(setting.vector, &config)?,
                "psum" => psum(setting.vector, &config)?,
                _ => transpose(setting.matrix, &config)?,
            };
            *cycles = Figures::of(&workload.run(&mut timed(config)?)?).timed()?.cycles as f64;
        }
        let less = saving(cycles[0], cycles[1]);
        figures.push(figure(format!("{name}: stack, cycles"), cycles[0]));
        figures.push(figure(format!("{name}: masks, cycles"), cycles[1]));
        parts.push(format!("{name} {}", percent(-less)));
        savings.push(less);
    }
    Ok(Finding {
        measured: format!("cycles by masks against the stack: {}", parts.join(", ")),
        agreement: Agreement::of_parts(&savings.iter().map(|&less| less > 0.0).collect::<Vec<_>>()),
        reason: format!(
            "{BASELINE}; compiled from one WGSL source each; what diverges here is mostly the guard at the end of the data, and bfs's \
             loop over edges, which masks skip by a branch as the stack does"
        ),
        figures,
        charts: Vec::new(),
    })
}
