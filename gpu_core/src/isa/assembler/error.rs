//! What can be wrong with assembly text, and what to do about it.

use std::fmt;

use super::super::encoding::EncodeError;

/// The first thing wrong with an assembly text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssembleError {
    /// Name of the file, as it was given.
    pub file: String,
    /// Line from 1; inside a macro, the line that calls the outermost one.
    pub line: u32,
    /// Column from 1 within `text`.
    pub column: u32,
    /// The line as it was assembled: inside a macro, its line with the arguments put in.
    pub text: String,
    /// What is wrong.
    pub kind: Box<AssembleErrorKind>,
}

impl fmt::Display for AssembleError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: {} in `{}`", self.file, self.line, self.column, self.kind, self.text.trim())
    }
}

impl std::error::Error for AssembleError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.kind.as_ref())
    }
}

/// The kinds of mistakes. Each message ends with what to do where that is not plain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssembleErrorKind {
    /// A character outside the language.
    #[error("character `{0}` has no meaning here")]
    Character(char),
    /// A string, comment or block without its end.
    #[error("a {0} is opened and never closed")]
    Unclosed(&'static str),
    /// A literal beyond 64 bits.
    #[error("`{0}` is no number that fits 64 bits")]
    Number(String),
    /// A backslash before another character than those it names.
    #[error("`\\{0}` is no escape: use \\n \\t \\r \\\\ \\\" \\' \\0, an octal or a \\x hexadecimal number up to 255")]
    Escape(char),
    /// No row of the table, pseudo-instruction or macro has this name.
    #[error("unknown instruction `{name}`{hint}")]
    UnknownInstruction {
        /// As it was written.
        name: String,
        /// Known names near to it.
        hint: Hint,
    },
    /// A name with a dot that is no directive.
    #[error("unknown directive `{name}`{hint}")]
    UnknownDirective {
        /// As it was written.
        name: String,
        /// Known names near to it.
        hint: Hint,
    },
    /// A symbol that nothing defines.
    #[error("unknown symbol `{name}`{hint}")]
    UnknownSymbol {
        /// As it was written.
        name: String,
        /// Known names near to it.
        hint: Hint,
    },
    /// A name that no control register has.
    #[error("unknown CSR `{name}`{hint}; a number from 0 to 0xfff works too")]
    UnknownCsr {
        /// As it was written.
        name: String,
        /// Known names near to it.
        hint: Hint,
    },
    /// A label or constant that exists.
    #[error("`{0}` is defined twice")]
    DefinedTwice(String),
    /// `1b` without a `1:` above it.
    #[error("no label `{0}:` lies before this line")]
    NoLocalLabel(u64),
    /// Something else than the grammar allows.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// Too many, too few or the wrong operands.
    #[error("`{mnemonic}` is written `{form}`")]
    Operands {
        /// The instruction.
        mnemonic: String,
        /// How it is written.
        form: String,
    },
    /// No register of the file that the operand names.
    #[error("`{found}` is no {wanted} register")]
    Register {
        /// `integer` or `float`.
        wanted: &'static str,
        /// What stands there.
        found: String,
    },
    /// A name in a rounding mode's place that is none.
    #[error("`{0}` is no rounding mode: use rne, rtz, rdn, rup, rmm or dyn")]
    RoundingMode(String),
    /// Letters other than those of a fence.
    #[error("`{0}` is no fence set: use letters of `iorw` in this order, or 0")]
    FenceSet(String),
    /// A number that `fli.s` cannot load.
    #[error("`{0}` is none of the 32 constants of fli.s, see docs/isa.md; load it from memory or through fmv.w.x")]
    FloatConstant(String),
    /// A directive's argument that is no number.
    #[error("`{0}` is no float: use a decimal number, inf, -inf, nan or min")]
    Float(String),
    /// An immediate that does not fit its field.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A branch or jump that cannot reach.
    #[error(
        "`{mnemonic}` reaches {minimum} to {maximum} bytes, its target {target:#010x} is {distance} bytes away; {advice}"
    )]
    TooFar {
        /// The instruction.
        mnemonic: &'static str,
        /// Address it should reach.
        target: u32,
        /// From the instruction, in bytes.
        distance: i64,
        /// Farthest backwards, in bytes.
        minimum: i64,
        /// Farthest forwards, in bytes.
        maximum: i64,
        /// What reaches farther.
        advice: &'static str,
    },
    /// A number outside of what the place takes.
    #[error("{what} takes {minimum} to {maximum}, not {value}")]
    Range {
        /// The place.
        what: &'static str,
        /// The number given.
        value: i64,
        /// The smallest it takes.
        minimum: i64,
        /// The largest it takes.
        maximum: i64,
    },
    /// A size or count from a symbol defined below.
    #[error("this needs a value that is known here: define its symbols above")]
    NotYetKnown,
    /// An address where it would change with the layout.
    #[error("an address stands where a plain number is needed: subtract another label of its section")]
    AddressArithmetic,
    /// In an expression.
    #[error("division by zero")]
    DivisionByZero,
    /// `%pcrel_lo` of a label without its first half; the label's address.
    #[error("no `auipc` with %pcrel_hi lies at {0:#010x}: %pcrel_lo takes the label of that instruction")]
    NoPcrelHi(u32),
    /// An expression beyond this many parts.
    #[error("the expression is longer or deeper than {0}: give parts of it names with .equ")]
    ExpressionSize(usize),
    /// `.equ` that needs itself.
    #[error("`{0}` is defined through itself or through symbols that are not defined")]
    Circular(String),
    /// A section beyond the limit.
    #[error("{section} would hold {bytes} bytes, a section holds {limit} at most")]
    SectionSize {
        /// Its name.
        section: String,
        /// What it would hold.
        bytes: u64,
        /// The most.
        limit: u64,
    },
    /// Sections beyond the limit together.
    #[error("the sections would hold {bytes} bytes together, {limit} at most can be loaded")]
    TotalSize {
        /// What they would hold.
        bytes: u64,
        /// The most.
        limit: u64,
    },
    /// Sections that run into the stacks, from this address.
    #[error("the sections reach past {0:#010x}, where the stacks and local memory lie")]
    ProgramSize(u64),
    /// Values in a section like `.bss`; its name.
    #[error("{0} has no contents, only room: use .space or .zero here, or .data for values")]
    NoContents(String),
    /// Code in a section of data; its name.
    #[error("instructions go to executable sections such as .text, this is {0}")]
    NotExecutable(String),
    /// Code after data of this length.
    #[error("an instruction lies at offset {0}, instructions lie at multiples of 4: put `.balign 4` before it")]
    Unaligned(u32),
    /// `.org` to a place already passed.
    #[error(".org goes forward only: the section is at offset {at}, not before {wanted}")]
    Backwards {
        /// Offset of this line in its section.
        at: u32,
        /// Offset asked for.
        wanted: i64,
    },
    /// Another number of arguments than a macro has.
    #[error("macro `{name}` takes {wanted} arguments, {given} are given")]
    MacroArguments {
        /// As it was written.
        name: String,
        /// Arguments it has.
        wanted: usize,
        /// Arguments of this call.
        given: usize,
    },
    /// A file that cannot be included.
    #[error("`{name}` cannot be included: {reason}")]
    Include {
        /// As it was written.
        name: String,
        /// Why not.
        reason: String,
    },
    /// Expansion nested deeper than this.
    #[error("macros, repetitions and inclusions nest deeper than {0}: does one contain itself?")]
    MacroDepth(usize),
    /// Expansion to more lines than this.
    #[error("macros, repetitions and inclusions make more than {0} lines")]
    MacroLines(usize),
    /// Expansion to more text than this.
    #[error("macros and repetitions expand to more than {0} bytes of text")]
    MacroBytes(usize),
    /// `.endm` and its like alone.
    #[error("`{0}` without its beginning")]
    NothingToEnd(String),
}

/// Names near to a mistyped one, shown after the message.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hint(pub Vec<String>);

impl Hint {
    /// The nearest among `known` (none for names that nobody types): those with the smallest number of typing mistakes, at most two (one for short names).
    pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Self {
        let length = name.chars().count();
        if length > 64 {
            return Self::default();
        }
        let limit = if length < 4 { 1 } else { 2 };
        let mut near: Vec<(usize, &str)> = known
            .map(|candidate| (mistakes(name, candidate, limit), candidate))
            .filter(|&(count, _)| count <= limit)
            .collect();
        near.sort_unstable();
        near.dedup();
        let fewest = near.first().map_or(0, |&(count, _)| count);
        Self(near.iter().filter(|near| near.0 == fewest).take(3).map(|&(_, name)| name.to_owned()).collect())
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, name) in self.0.iter().enumerate() {
            write!(out, "{}`{name}`", if number == 0 { "; near: " } else { ", " })?;
        }
        Ok(())
    }
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one name into the other; more than `limit`
/// may come out as any larger number.
fn mistakes(from: &str, to: &str, limit: usize) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    if from.len().abs_diff(to.len()) > limit {
        return limit + 1;
    }
    let mut rows = vec![vec![0; to.len() + 1]; from.len() + 1];
    for i in 0..=from.len() {
        for j in 0..=to.len() {
            rows[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
                    let best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                    let is_swap = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
                    if is_swap { best.min(rows[i - 2][j - 2] + 1) } else { best }
                }
            };
        }
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_come_first() {
        let known = ["addi", "andi", "add", "sub", "fadd.s"];
        assert_eq!(Hint::nearest("adid", known.into_iter()).0, ["add", "addi"]);
        assert_eq!(Hint::nearest("anddi", known.into_iter()).0, ["addi", "andi"]);
        assert_eq!(Hint::nearest("fad.s", known.into_iter()).0, ["fadd.s"]);
        assert!(Hint::nearest("zzzz", known.into_iter()).0.is_empty());
    }
}
