//! Text drawn over a finished picture: figures in a corner of the window.

use std::convert::Infallible;

use embedded_graphics::Drawable;
use embedded_graphics::Pixel;
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_7X13};
use embedded_graphics::pixelcolor::{Rgb888, RgbColor};
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Point, Size};
use embedded_graphics::text::{Baseline, Text};

/// Pixels from the corner of the picture to the text, and round it.
const MARGIN: u32 = 6;
/// Size of a character of the font, in pixels.
const CHARACTER: Size = Size::new(7, 13);

/// A picture as rows of 0xAARRGGBB words.
struct Canvas<'a> {
    width: u32,
    height: u32,
    words: &'a mut [u32],
}

impl OriginDimensions for Canvas<'_> {
    fn size(&self) -> Size {
        Size::new(self.width, self.height)
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Rgb888;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Rgb888>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        for Pixel(at, color) in pixels {
            let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y)) else { continue };
            if x < self.width && y < self.height {
                let word = u32::from(color.r()) << 16 | u32::from(color.g()) << 8 | u32::from(color.b());
                self.words[y as usize * self.width as usize + x as usize] = 0xff00_0000 | word;
            }
        }
        Ok(())
    }
}

/// Draws `lines` on a darkened panel in the upper left corner. `words` is `width * height` pixels, 0xAARRGGBB, rows
/// from the top. What does not fit is cut off.
pub fn draw(words: &mut [u32], width: u32, height: u32, lines: &[String]) {
    assert_eq!(words.len(), width as usize * height as usize, "a picture has width times height pixels");
    let longest = lines.iter().map(|line| line.chars().count() as u32).max().unwrap_or(0);
    let right = (longest * CHARACTER.width + 3 * MARGIN).min(width);
    let bottom = (lines.len() as u32 * CHARACTER.height + 3 * MARGIN).min(height);
    for y in MARGIN..bottom {
        for word in &mut words[(y * width + MARGIN.min(right)) as usize..(y * width + right) as usize] {
            // A third of each channel: text stays readable over any picture.
            let third = |shift: u32| (((*word >> shift) & 255) / 3) << shift;
            *word = 0xff00_0000 | third(16) | third(8) | third(0);
        }
    }
    let mut canvas = Canvas { width, height, words };
    let style = MonoTextStyle::new(&FONT_7X13, Rgb888::WHITE);
    for (row, line) in lines.iter().enumerate() {
        let at = Point::new(2 * MARGIN as i32, (2 * MARGIN + row as u32 * CHARACTER.height) as i32);
        let Ok(_) = Text::with_baseline(line, at, style, Baseline::Top).draw(&mut canvas);
    }
}

/// Writes one line of white text whose upper left corner is at (`x`, `y`); what does not fit is cut off.
pub fn write(words: &mut [u32], width: u32, height: u32, x: u32, y: u32, text: &str) {
    let mut canvas = Canvas { width, height, words };
    let style = MonoTextStyle::new(&FONT_7X13, Rgb888::WHITE);
    let Ok(_) = Text::with_baseline(text, Point::new(x as i32, y as i32), style, Baseline::Top).draw(&mut canvas);
}

/// Pixels that a line of text takes.
pub fn width_of(text: &str) -> u32 {
    text.chars().count() as u32 * CHARACTER.width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_white_on_a_darkened_panel_and_the_rest_is_untouched() {
        let mut words = vec![0xff90_6030; 200 * 100];
        draw(&mut words, 200, 100, &["I".to_string(), "II".to_string()]);
        let white = words.iter().filter(|&&word| word == 0xffff_ffff).count();
        let panel = words.iter().filter(|&&word| word == 0xff30_2010).count();
        assert!(white > 20, "three letters have strokes: {white}");
        assert_eq!(white + panel, (2 * 7 + 2 * 6) * (2 * 13 + 2 * 6));
        assert_eq!(words[99 * 200 + 199], 0xff90_6030);
    }

    #[test]
    fn a_picture_smaller_than_the_text_is_no_fault() {
        for (width, height) in [(1, 1), (3, 40), (40, 3), (17, 3)] {
            let mut words = vec![0; (width * height) as usize];
            draw(&mut words, width, height, &["a long line of text".to_string()]);
        }
    }
}
