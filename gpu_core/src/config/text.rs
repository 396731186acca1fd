//! A configuration as text, field by field: read, set, print in full, and the hash of that.
//!
//! The full text is TOML with a line for each row, `dcache.ports = 1`, in the order of the table.

use super::row::{Block, Kind, Row};
use super::{ConfigError, GpuConfig, table};
use crate::hash::fnv1a;
use crate::isa::extension_set::ExtensionSet;
use crate::isa::table::Extension;

impl GpuConfig {
    /// Every field with its value as TOML writes it, in the order of [`super::rows`].
    pub fn fields(&self) -> impl Iterator<Item = (&'static Row, String)> {
        table::rows().iter().zip(table::values(self)).map(|(row, value)| (row, print(row.kind, value)))
    }

    /// The value of a field, as TOML writes it.
    ///
    /// # Errors
    /// There is no such field; the error names the nearest.
    pub fn field(&self, path: &str) -> Result<String, ConfigError> {
        let index = index_of(path)?;
        Ok(print(table::rows()[index].kind, table::values(self)[index]))
    }

    /// Sets a field from text: `16384` or `16K`, `true`, a word with or without quotes, a list of extensions.
    /// Whether all fields fit together is for [`GpuConfig::validate`].
    ///
    /// # Errors
    /// There is no such field, or it cannot hold the value; then nothing changes.
    pub fn set_field(&mut self, path: &str, text: &str) -> Result<(), ConfigError> {
        let index = index_of(path)?;
        let row = &table::rows()[index];
        let value = parse(row, text)?;
        table::check(row, value)?;
        let mut values = table::values(self);
        values[index] = value;
        self.put(&mut values.into_iter());
        Ok(())
    }

    /// The configuration in full: the same text for the same machine, whatever it was made from.
    pub fn to_text(&self) -> String {
        self.fields().map(|(row, value)| format!("{} = {value}\n", row.path)).collect()
    }

    /// A hash of [`GpuConfig::to_text`]: FNV-1a, 64 bits.
    pub fn hash(&self) -> u64 {
        fnv1a(self.to_text().as_bytes())
    }
}

fn index_of(path: &str) -> Result<usize, ConfigError> {
    table::rows().iter().position(|row| row.path == path).ok_or_else(|| ConfigError::UnknownField {
        path: path.to_owned(),
        nearest: nearest(path, table::rows().iter().map(|row| row.path.as_str())).join(", "),
    })
}

/// A value as TOML writes it.
fn print(kind: Kind, value: u64) -> String {
    match kind {
        Kind::Number { .. } | Kind::Power { .. } | Kind::Multiple { .. } => value.to_string(),
        Kind::Flag => (value != 0).to_string(),
        Kind::Choice(words) => format!("\"{}\"", words[value as usize]),
        Kind::Extensions => {
            let names: Vec<String> =
                ExtensionSet::from_bits(value as u32).iter().map(|member| format!("\"{member:?}\"")).collect();
            format!("[{}]", names.join(", "))
        }
    }
}

/// The value that a text gives to a row; its range is not checked here.
fn parse(row: &Row, text: &str) -> Result<u64, ConfigError> {
    let text = text.trim();
    let unreadable = |wanted: String| ConfigError::Unreadable { path: row.path.clone(), text: text.to_owned(), wanted };
    let bare = text.trim_matches('"');
    match row.kind {
        Kind::Number { least, most } => {
            parse_number(text).ok_or_else(|| unreadable(format!("a number from {least} to {most}")))
        }
        Kind::Power { least, most } => {
            parse_number(text).ok_or_else(|| unreadable(format!("a power of two from {least} to {most}")))
        }
        Kind::Multiple { of, least, most } => {
            parse_number(text).ok_or_else(|| unreadable(format!("a multiple of {of} from {least} to {most}")))
        }
        Kind::Flag => match bare {
            "true" | "yes" | "on" | "1" => Ok(1),
            "false" | "no" | "off" | "0" => Ok(0),
            _ => Err(unreadable("true or false".to_owned())),
        },
        Kind::Choice(words) => match words.iter().position(|word| *word == bare) {
            Some(place) => Ok(place as u64),
            None => Err(unreadable(format!("one of {}", words.join(", ")))),
        },
        Kind::Extensions => parse_extensions(bare).map_err(unreadable).map(|set| set.to_bits().into()),
    }
}

/// Reads digits (with `_` between them), `0x…`, and the suffixes K and M for 2^10 and 2^20.
fn parse_number(text: &str) -> Option<u64> {
    let digits = |text: &str, radix| {
        let text = text.replace('_', "");
        // `from_str_radix` would take a sign.
        if text.starts_with('+') { None } else { u64::from_str_radix(&text, radix).ok() }
    };
    if let Some(hexadecimal) = text.strip_prefix("0x") {
        return digits(hexadecimal, 16);
    }
    let (text, unit) = match text.strip_suffix(['K', 'k']) {
        Some(text) => (text, 1 << 10),
        None => text.strip_suffix(['M', 'm']).map_or((text, 1), |text| (text, 1 << 20)),
    };
    digits(text, 10)?.checked_mul(unit)
}

/// Sets of extensions that have a name of their own.
const EXTENSION_SETS: [(&str, ExtensionSet); 4] = [
    ("vortex", ExtensionSet::VORTEX),
    ("wide", ExtensionSet::WIDE),
    ("transcendental", ExtensionSet::TRANSCENDENTAL),
    ("all", ExtensionSet::ALL),
];

/// Reads a list of extensions and of sets of them with commas between them; the error says what is wanted.
fn parse_extensions(text: &str) -> Result<ExtensionSet, String> {
    let names = text.trim_start_matches('[').trim_end_matches(']').split(',');
    let names = names.map(|name| name.trim().trim_matches('"')).filter(|name| !name.is_empty());
    names.into_iter().try_fold(ExtensionSet::NONE, |set, name| {
        if let Some((_, members)) = EXTENSION_SETS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) {
            return Ok(set.union(*members));
        }
        let found = Extension::EVERY.into_iter().find(|extension| format!("{extension:?}").eq_ignore_ascii_case(name));
        found.map(|extension| set.with(extension)).ok_or_else(|| {
            let known: Vec<String> = Extension::EVERY.iter().map(|extension| format!("{extension:?}")).collect();
            let sets = EXTENSION_SETS.map(|(name, _)| name).join(", ");
            format!("some of {sets} and {}", known.join(","))
        })
    })
}

/// Up to three of `known` that a mistyped `text` may mean, the likeliest first.
pub fn nearest<'a>(text: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let mut scored: Vec<(usize, &str)> = known
        .map(|candidate| {
            // The right name in the wrong block is as likely as a slip of the finger.
            let in_other_block = if last(candidate) == last(text) { 2 } else { usize::MAX };
            (distance(text, candidate).min(in_other_block), candidate)
        })
        .collect();
    scored.sort_by_key(|&(score, _)| score);
    scored.into_iter().take(3).map(|(_, candidate)| candidate).collect()
}

/// Insertions, deletions and exchanges of letters that turn one text into the other (Levenshtein's distance).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    // A path is short; a text that is not is no slip.
    for (i, from) in a.chars().take(80).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let exchanged = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = exchanged.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{FirstSide, WritePolicy};

    #[test]
    fn fields_are_set_by_path() {
        let mut config = GpuConfig::vortex(1, 4, 4);
        for (path, text) in [
            ("dcache.ports", "2"),
            ("cores", "8"),
            ("dcache.bytes", "32K"),
            ("l2.bytes", "2M"),
            ("local_bytes", "0x8000"),
            ("instruction_budget", "1_000"),
            ("first_side", "larger"),
            ("dcache.write_policy", "\"back\""),
            ("extensions", "i, simt"),
            ("units.fma.latency", " 9 "),
        ] {
            config.set_field(path, text).unwrap_or_else(|error| panic!("{path} = {text}: {error}"));
        }
        let (units, memory) = (&config.timing.units, &config.timing.memory);
        assert_eq!((memory.dcache.ports, memory.icache.ports, config.cores), (2, 1, 8));
        assert_eq!((memory.dcache.bytes, memory.l2.bytes, config.local_bytes), (32 << 10, 2 << 20, 0x8000));
        assert_eq!(config.instruction_budget, 1000);
        assert_eq!((config.first_side, memory.dcache.write_policy), (FirstSide::Larger, WritePolicy::Back));
        assert_eq!(config.extensions, ExtensionSet::NONE.with(Extension::I).with(Extension::Simt));
        assert_eq!((units.fma.latency, units.fdiv.latency), (9, 18));
    }

    #[test]
    fn what_is_printed_is_read_back() {
        let wide = GpuConfig::from_name("wide").unwrap();
        let mut other = GpuConfig::vortex(1, 2, 8);
        for (row, value) in wide.fields() {
            other.set_field(&row.path, &value).unwrap_or_else(|error| panic!("{} = {value}: {error}", row.path));
            assert_eq!(other.field(&row.path).unwrap(), value, "{}", row.path);
        }
        assert_eq!(other, wide);
        assert_eq!(other.hash(), wide.hash());
    }

    #[test]
    fn every_field_changes_the_hash() {
        let config = GpuConfig::vortex(2, 4, 4);
        for (row, value) in config.fields() {
            let other = match row.kind {
                Kind::Power { most, .. } if value == most.to_string() => (most / 2).to_string(),
                Kind::Power { .. } => (value.parse::<u64>().unwrap() * 2).to_string(),
                Kind::Multiple { of, .. } => (value.parse::<u64>().unwrap() + of).to_string(),
                Kind::Number { .. } => (value.parse::<u64>().unwrap() + 1).to_string(),
                Kind::Flag => (value != "true").to_string(),
                Kind::Choice(words) => words.iter().find(|word| !value.contains(**word)).unwrap().to_string(),
                Kind::Extensions => "all".to_owned(),
            };
            let mut changed = config;
            changed.set_field(&row.path, &other).unwrap_or_else(|error| panic!("{} = {other}: {error}", row.path));
            assert_ne!(changed.hash(), config.hash(), "{}", row.path);
        }
    }

    #[test]
    fn an_unknown_field_names_the_nearest() {
        let mut config = GpuConfig::vortex(1, 4, 4);
        for (path, nearest) in [
            ("dcache.port", "dcache.ports"),
            ("core", "cores"),
            ("caches.mshr", "dcache.mshr"),
            ("dram.latncy", "dram.latency"),
        ] {
            let message = config.set_field(path, "2").unwrap_err().to_string();
            assert!(message.contains(path) && message.contains(nearest), "{message}");
        }
        assert_eq!(config, GpuConfig::vortex(1, 4, 4));
    }

    #[test]
    fn a_value_that_a_field_cannot_hold_is_refused_with_its_limits() {
        let mut config = GpuConfig::vortex(1, 4, 4);
        for (path, text, parts) in [
            ("dcache.ports", "5", ["1 to 4", "5"]),
            ("dcache.ports", "0", ["1 to 4", "0"]),
            ("dcache.ways", "0", ["1 to 64", "0"]),
            ("dcache.ports", "two", ["1 to 4", "two"]),
            ("memory.line_bytes", "48", ["power of two", "48"]),
            ("local_bytes", "6", ["multiple of 4", "6"]),
            ("cores", "+1", ["1 to 32", "+1"]),
            ("cores", "-1", ["1 to 32", "-1"]),
            ("cores", "99999999999999999999", ["1 to 32", "9999"]),
            ("instruction_budget", "18446744073709551615", ["9223372036854775807", "1844"]),
            ("memory.model", "maybe", ["perfect", "maybe"]),
            ("first_side", "left", ["larger", "left"]),
            ("extensions", "i,q", ["Zicond", "i,q"]),
        ] {
            let message = config.set_field(path, text).expect_err(path).to_string();
            assert!(message.contains(path) && parts.iter().all(|part| message.contains(part)), "{message}");
        }
        assert_eq!(config, GpuConfig::vortex(1, 4, 4));
    }
}
