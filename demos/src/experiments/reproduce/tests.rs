//! Claims are listed once, name tests that exist, and the exact ones hold.

use std::path::Path;

use super::*;

#[test]
fn every_claim_is_there_once_and_in_order() {
    let ids: Vec<&str> = CLAIMS.iter().map(|claim| claim.id).collect();
    let expected: Vec<String> = (1..=17).filter(|number| *number != 11).map(|number| format!("V{number}")).collect();
    assert_eq!(ids, expected);
    assert_eq!(find("v10").map(|claim| claim.id), Some("V10"));
    assert!(find("V11").is_none());
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
