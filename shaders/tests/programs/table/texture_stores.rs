//! Storage textures: written, read, and both.

use super::Case;
use super::images::{Shape, Texture};
use super::numbers::hash;

programs! {
    storage_floats;
    storage_integers;
    storage_in_place;
    storage_edges;
    line_edges;
    tile_blur;
}

fn storage_floats(_: u32) -> Case {
    let zero = |_: [u32; 3], _: u32| 0.0;
    // Odd sixteenths beyond what normalised formats hold; n/16 of 255 or 127 never lies halfway between two integers.
    let component = |[x, y, _]: [u32; 3], channel: u32| f64::from((x * 5 + y * 7 + channel * 3) % 25) / 8.0 - 1.4375;
    let unorm = |at: [u32; 3], channel: u32| (component(at, channel).clamp(0.0, 1.0) * 255.0 + 0.5).floor();
    let snorm = |at: [u32; 3], channel: u32| (component(at, channel).clamp(-1.0, 1.0) * 127.0 + 0.5).floor();
    Case::new([1, 1, 1])
        .texture(Texture::stored(Shape::D2, "rgba8unorm", [8, 4, 1], zero, unorm))
        .texture(Texture::stored(Shape::D2, "rgba8snorm", [8, 4, 1], zero, snorm))
        .texture(Texture::stored(Shape::D2, "rgba16float", [8, 4, 1], zero, component))
        .texture(Texture::stored(Shape::D1, "r32float", [32, 1, 1], zero, move |[x, _, _], _| {
            component([x % 8, x / 8, 0], 2) / 4.0
        }))
}

fn storage_integers(_: u32) -> Case {
    let zero = |_: [u32; 3], _: u32| 0.0;
    // Small enough for every format.
    let component = |[x, y, z]: [u32; 3], channel: u32| f64::from(hash(x + 4 * (y + 4 * z), 31) >> (8 * channel) & 63);
    Case::new([1, 1, 1])
        .texture(Texture::stored(Shape::D2Array, "rgba8uint", [4, 4, 2], zero, component))
        .texture(Texture::stored(Shape::D3, "rgba16sint", [4, 4, 2], zero, move |at, channel| {
            5.0 - component(at, channel)
        }))
        .texture(Texture::stored(Shape::D3, "r32uint", [4, 4, 2], zero, move |at, channel| {
            component(at, channel) * 1e6
        }))
        .texture(Texture::stored(Shape::D2Array, "rg32sint", [4, 4, 2], zero, move |at, channel| {
            component(at, channel) * -1e6
        }))
}

fn storage_in_place(_: u32) -> Case {
    let before = |[x, y, _]: [u32; 3], _: u32| f64::from(hash(x + 8 * y, 32) % 1000);
    let after = move |at: [u32; 3], channel: u32| {
        let mut value = before(at, channel) as u32;
        while value > 1 && value < 5000 {
            value = if value.is_multiple_of(2) { value / 2 } else { 3 * value + 1 };
        }
        f64::from(value)
    };
    let signed = |[x, y, _]: [u32; 3], _: u32| f64::from(x) - f64::from(y);
    Case::new([4, 1, 1])
        .texture(Texture::stored(Shape::D2, "r32uint", [8, 8, 1], before, after))
        .texture(Texture::stored(Shape::D2, "r32sint", [8, 8, 1], signed, move |at, c| -3.0 * signed(at, c)))
        .texture(Texture::stored(Shape::D2, "r32float", [8, 8, 1], signed, move |at, c| signed(at, c) / 4.0 + 1.0))
}

fn storage_edges(_: u32) -> Case {
    let zero = |_: [u32; 3], _: u32| 0.0;
    // Of eight numbers the third to the fifth are 0 to 2; what stores there is invocation `i`.
    let i = |[x, y, z]: [u32; 3]| f64::from(x + 4 * y + 8 * (z + 2));
    let texture =
        |shape, format, after: &dyn Fn([u32; 3], u32) -> f64| Texture::stored(shape, format, [4, 2, 3], zero, after);
    Case::new([1, 1, 1])
        .texture(texture(Shape::D2Array, "r32uint", &|at, _| i(at) + 100.0))
        .texture(texture(Shape::D2Array, "r32uint", &|_, _| 1.0))
        .texture(texture(Shape::D2Array, "rg32sint", &|at, channel| if channel == 0 { i(at) } else { -i(at) }))
        .texture(texture(Shape::D3, "r32uint", &|at, _| i(at) + 200.0))
}

fn line_edges(_: u32) -> Case {
    let texture = |after: fn(u32) -> f64| {
        Texture::stored(Shape::D1, "r32uint", [3, 1, 1], |_, _| 0.0, move |[x, ..], _| after(x))
    };
    Case::new([1, 1, 1]).texture(texture(|x| f64::from(x) + 300.0)).texture(texture(|_| 1.0))
}

fn tile_blur(_: u32) -> Case {
    let value = |_: u32, [x, y, _]: [u32; 3], _: u32| f64::from(hash(x + 16 * y, 33) % 100);
    let sum = move |[x, y, _]: [u32; 3], channel: u32| {
        let near = |n: u32| [n.max(1) - 1, n, (n + 1).min(15)];
        let weights = [1.0, 2.0, 1.0];
        let rows = near(y).into_iter().zip(weights);
        rows.flat_map(|(y, row)| {
            near(x).into_iter().zip(weights).map(move |(x, weight)| row * weight * value(0, [x, y, 0], channel))
        })
        .sum()
    };
    Case::new([2, 2, 1]).texture(Texture::new(Shape::D2, "r32uint", [16, 16, 1], 1, value)).texture(Texture::stored(
        Shape::D2,
        "r32uint",
        [16, 16, 1],
        |_, _| 0.0,
        sum,
    ))
}
