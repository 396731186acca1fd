//! Expressions: tokens → steps of a stack machine → a value.
//!
//! Operators bind as in GNU as: `* / % << >>` before `| & ^` before `+ -`; parentheses decide otherwise. Steps in
//! place of a tree keep deep input off the host's stack.

use super::error::AssembleErrorKind;
use super::lexer::{Token, TokenKind};

/// Most steps an expression may have.
const STEP_LIMIT: usize = 256;
/// How deep parentheses and signs may nest.
const DEPTH_LIMIT: usize = 64;

/// What an expression comes to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A plain number, or an address once sections have theirs.
    Number(i64),
    /// A place in a section that has no address yet.
    Place {
        /// Index of the section.
        section: usize,
        /// Bytes from its beginning.
        offset: i64,
    },
}

/// One step: push something, or work on what was pushed.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Push a value.
    Value(Value),
    /// Push a symbol's value; `.` is the current place.
    Symbol(String),
    /// Push the address of a numeric label.
    Local {
        /// The label's number.
        number: u64,
        /// Whether the next one is meant, not the last.
        is_forward: bool,
    },
    /// Replace the top by its negative.
    Negate,
    /// Replace the top by its complement.
    Complement,
    /// Replace the two on top by their combination.
    Binary(&'static str),
    /// Replace the top by a part of it.
    Part(Part),
}

/// Parts of an address as instructions take them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `%hi`: the upper 20 bits, rounded so that `%lo` completes them.
    High,
    /// `%lo`: the lower 12 bits, signed.
    Low,
    /// `%pcrel_hi`: `%hi` of the distance from this instruction.
    RelativeHigh,
    /// `%pcrel_lo`: `%lo` of the distance that the `%pcrel_hi` at this address took.
    RelativeLow,
}

/// Where an evaluation finds what steps name.
pub trait Environment {
    /// The value of a symbol.
    fn symbol(&self, name: &str) -> Result<Value, AssembleErrorKind>;
    /// The value of a place: itself, or its address.
    fn place(&self, section: usize, offset: i64) -> Value;
    /// The address of the current instruction.
    fn pc(&self) -> Result<i64, AssembleErrorKind>;
    /// The distance that the `%pcrel_hi` of the instruction at this address took.
    fn distance_at(&self, address: i64) -> Result<i64, AssembleErrorKind>;
}

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// What to do, in order.
    pub steps: Vec<Step>,
    /// First byte of its line.
    pub start: usize,
}

impl Expression {
    /// Parses all of `tokens`; an error comes with its byte. `start` is where an absent expression is missed.
    pub fn parse(tokens: &[Token], start: usize) -> Result<Self, (usize, AssembleErrorKind)> {
        let mut parser = Parser { tokens, at: 0, steps: Vec::new(), depth: 0, start };
        parser.sum()?;
        match tokens.get(parser.at) {
            None => Ok(Self { steps: parser.steps, start: tokens.first().map_or(start, |token| token.start) }),
            Some(token) => Err(expected("an operator or the end", Some(token), start)),
        }
    }

    /// The value, with what `names` knows.
    pub fn evaluate(&self, names: &impl Environment) -> Result<Value, AssembleErrorKind> {
        let mut stack: Vec<Value> = Vec::new();
        for step in &self.steps {
            let mut pop = || stack.pop().expect("the parser pushes before it uses");
            let value = match step {
                &Step::Value(Value::Place { section, offset }) => names.place(section, offset),
                &Step::Value(value) => value,
                Step::Symbol(name) => names.symbol(name)?,
                Step::Local { .. } => unreachable!("numeric labels are bound to symbols before"),
                Step::Negate => Value::Number(number(pop())?.wrapping_neg()),
                Step::Complement => Value::Number(!number(pop())?),
                Step::Part(part) => Value::Number(part.of(number(pop())?, names)?),
                Step::Binary(sign) => {
                    let right = pop();
                    binary(sign, pop(), right)?
                }
            };
            stack.push(value);
        }
        Ok(stack.pop().expect("the parser leaves one value"))
    }
}

impl Part {
    /// The part of a value.
    fn of(self, value: i64, names: &impl Environment) -> Result<i64, AssembleErrorKind> {
        let high = |value: i64| value.wrapping_add(0x800) >> 12 & 0xf_ffff;
        let low = |value: i64| (value << 52) >> 52;
        Ok(match self {
            Self::High => high(value),
            Self::Low => low(value),
            Self::RelativeHigh => high(value.wrapping_sub(names.pc()?)),
            Self::RelativeLow => low(names.distance_at(value)?),
        })
    }
}

/// A number, or the complaint that an address was given.
pub fn number(value: Value) -> Result<i64, AssembleErrorKind> {
    match value {
        Value::Number(number) => Ok(number),
        Value::Place { .. } => Err(AssembleErrorKind::AddressArithmetic),
    }
}

/// Combines two values.
fn binary(sign: &str, left: Value, right: Value) -> Result<Value, AssembleErrorKind> {
    use Value::{Number, Place};
    match (sign, left, right) {
        ("+", Place { section, offset }, Number(number)) | ("+", Number(number), Place { section, offset }) => {
            return Ok(Place { section, offset: offset.wrapping_add(number) });
        }
        ("-", Place { section, offset }, Number(number)) => {
            return Ok(Place { section, offset: offset.wrapping_sub(number) });
        }
        ("-", Place { section, offset }, Place { section: other, offset: base }) if section == other => {
            return Ok(Number(offset.wrapping_sub(base)));
        }
        _ => {}
    }
    let (left, right) = (number(left)?, number(right)?);
    let shift = u32::try_from(right).unwrap_or(64);
    Ok(Number(match sign {
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" | "%" if right == 0 => return Err(AssembleErrorKind::DivisionByZero),
        "/" => left.wrapping_div(right),
        "%" => left.wrapping_rem(right),
        "<<" => left.checked_shl(shift).unwrap_or(0),
        ">>" => left >> shift.min(63),
        "&" => left & right,
        "^" => left ^ right,
        _ => left | right,
    }))
}

/// The complaint that something else was expected.
pub fn expected(expected: &'static str, found: Option<&Token>, end: usize) -> (usize, AssembleErrorKind) {
    let text = match found.map(|token| &token.kind) {
        None => "the end".to_owned(),
        Some(TokenKind::Name(name)) => format!("`{name}`"),
        Some(TokenKind::Integer(value)) => format!("`{value}`"),
        Some(TokenKind::Decimal(text)) => format!("`{text}`"),
        Some(TokenKind::Local { number, is_forward }) => format!("`{number}{}`", if *is_forward { 'f' } else { 'b' }),
        Some(TokenKind::Text(_)) => "a string".to_owned(),
        Some(TokenKind::Modifier(name)) => format!("`%{name}`"),
        Some(TokenKind::Sign(sign)) => format!("`{sign}`"),
    };
    (found.map_or(end, |token| token.start), AssembleErrorKind::Expected { expected, found: text })
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    steps: Vec<Step>,
    depth: usize,
    start: usize,
}

type Parsed = Result<(), (usize, AssembleErrorKind)>;

impl Parser<'_> {
    fn sum(&mut self) -> Parsed {
        self.chain(&["+", "-"], |parser| {
            parser.chain(&["|", "&", "^"], |parser| parser.chain(&["*", "/", "%", "<<", ">>"], Self::unary))
        })
    }

    /// Operands joined by operators of one rank, from left to right.
    fn chain(&mut self, signs: &[&'static str], operand: impl Fn(&mut Self) -> Parsed) -> Parsed {
        operand(self)?;
        while let Some(&sign) = self.sign().and_then(|found| signs.iter().find(|&&sign| sign == found)) {
            self.at += 1;
            operand(self)?;
            self.push(Step::Binary(sign))?;
        }
        Ok(())
    }

    fn unary(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEPTH_LIMIT {
            return Err((self.start, AssembleErrorKind::ExpressionSize(DEPTH_LIMIT)));
        }
        self.operand()?;
        self.depth -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Parsed {
        let end = self.tokens.last().map_or(self.start, |token| token.end);
        let token = self.tokens.get(self.at);
        self.at += 1;
        match token.map(|token| &token.kind) {
            Some(TokenKind::Integer(value)) => self.push(Step::Value(Value::Number(*value))),
            Some(TokenKind::Name(name)) => self.push(Step::Symbol(name.clone())),
            Some(&TokenKind::Local { number, is_forward }) => self.push(Step::Local { number, is_forward }),
            Some(TokenKind::Sign("(")) => self.group(end),
            Some(TokenKind::Sign("-")) => {
                self.unary()?;
                self.push(Step::Negate)
            }
            Some(TokenKind::Sign("~")) => {
                self.unary()?;
                self.push(Step::Complement)
            }
            Some(TokenKind::Sign("+")) => self.unary(),
            Some(TokenKind::Modifier(name)) => {
                let part = match name.as_str() {
                    "hi" => Part::High,
                    "lo" => Part::Low,
                    "pcrel_hi" => Part::RelativeHigh,
                    "pcrel_lo" => Part::RelativeLow,
                    _ => return Err(expected("%hi, %lo, %pcrel_hi or %pcrel_lo", token, end)),
                };
                if self.sign() != Some("(") {
                    return Err(expected("`(` after the modifier", self.tokens.get(self.at), end));
                }
                self.at += 1;
                self.group(end)?;
                self.push(Step::Part(part))
            }
            _ => Err(expected("a number, a symbol or `(`", token, end)),
        }
    }

    /// The rest of a parenthesis.
    fn group(&mut self, end: usize) -> Parsed {
        self.sum()?;
        if self.sign() != Some(")") {
            return Err(expected("`)`", self.tokens.get(self.at), end));
        }
        self.at += 1;
        Ok(())
    }

    /// The sign at the current token, if it is one.
    fn sign(&self) -> Option<&'static str> {
        match self.tokens.get(self.at)?.kind {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn push(&mut self, step: Step) -> Parsed {
        if self.steps.len() >= STEP_LIMIT {
            return Err((self.start, AssembleErrorKind::ExpressionSize(STEP_LIMIT)));
        }
        self.steps.push(step);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens_of;
    use super::*;

    /// Knows `two`, `place` (section 0, offset 16) and stands at pc 0x1000.
    struct Few;
    impl Environment for Few {
        fn symbol(&self, name: &str) -> Result<Value, AssembleErrorKind> {
            match name {
                "two" => Ok(Value::Number(2)),
                "place" => Ok(Value::Place { section: 0, offset: 16 }),
                _ => Err(AssembleErrorKind::NotYetKnown),
            }
        }
        fn place(&self, section: usize, offset: i64) -> Value {
            Value::Place { section, offset }
        }
        fn pc(&self) -> Result<i64, AssembleErrorKind> {
            Ok(0x1000)
        }
        fn distance_at(&self, address: i64) -> Result<i64, AssembleErrorKind> {
            Ok(address)
        }
    }

    fn value(text: &str) -> Result<Value, AssembleErrorKind> {
        Expression::parse(&tokens_of(text).unwrap(), 0).map_err(|(_, kind)| kind)?.evaluate(&Few)
    }

    #[track_caller]
    fn check(text: &str, expected: i64) {
        assert_eq!(value(text), Ok(Value::Number(expected)), "{text}");
    }

    #[test]
    fn operators_bind_as_in_gnu_as() {
        check("1 + 2 * 3", 7);
        check("1 << 4 + 1", 17);
        check("8 - 2 - 1", 5);
        check("1 + 6 & 3", 3);
        check("-(two + ~0) * 5", -5);
        check("7 / 2 % 2 ^ 8", 9);
        check("0x80000000 >> 28", 8);
        check("1 << 99", 0);
        check("--5", 5);
    }

    #[test]
    fn parts_complete_each_other() {
        check("%hi(0x12345fff)", 0x12346);
        check("%lo(0x12345fff)", -1);
        check("%pcrel_hi(0x3000)", 2);
        check("%lo(0xfff) + 1", 0);
    }

    #[test]
    fn addresses_take_part_in_differences() {
        check("(place + 4) - place", 4);
        assert_eq!(value("place * 2"), Err(AssembleErrorKind::AddressArithmetic));
        assert_eq!(value("2 + place"), Ok(Value::Place { section: 0, offset: 18 }));
    }

    #[test]
    fn mistakes_are_told() {
        assert_eq!(value("1 / (two - 2)"), Err(AssembleErrorKind::DivisionByZero));
        assert!(matches!(value("1 +"), Err(AssembleErrorKind::Expected { .. })));
        assert!(matches!(value("(1"), Err(AssembleErrorKind::Expected { expected: "`)`", .. })));
        assert!(matches!(value("1 2"), Err(AssembleErrorKind::Expected { .. })));
        assert!(matches!(value("%up(1)"), Err(AssembleErrorKind::Expected { .. })));
        assert!(matches!(value(&"(".repeat(5000)), Err(AssembleErrorKind::ExpressionSize(_))));
        assert!(matches!(value(&"-".repeat(5000)), Err(AssembleErrorKind::ExpressionSize(_))));
        assert!(matches!(value(&vec!["1"; 5000].join("+")), Err(AssembleErrorKind::ExpressionSize(_))));
    }
}
