//! Register names as assembly text has them: by use (`a0`, `fs1`) or by number (`x10`, `f9`).
//!
//! Source: the RISC-V ABIs specification, "Register Convention".

/// Integer registers by number.
pub const INTEGER_NAMES: [&str; 32] = [
    "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "s2",
    "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6",
];

/// Float registers by number.
pub const FLOAT_NAMES: [&str; 32] = [
    "ft0", "ft1", "ft2", "ft3", "ft4", "ft5", "ft6", "ft7", "fs0", "fs1", "fa0", "fa1", "fa2", "fa3", "fa4", "fa5",
    "fa6", "fa7", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11",
];

/// The number of an integer register's name; `fp` is `s0`.
pub fn integer_number(name: &str) -> Option<u8> {
    if name == "fp" { Some(8) } else { number(name, "x", &INTEGER_NAMES) }
}

/// The number of a float register's name.
pub fn float_number(name: &str) -> Option<u8> {
    number(name, "f", &FLOAT_NAMES)
}

/// Looks among the names, then for the prefix and a number from 0 to 31 without leading zeros.
fn number(name: &str, prefix: &str, names: &[&str; 32]) -> Option<u8> {
    if let Some(number) = names.iter().position(|&known| known == name) {
        return Some(number as u8);
    }
    let digits = name.strip_prefix(prefix)?;
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|&number| is_plain && number < 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_agree() {
        for number in 0..32 {
            assert_eq!(integer_number(INTEGER_NAMES[usize::from(number)]), Some(number));
            assert_eq!(integer_number(&format!("x{number}")), Some(number));
            assert_eq!(float_number(FLOAT_NAMES[usize::from(number)]), Some(number));
            assert_eq!(float_number(&format!("f{number}")), Some(number));
        }
        assert_eq!(integer_number("fp"), Some(8));
        for wrong in ["x32", "x", "x01", "x+1", "f0", "a8", ""] {
            assert_eq!(integer_number(wrong), None, "{wrong}");
        }
    }
}
