//! Samplers as somebody writes them down: `0:1=linear,repeat,mip=linear`. What is left away is as in WebGPU: the nearest texel of the
//! nearest level, clamped to the edge.

use std::str::FromStr;

use raster::{Compare, MipFilter, Sampler};
use texture::{Filter, Wrap};

use super::contents::{FormError, Place, form, split};

/// A binding and the sampler there.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GivenSampler {
    /// Which binding.
    pub place: Place,
    /// What it says.
    pub sampler: Sampler,
}

/// What a sampler is when nothing is said of it.
const USUAL: Sampler = Sampler {
    wrap_u: Wrap::Clamp,
    wrap_v: Wrap::Clamp,
    wrap_w: Wrap::Clamp,
    mip_filter: MipFilter::Nearest,
    ..Sampler::POINT
};

const FILTERS: [(&str, Filter); 2] = [("nearest", Filter::Point), ("linear", Filter::Bilinear)];
const WRAPS: [(&str, Wrap); 4] =
    [("clamp", Wrap::Clamp), ("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror), ("border", Wrap::Border)];
const MIP_FILTERS: [(&str, MipFilter); 3] =
    [("none", MipFilter::None), ("nearest", MipFilter::Nearest), ("linear", MipFilter::Linear)];
const COMPARISONS: [(&str, Compare); 8] = [
    ("never", Compare::Never),
    ("less", Compare::Less),
    ("equal", Compare::Equal),
    ("less-equal", Compare::LessEqual),
    ("greater", Compare::Greater),
    ("not-equal", Compare::NotEqual),
    ("greater-equal", Compare::GreaterEqual),
    ("always", Compare::Always),
];

fn named<T: Copy>(names: &[(&str, T)], key: &str, name: &str) -> Result<T, FormError> {
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(known, _)| *known).collect();
        form(format!("`{name}` is no {key}; there are {}", known.join(", ")))
    })
}

impl FromStr for GivenSampler {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (place, rest) = split(text)?;
        let mut sampler = USUAL;
        let mut minified = None;
        for part in rest.split(',') {
            let number =
                |value: &str| value.parse::<f32>().map_err(|_| form(format!("`{value}` in `{part}` is no number")));
            match part.split_once('=') {
                None if WRAPS.iter().any(|(name, _)| *name == part) => {
                    let wrap = named(&WRAPS, "wrap", part)?;
                    (sampler.wrap_u, sampler.wrap_v, sampler.wrap_w) = (wrap, wrap, wrap);
                }
                None if FILTERS.iter().any(|(name, _)| *name == part) => {
                    sampler.filter = named(&FILTERS, "filter", part)?
                }
                Some(("min", value)) => minified = Some(named(&FILTERS, "filter", value)?),
                Some(("mag", value)) => sampler.mag_filter = Some(named(&FILTERS, "filter", value)?),
                Some(("mip", value)) => sampler.mip_filter = named(&MIP_FILTERS, "mip filter", value)?,
                Some(("u", value)) => sampler.wrap_u = named(&WRAPS, "wrap", value)?,
                Some(("v", value)) => sampler.wrap_v = named(&WRAPS, "wrap", value)?,
                Some(("w", value)) => sampler.wrap_w = named(&WRAPS, "wrap", value)?,
                Some(("compare", value)) => sampler.compare = Some(named(&COMPARISONS, "comparison", value)?),
                Some(("lod", value)) => {
                    let (least, most) = value.split_once("..").ok_or_else(|| {
                        form(format!("`{value}` is no range of levels; write lod=LEAST..MOST, as in lod=0..3"))
                    })?;
                    (sampler.lod_min, sampler.lod_max) = (number(least)?, number(most)?);
                }
                Some(("bias", value)) => sampler.lod_bias = number(value)?,
                Some(("anisotropy", value)) => {
                    let taps = value.parse();
                    sampler.max_anisotropy =
                        taps.map_err(|_| form(format!("`{value}` in `{part}` is no number of samples")))?;
                }
                Some(("border", value)) => {
                    let color = (value.len() == 8).then(|| u32::from_str_radix(value, 16).ok()).flatten();
                    sampler.border = color.ok_or_else(|| {
                        form(format!("`{value}` is no colour; write border=AARRGGBB in hexadecimal digits"))
                    })?;
                }
                _ => {
                    return Err(form(format!(
                        "`{part}` says nothing of a sampler; write nearest or linear, clamp, repeat, mirror or border, or one of min=, mag=, mip=, u=, v=, w=, compare=, lod=, bias=, anisotropy=, border="
                    )));
                }
            }
        }
        // A sampler's one filter is that of minification; the other is told only where it differs.
        if let Some(minified) = minified {
            let magnified = sampler.mag_filter.unwrap_or(sampler.filter);
            (sampler.filter, sampler.mag_filter) = (minified, Some(magnified));
        }
        sampler.mag_filter = sampler.mag_filter.filter(|filter| *filter != sampler.filter);
        sampler.check().map_err(|error| form(format!("`{text}`: {error}")))?;
        Ok(Self { place, sampler })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> Result<Sampler, String> {
        text.parse::<GivenSampler>().map(|given| given.sampler).map_err(|error| error.to_string())
    }

    #[test]
    fn every_word_is_read() {
        assert_eq!(given("0:1=nearest"), Ok(USUAL));
        let repeat = Sampler { wrap_u: Wrap::Repeat, wrap_v: Wrap::Repeat, wrap_w: Wrap::Repeat, ..USUAL };
        assert_eq!(given("0:1=linear,repeat"), Ok(Sampler { filter: Filter::Bilinear, ..repeat }));
        let wraps = Sampler { wrap_u: Wrap::Mirror, wrap_v: Wrap::Border, border: 0xff00_0102, ..USUAL };
        assert_eq!(given("0:1=u=mirror,v=border,border=ff000102"), Ok(wraps));
        let two = Sampler { filter: Filter::Bilinear, mag_filter: Some(Filter::Point), ..USUAL };
        assert_eq!(given("0:1=min=linear"), Ok(two));
        assert_eq!(given("0:1=linear,mag=nearest"), Ok(two));
        assert_eq!(given("0:1=linear,mag=linear,min=linear"), Ok(Sampler { filter: Filter::Bilinear, ..USUAL }));
        let levels = Sampler { mip_filter: MipFilter::Linear, lod_min: 0.5, lod_max: 3.0, lod_bias: -1.0, ..USUAL };
        assert_eq!(given("0:1=mip=linear,lod=0.5..3,bias=-1"), Ok(levels));
        let shadow = Sampler { compare: Some(Compare::LessEqual), filter: Filter::Bilinear, ..USUAL };
        assert_eq!(given("0:1=compare=less-equal,linear"), Ok(shadow));
        assert_eq!(given("0:1=linear,anisotropy=4").map(|sampler| sampler.max_anisotropy), Ok(4));
    }

    #[test]
    fn what_has_no_form_says_why() {
        for (text, expected) in [
            ("0:1", "no `=`"),
            ("0:1=", "nearest or linear"),
            ("0:1=bilinear", "`bilinear`"),
            ("0:1=mip=trilinear", "none, nearest, linear"),
            ("0:1=compare=lessequal", "less-equal"),
            ("0:1=lod=3", "lod=0..3"),
            ("0:1=lod=3..1", "limited to 3 to 1"),
            ("0:1=bias=x", "`x`"),
            ("0:1=anisotropy=4", "bilinear"),
            ("0:1=linear,anisotropy=17", "1 to 16"),
            ("0:1=border=red", "AARRGGBB"),
        ] {
            let error = given(text).expect_err(text);
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
