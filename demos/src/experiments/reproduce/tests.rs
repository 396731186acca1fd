//! Claims are listed once, name tests that exist, and the exact ones hold.

use std::path::Path;

use super::*;

fn ids(claims: &[&Claim]) -> Vec<&'static str> {
    claims.iter().map(|claim| claim.id).collect()
}

fn chosen(names: &[&str]) -> Vec<&'static str> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    ids(&choose(&names).unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn every_claim_is_there_once_and_in_order() {
    let expected: Vec<String> = (1..=17).filter(|number| *number != 11).map(|number| format!("V{number}")).collect();
    assert_eq!(chosen(&["V"]), expected);
    let expected: Vec<String> = (1..=11).map(|number| format!("M{number}")).collect();
    assert_eq!(chosen(&["m"]), expected);
    let mut all = chosen(&[]);
    assert_eq!(all.len(), CLAIMS.len());
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.len(), CLAIMS.len(), "each once");
}

#[test]
fn claims_are_chosen_by_number_by_family_or_all() {
    assert_eq!(chosen(&["v10", "V1", "V10"]), ["V1", "V10"]);
    assert_eq!(chosen(&["V1", "v"]), chosen(&["V"]));
    assert_eq!(chosen(&["ALL"]), chosen(&[]));
    let error = choose(&["V11".to_owned()]).expect_err("V11 is about another machine").to_string();
    assert!(error.contains("`V11`") && error.contains("V10, V12") && error.contains("`all`"), "{error}");
}

fn outcome(agreement: Agreement) -> Outcome {
    let finding = Finding {
        measured: "a | b < c".to_owned(),
        agreement,
        reason: "two\nlines".to_owned(),
        figures: vec![figure("cycles & more", 12.0), figure("share", 0.25)],
        charts: vec![Chart {
            title: "A chart".to_owned(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            lines: vec![crate::plot::Line {
                name: "line".to_owned(),
                color: [1, 2, 3],
                is_dashed: false,
                points: vec![(0.0, 1.0), (1.0, 2.0)],
            }],
            marks: Vec::new(),
        }],
    };
    Outcome::new(&CLAIMS[3], finding)
}

#[test]
fn a_page_keeps_what_people_wrote_around_the_table() {
    let page = "before\n<!-- reproduction -->\nold\n<!-- end -->\nafter\n";
    let new = with_section(page, &section(&[outcome(Agreement::SameDirection)])).expect("it has a place");
    assert!(
        new.starts_with("before\n<!-- reproduction -->\n| claim |") && new.ends_with("<!-- end -->\nafter\n"),
        "{new}"
    );
    assert!(new.contains("| a \\| b < c | same-direction | two lines |\n") && !new.contains("old"), "{new}");
    assert!(with_section("<!-- end -->\n<!-- reproduction -->\n", "").is_err(), "the marks are the wrong way round");
}

#[test]
fn the_web_page_is_whole_and_holds_charts_and_figures() {
    let ways = [Agreement::Agrees, Agreement::SameDirection, Agreement::Partly, Agreement::Differs];
    let page = web_page(&ways.map(outcome), "measured & written").expect("charts can be drawn");
    for part in ["a | b &lt; c", "cycles &amp; more", ">0.2500<", ">12<", "A chart", "measured &amp; written"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("4 claims: 1 agree, 1 go the same way, 1 partly, 1 differ"));
    assert_eq!((page.matches("<svg").count(), page.matches("</svg>").count()), (4, 4));
    assert!(!page.contains("<script") && !page.contains("src=") && page.ends_with("</html>\n"));
}

#[test]
fn tests_that_claims_name_exist() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace");
    for claim in CLAIMS {
        for (file, test) in claim.tests {
            let text = std::fs::read_to_string(workspace.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(text.contains(&format!("fn {test}(")), "{}: {file} has no test `{test}`", claim.id);
        }
    }
}

/// The `exact` claims, at a small size. V16 names what this machine has not.
#[test]
fn exact_claims_hold() {
    for claim in CLAIMS.iter().filter(|claim| claim.kind == Kind::Exact) {
        let finding = claim.measure(&Setting::SMALL).unwrap_or_else(|error| panic!("{}: {error}", claim.id));
        let expected = if claim.id == "V16" { Agreement::Partly } else { Agreement::Agrees };
        assert_eq!(finding.agreement, expected, "{}: {finding:?}", claim.id);
    }
}

/// At this size the figures mean nothing; they must be there, finite and explained.
#[test]
fn every_other_claim_is_measured() {
    for claim in CLAIMS.iter().filter(|claim| claim.kind != Kind::Exact) {
        let finding = claim.measure(&Setting::SMALL).unwrap_or_else(|error| panic!("{}: {error}", claim.id));
        assert!(!finding.figures.is_empty() && !finding.reason.is_empty(), "{}", claim.id);
        assert!(finding.figures.iter().all(|figure| figure.value.is_finite()), "{finding:?}");
    }
}

#[test]
fn agreement_looks_at_sign_and_size() {
    for (published, measured, agreement) in [
        (0.2, 0.2, Agreement::Agrees),
        (0.2, 0.11, Agreement::Agrees),
        (0.2, 0.39, Agreement::Agrees),
        (0.2, 0.41, Agreement::SameDirection),
        (-0.36, -0.1, Agreement::SameDirection),
        (-0.36, 0.1, Agreement::Differs),
        (0.2, 0.0, Agreement::Differs),
    ] {
        assert_eq!(Agreement::of_change(published, measured), agreement, "{published} {measured}");
    }
    assert_eq!(Agreement::of_parts(&[true, false]), Agreement::Partly);
    assert_eq!(Agreement::of_parts(&[false, false]), Agreement::Differs);
}
