//! The outcome of the experiment as a table, as JSON, and as the sentences that belong to it.

use serde::Serialize;

use crate::experiments::sampler::case::{Case, Memory, headline_mapping};
use crate::experiments::sampler::run::Row;
use crate::experiments::sampler::{Filter, Sampler};

/// SimX, the published simulator of the same machine, on the anchor row: times that `tex` is faster than the generic
/// sampler, 1 core, 4 warps × 4 threads (measured by running it).
pub const SIMX: [(Filter, f64); 3] = [(Filter::Point, 5.7), (Filter::Bilinear, 9.3), (Filter::Trilinear, 11.1)];

/// Instructions a bilinear pixel of that sampler.
const SIMX_INSTRUCTIONS: u32 = 158;

/// A whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The machine by name.
    pub machine: String,
    /// The measurements.
    pub rows: Vec<Row>,
    /// The anchor row.
    pub anchor: Vec<Row>,
    /// Pixels that bilinear shows otherwise than point under `shift`, as a share.
    pub differing: f64,
}

/// A row in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JsonRow {
    #[serde(flatten)]
    case: Case,
    inside: f64,
    instructions_per_pixel: f64,
    warp_instructions: u64,
    lane_instructions: u64,
    cycles: Option<u64>,
    ipc: Option<f64>,
    texel_cache_hit_rate: Option<f64>,
    milliseconds: Option<f64>,
    speed_up_of_tex: Option<f64>,
    start_up_warp_instructions: u64,
    start_up_cycles: Option<u64>,
}

/// What `--json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Json {
    machine: String,
    clock_hz: f64,
    pictures_equal_the_model: bool,
    bilinear_differs_from_point: f64,
    rows: Vec<JsonRow>,
    simx_small: Vec<JsonRow>,
    findings: Vec<String>,
}

fn json_rows(rows: &[Row]) -> Vec<JsonRow> {
    let of = |row: &Row| JsonRow {
        case: row.case,
        inside: row.inside,
        instructions_per_pixel: row.instructions_per_pixel,
        warp_instructions: row.figures.warp_instructions,
        lane_instructions: row.figures.lane_instructions,
        cycles: row.figures.cycles(),
        ipc: row.figures.ipc(),
        texel_cache_hit_rate: row.texel_hit_rate(),
        milliseconds: row.figures.milliseconds(),
        speed_up_of_tex: Row::speed_up(rows, row),
        start_up_warp_instructions: row.start_up.warp_instructions,
        start_up_cycles: row.start_up.cycles(),
    };
    rows.iter().map(of).collect()
}

/// A number, or a dash where there is none.
fn or_dash(value: Option<String>) -> String {
    value.unwrap_or_else(|| "-".to_owned())
}

/// Thousands apart, for reading.
fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups = tail.as_bytes().chunks(3).map(|group| std::str::from_utf8(group).expect("digits are ASCII"));
    let parts: Vec<&str> = [head].into_iter().filter(|head| !head.is_empty()).chain(groups).collect();
    parts.join(" ")
}

fn table(rows: &[Row]) -> String {
    let mut text = format!(
        "{:9} {:10} {:12} {:15} {:>5} {:>11} {:>15} {:>6} {:>10} {:>9} {:>8} {:>9}\n",
        "mapping",
        "filter",
        "sampler",
        "memory",
        "cores",
        "instr/pixel",
        "cycles",
        "IPC",
        "texel hits",
        "ms",
        "tex is",
        "start-up"
    );
    for row in rows {
        let Case { mapping, filter, sampler, memory, cores, .. } = row.case;
        let figures = &row.figures;
        text += &format!(
            "{:9} {:10} {:12} {:15} {cores:>5} {:>11.1} {:>15} {:>6} {:>10} {:>9} {:>8} {:>9}\n",
            mapping.name(),
            filter.name(),
            sampler.name(),
            memory.name(),
            row.instructions_per_pixel,
            or_dash(figures.cycles().map(grouped)),
            or_dash(figures.ipc().map(|ipc| format!("{ipc:.3}"))),
            or_dash(row.texel_hit_rate().map(|rate| format!("{:.1} %", 100.0 * rate))),
            or_dash(figures.milliseconds().map(|time| format!("{time:.2}"))),
            or_dash(Row::speed_up(rows, row).map(|times| format!("{times:.2}x"))),
            or_dash(row.start_up.cycles().map(grouped)),
        );
    }
    text
}

impl Row {
    /// Of the texture unit's fetches, those that found their line, if it fetched any.
    pub fn texel_hit_rate(&self) -> Option<f64> {
        self.figures.timed.as_ref()?.sum.tcache.hit_rate()
    }
}

impl Outcome {
    /// What `--json` prints.
    pub fn json(&self) -> Json {
        Json {
            machine: self.machine.clone(),
            clock_hz: crate::experiments::figures::CLOCK_HZ,
            // A run whose guard fails has no outcome.
            pictures_equal_the_model: true,
            bilinear_differs_from_point: self.differing,
            rows: json_rows(&self.rows),
            simx_small: json_rows(&self.anchor),
            findings: self.findings(),
        }
    }

    /// The tables and the findings.
    pub fn text(&self) -> String {
        let mut text = self.heading();
        text += &table(&self.rows);
        let clamped = self.rows.iter().find(|row| row.inside < 0.98);
        if let Some(row) = clamped {
            let (name, share) = (row.case.mapping.name(), 100.0 * row.inside);
            text += &format!("{name}: {share:.0} % of the pixels lie inside the texture, the rest shows its edge\n");
        }
        text += "\nsimx-small: 64 x 64 texels at 0.75, perfect memory, one core, against the generic sampler\n";
        text += &table(&self.anchor);
        text += "\n";
        for finding in self.findings() {
            text += &finding;
            text += "\n";
        }
        text
    }

    fn heading(&self) -> String {
        let [width, height] = self.rows.first().map_or([0, 0], |row| row.case.target);
        format!(
            "sampler: {width} x {height} pixels on {}, cold caches, milliseconds at 200 MHz\n\
             guards: every picture equals the model byte for byte; bilinear differs from point on {:.1} % of the pixels\n\
             instr/pixel counts lanes, IPC warps; `tex is` how many times faster the texture unit is; cycles hold the start-up, \
             which is shown apart too\n\n",
            self.machine,
            100.0 * self.differing
        )
    }

    /// The row of the headline for a filter and a sampler, with the first number of cores that was measured.
    fn headline(&self, filter: Filter, sampler: Sampler, memory: Memory) -> Option<&Row> {
        let mapping = headline_mapping(filter);
        let wanted = |row: &&Row| {
            let case = row.case;
            (case.mapping, case.filter, case.sampler, case.memory) == (mapping, filter, sampler, memory)
        };
        self.rows.iter().find(wanted)
    }

    /// How many times faster `tex` is in the headline.
    pub fn speed_up(&self, filter: Filter, sampler: Sampler, memory: Memory) -> Option<f64> {
        Row::speed_up(&self.rows, self.headline(filter, sampler, memory)?)
    }

    /// How many times faster `tex` is in the anchor row.
    pub fn anchor_speed_up(&self, filter: Filter) -> Option<f64> {
        let row = self.anchor.iter().find(|row| row.case.filter == filter && row.case.sampler == Sampler::Generic)?;
        Row::speed_up(&self.anchor, row)
    }

    /// Published figures beside ours, and what decides them.
    pub fn findings(&self) -> Vec<String> {
        let times = |value: Option<f64>| or_dash(value.map(|value| format!("{value:.1}x")));
        let of = |filter, sampler| times(self.speed_up(filter, sampler, Memory::Default));
        let mut findings = vec![format!(
            "V6 (published: bilinear almost 2x, point negligible): bilinear {} against specialised and {} against generic \
             software, point {} and {}, trilinear {} and {}",
            of(Filter::Bilinear, Sampler::Specialised),
            of(Filter::Bilinear, Sampler::Generic),
            of(Filter::Point, Sampler::Specialised),
            of(Filter::Point, Sampler::Generic),
            of(Filter::Trilinear, Sampler::Specialised),
            of(Filter::Trilinear, Sampler::Generic)
        )];
        let simx: Vec<String> = SIMX
            .iter()
            .map(|&(filter, published)| {
                format!("{} {published}x, here {}", filter.name(), times(self.anchor_speed_up(filter)))
            })
            .collect();
        let generic =
            self.anchor.iter().find(|row| row.case.filter == Filter::Bilinear && row.case.sampler == Sampler::Generic);
        findings.push(format!(
            "SimX on the same small picture: {}; its sampler, for sizes that are powers of two, needs about \
             {SIMX_INSTRUCTIONS} instructions a bilinear pixel, ours, for any size, wrap and format, {}",
            simx.join("; "),
            or_dash(generic.map(|row| format!("{:.0}", row.instructions_per_pixel)))
        ));
        findings.extend(self.what_decides());
        findings
    }

    /// One sentence on what the ratio comes from, made of the bilinear rows.
    fn what_decides(&self) -> Option<String> {
        let row = |sampler| self.headline(Filter::Bilinear, sampler, Memory::Default);
        let (tex, software) = (row(Sampler::Tex)?, row(Sampler::Specialised)?);
        let instructions = software.instructions_per_pixel / tex.instructions_per_pixel;
        let mut sentence = format!(
            "what decides: the software issues {instructions:.1} times the instructions ({:.0} against {:.0} a pixel)",
            software.instructions_per_pixel, tex.instructions_per_pixel
        );
        if let Some(perfect) = self.speed_up(Filter::Bilinear, Sampler::Specialised, Memory::Perfect) {
            sentence += &format!(", which with perfect memory makes it take {perfect:.1} times as long");
        }
        let (Some(busy), Some(times)) = (tex.figures.ipc(), Row::speed_up(&self.rows, software)) else {
            return Some(sentence + "; cycles need a timed machine");
        };
        let other = software.figures.ipc().unwrap_or(0.0);
        sentence += &format!(
            "; both wait for the same texels, which `tex` has nothing to hide behind (IPC {busy:.2} against {other:.2}), so \
             with this memory {times:.1}x is left: the ratio belongs to memory and to the software as much as to the unit"
        );
        Some(sentence)
    }
}

#[cfg(test)]
mod tests;
