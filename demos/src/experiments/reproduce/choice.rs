//! Which claims are meant: by number, by family, or all.

use super::{CLAIMS, Claim};

/// A name that is no claim's and no family's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no claim `{name}` to reproduce; there are: {}; or all of {}, or `all`", known(), families().join(", "))]
pub struct UnknownClaim {
    /// What was asked for.
    pub name: String,
}

fn known() -> String {
    CLAIMS.iter().map(|claim| claim.id).collect::<Vec<_>>().join(", ")
}

/// `V`, `M` and so on, in order.
fn families() -> Vec<&'static str> {
    let mut families: Vec<&str> = CLAIMS.iter().map(|claim| claim.family()).collect();
    families.dedup();
    families
}

impl Claim {
    /// The letters before the number.
    pub fn family(&self) -> &'static str {
        self.id.trim_end_matches(|letter: char| letter.is_ascii_digit())
    }
}

/// The claims with these names (`V1`, `M`, `all`, whatever their case), each once, in the order of [`CLAIMS`]; all of them
/// without names.
pub fn choose(names: &[String]) -> Result<Vec<&'static Claim>, UnknownClaim> {
    let is_meant = |claim: &Claim, name: &str| {
        [claim.id, claim.family(), "all"].iter().any(|known| known.eq_ignore_ascii_case(name))
    };
    if let Some(name) = names.iter().find(|name| !CLAIMS.iter().any(|claim| is_meant(claim, name))) {
        return Err(UnknownClaim { name: name.clone() });
    }
    let is_chosen = |claim: &&Claim| names.is_empty() || names.iter().any(|name| is_meant(claim, name));
    Ok(CLAIMS.iter().filter(is_chosen).collect())
}
