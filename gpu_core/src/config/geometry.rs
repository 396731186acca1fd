//! Checks across fields: what a row alone cannot say.

use super::{ConfigError, GpuConfig};

/// An error unless something holds.
fn holds(is_so: bool, message: impl FnOnce() -> String) -> Result<(), ConfigError> {
    if is_so { Ok(()) } else { Err(ConfigError::Geometry(message())) }
}

/// Whether the fields of a machine, each allowed by itself, fit together.
pub(super) fn check(config: &GpuConfig) -> Result<(), ConfigError> {
    let memory = &config.timing.memory;
    let line = memory.line_bytes;
    for (name, cache) in [("icache", &memory.icache), ("dcache", &memory.dcache), ("tcache", &memory.tcache)] {
        check_cache(name, line, cache.bytes, cache.ways, cache.banks)?;
        let (ports, banks) = (cache.ports, cache.banks);
        holds(ports <= banks, || format!("{name}.ports {ports} is more than {name}.banks {banks}"))?;
    }
    let l2 = &memory.l2;
    if l2.bytes != 0 {
        holds(l2.bytes.is_power_of_two(), || format!("l2.bytes must be 0 or a power of two, not {}", l2.bytes))?;
        check_cache("l2", line, l2.bytes, l2.ways, 1)?;
    }
    let block = memory.lsu.coalesce_bytes;
    holds(block == 0 || block >= 4 && block.is_power_of_two(), || {
        format!("lsu.coalesce_bytes must be 0, or a power of two from 4, not {block}")
    })?;
    for (name, block) in [("lsu.coalesce_bytes", block), ("texture.merge_bytes", memory.texture.merge_bytes)] {
        holds(block <= line, || format!("{name} {block} is larger than a line, memory.line_bytes {line}"))?;
    }
    let row = memory.dram.row_bytes;
    holds(row >= line, || format!("dram.row_bytes {row} is smaller than a line, memory.line_bytes {line}"))?;
    let (width, warps) = (config.timing.issue.width, config.warps);
    holds(width <= warps, || format!("issue.width {width} is more than warps {warps}: each slice needs a warp"))
}

/// Whether a cache can be laid out.
fn check_cache(name: &str, line: u32, bytes: u32, ways: u32, banks: u32) -> Result<(), ConfigError> {
    holds(line <= bytes, || format!("memory.line_bytes {line} is larger than the cache, {name}.bytes {bytes}"))?;
    let lines = bytes / line;
    holds(ways <= lines, || {
        format!("{name}.ways {ways} is more than its {lines} lines ({name}.bytes {bytes} / memory.line_bytes {line})")
    })?;
    let sets = lines / ways;
    holds(banks <= sets, || {
        format!(
            "{name}.banks {banks} is more than its {sets} sets (each bank needs one; {name}.bytes {bytes} / memory.line_bytes {line} / {name}.ways {ways})"
        )
    })
}
