//! Textures and samplers of a case, in words that any implementation understands.

/// The kind of texture a shader declares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    D1,
    D2,
    D2Array,
    Cube,
    CubeArray,
    D3,
    /// A depth texture, in two dimensions or an array.
    Depth,
    DepthArray,
    /// Four samples; the layers.
    Multisampled,
}

/// A texture; texture n of a case is `@group(1) @binding(n)`.
#[derive(Clone, Debug)]
pub struct Texture {
    pub shape: Shape,
    /// WebGPU's name.
    pub format: &'static str,
    /// Across, down, and layers, slices or samples.
    pub size: [u32; 3],
    /// Texels of each level, layer after layer and row by row.
    pub levels: Vec<Vec<u8>>,
    /// What a storage texture holds after the run.
    pub after: Option<Vec<u8>>,
}

/// A sampler; sampler n of a case is `@group(2) @binding(n)`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Sampler {
    pub is_linear: bool,
    /// Between levels: not at all (the nearest one), or linearly.
    pub is_mip_linear: bool,
    pub wrap: Wrap,
    /// Whether a reference passes that is less than the texel, or equal.
    pub compares_less_equal: bool,
}

/// Beyond the edge.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Wrap {
    Clamp,
    Repeat,
    Mirror,
}

impl Sampler {
    pub const NEAREST: Self =
        Self { is_linear: false, is_mip_linear: false, wrap: Wrap::Clamp, compares_less_equal: false };
    pub const LINEAR: Self = Self { is_linear: true, ..Self::NEAREST };
}

impl Wrap {
    /// The texel of a row of `size` that a texel's number stands for.
    pub fn texel(self, n: i64, size: u32) -> u32 {
        let size = i64::from(size);
        let found = match self {
            Self::Clamp => n.clamp(0, size - 1),
            Self::Repeat => n.rem_euclid(size),
            Self::Mirror => match n.rem_euclid(2 * size) {
                n if n < size => n,
                n => 2 * size - 1 - n,
            },
        };
        found as u32
    }
}

impl Texture {
    /// A texture whose components `value` gives by level, place and channel: a number, of normalised formats in 255ths or 127ths.
    pub fn new(
        shape: Shape,
        format: &'static str,
        size: [u32; 3],
        levels: u32,
        value: impl Fn(u32, [u32; 3], u32) -> f64,
    ) -> Self {
        let level = |level: u32| {
            let [width, height, depth] = size_at(shape, size, level);
            let mut bytes = Vec::new();
            for (z, y, x) in (0..depth)
                .flat_map(|z| (0..height).map(move |y| (z, y)))
                .flat_map(|(z, y)| (0..width).map(move |x| (z, y, x)))
            {
                (0..channels(format))
                    .for_each(|channel| bytes.extend(encoded(format, value(level, [x, y, z], channel))));
            }
            bytes
        };
        Self { shape, format, size, levels: (0..levels).map(level).collect(), after: None }
    }

    /// A storage texture that holds one thing before and another after the run.
    pub fn stored(
        shape: Shape,
        format: &'static str,
        size: [u32; 3],
        before: impl Fn([u32; 3], u32) -> f64,
        after: impl Fn([u32; 3], u32) -> f64,
    ) -> Self {
        let after = Self::new(shape, format, size, 1, |_, at, channel| after(at, channel)).levels.remove(0);
        let texture = Self::new(shape, format, size, 1, |_, at, channel| before(at, channel));
        Self { after: Some(after), ..texture }
    }
}

/// The size of a level; only volumes grow flatter.
pub fn size_at(shape: Shape, [width, height, depth]: [u32; 3], level: u32) -> [u32; 3] {
    let half = |side: u32| (side >> level).max(1);
    [half(width), half(height), if shape == Shape::D3 { half(depth) } else { depth }]
}

/// Channels of a format.
fn channels(format: &str) -> u32 {
    match format {
        _ if format.starts_with("rgba") => 4,
        _ if format.starts_with("rg") => 2,
        _ => 1,
    }
}

/// The bytes of a component.
fn encoded(format: &str, value: f64) -> Vec<u8> {
    match format {
        _ if format.ends_with("32float") => (value as f32).to_le_bytes().to_vec(),
        _ if format.ends_with("16float") => half(value as f32).to_le_bytes().to_vec(),
        _ if format.contains("32") => (value as i64 as u32).to_le_bytes().to_vec(),
        _ if format.contains("16") => (value as i64 as u16).to_le_bytes().to_vec(),
        _ => vec![value as i64 as u8],
    }
}

/// A half that holds the number exactly; the programs have no others.
fn half(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    if value == 0.0 {
        return sign;
    }
    let exponent = (bits >> 23 & 0xff) as i32 - 127;
    assert!((-14..=15).contains(&exponent) && bits & 0x1fff == 0, "{value} is no half");
    sign | ((exponent + 15) as u16) << 10 | (bits >> 13 & 0x3ff) as u16
}
