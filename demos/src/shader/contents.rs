//! Buffers as somebody writes them down: `0:1=f32:1,2,3`, `0:2=@file.bin`, `0:3=zero:1024`; and what to show of them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use gpu_core::hash::fnv1a;

/// The most that one buffer holds: a typing error in a size should not take the computer's memory.
pub const LARGEST_BYTES: u64 = 1 << 28;

/// A text that is none of the forms; it says which there are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormError(String);

pub(super) fn form(message: impl Into<String>) -> FormError {
    FormError(message.into())
}

/// `@group` and `@binding`, written `0:1`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.group, self.binding)
    }
}

impl FromStr for Place {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let numbers =
            text.split_once(':').and_then(|(group, binding)| Some([group.parse().ok()?, binding.parse().ok()?]));
        let [group, binding] =
            numbers.ok_or_else(|| form(format!("`{text}` is no place; write GROUP:BINDING, as in 0:1")))?;
        Ok(Self { group, binding })
    }
}

/// How a word is read and written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Element {
    /// A float.
    F32,
    /// A number without sign.
    U32,
    /// A number with sign.
    I32,
    /// Eight hexadecimal digits.
    Hex,
}

impl Element {
    /// Every element with its name.
    pub const NAMES: [(&'static str, Self); 4] =
        [("f32", Self::F32), ("u32", Self::U32), ("i32", Self::I32), ("hex", Self::Hex)];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, element)| *element == self).map_or("", |(name, _)| name)
    }

    fn read(self, text: &str) -> Option<u32> {
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (text, if self == Self::Hex { 16 } else { 10 }),
        };
        match self {
            Self::F32 => text.parse().ok().map(f32::to_bits),
            Self::I32 if radix == 10 => text.parse().ok().map(|number: i32| number as u32),
            _ => u32::from_str_radix(digits, radix).ok(),
        }
    }

    /// A word as text.
    pub fn show(self, word: u32) -> String {
        match self {
            Self::F32 => format!("{:?}", f32::from_bits(word)),
            Self::U32 => word.to_string(),
            Self::I32 => (word as i32).to_string(),
            Self::Hex => format!("{word:08x}"),
        }
    }
}

impl FromStr for Element {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let found = Self::NAMES.iter().find(|(name, _)| *name == text);
        found
            .map(|(_, element)| *element)
            .ok_or_else(|| form(format!("`{text}` is no type; there are f32, u32, i32 and hex")))
    }
}

/// What a buffer holds at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// These words.
    Words(Vec<u32>),
    /// The bytes of a file.
    File(PathBuf),
}

impl FromStr for Contents {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        if let Some(file) = text.strip_prefix('@') {
            return if file.is_empty() {
                Err(form("after `@` the name of a file is missing"))
            } else {
                Ok(Self::File(file.into()))
            };
        }
        let Some((kind, rest)) = text.split_once(':') else {
            return Err(form(format!(
                "`{text}` is nothing that a buffer can hold; write f32:1,2.5 (or u32, i32, hex), @FILE, zero:BYTES, count:WORDS or random:WORDS"
            )));
        };
        let words = |count: u64, unit: &str| match count.checked_mul(4) {
            Some(bytes) if (4..=LARGEST_BYTES).contains(&bytes) => Ok(0..count as u32),
            _ => Err(form(format!("`{text}` is {count} {unit}, a buffer has 1 to {}", LARGEST_BYTES / 4))),
        };
        let number = || rest.parse::<u64>().map_err(|_| form(format!("`{rest}` in `{text}` is no number")));
        match kind {
            "zero" => match number()? {
                bytes if bytes.is_multiple_of(4) => Ok(Self::Words(words(bytes / 4, "words")?.map(|_| 0).collect())),
                bytes => Err(form(format!("a buffer of {bytes} bytes is not made of words of 4 bytes"))),
            },
            "count" => Ok(Self::Words(words(number()?, "words")?.collect())),
            // The same on every computer and in every run.
            "random" => {
                Ok(Self::Words(words(number()?, "words")?.map(|n: u32| fnv1a(&n.to_le_bytes()) as u32).collect()))
            }
            _ => {
                let element: Element = kind.parse()?;
                let values = rest.split(',').map(|value| {
                    let value = value.trim();
                    element.read(value).ok_or_else(|| form(format!("`{value}` in `{text}` is no {kind}")))
                });
                Ok(Self::Words(values.collect::<Result<_, _>>()?))
            }
        }
    }
}

/// `PLACE=REST`.
pub(super) fn split(text: &str) -> Result<(Place, &str), FormError> {
    let (place, rest) =
        text.split_once('=').ok_or_else(|| form(format!("`{text}` has no `=`; write GROUP:BINDING=…, as in 0:1=…")))?;
    Ok((place.parse()?, rest))
}

/// A binding and what it holds at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled {
    /// Which binding.
    pub place: Place,
    /// What it holds.
    pub contents: Contents,
}

impl FromStr for Filled {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (place, rest) = split(text)?;
        Ok(Self { place, contents: rest.parse()? })
    }
}

/// A binding to print: `0:3=f32`, or `0:3=f32:8` for the first eight words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Which binding.
    pub place: Place,
    /// As what.
    pub element: Element,
    /// How many words, if not all.
    pub most: Option<usize>,
}

impl FromStr for Shown {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (place, rest) = split(text)?;
        let (element, most) = match rest.split_once(':') {
            Some((element, most)) => {
                let most = most.parse().map_err(|_| form(format!("`{most}` in `{text}` is no number of words")))?;
                (element, Some(most))
            }
            None => (rest, None),
        };
        Ok(Self { place, element: element.parse()?, most })
    }
}

/// A binding to write to a file: `0:3=@out.bin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Which binding.
    pub place: Place,
    /// Where to.
    pub file: PathBuf,
}

impl FromStr for Stored {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (place, rest) = split(text)?;
        match rest.strip_prefix('@') {
            Some(file) if !file.is_empty() => Ok(Self { place, file: file.into() }),
            _ => Err(form(format!("`{text}` names no file; write {place}=@FILE"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Result<Vec<u32>, String> {
        match text.parse() {
            Ok(Contents::Words(words)) => Ok(words),
            Ok(Contents::File(file)) => Err(format!("file {}", file.display())),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn every_form_is_read() {
        assert_eq!(words("f32:1, -2.5,1e2"), Ok(vec![0x3f80_0000, 0xc020_0000, 0x42c8_0000]));
        assert_eq!(words("u32:7,0xff"), Ok(vec![7, 255]));
        assert_eq!(words("i32:-1,0x10"), Ok(vec![u32::MAX, 16]));
        assert_eq!(words("hex:dead,0xbeef"), Ok(vec![0xdead, 0xbeef]));
        assert_eq!(words("zero:12"), Ok(vec![0; 3]));
        assert_eq!(words("count:4"), Ok(vec![0, 1, 2, 3]));
        assert_eq!(words("@a.bin"), Err("file a.bin".to_owned()));
        let place = Place { group: 1, binding: 20 };
        assert_eq!("1:20=f32:8".parse(), Ok(Shown { place, element: Element::F32, most: Some(8) }));
        assert_eq!("1:20=@x=y".parse(), Ok(Stored { place, file: "x=y".into() }));
    }

    #[test]
    fn what_has_no_form_says_why() {
        for (text, expected) in [
            ("", "f32:1,2.5"),
            ("@", "file"),
            ("f16:1", "f32, u32, i32 and hex"),
            ("f32:1,,2", "`` in"),
            ("u32:-1", "`-1`"),
            ("u32:4294967296", "`4294967296`"),
            ("zero:0", "1 to"),
            ("zero:6", "6 bytes"),
            ("zero:1e9", "no number"),
            ("count:99999999999999999999", "no number"),
            ("random:9999999999999999", "1 to"),
        ] {
            let error = words(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
        for text in ["0=u32:1", "x:1=u32:1", "0:-1=u32:1", "0:1", "0:1=f32:x"] {
            assert!(text.parse::<Shown>().is_err(), "{text}");
        }
        assert!("0:1=out.bin".parse::<Stored>().is_err());
    }
}
