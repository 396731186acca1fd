//! MTL: the material libraries of OBJ files.
//!
//! Before: `obj` finds the libraries. As with OBJ, statements are checked and written anew (tobj 4.0 panics at a colour of two
//! numbers), and only those that change our picture are: name, diffuse colour, transparency, diffuse picture, whether it is lit.
//! Source: Wavefront's "Material Library File (.mtl)". A material library never makes a model fail: what it gets wrong is a
//! warning.

use std::fmt::Write;
use std::io::Cursor;

use texture::Wrap;

/// One material, its picture still a name.
#[derive(Debug, Default)]
pub(super) struct LibraryMaterial {
    pub(super) name: String,
    pub(super) base_color: [f32; 4],
    pub(super) picture: Option<String>,
    pub(super) wrap: Wrap,
    /// `illum 0`: the colour as it is.
    pub(super) is_unlit: bool,
}

/// All libraries of a file.
#[derive(Debug, Default)]
pub(super) struct Libraries {
    /// What tobj is given.
    pub(super) statements: String,
    /// Of each `newmtl`: whether its picture is clamped, and whether it is shown without light.
    looks: Vec<(Wrap, bool)>,
    pub(super) warnings: Vec<String>,
}

impl Libraries {
    /// Adds a library; `name` is for warnings.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) {
        for (index, line) in String::from_utf8_lossy(bytes).lines().enumerate() {
            if let Err(reason) = self.take(line.trim()) {
                self.warnings.push(format!("`{name}`, line {}: {reason}; the line was left out", index + 1));
            }
        }
    }

    fn take(&mut self, line: &str) -> Result<(), String> {
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        // Statements before the first name belong to no material.
        if self.looks.is_empty() && keyword != "newmtl" {
            return Ok(());
        }
        let statement = match keyword {
            "newmtl" if rest.is_empty() => return Err("a material without a name".to_owned()),
            "newmtl" => {
                self.looks.push((Wrap::Repeat, false));
                format!("newmtl {rest}")
            }
            "Kd" => {
                let [red, green, blue] = color(rest)?;
                format!("Kd {red} {green} {blue}")
            }
            "d" => format!("d {}", number(rest.strip_prefix("-halo").unwrap_or(rest))?),
            "Tr" => format!("d {}", 1.0 - number(rest)?),
            "map_Kd" => {
                let (picture, wrap) = picture(rest)?;
                if let Some(last) = self.looks.last_mut() {
                    last.0 = wrap;
                }
                format!("map_Kd {picture}")
            }
            "illum" => {
                if let Some(last) = self.looks.last_mut() {
                    last.1 = rest == "0";
                }
                return Ok(());
            }
            _ => return Ok(()),
        };
        writeln!(self.statements, "{statement}").expect("a string takes everything");
        Ok(())
    }

    /// The materials, in the order in which tobj numbers them.
    pub(super) fn materials(&self) -> Result<Vec<LibraryMaterial>, tobj::LoadError> {
        let (materials, _) = tobj::load_mtl_buf(&mut Cursor::new(&self.statements))?;
        let materials = materials.into_iter().zip(&self.looks).map(|(material, &(wrap, is_unlit))| {
            let [red, green, blue] = material.diffuse.unwrap_or([1.0; 3]);
            LibraryMaterial {
                name: material.name,
                base_color: [red, green, blue, material.dissolve.unwrap_or(1.0)],
                picture: material.diffuse_texture,
                wrap,
                is_unlit,
            }
        });
        Ok(materials.collect())
    }
}

/// Red, green, blue from 0 to 1; one number stands for all three.
fn color(rest: &str) -> Result<[f32; 3], String> {
    let numbers: Vec<f32> = rest.split_whitespace().take(3).map(number).collect::<Result<_, _>>()?;
    match numbers[..] {
        [red, green, blue] => Ok([red, green, blue]),
        [grey] => Ok([grey; 3]),
        _ => Err(format!("{} numbers for a colour", numbers.len())),
    }
}

/// A number, limited to 0 to 1.
fn number(text: &str) -> Result<f32, String> {
    let word = text.split_whitespace().next().unwrap_or("");
    match word.parse::<f32>() {
        Ok(number) if number.is_finite() => Ok(number.clamp(0.0, 1.0)),
        _ => Err(format!("`{}` is not a number", word.chars().take(40).collect::<String>())),
    }
}

/// The file name behind the options, which may itself hold blanks, and what `-clamp` says.
fn picture(rest: &str) -> Result<(String, Wrap), String> {
    let mut wrap = Wrap::Repeat;
    let mut rest = rest;
    while rest.starts_with('-') {
        let (option, after) = split_word(rest);
        let arguments = match option {
            "-blendu" | "-blendv" | "-boost" | "-cc" | "-clamp" | "-imfchan" | "-texres" | "-bm" | "-type" => 1..=1,
            "-mm" => 2..=2,
            // One to three numbers.
            "-o" | "-s" | "-t" => 1..=3,
            // A name that starts with a minus sign.
            _ => break,
        };
        rest = after;
        for count in 0..*arguments.end() {
            let (argument, after) = split_word(rest);
            if count >= *arguments.start() && argument.parse::<f32>().is_err() {
                break;
            }
            if option == "-clamp" && argument == "on" {
                wrap = Wrap::Clamp;
            }
            rest = after;
        }
    }
    if rest.is_empty() {
        return Err("a picture without a name".to_owned());
    }
    Ok((rest.to_owned(), wrap))
}

fn split_word(text: &str) -> (&str, &str) {
    text.split_once(char::is_whitespace).map_or((text, ""), |(word, rest)| (word, rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn libraries(text: &str) -> Libraries {
        let mut libraries = Libraries::default();
        libraries.add("a.mtl", text.as_bytes());
        libraries
    }

    #[test]
    fn a_material_is_read() {
        let libraries = libraries(
            "# made by hand\nKd 9 9 9\nnewmtl red wood\n  Kd 0.5 0.25 2\nTr 0.25\nillum 2\nmap_Kd -s 1 1 1 -clamp on wood #1.png\nnewmtl plain\n",
        );
        assert!(libraries.warnings.is_empty());
        let materials = libraries.materials().expect("well-formed");
        assert_eq!(materials.len(), 2);
        assert_eq!((materials[0].name.as_str(), materials[0].base_color), ("red wood", [0.5, 0.25, 1.0, 0.75]));
        assert_eq!((materials[0].picture.as_deref(), materials[0].wrap), (Some("wood #1.png"), Wrap::Clamp));
        assert_eq!((materials[1].base_color, &materials[1].picture), ([1.0; 4], &None));
    }

    #[test]
    fn a_bad_line_is_a_warning_and_the_rest_counts() {
        let libraries = libraries("newmtl a\nKd 1 0\nKd nan 0 0\nd\nmap_Kd\nnewmtl\nKd 0.5\n");
        assert_eq!(libraries.warnings.len(), 5, "{:?}", libraries.warnings);
        assert_eq!(libraries.warnings[0], "`a.mtl`, line 2: 2 numbers for a colour; the line was left out");
        let materials = libraries.materials().expect("well-formed");
        assert_eq!(materials[0].base_color, [0.5, 0.5, 0.5, 1.0]);
    }

    #[test]
    fn options_with_fewer_numbers_leave_the_name() {
        for (rest, name) in [
            ("-o 1 a.png", "a.png"),
            ("-o 1 2 a.png", "a.png"),
            ("-mm 0 1 a b.png", "a b.png"),
            ("-x.png", "-x.png"),
            ("-bm 1 -s 2 2 2 3.png", "3.png"),
        ] {
            assert_eq!(picture(rest).expect("it has a name").0, name, "{rest}");
        }
    }
}
