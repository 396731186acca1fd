//! A profile as one page: source with its cost beside it, instructions behind each line, nothing to fetch from elsewhere.
//!
//! The page has no script: a line opens by `<details>`, and the reasons of its stalls are a bar whose parts say what they are.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::spent::sentence;
use super::table::{By, Order, Row, Table};
use super::text::{Subject, percent, summary};
use super::{Profile, Spent};
use crate::inspect::code::Place;
use crate::report::escaped;

/// Lines in the list at the top.
const TOP: usize = 20;

/// A bar of what was spent on what; each part says so when pointed at.
fn bar(spent: &Spent, kind: &str) -> String {
    let all = spent.slot_cycles();
    let mut out = format!("<span class=\"{kind}bar\">");
    let mut part = |class: &str, text: &str, count: u64| {
        let share = percent(count, all);
        let _ = write!(
            out,
            "<span class=\"{class}\" style=\"width:{share:.3}%\" title=\"{class} {count} ({share:.1} %): {text}\"></span>"
        );
    };
    if spent.issued != 0 {
        part("issued", "an instruction was issued", spent.issued);
    }
    for (reason, count) in spent.main_reasons() {
        part(reason.name(), sentence(reason), count);
    }
    out.push_str("</span>");
    out
}

fn lanes(spent: &Spent) -> String {
    spent.lanes_per_issue().map_or_else(String::new, |lanes| format!("{lanes:.2}"))
}

fn legend(total: &Spent) -> String {
    let mut out = "<ul class=\"legend\"><li><i class=\"issued\"></i>issued: an instruction was issued</li>".to_owned();
    for (reason, _) in total.main_reasons() {
        let name = reason.name();
        let _ = write!(out, "<li><i class=\"{name}\"></i>{name}: {}</li>", sentence(reason));
    }
    out.push_str("</ul>\n");
    out
}

/// The instructions of a line, by address.
fn instructions(table: &Table, rows: &[&Row]) -> String {
    let reasons = table.reasons();
    let mut out = "<table><thead><tr><th>slot-cycles</th><th>issued</th><th>lanes</th>".to_owned();
    for reason in &reasons {
        let _ = write!(out, "<th>{}</th>", reason.name());
    }
    out.push_str("<th>pc</th><th>instruction</th></tr></thead><tbody>");
    for row in rows {
        let spent = &row.spent;
        let _ = write!(out, "<tr><td>{}</td><td>{}</td><td>{}</td>", spent.slot_cycles(), spent.issued, lanes(spent));
        for reason in &reasons {
            let _ = match spent.stalls[*reason as usize] {
                0 => write!(out, "<td>.</td>"),
                count => write!(out, "<td>{count}</td>"),
            };
        }
        let pc = row.pc.as_deref().unwrap_or("");
        let _ = write!(out, "<td>{}</td><td>{}</td></tr>", escaped(pc), escaped(&row.text));
    }
    out.push_str("</tbody></table>");
    out
}

fn anchor(place: Place) -> String {
    format!("f{}l{}", place.file, place.line)
}

/// The lines that cost most, with links to their places.
fn top(table: &Table) -> String {
    let all = table.total.slot_cycles();
    let mut out = "<h2>What costs most</h2>\n<table><thead><tr><th>slot-cycles</th><th>%</th><th>issued</th>\
                   <th>lanes</th><th>line</th></tr></thead><tbody>\n"
        .to_owned();
    for row in table.top(TOP).0 {
        let spent = &row.spent;
        let text = escaped(&row.text);
        let place = match row.place {
            Some(place) => format!("<a href=\"#{}\">{}</a>  {text}", anchor(place), escaped(&table.source(row))),
            None => text,
        };
        let _ = writeln!(
            out,
            "<tr><td>{}</td><td>{:.2}</td><td>{}</td><td>{}</td><td>{place}</td></tr>",
            spent.slot_cycles(),
            percent(spent.slot_cycles(), all),
            spent.issued,
            lanes(spent),
        );
    }
    out.push_str("</tbody></table>\n");
    out
}

/// What pages are made of.
struct Figures<'a> {
    table: &'a Table,
    /// By line.
    lines: BTreeMap<Place, &'a Spent>,
    instructions: BTreeMap<Option<Place>, Vec<&'a Row>>,
    /// Of the line that costs most.
    most: u64,
}

/// One source file, every line of it.
fn source(figures: &Figures<'_>, file: usize) -> String {
    let Figures { table, lines, instructions: of_lines, most } = figures;
    let all = table.total.slot_cycles();
    let mut out = format!(
        "<h2>{}</h2>\n<div class=\"line head\"><span>line</span><span>slot-cycles</span><span>%</span>\
         <span>issued</span><span>lanes</span><span>spent on</span><code>source</code></div>\n",
        escaped(&table.files[file].name)
    );
    for (number, text) in (1..).zip(table.files[file].text.lines()) {
        let (place, text) = (Place { file, line: number }, escaped(text));
        let Some(spent) = lines.get(&place) else {
            let _ = writeln!(
                out,
                "<div class=\"line\"><span>{number}</span><span></span><span></span><span></span><span></span>\
                 <span></span><code>{text}</code></div>"
            );
            continue;
        };
        let cost = spent.slot_cycles();
        let _ = writeln!(
            out,
            "<details class=\"line\" id=\"{}\" style=\"--heat:{:.3}\"><summary><span>{number}</span><span>{cost}</span>\
             <span>{:.2}</span><span>{}</span><span>{}</span>{}<code>{text}</code></summary>{}</details>",
            anchor(place),
            cost as f64 / (*most).max(1) as f64,
            percent(cost, all),
            spent.issued,
            lanes(spent),
            bar(spent, ""),
            instructions(table, of_lines.get(&Some(place)).map_or(&[], Vec::as_slice)),
        );
    }
    out
}

/// The whole page.
pub fn page(profile: &Profile, subject: &Subject) -> String {
    let by_line = Table::new(profile, By::Line, Order::Cost);
    let by_instruction = Table::new(profile, By::Instruction, Order::Source);
    let lines: BTreeMap<Place, &Spent> = by_line.rows.iter().filter_map(|row| Some((row.place?, &row.spent))).collect();
    let most = lines.values().map(|spent| spent.slot_cycles()).max().unwrap_or(0);
    let mut instructions_of: BTreeMap<Option<Place>, Vec<&Row>> = BTreeMap::new();
    for row in by_instruction.rows.iter().filter(|row| row.pc.is_some()) {
        instructions_of.entry(row.place).or_default().push(row);
    }
    let figures = Figures { table: &by_instruction, lines, instructions: instructions_of, most };

    let title = escaped(&format!("{} on {}: profile", subject.name, subject.machine));
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<ul class=\"summary\">\n",
        include_str!("page.css")
    );
    for line in summary(profile, subject) {
        let _ = writeln!(out, "<li>{}</li>", escaped(&line));
    }
    let _ = writeln!(out, "</ul>\n{}\n{}", bar(profile.total(), "all "), legend(profile.total()));
    out += &top(&by_line);
    for file in 0..by_instruction.files.len() {
        if figures.lines.keys().any(|place| place.file == file) {
            out += &source(&figures, file);
        }
    }
    if let Some(rows) = figures.instructions.get(&None) {
        let _ = writeln!(out, "<h2>Instructions without a source line</h2>\n{}", instructions(&by_instruction, rows));
    }
    out.push_str("</body>\n</html>\n");
    out
}
