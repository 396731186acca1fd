//! A profile as rows: one for each instruction or source line, in the order asked for.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use gpu_core::observe::StallReason;
use gpu_core::program::SourceFile;
use serde::Serialize;

use super::{Profile, Spent};
use crate::inspect::code::Place;

/// What a row is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A source line.
    Line,
    /// An instruction.
    Instruction,
}

/// Which row comes first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// The one that cost most.
    Cost,
    /// The first in the source.
    Source,
}

/// An instruction or a source line, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its source line: which of [`Table::files`], and the line from 1.
    pub place: Option<Place>,
    /// The address of an instruction, as text.
    pub pc: Option<String>,
    /// The instruction or the line.
    pub text: String,
    /// The cost.
    pub spent: Spent,
}

/// A profile as rows; what they spent adds up to `total`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Source files of all programs, each once.
    pub files: Vec<SourceFile>,
    /// The rows.
    pub rows: Vec<Row>,
    /// Everything.
    pub total: Spent,
}

/// The text of what no instruction is to blame for.
const IDLE: &str = "(no warp to issue for)";

/// The text of instructions whose line is not known.
const NO_LINE: &str = "(no source line)";

impl Table {
    /// The rows of a profile.
    pub fn new(profile: &Profile, by: By, order: Order) -> Self {
        let mut files = Vec::new();
        let mut rows = Vec::new();
        for program in &profile.programs {
            let numbers: Vec<usize> = program.code.files.iter().map(|file| number_of(&mut files, file)).collect();
            for (pc, spent) in &program.spent {
                let instruction = program.code.at(*pc);
                let place = instruction.place.map(|place| Place { file: numbers[place.file], ..place });
                let (pc, text) = (Some(instruction.pc.clone()), instruction.text.clone());
                rows.push(Row { place, pc, text, spent: *spent });
            }
        }
        if by == By::Line {
            rows = lines(&files, &rows);
        }
        if profile.idle != Spent::default() {
            rows.push(Row { place: None, pc: None, text: IDLE.to_owned(), spent: profile.idle });
        }
        match order {
            Order::Source => rows.sort_by_key(|row| (row.place.is_none(), row.place)),
            Order::Cost => rows.sort_by_key(|row| Reverse(row.spent.slot_cycles())),
        }
        Self { files, rows, total: profile.total }
    }

    /// The name of a row's source line; empty if it has none.
    pub fn source(&self, row: &Row) -> String {
        row.place.map(|place| format!("{}:{}", self.files[place.file].name, place.line)).unwrap_or_default()
    }

    /// The first `count` rows, and what the others cost together.
    pub fn top(&self, count: usize) -> (&[Row], Option<(usize, Spent)>) {
        let (shown, rest) = self.rows.split_at(count.min(self.rows.len()));
        let mut sum = Spent::default();
        rest.iter().for_each(|row| sum.add(&row.spent));
        (shown, (!rest.is_empty()).then_some((rest.len(), sum)))
    }

    /// The reasons that occur, in the order of their priority.
    pub fn reasons(&self) -> Vec<StallReason> {
        StallReason::EVERY.into_iter().filter(|reason| self.total.stalls[*reason as usize] != 0).collect()
    }

    /// The table for programs to read.
    pub fn json(&self) -> Json {
        let rows = self.rows.iter().map(|row| JsonRow {
            file: row.place.map(|place| self.files[place.file].name.clone()),
            line: row.place.map(|place| place.line),
            pc: row.pc.clone(),
            text: row.text.clone(),
            spent: JsonSpent::from(&row.spent),
        });
        Json { total: JsonSpent::from(&self.total), rows: rows.collect() }
    }
}

/// The number of a file among `files`, to which it is added if it is new.
fn number_of(files: &mut Vec<SourceFile>, file: &SourceFile) -> usize {
    files.iter().position(|known| known == file).unwrap_or_else(|| {
        files.push(file.clone());
        files.len() - 1
    })
}

/// Adds up the instructions of each line.
fn lines(files: &[SourceFile], instructions: &[Row]) -> Vec<Row> {
    let mut sums: BTreeMap<Option<Place>, Spent> = BTreeMap::new();
    for row in instructions {
        sums.entry(row.place).or_default().add(&row.spent);
    }
    let texts: Vec<Vec<&str>> = files.iter().map(|file| file.text.lines().map(str::trim).collect()).collect();
    let text = |place: Place| texts[place.file].get(place.line as usize - 1).copied().unwrap_or("");
    let row = |(place, spent): (Option<Place>, Spent)| Row {
        place,
        pc: None,
        text: place.map_or(NO_LINE, text).to_owned(),
        spent,
    };
    sums.into_iter().map(row).collect()
}

/// A table for programs to read.
#[derive(Clone, Debug, Serialize)]
pub struct Json {
    total: JsonSpent,
    rows: Vec<JsonRow>,
}

/// A row for programs to read.
#[derive(Clone, Debug, Serialize)]
struct JsonRow {
    file: Option<String>,
    line: Option<u32>,
    pc: Option<String>,
    text: String,
    #[serde(flatten)]
    spent: JsonSpent,
}

/// A cost for programs to read.
#[derive(Clone, Debug, Serialize)]
struct JsonSpent {
    slot_cycles: u64,
    issued: u64,
    lanes: u64,
    stalls: BTreeMap<&'static str, u64>,
}

impl From<&Spent> for JsonSpent {
    fn from(spent: &Spent) -> Self {
        Self {
            slot_cycles: spent.slot_cycles(),
            issued: spent.issued,
            lanes: spent.lanes,
            stalls: spent.main_reasons().into_iter().map(|(reason, count)| (reason.name(), count)).collect(),
        }
    }
}
