//! Records of sweeps, and the table of `docs/transcendentals.md` that shows them.

use super::bound;
use super::sweep::Worst;
use gpu_core::isa::{Op, manual};
use gpu_core::semantics::transcendental;
use serde::{Deserialize, Serialize};

/// What a sweep of one instruction found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The instruction's mnemonic.
    pub name: String,
    /// Every so many of the 2^32 first operands were looked at.
    pub stride: u64,
    /// What was found.
    pub worst: Worst,
}

const START: &str = "<!-- worst errors -->\n";
const END: &str = "<!-- end -->";

/// A page has no place for the table.
#[derive(Debug, thiserror::Error)]
#[error("the page has no line `<!-- worst errors -->` with a line `<!-- end -->` after it")]
pub struct NoPlace;

/// The page with the table written anew.
///
/// # Errors
/// The page has no place for it.
pub fn with_table(page: &str, records: &[Record]) -> Result<String, NoPlace> {
    let (before, rest) = page.split_once(START).ok_or(NoPlace)?;
    let (_, after) = rest.split_once(END).ok_or(NoPlace)?;
    Ok(format!("{before}{START}{}{END}{after}", table(records)))
}

/// Adds what was found to what is known, an instruction's newer record in place of its older one.
pub fn merge(known: &mut Vec<Record>, found: Vec<Record>) {
    known.retain(|old| found.iter().all(|new| new.name != old.name));
    known.extend(found);
    let place = |record: &Record| transcendental::operations().position(|op| op.spec().mnemonic == record.name);
    known.sort_by_key(place);
}

/// One row for each instruction of the machine, in the order of its table.
pub fn table(records: &[Record]) -> String {
    let mut text =
        "| instruction | group | encoding | bound, ulp | worst, ulp | at | operands looked at | not the nearest |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for op in transcendental::operations() {
        let spec = op.spec();
        let encoding = manual::pattern(spec, spec.value, spec.mask);
        let found = match records.iter().find(|record| record.name == spec.mnemonic) {
            Some(record) => found(op, record),
            None => "not swept yet |  |  | ".to_owned(),
        };
        text += &format!("| `{}` | {:?} | `{encoding}` | {} | {found} |\n", spec.mnemonic, spec.extension, bound(op));
    }
    text
}

/// Of the operands that are misrounded.
const SHOWN: usize = 12;

fn found(op: Op, Record { stride, worst, .. }: &Record) -> String {
    let [a, b] = worst.at.map(|bits| format!("{bits:08x}"));
    let (at, which) = match (transcendental::is_binary(op), stride) {
        (false, 1) => (a, "all 2^32".to_owned()),
        (false, stride) => (a, format!("every {stride}th")),
        (true, stride) => (format!("{a}, {b}"), format!("every {stride}th, 4 partners each")),
    };
    let misrounded = match worst.misrounded {
        0 => "none".to_owned(),
        count => {
            let of_place = |[a, b]: &[u32; 2]| match transcendental::is_binary(op) {
                true => format!(" `{a:08x}, {b:08x}`"),
                false => format!(" `{a:08x}`"),
            };
            let places: String = worst.misrounded_at.iter().take(SHOWN).map(of_place).collect();
            let more = if count > SHOWN as u64 { " …" } else { "" };
            format!("{count} of {}:{places}{more}", worst.count)
        }
    };
    format!("{:.9} | `{at}` | {which} | {misrounded}", worst.ulps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(name: &str, ulps: f64) -> Record {
        Record { name: name.to_owned(), stride: 7, worst: Worst { count: 9, ulps, at: [1, 2], ..Worst::default() } }
    }

    #[test]
    fn a_newer_record_takes_the_place_of_the_older_one() {
        let mut known = vec![record("fsin.s", 0.25), record("frecip.s", 0.5)];
        merge(&mut known, vec![record("fsin.s", 0.75)]);
        let shown: Vec<_> = known.iter().map(|record| (record.name.as_str(), record.worst.ulps)).collect();
        assert_eq!(shown, [("frecip.s", 0.5), ("fsin.s", 0.75)]);
    }

    #[test]
    fn misrounded_operands_are_named_up_to_a_dozen() {
        let mut row = record("flog.s", 0.5);
        row.worst = Worst { misrounded: 2, misrounded_at: vec![[0x3c41_3d3a, 0], [0x4117_8feb, 0]], ..row.worst };
        let shown = table(&[row.clone()]);
        assert!(shown.contains("| 2 of 9: `3c413d3a` `41178feb` |"), "{shown}");
        row.worst = Worst { misrounded: 14, misrounded_at: (0..14).map(|n| [n, 0]).collect(), ..row.worst };
        let shown = table(&[row]);
        assert!(shown.contains("`0000000b` … |") && !shown.contains("`0000000c`"), "{shown}");
    }

    #[test]
    fn the_table_stands_between_its_marks() {
        let page =
            with_table("a\n<!-- worst errors -->\nold\n<!-- end -->\nb", &[record("fpow.s", 0.5)]).expect("a place");
        assert!(page.starts_with("a\n<!-- worst errors -->\n| instruction |") && page.ends_with("<!-- end -->\nb"));
        assert!(page.contains("`00000001, 00000002` | every 7th, 4 partners each | none"), "{page}");
        assert_eq!(page.lines().filter(|line| line.starts_with("| `f")).count(), 34);
        assert!(with_table("no place", &[]).is_err());
    }
}
