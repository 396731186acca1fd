//! Whether counters obey their laws: in each block, wholes = parts.

use super::row::{Block, Law, Role};
use super::rows_of;
use std::fmt;

/// A law that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Whose counters: `core 3`, or `machine`.
    pub owner: String,
    /// Which block: `core.dcache`.
    pub block: String,
    /// The law.
    pub law: Law,
    /// What the wholes add up to.
    pub whole: u64,
    /// What the parts add up to.
    pub parts: u64,
}

impl fmt::Display for Breach {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { owner, block, law, whole, parts } = self;
        write!(out, "{owner}: {block} breaks the law {law:?}: {whole} in all, {parts} in parts")
    }
}

/// The laws that do not hold among the counters of `block`, whose paths begin with `prefix`.
pub(super) fn breaches<B: Block>(owner: &str, prefix: &str, block: &B) -> Vec<Breach> {
    let (rows, values) = (rows_of::<B>(prefix), block.values());
    let holder = |path: &str| path.rsplit_once('.').map_or("", |(holder, _)| holder).to_owned();
    // A law holds in the blocks that have its whole.
    let mut scopes: Vec<(String, Law)> = Vec::new();
    for row in &rows {
        for role in row.roles {
            let Role::Whole(law) = *role else { continue };
            let scope = (holder(&row.path), law);
            if !scopes.contains(&scope) {
                scopes.push(scope);
            }
        }
    }
    let broken = scopes.into_iter().filter_map(|(scope, law)| {
        let inside = |path: &str| path.strip_prefix(&scope).is_some_and(|rest| rest.starts_with('.'));
        let total = |wanted: Role| {
            let members = rows.iter().zip(&values).filter(|(row, _)| inside(&row.path) && row.roles.contains(&wanted));
            members.map(|(_, value)| value).sum::<u64>()
        };
        let (whole, parts) = (total(Role::Whole(law)), total(Role::Part(law)));
        (whole != parts).then(|| Breach { owner: owner.to_owned(), block: scope, law, whole, parts })
    });
    broken.collect()
}
