//! The rules of Vulkan's "Image Operations" in `f64`, written down once more and from the specification alone.

use crate::questions::Question;
use raster::{MipFilter, Sampler, TextureDimension};
use texture::{Filter, Format, Image, Wrap};

/// A colour, red first; and whether a small error of the coordinates, or of the level of detail, would give another texel or level.
#[derive(Copy, Clone, Debug)]
pub struct Answer {
    pub color: [f64; 4],
    pub is_delicate: bool,
}

struct Model<'a> {
    image: &'a Image,
    sampler: Sampler,
    wraps: [Wrap; 2],
    is_delicate: bool,
}

/// How near to a decision is too near to tell.
const DELICATE: f64 = 0.01;

pub fn answer(image: &Image, dimension: TextureDimension, sampler: Sampler, question: &Question) -> Answer {
    let is_cube = matches!(dimension, TextureDimension::Cube | TextureDimension::CubeArray);
    let wraps = if is_cube { [Wrap::Clamp; 2] } else { [sampler.wrap_u, sampler.wrap_v] };
    let mut model = Model { image, sampler, wraps, is_delicate: false };
    let wide = |values: [f32; 4]| values.map(f64::from);
    let (at, ddx, ddy) = (wide(question.at), wide(question.ddx), wide(question.ddy));
    let (mut layer, st, dx, dy) = if is_cube {
        let (face, st, dx, dy) = model.cube(at, ddx, ddy);
        let cubes = image.layers / 6;
        let cube =
            if dimension == TextureDimension::Cube { 0 } else { question.layer.clamp(0, cubes as i32 - 1) as u32 };
        (6 * cube + face, st, dx, dy)
    } else {
        (question.layer.clamp(0, image.layers as i32 - 1) as u32, [at[0], at[1]], [ddx[0], ddx[1]], [ddy[0], ddy[1]])
    };
    if matches!(dimension, TextureDimension::D1 | TextureDimension::D2) {
        layer = 0;
    }
    let st = if dimension == TextureDimension::D1 { [st[0], 0.5] } else { st };
    let color = if question.level.is_nan() {
        model.by_gradients(layer, st, dx, dy)
    } else {
        model.at(layer, st, f64::from(question.level) + f64::from(sampler.lod_bias))
    };
    Answer { color, is_delicate: model.is_delicate }
}

impl Model<'_> {
    fn near(&mut self, a: f64, b: f64) {
        self.is_delicate |= (a - b).abs() < DELICATE;
    }

    /// Table "Cube map face and coordinate selection", and the derivatives of s = ½·sc/|rc| + ½.
    fn cube(&mut self, r: [f64; 4], dx: [f64; 4], dy: [f64; 4]) -> (u32, [f64; 2], [f64; 2], [f64; 2]) {
        let [x, y, z] = [r[0].abs(), r[1].abs(), r[2].abs()];
        let (axis, others) = if z >= x && z >= y {
            (2, x.max(y))
        } else if y >= x {
            (1, x.max(z))
        } else {
            (0, y.max(z))
        };
        self.near(r[axis].abs() / others.max(1e-9), 1.0);
        let is_negative = r[axis] < 0.0;
        let face = 2 * axis as u32 + u32::from(is_negative);
        let split = |v: [f64; 4]| match face {
            0 => [-v[2], -v[1], v[0]],
            1 => [v[2], -v[1], -v[0]],
            2 => [v[0], v[2], v[1]],
            3 => [v[0], -v[2], -v[1]],
            4 => [v[0], -v[1], v[2]],
            _ => [-v[0], -v[1], -v[2]],
        };
        let [sc, tc, rc] = split(r);
        let derivative = |d: [f64; 4]| {
            let [ds, dt, dr] = split(d);
            [0.5 * (rc * ds - sc * dr) / (rc * rc), 0.5 * (rc * dt - tc * dr) / (rc * rc)]
        };
        (face, [0.5 * sc / rc + 0.5, 0.5 * tc / rc + 0.5], derivative(dx), derivative(dy))
    }

    /// "Scale Factor Operation", "LOD Operation", and for anisotropic samplers the taps along the longer axis.
    fn by_gradients(&mut self, layer: u32, [s, t]: [f64; 2], dx: [f64; 2], dy: [f64; 2]) -> [f64; 4] {
        let (w, h) = (f64::from(self.image.width()), f64::from(self.image.height()));
        let length = |d: [f64; 2]| (d[0] * w).hypot(d[1] * h);
        let (x, y) = (length(dx), length(dy));
        let (longer, shorter) = (x.max(y), x.min(y));
        let bias = f64::from(self.sampler.lod_bias);
        if self.sampler.max_anisotropy <= 1 {
            return self.at(layer, [s, t], longer.log2() + bias);
        }
        let most = f64::from(self.sampler.max_anisotropy);
        let ratio = longer / shorter;
        if ratio < most {
            self.near(ratio, ratio.round());
        }
        self.near(x / y, 1.0);
        let count = ratio.ceil().clamp(1.0, most);
        let axis = if x > y { dx } else { dy };
        let lambda = (longer / count).log2() + bias;
        let mut sum = [0.0; 4];
        for i in 1..=count as u32 {
            let along = f64::from(i) / (count + 1.0) - 0.5;
            let color = self.at(layer, [s + along * axis[0], t + along * axis[1]], lambda);
            for (sum, channel) in sum.iter_mut().zip(color) {
                *sum += channel / count;
            }
        }
        sum
    }

    /// One sample at a level of detail: limits, filter by magnification, levels.
    fn at(&mut self, layer: u32, st: [f64; 2], lambda: f64) -> [f64; 4] {
        let Sampler { lod_min, lod_max, filter, mag_filter, mip_filter, .. } = self.sampler;
        let lambda = lambda.clamp(lod_min.into(), lod_max.into());
        let filter = match mag_filter {
            Some(other) if other != filter => {
                self.near(lambda, 0.0);
                if lambda <= 0.0 { other } else { filter }
            }
            _ => filter,
        };
        let last = (self.image.levels.len() - 1) as f64;
        let level = lambda.clamp(0.0, last);
        match mip_filter {
            MipFilter::None => self.in_level(layer, 0, st, filter),
            MipFilter::Nearest => {
                self.near(level, level.floor() + 0.5);
                self.in_level(layer, ((level + 0.5).ceil() - 1.0) as usize, st, filter)
            }
            MipFilter::Linear => {
                let fine = self.in_level(layer, level.floor() as usize, st, filter);
                let coarse = self.in_level(layer, (level.floor() + 1.0).min(last) as usize, st, filter);
                mix(fine, coarse, level.fract())
            }
        }
    }

    fn in_level(&mut self, layer: u32, level: usize, [s, t]: [f64; 2], filter: Filter) -> [f64; 4] {
        let (w, h) = (self.image.levels[level].width, self.image.levels[level].height);
        let (u, v) = (s * f64::from(w), t * f64::from(h));
        match filter {
            Filter::Point => {
                self.near(u, u.round());
                self.near(v, v.round());
                self.texel(layer, level, [u.floor() as i64, v.floor() as i64])
            }
            Filter::Bilinear => {
                let (u, v) = (u - 0.5, v - 0.5);
                let (i, j) = (u.floor() as i64, v.floor() as i64);
                let row = |j| {
                    let (a, b) = (self.texel(layer, level, [i, j]), self.texel(layer, level, [i + 1, j]));
                    mix(a, b, u - u.floor())
                };
                let (upper, lower) = (row(j), row(j + 1));
                mix(upper, lower, v - v.floor())
            }
        }
    }

    /// "Wrapping Operation", "Texel Replacement", "Texel sRGB conversion".
    fn texel(&self, layer: u32, level: usize, place: [i64; 2]) -> [f64; 4] {
        let sizes = [self.image.levels[level].width, self.image.levels[level].height].map(i64::from);
        let wrapped = [0, 1].map(|axis: usize| {
            let (index, size) = (place[axis], sizes[axis]);
            match self.wraps[axis] {
                Wrap::Repeat => Some(index.rem_euclid(size)),
                Wrap::Clamp => Some(index.clamp(0, size - 1)),
                Wrap::Border => (0..size).contains(&index).then_some(index),
                Wrap::Mirror => {
                    let n = index.rem_euclid(2 * size) - size;
                    Some(size - 1 - if n >= 0 { n } else { -(1 + n) })
                }
            }
        });
        match wrapped {
            [Some(x), Some(y)] => {
                let texel = self.image.channels(layer, level, x as u32, y as u32);
                texel.map(|channel| f64::from(f32::from_bits(channel)))
            }
            _ => {
                let border = self.sampler.border;
                let all = [16, 8, 0, 24].map(|shift| f64::from(border >> shift & 255) / 255.0);
                // "Conversion to RGBA": missing channels are 0, 0, 1 in the border too.
                let stored = match self.image.format {
                    Format::R8 | Format::R8Snorm | Format::R16Float | Format::R32Float => 1,
                    Format::Rg8 | Format::Rg32Float => 2,
                    Format::R5G6B5 | Format::Rg11B10Float => 3,
                    _ => 4,
                };
                let missing = [0.0, 0.0, 0.0, 1.0];
                std::array::from_fn(|channel| if channel < stored { all[channel] } else { missing[channel] })
            }
        }
    }
}

fn mix(a: [f64; 4], b: [f64; 4], weight: f64) -> [f64; 4] {
    std::array::from_fn(|channel| a[channel] * (1.0 - weight) + b[channel] * weight)
}
