//! OBJ, first half: every statement is checked, and written anew in the few forms that tobj reads right.
//!
//! Before: the bytes. After: `obj` hands the new text to tobj, which merges corners, cuts convex polygons into fans and splits
//! objects by material; other polygons are cut here (`polygon`). Source: Wavefront's "Object Files (.obj)", format version 3.0.
//!
//! What the new text spares tobj (4.0): errors without a line number; an index sum that overflows; groups that may only use
//! vertices above them; corners without a texture coordinate or normal among others that have one, which would shift all
//! that follow (they get one more entry: (0, 0), or a zero normal that `normals` replaces); colours on some vertices only;
//! a fourth coordinate, which is for curves and would scale the point; lines of three points, read as triangles (lines and
//! points go past tobj).

use std::fmt::Write;
use std::path::Path;

use raster::Topology;

use crate::load::error::LoadError;
use crate::load::model::{MAX_INDICES, check_position};
use crate::load::polygon::{self, Cut};

/// What an OBJ file says.
#[derive(Debug, Default)]
pub(super) struct ObjText {
    /// `v`, `vt`, `vn`, then `o`, `usemtl` and `f` with three positive indices (or `v//vn`, `v/vt`, `v`) each.
    pub(super) statements: String,
    /// Line and rest of the line of each `mtllib`.
    pub(super) libraries: Vec<(usize, String)>,
    /// Line and name of each `usemtl`.
    pub(super) materials: Vec<(usize, String)>,
    /// Whether a corner has a normal.
    pub(super) has_normals: bool,
    /// Whether the file asks for no smoothing, and nowhere for some.
    pub(super) is_flat: bool,
    /// Its lines and points, which tobj is not given: it would merge them with faces.
    pub(super) strokes: Vec<Stroke>,
    /// What was left out.
    pub(super) warnings: Vec<String>,
}

/// Lines or points of one material, a vertex for each end.
#[derive(Debug)]
pub(super) struct Stroke {
    pub(super) material: String,
    pub(super) topology: Topology,
    pub(super) positions: Vec<[f32; 3]>,
    /// As in the file.
    pub(super) uvs: Vec<[f32; 2]>,
    pub(super) colors: Vec<[f32; 3]>,
}

/// A corner's indices from 0: position, texture coordinate, normal.
type Corner = [Option<usize>; 3];

/// What the statements before a line have defined.
#[derive(Default)]
struct Statements {
    positions: Vec<[f32; 3]>,
    colors: Vec<(usize, [f32; 3])>,
    uvs: Vec<[f32; 2]>,
    normals: Vec<[f32; 3]>,
    corners: Vec<Corner>,
    /// In order: a face of so many corners, or a statement to be copied.
    body: Vec<Part>,
    indices: u64,
    bad_uvs: usize,
    bad_normals: usize,
    smooth: usize,
    flat: usize,
}

enum Part {
    Face { line: usize, corners: usize },
    Stroke { line: usize, corners: usize, topology: Topology },
    Object(String),
    Material(String),
}

/// Checks and rewrites a file.
pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<ObjText, LoadError> {
    let text = String::from_utf8_lossy(bytes);
    let mut statements = Statements::default();
    let mut result = ObjText::default();
    for (line, statement) in logical_lines(&text) {
        statements.take(file, line, &statement, &mut result)?;
    }
    statements.check_indices(file)?;
    for (count, what) in [
        (statements.bad_uvs, "texture coordinates that are not finite became (0, 0)"),
        (statements.bad_normals, "normals that are not finite were computed anew"),
    ] {
        if count > 0 {
            result.warnings.push(format!("{count} {what}"));
        }
    }
    result.has_normals = statements.corners.iter().any(|corner| corner[2].is_some());
    result.is_flat = statements.flat > 0 && statements.smooth == 0;
    let mut uncut = 0;
    result.statements = statements.rewritten(&mut uncut);
    result.strokes = statements.strokes();
    if uncut > 0 {
        result
            .warnings
            .push(format!("polygons that cannot be cut became fans, which may leave their outline: {uncut}"));
    }
    Ok(result)
}

/// Lines with their numbers from 1; a backslash at the end joins the next one.
fn logical_lines(text: &str) -> impl Iterator<Item = (usize, std::borrow::Cow<'_, str>)> {
    let mut lines = text.lines().enumerate();
    std::iter::from_fn(move || {
        let (number, line) = lines.next()?;
        let Some(start) = line.strip_suffix('\\') else { return Some((number + 1, line.into())) };
        let mut joined = start.to_owned();
        for (_, next) in lines.by_ref() {
            joined.push(' ');
            match next.strip_suffix('\\') {
                Some(part) => joined.push_str(part),
                None => {
                    joined.push_str(next);
                    break;
                }
            }
        }
        Some((number + 1, joined.into()))
    })
}

impl Statements {
    fn take(&mut self, file: &Path, line: usize, statement: &str, result: &mut ObjText) -> Result<(), LoadError> {
        let mut words = statement.split_whitespace().take_while(|word| !word.starts_with('#'));
        let Some(keyword) = words.next() else { return Ok(()) };
        // Names may hold blanks and number signs.
        let name = || statement.trim().split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim()).to_owned();
        match keyword {
            "v" => {
                let numbers = numbers(file, line, words, 3..=8)?;
                let position = [numbers[0], numbers[1], numbers[2]];
                check_position(file, position, || format!("line {line}"))?;
                if numbers.len() >= 6 {
                    let color =
                        [3, 4, 5].map(|index: usize| if numbers[index].is_finite() { numbers[index] } else { 1.0 });
                    self.colors.push((self.positions.len(), color));
                }
                self.positions.push(position);
            }
            "vt" => {
                let numbers = numbers(file, line, words, 1..=3)?;
                let uv = [numbers[0], numbers.get(1).copied().unwrap_or(0.0)];
                let is_good = uv.iter().all(|part| part.is_finite());
                self.bad_uvs += usize::from(!is_good);
                self.uvs.push(if is_good { uv } else { [0.0; 2] });
            }
            "vn" => {
                let numbers = numbers(file, line, words, 3..=3)?;
                let normal = [numbers[0], numbers[1], numbers[2]];
                let is_good = normal.iter().all(|part| part.is_finite());
                self.bad_normals += usize::from(!is_good);
                self.normals.push(if is_good { normal } else { [0.0; 3] });
            }
            "f" | "fo" => {
                let corners = self.take_corners(file, line, words)?;
                if corners < 3 {
                    return Err(damaged(file, line, format!("a face of {corners} corners, at least 3 are needed")));
                }
                self.body.push(Part::Face { line, corners });
                self.count_indices(file, line, 3 * (corners as u64 - 2))?;
            }
            "l" | "p" => {
                let corners = self.take_corners(file, line, words)?;
                let (topology, least, what) = if keyword == "l" {
                    (Topology::LineList, 2, "a line")
                } else {
                    (Topology::PointList, 1, "a point")
                };
                if corners < least {
                    return Err(damaged(
                        file,
                        line,
                        format!("{what} of {corners} vertices, at least {least} are needed"),
                    ));
                }
                self.body.push(Part::Stroke { line, corners, topology });
                self.count_indices(file, line, 2 * corners as u64)?;
            }
            "o" | "g" => self.body.push(Part::Object(name())),
            "usemtl" => {
                result.materials.push((line, name()));
                self.body.push(Part::Material(name()));
            }
            "mtllib" => result.libraries.push((line, name())),
            "s" => match words.next() {
                None | Some("off" | "0") => self.flat += 1,
                Some(_) => self.smooth += 1,
            },
            // Curves, surfaces, display attributes: nothing that is drawn here.
            _ => {}
        }
        Ok(())
    }

    /// Reads the corners of an element; gives how many they are.
    fn take_corners<'a>(
        &mut self,
        file: &Path,
        line: usize,
        words: impl Iterator<Item = &'a str>,
    ) -> Result<usize, LoadError> {
        let first = self.corners.len();
        for word in words {
            let corner = self.corner(word).map_err(|reason| damaged(file, line, reason))?;
            self.corners.push(corner);
        }
        Ok(self.corners.len() - first)
    }

    fn count_indices(&mut self, file: &Path, line: usize, more: u64) -> Result<(), LoadError> {
        self.indices += more;
        if self.indices > MAX_INDICES {
            return Err(LoadError::TooMany {
                file: file.to_path_buf(),
                place: format!("line {line}"),
                what: "indices",
                count: self.indices,
                most: MAX_INDICES,
            });
        }
        Ok(())
    }

    /// `p`, `p/t`, `p//n` or `p/t/n`. Negative indices count back from what is defined so far, each list on its own.
    fn corner(&self, word: &str) -> Result<Corner, String> {
        let defined = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let mut corner = [None; 3];
        for (slot, text) in word.split('/').enumerate() {
            let place = corner.get_mut(slot).ok_or_else(|| format!("`{}` has more than three indices", shown(word)))?;
            if text.is_empty() && slot > 0 {
                continue;
            }
            let index: i64 = text.parse().map_err(|_| format!("`{}` is not a corner of a face", shown(word)))?;
            *place = match index {
                0 => return Err(format!("index 0 in `{}`: indices count from 1", shown(word))),
                1.. => Some(usize::try_from(index - 1).unwrap_or(usize::MAX)),
                _ => {
                    let back = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
                    let (list, defined) = (LISTS[slot], defined[slot]);
                    let resolved = defined.checked_sub(back);
                    Some(resolved.ok_or_else(|| format!("index {index}, but only {defined} {list} come before it"))?)
                }
            };
        }
        Ok(corner)
    }

    /// A positive index may name what comes later in the file, so this has to wait for the end.
    fn check_indices(&self, file: &Path) -> Result<(), LoadError> {
        let defined = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let mut corners = self.corners.iter();
        for part in &self.body {
            let (Part::Face { line, corners: count } | Part::Stroke { line, corners: count, .. }) = *part else {
                continue;
            };
            for corner in corners.by_ref().take(count) {
                for (slot, index) in corner.iter().enumerate() {
                    if index.is_some_and(|index| index >= defined[slot]) {
                        let (index, list, defined) = (index.unwrap_or(0).saturating_add(1), LISTS[slot], defined[slot]);
                        return Err(damaged(file, line, format!("index {index}, but the file has {defined} {list}")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Lines and points by material and kind, in the order in which the file has the first of each.
    fn strokes(&self) -> Vec<Stroke> {
        let mut colors = vec![[1.0; 3]; if self.colors.is_empty() { 0 } else { self.positions.len() }];
        for (index, color) in &self.colors {
            colors[*index] = *color;
        }
        let mut strokes: Vec<Stroke> = Vec::new();
        let mut material = "";
        let mut corners = &self.corners[..];
        for part in &self.body {
            let (count, topology) = match part {
                Part::Object(_) => continue,
                Part::Material(name) => {
                    material = name;
                    continue;
                }
                Part::Face { corners, .. } => (*corners, None),
                Part::Stroke { corners, topology, .. } => (*corners, Some(*topology)),
            };
            let (own, rest) = corners.split_at(count);
            corners = rest;
            let Some(topology) = topology else { continue };
            let is_it = |stroke: &Stroke| stroke.topology == topology && stroke.material == material;
            let place = strokes.iter().position(is_it).unwrap_or_else(|| {
                let material = material.to_owned();
                strokes.push(Stroke { material, topology, positions: vec![], uvs: vec![], colors: vec![] });
                strokes.len() - 1
            });
            let stroke = &mut strokes[place];
            let mut add = |[position, uv, _]: Corner| {
                let position = position.unwrap_or(0);
                stroke.positions.push(self.positions[position]);
                stroke.uvs.push(uv.map_or([0.0; 2], |uv| self.uvs[uv]));
                stroke.colors.push(colors.get(position).copied().unwrap_or([1.0; 3]));
            };
            if topology == Topology::PointList {
                own.iter().for_each(|corner| add(*corner));
            } else {
                own.windows(2).flatten().for_each(|corner| add(*corner));
            }
        }
        strokes
    }

    /// `uncut` counts the polygons that nobody knows how to cut.
    fn rewritten(&self, uncut: &mut usize) -> String {
        let mut text = String::new();
        let mut work = polygon::MOST_WORK;
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            text.write_fmt(arguments).expect("a string takes everything");
            text.push('\n');
        };
        // `{}` gives the shortest digits that read back as the same number.
        let mut colors = self.colors.iter().peekable();
        for (index, [x, y, z]) in self.positions.iter().enumerate() {
            if self.colors.is_empty() {
                line(format_args!("v {x} {y} {z}"));
            } else {
                let [r, g, b] = colors.next_if(|color| color.0 == index).map_or([1.0; 3], |color| color.1);
                line(format_args!("v {x} {y} {z} {r} {g} {b}"));
            }
        }
        for [u, v] in &self.uvs {
            line(format_args!("vt {u} {v}"));
        }
        for [x, y, z] in &self.normals {
            line(format_args!("vn {x} {y} {z}"));
        }
        let (has_uvs, has_normals) = (!self.uvs.is_empty(), !self.normals.is_empty());
        // For corners without one.
        if has_uvs {
            line(format_args!("vt 0 0"));
        }
        if has_normals {
            line(format_args!("vn 0 0 0"));
        }
        let mut corners = &self.corners[..];
        for part in &self.body {
            match part {
                Part::Object(name) => line(format_args!("o {name}")),
                Part::Material(name) if name.is_empty() => {}
                Part::Material(name) => line(format_args!("usemtl {name}")),
                Part::Stroke { corners: count, .. } => corners = &corners[*count..],
                Part::Face { corners: count, .. } => {
                    let (face, rest) = corners.split_at(*count);
                    corners = rest;
                    let words: Vec<String> = face
                        .iter()
                        .map(|[position, uv, normal]| {
                            let position = position.unwrap_or(0) + 1;
                            let uv = uv.unwrap_or(self.uvs.len()) + 1;
                            let normal = normal.unwrap_or(self.normals.len()) + 1;
                            match (has_uvs, has_normals) {
                                (true, true) => format!("{position}/{uv}/{normal}"),
                                (true, false) => format!("{position}/{uv}"),
                                (false, true) => format!("{position}//{normal}"),
                                (false, false) => format!("{position}"),
                            }
                        })
                        .collect();
                    let points: Vec<[f32; 3]> =
                        face.iter().map(|corner| self.positions[corner[0].unwrap_or(0)]).collect();
                    match polygon::cut(&points, &mut work) {
                        Cut::Ears(triangles) => {
                            for [a, b, c] in triangles {
                                line(format_args!("f {} {} {}", words[a], words[b], words[c]));
                            }
                            continue;
                        }
                        Cut::Unknown => *uncut += 1,
                        Cut::Fan => {}
                    }
                    line(format_args!("f {}", words.join(" ")));
                }
            }
        }
        text
    }
}

const LISTS: [&str; 3] = ["vertices", "texture coordinates", "normals"];

fn damaged(file: &Path, line: usize, reason: String) -> LoadError {
    LoadError::Damaged { file: file.to_path_buf(), place: format!("line {line}"), reason }
}

/// Enough of a word for a message.
fn shown(word: &str) -> String {
    word.chars().take(40).collect()
}

/// The numbers of a statement; more than are wanted are not looked at.
fn numbers<'a>(
    file: &Path,
    line: usize,
    words: impl Iterator<Item = &'a str>,
    wanted: std::ops::RangeInclusive<usize>,
) -> Result<Vec<f32>, LoadError> {
    let mut numbers = Vec::with_capacity(*wanted.end());
    for word in words.take(*wanted.end()) {
        match word.parse() {
            Ok(number) => numbers.push(number),
            Err(_) => return Err(damaged(file, line, format!("`{}` is not a number", shown(word)))),
        }
    }
    if numbers.len() < *wanted.start() {
        return Err(damaged(file, line, format!("{} numbers, at least {} are needed", numbers.len(), wanted.start())));
    }
    Ok(numbers)
}
