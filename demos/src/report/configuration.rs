//! A machine in a report: its name, every field, and the hash of that; and back.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use gpu_core::config::{GpuConfig, rows};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;

/// The machine of a report.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Configuration {
    /// What it was called on the command line.
    machine: String,
    /// Of the full text, as 16 hexadecimal digits.
    hash: String,
    /// Every field with its value, in the order of the full text.
    fields: Fields,
}

#[derive(Clone, Debug, PartialEq)]
struct Fields(GpuConfig);

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (row, value) in self.0.fields() {
            // Numbers, flags, texts and lists of texts are written alike in TOML and JSON.
            let value: Value = serde_json::from_str(&value).expect("a field's value is JSON");
            map.serialize_entry(&row.path, &value)?;
        }
        map.end()
    }
}

/// A hash as reports write it.
pub fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}

impl Configuration {
    /// Of a machine.
    pub fn new(machine: &str, config: &GpuConfig) -> Self {
        Self { machine: machine.to_owned(), hash: hash_text(config.hash()), fields: Fields(*config) }
    }

    /// The hash of its full text, as reports write it.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The machine of a report in a file.
    pub fn of_report(path: &Path) -> anyhow::Result<GpuConfig> {
        let name = path.display();
        let report = super::read(path)?;
        let configuration = &report["configuration"];
        let Value::Object(fields) = &configuration["fields"] else {
            bail!("report `{name}` has no machine (`configuration.fields`)");
        };
        let mut config = GpuConfig::from_name(GpuConfig::PRESETS[0])?;
        for row in rows() {
            let value = fields.get(&row.path);
            let value = value.with_context(|| format!("the machine of report `{name}` has no field `{}`", row.path))?;
            config
                .set_field(&row.path, &value.to_string())
                .with_context(|| format!("the machine of report `{name}` cannot be made"))?;
        }
        let known = |path: &String| config.field(path).map(drop);
        fields.keys().try_for_each(known).with_context(|| format!("the machine of report `{name}`"))?;
        config.validate().with_context(|| format!("the machine of report `{name}`"))?;
        let hash = hash_text(config.hash());
        ensure!(
            configuration["hash"] == hash,
            "the machine of report `{name}` was changed: its fields hash to {hash}, it says {}",
            configuration["hash"]
        );
        Ok(config)
    }
}
