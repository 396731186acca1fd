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
    let missing = config.divergence.extension().filter(|&extension| !config.extensions.contains(extension));
    if let Some(extension) = missing {
        return Err(ConfigError::Geometry(format!(
            "divergence {} needs the extension {extension:?}, which extensions {:?} lacks",
            config.divergence.name(),
            config.extensions
        )));
    }
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

#[cfg(test)]
mod tests {
    use crate::config::GpuConfig;

    /// Each is allowed by its row, and not beside the others.
    #[test]
    fn impossible_geometry_is_refused_with_fields_and_limits() {
        for (fields, parts) in [
            (&[("dcache.bytes", "64"), ("memory.line_bytes", "128")][..], &["memory.line_bytes 128", "bytes 64"][..]),
            (&[("dcache.ports", "3"), ("dcache.banks", "2")], &["dcache.ports 3", "dcache.banks 2"]),
            (&[("tcache.bytes", "256"), ("tcache.ways", "8")], &["tcache.ways 8", "4 lines", "tcache.bytes 256"]),
            // 1024 / 64 = 16 lines, / 8 ways = 2 sets.
            (&[("dcache.bytes", "1K"), ("dcache.ways", "8")], &["dcache.banks 4", "2 sets", "dcache.ways 8"]),
            (&[("l2.bytes", "3000")], &["l2.bytes", "power of two", "3000"]),
            (&[("l2.bytes", "64"), ("l2.ways", "4")], &["l2.ways 4", "1 lines", "l2.bytes 64"]),
            (&[("lsu.coalesce_bytes", "24")], &["lsu.coalesce_bytes", "power of two", "24"]),
            (&[("lsu.coalesce_bytes", "2")], &["lsu.coalesce_bytes", "power of two from 4", "2"]),
            (&[("lsu.coalesce_bytes", "128")], &["lsu.coalesce_bytes 128", "memory.line_bytes 64"]),
            (&[("texture.merge_bytes", "128")], &["texture.merge_bytes 128", "memory.line_bytes 64"]),
            (&[("memory.line_bytes", "128"), ("dram.row_bytes", "64")], &["dram.row_bytes 64", "128"]),
            (&[("issue.width", "8")], &["issue.width 8", "warps 4"]),
        ] {
            let mut config = GpuConfig::vortex(1, 4, 4);
            for (path, text) in fields {
                config.set_field(path, text).unwrap_or_else(|error| panic!("{path} = {text}: {error}"));
            }
            let message = config.validate().expect_err(&format!("{fields:?}")).to_string();
            assert!(parts.iter().all(|part| message.contains(part)), "{fields:?}: {message}");
        }
    }

    /// The limits themselves are allowed.
    #[test]
    fn possible_geometry_is_allowed() {
        for fields in [
            &[("dcache.bytes", "64"), ("dcache.banks", "1")][..],
            &[("dcache.ports", "4"), ("dcache.banks", "4")],
            &[("dcache.bytes", "1K"), ("dcache.ways", "4")],
            &[("l2.bytes", "0")],
            &[("l2.bytes", "128"), ("l2.ways", "2")],
            &[("lsu.coalesce_bytes", "0")],
            &[("lsu.coalesce_bytes", "64")],
            &[("issue.width", "4")],
        ] {
            let mut config = GpuConfig::vortex(1, 4, 4);
            for (path, text) in fields {
                config.set_field(path, text).unwrap_or_else(|error| panic!("{path} = {text}: {error}"));
            }
            config.validate().unwrap_or_else(|error| panic!("{fields:?}: {error}"));
        }
    }
}
