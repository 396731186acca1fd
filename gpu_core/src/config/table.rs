//! All rows of a configuration, and a configuration as the list of their values.

use std::sync::LazyLock;

use super::row::{Block, Kind, Row};
use super::{ConfigError, GpuConfig};

/// Every field, in the order in which texts list them.
pub fn rows() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let mut rows = Vec::new();
        GpuConfig::rows("", 0, &mut rows);
        for row in &mut rows {
            // Blocks stand at the top, without the structures that hold them: `dcache.ports`.
            let path = row.path.strip_prefix("timing.").unwrap_or(&row.path);
            let inner = path.strip_prefix("memory.").filter(|inner| inner.contains('.'));
            row.path = inner.unwrap_or(path).to_owned();
        }
        rows
    });
    &ROWS
}

/// The value of each row.
pub(super) fn values(config: &GpuConfig) -> Vec<u64> {
    let mut values = Vec::with_capacity(rows().len());
    config.get(&mut values);
    values
}

/// Whether each field holds what its row allows.
pub(super) fn check_rows(config: &GpuConfig) -> Result<(), ConfigError> {
    rows().iter().zip(values(config)).try_for_each(|(row, value)| check(row, value))
}

/// Whether a row allows a value.
pub(super) fn check(row: &Row, value: u64) -> Result<(), ConfigError> {
    let (path, doc) = (|| row.path.clone(), row.doc);
    let (least, most) = match row.kind {
        Kind::Number { least, most } | Kind::Power { least, most } | Kind::Multiple { least, most, .. } => {
            (least, most)
        }
        Kind::Flag => (0, 1),
        Kind::Choice(words) => (0, words.len() as u64 - 1),
        Kind::Extensions => (0, u64::from(u32::MAX)),
    };
    match row.kind {
        _ if value < least || value > most => Err(ConfigError::OutOfRange { path: path(), doc, value, least, most }),
        Kind::Power { .. } if !value.is_power_of_two() => Err(ConfigError::NotPower { path: path(), doc, value }),
        Kind::Multiple { of: multiple, .. } if !value.is_multiple_of(multiple) => {
            Err(ConfigError::NotMultiple { path: path(), doc, value, multiple })
        }
        _ => Ok(()),
    }
}
