//! Files written whole or not at all: first under a temporary name in the same folder, then renamed.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Why a file was not written. What stood there before is untouched.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The path ends in no file name, or names a folder.
    #[error("`{}` is no file name", file.display())]
    NoFileName {
        /// The path asked for.
        file: PathBuf,
    },
    /// The system refuses: no such folder, no permission, no space.
    #[error("cannot write `{}`", file.display())]
    Write {
        /// The path asked for.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// The pixels do not fill the picture.
    #[error("a picture of {width} × {height} pixels takes {expected} bytes, not {given}")]
    PixelCount {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Four bytes a pixel.
        expected: u64,
        /// Bytes given.
        given: u64,
    },
    /// The encoder refuses.
    #[error("cannot encode `{}` as PNG", file.display())]
    Encode {
        /// The path asked for.
        file: PathBuf,
        /// What the encoder says.
        #[source]
        source: png::EncodingError,
    },
}

/// A file being written: the path holds the old content until [`PendingFile::commit`], and keeps it if that never comes.
///
/// Something that is not a regular file, like `/dev/null` or a pipe, is written to directly; a link is followed.
#[derive(Debug)]
pub struct PendingFile {
    /// The path asked for.
    file: PathBuf,
    /// Where it really lies.
    target: PathBuf,
    /// What is written to until then; `None` for what is written to directly, and after the commit.
    temporary: Option<PathBuf>,
    handle: File,
}

impl PendingFile {
    /// Makes the temporary file, in the folder of the path.
    ///
    /// # Errors
    /// See [`StoreError`].
    pub fn create(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let file = path.as_ref().to_path_buf();
        let failed = |source| StoreError::Write { file: file.clone(), source };
        // Renaming onto a link would replace the link.
        let target = std::fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
        match std::fs::metadata(&target) {
            Ok(metadata) if metadata.is_dir() => return Err(StoreError::NoFileName { file }),
            Ok(metadata) if !metadata.is_file() => {
                let handle = OpenOptions::new().write(true).open(&target).map_err(failed)?;
                return Ok(Self { file, target, temporary: None, handle });
            }
            _ => {}
        }
        let Some(name) = target.file_name() else { return Err(StoreError::NoFileName { file }) };
        let (temporary, handle) = create_temporary(&target, &name.to_string_lossy()).map_err(failed)?;
        Ok(Self { file, target, temporary: Some(temporary), handle })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// The system refuses, for example for want of space.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.handle.write_all(bytes).map_err(|source| StoreError::Write { file: self.file.clone(), source })
    }

    /// Puts what was written in place of what the path held.
    ///
    /// # Errors
    /// The system refuses; the temporary file is removed then.
    pub fn commit(mut self) -> Result<(), StoreError> {
        if let Some(temporary) = &self.temporary {
            let renamed = self.handle.sync_all().and_then(|()| std::fs::rename(temporary, &self.target));
            renamed.map_err(|source| StoreError::Write { file: self.file.clone(), source })?;
            self.temporary = None;
        }
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            // Best effort: the error that matters is the one that came before.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// Writes a file so that the path holds either the old content or all of the new one, whatever happens.
///
/// # Errors
/// See [`StoreError`]; the temporary file is removed then.
pub fn write_atomically(path: impl AsRef<Path>, bytes: &[u8]) -> Result<(), StoreError> {
    let mut file = PendingFile::create(path)?;
    file.write(bytes)?;
    file.commit()
}

/// A new file beside `target` that nobody else uses.
fn create_temporary(target: &Path, name: &str) -> std::io::Result<(PathBuf, File)> {
    // Room for the rest of the name within the 255 bytes that file systems allow.
    let stem: String = name.chars().take(40).collect();
    let mut attempt = 0u32;
    loop {
        let temporary = target.with_file_name(format!(".{stem}.{}-{attempt}.part", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(handle) => return Ok((temporary, handle)),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Writes RGBA pixels, row 0 at the top, as an 8-bit PNG by [`write_atomically`].
///
/// # Errors
/// A zero side, a wrong number of bytes (4 · width · height are wanted), or writing fails.
pub fn write_png(path: impl AsRef<Path>, width: u32, height: u32, rgba: &[u8]) -> Result<(), StoreError> {
    let file = path.as_ref();
    let expected = 4 * u64::from(width) * u64::from(height);
    if rgba.len() as u64 != expected {
        return Err(StoreError::PixelCount { width, height, expected, given: rgba.len() as u64 });
    }
    let mut encoded = Vec::new();
    let mut encoder = png::Encoder::new(&mut encoded, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(rgba)?;
        writer.finish()
    });
    written.map_err(|source| StoreError::Encode { file: file.to_path_buf(), source })?;
    write_atomically(file, &encoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn writing_replaces_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a.txt");
        write_atomically(&file, b"one").expect("the folder is writable");
        write_atomically(&file, b"two").expect("the folder is writable");
        assert_eq!(std::fs::read(&file).expect("written"), b"two");
        assert_eq!(names(folder.path()), ["a.txt"]);
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let absent = folder.path().join("absent/a.txt");
        assert!(matches!(write_atomically(&absent, b"x"), Err(StoreError::Write { .. })));
        assert!(matches!(write_atomically(folder.path(), b"x"), Err(StoreError::NoFileName { .. })));
        assert!(matches!(write_atomically("", b"x"), Err(StoreError::NoFileName { .. })));
        assert!(matches!(write_png(folder.path().join("a.png"), 2, 2, &[0; 15]), Err(StoreError::PixelCount { .. })));
        assert!(matches!(write_png(folder.path().join("a.png"), 0, 2, &[]), Err(StoreError::Encode { .. })));
        // The temporary file can be made, but not renamed.
        let long = folder.path().join("a".repeat(300));
        assert!(matches!(write_atomically(long, b"x"), Err(StoreError::Write { .. })));
        assert!(names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_stay_devices() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (real, link) = (folder.path().join("real.txt"), folder.path().join("link.txt"));
        std::fs::write(&real, b"old").expect("writable");
        std::os::unix::fs::symlink(&real, &link).expect("links work");
        write_atomically(&link, b"new").expect("writable");
        assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(std::fs::read(&real).expect("there"), b"new");
        write_atomically("/dev/null", b"gone").expect("it takes everything");
        assert!(!std::fs::metadata("/dev/null").expect("still there").is_file());
    }

    #[test]
    fn a_png_reads_back() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("a.png");
        let pixels: Vec<u8> = (0..3 * 2 * 4).map(|value| value * 9).collect();
        write_png(&file, 3, 2, &pixels).expect("writable");
        let image = crate::load::picture(&file).expect("a valid PNG");
        assert_eq!((image.width(), image.height(), image.bytes), (3, 2, pixels));
    }
}
