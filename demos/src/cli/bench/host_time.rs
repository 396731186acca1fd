//! How often a device draws something in a time, and how the host's time divides: for `warpaint bench frame`.
//!
//! Parts of the frame: the device turns a stopwatch (`raster::stopwatch`) a few times a frame, while the figures are taken. `tex`: in more
//! frames after those, the machine times one sample in 61 (`gpu_core`'s `TextureTime`), which gives their share of what the kernels
//! took of the host's cores.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use raster::{Device, HostStage, Stopwatch};
use serde::Serialize;

/// What was measured.
pub struct Measured {
    pub frames: u32,
    pub seconds: f64,
    /// Of all host threads together, where the host tells it.
    pub cpu_seconds: Option<f64>,
    pub host_time: HostTime,
}

/// How the time of a frame divides, in parts of 1.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct HostTime {
    /// Making vertices by WGSL shaders: copies and the machine.
    pub vertices: f64,
    /// With the vertices that closures make.
    pub geometry: f64,
    pub binning: f64,
    /// Those of tiles, all but `tex`.
    pub kernels: f64,
    /// Absent where it cannot be told from the rest of the kernels: in time, and on the plain engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tex: Option<f64>,
    /// Checks, copies to the device and back.
    pub rest: f64,
}

/// The frames in which `tex` is timed take this part of the time of the others.
const TEX_PART: f64 = 0.5;

/// Draws again and again for so long, at least once. The first drawing compiles kernels and uploads textures; it does not
/// count.
pub fn measure(
    device: &mut Device,
    seconds: f64,
    mut draw: impl FnMut(&mut Device) -> anyhow::Result<()>,
) -> anyhow::Result<Measured> {
    draw(device)?;
    device.set_stopwatch(Stopwatch::new(clock));
    let (start, cpu_start, mut frames) = (Instant::now(), cpu_seconds(), 0);
    while frames == 0 || start.elapsed().as_secs_f64() < seconds {
        draw(device)?;
        frames += 1;
    }
    let measured = start.elapsed().as_secs_f64();
    let cpu_seconds = cpu_start.zip(cpu_seconds()).map(|(start, end)| end - start).filter(|cpu| *cpu > 0.0);
    let stopwatch = *device.stopwatch();
    let host_time = HostTime::of(&stopwatch, tex_of_kernels(device, TEX_PART * seconds, draw)?);
    device.set_stopwatch(Stopwatch::default());
    Ok(Measured { frames, seconds: measured, cpu_seconds, host_time })
}

/// The part of the kernels' time that `tex` takes, with what vertex kernels sample; `None` if that is not known.
#[cfg(feature = "fast")]
fn tex_of_kernels(
    device: &mut Device,
    seconds: f64,
    mut draw: impl FnMut(&mut Device) -> anyhow::Result<()>,
) -> anyhow::Result<Option<f64>> {
    if device.report().timed.is_some() {
        return Ok(None);
    }
    device.set_stopwatch(Stopwatch::new(clock));
    device.gpu_mut().measure_textures(true);
    let (start, cpu_start) = (Instant::now(), cpu_seconds());
    draw(device)?;
    while start.elapsed().as_secs_f64() < seconds {
        draw(device)?;
    }
    let cpu = cpu_start.zip(cpu_seconds()).map(|(start, end)| end - start).filter(|cpu| *cpu > 0.0);
    let tex = device.gpu().texture_time().map(|time| time.estimate().as_secs_f64());
    device.gpu_mut().measure_textures(false);
    // Samples are added up over all threads, and do not wait for a core; the stopwatch's time passes for all at once.
    let cores = cpu.map_or(1.0, |cpu| cpu / start.elapsed().as_secs_f64());
    let kernels = cores * device.stopwatch().spent(HostStage::Kernels).as_secs_f64();
    Ok(tex.map(|tex| if kernels > 0.0 { (tex / kernels).min(1.0) } else { 0.0 }))
}

#[cfg(not(feature = "fast"))]
fn tex_of_kernels(
    _: &mut Device,
    _: f64,
    _: impl FnMut(&mut Device) -> anyhow::Result<()>,
) -> anyhow::Result<Option<f64>> {
    Ok(None)
}

impl HostTime {
    /// Of what a stopwatch counted; `tex` is a part of the kernels' time.
    fn of(stopwatch: &Stopwatch, tex: Option<f64>) -> Self {
        let spent = HostStage::ALL.map(|stage| stopwatch.spent(stage).as_secs_f64());
        let all = spent.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        let [vertices, geometry, binning, kernels, rest] = spent.map(|spent| spent / all);
        let tex = tex.map(|part| kernels * part);
        Self { vertices, geometry, binning, kernels: kernels - tex.unwrap_or(0.0), tex, rest }
    }

    /// What stands above the columns of `row`.
    pub const HEADING: &str = "  vertices  geometry  binning  kernels    tex   rest";

    /// The parts in per cent, in columns.
    pub fn row(&self) -> String {
        let tex = self.tex.map_or_else(|| "-".to_owned(), |tex| format!("{:.1}", 100.0 * tex));
        let [vertices, geometry, binning, kernels, rest] =
            [self.vertices, self.geometry, self.binning, self.kernels, self.rest].map(|part| 100.0 * part);
        format!("  {vertices:>8.1}  {geometry:>8.1} {binning:>8.1} {kernels:>8.1} {tex:>6} {rest:>6.1}")
    }
}

/// What the columns mean: a line below a table.
pub const LEGEND: &str = "vertices to rest: where the host's time goes, in per cent; vertices is what WGSL vertex shaders take; kernels is without tex, of which one call in 61 is \
    timed, in frames apart\n";

/// The time that the program has been running, or a little less.
fn clock() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

/// How long the host's cores have worked for this process, as Linux tells it in hundredths of a second.
fn cpu_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may hold spaces; of the fields after it, the 12th and 13th are user and system time.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}
