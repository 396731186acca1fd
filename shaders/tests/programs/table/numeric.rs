//! Numerical methods in floats: the same operations in the same order give the same bits.

use super::numbers::{bits, floats, hash};
use super::{Accuracy, Bound, Case};

programs! {
    matrix_product with &[("TILE", 4.0)];
    mandelbrot;
    bodies_step;
    fourier_transform;
    compensated_sum;
    elimination;
    horner;
    heat_stencil;
    ray_spheres;
    quaternions;
    newton_root;
    float_edges;
}

/// Sums of products of numbers up to 1: order and fusing are worth some units of 2^-24 each.
const SUMS: Accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 4e-6, ulps: 0.0 } };

fn matrix_product(_: u32) -> Case {
    let (a, b) = (floats(80, 64), floats(81, 64));
    let product = (0..64).map(|n| (0..8).fold(0.0, |sum, k| sum + a[n / 8 * 8 + k] * b[k * 8 + n % 8]));
    let product: Vec<f32> = product.collect();
    Case::new([2, 2, 1]).input(bits(&a)).input(bits(&b)).output(bits(&product)).known(SUMS)
}

fn mandelbrot(_: u32) -> Case {
    // Steps of a 2^-4 grid; twelve turns at most, which stay far from where roundings decide.
    let after = (0..64u32).map(|n| {
        let (cx, cy) = (((n % 8) as f32 - 5.0) * 0.375, ((n / 8) as f32 - 4.0) * 0.3125);
        let (mut x, mut y, mut turns) = (0.0f32, 0.0f32, 0);
        while turns < 12 && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            turns += 1;
        }
        turns
    });
    let after: Vec<u32> = after.collect();
    Case::new([2, 2, 1]).output(after)
}

fn bodies_step(_: u32) -> Case {
    // Place and mass, four floats a body; velocities start at zero.
    let mut bodies = floats(82, 64);
    bodies.iter_mut().skip(3).step_by(4).for_each(|mass| *mass = mass.abs() + 0.5);
    let after = bodies.chunks(4).flat_map(|own| {
        let mut force = [0.0f32; 3];
        for other in bodies.chunks(4) {
            let away = [0, 1, 2].map(|axis| other[axis] - own[axis]);
            let square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2] + 0.0625;
            let pull = other[3] / (square * square.sqrt());
            (0..3).for_each(|axis| force[axis] += away[axis] * pull);
        }
        [own[0] + force[0] * 0.015625, own[1] + force[1] * 0.015625, own[2] + force[2] * 0.015625, own[3]]
    });
    let after: Vec<f32> = after.collect();
    Case::new([1, 1, 1]).input(bits(&bodies)).output(bits(&after)).known(SUMS)
}

fn fourier_transform(_: u32) -> Case {
    // Sixteen complex numbers, and the roots of unity as a table: cosines and sines are not asked of anybody.
    let signal = floats(83, 32);
    let root = |n: usize| {
        let angle = -std::f64::consts::TAU * n as f64 / 16.0;
        [angle.cos() as f32, angle.sin() as f32]
    };
    let roots: Vec<f32> = (0..8).flat_map(root).collect();
    let mut data: Vec<[f32; 2]> = (0..16)
        .map(|n: usize| {
            let from = n.reverse_bits() >> (usize::BITS - 4);
            [signal[2 * from], signal[2 * from + 1]]
        })
        .collect();
    let mut half = 1;
    while half < 16 {
        for pair in 0..8 {
            let (at, inside) = (pair / half * half * 2 + pair % half, pair % half);
            let w = [roots[2 * (inside * (8 / half))], roots[2 * (inside * (8 / half)) + 1]];
            let (a, b) = (data[at], data[at + half]);
            let turned = [b[0] * w[0] - b[1] * w[1], b[0] * w[1] + b[1] * w[0]];
            data[at] = [a[0] + turned[0], a[1] + turned[1]];
            data[at + half] = [a[0] - turned[0], a[1] - turned[1]];
        }
        half *= 2;
    }
    let after = data.concat();
    // The transform by its definition, in double precision: the fast one is a transform.
    for (k, found) in after.chunks(2).enumerate() {
        let turn = |n: usize| -std::f64::consts::TAU * (k * n % 16) as f64 / 16.0;
        let real: f64 = (0..16)
            .map(|n| f64::from(signal[2 * n]) * turn(n).cos() - f64::from(signal[2 * n + 1]) * turn(n).sin())
            .sum();
        assert!((real - f64::from(found[0])).abs() < 1e-5, "{real} {found:?}");
    }
    let accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 1e-5, ulps: 0.0 } };
    Case::new([1, 1, 1]).input(bits(&signal)).input(bits(&roots)).output(bits(&after)).known(accuracy)
}

fn compensated_sum(_: u32) -> Case {
    // Kahan's sum, which an optimiser that regroups floats would undo. Inputs of very different sizes.
    let values: Vec<f32> =
        floats(84, 128).iter().zip(0..).map(|(v, n)| v * [1e6, 1.0, 1e-3, 10.0][hash(n, 85) as usize % 4]).collect();
    let after = values.chunks(16).flat_map(|values| {
        let (mut sum, mut lost, mut plain) = (0.0f32, 0.0f32, 0.0f32);
        for value in values {
            let put = value - lost;
            let next = sum + put;
            lost = (next - sum) - put;
            sum = next;
            plain += value;
        }
        [sum, lost, plain, sum - plain]
    });
    let after: Vec<f32> = after.collect();
    assert!(after.chunks(4).any(|result| result[3] != 0.0), "the two sums should differ");
    Case::new([1, 1, 1])
        .input(bits(&values))
        .output(bits(&after))
        .known(Accuracy::Rounded { elsewhere: Bound { absolute: 2.0, ulps: 0.0 } })
}

fn elimination(_: u32) -> Case {
    // Systems of four equations, a row of five floats each, solved with the largest pivot.
    let systems = floats(86, 8 * 20);
    let after = systems.chunks(20).flat_map(|system| {
        let mut rows: Vec<Vec<f32>> = system.chunks(5).map(<[f32]>::to_vec).collect();
        for column in 0..4 {
            let mut best = column;
            for row in column + 1..4 {
                if rows[row][column].abs() > rows[best][column].abs() {
                    best = row;
                }
            }
            rows.swap(column, best);
            for row in column + 1..4 {
                let factor = rows[row][column] / rows[column][column];
                let pivot = rows[column].clone();
                rows[row].iter_mut().zip(&pivot).skip(column).for_each(|(a, b)| *a -= factor * b);
            }
        }
        let mut solution = [0.0f32; 4];
        for row in (0..4).rev() {
            let mut rest = rows[row][4];
            for place in row + 1..4 {
                rest -= rows[row][place] * solution[place];
            }
            solution[row] = rest / rows[row][row];
        }
        solution
    });
    let after: Vec<f32> = after.collect();
    let accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 1e-3, ulps: 256.0 } };
    Case::new([1, 1, 1]).input(bits(&systems)).output(bits(&after)).known(accuracy)
}

fn horner(_: u32) -> Case {
    let values = floats(87, 64);
    let after: Vec<f32> = (values.iter())
        .map(|x| [0.25, -1.5, 3.0, 0.125, -7.0, 1.0].iter().fold(0.0, |sum, factor| sum * x + factor))
        .collect();
    Case::new([2, 1, 1]).input(bits(&values)).output(bits(&after)).known(SUMS)
}

fn heat_stencil(_: u32) -> Case {
    let before = floats(88, 32);
    let mut rod = before.clone();
    for _ in 0..6 {
        let at = |n: usize, away: isize| rod[(n as isize + away).clamp(0, 31) as usize];
        // Quarters of multiples of 2^-12: six turns stay exact.
        rod = (0..32).map(|n| at(n, 0) * 0.5 + (at(n, -1) + at(n, 1)) * 0.25).collect();
    }
    Case::new([1, 1, 1]).changed(bits(&before), bits(&rod)).known(SUMS)
}

fn ray_spheres(_: u32) -> Case {
    // Spheres as places and radii; the nearest one a ray from the origin meets, and where.
    let spheres: Vec<f32> =
        floats(89, 20).chunks(4).flat_map(|s| [s[0] * 2.0, s[1] * 2.0, 4.0 + s[2], 0.5 + s[3].abs()]).collect();
    let after = (0..32u32).flat_map(|n| {
        let aim = [(n % 8) as f32 * 0.125 - 0.4375, (n / 8) as f32 * 0.25 - 0.375, 1.0f32];
        let length = (aim[0] * aim[0] + aim[1] * aim[1] + aim[2] * aim[2]).sqrt();
        let aim = aim.map(|part| part / length);
        let (mut nearest, mut which) = (1000.0f32, -1.0f32);
        for (index, s) in spheres.chunks(4).enumerate() {
            let along = s[0] * aim[0] + s[1] * aim[1] + s[2] * aim[2];
            let square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
            let inside = s[3] * s[3] - (square - along * along);
            if inside < 0.0 {
                continue;
            }
            let distance = along - inside.sqrt();
            if distance < nearest {
                (nearest, which) = (distance, index as f32);
            }
        }
        [nearest, which]
    });
    let after: Vec<f32> = after.collect();
    let accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 1e-3, ulps: 0.0 } };
    Case::new([1, 1, 1]).input(bits(&spheres)).output(bits(&after)).known(accuracy)
}

fn quaternions(_: u32) -> Case {
    let product = |a: [f32; 4], b: [f32; 4]| {
        [
            a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
            a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
            a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
            a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
        ]
    };
    let all = floats(90, 64);
    let quaternion = |n: usize| [all[4 * n], all[4 * n + 1], all[4 * n + 2], all[4 * n + 3]];
    let after: Vec<f32> = (0..16)
        .flat_map(|n| {
            let (turn, point) = (quaternion(n), quaternion((n + 1) % 16));
            let back = [-turn[0], -turn[1], -turn[2], turn[3]];
            product(product(turn, point), back)
        })
        .collect();
    Case::new([1, 1, 1]).input(bits(&all)).output(bits(&after)).known(SUMS)
}

fn newton_root(_: u32) -> Case {
    let values: Vec<f32> = floats(91, 32).iter().map(|value| value * 50.0 + 60.0).collect();
    let after = values.iter().flat_map(|&value| {
        let (mut root, mut turns) = (value, 0.0f32);
        // Ends when it stands still to 2^-10 of itself; the count of turns differs from lane to lane.
        loop {
            let next = 0.5 * (root + value / root);
            let moved = (next - root).abs();
            (root, turns) = (next, turns + 1.0);
            if moved <= next * 0.0009765625 {
                break;
            }
        }
        [root, turns]
    });
    let after: Vec<f32> = after.collect();
    let accuracy = Accuracy::Rounded { elsewhere: Bound { absolute: 0.0, ulps: 4.0 } };
    Case::new([1, 1, 1]).input(bits(&values)).output(bits(&after)).known(accuracy)
}

fn float_edges(_: u32) -> Case {
    // What comparisons, signs and min and max make of numbers at the edges; nothing that WGSL leaves open.
    let values = [0.0f32, -0.0, 1.0, -1.0, 1.5, f32::MAX, -f32::MAX, 16_777_216.0];
    let after = values.iter().flat_map(|&a| {
        values.iter().flat_map(move |&b| {
            let compared = [a < b, a <= b, a == b, a != b, a > b, a >= b];
            let word = compared.iter().rev().fold(0, |word, bit| word << 1 | u32::from(*bit));
            // Of zeros of two signs either may be the smaller.
            let least = if a == b { a.abs() } else { a.min(b) };
            let most = if a == b { a.abs() } else { a.max(b) };
            let of_equals = |x: f32| if a == b { a.abs().to_bits() } else { x.to_bits() };
            [word, of_equals(least), of_equals(most), (-a).to_bits()]
        })
    });
    let after: Vec<u32> = after.collect();
    Case::new([2, 1, 1]).input(bits(&values)).output(after)
}
