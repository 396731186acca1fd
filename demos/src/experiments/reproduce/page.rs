//! The table of outcomes in a Markdown page that people also write in: everything between two marks is ours.

use super::Outcome;

/// Before the table.
const START: &str = "<!-- reproduction -->\n";
/// After it.
const END: &str = "<!-- end -->";

/// A page without a place for the table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the page has no place for the table: it needs a line `{}` and after it a line `{END}`", START.trim_end())]
pub struct PageError;

/// What may stand in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// The table, and the tests that hold claims.
pub fn section(outcomes: &[Outcome]) -> String {
    let mut text = "| claim | published | measured | | because |\n| --- | --- | --- | --- | --- |\n".to_owned();
    for Outcome { id, kind, published, finding, .. } in outcomes {
        let agreement = finding.agreement.to_string().replace(' ', "-");
        let columns = [&format!("{id} ({kind})"), published, &finding.measured, &agreement, &finding.reason];
        text += &format!("| {} |\n", columns.map(|column| cell(column)).join(" | "));
    }
    text += "\nHeld by tests:\n\n";
    for outcome in outcomes.iter().filter(|outcome| !outcome.tests.is_empty()) {
        let tests: Vec<String> = outcome.tests.iter().map(|test| format!("`{}` ({})", test.name, test.file)).collect();
        text += &format!("- {}: {}\n", outcome.id, tests.join(", "));
    }
    text
}

/// The page with this section in the place of its own.
pub fn with_section(page: &str, section: &str) -> Result<String, PageError> {
    let (before, rest) = page.split_once(START).ok_or(PageError)?;
    let (_, after) = rest.split_once(END).ok_or(PageError)?;
    Ok(format!("{before}{START}{section}{END}{after}"))
}
