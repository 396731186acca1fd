//! Why a model or a picture was not loaded: the file, the place in it, the reason.

use std::path::PathBuf;

/// A refused model or picture.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file is absent, unreadable, or not a file.
    #[error("cannot read `{}`", file.display())]
    Read {
        /// The file asked for.
        file: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// More bytes than are read.
    #[error("`{}` has more than {most} bytes, which is the most that is read", file.display())]
    TooLarge {
        /// The file asked for.
        file: PathBuf,
        /// The limit in bytes.
        most: u64,
    },
    /// The end of the name says no known format.
    #[error("`{}`: a model's name ends in .obj, .gltf or .glb", file.display())]
    UnknownKind {
        /// The file asked for.
        file: PathBuf,
    },
    /// The file contradicts its format or itself.
    #[error("`{}`, {place}: {reason}", file.display())]
    Damaged {
        /// The damaged file.
        file: PathBuf,
        /// Where in it: a line, or an object of the format.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// The file is right but asks for something that is not there.
    #[error("`{}`, {place}: {what} not supported", file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// Where in it.
        place: String,
        /// The subject of the sentence, with its verb: "points are".
        what: String,
    },
    /// NaN, infinite, or so large that a camera could not frame it.
    #[error("`{}`, {place}: a coordinate of {value}; coordinates must be finite, within ±{most:e}", file.display())]
    Coordinate {
        /// The file.
        file: PathBuf,
        /// Which vertex.
        place: String,
        /// The coordinate.
        value: f64,
        /// The limit.
        most: f64,
    },
    /// More of something than is loaded.
    #[error("`{}`, {place}: {count} {what}, at most {most} are loaded", file.display())]
    TooMany {
        /// The file.
        file: PathBuf,
        /// Where in it.
        place: String,
        /// Vertices, indices, texels …
        what: &'static str,
        /// So many there are.
        count: u64,
        /// The limit.
        most: u64,
    },
    /// Nothing to draw.
    #[error("`{}` holds no triangle, line or point", file.display())]
    NoTriangles {
        /// The file.
        file: PathBuf,
    },
    /// A model may name files in its own folder and below, and nothing else.
    #[error("`{}`, {place}: `{reference}` leads out of the model's folder", file.display())]
    Outside {
        /// The model.
        file: PathBuf,
        /// Where in it.
        place: String,
        /// The path as the model gives it.
        reference: String,
    },
    /// A file that the model names is absent, unreadable, or not a file.
    #[error("`{}`, {place}: cannot read `{}`", file.display(), named.display())]
    Named {
        /// The model.
        file: PathBuf,
        /// Where in it.
        place: String,
        /// The file it names.
        named: PathBuf,
        /// What the system says.
        #[source]
        source: std::io::Error,
    },
    /// A picture that is neither PNG nor JPEG, or damaged.
    #[error("`{}`, {place}: the picture cannot be decoded", file.display())]
    Picture {
        /// The picture, or the model that holds it.
        file: PathBuf,
        /// Where in it.
        place: String,
        /// What the decoder says.
        #[source]
        source: image::ImageError,
    },
}
