//! Charts as pixels: what plotters draws, and text in a font that is part of the program, so that a chart is the same
//! picture everywhere.

use std::convert::Infallible;

use embedded_graphics::mono_font::iso_8859_1::{FONT_7X13, FONT_9X15, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, OriginDimensions, Point, Size};
use embedded_graphics::text::{Baseline, Text};
use embedded_graphics::{Drawable, Pixel};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};

type Drawn = Result<(), DrawingErrorKind<Infallible>>;

/// Four bytes a pixel, rows from the top.
pub struct Bitmap<'a> {
    pixels: &'a mut [u8],
    size: (u32, u32),
}

impl<'a> Bitmap<'a> {
    /// `pixels` holds width × height × 4 bytes.
    pub fn new(pixels: &'a mut [u8], size: (u32, u32)) -> Self {
        assert_eq!(pixels.len() as u64, u64::from(size.0) * u64::from(size.1) * 4, "a pixel has four bytes");
        Self { pixels, size }
    }
}

/// The font nearest to a size of text in pixels.
fn font(size: f64) -> &'static MonoFont<'static> {
    match size {
        ..=15.5 => &FONT_7X13,
        ..=17.0 => &FONT_9X15,
        _ => &FONT_10X20,
    }
}

fn extent(text: &str, font: &MonoFont<'_>) -> (u32, u32) {
    let cell = font.character_size;
    (text.chars().count() as u32 * (cell.width + font.character_spacing), cell.height)
}

/// A line of text as a list of its dark pixels.
struct Strokes(Vec<(i32, i32)>);

impl OriginDimensions for Strokes {
    fn size(&self) -> Size {
        Size::new(u32::MAX, u32::MAX)
    }
}

impl DrawTarget for Strokes {
    type Color = BinaryColor;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<BinaryColor>>>(&mut self, pixels: I) -> Result<(), Infallible> {
        let on = pixels.into_iter().filter(|Pixel(_, color)| *color == BinaryColor::On);
        self.0.extend(on.map(|Pixel(at, _)| (at.x, at.y)));
        Ok(())
    }
}

impl DrawingBackend for Bitmap<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        let (Ok(x), Ok(y)) = (u32::try_from(point.0), u32::try_from(point.1)) else { return Ok(()) };
        if x < self.size.0 && y < self.size.1 {
            let at = (y as usize * self.size.0 as usize + x as usize) * 4;
            let (red, green, blue) = color.rgb;
            for (old, new) in self.pixels[at..at + 3].iter_mut().zip([red, green, blue]) {
                *old = (f64::from(*old) * (1.0 - color.alpha) + f64::from(new) * color.alpha).round() as u8;
            }
        }
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, position: BackendCoord) -> Drawn {
        let font = font(style.size());
        let (width, height) = extent(text, font);
        let (width, height) = (width as i32, height as i32);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Right => -width,
            HPos::Center => -width / 2,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        let mut strokes = Strokes(Vec::new());
        let look = MonoTextStyle::new(font, BinaryColor::On);
        let Ok(_) = Text::with_baseline(text, Point::zero(), look, Baseline::Top).draw(&mut strokes);
        for (x, y) in strokes.0 {
            let (x, y) = style.transform().transform(x + left, y + top);
            self.draw_pixel((position.0 + x, position.1 + y), style.color())?;
        }
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok(extent(text, font(style.size())))
    }
}
