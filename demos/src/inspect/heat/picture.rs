//! Heat maps as pictures: a colour for each value, and a legend that says which.
//!
//! Colours are those of "inferno" (Smith and van der Walt, 2015; public domain): equal steps of a value look equally far apart,
//! also in print and to the colour-blind.

use crate::inspect::heat::HeatMap;
use crate::overlay;

/// The colours of the scale from 0 to its end, equally far apart.
const SCALE: [u32; 9] =
    [0x00_0004, 0x1f_0c48, 0x55_0f6d, 0x88_226a, 0xba_3655, 0xe3_5933, 0xf9_8e09, 0xf9_cb35, 0xfc_ffa4];
/// Where there is no value.
const NOTHING: u32 = 0xff4a_545e;
/// Behind the legend.
const PAPER: u32 = 0xff10_1218;
/// Rows of the legend, and of its bar.
const LEGEND_ROWS: u32 = 36;
const BAR_ROWS: u32 = 10;
/// Pixels round the legend's parts.
const MARGIN: u32 = 6;
/// A picture narrower than this has no legend; its figures are printed.
const LEAST_WIDTH: u32 = 120;

/// The colour of a part of the scale, 0xAARRGGBB.
fn color(part: f32) -> u32 {
    // What is no number is 0.
    let part = if part >= 0.0 { part.min(1.0) } else { 0.0 };
    let place = part * (SCALE.len() - 1) as f32;
    let low = (place as usize).min(SCALE.len() - 2);
    let weight = place - low as f32;
    let channel = |shift: u32| {
        let [from, to] = [SCALE[low], SCALE[low + 1]].map(|color| (color >> shift & 255) as f32);
        ((from + (to - from) * weight + 0.5) as u32) << shift
    };
    0xff00_0000 | channel(16) | channel(8) | channel(0)
}

/// A value as the legend shows it.
fn label(value: f32) -> String {
    if value.fract() == 0.0 || value >= 100.0 { format!("{value:.0}") } else { format!("{value:.1}") }
}

impl HeatMap {
    /// The colours, 0xAARRGGBB, one for each value.
    pub fn words(&self) -> Vec<u32> {
        let end = self.scale_end();
        self.values.iter().map(|value| value.map_or(NOTHING, |value| color(value / end))).collect()
    }

    /// The map as a picture with its legend below, where it is wide enough for one: width, height, 0xAARRGGBB words.
    pub fn picture(&self) -> (u32, u32, Vec<u32>) {
        let mut words = self.words();
        if self.width < LEAST_WIDTH {
            return (self.width, self.height, words);
        }
        let height = self.height + LEGEND_ROWS;
        words.resize(self.width as usize * height as usize, PAPER);
        self.draw_legend(&mut words, height);
        (self.width, height, words)
    }

    /// The map as an overlay of a window, which has no rows to spare: the legend lies over its lowest rows.
    pub fn overlay(&self) -> Vec<u32> {
        let mut words = self.words();
        if self.width >= LEAST_WIDTH && self.height >= 2 * LEGEND_ROWS {
            let first = (self.height - LEGEND_ROWS) as usize * self.width as usize;
            words[first..].fill(PAPER);
            self.draw_legend(&mut words, self.height);
        }
        words
    }

    /// The legend in the lowest rows of a picture of `height` rows.
    fn draw_legend(&self, words: &mut [u32], height: u32) {
        let (width, top) = (self.width, height - LEGEND_ROWS);
        let end = label(self.scale_end());
        let title = format!("{}: {}", self.kind.name(), self.kind.about());
        let put = |words: &mut [u32], x: u32, y: u32, text: &str| overlay::write(words, width, height, x, y, text);
        put(words, MARGIN, top + 3, &title);
        // The bar stands between the two ends of the scale.
        let bar = top + 21;
        let left = MARGIN + overlay::width_of("0") + MARGIN;
        let right = (width - MARGIN).saturating_sub(overlay::width_of(&end) + MARGIN).max(left + 1);
        put(words, MARGIN, bar - 2, "0");
        put(words, right + MARGIN, bar - 2, &end);
        for y in bar..bar + BAR_ROWS {
            for x in left..right {
                words[(y * width + x) as usize] = color((x - left) as f32 / (right - left) as f32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::heat::{Kind, Totals};

    fn map(width: u32, height: u32) -> HeatMap {
        let values = (0..width * height).map(|index| (index > 0).then_some((index % 5) as f32)).collect();
        HeatMap { kind: Kind::Overdraw, width, height, values, totals: Totals::default() }
    }

    #[test]
    fn the_scale_begins_dark_ends_bright_and_goes_through_its_colours() {
        assert_eq!((color(0.0), color(1.0), color(0.5)), (0xff00_0004, 0xfffc_ffa4, 0xffba_3655));
        assert_eq!(color(f32::NAN), color(0.0));
        // Half way between the first two.
        assert_eq!(color(1.0 / 16.0), 0xff10_0626);
    }

    #[test]
    fn a_picture_has_its_legend_below_and_the_map_untouched() {
        let map = map(200, 50);
        let (width, height, words) = map.picture();
        assert_eq!((width, height, words.len()), (200, 86, 200 * 86));
        assert_eq!(words[..200 * 50], map.words());
        assert_eq!(words[0], NOTHING);
        assert_eq!((words[1], words[4]), (color(0.25), color(1.0)));
        let white = words[200 * 50..].iter().filter(|&&word| word == 0xffff_ffff).count();
        assert!(white > 100, "text: {white}");
        assert!(words[200 * 50..].contains(&color(0.0)));
    }

    #[test]
    fn pictures_of_any_size_are_no_fault() {
        for (width, height) in [(1, 1), (119, 1), (120, 1), (121, 71), (5, 300), (120, 72)] {
            let map = map(width, height);
            assert_eq!(map.overlay().len(), (width * height) as usize);
            let (_, rows, words) = map.picture();
            assert_eq!(words.len(), (width * rows) as usize);
        }
    }
}
