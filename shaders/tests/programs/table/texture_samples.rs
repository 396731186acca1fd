//! Textures sampled in compute shaders: at explicit levels and gradients, gathered, compared, a few texels away.
//!
//! Places are eighths of a texel and components small integers, so that every weighed sum is exact.

use super::Case;
use super::images::{Sampler, Shape, Texture, Wrap, size_at};
use super::numbers::{bits, hash};

programs! {
    sample_levels;
    sample_gradients;
    gathers;
    comparisons;
    sample_offsets;
    cube_faces;
    cube_gathers;
    many_pairs;
}

const SIZE: [u32; 3] = [8, 4, 1];

/// 0 to 63, of every level and layer.
fn value(level: u32, [x, y, z]: [u32; 3], channel: u32) -> f64 {
    f64::from(hash(x + 16 * (y + 16 * (z + 16 * (level + 8 * channel))), 21) % 64)
}

/// What a filter makes of a level at (x, y), in texels of the level; an offset moves by whole texels.
fn filtered(level: u32, at: [f64; 2], layer: u32, channel: u32, sampler: Sampler) -> f64 {
    let [width, height, _] = size_at(Shape::D2, SIZE, level);
    let texel =
        |x: i64, y: i64| value(level, [sampler.wrap.texel(x, width), sampler.wrap.texel(y, height), layer], channel);
    if !sampler.is_linear {
        return texel(at[0].floor() as i64, at[1].floor() as i64);
    }
    let [x, y] = at.map(|coordinate| coordinate - 0.5);
    let [column, row] = [x.floor(), y.floor()];
    let mix = |a: f64, b: f64, weight: f64| a + (b - a) * weight;
    let (left, upper) = (column as i64, row as i64);
    let above = mix(texel(left, upper), texel(left + 1, upper), x - column);
    mix(above, mix(texel(left, upper + 1), texel(left + 1, upper + 1), x - column), y - row)
}

/// Texture coordinates in eighths of a texel of level 0, from a little outside on.
fn place(i: u32) -> [f64; 2] {
    [f64::from(hash(i, 22) % 81) / 8.0 - 1.0, f64::from(hash(i, 23) % 49) / 8.0 - 1.0]
}

fn places(count: u32) -> Vec<u32> {
    let [width, height, _] = SIZE.map(f64::from);
    let both = |i: u32| [(place(i)[0] / width) as f32, (place(i)[1] / height) as f32];
    (0..count).flat_map(both).map(f32::to_bits).collect()
}

/// Where that is in a level.
fn at_level(i: u32, level: u32) -> [f64; 2] {
    place(i).map(|coordinate| coordinate / f64::from(1 << level))
}

fn texture() -> Texture {
    Texture::new(Shape::D2, "rgba16float", SIZE, 3, value)
}

fn sample_levels(_: u32) -> Case {
    let repeated = Sampler { wrap: Wrap::Repeat, is_mip_linear: true, ..Sampler::LINEAR };
    let mirrored = Sampler { wrap: Wrap::Mirror, ..Sampler::LINEAR };
    let mut found = Vec::new();
    for i in 0..48 {
        // Quarters of levels, also below the first and beyond the last.
        let level = f64::from(i % 12) / 4.0 - 0.25;
        let limited = level.clamp(0.0, 2.0);
        let (finer, weight) = (limited.floor() as u32, limited.fract());
        for channel in 0..4 {
            let one = |level: u32| filtered(level, at_level(i, level), 0, channel, repeated);
            let next = if weight > 0.0 { one(finer + 1) } else { 0.0 };
            found.push((one(finer) + (next - one(finer)) * weight) as f32);
        }
        found.push(filtered(i % 3, at_level(i, i % 3), 0, 0, mirrored) as f32);
        // Points are looked at in the middle of an eighth: on the edge of two texels either would do.
        let point = at_level(i, 0).map(|coordinate| coordinate + 0.0625);
        found.push(filtered(0, point, 0, 1, Sampler::NEAREST) as f32);
    }
    Case::new([3, 1, 1])
        .input(places(48))
        .output(bits(&found))
        .texture(texture())
        .sampler(repeated)
        .sampler(mirrored)
        .sampler(Sampler::NEAREST)
}

fn sample_gradients(_: u32) -> Case {
    let sampler = Sampler { wrap: Wrap::Repeat, ..Sampler::LINEAR };
    let mut found = Vec::new();
    for i in 0..24 {
        // The longer of the two ways is 2^level texels; which of the two it is changes.
        let level = i % 4;
        let level = level.min(2);
        found.extend([0, 1].map(|channel| filtered(level, at_level(i, level), i % 2, channel, sampler) as f32));
    }
    let texture = Texture::new(Shape::D2Array, "rgba16float", [SIZE[0], SIZE[1], 2], 3, value);
    Case::new([1, 1, 1]).input(places(24)).output(bits(&found)).texture(texture).sampler(sampler)
}

/// Texels of the bilinear footprint of level 0: lower left, lower right, upper right, upper left.
fn four(i: u32, offset: [i64; 2], wrap: Wrap, texel: impl Fn([u32; 3]) -> f64) -> [f64; 4] {
    let [x, y] = place(i).map(|coordinate| (coordinate + 0.0625 - 0.5).floor() as i64);
    let (x, y) = (x + offset[0], y + offset[1]);
    [(x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)]
        .map(|(x, y)| texel([wrap.texel(x, SIZE[0]), wrap.texel(y, SIZE[1]), 0]))
}

fn gathers(_: u32) -> Case {
    let mut found = Vec::new();
    for i in 0..32 {
        let one = |channel: u32, offset: [i64; 2], wrap: Wrap| four(i, offset, wrap, |at| value(0, at, channel));
        found.extend(one(0, [0, 0], Wrap::Repeat));
        found.extend(one(3, [-2, 1], Wrap::Clamp));
        // Integers.
        found.extend(four(i, [0, 0], Wrap::Clamp, |at| value(0, at, 1) + 1000.0));
    }
    let found: Vec<_> = found.into_iter().map(|value| value as f32).collect();
    let integers =
        Texture::new(Shape::D2, "rg16uint", SIZE, 1, |level, at, channel| value(level, at, channel) + 1000.0);
    Case::new([1, 1, 1])
        .input(places(32))
        .output(bits(&found))
        .texture(texture())
        .texture(integers)
        .sampler(Sampler { wrap: Wrap::Repeat, ..Sampler::LINEAR })
        .sampler(Sampler::NEAREST)
}

fn comparisons(_: u32) -> Case {
    let depth = |level: u32, at: [u32; 3], _: u32| value(level, at, 0) / 64.0;
    let reference = |i: u32| f64::from(i % 8) / 8.0 + 0.0625;
    let mut found = Vec::new();
    for i in 0..32 {
        let passes = |at: [u32; 3]| f64::from(u8::from(reference(i) <= depth(0, at, 0)));
        let gathered = four(i, [0, 0], Wrap::Clamp, passes);
        // The weights of the four: of the right column, of the lower row.
        let [x, y] = place(i).map(|coordinate| (coordinate + 0.0625 - 0.5).rem_euclid(1.0));
        let [lower_left, lower_right, upper_right, upper_left] = gathered;
        let upper = upper_left + (upper_right - upper_left) * x;
        let lower = lower_left + (lower_right - lower_left) * x;
        found.push((upper + (lower - upper) * y) as f32);
        found.extend(gathered.map(|passes| passes as f32));
        let [x, y] = place(i).map(|coordinate| (coordinate + 0.0625).floor() as i64);
        found.push(passes([Wrap::Clamp.texel(x, SIZE[0]), Wrap::Clamp.texel(y, SIZE[1]), 0]) as f32);
    }
    let less_equal = Sampler { compares_less_equal: true, ..Sampler::LINEAR };
    Case::new([1, 1, 1])
        .input(places(32))
        .output(bits(&found))
        .texture(Texture::new(Shape::Depth, "depth32float", SIZE, 1, depth))
        .sampler(less_equal)
        .sampler(Sampler { is_linear: false, ..less_equal })
}

fn sample_offsets(_: u32) -> Case {
    let sampler = Sampler { wrap: Wrap::Repeat, ..Sampler::LINEAR };
    let mut found = Vec::new();
    for i in 0..24 {
        let moved = |level: u32, [x, y]: [f64; 2]| {
            let [u, v] = at_level(i, level);
            [u + x, v + y]
        };
        found.push(filtered(0, moved(0, [3.0, -2.0]), 0, 0, sampler) as f32);
        found.push(filtered(1, moved(1, [-1.0, 1.0]), 0, 1, sampler) as f32);
        // Half a texel from the edge at least, so no texel beyond it counts.
        let [width, height, _] = SIZE.map(f64::from);
        let [x, y] = place(i);
        let inside = [x.clamp(0.5, width - 0.5), y.clamp(0.5, height - 0.5)];
        found.push(filtered(0, inside, 0, 2, sampler) as f32);
    }
    Case::new([1, 1, 1]).input(places(24)).output(bits(&found)).texture(texture()).sampler(sampler)
}

/// Faces as the specification numbers them: the way out, and the axes along which x and y of a face grow (Vulkan, "Cube Map Face Selection").
const AXES: [[[f32; 3]; 3]; 6] = [
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
    [[-1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
    [[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]],
    [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
    [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]],
];

/// The way to a place of a face, each from -1 to 1.
fn way([out, right, down]: [[f32; 3]; 3], [s, t]: [f32; 2]) -> [f32; 4] {
    let along = |axis: usize| 2.0 * (out[axis] + s * right[axis] + t * down[axis]);
    [along(0), along(1), along(2), 0.0]
}

fn cube_faces(_: u32) -> Case {
    let face = |_: u32, [x, y, z]: [u32; 3], channel: u32| f64::from([x, y, z, 7][channel as usize]);
    let (mut ways, mut found) = (Vec::new(), Vec::new());
    for (number, axes) in AXES.into_iter().enumerate() {
        for (x, y) in [(0u32, 0u32), (3, 0), (1, 2), (2, 3)] {
            ways.extend(way(axes, [x, y].map(|at| (at as f32 + 0.5) / 2.0 - 1.0)));
            let layer = number as u32;
            found.extend([x, y, layer, 7].map(|component| component as f32));
            // The second of two cubes.
            found.extend([x, y, layer + 6, 7].map(|component| component as f32));
        }
    }
    Case::new([1, 1, 1])
        .input(bits(&ways))
        .output(bits(&found))
        .texture(Texture::new(Shape::Cube, "rgba16float", [4, 4, 6], 1, face))
        .texture(Texture::new(Shape::CubeArray, "rgba16float", [4, 4, 12], 1, face))
        .sampler(Sampler::NEAREST)
}

fn cube_gathers(_: u32) -> Case {
    // Each number occurs once; all are halves.
    let number = |_: u32, [x, y, z]: [u32; 3], channel: u32| f64::from(x + 4 * y + 16 * z + 256 * channel);
    let (mut ways, mut found) = (Vec::new(), Vec::new());
    for (face, axes) in (0..).zip(AXES) {
        // Where four texels meet.
        for (x, y) in (0..9).map(|n| (n % 3, n / 3)) {
            let i = ways.len() as u32 / 4;
            ways.extend(way(axes, [x, y].map(|at: u32| (at + 1) as f32 / 2.0 - 1.0)));
            let four = |cube: u32, channel: u32| {
                [(x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)]
                    .map(|(x, y)| number(0, [x, y, face + 6 * cube], channel) as f32)
            };
            found.extend(four(0, 0));
            found.extend(four((i % 3).min(1), 2));
            found.extend(four(0, 1));
            found.extend(four((i % 4).clamp(1, 2) - 1, 3).map(|number| -number));
        }
    }
    let cube = |shape, format, layers, sign: f64| {
        Texture::new(shape, format, [4, 4, layers], 1, move |level, at, channel| sign * number(level, at, channel))
    };
    Case::new([1, 1, 1])
        .input(bits(&ways))
        .output(bits(&found))
        .texture(cube(Shape::Cube, "rgba16float", 6, 1.0))
        .texture(cube(Shape::CubeArray, "rgba16float", 12, 1.0))
        .texture(cube(Shape::Cube, "rg16uint", 6, 1.0))
        .texture(cube(Shape::CubeArray, "rgba16sint", 12, -1.0))
        .sampler(Sampler::LINEAR)
        .sampler(Sampler::NEAREST)
}

fn many_pairs(_: u32) -> Case {
    let linear = |wrap| Sampler { wrap, ..Sampler::LINEAR };
    let samplers = [linear(Wrap::Clamp), linear(Wrap::Repeat), linear(Wrap::Mirror), Sampler::NEAREST];
    // Each texture has a number of its own in front of what the others have.
    let numbered = |texture: u32| move |level, at, channel| value(level, at, channel) + 64.0 * f64::from(texture);
    let mut found = Vec::new();
    for i in 0..16 {
        for texture in 0..6 {
            for sampler in samplers {
                let at = place(i).map(|coordinate| coordinate + if sampler.is_linear { 0.0 } else { 0.0625 });
                found.push((filtered(0, at, 0, 0, sampler) + 64.0 * f64::from(texture)) as f32);
            }
        }
        // What is loaded beside it, and the store after it.
        found.push((value(0, [i % 8, i / 8, 0], 0) + 64.0 * 5.0) as f32);
    }
    let mut case = Case::new([1, 1, 1]).input(places(16)).output(bits(&found));
    for texture in 0..6 {
        case = case.texture(Texture::new(Shape::D2, "rgba16float", SIZE, 1, numbered(texture)));
    }
    case = case.texture(Texture::stored(Shape::D1, "r32uint", [16, 1, 1], |_, _| 0.0, |[x, ..], _| f64::from(x + 8)));
    samplers.into_iter().fold(case, Case::sampler)
}
