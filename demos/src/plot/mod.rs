//! Charts of lines with markers, written as SVG or PNG by the ending of the file's name.

mod bitmap;

use std::path::{Path, PathBuf};

use plotters::chart::{ChartBuilder, SeriesLabelPosition};
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::element::{Circle, PathElement, Text};
use plotters::prelude::{DrawingBackend, RGBColor, SVGBackend};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{BLACK, Color, ShapeStyle, TextStyle, WHITE};
use serde::{Deserialize, Serialize};

use crate::load::{StoreError, write_atomically, write_png};
use bitmap::Bitmap;

/// Pixels of a chart.
const SIZE: (u32, u32) = (960, 600);

/// One line of a chart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Beside its sample in the legend.
    pub name: String,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Dashes tell it from another line of the same colour.
    pub is_dashed: bool,
    /// In rising order of x.
    pub points: Vec<(f64, f64)>,
}

/// A value to compare with: a thin horizontal line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// On the line.
    pub name: String,
    /// Its height.
    pub y: f64,
}

/// Lines over a common axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Along x.
    pub x_label: String,
    /// Along y.
    pub y_label: String,
    /// What it shows.
    pub lines: Vec<Line>,
    /// What it is compared with.
    pub marks: Vec<Mark>,
}

/// Why there is no chart.
#[derive(Debug, thiserror::Error)]
pub enum PlotError {
    /// The name says neither of the two formats.
    #[error("`{path}` ends in neither .svg nor .png, and these are what is written: try --plot {suggestion}")]
    Ending {
        /// The name given.
        path: PathBuf,
        /// One that works.
        suggestion: PathBuf,
    },
    /// No folder to write to.
    #[error("`{path}` cannot be written: there is no folder `{folder}`")]
    NoFolder {
        /// The name given.
        path: PathBuf,
        /// The folder in it.
        folder: PathBuf,
    },
    /// The file cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A chart without a point.
    #[error("there is nothing to plot")]
    Empty,
    /// The drawing itself failed.
    #[error("the chart cannot be drawn: {0}")]
    Drawing(String),
}

fn ending(path: &Path) -> Option<String> {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase())
}

/// Whether a chart can go there, as far as can be said before it is drawn: long work comes first.
pub fn check_path(path: &Path) -> Result<(), PlotError> {
    if !matches!(ending(path).as_deref(), Some("svg" | "png")) {
        return Err(PlotError::Ending { path: path.to_owned(), suggestion: path.with_extension("png") });
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(PlotError::NoFolder { path: path.to_owned(), folder: folder.to_owned() })
        }
        _ => Ok(()),
    }
}

impl Chart {
    /// Draws and writes the chart; the file is whole or is not there.
    pub fn write(&self, path: &Path) -> Result<(), PlotError> {
        check_path(path)?;
        if ending(path).as_deref() == Some("svg") {
            write_atomically(path, self.to_svg()?.as_bytes())?;
        } else {
            write_png(path, SIZE.0, SIZE.1, &self.to_rgba()?)?;
        }
        Ok(())
    }

    /// The chart as SVG, which may stand in a page by itself.
    pub fn to_svg(&self) -> Result<String, PlotError> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        self.draw(&area)?;
        drop(area);
        Ok(text)
    }

    fn to_rgba(&self) -> Result<Vec<u8>, PlotError> {
        let mut pixels = vec![255; (SIZE.0 * SIZE.1 * 4) as usize];
        let area = Bitmap::new(&mut pixels, SIZE).into_drawing_area();
        self.draw(&area)?;
        drop(area);
        Ok(pixels)
    }

    /// The largest x and y, with some room above.
    fn extent(&self) -> Option<(f64, f64)> {
        let points = self.lines.iter().flat_map(|line| &line.points);
        let marks = self.marks.iter().map(|mark| mark.y);
        let x = points.clone().map(|point| point.0).reduce(f64::max)?;
        let y = points.map(|point| point.1).chain(marks).reduce(f64::max)?;
        Some((x.max(1.0), (y * 1.08).max(1.0)))
    }

    /// Where the legend hides least of the lines: of corners that hide as little, the first. The page is as large as its extent.
    fn legend_corner(&self, (right, top): (f64, f64)) -> SeriesLabelPosition {
        use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
        // Shares of the page that a legend takes, generously.
        const WIDTH: f64 = 0.25;
        let height = 0.08 + 0.05 * self.lines.len() as f64;
        let hidden = |is_right: bool, is_upper: bool| {
            let is_in = |(x, y): (f64, f64)| {
                let (x, y) = (x / right, y / top);
                (if is_right { x > 1.0 - WIDTH } else { x < WIDTH })
                    && (if is_upper { y > 1.0 - height } else { y < height })
            };
            let on_lines = self.lines.iter().flat_map(|line| line.points.windows(2)).flat_map(|ends| {
                let [a, b] = [ends[0], ends[1]];
                (0..=32).map(move |n| f64::from(n) / 32.0).map(move |t| (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t))
            });
            on_lines.filter(|&place| is_in(place)).count()
        };
        let corners =
            [(UpperRight, true, true), (UpperLeft, false, true), (LowerRight, true, false), (LowerLeft, false, false)];
        let least = corners.into_iter().min_by_key(|&(_, is_right, is_upper)| hidden(is_right, is_upper));
        least.map_or(UpperRight, |(corner, ..)| corner)
    }

    fn draw<B: DrawingBackend>(&self, area: &DrawingArea<B, plotters::coord::Shift>) -> Result<(), PlotError>
    where
        B::ErrorType: 'static,
    {
        let (right, top) = self.extent().ok_or(PlotError::Empty)?;
        let failed =
            |error: plotters::drawing::DrawingAreaErrorKind<B::ErrorType>| PlotError::Drawing(error.to_string());
        area.fill(&WHITE).map_err(failed)?;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 20))
            .margin(14)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(0.0..right * 1.02, 0.0..top)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(&self.x_label)
            .y_desc(&self.y_label)
            .label_style(("sans-serif", 14))
            .axis_desc_style(("sans-serif", 16))
            .light_line_style(WHITE)
            .draw()
            .map_err(failed)?;
        for line in &self.lines {
            let [red, green, blue] = line.color;
            let color = RGBColor(red, green, blue);
            let style = ShapeStyle { color: color.to_rgba(), filled: true, stroke_width: 2 };
            let points = line.points.iter().copied();
            let drawn = if line.is_dashed {
                chart.draw_series(DashedLineSeries::new(points, 7, 5, style))
            } else {
                chart.draw_series(LineSeries::new(points, style))
            };
            let is_dashed = line.is_dashed;
            drawn.map_err(failed)?.label(&line.name).legend(move |(x, y)| {
                let end = if is_dashed { x + 9 } else { x + 22 };
                PathElement::new(vec![(x, y), (end, y)], style)
            });
            let dots = line.points.iter().map(|&point| Circle::new(point, 3, style));
            chart.draw_series(dots).map_err(failed)?;
        }
        for mark in &self.marks {
            let style = ShapeStyle { color: BLACK.mix(0.55), filled: false, stroke_width: 1 };
            let ends = [(0.0, mark.y), (right * 1.02, mark.y)];
            chart.draw_series(DashedLineSeries::new(ends, 2, 4, style)).map_err(failed)?;
            // Its name stands on the line, at the right.
            let font = TextStyle::from(("sans-serif", 14)).pos(Pos::new(HPos::Right, VPos::Bottom));
            chart.draw_series([Text::new(mark.name.clone(), (right, mark.y), font)]).map_err(failed)?;
        }
        chart
            .configure_series_labels()
            .position(self.legend_corner((right, top)))
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK.mix(0.3))
            // The size at which estimated and drawn widths of text agree.
            .label_font(("sans-serif", 15.4))
            .draw()
            .map_err(failed)?;
        area.present().map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let line = |name: &str, is_dashed, scale: f64| Line {
            name: name.to_owned(),
            color: [200, 30, 30],
            is_dashed,
            points: (0..5).map(|x| (f64::from(x), f64::from(x) * scale)).collect(),
        };
        Chart {
            title: "Title".to_owned(),
            x_label: "along".to_owned(),
            y_label: "up".to_owned(),
            lines: vec![line("steep", false, 3.0), line("flat", true, 1.0)],
            marks: vec![Mark { name: "published".to_owned(), y: 5.0 }],
        }
    }

    #[test]
    fn both_formats_are_written_and_hold_the_lines() {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        let [svg, png] = ["a.svg", "a.PNG"].map(|name| folder.path().join(name));
        chart().write(&svg).expect("it is drawn");
        let text = std::fs::read_to_string(&svg).expect("it was written");
        for part in ["Title", "along", "steep", "flat", "published", "</svg>"] {
            assert!(text.contains(part), "{part}");
        }
        chart().write(&png).expect("it is drawn");
        let pixels = image::open(&png).expect("it is a picture").to_rgba8();
        assert_eq!(pixels.dimensions(), SIZE);
        let red = pixels.pixels().filter(|pixel| pixel.0 == [200, 30, 30, 255]).count();
        assert!(red > 800, "two lines of two pixels: {red}");
        let black = pixels.pixels().filter(|pixel| pixel.0[..3].iter().all(|&channel| channel < 40)).count();
        assert!(black > 300, "the text: {black}");
    }

    #[test]
    fn paths_that_cannot_be_written_are_refused_beforehand() {
        let error = check_path(Path::new("a.gif")).expect_err("no such format").to_string();
        assert!(error.contains("neither .svg nor .png") && error.contains("a.png"), "{error}");
        let error = check_path(Path::new("/no/such/folder/a.svg")).expect_err("no folder").to_string();
        assert!(error.contains("no folder `/no/such/folder`"), "{error}");
        check_path(Path::new("a.svg")).expect("the current folder is one");
    }

    #[test]
    fn the_legend_stands_where_no_line_is() {
        let corner = |points: &[(f64, f64)]| {
            let line = Line { points: points.to_vec(), ..chart().lines[0].clone() };
            Chart { lines: vec![line], marks: Vec::new(), ..chart() }.legend_corner((10.0, 10.0))
        };
        use SeriesLabelPosition::{LowerLeft, LowerRight, UpperLeft, UpperRight};
        assert!(matches!(corner(&[(0.0, 1.0), (10.0, 1.0)]), UpperRight), "low");
        assert!(matches!(corner(&[(0.0, 0.0), (10.0, 9.5)]), UpperLeft), "rising");
        assert!(matches!(corner(&[(0.0, 9.5), (10.0, 9.5)]), LowerRight), "high");
        assert!(matches!(corner(&[(0.0, 9.5), (10.0, 9.5), (10.0, 0.0)]), LowerLeft), "high, then falling");
    }

    #[test]
    fn nothing_is_no_chart() {
        let empty = Chart { lines: Vec::new(), ..chart() };
        assert!(matches!(empty.to_svg(), Err(PlotError::Empty)));
    }
}
