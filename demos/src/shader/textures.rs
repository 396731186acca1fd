//! Textures as somebody writes them down: `0:1=@wall.png,levels=all`, `0:2=gradient:16x16x4,format=rgba16float`.
//!
//! After: `images`, which makes texels of them once the shader has said what kind of texture it wants.

use std::path::PathBuf;
use std::str::FromStr;

use texture::{Format, MAX_LAYERS, MAX_SIZE};

use super::contents::{FormError, Place, form, split};

/// A picture that is computed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Zeros.
    Zero,
    /// Components are counted, texel by texel.
    Count,
    /// Looks random and is the same every time.
    Random,
    /// 1 and 0 in turns, alpha 1.
    Checker,
    /// Red, green and blue grow along x, y and z, alpha 1.
    Gradient,
}

impl Pattern {
    const NAMES: [(&'static str, Self); 5] = [
        ("zero", Self::Zero),
        ("count", Self::Count),
        ("random", Self::Random),
        ("checker", Self::Checker),
        ("gradient", Self::Gradient),
    ];
}

/// Texels across, down and deep; what is left away is what the shader's kind of texture needs at least.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Across.
    pub width: u32,
    /// Down.
    pub height: u32,
    /// Slices, layers, faces or samples.
    pub depth: Option<u32>,
}

impl FromStr for Size {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let wrong = || {
            form(format!(
                "`{text}` is no size; write WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH, as in 16x8, sides to {MAX_SIZE} and depths to {MAX_LAYERS}"
            ))
        };
        let numbers: Option<Vec<u32>> = text.split('x').map(|number| number.parse().ok()).collect();
        let numbers = numbers.ok_or_else(wrong)?;
        let (width, height, depth) = match numbers[..] {
            [width] => (width, 1, None),
            [width, height] => (width, height, None),
            [width, height, depth] => (width, height, Some(depth)),
            _ => return Err(wrong()),
        };
        let is_good = [width, height].iter().all(|side| (1..=MAX_SIZE).contains(side))
            && depth.is_none_or(|depth| (1..=MAX_LAYERS).contains(&depth));
        if is_good { Ok(Self { width, height, depth }) } else { Err(wrong()) }
    }
}

/// Where the texels come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Texels {
    /// They are computed.
    Pattern(Pattern, Size),
    /// Pictures, one for each layer.
    Pictures(Vec<PathBuf>),
    /// Texels as bytes, row by row and layer after layer.
    Raw(PathBuf, Size),
}

/// A binding and the texture there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenTexture {
    /// Which binding.
    pub place: Place,
    /// Its first level.
    pub texels: Texels,
    /// If not what is usual for the shader's kind of texture.
    pub format: Option<Format>,
    /// Levels; more than there can be are all.
    pub levels: u32,
}

impl FromStr for GivenTexture {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (place, rest) = split(text)?;
        let (mut files, mut pattern) = (Vec::new(), None);
        let (mut format, mut levels, mut size) = (None, 1, None);
        for part in rest.split(',') {
            if let Some(file) = part.strip_prefix('@') {
                if file.is_empty() {
                    return Err(form("after `@` the name of a file is missing"));
                }
                files.push(PathBuf::from(file));
            } else if let Some((key, value)) = part.split_once('=') {
                match key {
                    "format" => {
                        let known = Format::from_name(value).ok_or_else(|| {
                            form(format!(
                                "`{value}` is no format; write one as WebGPU names it, as in format=rgba8unorm"
                            ))
                        });
                        format = Some(known?);
                    }
                    "levels" => levels = levels_of(value)?,
                    "size" => size = Some(value.parse()?),
                    _ => return Err(form(format!("`{key}` in `{text}` is none of format, levels and size"))),
                }
            } else {
                let named = part.split_once(':').and_then(|(name, size)| {
                    let found = Pattern::NAMES.iter().find(|(known, _)| *known == name)?;
                    Some((found.1, size))
                });
                let (found, size) = named.ok_or_else(|| no_texels(part))?;
                if pattern.replace((found, size.parse()?)).is_some() {
                    return Err(form(format!("`{text}` has two patterns")));
                }
            }
        }
        let is_raw = |file: &PathBuf| {
            let extension = file.extension().unwrap_or_default().to_ascii_lowercase();
            !["png", "jpg", "jpeg"].iter().any(|known| extension == *known)
        };
        let texels = match (pattern, files.as_slice(), size) {
            (Some((pattern, size)), [], None) => Texels::Pattern(pattern, size),
            (Some(_), [], Some(_)) => return Err(form(format!("`{text}` gives two sizes"))),
            (Some(_), ..) => return Err(form(format!("`{text}` is a pattern and a file"))),
            (None, [], _) => return Err(no_texels(rest)),
            (None, [file], Some(size)) if is_raw(file) => Texels::Raw(file.clone(), size),
            (None, [file], None) if is_raw(file) => {
                let message = format!(
                    "`{}` is no picture by its name; of texels as bytes the size is needed, as in size=16x16",
                    file.display()
                );
                return Err(form(message));
            }
            (None, _, Some(_)) => return Err(form(format!("`{text}` gives a size; pictures have their own"))),
            (None, files, None) => Texels::Pictures(files.to_vec()),
        };
        Ok(Self { place, texels, format, levels })
    }
}

fn no_texels(text: &str) -> FormError {
    form(format!(
        "`{text}` is nothing that a texture can hold; write @FILE.png (one for each layer), @FILE with size=WxH, or zero, count, random, checker or gradient with a size, as in checker:8x8"
    ))
}

fn levels_of(text: &str) -> Result<u32, FormError> {
    match text {
        "all" => Ok(u32::MAX),
        _ => match text.parse() {
            Ok(levels @ 1..) => Ok(levels),
            _ => Err(form(format!("`{text}` is no number of levels; write levels=all or a number from 1"))),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<GivenTexture, String> {
        text.parse().map_err(|error: FormError| error.to_string())
    }

    #[test]
    fn every_form_is_read() {
        let place = Place { group: 1, binding: 2 };
        let plain = GivenTexture {
            place,
            texels: Texels::Pattern(Pattern::Checker, Size { width: 8, height: 4, depth: None }),
            format: None,
            levels: 1,
        };
        assert_eq!(given("1:2=checker:8x4"), Ok(plain.clone()));
        let size = Size { width: 3, height: 1, depth: None };
        assert_eq!(given("1:2=zero:3").map(|given| given.texels), Ok(Texels::Pattern(Pattern::Zero, size)));
        let volume = Size { width: 3, height: 2, depth: Some(5) };
        let formatted = GivenTexture {
            texels: Texels::Raw("a.bin".into(), volume),
            format: Some(Format::Rgba16Float),
            levels: u32::MAX,
            ..plain.clone()
        };
        assert_eq!(given("1:2=@a.bin,size=3x2x5,format=rgba16float,levels=all"), Ok(formatted));
        let pictures = Texels::Pictures(vec!["a.png".into(), "b.JPG".into()]);
        assert_eq!(given("1:2=@a.png,@b.JPG,levels=3"), Ok(GivenTexture { texels: pictures, levels: 3, ..plain }));
        assert_eq!(given("1:2=zero:1x1,format=depth32float").map(|given| given.format), Ok(Some(Format::R32Float)));
    }

    #[test]
    fn what_has_no_form_says_why() {
        for (text, expected) in [
            ("0:1", "no `=`"),
            ("0:1=", "checker:8x8"),
            ("0:1=@", "file"),
            ("0:1=checkers:8x8", "`checkers:8x8`"),
            ("0:1=checker", "checker:8x8"),
            ("0:1=checker:8x0", "`8x0`"),
            ("0:1=checker:8x8x8x8", "no size"),
            ("0:1=checker:99999x1", "32768"),
            ("0:1=checker:8x8,format=rgb8", "`rgb8`"),
            ("0:1=checker:8x8,levels=0", "`0`"),
            ("0:1=checker:8x8,level=1", "`level`"),
            ("0:1=checker:8x8,zero:4x4", "two patterns"),
            ("0:1=checker:8x8,@a.png", "pattern and a file"),
            ("0:1=@a.bin", "size=16x16"),
            ("0:1=@a.png,size=4x4", "their own"),
            ("0:1=@a.png,@b.bin,size=4x4", "their own"),
        ] {
            let error = given(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
