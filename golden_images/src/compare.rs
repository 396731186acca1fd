//! Whether a picture is the reference, and where it is not.
//!
//! Before: a scene was rendered. After: the test passes, or fails with a picture of three panels (expected, actual,
//! difference) and a sentence.

use std::path::{Path, PathBuf};

use crate::picture::{Picture, PictureError};

/// How far a channel may be from the reference, and in how many pixels.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Tolerance {
    /// Largest difference of a channel that still counts as equal.
    pub channel: u8,
    /// Pixels that may differ by more.
    pub pixels: u64,
}

impl Tolerance {
    /// Every channel of every pixel. The machine is deterministic, so this is the rule; another tolerance needs a reason.
    pub const EXACT: Self = Self { channel: 0, pixels: 0 };
}

/// Why a picture is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum GoldenError {
    /// There is no reference.
    #[error("no reference picture `{path}`; look at `{actual}` and, if it is right, run again with UPDATE_GOLDEN=1")]
    Missing {
        /// Where it should be.
        path: PathBuf,
        /// Where the picture of this run was written.
        actual: PathBuf,
    },
    /// The reference has another size.
    #[error("`{name}` is {width} x {height}, its reference {expected_width} x {expected_height}")]
    Size {
        /// The golden's name.
        name: String,
        /// Width now.
        width: u32,
        /// Height now.
        height: u32,
        /// Width of the reference.
        expected_width: u32,
        /// Height of the reference.
        expected_height: u32,
    },
    /// Pixels differ.
    #[error(
        "`{name}`: {count} of {total} pixels differ, by up to {worst}/255; first at ({x}, {y}): expected {expected:?}, got {got:?}; see `{panels}`"
    )]
    Different {
        /// The golden's name.
        name: String,
        /// Pixels that differ by more than the tolerance.
        count: u64,
        /// Pixels of the picture.
        total: u64,
        /// Largest channel difference.
        worst: u8,
        /// Column of the first.
        x: u32,
        /// Row of the first.
        y: u32,
        /// Its colour in the reference.
        expected: [u8; 4],
        /// Its colour now.
        got: [u8; 4],
        /// The three-panel picture.
        panels: PathBuf,
    },
    /// The reference was renewed; says so once.
    #[error("UPDATE_GOLDEN is set: wrote `{path}`; look at it, then run again without")]
    Updated {
        /// The new reference.
        path: PathBuf,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

/// Where two pictures of one size differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Pixels with a channel farther apart than the tolerance.
    pub count: u64,
    /// Largest channel difference in the picture.
    pub worst: u8,
    /// The first such pixel, in reading order.
    pub first: Option<(u32, u32)>,
}

/// Compares two pictures of the same size channel by channel.
pub fn difference(expected: &Picture, actual: &Picture, channel: u8) -> Difference {
    assert_eq!((expected.width, expected.height), (actual.width, actual.height), "sizes are compared before pixels");
    let mut found = Difference { count: 0, worst: 0, first: None };
    for (index, (a, b)) in expected.rgba.chunks_exact(4).zip(actual.rgba.chunks_exact(4)).enumerate() {
        let apart = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().expect("a pixel has channels");
        found.worst = found.worst.max(apart);
        if apart > channel {
            found.count += 1;
            let index = index as u32;
            found.first.get_or_insert((index % expected.width, index / expected.width));
        }
    }
    found
}

/// Expected, actual and difference side by side; the difference is grey where equal and white-hot where not.
pub fn panels(expected: &Picture, actual: &Picture) -> Picture {
    const GAP: u32 = 4;
    let mut all = Picture::filled(expected.width * 3 + GAP * 2, expected.height, [255, 0, 255, 255]);
    let mut heat = Picture::filled(expected.width, expected.height, [0, 0, 0, 255]);
    for ((out, a), b) in
        heat.rgba.chunks_exact_mut(4).zip(expected.rgba.chunks_exact(4)).zip(actual.rgba.chunks_exact(4))
    {
        let apart = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().expect("a pixel has channels");
        // One level must be visible: differences start at half brightness.
        let level = if apart == 0 { 24 } else { 128 + apart / 2 };
        let red = if apart == 0 { 24 } else { 255 };
        out.copy_from_slice(&[red, level, if apart == 0 { 24 } else { apart }, 255]);
    }
    all.paste(expected, 0);
    all.paste(actual, expected.width + GAP);
    all.paste(&heat, (expected.width + GAP) * 2);
    all
}

/// Checks `actual` against `<folder>/<name>.png`. Writes `<name>.actual.png` or `<name>.difference.png` into
/// `failures` when it does not match; renews the reference when `update` is set and the picture differs.
pub fn check_in(
    folder: &Path,
    failures: &Path,
    name: &str,
    actual: &Picture,
    tolerance: Tolerance,
    update: bool,
) -> Result<(), GoldenError> {
    let path = folder.join(format!("{name}.png"));
    let renew = || -> Result<(), GoldenError> {
        actual.write(&path)?;
        Err(GoldenError::Updated { path: path.clone() })
    };
    if !path.exists() {
        if update {
            return renew();
        }
        let written = failures.join(format!("{name}.actual.png"));
        actual.write(&written)?;
        return Err(GoldenError::Missing { path, actual: written });
    }
    let expected = Picture::read(&path)?;
    if (expected.width, expected.height) != (actual.width, actual.height) {
        if update {
            return renew();
        }
        return Err(GoldenError::Size {
            name: name.to_string(),
            width: actual.width,
            height: actual.height,
            expected_width: expected.width,
            expected_height: expected.height,
        });
    }
    let found = difference(&expected, actual, tolerance.channel);
    if found.count <= tolerance.pixels {
        return Ok(());
    }
    if update {
        return renew();
    }
    let written = failures.join(format!("{name}.difference.png"));
    panels(&expected, actual).write(&written)?;
    let (x, y) = found.first.expect("a difference was counted");
    Err(GoldenError::Different {
        name: name.to_string(),
        count: found.count,
        total: u64::from(actual.width) * u64::from(actual.height),
        worst: found.worst,
        x,
        y,
        expected: expected.pixel(x, y),
        got: actual.pixel(x, y),
        panels: written,
    })
}

/// [`check_in`] with the references of this crate; failures go to `target/golden-failures` of the workspace.
pub fn check(name: &str, actual: &Picture, tolerance: Tolerance) -> Result<(), GoldenError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("references");
    let update = std::env::var_os("UPDATE_GOLDEN").is_some_and(|value| value == "1");
    let failures = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("target").join("golden-failures");
    check_in(&folder, &failures, name, actual, tolerance, update)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("golden-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&path).expect("the temporary folder can be made");
            Self(path)
        }

        fn check(&self, actual: &Picture, tolerance: Tolerance, update: bool) -> Result<(), GoldenError> {
            check_in(&self.0, &self.0, "picture", actual, tolerance, update)
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_missing_reference_fails_and_leaves_the_picture_to_look_at() {
        let folder = Folder::new("missing");
        let picture = Picture::filled(3, 2, [1, 2, 3, 255]);
        let Err(GoldenError::Missing { path, actual }) = folder.check(&picture, Tolerance::EXACT, false) else {
            panic!("a missing reference must fail")
        };
        assert!(!path.exists(), "a failing check must not make the reference");
        assert_eq!(Picture::read(&actual).expect("it was written"), picture);
    }

    #[test]
    fn renewing_writes_and_still_fails_once() {
        let folder = Folder::new("renew");
        let picture = Picture::filled(3, 2, [1, 2, 3, 255]);
        assert!(matches!(folder.check(&picture, Tolerance::EXACT, true), Err(GoldenError::Updated { .. })));
        folder.check(&picture, Tolerance::EXACT, true).expect("the second run finds the reference");
        folder.check(&picture, Tolerance::EXACT, false).expect("and so does a plain one");
    }

    #[test]
    fn one_level_of_one_channel_of_one_pixel_is_noticed() {
        let folder = Folder::new("level");
        let mut picture = Picture::filled(5, 4, [10, 20, 30, 255]);
        picture.write(&folder.0.join("picture.png")).expect("the folder is writable");
        let at = (2 * 5 + 3) * 4 + 1;
        picture.rgba[at] += 1;
        let Err(GoldenError::Different { count, worst, x, y, expected, got, panels, .. }) =
            folder.check(&picture, Tolerance::EXACT, false)
        else {
            panic!("a changed pixel must fail")
        };
        assert_eq!((count, worst, x, y), (1, 1, 3, 2));
        assert_eq!((expected, got), ([10, 20, 30, 255], [10, 21, 30, 255]));
        let panels = Picture::read(&panels).expect("three panels were written");
        assert_eq!((panels.width, panels.height), (5 * 3 + 8, 4));
        assert_eq!(panels.pixel(3, 2), [10, 20, 30, 255]);
        assert_eq!(panels.pixel(5 + 4 + 3, 2), [10, 21, 30, 255]);
        assert_eq!(panels.pixel(18 + 3, 2)[0], 255);
        assert_eq!(panels.pixel(18 + 2, 2)[0], 24);
        folder.check(&picture, Tolerance { channel: 1, pixels: 0 }, false).expect("within one level");
        folder.check(&picture, Tolerance { channel: 0, pixels: 1 }, false).expect("within one pixel");
    }

    #[test]
    fn another_size_fails() {
        let folder = Folder::new("size");
        Picture::filled(2, 2, [0; 4]).write(&folder.0.join("picture.png")).expect("the folder is writable");
        let wide = Picture::filled(3, 2, [0; 4]);
        assert!(matches!(folder.check(&wide, Tolerance::EXACT, false), Err(GoldenError::Size { .. })));
    }
}
