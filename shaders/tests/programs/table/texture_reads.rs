//! Textures read texel by texel, and asked for their sizes.

use super::Case;
use super::images::{Shape, Texture, size_at};
use super::numbers::{bits, hash, signed};

programs! {
    texture_loads;
    integer_loads;
    depth_loads;
    sample_loads;
    sample_edges;
    texture_questions;
    texture_edges;
    arrow_walk;
}

/// A number of 0 to 999 for each component.
fn small(seed: u32) -> impl Fn(u32, [u32; 3], u32) -> f64 {
    move |level, [x, y, z], channel| f64::from(hash(x + 64 * (y + 64 * (z + 64 * (level + 8 * channel))), seed) % 1000)
}

fn texel(value: &impl Fn(u32, [u32; 3], u32) -> f64, level: u32, at: [u32; 3], channels: u32) -> [f32; 4] {
    let absent = |channel: u32| if channel == 3 { 1.0 } else { 0.0 };
    [0, 1, 2, 3].map(|channel| if channel < channels { value(level, at, channel) as f32 } else { absent(channel) })
}

fn texture_loads(_: u32) -> Case {
    let (line, plane, layers, volume) = (small(1), small(2), small(3), small(4));
    let mut found = Vec::new();
    for i in 0..32 {
        found.extend(texel(&line, 0, [i % 8, 0, 0], 1));
        let level = i % 3;
        let [width, height, _] = size_at(Shape::D2, [8, 4, 1], level);
        found.extend(texel(&plane, level, [i / 3 % width, i / 5 % height, 0], 4));
        found.extend(texel(&layers, 0, [i % 3, i / 7 % 2, i % 4], 2));
        let level = i % 2;
        let [width, height, depth] = size_at(Shape::D3, [4, 2, 6], level);
        found.extend(texel(&volume, level, [i % width, i / 4 % height, i / 5 % depth], 1));
    }
    Case::new([1, 1, 1])
        .output(bits(&found))
        .texture(Texture::new(Shape::D1, "r32float", [8, 1, 1], 1, line))
        .texture(Texture::new(Shape::D2, "rgba16float", [8, 4, 1], 3, plane))
        .texture(Texture::new(Shape::D2Array, "rg32float", [3, 2, 4], 1, layers))
        .texture(Texture::new(Shape::D3, "r32float", [4, 2, 6], 2, volume))
}

fn integer_loads(_: u32) -> Case {
    let byte = |level: u32, [x, y, _]: [u32; 3], channel: u32| {
        f64::from(hash(x + 16 * y + 256 * level + 1024 * channel, 5) % 256) - 128.0
    };
    let word = |_: u32, [x, y, z]: [u32; 3], _: u32| f64::from(hash(x + 4 * (y + 4 * z), 6));
    let (mut unsigned, mut integers) = (Vec::new(), Vec::new());
    for i in 0..16u32 {
        let at = [i % 4, i / 4, 0];
        // As a byte without sign, and as one with sign.
        unsigned.extend([0, 1, 2, 3].map(|channel| byte(0, at, channel) as i32 as u32 & 255));
        unsigned.extend([word(0, [i % 4, i / 4 % 2, i / 8], 0) as u32, 0, 0, 1]);
        integers.extend([0, 1, 2, 3].map(|channel| byte(0, at, channel) as i32));
        integers.extend([byte(1, [i % 2, i / 2 % 2, 0], 0) as i32, byte(1, [i % 2, i / 2 % 2, 0], 1) as i32, 0, 1]);
    }
    Case::new([2, 1, 1])
        .output(unsigned)
        .output(signed(&integers))
        .texture(Texture::new(Shape::D2, "rgba8uint", [4, 4, 1], 1, byte))
        .texture(Texture::new(Shape::D3, "r32uint", [4, 2, 2], 1, word))
        .texture(Texture::new(Shape::D2, "rgba8sint", [4, 4, 1], 1, byte))
        .texture(Texture::new(Shape::D2, "rg16sint", [4, 4, 1], 2, byte))
}

/// A depth of 64ths.
fn depth(level: u32, [x, y, z]: [u32; 3], _: u32) -> f64 {
    f64::from(hash(x + 16 * (y + 16 * (z + 16 * level)), 7) % 65) / 64.0
}

fn depth_loads(_: u32) -> Case {
    let mut found = Vec::new();
    for i in 0..16 {
        found.push(depth(0, [i % 4, i / 4, 0], 0) as f32);
        found.push(depth(1, [i % 2, i / 4 % 2, 0], 0) as f32);
        found.push(depth(0, [i % 4, i / 4 % 2, i % 3], 0) as f32);
    }
    Case::new([1, 1, 1])
        .output(bits(&found))
        .texture(Texture::new(Shape::Depth, "depth32float", [4, 4, 1], 2, depth))
        .texture(Texture::new(Shape::DepthArray, "depth32float", [4, 2, 3], 1, depth))
}

fn sample_loads(_: u32) -> Case {
    let value = small(8);
    let mut found = Vec::new();
    for i in 0..12 {
        let at = [i % 3, i / 3 % 2, 0];
        let samples = [0, 1, 2, 3].map(|sample| value(0, [at[0], at[1], sample], 0) as f32);
        found.extend([samples.iter().sum(), samples[i as usize % 4], 4.0]);
    }
    Case::new([1, 1, 1]).output(bits(&found)).texture(Texture::new(
        Shape::Multisampled,
        "r32float",
        [3, 2, 4],
        1,
        value,
    ))
}

fn sample_edges(_: u32) -> Case {
    let (value, integer) = (small(11), small(12));
    const NUMBERS: [i32; 11] = [-2147483647, -65535, -1, 0, 1, 2, 3, 4, 65537, 131072, 2147483647];
    let clamp = |n: i32, size: i32| n.clamp(0, size - 1) as u32;
    let (mut found, mut counted) = (Vec::new(), Vec::new());
    for i in 0..55 {
        let (x, y, n) = (clamp(i % 5 - 1, 3), clamp(i / 5 % 4 - 1, 2), NUMBERS[i as usize % 11]);
        // A number below zero is one far above where it is read as unsigned.
        let (signed, unsigned) = (clamp(n, 4), if n < 0 { 3 } else { clamp(n, 4) });
        found.extend([value(0, [x, y, signed], 0), value(0, [x, y, unsigned], 0), depth(0, [x, y, signed], 0)]);
        counted.push(integer(0, [x, y, unsigned], 1) as u32);
    }
    let found: Vec<_> = found.into_iter().map(|value| value as f32).collect();
    let size = [3, 2, 4];
    Case::new([1, 1, 1])
        .output(bits(&found))
        .output(counted)
        .texture(Texture::new(Shape::Multisampled, "r32float", size, 1, value))
        .texture(Texture::new(Shape::Multisampled, "depth32float", size, 1, depth))
        .texture(Texture::new(Shape::Multisampled, "rg16uint", size, 1, integer))
}

fn texture_questions(_: u32) -> Case {
    let zero = |_: u32, _: [u32; 3], _: u32| 0.0;
    let texture = |shape, size, levels| Texture::new(shape, "rgba8unorm", size, levels, zero);
    // Width, height, depth of level 0, of level 1, levels, layers.
    let answers: [[u32; 8]; 5] = [
        [9, 0, 0, 9, 0, 0, 1, 0],
        [5, 3, 0, 2, 1, 0, 3, 0],
        [4, 6, 0, 2, 3, 0, 2, 5],
        [5, 8, 7, 2, 4, 3, 4, 0],
        [4, 4, 0, 2, 2, 0, 3, 2],
    ];
    Case::new([1, 1, 1])
        .output([answers.concat(), vec![6, 4, 4, 4, 6, 2, 3]].concat())
        .texture(texture(Shape::D1, [9, 1, 1], 1))
        .texture(texture(Shape::D2, [5, 3, 1], 3))
        .texture(texture(Shape::D2Array, [4, 6, 5], 2))
        .texture(texture(Shape::D3, [5, 8, 7], 4))
        .texture(texture(Shape::CubeArray, [4, 4, 12], 3))
        .texture(Texture::stored(Shape::D2, "rgba8unorm", [6, 4, 1], |_, _| 0.0, |_, _| 0.0))
        .texture(texture(Shape::Cube, [4, 4, 6], 1))
        .texture(Texture::stored(Shape::D2Array, "r32float", [6, 2, 3], |_, _| 0.0, |_, _| 0.0))
}

fn texture_edges(_: u32) -> Case {
    let value = small(9);
    let clamp = |n: i32, size: i32| n.clamp(0, size - 1) as u32;
    let mut found = Vec::new();
    for i in 0..36 {
        let (x, y) = (i % 6 - 1, i / 6 - 1);
        found.push(value(0, [clamp(x, 4), clamp(y, 4), clamp(x + y - 1, 3)], 0) as f32);
        let level = clamp(x - 1, 2);
        let side = 4 >> level;
        found.push(value(level, [clamp(y, side), clamp(x, side), clamp(y, 3)], 0) as f32);
    }
    let plane = |[x, y, _]: [u32; 3], _: u32| f64::from(x + 4 * y);
    // Each invocation adds 100 where it stands; those outside store nowhere.
    Case::new([1, 1, 1])
        .output(bits(&found))
        .texture(Texture::new(Shape::D2Array, "r32float", [4, 4, 3], 2, value))
        .texture(Texture::stored(Shape::D2, "r32uint", [4, 4, 1], plane, |at, c| plane(at, c) + 100.0))
}

fn arrow_walk(_: u32) -> Case {
    let map = |_: u32, [x, y, _]: [u32; 3], _: u32| f64::from(hash(x + 8 * y, 10) % 9 % 5);
    let mut found = Vec::new();
    for start in 0..64 {
        let (mut x, mut y, mut steps) = (start % 8, start / 8, 0);
        while steps < 20 {
            match map(0, [x, y, 0], 0) as u32 {
                0 => x = (x + 1) & 7,
                1 => x = (x + 7) & 7,
                2 => y = (y + 1) & 7,
                3 => y = (y + 7) & 7,
                _ => break,
            }
            steps += 1;
        }
        found.push(steps * 64 + y * 8 + x);
    }
    Case::new([2, 1, 1]).output(found).texture(Texture::new(Shape::D2, "r8uint", [8, 8, 1], 1, map))
}
