//! Checks across fields: what a row alone cannot say.

use super::{CacheTiming, ConfigError, GpuConfig};

/// Whether the fields of a machine, each allowed by itself, fit together.
pub(super) fn check(config: &GpuConfig) -> Result<(), ConfigError> {
    let timing = &config.timing;
    cache("icache", &timing.icache)?;
    cache("dcache", &timing.dcache)?;
    cache("tcache", &timing.tcache)?;
    cache("l2", &timing.l2)?;
    let holds = |is_so, message| if is_so { Ok(()) } else { Err(ConfigError::Geometry(message)) };
    for (name, line_bytes) in [
        ("icache", timing.icache.line_bytes),
        ("dcache", timing.dcache.line_bytes),
        ("tcache", timing.tcache.line_bytes),
    ] {
        holds(
            !timing.shared.has_l2 || line_bytes <= timing.l2.line_bytes,
            format!(
                "{name}.line_bytes {line_bytes} is larger than l2.line_bytes {}: a line must lie in one line below",
                timing.l2.line_bytes
            ),
        )?;
    }
    let (block, line) = (timing.lsu.block_bytes, timing.dcache.line_bytes);
    holds(
        block <= line,
        format!("lsu.block_bytes {block} is larger than dcache.line_bytes {line}: a request must lie in one line"),
    )?;
    let (row, line) = (timing.dram.row_bytes, timing.l2.line_bytes.max(timing.dcache.line_bytes));
    holds(row >= line, format!("dram.row_bytes {row} is smaller than a cache line of {line} bytes"))?;
    let (width, warps) = (timing.issue.width, config.warps);
    holds(width <= warps, format!("issue.width {width} is more than warps {warps}: each slice needs a warp"))
}

/// Whether a cache can be laid out.
fn cache(name: &str, cache: &CacheTiming) -> Result<(), ConfigError> {
    let CacheTiming { bytes, line_bytes, ways, banks, ports, .. } = *cache;
    let holds = |is_so, message| if is_so { Ok(()) } else { Err(ConfigError::Geometry(message)) };
    holds(
        line_bytes <= bytes,
        format!("{name}.line_bytes {line_bytes} is larger than the cache, {name}.bytes {bytes}"),
    )?;
    let lines = bytes / line_bytes;
    holds(
        ways <= lines,
        format!(
            "{name}.ways {ways} is more than the {lines} lines of {name}.bytes {bytes} / {name}.line_bytes {line_bytes}"
        ),
    )?;
    let sets = lines / ways;
    holds(
        banks <= sets,
        format!(
            "{name}.banks {banks} is more than its {sets} sets ({name}.bytes {bytes} / {name}.line_bytes {line_bytes} / {name}.ways {ways}): each bank needs a set"
        ),
    )?;
    holds(ports <= banks, format!("{name}.ports {ports} is more than {name}.banks {banks}"))
}
