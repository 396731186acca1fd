//! One counter, told once: its name, its unit, the laws it obeys, what it counts.
//!
//! After: `rows` holds the counters of a machine. Laws, sums, JSON, CSV, control registers and `docs/machine.md` read the
//! rows; the macro makes structures and lists, and nothing else.

macro_rules! laws {
    ($($law:ident $doc:literal;)*) => {
        /// A law of conservation: in every block that has it, the wholes add up to what the parts add up to.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Law { $(#[doc = $doc] $law,)* }
        impl Law {
            /// Every law.
            pub const ALL: &'static [Self] = &[$(Self::$law),*];
            /// What it says.
            pub const fn doc(self) -> &'static str {
                match self { $(Self::$law => $doc,)* }
            }
        }
    };
}

laws! {
    Issue "Every slot of every cycle issues, or is lost for one reason.";
    Units "Every instruction issued belongs to one unit.";
    Reads "Every read is a hit, a miss, or joins a miss that is under way.";
    Writes "Every write hits or misses.";
    Accesses "Every access that was accepted is answered once.";
    Ports "Every request accepted takes its bank for a cycle, or shares it through a further port.";
    Rounds "Every access of local memory takes a round, and one more for each conflict.";
    Texels "Every texel address is fetched or found among those fetched.";
    Rows "Every access of main memory finds its row open, or does not.";
}

/// Which side of a law a counter is on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is what there is.
    Whole(Law),
    /// It is one of the ways it went.
    Part(Law),
}

/// The whole of a law.
pub(super) const fn whole(law: Law) -> Role {
    Role::Whole(law)
}

/// A part of a law.
pub(super) const fn part(law: Law) -> Role {
    Role::Part(law)
}

/// One row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its dotted path, which is also its place in the structures: `core.issue.stall.scoreboard`.
    pub path: String,
    /// What is counted: cycles, instructions, lines …
    pub unit: &'static str,
    /// The laws it belongs to.
    pub roles: &'static [Role],
    /// One sentence.
    pub doc: &'static str,
}

/// A structure made of counters, and of structures that are.
pub trait Block: Default {
    /// Appends its rows.
    fn rows(prefix: &str, rows: &mut Vec<Row>);
    /// Shows each value, in the order of the rows.
    fn each(&self, see: &mut impl FnMut(u64));
    /// Changes each value, in the order of the rows.
    fn each_mut(&mut self, change: &mut impl FnMut(&mut u64));

    /// The values in the order of the rows.
    fn values(&self) -> Vec<u64> {
        let mut values = Vec::new();
        self.each(&mut |value| values.push(value));
        values
    }

    /// Adds another's counts.
    fn add(&mut self, other: &Self) {
        let mut others = other.values().into_iter();
        self.each_mut(&mut |value| *value += others.next().expect("both have the same rows"));
    }

    /// What was counted since `earlier`.
    fn since(&self, earlier: &Self) -> Self {
        let mut difference = Self::default();
        difference.add(self);
        let mut earlier = earlier.values().into_iter();
        difference.each_mut(&mut |value| *value -= earlier.next().expect("both have the same rows"));
        difference
    }
}

/// Makes structures of counters. A row reads `name "unit" [roles] "sentence";`. After `+` stand fields that are structures
/// themselves.
macro_rules! counters {
    ($(
        $(#[$attribute:meta])*
        $Block:ident { $($counter:ident $unit:literal [$($role:expr),*] $doc:literal;)* }
        $(+ { $($part_doc:literal $part:ident: $Part:ident;)+ })?
    )*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $Block {
            $(#[doc = $doc] pub $counter: u64,)*
            $($(#[doc = $part_doc] pub $part: $Part,)+)?
        }
        impl $crate::counters::row::Block for $Block {
            #[allow(unused_variables)]
            fn rows(prefix: &str, rows: &mut Vec<$crate::counters::row::Row>) {
                $(rows.push($crate::counters::row::Row {
                    path: format!("{prefix}.{}", stringify!($counter)),
                    unit: $unit,
                    roles: const { &[$($role),*] },
                    doc: $doc,
                });)*
                $($(<$Part as $crate::counters::row::Block>::rows(&format!("{prefix}.{}", stringify!($part)), rows);)+)?
            }
            fn each(&self, see: &mut impl FnMut(u64)) {
                $(see(self.$counter);)*
                $($($crate::counters::row::Block::each(&self.$part, see);)+)?
            }
            fn each_mut(&mut self, change: &mut impl FnMut(&mut u64)) {
                $(change(&mut self.$counter);)*
                $($($crate::counters::row::Block::each_mut(&mut self.$part, change);)+)?
            }
        }
    )*};
}
pub(super) use counters;
