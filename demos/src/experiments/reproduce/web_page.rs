//! The outcomes as one page of HTML with their charts: nothing to fetch from elsewhere, and no script.

use std::fmt::Write;

use super::{Agreement, Outcome, Summary};
use crate::plot::PlotError;
use crate::report::escaped;

/// Class of a table's cell, for its colour.
fn class(agreement: Agreement) -> &'static str {
    match agreement {
        Agreement::Agrees => "agrees",
        Agreement::SameDirection => "same",
        Agreement::Partly => "partly",
        Agreement::Differs => "differs",
    }
}

/// All outcomes in a table; numbers lead to the sections.
fn table(outcomes: &[Outcome]) -> String {
    let mut out = "<table class=\"all\"><thead><tr><th>claim</th><th>kind</th><th>published</th><th>measured</th><th></th></tr></thead><tbody>\n".to_owned();
    for Outcome { id, kind, published, finding, .. } in outcomes {
        let _ = writeln!(
            out,
            "<tr><td><a href=\"#{id}\">{id}</a></td><td>{kind}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>",
            escaped(published),
            escaped(&finding.measured),
            class(finding.agreement),
            finding.agreement,
        );
    }
    out.push_str("</tbody></table>\n");
    out
}

/// A number with as many digits as say something.
fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.0}") } else { format!("{value:.4}") }
}

/// One claim with its charts, and its figures to open.
fn part(outcome: &Outcome) -> Result<String, PlotError> {
    let Outcome { id, kind, published, finding, tests } = outcome;
    let mut out = format!(
        "<section id=\"{id}\">\n<h2>{id} <small>{kind}</small> <span class=\"{}\">{}</span></h2>\n<dl><dt>published</dt><dd>{}</dd>\
         <dt>measured</dt><dd>{}</dd><dt>because</dt><dd>{}</dd></dl>\n",
        class(finding.agreement),
        finding.agreement,
        escaped(published),
        escaped(&finding.measured),
        escaped(&finding.reason),
    );
    for chart in &finding.charts {
        let _ = writeln!(out, "<figure>{}</figure>", chart.to_svg()?);
    }
    if !finding.figures.is_empty() {
        let _ = write!(out, "<details><summary>{} figures</summary><table>", finding.figures.len());
        for figure in &finding.figures {
            let _ = write!(out, "<tr><td>{}</td><td>{}</td></tr>", escaped(&figure.name), number(figure.value));
        }
        out.push_str("</table></details>\n");
    }
    if !tests.is_empty() {
        out.push_str("<p>Held by</p><ul>");
        for test in tests {
            let _ = write!(out, "<li><code>{}</code> in {}</li>", escaped(&test.name), escaped(&test.file));
        }
        out.push_str("</ul>\n");
    }
    out.push_str("</section>\n");
    Ok(out)
}

/// The whole page; `remark` says how it was measured. Fails where a chart cannot be drawn.
pub fn web_page(outcomes: &[Outcome], remark: &str) -> Result<String, PlotError> {
    let title = "Published claims, measured again";
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n{}</style>\n</head>\n\
         <body>\n<h1>{title}</h1>\n<p>{}</p>\n<p>{}.</p>\n",
        include_str!("web_page.css"),
        escaped(remark),
        Summary::of(outcomes),
    );
    out += &table(outcomes);
    for outcome in outcomes {
        out += &part(outcome)?;
    }
    out.push_str("</body>\n</html>\n");
    Ok(out)
}
