// Fractions as a structure that functions take and give.
struct Fraction { top: i32, bottom: i32 }
struct Result { sum: Fraction, largest: Fraction }

@group(0) @binding(0) var<storage, read_write> results: array<Result>;

fn reduced(f: Fraction) -> Fraction {
    var x = abs(f.top);
    var y = abs(f.bottom);
    while y != 0 {
        let rest = x % y;
        x = y;
        y = rest;
    }
    x = max(x, 1);
    return Fraction(f.top / x, f.bottom / x);
}

fn add(a: Fraction, b: Fraction) -> Fraction {
    return reduced(Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom));
}

@compute @workgroup_size(32)
fn main(@builtin(local_invocation_index) i: u32) {
    let n = i32(i);
    let fractions = array<Fraction, 3>(Fraction(n + 1, 3), Fraction(2, n + 2), Fraction(n - 7, 5));
    var result = Result(Fraction(0, 1), fractions[0]);
    for (var k = 0; k < 3; k++) {
        let other = fractions[k];
        result.sum = add(result.sum, other);
        if other.top * result.largest.bottom > result.largest.top * other.bottom { result.largest = other; }
    }
    results[i] = result;
}
