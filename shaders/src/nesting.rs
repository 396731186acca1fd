//! How deep a source file nests, before any recursive code sees it.
//!
//! Before: source text. After: `front_end`, whose parser, validator and destructors recurse along nesting: blocks, `else if`
//! chains, parentheses and operator chains. WGSL itself limits brace nesting to 127 ("Limits"); the other limits are ours.

use naga::Span;

/// Blocks inside blocks; each `else if` counts as one block deeper than the one before.
const DEEPEST_BLOCK: u32 = 127;

/// Parentheses and brackets inside each other.
const DEEPEST_PARENTHESES: usize = 100;

/// Operators, dots and brackets one expression may chain, over all parentheses that are open at a place.
const LONGEST_CHAIN: u32 = 4096;

/// An open bracket.
struct Open {
    bracket: u8,
    /// Block depth inside it.
    depth: u32,
    /// Operators since the last separator on this level.
    chain: u32,
    /// Block depth that an `else` right after this block continues from; for braces.
    chained_from: u32,
}

/// Refuses text that nests too deep: where, and why. Unbalanced text passes; the parser has the better message for it.
pub fn check(source: &str) -> Result<(), (Span, String)> {
    let bytes = source.as_bytes();
    let mut open = vec![Open { bracket: 0, depth: 0, chain: 0, chained_from: 0 }];
    let mut parentheses = 0;
    let mut chain_total = 0;
    // Depth of the block closed last, while only spaces have followed it; then of the `else` that follows it.
    let mut closed: Option<u32> = None;
    let mut continued: Option<u32> = None;
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let refuse = |message: String| Err((Span::new(start as u32, start as u32 + 1), message));
        let byte = bytes[at];
        at += 1;
        match byte {
            b'/' if bytes.get(at) == Some(&b'/') => {
                at = source[at..].find(['\n', '\r']).map_or(bytes.len(), |length| at + length);
            }
            b'/' if bytes.get(at) == Some(&b'*') => at = block_comment_end(bytes, start),
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'0'..=b'9' => {
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                if &bytes[start..at] == b"else" {
                    continued = closed.take();
                }
                closed = None;
            }
            b'{' => {
                let level = open.last_mut().expect("the outermost level is never closed");
                chain_total -= level.chain;
                level.chain = 0;
                let depth = continued.take().unwrap_or(level.depth) + 1;
                if depth > DEEPEST_BLOCK {
                    return refuse(format!(
                        "blocks are nested too deep, the limit is {DEEPEST_BLOCK} (an `else if` counts as one level)"
                    ));
                }
                open.push(Open { bracket: b'{', depth, chain: 0, chained_from: depth });
                closed = None;
            }
            b'(' | b'[' => {
                parentheses += 1;
                if parentheses > DEEPEST_PARENTHESES {
                    return refuse(format!("parentheses are nested too deep, the limit is {DEEPEST_PARENTHESES}"));
                }
                let level = open.last_mut().expect("the outermost level is never closed");
                level.chain += 1;
                chain_total += 1;
                let depth = level.depth;
                open.push(Open { bracket: byte, depth, chain: 0, chained_from: depth });
            }
            b'}' | b')' | b']' => {
                let matching = match byte {
                    b'}' => b'{',
                    b')' => b'(',
                    _ => b'[',
                };
                closed = None;
                if open.last().is_some_and(|level| level.bracket == matching) {
                    let level = open.pop().expect("it has just been looked at");
                    chain_total -= level.chain;
                    if byte == b'}' {
                        closed = Some(level.chained_from);
                        continued = None;
                    } else {
                        parentheses -= 1;
                    }
                }
            }
            b',' | b';' => {
                let level = open.last_mut().expect("the outermost level is never closed");
                chain_total -= level.chain;
                level.chain = 0;
                (closed, continued) = (None, None);
            }
            _ => {
                closed = None;
                open.last_mut().expect("the outermost level is never closed").chain += 1;
                chain_total += 1;
            }
        }
        if chain_total > LONGEST_CHAIN {
            return refuse(format!("the expression is too long, the limit is {LONGEST_CHAIN} operators"));
        }
    }
    Ok(())
}

/// Offset just past the block comment (they nest) that opens at `start`.
fn block_comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0u32);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_refused(source: &str, expected: &str) {
        let (_, message) = check(source).expect_err("the source nests too deep");
        assert!(message.contains(expected), "{message}");
    }

    #[test]
    fn blocks_may_nest_to_the_limit_and_no_deeper() {
        let nested = |n: usize| format!("fn f() {}{}", "{".repeat(n), "}".repeat(n));
        assert_eq!(check(&nested(127)), Ok(()));
        check_refused(&nested(128), "blocks");
    }

    #[test]
    fn else_if_counts_as_nesting_and_plain_ifs_do_not() {
        let chain = |n: usize| format!("fn f() {{ if a {{}} {} }}", "else if b { x(); } ".repeat(n));
        assert_eq!(check(&chain(125)), Ok(()));
        check_refused(&chain(126), "blocks");
        assert_eq!(check(&format!("fn f() {{ {} }}", "if a { } else { } ".repeat(1000))), Ok(()));
        check_refused(&format!("fn f() {{ if a {{}} {} }}", "else/* */if b { } ".repeat(200)), "blocks");
    }

    #[test]
    fn chains_count_over_open_parentheses_and_start_afresh_at_separators() {
        check_refused(&format!("const a = 1{};", "+1".repeat(4097)), "expression");
        check_refused(&format!("const a = f(1, 2{}, 3){}", "+1".repeat(10), "+1".repeat(5000)), "expression");
        assert_eq!(check(&format!("const a = array({});", "-1.5 * 2, ".repeat(20_000))), Ok(()));
        assert_eq!(check(&format!("fn f() {{ {} }}", "a = b + c; ".repeat(20_000))), Ok(()));
    }

    #[test]
    fn comments_are_not_looked_into() {
        assert_eq!(check(&format!("// {}\n/* {} /* */ */", "(".repeat(500), "{".repeat(500))), Ok(()));
        check_refused(&format!("/* /* */ */ {}", "(".repeat(500)), "parentheses");
    }
}
