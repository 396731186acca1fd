// Every composite builtin of WGSL, told once: the evaluator runs these functions, the compiler inlines them.
//
// Rules of this file. Only operations that are one operation of the intermediate form (`ir.rs`) and functions of this
// file: + - * / of floats, fma, sqrt, abs, min, max, floor, ceil, trunc, round, conversions, comparisons, select, bit
// counting, shifts, integer + - *. No integer division, no float %, no builtin that is told here. Sums of products run left to
// right; nothing is contracted unless `fma` is written. `prelude.rs` maps builtins to these names.
//
// Polynomials are Chebyshev fits of our own on the stated interval, coefficients rounded to f32.

// ---- Intrinsics: the compiler replaces the body; the body here gives the meaning where WGSL can say it. ----

// Upper word of the 64-bit product.
fn intrinsic_multiply_high_unsigned(a: u32, b: u32) -> u32 {
    let al = a & 0xffffu; let ah = a >> 16u;
    let bl = b & 0xffffu; let bh = b >> 16u;
    let middle = ah * bl + ((al * bl) >> 16u);
    let other = al * bh + (middle & 0xffffu);
    return ah * bh + (middle >> 16u) + (other >> 16u);
}

// Magnitude of the first, sign of the second.
fn intrinsic_copysign(magnitude: f32, sign: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(magnitude) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

// ---- Componentwise: comparison, sign, blend. ----

fn abs_i32(e: i32) -> i32 { return max(e, 0i - e); }
fn sign_f32(e: f32) -> f32 { return select(0.0, intrinsic_copysign(1.0, e), e != 0.0); }
fn sign_i32(e: i32) -> i32 { return min(max(e, -1i), 1i); }
fn clamp_f32(e: f32, low: f32, high: f32) -> f32 { return min(max(e, low), high); }
fn clamp_i32(e: i32, low: i32, high: i32) -> i32 { return min(max(e, low), high); }
fn clamp_u32(e: u32, low: u32, high: u32) -> u32 { return min(max(e, low), high); }
fn saturate_f32(e: f32) -> f32 { return min(max(e, 0.0), 1.0); }
fn mix_f32(a: f32, b: f32, t: f32) -> f32 { return a * (1.0 - t) + b * t; }
fn step_f32(edge: f32, x: f32) -> f32 { return select(0.0, 1.0, edge <= x); }
fn smoothstep_f32(low: f32, high: f32, x: f32) -> f32 {
    let t = saturate_f32((x - low) / (high - low));
    return t * t * (3.0 - 2.0 * t);
}
fn remainder_f32(x: f32, y: f32) -> f32 { return x - y * trunc(x / y); }
fn fract_f32(e: f32) -> f32 { return e - floor(e); }
fn radians_f32(e: f32) -> f32 { return e * 0.01745329251994329577; }
fn degrees_f32(e: f32) -> f32 { return e * 57.29577951308232; }
fn inverse_sqrt_f32(e: f32) -> f32 { return 1.0 / sqrt(e); }

// ---- Taking floats apart. ----

fn modf_fract_f32(e: f32) -> f32 { return e - trunc(e); }
fn modf_whole_f32(e: f32) -> f32 { return trunc(e); }
// A number times 2^24 is normal; zero, infinities and NaN stay what they are, with exponent 0.
fn frexp_fract_f32(e: f32) -> f32 {
    let magnitude = bitcast<u32>(e) & 0x7fffffffu;
    let is_small = magnitude < 0x00800000u;
    let bits = bitcast<u32>(select(e, e * 16777216.0, is_small));
    let fract = bitcast<f32>((bits & 0x807fffffu) | 0x3f000000u);
    return select(fract, e, (magnitude == 0u) | (magnitude >= 0x7f800000u));
}
fn frexp_exponent_f32(e: f32) -> i32 {
    let magnitude = bitcast<u32>(e) & 0x7fffffffu;
    let is_small = magnitude < 0x00800000u;
    let bits = bitcast<u32>(select(e, e * 16777216.0, is_small)) & 0x7fffffffu;
    let exponent = i32(bits >> 23u) - select(126i, 150i, is_small);
    return select(exponent, 0i, (magnitude == 0u) | (magnitude >= 0x7f800000u));
}
// 2^n for -126 <= n <= 127.
fn power_of_two(n: i32) -> f32 { return bitcast<f32>(u32(n + 127i) << 23u); }
// The part beyond one factor goes first, so that a subnormal result is rounded once.
fn ldexp_f32(e: f32, n: i32) -> f32 {
    let all = clamp_i32(n, -378i, 381i);
    let a = clamp_i32(all, -126i, 127i);
    let b = clamp_i32(all - a, -126i, 127i);
    let c = all - a - b;
    return e * power_of_two(c) * power_of_two(b) * power_of_two(a);
}

// ---- Exponents. ----

// 2^x = 2^n · 2^f, |f| <= 1/2; 2^f = 1 + f·P(f), error 4e-9. Exact for integers. Two factors reach subnormals and infinity.
fn exp2_f32(x: f32) -> f32 {
    let limited = clamp_f32(x, -152.0, 129.0);
    let n = round(limited);
    let f = select(limited, x, x != x) - n;
    var p = fma(0.00015453262312803417, f, 0.0013390978565439582);
    p = fma(p, f, 0.009618082083761692);
    p = fma(p, f, 0.055503569543361664);
    p = fma(p, f, 0.24022650718688965);
    p = fma(p, f, 0.6931471824645996);
    p = fma(p, f, 1.0);
    let whole = i32(n);
    let half = whole >> 1u;
    return p * power_of_two(half) * power_of_two(whole - half);
}

// e^x = 2^n · e^r with r = x - n·ln 2 in two steps; e^r = 1 + r + r²·P(r), error 8e-9.
fn exp_f32(x: f32) -> f32 {
    let limited = clamp_f32(x, -105.0, 89.0);
    let n = round(limited * 1.4426950216293335);
    var r = select(limited, x, x != x);
    r = fma(-n, 0.693145751953125, r);
    r = fma(-n, 0.000001428606765330187, r);
    var p = fma(0.0013926250394433737, r, 0.00836323294788599);
    p = fma(p, r, 0.04166655242443085);
    p = fma(p, r, 0.16666576266288757);
    p = fma(p, r, 0.5);
    p = fma(p * r, r, r) + 1.0;
    let whole = i32(n);
    let half = whole >> 1u;
    return p * power_of_two(half) * power_of_two(whole - half);
}

// x = 2^e · m, m in [sqrt ½, sqrt 2); ln m = 2·atanh(s), s = (m - 1)/(m + 1).
struct Logarithm {
    exponent: f32,
    log_m: f32,  // Natural logarithm of m.
    special: f32,  // The answer where `is_special`: zero, negative, infinite, NaN.
    is_special: bool,
}
fn take_logarithm(x: f32) -> Logarithm {
    let is_small = x < 1.1754943508222875e-38;
    let bits = bitcast<u32>(select(x, x * 8388608.0, is_small));
    let offset = bits - 0x3f3504f3u;
    let exponent = (bitcast<i32>(offset) >> 23u) - select(0i, 23i, is_small);
    let t = bitcast<f32>((offset & 0x007fffffu) + 0x3f3504f3u) - 1.0;
    let s = t / (t + 2.0);
    let z = s * s;
    var p = fma(0.23331613838672638, z, 0.28550779819488525);
    p = fma(p, z, 0.4000012278556824);
    p = fma(p, z, 0.6666666865348816);
    p = fma(p, z, 2.0);
    // Zero gives -inf, a negative number NaN, +inf and NaN themselves.
    let negative = select(sqrt(x), -1.0 / abs(x), x == 0.0);
    let special = select(negative, x + x, !(x <= 0.0));
    let is_special = !((x > 0.0) & (x <= 3.4028234663852886e38));
    return Logarithm(f32(exponent), s * p, special, is_special);
}
fn log2_f32(x: f32) -> f32 {
    let l = take_logarithm(x);
    // log2 e in two parts, so that the product keeps its bits.
    let fraction = fma(l.log_m, 1.4426950216293335, l.log_m * 0.00000001925963033500011);
    return select(l.exponent + fraction, l.special, l.is_special);
}
fn log_f32(x: f32) -> f32 {
    let l = take_logarithm(x);
    let sum = fma(l.exponent, 0.693145751953125, fma(l.exponent, 0.000001428606765330187, l.log_m));
    return select(sum, l.special, l.is_special);
}
// As WGSL defines it; x < 0 gives NaN, and anything to the power 0 is 1.
fn pow_f32(x: f32, y: f32) -> f32 {
    return select(exp2_f32(y * log2_f32(x)), 1.0, y == 0.0);
}
fn cosh_f32(x: f32) -> f32 { return exp_f32(x) * 0.5 + exp_f32(-x) * 0.5; }
fn sinh_f32(x: f32) -> f32 { return select(exp_f32(x) * 0.5 - exp_f32(-x) * 0.5, x, abs(x) < 0.000244140625); }
fn tanh_f32(x: f32) -> f32 {
    let magnitude = 1.0 - 2.0 / (exp_f32(2.0 * abs(x)) + 1.0);
    return select(select(intrinsic_copysign(magnitude, x), x + x, x != x), x, abs(x) < 0.000244140625);
}
fn asinh_f32(x: f32) -> f32 {
    let a = abs(x);
    // The square must not overflow: beyond 2^24 the root is the number itself.
    let root = select(sqrt(a * a + 1.0), a, a > 16777216.0);
    let y = log_f32(a * 0.5 + root * 0.5) + 0.6931471824645996;
    return select(select(intrinsic_copysign(y, x), x + x, x != x), x, a < 0.000244140625);
}
fn acosh_f32(x: f32) -> f32 {
    let root = select(sqrt((x - 1.0) * (x + 1.0)), x, x > 16777216.0);
    return log_f32(x * 0.5 + root * 0.5) + 0.6931471824645996;
}
fn atanh_f32(x: f32) -> f32 {
    return select(log_f32((1.0 + x) / (1.0 - x)) * 0.5, x, abs(x) < 0.000244140625);
}

// ---- Angles. ----

// x - quadrant·π/2, within ±π/4 and a little.
struct Reduced { angle: f32, quadrant: u32 }

// Three exact-product steps up to 2^17: the first difference has at most 24 bits there. Beyond, 2/π from a table.
fn reduce_angle(x: f32) -> Reduced {
    let n = round(x * 0.6366197466850281);
    var angle = fma(-n, 1.5707963705062866, x);
    angle = fma(-n, -0.00000004371138828673793, angle);
    angle = fma(-n, -0.0000000000000017151245100058819, angle);
    var reduced = Reduced(angle, bitcast<u32>(i32(n)));
    if abs(x) >= 131072.0 {
        reduced = reduce_large_angle(x);
    }
    return reduced;
}

// |x| = M · 2^E, 24-bit M. Of 2/π only the 96 bits from weight 2^(1-E) downwards matter: what is above gives whole turns.
fn reduce_large_angle(x: f32) -> Reduced {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    let mantissa = (bits & 0x007fffffu) | 0x00800000u;
    let first = min((bits >> 23u) - 120u, 134u);  // First bit of the window, in a table that starts with a zero word: E - 2 + 32.
    // Words first/32 to first/32 + 3 of the table.
    let by_two = (first & 64u) != 0u;
    let s0 = select(0u, 0x4e441529u, by_two);
    let s1 = select(0xa2f9836eu, 0xfc2757d1u, by_two);
    let s2 = select(0x4e441529u, 0xf534ddc0u, by_two);
    let s3 = select(0xfc2757d1u, 0xdb629599u, by_two);
    let s4 = select(0xf534ddc0u, 0x3c439041u, by_two);
    let by_one = (first & 32u) != 0u;
    let by_four = first >= 128u;
    let w0 = select(select(s0, s1, by_one), 0xf534ddc0u, by_four);
    let w1 = select(select(s1, s2, by_one), 0xdb629599u, by_four);
    let w2 = select(select(s2, s3, by_one), 0x3c439041u, by_four);
    let w3 = select(select(s3, s4, by_one), 0xfe5163abu, by_four);
    let shift = first & 31u;
    let rest = 31u - shift;
    let a0 = (w0 << shift) | ((w1 >> 1u) >> rest);
    let a1 = (w1 << shift) | ((w2 >> 1u) >> rest);
    let a2 = (w2 << shift) | ((w3 >> 1u) >> rest);
    // mantissa · (a0 a1 a2), its upper 64 bits: 2 of quadrant, 62 of fraction.
    let low = mantissa * a1;
    let low_sum = low + intrinsic_multiply_high_unsigned(mantissa, a2);
    let high = mantissa * a0 + intrinsic_multiply_high_unsigned(mantissa, a1) + select(0u, 1u, low_sum < low);
    let quadrant = (high + 0x20000000u) >> 30u;
    let signed_high = high - (quadrant << 30u);
    let is_negative = (signed_high & 0x80000000u) != 0u;
    let magnitude_high = select(signed_high, ~signed_high, is_negative);
    let magnitude_low = select(low_sum, ~low_sum, is_negative);
    let zeros = countLeadingZeros(magnitude_high | 1u);
    let top = (magnitude_high << zeros) | ((magnitude_low >> 1u) >> (31u - zeros));
    // top · 2^(-30 - zeros) is the fraction of a quadrant.
    let fraction = f32(top) * power_of_two(-30i - i32(zeros));
    let angle = fraction * 1.5707963705062866;
    let turned = select(angle, -angle, is_negative != (x < 0.0));
    return Reduced(turned, select(quadrant, 0u - quadrant, x < 0.0));
}

// Of |r| <= π/4 and a little; errors 1e-8 and 3e-9.
fn sin_near(r: f32) -> f32 {
    let z = r * r;
    let p = fma(fma(-0.00019577721832320094, z, 0.008332700468599796), z, -0.166666641831398);
    return fma(p * z, r, r);
}
fn cos_near(r: f32) -> f32 {
    let z = r * r;
    let p = fma(fma(0.000024537750525020292, z, -0.0013888254761695862), z, 0.0416666641831398);
    return fma(fma(p, z, -0.5), z, 1.0);
}
fn in_quadrant(r: f32, quadrant: u32) -> f32 {
    let y = select(sin_near(r), cos_near(r), (quadrant & 1u) != 0u);
    return select(y, -y, (quadrant & 2u) != 0u);
}
fn sin_f32(x: f32) -> f32 {
    let reduced = reduce_angle(x);
    let y = select(in_quadrant(reduced.angle, reduced.quadrant), x, abs(x) < 0.000244140625);
    return select(y, x - x, !(abs(x) <= 3.4028234663852886e38));
}
fn cos_f32(x: f32) -> f32 {
    let reduced = reduce_angle(x);
    let y = in_quadrant(reduced.angle, reduced.quadrant + 1u);
    return select(y, x - x, !(abs(x) <= 3.4028234663852886e38));
}
fn tan_f32(x: f32) -> f32 {
    let reduced = reduce_angle(x);
    let s = sin_near(reduced.angle);
    let c = cos_near(reduced.angle);
    let is_odd = (reduced.quadrant & 1u) != 0u;
    let y = select(select(s, -c, is_odd) / select(c, s, is_odd), x, abs(x) < 0.000244140625);
    return select(y, x - x, !(abs(x) <= 3.4028234663852886e38));
}

// Of 0 <= t <= 1; error 1e-7.
fn atan_near(t: f32) -> f32 {
    let z = t * t;
    var p = fma(0.003866738872602582, z, -0.02002674713730812);
    p = fma(p, z, 0.04891432076692581);
    p = fma(p, z, -0.08009681850671768);
    p = fma(p, z, 0.1086575910449028);
    p = fma(p, z, -0.14257045090198517);
    p = fma(p, z, 0.19998681545257568);
    p = fma(p, z, -0.33333322405815125);
    return fma(p * z, t, t);
}
fn atan_f32(x: f32) -> f32 {
    let a = abs(x);
    let is_steep = a > 1.0;
    let near = atan_near(select(a, 1.0 / a, is_steep));
    let y = select(near, 1.5707963705062866 - near, is_steep);
    return select(intrinsic_copysign(y, x), x + x, x != x);
}
fn atan2_f32(y: f32, x: f32) -> f32 {
    let ax = abs(x);
    let ay = abs(y);
    let larger = max(ax, ay);
    // 0/0 and inf/inf: the ratio that C gives these corners.
    let ratio = select(min(ax, ay) / larger, select(1.0, 0.0, larger == 0.0), (larger == 0.0) | (min(ax, ay) > 3.4028234663852886e38));
    var angle = atan_near(ratio);
    angle = select(angle, 1.5707963705062866 - angle, ay > ax);
    angle = select(angle, 3.1415927410125732 - angle, (bitcast<u32>(x) & 0x80000000u) != 0u);
    return select(intrinsic_copysign(angle, y), x + y, (x != x) | (y != y));
}
fn asin_f32(x: f32) -> f32 { return atan2_f32(x, sqrt((1.0 - x) * (1.0 + x))); }
fn acos_f32(x: f32) -> f32 { return atan2_f32(sqrt((1.0 - x) * (1.0 + x)), x); }

// ---- Vectors. ----

fn dot_vec2f(a: vec2<f32>, b: vec2<f32>) -> f32 { return a.x * b.x + a.y * b.y; }
fn dot_vec3f(a: vec3<f32>, b: vec3<f32>) -> f32 { return a.x * b.x + a.y * b.y + a.z * b.z; }
fn dot_vec4f(a: vec4<f32>, b: vec4<f32>) -> f32 { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
fn dot_vec2i(a: vec2<i32>, b: vec2<i32>) -> i32 { return a.x * b.x + a.y * b.y; }
fn dot_vec3i(a: vec3<i32>, b: vec3<i32>) -> i32 { return a.x * b.x + a.y * b.y + a.z * b.z; }
fn dot_vec4i(a: vec4<i32>, b: vec4<i32>) -> i32 { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
fn dot_vec2u(a: vec2<u32>, b: vec2<u32>) -> u32 { return a.x * b.x + a.y * b.y; }
fn dot_vec3u(a: vec3<u32>, b: vec3<u32>) -> u32 { return a.x * b.x + a.y * b.y + a.z * b.z; }
fn dot_vec4u(a: vec4<u32>, b: vec4<u32>) -> u32 { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
fn cross_vec3f(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> {
    return vec3<f32>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
fn length_f32(e: f32) -> f32 { return abs(e); }
fn length_vec2f(e: vec2<f32>) -> f32 { return sqrt(dot_vec2f(e, e)); }
fn length_vec3f(e: vec3<f32>) -> f32 { return sqrt(dot_vec3f(e, e)); }
fn length_vec4f(e: vec4<f32>) -> f32 { return sqrt(dot_vec4f(e, e)); }
fn distance_f32(a: f32, b: f32) -> f32 { return abs(a - b); }
fn distance_vec2f(a: vec2<f32>, b: vec2<f32>) -> f32 { return length_vec2f(a - b); }
fn distance_vec3f(a: vec3<f32>, b: vec3<f32>) -> f32 { return length_vec3f(a - b); }
fn distance_vec4f(a: vec4<f32>, b: vec4<f32>) -> f32 { return length_vec4f(a - b); }
fn normalize_vec2f(e: vec2<f32>) -> vec2<f32> { return e / length_vec2f(e); }
fn normalize_vec3f(e: vec3<f32>) -> vec3<f32> { return e / length_vec3f(e); }
fn normalize_vec4f(e: vec4<f32>) -> vec4<f32> { return e / length_vec4f(e); }
// Where the reciprocal square root is an instruction: one multiplication a component in place of a division.
fn normalize_by_root_vec2f(e: vec2<f32>) -> vec2<f32> { return e * inverse_sqrt_f32(dot_vec2f(e, e)); }
fn normalize_by_root_vec3f(e: vec3<f32>) -> vec3<f32> { return e * inverse_sqrt_f32(dot_vec3f(e, e)); }
fn normalize_by_root_vec4f(e: vec4<f32>) -> vec4<f32> { return e * inverse_sqrt_f32(dot_vec4f(e, e)); }
fn face_forward_vec2f(n: vec2<f32>, i: vec2<f32>, g: vec2<f32>) -> vec2<f32> { return select(-n, n, dot_vec2f(g, i) < 0.0); }
fn face_forward_vec3f(n: vec3<f32>, i: vec3<f32>, g: vec3<f32>) -> vec3<f32> { return select(-n, n, dot_vec3f(g, i) < 0.0); }
fn face_forward_vec4f(n: vec4<f32>, i: vec4<f32>, g: vec4<f32>) -> vec4<f32> { return select(-n, n, dot_vec4f(g, i) < 0.0); }
fn reflect_vec2f(i: vec2<f32>, n: vec2<f32>) -> vec2<f32> { return i - (2.0 * dot_vec2f(n, i)) * n; }
fn reflect_vec3f(i: vec3<f32>, n: vec3<f32>) -> vec3<f32> { return i - (2.0 * dot_vec3f(n, i)) * n; }
fn reflect_vec4f(i: vec4<f32>, n: vec4<f32>) -> vec4<f32> { return i - (2.0 * dot_vec4f(n, i)) * n; }
fn refract_vec2f(i: vec2<f32>, n: vec2<f32>, ratio: f32) -> vec2<f32> {
    let d = dot_vec2f(n, i);
    let k = 1.0 - ratio * ratio * (1.0 - d * d);
    return select(ratio * i - (ratio * d + sqrt(k)) * n, vec2<f32>(0.0), k < 0.0);
}
fn refract_vec3f(i: vec3<f32>, n: vec3<f32>, ratio: f32) -> vec3<f32> {
    let d = dot_vec3f(n, i);
    let k = 1.0 - ratio * ratio * (1.0 - d * d);
    return select(ratio * i - (ratio * d + sqrt(k)) * n, vec3<f32>(0.0), k < 0.0);
}
fn refract_vec4f(i: vec4<f32>, n: vec4<f32>, ratio: f32) -> vec4<f32> {
    let d = dot_vec4f(n, i);
    let k = 1.0 - ratio * ratio * (1.0 - d * d);
    return select(ratio * i - (ratio * d + sqrt(k)) * n, vec4<f32>(0.0), k < 0.0);
}
fn determinant_mat2(m: mat2x2<f32>) -> f32 { return m[0].x * m[1].y - m[1].x * m[0].y; }
fn determinant_mat3(m: mat3x3<f32>) -> f32 { return dot_vec3f(m[0], cross_vec3f(m[1], m[2])); }
fn determinant_mat4(m: mat4x4<f32>) -> f32 {
    // Along the first column; the minors share their 2×2 determinants of rows z and w.
    let d01 = m[0].z * m[1].w - m[1].z * m[0].w;
    let d02 = m[0].z * m[2].w - m[2].z * m[0].w;
    let d03 = m[0].z * m[3].w - m[3].z * m[0].w;
    let d12 = m[1].z * m[2].w - m[2].z * m[1].w;
    let d13 = m[1].z * m[3].w - m[3].z * m[1].w;
    let d23 = m[2].z * m[3].w - m[3].z * m[2].w;
    let c0 = m[1].y * d23 - m[2].y * d13 + m[3].y * d12;
    let c1 = m[0].y * d23 - m[2].y * d03 + m[3].y * d02;
    let c2 = m[0].y * d13 - m[1].y * d03 + m[3].y * d01;
    let c3 = m[0].y * d12 - m[1].y * d02 + m[2].y * d01;
    return m[0].x * c0 - m[1].x * c1 + m[2].x * c2 - m[3].x * c3;
}

// ---- Bits. ----

fn first_leading_bit_u32(e: u32) -> u32 { return 31u - countLeadingZeros(e); }
fn first_leading_bit_i32(e: i32) -> i32 { return 31i - countLeadingZeros(e ^ (e >> 31u)); }
fn first_trailing_bit_u32(e: u32) -> u32 { return select(countTrailingZeros(e), 0xffffffffu, e == 0u); }
fn first_trailing_bit_i32(e: i32) -> i32 { return select(countTrailingZeros(e), -1i, e == 0i); }
fn extract_bits_u32(e: u32, offset: u32, count: u32) -> u32 {
    let o = min(offset, 32u);
    let c = min(count, 32u - o);
    return select((e << (32u - c - o)) >> (32u - c), 0u, c == 0u);
}
fn extract_bits_i32(e: i32, offset: u32, count: u32) -> i32 {
    let o = min(offset, 32u);
    let c = min(count, 32u - o);
    return select((e << (32u - c - o)) >> (32u - c), 0i, c == 0u);
}
fn insert_bits_u32(e: u32, new_bits: u32, offset: u32, count: u32) -> u32 {
    let o = min(offset, 32u);
    let c = min(count, 32u - o);
    let mask = select((0xffffffffu >> (32u - c)) << o, 0u, c == 0u);
    return (e & ~mask) | ((new_bits << o) & mask);
}
fn insert_bits_i32(e: i32, new_bits: i32, offset: u32, count: u32) -> i32 {
    return bitcast<i32>(insert_bits_u32(bitcast<u32>(e), bitcast<u32>(new_bits), offset, count));
}

// ---- Packing. ⌊½ + x⌋ as the specification writes it; ties of unorm round to even, which is the same value at ½. ----

fn unorm8(e: f32) -> u32 { return u32(round(saturate_f32(e) * 255.0)); }
fn snorm8(e: f32) -> u32 { return bitcast<u32>(i32(floor(clamp_f32(e, -1.0, 1.0) * 127.0 + 0.5))) & 255u; }
fn unorm16(e: f32) -> u32 { return u32(round(saturate_f32(e) * 65535.0)); }
fn snorm16(e: f32) -> u32 { return bitcast<u32>(i32(floor(clamp_f32(e, -1.0, 1.0) * 32767.0 + 0.5))) & 65535u; }
fn pack4x8unorm_vec4f(e: vec4<f32>) -> u32 { return unorm8(e.x) | (unorm8(e.y) << 8u) | (unorm8(e.z) << 16u) | (unorm8(e.w) << 24u); }
fn pack4x8snorm_vec4f(e: vec4<f32>) -> u32 { return snorm8(e.x) | (snorm8(e.y) << 8u) | (snorm8(e.z) << 16u) | (snorm8(e.w) << 24u); }
fn pack2x16unorm_vec2f(e: vec2<f32>) -> u32 { return unorm16(e.x) | (unorm16(e.y) << 16u); }
fn pack2x16snorm_vec2f(e: vec2<f32>) -> u32 { return snorm16(e.x) | (snorm16(e.y) << 16u); }
fn pack2x16float_vec2f(e: vec2<f32>) -> u32 { return half_from_f32(e.x) | (half_from_f32(e.y) << 16u); }
fn pack4x_i8_vec4i(e: vec4<i32>) -> u32 { return pack4x_u8_vec4u(bitcast<vec4<u32>>(e)); }
fn pack4x_u8_vec4u(e: vec4<u32>) -> u32 { return (e.x & 255u) | ((e.y & 255u) << 8u) | ((e.z & 255u) << 16u) | (e.w << 24u); }
fn pack4x_i8_clamp_vec4i(e: vec4<i32>) -> u32 {
    return pack4x_i8_vec4i(vec4<i32>(clamp_i32(e.x, -128i, 127i), clamp_i32(e.y, -128i, 127i), clamp_i32(e.z, -128i, 127i), clamp_i32(e.w, -128i, 127i)));
}
fn pack4x_u8_clamp_vec4u(e: vec4<u32>) -> u32 {
    return min(e.x, 255u) | (min(e.y, 255u) << 8u) | (min(e.z, 255u) << 16u) | (min(e.w, 255u) << 24u);
}
fn unpack4x8unorm_u32(e: u32) -> vec4<f32> {
    return vec4<f32>(f32(e & 255u) / 255.0, f32((e >> 8u) & 255u) / 255.0, f32((e >> 16u) & 255u) / 255.0, f32(e >> 24u) / 255.0);
}
fn from_snorm8(e: i32) -> f32 { return max(f32(e) / 127.0, -1.0); }
fn unpack4x8snorm_u32(e: u32) -> vec4<f32> {
    let v = unpack4x_i8_u32(e);
    return vec4<f32>(from_snorm8(v.x), from_snorm8(v.y), from_snorm8(v.z), from_snorm8(v.w));
}
fn unpack2x16unorm_u32(e: u32) -> vec2<f32> { return vec2<f32>(f32(e & 65535u) / 65535.0, f32(e >> 16u) / 65535.0); }
fn unpack2x16snorm_u32(e: u32) -> vec2<f32> {
    let low = bitcast<i32>(e << 16u) >> 16u;
    let high = bitcast<i32>(e) >> 16u;
    return vec2<f32>(max(f32(low) / 32767.0, -1.0), max(f32(high) / 32767.0, -1.0));
}
fn unpack2x16float_u32(e: u32) -> vec2<f32> { return vec2<f32>(f32_from_half(e & 65535u), f32_from_half(e >> 16u)); }
fn unpack4x_i8_u32(e: u32) -> vec4<i32> {
    return vec4<i32>(bitcast<i32>(e << 24u) >> 24u, bitcast<i32>(e << 16u) >> 24u, bitcast<i32>(e << 8u) >> 24u, bitcast<i32>(e) >> 24u);
}
fn unpack4x_u8_u32(e: u32) -> vec4<u32> { return vec4<u32>(e & 255u, (e >> 8u) & 255u, (e >> 16u) & 255u, e >> 24u); }
fn dot4_i8_packed_u32(a: u32, b: u32) -> i32 { return dot_vec4i(unpack4x_i8_u32(a), unpack4x_i8_u32(b)); }
fn dot4_u8_packed_u32(a: u32, b: u32) -> u32 { return dot_vec4u(unpack4x_u8_u32(a), unpack4x_u8_u32(b)); }

// binary16, nearest, ties to even; beyond the range infinity.
fn half_from_f32(e: f32) -> u32 {
    let bits = bitcast<u32>(e);
    let magnitude = bits & 0x7fffffffu;
    let rebased = magnitude - 0x38000000u;
    let normal = min((rebased + 0xfffu + ((rebased >> 13u) & 1u)) >> 13u, 0x7c00u);
    // One half plus the number has the unit of a subnormal in its last place.
    let subnormal = bitcast<u32>(bitcast<f32>(min(magnitude, 0x38800000u)) + 0.5) - 0x3f000000u;
    let number = select(normal, subnormal, magnitude < 0x38800000u);
    return select(number, 0x7e00u, magnitude > 0x7f800000u) | ((bits >> 16u) & 0x8000u);
}
fn f32_from_half(half: u32) -> f32 {
    let magnitude = half & 0x7fffu;
    let normal = bitcast<f32>((magnitude << 13u) + 0x38000000u);
    let subnormal = f32(magnitude) * 0.000000059604644775390625;
    let special = bitcast<f32>(select(0x7f800000u, 0x7fc00000u, magnitude > 0x7c00u));
    let value = select(select(normal, subnormal, magnitude < 0x400u), special, magnitude >= 0x7c00u);
    return select(value, bitcast<f32>(bitcast<u32>(value) | 0x80000000u), (half & 0x8000u) != 0u);
}
fn quantize_to_f16_f32(e: f32) -> f32 { return f32_from_half(half_from_f32(e)); }
