//! What can be typed to the debugger, and how it is read.

/// One command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Let the selected warp execute this many instructions; the others run along.
    Step(u64),
    /// Let this many cycles pass.
    Cycle(u64),
    /// Undo this many instructions of the selected warp.
    Back(u64),
    /// Undo this many cycles.
    Rewind(u64),
    /// Go to this cycle, forwards or backwards.
    Goto(u64),
    /// Run until a stop, the end, or a trap.
    Continue,
    /// Stop before an instruction at this place is executed.
    Break(String),
    /// Stop before a store or atomic touches any of these bytes.
    Watch {
        /// A symbol or an address.
        place: String,
        /// How many bytes.
        bytes: u32,
    },
    /// Remove the stop of this number.
    Delete(usize),
    /// List the stops.
    Stops,
    /// Select a warp.
    Warp {
        /// The core; the selected one if not said.
        core: Option<u32>,
        /// The warp in the core.
        warp: u32,
    },
    /// Where the selected warp stands.
    Where,
    /// A line for each warp.
    Warps,
    /// The selected warp's divergence stack.
    Stack,
    /// Barriers that somebody waits at.
    Barriers,
    /// These registers of the selected warp, all lanes; all that are not zero if none is named.
    Registers(Vec<String>),
    /// Words of memory.
    Memory {
        /// A symbol, an address, or a register whose lanes give addresses (the highest active lane's is taken).
        place: String,
        /// How many words.
        words: u32,
    },
    /// Source lines round the selected warp's place.
    List,
    /// Machine code from here on.
    Disassemble {
        /// A symbol or an address; the selected warp's pc if not said.
        place: Option<String>,
        /// How many instructions.
        count: u32,
    },
    /// The counters so far.
    Counters,
    /// Write the whole machine to a file.
    Save(String),
    /// Take the whole machine from a file.
    Load(String),
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
}

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is none.
    #[error("`{0}` is no command; `help` lists them")]
    Unknown(String),
    /// Words after it do not fit.
    #[error("write it as `{usage}`")]
    Usage {
        /// The form.
        usage: &'static str,
    },
    /// A number is expected.
    #[error("`{text}` is no number; write it like 10 or 0x0a")]
    Number {
        /// What stands there.
        text: String,
    },
}

/// Name, short name, form and meaning of each command: what `help` shows and what usage errors quote.
pub const COMMANDS: &[(&str, &str, &str, &str)] = &[
    ("step", "s", "step [N]", "the selected warp executes N instructions (1); the other warps run along"),
    ("cycle", "c", "cycle [N]", "N cycles (1) pass"),
    ("back", "b", "back [N]", "undo the last N instructions (1) of the selected warp"),
    ("rewind", "rw", "rewind [N]", "undo N cycles (1)"),
    ("goto", "g", "goto CYCLE", "go to a cycle of this launch, forwards or backwards"),
    ("continue", "run", "continue", "run until a stop, the program's end, or a trap"),
    ("break", "br", "break PLACE", "stop before an instruction there: an address, a symbol, LINE or FILE:LINE"),
    ("watch", "w", "watch PLACE [BYTES]", "stop before a store or atomic touches these bytes (4)"),
    ("delete", "d", "delete NUMBER", "remove a stop"),
    ("stops", "i", "stops", "list the stops"),
    ("warp", "t", "warp [CORE] WARP", "select a warp"),
    ("where", "wh", "where", "cycle, place and lanes of the selected warp"),
    ("warps", "ws", "warps", "a line for each warp: state, pc, mask, stack depth, place"),
    ("stack", "st", "stack", "the selected warp's divergence stack"),
    ("barriers", "ba", "barriers", "barriers that warps wait at"),
    ("registers", "r", "registers [NAME …]", "registers by lane; without names, those that are not zero"),
    ("memory", "x", "memory PLACE [WORDS]", "words of memory (4) from an address, a symbol, or a register's value"),
    ("list", "l", "list", "source lines round the selected warp's place"),
    ("disassemble", "u", "disassemble [PLACE] [N]", "N instructions (8) of machine code"),
    ("counters", "ct", "counters", "what the machine has counted so far"),
    ("save", "sv", "save FILE", "write a snapshot of the whole machine"),
    ("load", "ld", "load FILE", "go on from a snapshot"),
    ("help", "h", "help", "this list"),
    ("quit", "q", "quit", "leave"),
];

/// A decimal or, after `0x`, hexadecimal number.
pub fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
    .filter(|_| !text.starts_with('+') && !text.starts_with("0x+"))
}

/// Reads a line. `None` for one that is blank or begins with `#`.
pub fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let mut words = line.split_whitespace();
    let Some(first) = words.next().filter(|word| !word.starts_with('#')) else { return Ok(None) };
    let row = COMMANDS.iter().find(|(name, short, ..)| *name == first || *short == first);
    let (name, _, usage, _) = *row.ok_or_else(|| CommandError::Unknown(first.to_owned()))?;
    let arguments: Vec<&str> = words.collect();
    let bad = CommandError::Usage { usage };
    let count = |text: &str| number(text).ok_or_else(|| CommandError::Number { text: text.to_owned() });
    let small = |text: &str| {
        let value = count(text)?;
        u32::try_from(value).map_err(|_| CommandError::Number { text: text.to_owned() })
    };
    let times = |arguments: &[&str]| match arguments {
        [] => Ok(1),
        [text] => count(text),
        _ => Err(bad.clone()),
    };
    let alone = |command: Command| if arguments.is_empty() { Ok(command) } else { Err(bad.clone()) };
    let command = match (name, &arguments[..]) {
        ("step", arguments) => Command::Step(times(arguments)?),
        ("cycle", arguments) => Command::Cycle(times(arguments)?),
        ("back", arguments) => Command::Back(times(arguments)?),
        ("rewind", arguments) => Command::Rewind(times(arguments)?),
        ("goto", [text]) => Command::Goto(count(text)?),
        ("continue", _) => alone(Command::Continue)?,
        ("break", [place]) => Command::Break((*place).to_owned()),
        ("watch", [place]) => Command::Watch { place: (*place).to_owned(), bytes: 4 },
        ("watch", [place, bytes]) => Command::Watch { place: (*place).to_owned(), bytes: small(bytes)? },
        ("delete", [text]) => Command::Delete(count(text)? as usize),
        ("stops", _) => alone(Command::Stops)?,
        ("warp", [warp]) => Command::Warp { core: None, warp: small(warp)? },
        ("warp", [core, warp]) => Command::Warp { core: Some(small(core)?), warp: small(warp)? },
        ("where", _) => alone(Command::Where)?,
        ("warps", _) => alone(Command::Warps)?,
        ("stack", _) => alone(Command::Stack)?,
        ("barriers", _) => alone(Command::Barriers)?,
        ("registers", names) => Command::Registers(names.iter().map(|&name| name.to_owned()).collect()),
        ("memory", [place]) => Command::Memory { place: (*place).to_owned(), words: 4 },
        ("memory", [place, words]) => Command::Memory { place: (*place).to_owned(), words: small(words)? },
        ("list", _) => alone(Command::List)?,
        ("disassemble", []) => Command::Disassemble { place: None, count: 8 },
        ("disassemble", [place]) => Command::Disassemble { place: Some((*place).to_owned()), count: 8 },
        ("disassemble", [place, n]) => Command::Disassemble { place: Some((*place).to_owned()), count: small(n)? },
        ("counters", _) => alone(Command::Counters)?,
        ("save", [file]) => Command::Save((*file).to_owned()),
        ("load", [file]) => Command::Load((*file).to_owned()),
        ("help", _) => alone(Command::Help)?,
        ("quit", _) => alone(Command::Quit)?,
        _ => return Err(bad),
    };
    Ok(Some(command))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_names_are_the_same_command() {
        assert_eq!(parse("s"), Ok(Some(Command::Step(1))));
        assert_eq!(parse("  step   0x10 "), Ok(Some(Command::Step(16))));
        assert_eq!(parse("warp 1 3"), Ok(Some(Command::Warp { core: Some(1), warp: 3 })));
        assert_eq!(parse("x a0 2"), Ok(Some(Command::Memory { place: "a0".into(), words: 2 })));
        assert_eq!(parse("r a0 fa1"), Ok(Some(Command::Registers(vec!["a0".into(), "fa1".into()]))));
    }

    #[test]
    fn blank_lines_and_remarks_are_no_commands() {
        for line in ["", "   ", "# a remark", "#"] {
            assert_eq!(parse(line), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn what_is_no_command_is_refused_by_name_and_form() {
        assert_eq!(parse("fly"), Err(CommandError::Unknown("fly".into())));
        assert_eq!(parse("goto"), Err(CommandError::Usage { usage: "goto CYCLE" }));
        assert_eq!(parse("continue now"), Err(CommandError::Usage { usage: "continue" }));
        for text in ["x1", "-1", "+1", "0x", "0x+1", "99999999999999999999"] {
            assert_eq!(parse(&format!("step {text}")), Err(CommandError::Number { text: text.into() }));
        }
    }

    #[test]
    fn names_are_unique_and_every_one_can_be_read() {
        let mut names: Vec<&str> = COMMANDS.iter().flat_map(|(name, short, ..)| [*name, *short]).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
        for (name, _, usage, _) in COMMANDS {
            // The form with a number for each word it asks for must be read.
            let words = usage.split_whitespace().skip(1).filter(|word| !word.starts_with('[') && !word.ends_with(']'));
            let line = words.fold((*name).to_owned(), |line, _| line + " 1");
            assert!(matches!(parse(&line), Ok(Some(_))), "{line}: {:?}", parse(&line));
        }
    }
}
