//! Index and quantity types of the machine, so that a warp cannot be taken for a lane or an address for a count.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A byte address of the flat 32-bit space.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Address(pub u32);

impl Address {
    /// The address `bytes` further on, wrapping at 4 GiB as the machine's adders do.
    pub const fn offset(self, bytes: u32) -> Self {
        Self(self.0.wrapping_add(bytes))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:#010x}", self.0)
    }
}
