//! Text → tokens: comments taken out, then one line at a time cut into names, numbers and signs.
//!
//! Comments are `# …`, `// …` and `/* … */`; `;` separates statements. After: `statement`.

use super::error::AssembleErrorKind;

/// A token and the bytes of its line that it stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte within the line.
    pub start: usize,
    /// Past its last byte.
    pub end: usize,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub enum TokenKind {
    /// A name: instruction, directive, register, symbol, with the dots it contains.
    Name(String),
    /// An integer, also from a character such as `'a'`; above 2^63 it wraps.
    Integer(i64),
    /// A decimal number with a point or an exponent, as written.
    Decimal(String),
    /// `1f` or `1b`: the next or the last label of that number.
    Local {
        /// The label's number.
        number: u64,
        /// Whether it is the next one.
        is_forward: bool,
    },
    /// A string's bytes.
    Text(Vec<u8>),
    /// `%hi` and its kin, without the sign.
    Modifier(String),
    /// An operator or a separator.
    Sign(&'static str),
}

/// Signs, longer ones first.
const SIGNS: [&str; 18] = ["<<", ">>", "+", "-", "*", "/", "%", "&", "|", "^", "~", "(", ")", ",", ":", ";", "=", "@"];

/// A mistake and the byte of the line where it lies.
pub type Mistake = (usize, AssembleErrorKind);

/// The text with every comment replaced by spaces, so that lines and columns stay.
///
/// An open `/*` is reported with the byte of the whole text where it begins.
pub fn without_comments(text: &str) -> Result<String, Mistake> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let at = text.len() - rest.len();
        let (length, is_comment) = if first == '#' || rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), true)
        } else if let Some(inside) = rest.strip_prefix("/*") {
            let length = inside.find("*/").ok_or((at, AssembleErrorKind::Unclosed("comment")))?;
            (length + 4, true)
        } else if first == '"' {
            (quoted_length(rest), false)
        } else if first == '\'' {
            (character_length(rest), false)
        } else {
            (first.len_utf8(), false)
        };
        let (piece, after) = rest.split_at(length);
        if is_comment {
            out.extend(piece.chars().map(|character| if character == '\n' { '\n' } else { ' ' }));
        } else {
            out.push_str(piece);
        }
        rest = after;
    }
    Ok(out)
}

/// Bytes of the string that a text starts with, at most to the end of the line.
fn quoted_length(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of the character constant that a text starts with, 1 if it is none.
fn character_length(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    let escaped = match characters.next() {
        Some((_, '\n')) | None => return 1,
        Some((_, '\\')) => characters.next().is_some_and(|(_, character)| character != '\n'),
        Some(_) => true,
    };
    // Escapes of several digits end at the next quote, three characters on at most.
    let close = characters.take(3).find(|&(_, character)| character == '\'' || character == '\n');
    match close {
        Some((at, '\'')) if escaped => at + 1,
        _ => 1,
    }
}

/// Cuts one line without comments into tokens.
pub fn tokens_of(line: &str) -> Result<Vec<Token>, Mistake> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = line[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let rest = &line[at..];
        let (kind, length) = if first.is_ascii_digit() {
            number(rest)
        } else if is_name_start(first) {
            let length = rest.find(|character| !is_name_part(character)).unwrap_or(rest.len());
            Ok((TokenKind::Name(rest[..length].to_owned()), length))
        } else if first == '"' {
            string(rest)
        } else if first == '\'' {
            character(rest)
        } else if first == '%' && rest[1..].starts_with(is_name_start) {
            let length = rest[1..].find(|character| !is_name_part(character)).unwrap_or(rest.len() - 1);
            Ok((TokenKind::Modifier(rest[1..=length].to_owned()), length + 1))
        } else if let Some(sign) = SIGNS.iter().find(|&&sign| rest.starts_with(sign)) {
            Ok((TokenKind::Sign(sign), sign.len()))
        } else {
            Err(AssembleErrorKind::Character(first))
        }
        .map_err(|kind| (at, kind))?;
        tokens.push(Token { kind, start: at, end: at + length });
        at += length;
    }
    Ok(tokens)
}

/// Whether a name may begin with this character.
fn is_name_start(character: char) -> bool {
    character.is_ascii_alphabetic() || matches!(character, '_' | '.' | '$')
}

/// Whether a name may go on with this character.
pub fn is_name_part(character: char) -> bool {
    is_name_start(character) || character.is_ascii_digit()
}

/// A number at the start of a text, and its length.
fn number(text: &str) -> Result<(TokenKind, usize), AssembleErrorKind> {
    let digits = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let mut length = digits;
    let tail = &text[digits..];
    let is_decimal = tail.starts_with('.') && !tail[1..].starts_with(is_name_start)
        || tail.starts_with(['e', 'E'])
            && tail[1..].trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit());
    if is_decimal {
        let bytes = text.as_bytes();
        while length < text.len() {
            let is_exponent_sign = matches!(bytes[length], b'+' | b'-') && matches!(bytes[length - 1], b'e' | b'E');
            if !(bytes[length].is_ascii_digit() || matches!(bytes[length], b'.' | b'e' | b'E') || is_exponent_sign) {
                break;
            }
            length += 1;
        }
        return Ok((TokenKind::Decimal(text[..length].to_owned()), length));
    }
    length = text.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(text.len());
    let word = &text[..length];
    let bad = || AssembleErrorKind::Number(word.to_owned());
    let lower = word.to_ascii_lowercase().replace('_', "");
    let radix = |digits: &str, radix: u32| u64::from_str_radix(digits, radix).map_err(|_| bad());
    let value = if let Some(digits) = lower.strip_prefix("0x") {
        radix(digits, 16)?
    } else if let Some(digits) = lower.strip_prefix("0b").filter(|digits| !digits.is_empty()) {
        radix(digits, 2)?
    } else if let Some(digits) = lower.strip_suffix(['f', 'b']) {
        let is_forward = lower.ends_with('f');
        return Ok((TokenKind::Local { number: radix(digits, 10)?, is_forward }, length));
    } else {
        radix(&lower, 10)?
    };
    Ok((TokenKind::Integer(value as i64), length))
}

/// A string at the start of a text, and its length.
fn string(text: &str) -> Result<(TokenKind, usize), AssembleErrorKind> {
    let mut bytes = Vec::new();
    let mut at = 1;
    loop {
        let first = text[at..].chars().next().ok_or(AssembleErrorKind::Unclosed("string"))?;
        if first == '"' {
            return Ok((TokenKind::Text(bytes), at + 1));
        }
        let (value, length) = character_value(&text[at..])?;
        match u8::try_from(value) {
            Ok(byte) if first == '\\' || value < 128 => bytes.push(byte),
            _ => bytes.extend(text[at..at + length].bytes()),
        }
        at += length;
    }
}

/// A character constant at the start of a text, and its length.
fn character(text: &str) -> Result<(TokenKind, usize), AssembleErrorKind> {
    let unclosed = AssembleErrorKind::Unclosed("character");
    if text.len() < 3 {
        return Err(unclosed);
    }
    let (value, length) = character_value(&text[1..])?;
    match text[1 + length..].starts_with('\'') {
        true => Ok((TokenKind::Integer(i64::from(value)), length + 2)),
        false => Err(unclosed),
    }
}

/// The value of the character or escape that a text starts with, and its length.
fn character_value(text: &str) -> Result<(u32, usize), AssembleErrorKind> {
    let mut characters = text.chars();
    let first = characters.next().ok_or(AssembleErrorKind::Unclosed("string"))?;
    if first != '\\' {
        return Ok((first as u32, first.len_utf8()));
    }
    let escape = characters.next().ok_or(AssembleErrorKind::Unclosed("string"))?;
    let simple = match escape {
        'n' => Some(b'\n'),
        't' => Some(b'\t'),
        'r' => Some(b'\r'),
        '\\' | '"' | '\'' => Some(escape as u8),
        _ => None,
    };
    if let Some(byte) = simple {
        return Ok((u32::from(byte), 2));
    }
    let (start, radix, most) = match escape {
        'x' => (2, 16, 2),
        '0'..='7' => (1, 8, 3),
        _ => return Err(AssembleErrorKind::Escape(escape)),
    };
    let digits: String = text[start..].chars().take(most).take_while(|character| character.is_digit(radix)).collect();
    match u8::from_str_radix(&digits, radix) {
        Ok(byte) => Ok((u32::from(byte), start + digits.len())),
        Err(_) => Err(AssembleErrorKind::Escape(escape)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(line: &str) -> Vec<TokenKind> {
        tokens_of(line).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn comments_vanish_and_columns_stay() {
        let text = "add a0 # one /* not open\nli '#', \"//\" /* two\nlines */ x // three";
        assert_eq!(
            without_comments(text).unwrap(),
            "add a0                  \nli '#', \"//\"       \n         x         "
        );
        assert_eq!(without_comments("a /* b").unwrap_err(), (2, AssembleErrorKind::Unclosed("comment")));
    }

    #[test]
    fn numbers_of_every_kind() {
        use TokenKind::{Decimal, Integer, Local};
        assert_eq!(
            kinds("10 0x1F 0b101 1f 2b 0b 'a' '\\n' 0xffff_ffff"),
            [
                Integer(10),
                Integer(31),
                Integer(5),
                Local { number: 1, is_forward: true },
                Local { number: 2, is_forward: false },
                Local { number: 0, is_forward: false },
                Integer(97),
                Integer(10),
                Integer(0xffff_ffff),
            ]
        );
        assert_eq!(kinds("1.5 1e-3 2.")[..], [Decimal("1.5".into()), Decimal("1e-3".into()), Decimal("2.".into())]);
        assert!(matches!(tokens_of(" 12x"), Err((1, AssembleErrorKind::Number(_)))));
        assert!(tokens_of("99999999999999999999").is_err());
    }

    #[test]
    fn strings_hold_bytes() {
        assert_eq!(kinds(r#""a\n\x41\101é""#), [TokenKind::Text("a\nAAé".as_bytes().to_vec())]);
        assert!(tokens_of("\"open").is_err() && tokens_of("'a").is_err() && tokens_of(r#""\q""#).is_err());
        assert!(tokens_of(r#""\777""#).is_err());
    }

    #[test]
    fn modifiers_are_told_from_the_sign() {
        assert_eq!(kinds("%hi")[..], [TokenKind::Modifier("hi".into())]);
        assert_eq!(kinds("5 % 3")[1], TokenKind::Sign("%"));
    }
}
