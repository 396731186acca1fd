//! V4, V15, V16: the data cache's banks and ports, and how the caches are built.

use gpu_core::config::{GpuConfig, WritePolicy};

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::compute::Benchmark;
use crate::experiments::error::ExperimentError;
use crate::experiments::machine::measure;

pub const V4: Claim = Claim {
    id: "V4",
    kind: Kind::Shape,
    published: "data cache of 4 banks: bank utilisation with 1 port 67 % (sgemm) and 71 % (vecadd); 2 and 4 ports approach 100 %",
    tests: &[("gpu_core/src/timing/cache/tests.rs", "ports_let_requests_of_one_line_in_together")],
    measure: v4,
};

pub const V15: Claim = Claim {
    id: "V15",
    kind: Kind::Exact,
    published: "a cache bank has its own MSHR and four stages, replays go first; only the data cache has ports; as many banks as threads",
    tests: &[
        ("gpu_core/src/timing/cache/tests.rs", "a_hit_takes_the_four_stages"),
        ("gpu_core/src/timing/cache/tests.rs", "replays_go_before_fills_and_fills_before_requests"),
        ("gpu_core/src/timing/cache/tests.rs", "a_full_mshr_holds_reads_until_the_first_replay"),
        ("gpu_core/src/timing/cache/tests.rs", "lines_interleave_over_banks"),
    ],
    measure: v15,
};

pub const V16: Claim = Claim {
    id: "V16",
    kind: Kind::Exact,
    published: "16 KB instruction cache, data cache and shared memory; clusters with optional L2; optional L3; flush gives weak coherence",
    tests: &[
        ("gpu_core/src/timing/shared_level/tests.rs", "an_l2_hit_does_not_go_to_dram"),
        ("gpu_core/src/timing/cache/tests.rs", "a_store_miss_goes_below_and_leaves_no_line"),
    ],
    measure: v16,
};

/// Published for one port.
const ONE_PORT: [(Benchmark, f64); 2] = [(Benchmark::Sgemm, 0.67), (Benchmark::Vecadd, 0.71)];
/// What counts as approaching 100 %.
const NEARLY_ALL: f64 = 0.9;

fn v4(setting: &Setting) -> Result<Finding, ExperimentError> {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    let mut parts = Vec::new();
    let mut coalesced = Vec::new();
    for (benchmark, published) in ONE_PORT {
        let size = if benchmark == Benchmark::Sgemm { setting.matrix } else { setting.vector };
        let utilisation = |ports: u32, coalesces: bool| -> Result<f64, ExperimentError> {
            let mut config = GpuConfig::vortex(1, 4, 4);
            config.timing.memory.dcache.ports = ports;
            if !coalesces {
                config.timing.memory.lsu.coalesce_bytes = 0;
            }
            let run = measure(benchmark, size, &config)?;
            Ok(run.timed()?.sum.dcache.bank_utilisation().unwrap_or(0.0))
        };
        let by_ports = [utilisation(1, false)?, utilisation(2, false)?, utilisation(4, false)?];
        // A share: within a tenth of the whole, and rising with ports.
        holds.push((by_ports[0] - published).abs() <= 0.1);
        holds.push(by_ports[1] > by_ports[0] && by_ports[2] >= NEARLY_ALL);
        let shown = by_ports.map(|share| format!("{:.0} %", 100.0 * share)).join(", ");
        parts.push(format!("{} {shown}", benchmark.name()));
        for (ports, share) in [1, 2, 4].into_iter().zip(by_ports) {
            figures.push(figure(format!("{}, {ports} ports", benchmark.name()), share));
        }
        let share = utilisation(1, true)?;
        coalesced.push(format!("{} {:.0} %", benchmark.name(), 100.0 * share));
        figures.push(figure(format!("{}, 1 port, coalescer", benchmark.name()), share));
    }
    Ok(Finding {
        measured: format!("with 1, 2, 4 ports: {}", parts.join("; ")),
        agreement: Agreement::of_parts(&holds),
        reason: format!(
            "requests accepted, of those and the cycles waited behind a bank; without the coalescer, which the design of 2021 has \
             not (lsu.coalesce_bytes = 0), four lanes of one line wait 0, 1, 2 and 3 cycles; with it one port gives {}: they \
             are one request, and ports have nothing left to merge",
            coalesced.join(", ")
        ),
        figures,
        charts: Vec::new(),
    })
}

fn v15(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = GpuConfig::vortex(1, 4, 4);
    let memory = &config.timing.memory;
    let holds = [
        memory.dcache.mshr >= 1,
        memory.dcache.latency == 4 && memory.icache.latency == 4,
        memory.icache.ports == 1 && memory.tcache.ports == 1,
        memory.dcache.banks == config.lanes,
    ];
    let wide = GpuConfig::vortex(1, 2, 8).timing.memory.dcache.banks;
    Ok(Finding {
        measured: format!(
            "4W-4T: {} banks, {} misses each, {} cycles for a hit, ports 1 by default and settable",
            memory.dcache.banks, memory.dcache.mshr, memory.dcache.latency
        ),
        agreement: Agreement::of_parts(&holds),
        reason: format!(
            "as published up to four lanes; wider warps keep {wide} banks, as the later configuration files have it"
        ),
        figures: vec![figure("banks", memory.dcache.banks.into()), figure("misses a bank", memory.dcache.mshr.into())],
        charts: Vec::new(),
    })
}

fn v16(_: &Setting) -> Result<Finding, ExperimentError> {
    let config = GpuConfig::vortex(1, 4, 4);
    let memory = &config.timing.memory;
    let mut with_l2 = config;
    with_l2.timing.memory.l2.bytes = 1 << 20;
    let holds = [
        memory.icache.bytes == 16 << 10 && memory.dcache.bytes == 16 << 10 && config.local_bytes == 16 << 10,
        memory.l2.bytes == 0 && with_l2.validate().is_ok(),
        memory.dcache.write_policy == WritePolicy::Through,
        // One cluster, and no third level.
        false,
    ];
    Ok(Finding {
        measured: format!(
            "instruction cache {} KB, data cache {} KB, local memory {} KB, L2 off and settable",
            memory.icache.bytes >> 10,
            memory.dcache.bytes >> 10,
            config.local_bytes >> 10
        ),
        agreement: Agreement::of_parts(&holds),
        reason: "all cores are one cluster behind one optional L2, and there is no L3; caches hold tags only, so a fence is where \
                 values meet and a flush has nothing to move"
            .to_owned(),
        figures: vec![figure("data cache bytes", memory.dcache.bytes.into())],
        charts: Vec::new(),
    })
}
