//! V17: the shapes that were measured, and the sums that go with them.

use gpu_core::config::GpuConfig;

use super::{Agreement, Claim, Finding, Kind, Setting, figure};
use crate::experiments::error::ExperimentError;
use crate::experiments::figures::CLOCK_HZ;

pub const V17: Claim = Claim {
    id: "V17",
    kind: Kind::Exact,
    published: "4W-4T, 2W-8T, 8W-2T, 4W-8T, 8W-4T; 1 to 32 cores; 32 cores x 4 x 200 MHz = 25.6 G operations/s; 8 x 4 threads x 32 registers x 4 B = 4 KB",
    tests: &[("gpu_core/src/config/presets.rs", "every_preset_is_valid")],
    measure: v17,
};

fn v17(_: &Setting) -> Result<Finding, ExperimentError> {
    let mut shapes = 0;
    for shape in ["4w4t", "2w8t", "8w2t", "4w8t", "8w4t"] {
        for cores in [1, 2, 4, 8, 16, 32] {
            GpuConfig::from_name(&format!("vortex-{cores}c{shape}"))?;
            shapes += 1;
        }
    }
    let machine = GpuConfig::from_name("vortex-32c4w4t")?;
    let operations = f64::from(machine.cores * machine.lanes) * CLOCK_HZ / 1e9;
    let tall = GpuConfig::from_name("vortex-8w4t")?;
    let register_bytes = tall.warps * tall.lanes * 32 * 4;
    Ok(Finding {
        measured: format!("{shapes} machines are valid; {operations:.1} G operations/s; {} KB", register_bytes >> 10),
        agreement: Agreement::of_parts(&[shapes == 30, operations == 25.6, register_bytes == 4096]),
        reason: "counted from the machines' own figures".to_owned(),
        figures: vec![figure("G operations/s", operations), figure("register bytes", register_bytes.into())],
        charts: Vec::new(),
    })
}
