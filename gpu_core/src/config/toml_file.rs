//! Machines from TOML text: fields in sections or as dotted keys, over a machine named by `base`.

use super::{ConfigError, GpuConfig};
use toml::{Table, Value};

/// What a file is based on that names nothing.
const DEFAULT_BASE: &str = GpuConfig::PRESETS[0];

impl GpuConfig {
    /// The machine that a TOML text describes: `base = "vortex-4w4t"` if nothing else, then the fields it names.
    /// Reads what [`GpuConfig::to_text`] writes.
    ///
    /// # Errors
    /// The text is not TOML, a field is unknown or cannot hold its value, or the fields do not fit together.
    pub fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let mut table: Table = text.parse().map_err(|error| ConfigError::NotToml(format!("not TOML: {error}")))?;
        let base = match table.remove("base") {
            None => DEFAULT_BASE.to_owned(),
            Some(Value::String(name)) => name,
            Some(other) => return Err(ConfigError::Base(other.to_string())),
        };
        let mut config = Self::from_name(&base)?;
        set_all(&mut config, "", table)?;
        config.validate()?;
        Ok(config)
    }
}

/// Sets the fields of a table whose own path is `prefix`.
fn set_all(config: &mut GpuConfig, prefix: &str, table: Table) -> Result<(), ConfigError> {
    for (name, value) in table {
        let path = super::row::join(prefix, &name);
        match value {
            Value::Table(inner) => set_all(config, &path, inner)?,
            value => config.set_field(&path, &value.to_string())?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::FirstSide;
    use crate::isa::extension_set::ExtensionSet;

    #[test]
    fn sections_and_dotted_keys_set_fields_over_a_base() {
        let text = "base = \"vortex-2c8w4t\"\nfirst_side = \"larger\"\nextensions = [\"I\", \"Simt\"]\n\
            l2.bytes = 1_048_576\n[dcache]\nports = 2 # two\nbytes = 0x8000\n[units.fma]\nlatency = 9\n";
        let config = GpuConfig::from_toml(text).unwrap();
        let mut expected = GpuConfig::vortex(2, 8, 4);
        expected.first_side = FirstSide::Larger;
        expected.extensions = ExtensionSet::NONE.with(crate::isa::table::Extension::I);
        expected.extensions = expected.extensions.with(crate::isa::table::Extension::Simt);
        let memory = &mut expected.timing.memory;
        (memory.l2.bytes, memory.dcache.ports, memory.dcache.bytes) = (1 << 20, 2, 1 << 15);
        expected.timing.units.fma.latency = 9;
        assert_eq!(config, expected);
    }

    #[test]
    fn the_full_text_is_a_file() {
        for name in GpuConfig::PRESETS {
            let config = GpuConfig::from_name(name).unwrap();
            assert_eq!(GpuConfig::from_toml(&config.to_text()).unwrap(), config, "{name}");
        }
        assert_eq!(GpuConfig::from_toml("").unwrap(), GpuConfig::vortex(1, 4, 4));
    }

    #[test]
    fn files_are_refused_with_the_reason() {
        for (text, parts) in [
            ("dcache.ports = ", &["not TOML", "line 1"][..]),
            ("base = 4", &["base", "4"]),
            ("base = \"tall\"", &["tall", "vortex-4w4t"]),
            ("[dcache]\nport = 2", &["dcache.port", "dcache.ports"]),
            ("[dcache]\nports = 2.5", &["dcache.ports", "2.5", "1 to 4"]),
            ("[dcache]\nports = 9", &["dcache.ports", "9", "1 to 4"]),
            ("cores = [1, 2]", &["cores", "[1, 2]"]),
            ("[cores]\nmany = 2", &["cores.many"]),
            ("dcache = 4", &["dcache"]),
            ("dcache.banks = 2\ndcache.ports = 4", &["dcache.ports 4", "dcache.banks 2"]),
        ] {
            let message = GpuConfig::from_toml(text).expect_err(text).to_string();
            assert!(parts.iter().all(|part| message.contains(part)), "{text}: {message}");
        }
    }
}
