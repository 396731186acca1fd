//! Where a word of a command points: an address, a symbol, a source line.

use gpu_core::program::Program;
use gpu_core::units::Address;

use super::command::number;

/// Why a place cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlaceError {
    /// It is neither.
    #[error("`{text}` is no address, symbol or line of this program")]
    Unknown {
        /// What was typed.
        text: String,
    },
    /// No instruction comes from that line.
    #[error("no instruction comes from line {line}{}; the nearest line with one is {nearest}", of_file(.file))]
    EmptyLine {
        /// The file as typed, if it was.
        file: Option<String>,
        /// The line.
        line: u32,
        /// Another one.
        nearest: u32,
    },
}

fn of_file(file: &Option<String>) -> String {
    file.as_ref().map_or_else(String::new, |file| format!(" of {file}"))
}

/// An address or a symbol.
pub fn address(program: &Program, text: &str) -> Result<Address, PlaceError> {
    let number = text.starts_with("0x").then(|| number(text)).flatten();
    let found = number.and_then(|value| u32::try_from(value).ok()).map(Address);
    found.or_else(|| program.symbol(text)).ok_or_else(|| PlaceError::Unknown { text: text.to_owned() })
}

/// The instructions that a place names: one for an address or symbol; for `LINE` or `FILE:LINE` the first of each run of
/// instructions that come from the line.
pub fn instructions(program: &Program, text: &str) -> Result<Vec<Address>, PlaceError> {
    let (file, line) = match text.rsplit_once(':') {
        Some((file, line)) => (Some(file), line),
        None => (None, text),
    };
    let Ok(line) = line.parse::<u32>() else { return Ok(vec![address(program, text)?]) };
    let unknown = || PlaceError::Unknown { text: text.to_owned() };
    // A file may be named by the end of its path.
    let is_named = |name: &str| {
        let ends = |file: &str| name.strip_suffix(file).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        file.is_none_or(ends)
    };
    let file_index = program.files.iter().position(|known| is_named(&known.name)).ok_or_else(unknown)?;
    let entries = || program.lines.iter().filter(|entry| usize::from(entry.file) == file_index && entry.line != 0);
    let mut found = Vec::new();
    let mut last = None;
    for entry in program.lines.iter() {
        let place = (usize::from(entry.file), entry.line);
        if place == (file_index, line) && last != Some(place) {
            found.push(entry.address);
        }
        last = Some(place);
    }
    if found.is_empty() {
        let nearest = entries().map(|entry| entry.line).min_by_key(|other| (other.abs_diff(line), *other));
        let nearest = nearest.ok_or_else(unknown)?;
        return Err(PlaceError::EmptyLine { file: file.map(str::to_owned), line, nearest });
    }
    Ok(found)
}

/// `loop+8  sum.s:7  addi a0, a0, 1`, as far as the program knows.
pub fn describe(program: &Program, pc: Address) -> String {
    let mut text = String::new();
    if let Some((symbol, past)) = program.symbol_at(pc) {
        text.push_str(&symbol.name);
        if past > 0 {
            text.push_str(&format!("+{past}"));
        }
    }
    if let Some(location) = program.location(pc) {
        let gap = if text.is_empty() { "" } else { "  " };
        text.push_str(&format!("{gap}{}:{}", location.file, location.line));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program() -> Program {
        let text = "start: li a0, 3\n\nloop: addi a0, a0, -1\n  bnez a0, loop\n  tmc x0\n";
        gpu_core::isa::assembler::assemble("dir/count.s", text).expect("it is sound")
    }

    #[test]
    fn lines_symbols_and_addresses_name_the_same_instruction() {
        let program = program();
        let at = |text: &str| instructions(&program, text);
        let expected = Ok(vec![Address(0x8000_0004)]);
        for text in ["loop", "0x80000004", "3", "count.s:3", "dir/count.s:3"] {
            assert_eq!(at(text), expected, "{text}");
        }
        assert_eq!(describe(&program, Address(0x8000_0008)), "loop+4  dir/count.s:4");
    }

    #[test]
    fn what_is_not_there_is_refused_with_the_nearest_line() {
        let program = program();
        let error = instructions(&program, "count.s:2").unwrap_err();
        assert_eq!(error.to_string(), "no instruction comes from line 2 of count.s; the nearest line with one is 1");
        for text in ["nowhere", "other.s:3", "ount.s:3", "0x1ffffffff"] {
            assert_eq!(instructions(&program, text), Err(PlaceError::Unknown { text: text.to_owned() }));
        }
    }
}
