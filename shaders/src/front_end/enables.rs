//! `enable subgroups;`, which WGSL asks for and naga does not know, though it takes the functions.
//!
//! Before: the text. After: naga's parser, which sees spaces where the name stood, so that every place stays where it is.

use std::borrow::Cow;
use std::ops::Range;

/// The extension that is always on.
const NAME: &str = "subgroups";

/// Names in `enable` directives that nothing here can honour, and why.
const REFUSED: &[(&str, &str)] =
    &[("f16", "this machine has no 16-bit floats; pack2x16float, unpack2x16float and quantizeToF16 are taken")];

/// An `enable` directive: where it stands, and its names with their places.
struct Directive<'a> {
    range: Range<usize>,
    names: Vec<(&'a str, Range<usize>)>,
}

/// The `enable` directives at the start of a text.
fn directives(source: &str) -> Vec<Directive<'_>> {
    let mut directives = Vec::new();
    let mut at = 0;
    loop {
        at += skipped(&source[at..]);
        let rest = &source[at..];
        let Some(end) = rest.find(';').filter(|_| is_directive(rest)) else { return directives };
        if rest.starts_with("enable") {
            let list = at + "enable".len()..at + end;
            let mut start = list.start;
            let names = source[list].split(',').map(|name| {
                let range = start..start + name.len();
                start += name.len() + 1;
                (name.trim(), range)
            });
            directives.push(Directive { names: names.collect(), range: at..at + end + 1 });
        }
        at += end + 1;
    }
}

/// The first name that is refused: where, and why.
pub(super) fn refused(source: &str) -> Option<(naga::Span, String)> {
    let mut names = directives(source).into_iter().flat_map(|directive| directive.names);
    names.find_map(|(name, range)| {
        let (_, reason) = REFUSED.iter().find(|(refused, _)| *refused == name)?;
        let start = range.start + source[range].find(name)?;
        let span = naga::Span::from(start..start + name.len());
        Some((span, format!("`enable {name}` is not supported: {reason}")))
    })
}

/// The text without `subgroups` in the `enable` directives at its start.
pub(super) fn without_subgroups(source: &str) -> Cow<'_, str> {
    let mut blanks = Vec::new();
    for Directive { range, names } in directives(source) {
        let others = names.iter().filter(|(name, _)| *name != NAME && !name.is_empty()).count();
        if others == 0 {
            blanks.push(range);
        } else {
            // With the comma behind it, or of the last one the comma before it.
            for (number, (_, range)) in names.iter().enumerate().filter(|(_, (name, _))| *name == NAME) {
                let is_last = number + 1 == names.len();
                let (before, behind) = if is_last { (1, 0) } else { (0, 1) };
                blanks.push(range.start - before..range.end + behind);
            }
        }
    }
    if blanks.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut text = source.to_owned();
    for range in blanks {
        let blank: String = source[range.clone()].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        if blank.len() == range.len() {
            text.replace_range(range, &blank);
        }
    }
    Cow::Owned(text)
}

/// Whether a directive stands here.
fn is_directive(rest: &str) -> bool {
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or("");
    matches!(word, "enable" | "requires" | "diagnostic")
}

/// Bytes of white space and comments at the start.
fn skipped(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let white = rest.len() - rest.trim_start().len();
        let rest = &rest[white..];
        at += white;
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            // Nested comments end further on; naga will say so.
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_becomes_spaces_and_nothing_moves() {
        #[track_caller]
        fn check(source: &str, expected: &str) {
            let made = without_subgroups(source);
            assert_eq!(made, expected);
            assert_eq!(made.len(), source.len());
        }
        check("enable subgroups; fn f() {}", "                  fn f() {}");
        check("// a;\n/* ; */ enable\n  subgroups;\nenable f16;", "// a;\n/* ; */       \n            \nenable f16;");
        check("enable f16, subgroups; x", "enable f16           ; x");
        check("enable subgroups, f16; x", "enable            f16; x");
        check("requires a; enable subgroups; x", "requires a;                   x");
        check("fn f() {} enable subgroups;", "fn f() {} enable subgroups;");
        check("enabled; subgroups;", "enabled; subgroups;");
        check("/* enable subgroups;", "/* enable subgroups;");
        check("enable", "enable");
    }
}
