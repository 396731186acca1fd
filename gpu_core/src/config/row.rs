//! One field of a configuration, told once: its path, what it may hold, its default, where that comes from, what it means.
//!
//! After: `timing` and the machine's own fields are lists of such rows; checks, `--set`, files, the hash and
//! `docs/machine.md` read them. The macro makes structures and lists; everything else is plain functions over rows.

use crate::isa::extension_set::ExtensionSet;

/// Where the default of a field comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// SimX, the simulator of Skybox (the 2024 line of Vortex).
    Skybox,
    /// The published design of Vortex (2021).
    Published,
    /// The memory of the published comparison of samplers as this project repeats it.
    Sampler,
    /// Nobody publishes it, or we differ on purpose.
    Ours,
}

/// What a field may hold. Every kind is kept as a number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Any whole number from `least` to `most`.
    Number {
        /// Smallest value.
        least: u64,
        /// Largest value.
        most: u64,
    },
    /// A power of two in that range.
    Power {
        /// Smallest value.
        least: u64,
        /// Largest value.
        most: u64,
    },
    /// A multiple in that range.
    Multiple {
        /// The factor.
        of: u64,
        /// Smallest value.
        least: u64,
        /// Largest value.
        most: u64,
    },
    /// 0 for no, 1 for yes.
    Flag,
    /// One of these words, by its place.
    Choice(&'static [&'static str]),
    /// A set of instruction-set extensions, a bit each.
    Extensions,
}

/// Any number in a range.
pub(super) const fn number(least: u64, most: u64) -> Kind {
    Kind::Number { least, most }
}

/// A power of two in a range.
pub(super) const fn power(least: u64, most: u64) -> Kind {
    Kind::Power { least, most }
}

/// A multiple of `of` in a range.
pub(super) const fn multiple(of: u64, least: u64, most: u64) -> Kind {
    Kind::Multiple { of, least, most }
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its dotted path: `dcache.ports`.
    pub path: String,
    /// What it may hold.
    pub kind: Kind,
    /// Its default as it stands in the table, for example `min(lanes, 4)`.
    pub default: &'static str,
    /// Where the default comes from.
    pub source: Source,
    /// One sentence.
    pub doc: &'static str,
}

/// What a default may depend on.
#[derive(Copy, Clone, Debug)]
pub struct Shape {
    /// Cores of the machine.
    pub cores: u32,
    /// Warps of a core.
    pub warps: u32,
    /// Lanes of a warp.
    pub lanes: u32,
}

/// The smaller of two numbers.
pub(super) const fn min(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// The larger of two numbers.
pub(super) const fn max(a: u32, b: u32) -> u32 {
    if a > b { a } else { b }
}

/// The smallest power of two that is no smaller.
pub(super) const fn pow2(number: u32) -> u32 {
    // Of numbers that no machine can have any will do.
    min(number, 64).next_power_of_two()
}

/// The type of a field: it can be kept as a number.
pub(super) trait Field: Copy {
    /// As a number, as [`Kind`] says.
    fn to_number(self) -> u64;
    /// Back, from a number that its kind allows.
    fn from_number(number: u64) -> Self;
}

impl Field for u32 {
    fn to_number(self) -> u64 {
        self.into()
    }
    fn from_number(number: u64) -> Self {
        Self::try_from(number).expect("the range of a 32-bit field fits 32 bits")
    }
}

impl Field for u64 {
    fn to_number(self) -> u64 {
        self
    }
    fn from_number(number: u64) -> Self {
        number
    }
}

impl Field for bool {
    fn to_number(self) -> u64 {
        self.into()
    }
    fn from_number(number: u64) -> Self {
        number != 0
    }
}

impl Field for ExtensionSet {
    fn to_number(self) -> u64 {
        self.to_bits().into()
    }
    fn from_number(number: u64) -> Self {
        Self::from_bits(number as u32)
    }
}

/// A structure made of rows, and of structures that are.
pub(super) trait Block {
    /// Appends its rows; `column` chooses among the defaults.
    fn rows(prefix: &str, column: usize, rows: &mut Vec<Row>);
    /// Appends its values, in the order of its rows.
    fn get(&self, values: &mut Vec<u64>);
    /// Takes its values back from the front of an iterator.
    fn put(&mut self, values: &mut impl Iterator<Item = u64>);
}

/// `dcache.ports`, or `cores` at the top.
pub(super) fn join(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

/// Makes structures of rows. A row reads
/// `name: type = [default, …], kind, source, "sentence";`, a default for each place that has such a structure; defaults may use
/// the shape. After `+` stand fields that are structures themselves, with the column of defaults they take.
macro_rules! blocks {
    ($shape:ident: $(
        $(#[$attribute:meta])*
        $Block:ident {
            $($field:ident: $type:ty = [$($default:expr),+], $kind:expr, $source:ident, $doc:literal;)*
        } $(+ { $($part_doc:literal $part:ident: $Part:ident[$column:literal];)+ })?
    )*) => {$(
        $(#[$attribute])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $Block {
            $(#[doc = $doc] pub $field: $type,)*
            $($(#[doc = $part_doc] pub $part: $Part,)+)?
        }
        impl $Block {
            /// The defaults of a machine of this shape; `column` is the place that the structure takes.
            #[allow(unused_variables)]
            pub const fn of_shape($shape: $crate::config::row::Shape, column: usize) -> Self {
                Self {
                    $($field: [$($default),+][column],)*
                    $($($part: $Part::of_shape($shape, $column),)+)?
                }
            }
        }
        impl $crate::config::row::Block for $Block {
            #[allow(unused_variables)]
            fn rows(prefix: &str, column: usize, rows: &mut Vec<$crate::config::row::Row>) {
                $(rows.push($crate::config::row::Row {
                    path: $crate::config::row::join(prefix, stringify!($field)),
                    kind: $kind,
                    default: [$(stringify!($default)),+][column],
                    source: $crate::config::row::Source::$source,
                    doc: $doc,
                });)*
                $($(<$Part as $crate::config::row::Block>::rows(
                    &$crate::config::row::join(prefix, stringify!($part)), $column, rows);)+)?
            }
            fn get(&self, values: &mut Vec<u64>) {
                $(values.push($crate::config::row::Field::to_number(self.$field));)*
                $($($crate::config::row::Block::get(&self.$part, values);)+)?
            }
            fn put(&mut self, values: &mut impl Iterator<Item = u64>) {
                $(self.$field = $crate::config::row::Field::from_number(values.next().expect("a value for each row"));)*
                $($($crate::config::row::Block::put(&mut self.$part, values);)+)?
            }
        }
    )*};
}
pub(super) use blocks;

/// Makes an enumeration that a field can choose from, with the words that name its variants.
macro_rules! choices {
    ($($(#[$attribute:meta])* $Choice:ident { $($(#[$variant_attribute:meta])* $variant:ident $word:literal,)+ })*) => {$(
        $(#[$attribute])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $Choice { $($(#[$variant_attribute])* $variant,)+ }
        impl $Choice {
            /// The words for the variants, in their order.
            pub(super) const KIND: $crate::config::row::Kind = $crate::config::row::Kind::Choice(&[$($word),+]);
        }
        impl $crate::config::row::Field for $Choice {
            fn to_number(self) -> u64 {
                self as u64
            }
            fn from_number(number: u64) -> Self {
                [$(Self::$variant),+][number as usize]
            }
        }
    )*};
}
pub(super) use choices;
