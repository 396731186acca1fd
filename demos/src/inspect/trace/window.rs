//! How a trace is bounded: by cycles, and by the size of its file.

use std::fmt;
use std::str::FromStr;

/// The cycles that a trace shows, counted from the first launch on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first cycle.
    pub start: u64,
    /// The cycle after the last one.
    pub end: u64,
}

impl Window {
    /// Every cycle.
    pub const ALL: Self = Self { start: 0, end: u64::MAX };
}

impl FromStr for Window {
    type Err = String;

    /// Reads `START..END`; either may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is no window; write START..END in cycles, for example 1000..5000");
        let (start, end) = text.split_once("..").ok_or_else(form)?;
        let cycle = |text: &str, missing: u64| match text.trim() {
            "" => Ok(missing),
            text => text.parse::<u64>().map_err(|_| form()),
        };
        let window = Self { start: cycle(start, 0)?, end: cycle(end, u64::MAX)? };
        if window.start >= window.end {
            return Err(format!("the window {window} is empty; END must be larger than START"));
        }
        Ok(window)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}..", self.start)?;
        if self.end == u64::MAX { Ok(()) } else { write!(out, "{}", self.end) }
    }
}

/// The most bytes that a trace may have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limit(pub u64);

impl Limit {
    /// What the viewers open without complaint.
    pub const USUAL: Self = Self(256 << 20);
    /// A smaller trace would hold hardly more than its header.
    const LEAST: u64 = 4 << 10;
    /// The largest.
    const MOST: u64 = 1 << 40;
}

impl FromStr for Limit {
    type Err = String;

    /// Reads a number of bytes; `K`, `M` and `G` stand for 2^10, 2^20 and 2^30.
    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("`{text}` is no size; write bytes, or for example 64K, 256M, 1G");
        let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let unit = match &text[digits.len()..] {
            "" => 0,
            "K" | "k" => 10,
            "M" | "m" => 20,
            "G" | "g" => 30,
            _ => return Err(form()),
        };
        let bytes = digits.parse::<u64>().map_err(|_| form())?;
        match bytes.checked_mul(1 << unit) {
            Some(bytes) if (Self::LEAST..=Self::MOST).contains(&bytes) => Ok(Self(bytes)),
            _ => Err(format!("{text} is out of range: a trace may be limited to 4K up to 1024G")),
        }
    }
}

impl fmt::Display for Limit {
    /// In the largest unit that is exact, and readable back.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = [(30, "G"), (20, "M"), (10, "K")];
        match units.iter().find(|(shift, _)| self.0.is_multiple_of(1 << shift)) {
            Some((shift, name)) => write!(out, "{}{name}", self.0 >> shift),
            None => write!(out, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_read_and_bad_ones_refused() {
        assert_eq!("10..20".parse(), Ok(Window { start: 10, end: 20 }));
        assert_eq!("10..".parse(), Ok(Window { start: 10, end: u64::MAX }));
        assert_eq!("..20".parse(), Ok(Window { start: 0, end: 20 }));
        assert_eq!("..".parse(), Ok(Window::ALL));
        for (text, part) in [
            ("20..10", "empty"),
            ("10..10", "empty"),
            ("10", "START..END"),
            ("a..b", "START..END"),
            ("-1..5", "START..END"),
            ("1..99999999999999999999", "START..END"),
        ] {
            let message = text.parse::<Window>().expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn limits_are_read_and_bad_ones_refused() {
        for (text, bytes) in [("4096", 4096), ("64K", 65536), ("3M", 3 << 20), ("1g", 1 << 30)] {
            assert_eq!(text.parse(), Ok(Limit(bytes)));
        }
        for text in ["", "M", "4095", "0", "2000G", "1T", "1.5M", "99999999999G", "é"] {
            assert!(text.parse::<Limit>().is_err(), "{text}");
        }
        assert_eq!([Limit::USUAL, Limit(5000)].map(|limit| limit.to_string()), ["256M", "5000"]);
    }
}
