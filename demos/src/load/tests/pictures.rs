//! PNG and JPEG.

use std::path::{Path, PathBuf};

use crate::load::tests::shared_data;
use crate::load::{LoadError, picture, picture_from_bytes};

/// Every PNG of the suite; those whose names start with x are damaged on purpose.
fn suite() -> Vec<(String, PathBuf)> {
    let Some(folder) = shared_data("pngsuite") else { return Vec::new() };
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    assert!(files.len() > 150, "the suite is complete");
    files
}

/// What a PNG stores, without any expansion.
struct Stored {
    width: u32,
    height: u32,
    color: png::ColorType,
    bits: usize,
    bytes: Vec<u8>,
    pitch: usize,
    palette: Vec<u8>,
    transparent: Vec<u8>,
}

fn stored(path: &Path) -> Stored {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("readable"));
    let mut decoder = png::Decoder::new(file);
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().expect("a good header");
    let mut bytes = vec![0; reader.output_buffer_size().expect("it is small")];
    let frame = reader.next_frame(&mut bytes).expect("good data");
    bytes.truncate(frame.buffer_size());
    let info = reader.info();
    Stored {
        width: frame.width,
        height: frame.height,
        color: frame.color_type,
        bits: frame.bit_depth as usize,
        pitch: frame.line_size,
        bytes,
        palette: info.palette.as_deref().unwrap_or_default().to_vec(),
        transparent: info.trns.as_deref().unwrap_or_default().to_vec(),
    }
}

impl Stored {
    /// Sample `index` of row `y`, as it is stored.
    fn sample(&self, y: u32, index: usize) -> u32 {
        let row = &self.bytes[y as usize * self.pitch..];
        match self.bits {
            16 => u32::from(row[index * 2]) << 8 | u32::from(row[index * 2 + 1]),
            8 => u32::from(row[index]),
            bits => {
                let first = index * bits;
                u32::from(row[first / 8]) >> (8 - bits - first % 8) & ((1 << bits) - 1)
            }
        }
    }

    /// To the nearest of 0 to 255: the rule for every depth, written as a rounded division.
    fn to_byte(&self, sample: u32) -> u8 {
        let largest = (1u32 << self.bits) - 1;
        ((sample * 255 * 2 + largest) / (2 * largest)) as u8
    }

    /// Red, green, blue, alpha by the PNG specification, sections 11.2 and 11.3.2.1 (tRNS).
    fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let channels = self.color.samples();
        let samples: Vec<u32> = (0..channels).map(|channel| self.sample(y, x as usize * channels + channel)).collect();
        // The decoder keeps one byte of each below 16 bits.
        let bytes = if self.bits == 16 { 2 } else { 1 };
        let key = |channel: usize| match self.transparent.get(channel * bytes..(channel + 1) * bytes) {
            Some(key) => key.iter().fold(0, |key, &byte| key << 8 | u32::from(byte)),
            None => u32::MAX,
        };
        let byte = |channel: usize| self.to_byte(samples[channel]);
        match self.color {
            png::ColorType::Grayscale => {
                let alpha = if samples[0] == key(0) { 0 } else { 255 };
                [byte(0), byte(0), byte(0), alpha]
            }
            png::ColorType::Rgb => {
                let is_key = (0..3).all(|channel| samples[channel] == key(channel));
                [byte(0), byte(1), byte(2), if is_key { 0 } else { 255 }]
            }
            png::ColorType::Indexed => {
                let index = samples[0] as usize;
                let alpha = self.transparent.get(index).copied().unwrap_or(255);
                [self.palette[index * 3], self.palette[index * 3 + 1], self.palette[index * 3 + 2], alpha]
            }
            png::ColorType::GrayscaleAlpha => [byte(0), byte(0), byte(0), byte(1)],
            png::ColorType::Rgba => [byte(0), byte(1), byte(2), byte(3)],
        }
    }
}

/// A30: palettes, depths, transparency, 16 bits: against an expansion written here, pixel by pixel.
#[test]
fn every_picture_of_the_suite_shows_its_pixels() {
    for (name, path) in suite().into_iter().filter(|(name, _)| !name.starts_with('x')) {
        let image = picture(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let stored = stored(&path);
        assert_eq!((image.width(), image.height()), (stored.width, stored.height), "{name}");
        for (index, rgba) in image.bytes.chunks_exact(4).enumerate() {
            let (x, y) = (index as u32 % stored.width, index as u32 / stored.width);
            assert_eq!(rgba, stored.pixel(x, y), "{name} at ({x}, {y})");
        }
    }
}

/// A30: the fifteen pairs of the suite, and its small sizes, which are interlaced pictures of 1 to 40 pixels a side.
#[test]
fn interlaced_pictures_are_the_same_pictures() {
    let files = suite();
    let mut pairs = 0;
    for (name, path) in &files {
        let plain = match name.split_at(3) {
            ("bas", rest) if rest.starts_with('i') => name.replacen("basi", "basn", 1),
            (start, rest) if start.starts_with('s') && rest.starts_with('i') => format!("{start}n{}", &rest[1..]),
            _ => continue,
        };
        let (_, plain) = files.iter().find(|(name, _)| *name == plain).expect("every one has its partner");
        assert_eq!(picture(path).expect("good"), picture(plain).expect("good"), "{name}");
        pairs += 1;
    }
    assert!(files.is_empty() || pairs == 15 + 18, "{pairs} pairs");
}

/// A30: the bytes before expansion against the check sums that the suite's carrier publishes.
#[test]
fn stored_bytes_have_the_published_check_sums() {
    let Some(list) = shared_data("pngsuite/results_identity.txt") else { return };
    let list = std::fs::read_to_string(list).expect("readable");
    let mut checked = 0;
    for (name, path) in suite().into_iter().filter(|(name, _)| !name.starts_with('x')) {
        let entry = list.lines().find_map(|line| line.strip_prefix(&format!("tests/pngsuite/{name}.png: ")));
        let Some(expected) = entry.and_then(|entry| entry.parse::<u32>().ok()) else { continue };
        assert_eq!(crc32(&stored(&path).bytes), expected, "{name}");
        checked += 1;
    }
    assert!(checked > 150, "{checked} check sums");
}

/// ISO 3309, as PNG uses it.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

#[test]
fn damaged_pictures_of_the_suite_are_refused_by_name() {
    for (name, path) in suite().into_iter().filter(|(name, _)| name.starts_with('x')) {
        let error = picture(&path).expect_err(&name);
        assert!(matches!(error, LoadError::Picture { .. }), "{name}: {error}");
        assert!(error.to_string().contains(&name), "{error}");
    }
}

/// A PNG that announces a size in its header and has no more than that.
fn header_of(width: u32, height: u32) -> Vec<u8> {
    let mut header = b"IHDR".to_vec();
    header.extend([width.to_be_bytes(), height.to_be_bytes()].concat());
    header.extend([8, 6, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0d".to_vec();
    file.extend(&header);
    file.extend(crc32(&header).to_be_bytes());
    file.extend(b"\0\0\0\0IDAT\x35\xaf\x06\x1e");
    file
}

#[test]
fn huge_and_empty_sizes_are_refused_before_memory_is_taken() {
    for (width, height) in [(0, 1), (1, 0), (32_769, 1), (1, 32_769), (i32::MAX as u32, i32::MAX as u32), (u32::MAX, 1)]
    {
        let error =
            picture_from_bytes(Path::new("a.png"), "the picture", &header_of(width, height)).expect_err("no such size");
        assert!(matches!(error, LoadError::Picture { .. }), "{width} × {height}: {error}");
    }
    let error =
        picture_from_bytes(Path::new("a.png"), "the picture", &header_of(32_768, 32_768)).expect_err("a gigapixel");
    assert_eq!(error.to_string(), "`a.png`, the picture: 1073741824 pixels, at most 67108864 are loaded");
}

#[test]
fn the_content_decides_the_format() {
    let rgb = image::RgbImage::from_fn(16, 8, |_, y| image::Rgb([if y < 4 { 200 } else { 20 }, 100, 50]));
    let mut jpeg = std::io::Cursor::new(Vec::new());
    rgb.write_to(&mut jpeg, image::ImageFormat::Jpeg).expect("memory takes everything");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("really a jpeg.png");
    std::fs::write(&path, jpeg.into_inner()).expect("writable");
    let image = picture(&path).expect("a good JPEG");
    assert_eq!((image.width(), image.height()), (16, 8));
    assert!(image.bytes[0].abs_diff(200) < 8 && image.bytes[16 * 7 * 4].abs_diff(20) < 8 && image.bytes[3] == 255);
    std::fs::write(&path, b"GIF89a\x01\0\x01\0\0\0\0;").expect("writable");
    let error = picture(&path).expect_err("no GIF");
    assert!(error.to_string().ends_with("a picture that is neither PNG nor JPEG (Gif) is not supported"), "{error}");
    std::fs::write(&path, b"").expect("writable");
    assert!(matches!(picture(&path), Err(LoadError::Picture { .. })));
}
