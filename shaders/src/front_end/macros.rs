//! How much text the macros of a GLSL file stand for, before the preprocessor writes it out.
//!
//! A few lines of macros that name each other twice stand for more text than there is memory. Macros without arguments are
//! added up; macros with arguments, whose arguments may hold macros again, are refused.

use std::collections::BTreeMap;

use naga::Span;

/// Words that all macros of a file may stand for.
const MOST_WORDS: u64 = 1 << 18;

/// Refuses macros with arguments, and those that stand for too much: where, and why.
pub fn check(source: &str) -> Result<(), (Span, String)> {
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut total = 0u64;
    let mut at = 0;
    // A line that ends in a backslash goes on; a body over several lines is added up line by line, which is no less.
    let mut defining: Option<&str> = None;
    for line in source.split_inclusive('\n') {
        let span = Span::new(at as u32, (at + line.trim_end().len()) as u32);
        at += line.len();
        let text = line.trim_start();
        let body = match text.strip_prefix('#').map(str::trim_start).and_then(|text| text.strip_prefix("define")) {
            Some(rest) => {
                let rest = rest.trim_start();
                let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
                let (name, body) = rest.split_at(end);
                if body.starts_with('(') {
                    return Err((
                        span,
                        format!("the macro `{name}` has arguments, which is not supported; write a function"),
                    ));
                }
                defining = Some(name);
                body
            }
            None => text,
        };
        // A name counts as what it stood for so far, and may be defined again: the larger counts.
        let size = words(body).fold(0u64, |sum, word| sum.saturating_add(*sizes.get(word).unwrap_or(&1)));
        match defining {
            Some(name) => {
                let known = sizes.entry(name).or_insert(1);
                *known = known.saturating_add(size);
                total = total.max(*known);
            }
            None => total = total.saturating_add(size.saturating_sub(words(body).count() as u64)),
        }
        if total > MOST_WORDS {
            return Err((span, format!("the macros of this file stand for more than {MOST_WORDS} words")));
        }
        if !line.trim_end().ends_with('\\') {
            defining = None;
        }
    }
    Ok(())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_that_multiply_are_refused_in_short_time() {
        let mut source = "#version 450\n#define m0 1 + 1\n".to_owned();
        for n in 1..40 {
            source += &format!("#define m{n} m{0} + m{0}\n", n - 1);
        }
        source += "void main() { int a = m39; }";
        let (_, message) = check(&source).expect_err("2^40 words");
        assert!(message.contains("262144 words"), "{message}");
        let used = format!("#define many {}\nvoid main() {{ {} }}", "a + ".repeat(1000), "many; ".repeat(1000));
        assert!(check(&used).is_err(), "a million words");
    }

    #[test]
    fn usual_macros_pass_and_arguments_are_named() {
        assert_eq!(check("#version 450\n#define SIZE 64\n#define HALF (SIZE / 2)\nint a = HALF;\n"), Ok(()));
        let (span, message) = check("#version 450\n#  define SQUARE(x) ((x) * (x))\n").expect_err("an argument");
        assert_eq!(span.to_range(), Some(13..44));
        assert!(message.contains("`SQUARE`"), "{message}");
    }
}
