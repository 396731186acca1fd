//! What moved between two reports of one kind, and by how much.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use anyhow::ensure;
use serde::Serialize;
use serde_json::Value;

/// Parts of a report that are not its outcome.
const NOT_COMPARED: [&str; 5] = ["schema_version", "report", "command", "configuration", "machine"];

/// Two reports compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    a: String,
    b: String,
    /// Fields of the machine that differ.
    configuration: Vec<Changed>,
    /// Numbers that differ, the largest relative change first.
    moved: Vec<Moved>,
    /// Everything else that differs, by name.
    changed: Vec<Changed>,
    /// How many numbers are the same in both.
    unmoved: usize,
}

/// A number in both reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Moved {
    name: String,
    a: f64,
    b: f64,
    /// `b - a`.
    change: f64,
    /// `(b - a) / |a|`, unless `a` is zero.
    relative: Option<f64>,
}

/// Something that is not a number in both reports; null where it is absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Changed {
    name: String,
    a: Value,
    b: Value,
}

impl Difference {
    /// Of two files.
    ///
    /// # Errors
    /// One is no report, or they are reports of different commands.
    pub fn of_files(a: &Path, b: &Path) -> anyhow::Result<Self> {
        let (first, second) = (super::read(a)?, super::read(b)?);
        ensure!(
            first["report"] == second["report"],
            "`{}` is a report of {}, `{}` one of {}: only reports of one command can be compared",
            a.display(),
            first["report"],
            b.display(),
            second["report"]
        );
        Ok(Self::new(a.display().to_string(), b.display().to_string(), &first, &second))
    }

    fn new(a: String, b: String, first: &Value, second: &Value) -> Self {
        let mut difference = Self {
            a,
            b,
            configuration: changes(&first["configuration"]["fields"], &second["configuration"]["fields"]),
            moved: Vec::new(),
            changed: Vec::new(),
            unmoved: 0,
        };
        let outcome = |report: &Value| {
            let mut values = flatten(report);
            values.retain(|name, _| !NOT_COMPARED.contains(&name.split(['.', '[']).next().unwrap_or_default()));
            values
        };
        for (name, a, b) in pairs(outcome(first), outcome(second)) {
            match (a.as_f64(), b.as_f64()) {
                (Some(from), Some(to)) if from == to => difference.unmoved += 1,
                (Some(from), Some(to)) => {
                    let change = to - from;
                    let relative = (from != 0.0).then(|| change / from.abs());
                    difference.moved.push(Moved { name, a: from, b: to, change, relative });
                }
                _ if a == b => {}
                _ => difference.changed.push(Changed { name, a, b }),
            }
        }
        // What was nothing before has moved furthest; then by name.
        let size = |moved: &Moved| moved.relative.map_or(f64::INFINITY, f64::abs);
        difference.moved.sort_by(|a, b| size(b).partial_cmp(&size(a)).unwrap_or(Ordering::Equal));
        difference
    }

    /// As a table.
    pub fn to_text(&self) -> String {
        let mut text = format!("a: {}\nb: {}\n", self.a, self.b);
        for (title, changes) in [("machine", &self.configuration), ("otherwise", &self.changed)] {
            if changes.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n{title}:");
            let widest = changes.iter().map(|change| change.name.len()).max().unwrap_or(0);
            for Changed { name, a, b } in changes {
                let _ = writeln!(text, "  {name:widest$}  {a} -> {b}");
            }
        }
        if self.configuration.is_empty() {
            text += "\nmachine: the same in both\n";
        }
        if self.moved.is_empty() {
            let _ = writeln!(text, "\nno number moved ({} are the same)", self.unmoved);
            return text;
        }
        let widest = self.moved.iter().map(|moved| moved.name.len()).max().unwrap_or(0);
        let _ = writeln!(text, "\n{:widest$} {:>16} {:>16} {:>16} {:>10}", "moved", "a", "b", "change", "relative");
        for Moved { name, a, b, change, relative } in &self.moved {
            let relative = relative.map_or("new".to_owned(), |relative| format!("{:+.2} %", 100.0 * relative));
            let [a, b] = [a, b].map(|value| figure(*value));
            let change = if *change > 0.0 { format!("+{}", figure(*change)) } else { figure(*change) };
            let _ = writeln!(text, "{name:widest$} {a:>16} {b:>16} {change:>16} {relative:>10}");
        }
        let _ = writeln!(text, "{} numbers are the same", self.unmoved);
        text
    }
}

/// A whole number as it is, another with six digits after the point.
fn figure(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.6}") }
}

/// What differs between two maps, by name.
fn changes(first: &Value, second: &Value) -> Vec<Changed> {
    let entries = |value: &Value| -> BTreeMap<String, Value> {
        value.as_object().map(|fields| fields.clone().into_iter().collect()).unwrap_or_default()
    };
    let differing = pairs(entries(first), entries(second)).into_iter().filter(|(_, a, b)| a != b);
    differing.map(|(name, a, b)| Changed { name, a, b }).collect()
}

/// The values of both maps by name, null where one lacks it.
fn pairs(a: BTreeMap<String, Value>, b: BTreeMap<String, Value>) -> Vec<(String, Value, Value)> {
    let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |map: &BTreeMap<String, Value>, name: &String| map.get(name).cloned().unwrap_or(Value::Null);
    names.into_iter().map(|name| (name.clone(), value(&a, name), value(&b, name))).collect()
}

/// Everything in a value that is no list and no map, with its dotted name.
fn flatten(value: &Value) -> BTreeMap<String, Value> {
    fn add(name: String, value: &Value, values: &mut BTreeMap<String, Value>) {
        match value {
            Value::Object(fields) => {
                // The only core of a machine is the sum of its cores.
                let has_one_core = fields.contains_key("core") && fields.get("cores").is_some_and(is_single);
                for (field, value) in fields.iter().filter(|(field, _)| !(has_one_core && *field == "cores")) {
                    add(if name.is_empty() { field.clone() } else { format!("{name}.{field}") }, value, values);
                }
            }
            Value::Array(elements) => {
                let labels = labels(elements);
                for (label, element) in labels.iter().zip(elements) {
                    add(format!("{name}[{label}]"), element, values);
                }
            }
            value => {
                values.insert(name, value.clone());
            }
        }
    }
    let mut values = BTreeMap::new();
    add(String::new(), value, &mut values);
    values
}

/// Whether a value is a list of one element.
fn is_single(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.len() == 1)
}

/// Names for the elements of a list: the texts in them if those tell all apart (`knot, point`), otherwise their numbers. So
/// rows are compared with their like, even if the other report has more of them.
fn labels(elements: &[Value]) -> Vec<String> {
    let texts = |element: &Value| {
        let fields = element.as_object().into_iter().flat_map(|fields| fields.values());
        fields.filter_map(Value::as_str).collect::<Vec<_>>().join(", ")
    };
    let labels: Vec<String> = elements.iter().map(texts).collect();
    let different: BTreeSet<&String> = labels.iter().collect();
    if different.len() == labels.len() && !labels.iter().any(String::is_empty) {
        labels
    } else {
        (0..elements.len()).map(|index| index.to_string()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_moved_is_sorted_by_how_far() {
        let a = json!({"schema_version": 2, "command": ["warpaint", "a"], "cycles": 200, "same": 5, "ipc": 0.5, "zero": 0,
            "configuration": {"fields": {"dcache.ports": 1, "cores": 1}}, "console": "hi"});
        let b = json!({"schema_version": 2, "command": ["warpaint", "b"], "cycles": 100, "same": 5, "ipc": 0.55, "zero": 3,
            "configuration": {"fields": {"dcache.ports": 2, "cores": 1}}, "console": "ho"});
        let difference = Difference::new("a".into(), "b".into(), &a, &b);
        let moved: Vec<(&str, f64, Option<i64>)> = difference
            .moved
            .iter()
            .map(|moved| {
                (moved.name.as_str(), moved.change, moved.relative.map(|relative| (relative * 1000.0).round() as i64))
            })
            .collect();
        // From nothing to 3; by a half; by a tenth.
        assert_eq!(moved[0], ("zero", 3.0, None));
        assert_eq!(moved[1], ("cycles", -100.0, Some(-500)));
        assert_eq!((moved[2].0, moved[2].2), ("ipc", Some(100)));
        assert_eq!((moved.len(), difference.unmoved), (3, 1));
        let change = |name: &str, a: Value, b: Value| Changed { name: name.to_owned(), a, b };
        assert_eq!(difference.configuration, [change("dcache.ports", json!(1), json!(2))]);
        assert_eq!(difference.changed, [change("console", json!("hi"), json!("ho"))]);
        let text = difference.to_text();
        for part in
            ["dcache.ports  1 -> 2", "-50.00 %", "+10.00 %", "new", "1 numbers are the same", "\"hi\" -> \"ho\""]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn rows_are_compared_with_their_like() {
        let row = |scene: &str, fps: f64| json!({"scene": scene, "fps": fps});
        let a = json!({"figures": [row("knot", 10.0), row("ground", 20.0)]});
        let b = json!({"figures": [row("ground", 20.0), row("crowd", 1.0), row("knot", 11.0)]});
        let difference = Difference::new("a".into(), "b".into(), &a, &b);
        assert_eq!(difference.moved.len(), 1, "{difference:?}");
        assert_eq!(difference.moved[0].name, "figures[knot].fps");
        assert_eq!(difference.changed[0], Changed { name: "figures[crowd].fps".into(), a: Value::Null, b: json!(1.0) });
        // Without texts by number.
        assert_eq!(flatten(&json!([{"x": 1}, {"x": 2}])).into_keys().collect::<Vec<_>>(), ["[0].x", "[1].x"]);
    }

    #[test]
    fn a_single_core_is_not_said_twice() {
        let timed = |core: Vec<u32>| json!({"core": {"loads": core.iter().sum::<u32>()}, "cores": core});
        assert_eq!(flatten(&timed(vec![3])).into_keys().collect::<Vec<_>>(), ["core.loads"]);
        assert_eq!(flatten(&timed(vec![3, 4])).into_keys().collect::<Vec<_>>(), ["core.loads", "cores[0]", "cores[1]"]);
    }

    #[test]
    fn equal_reports_have_no_difference() {
        let a = json!({"cycles": 7, "configuration": {"fields": {"cores": 1}}});
        let text = Difference::new("a".into(), "a".into(), &a, &a).to_text();
        assert!(
            text.contains("machine: the same in both") && text.contains("no number moved (1 are the same)"),
            "{text}"
        );
    }
}
