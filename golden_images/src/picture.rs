//! A decoded picture: plain RGBA bytes, from and to PNG.

use std::path::{Path, PathBuf};

use image::{ImageError, ImageFormat, ImageReader, RgbaImage};

/// Rows from the top, four bytes (red, green, blue, alpha) a pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// Why a picture could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file cannot be opened.
    #[error("cannot open picture `{path}`")]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
    /// The file is no PNG, or a damaged one.
    #[error("cannot decode `{path}` as PNG")]
    Decode {
        /// The file.
        path: PathBuf,
        /// What the decoder said.
        #[source]
        cause: image::ImageError,
    },
    /// The file cannot be written.
    #[error("cannot write picture `{path}`")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the encoder said.
        #[source]
        cause: image::ImageError,
    },
}

impl Picture {
    /// A picture of one colour.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Self {
        let rgba = color.iter().copied().cycle().take(width as usize * height as usize * 4).collect();
        Self { width, height, rgba }
    }

    /// The four channels at column `x`, row `y`.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let at = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba[at..at + 4].try_into().expect("a pixel is four bytes")
    }

    /// Reads a PNG file.
    pub fn read(path: &Path) -> Result<Self, PictureError> {
        let path_of = || path.to_path_buf();
        let mut reader = ImageReader::open(path).map_err(|cause| PictureError::Open { path: path_of(), cause })?;
        reader.set_format(ImageFormat::Png);
        let decoded = reader.decode().map_err(|cause| PictureError::Decode { path: path_of(), cause })?.into_rgba8();
        Ok(Self { width: decoded.width(), height: decoded.height(), rgba: decoded.into_raw() })
    }

    /// Writes a PNG file.
    pub fn write(&self, path: &Path) -> Result<(), PictureError> {
        let image =
            RgbaImage::from_raw(self.width, self.height, self.rgba.clone()).expect("a picture has four bytes a pixel");
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        folder
            .map_err(ImageError::from)
            .and_then(|()| image.save_with_format(path, ImageFormat::Png))
            .map_err(|cause| PictureError::Write { path: path.to_path_buf(), cause })
    }

    /// Copies `other` into this picture with its left edge at column `left`.
    pub fn paste(&mut self, other: &Self, left: u32) {
        let bytes = other.width as usize * 4;
        for y in 0..other.height.min(self.height) as usize {
            let to = (y * self.width as usize + left as usize) * 4;
            self.rgba[to..to + bytes].copy_from_slice(&other.rgba[y * bytes..(y + 1) * bytes]);
        }
    }
}
