//! Bytes from outside: files with a limit, and the further files that a model names.
//!
//! A model may name files in its own folder and below it, by relative paths. Absolute paths, other schemes and paths that climb
//! out with `..` are refused: a model from a stranger does not get to say which files of yours are read.
//! Source: RFC 3986 (percent-encoding), RFC 2397 (`data:`), RFC 4648 (base64).

use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::load::error::LoadError;

/// Most bytes read of one file, and of all files that one model names.
pub const MAX_FILE_BYTES: u64 = 1 << 28;

/// The bytes of a regular file.
pub(super) fn read_file(file: &Path) -> Result<Vec<u8>, LoadError> {
    read_at_most(file, MAX_FILE_BYTES)
}

fn read_at_most(file: &Path, most: u64) -> Result<Vec<u8>, LoadError> {
    let failed = |source| LoadError::Read { file: file.to_path_buf(), source };
    // A pipe or a terminal could make us wait for ever.
    if !std::fs::metadata(file).map_err(failed)?.is_file() {
        return Err(failed(std::io::Error::other("it is not a regular file")));
    }
    let mut bytes = Vec::new();
    File::open(file).map_err(failed)?.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > most {
        return Err(LoadError::TooLarge { file: file.to_path_buf(), most: MAX_FILE_BYTES });
    }
    Ok(bytes)
}

/// The files that one model names, read one after the other under one limit.
pub(super) struct References<'a> {
    model: &'a Path,
    remaining: u64,
}

impl<'a> References<'a> {
    pub(super) fn of(model: &'a Path) -> Self {
        Self { model, remaining: MAX_FILE_BYTES }
    }

    /// Where a relative path of the model leads; `place` is where the model names it.
    pub(super) fn resolve(&self, reference: &str, place: &str) -> Result<PathBuf, LoadError> {
        let outside = || LoadError::Outside {
            file: self.model.to_path_buf(),
            place: place.to_owned(),
            reference: reference.chars().take(200).collect(),
        };
        // Drive letters and schemes; no colon is needed in a relative path.
        if reference.is_empty() || reference.contains(':') || reference.contains('\0') {
            return Err(outside());
        }
        let mut path = PathBuf::new();
        for component in Path::new(reference).components() {
            match component {
                Component::Normal(name) => path.push(name),
                Component::CurDir => {}
                Component::ParentDir if path.pop() => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(self.model.parent().unwrap_or(Path::new("")).join(path))
    }

    /// The bytes of a file that `resolve` gave.
    pub(super) fn read(&mut self, named: &Path, place: &str) -> Result<Vec<u8>, LoadError> {
        let bytes = read_at_most(named, self.remaining).map_err(|error| match error {
            LoadError::Read { file: named, source } => {
                LoadError::Named { file: self.model.to_path_buf(), place: place.to_owned(), named, source }
            }
            other => other,
        })?;
        self.remaining -= bytes.len() as u64;
        Ok(bytes)
    }

    /// What a glTF URI stands for: embedded data, or a file (given with its path).
    pub(super) fn read_uri(&mut self, uri: &str, place: &str) -> Result<(Option<PathBuf>, Vec<u8>), LoadError> {
        let damaged = |reason: &str| LoadError::Damaged {
            file: self.model.to_path_buf(),
            place: place.to_owned(),
            reason: reason.to_owned(),
        };
        if let Some(data) = uri.strip_prefix("data:") {
            let (kind, data) = data.split_once(',').ok_or_else(|| damaged("a data URI without a comma"))?;
            let bytes = if kind.ends_with(";base64") {
                decode_base64(data.as_bytes()).ok_or_else(|| damaged("the data URI is not base64"))?
            } else {
                decode_percent(data)
            };
            return Ok((None, bytes));
        }
        let path = String::from_utf8(decode_percent(uri)).map_err(|_| damaged("the URI is not UTF-8"))?;
        let file = self.resolve(&path, place)?;
        let bytes = self.read(&file, place)?;
        Ok((Some(file), bytes))
    }
}

/// `%41` to `A`; a percent sign that is not followed by two digits stays.
fn decode_percent(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut position = 0;
    while let Some(&byte) = bytes.get(position) {
        let digits = bytes.get(position + 1..position + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| byte == b'%') {
            Some(value) => {
                decoded.push(value);
                position += 3;
            }
            None => {
                decoded.push(byte);
                position += 1;
            }
        }
    }
    decoded
}

/// Standard alphabet, padding optional, white space skipped; `None` for anything else.
fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut decoded = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut bit_count, mut padding) = (0u32, 0, 0);
    for &character in text {
        let value = match character {
            b'A'..=b'Z' => character - b'A',
            b'a'..=b'z' => character - b'a' + 26,
            b'0'..=b'9' => character - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' if padding < 2 => {
                padding += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | b'\n' => continue,
            _ => return None,
        };
        if padding > 0 {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            decoded.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    // A single leftover character is half a byte.
    (bit_count < 6).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_follows_the_vectors_of_rfc_4648() {
        for (text, bytes) in [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9vYg==", "foob"),
            ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
            ("Zm9v\nYg", "foob"),
        ] {
            assert_eq!(decode_base64(text.as_bytes()).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        for text in ["Z", "Zm9vY", "Zg==Zg==", "Z*==", "Zg===", "Zm9v-_"] {
            assert_eq!(decode_base64(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn percent_signs_are_decoded() {
        assert_eq!(decode_percent("a%20b%2Fc"), b"a b/c");
        assert_eq!(decode_percent("100%"), b"100%");
        assert_eq!(decode_percent("%zz%4"), b"%zz%4");
        assert_eq!(decode_percent("%+1"), b"%+1");
    }

    #[test]
    fn paths_stay_in_the_folder() {
        let references = References::of(Path::new("models/box.gltf"));
        let resolve = |reference| references.resolve(reference, "buffer 0");
        assert_eq!(resolve("a/b.bin").expect("below"), Path::new("models/a/b.bin"));
        assert_eq!(resolve("./a/../b.bin").expect("below"), Path::new("models/b.bin"));
        for reference in ["/etc/passwd", "../b.bin", "a/../../b.bin", "", "http://a/b", "file:b", "C:\\b", "a\0b"] {
            assert!(matches!(resolve(reference), Err(LoadError::Outside { .. })), "{reference:?}");
        }
    }
}
