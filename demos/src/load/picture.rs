//! Pictures: PNG and JPEG files become RGBA8 images of one level.
//!
//! The content decides the format, not the name. Palettes and 1-, 2- and 4-bit greys widen to 8 bits, grey fills three channels,
//! transparency becomes alpha. 16-bit channels are reduced to the nearest 8-bit value, `(v + 128) / 257` in integers.
//! No colour management: the bytes are what the file stores (gamma and profiles are ignored).

use std::io::Cursor;
use std::path::Path;

use image::{ImageFormat, ImageReader, Limits};
use texture::{Format, Image, MAX_SIZE};

use crate::load::error::LoadError;
use crate::load::reference::read_file;

/// Most pixels of a picture: 8192 × 8192.
pub const MAX_PIXELS: u64 = 1 << 26;

/// Loads a PNG or JPEG file.
///
/// # Errors
/// No such file; neither PNG nor JPEG; damaged; sides beyond [`MAX_SIZE`] or more than [`MAX_PIXELS`] pixels.
pub fn picture(path: impl AsRef<Path>) -> Result<Image, LoadError> {
    let file = path.as_ref();
    picture_from_bytes(file, "the picture", &read_file(file)?)
}

/// Decodes a PNG or JPEG that is already in memory; `file` and `place` are for the error message.
///
/// # Errors
/// As [`picture`], except for reading.
pub fn picture_from_bytes(file: &Path, place: &str, bytes: &[u8]) -> Result<Image, LoadError> {
    let failed = |source| LoadError::Picture { file: file.to_path_buf(), place: place.to_owned(), source };
    let format = image::guess_format(bytes).map_err(failed)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg) {
        return Err(LoadError::Unsupported {
            file: file.to_path_buf(),
            place: place.to_owned(),
            what: format!("a picture that is neither PNG nor JPEG ({format:?}) is"),
        });
    }
    let reader = || {
        let mut limits = Limits::default();
        limits.max_image_width = Some(MAX_SIZE);
        limits.max_image_height = Some(MAX_SIZE);
        // Of the decoder: the picture at 16 bits in four channels, and as much again for its work.
        limits.max_alloc = Some(MAX_PIXELS * 16);
        let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
        reader.limits(limits);
        reader
    };
    let (width, height) = reader().into_dimensions().map_err(failed)?;
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(LoadError::TooMany {
            file: file.to_path_buf(),
            place: place.to_owned(),
            what: "pixels",
            count: pixels,
            most: MAX_PIXELS,
        });
    }
    let rgba = reader().decode().map_err(failed)?.into_rgba8();
    let (width, height) = rgba.dimensions();
    Image::new(Format::Rgba8, width, height, rgba.into_raw()).map_err(|error| LoadError::Damaged {
        file: file.to_path_buf(),
        place: place.to_owned(),
        reason: error.to_string(),
    })
}
