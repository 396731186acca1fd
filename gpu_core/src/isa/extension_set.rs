//! Which extensions a machine declares: a set of [`Extension`], one bit each.
//!
//! The set decides what decodes: a word of an extension that the machine lacks is an illegal instruction.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::table::Extension;

/// A set of extensions. In saved configurations it is a list of names.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "Vec<Extension>", into = "Vec<Extension>")]
pub struct ExtensionSet(u32);

impl ExtensionSet {
    /// No extension at all.
    pub const NONE: Self = Self(0);
    /// What every machine has: RV32IMAF with Zicsr and Zifencei, SIMT control, votes and shuffles, and the graphics
    /// instructions; what the Vortex line of GPUs has.
    pub const VORTEX: Self = Self::NONE
        .with(Extension::I)
        .with(Extension::M)
        .with(Extension::A)
        .with(Extension::F)
        .with(Extension::Zicsr)
        .with(Extension::Zifencei)
        .with(Extension::Simt)
        .with(Extension::Vote)
        .with(Extension::Texture)
        .with(Extension::Graphics);
    /// What the wide machines have.
    pub const WIDE: Self = Self::VORTEX
        .with(Extension::Zba)
        .with(Extension::Zbb)
        .with(Extension::Zicond)
        .with(Extension::Zfa)
        .with(Extension::ThreadMask);
    /// All groups of transcendental instructions; no preset has them.
    pub const TRANSCENDENTAL: Self = Self::NONE
        .with(Extension::Zftrans)
        .with(Extension::ZftransExt)
        .with(Extension::Ztrignpi)
        .with(Extension::Ztrigpi)
        .with(Extension::Zarctrignpi)
        .with(Extension::Zarctrigpi)
        .with(Extension::Zfhyp)
        .with(Extension::ZftransAdv)
        .with(Extension::Zfrsqrt);
    /// Everything the table knows.
    pub const ALL: Self = Self::WIDE.union(Self::TRANSCENDENTAL);

    /// The set with `extension` added.
    pub const fn with(self, extension: Extension) -> Self {
        Self(self.0 | 1 << extension as u32)
    }

    /// The set with `extension` taken out.
    pub const fn without(self, extension: Extension) -> Self {
        Self(self.0 & !(1 << extension as u32))
    }

    /// The members of either.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The members of both.
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether `extension` is a member.
    pub const fn contains(self, extension: Extension) -> bool {
        self.0 >> extension as u32 & 1 != 0
    }

    /// A bit for each member, by its place in [`Extension::EVERY`].
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The set of these bits; bits of no extension are dropped.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The members in the order of [`Extension`].
    pub fn iter(self) -> impl Iterator<Item = Extension> {
        Extension::EVERY.iter().copied().filter(move |&extension| self.contains(extension))
    }
}

impl From<Vec<Extension>> for ExtensionSet {
    fn from(list: Vec<Extension>) -> Self {
        list.into_iter().fold(Self::NONE, Self::with)
    }
}

impl From<ExtensionSet> for Vec<Extension> {
    fn from(set: ExtensionSet) -> Self {
        set.iter().collect()
    }
}

impl fmt::Debug for ExtensionSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_holds_every_extension_of_the_table() {
        assert!(Extension::EVERY.iter().all(|&extension| ExtensionSet::ALL.contains(extension)));
        assert!(super::super::SPECS.iter().all(|spec| Extension::EVERY.contains(&spec.extension)));
    }

    #[test]
    fn saved_as_a_list_of_names() {
        let set = ExtensionSet::NONE.with(Extension::Zfa).with(Extension::I);
        let text = serde_json::to_string(&set).unwrap();
        assert_eq!(text, r#"["I","Zfa"]"#);
        assert_eq!(serde_json::from_str::<ExtensionSet>(&text).unwrap(), set);
        assert_eq!(set.without(Extension::I), ExtensionSet::NONE.with(Extension::Zfa));
    }
}
