//! What can be typed after `warpaint`, and what `--help` teaches.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use demos::inspect::heat::Kind;
use demos::scenes::Filter;
use raster::target::LARGEST_SIDE;

use crate::cli::machine::{Machine, Time};
use crate::cli::profile::arguments::Profile;
use crate::cli::shader::{Entry, Launched, Results};
use crate::cli::tracing::Tracing;

use crate::cli::bench::arguments::Bench;
use crate::cli::codegen::Codegen;
use crate::cli::reproduce::Reproduce;
use crate::cli::sweep;

/// A software GPU you can read: every pixel computed by WGSL kernels on simulated RISC-V SIMT cores.
///
/// Without a subcommand, opens the window on the first scene (`warpaint view`).
#[derive(Debug, Parser)]
#[command(name = "warpaint", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(after_help = "Examples:
  warpaint                                   the window, first scene
  warpaint view bunny.glb                    your model, framed
  warpaint render --scene ground --filter trilinear --out ground.png
  warpaint render --scene crowd --heatmap overdraw --out heat.png
  warpaint run program.elf --machine 2c4w8t  a RISC-V program, exit status and all
  warpaint run sort.wgsl --buffer 0:0=random:64
                                             a compute shader; run --help says more
  warpaint run program.elf --timed --json    the same with every cycle counted, as a report
  warpaint run program.elf --timed --json --set dcache.ports=2
  warpaint run program.s --trace trace.json  what happened in which cycle, for ui.perfetto.dev
  warpaint profile --scene knot --size 160x120 --html knot.html
  warpaint profile --workload sgemm          where the cycles of a kernel go
  warpaint diff before.json after.json       what moved between two reports
  warpaint machines vortex-8c4w4t            every field of a machine, a file that --machine takes
  warpaint disasm shader.wgsl                machine code beside its source lines
  warpaint bench machine --json              lane-operations per second
  warpaint bench machine --timed             how fast every cycle is modelled
  warpaint bench sampler --quick             the texture unit against software
  warpaint reproduce V1 V2                   published claims, measured again
  warpaint sweep transcendental fsin --stride 65537   errors of an instruction over its operands")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Options of `view`, which is what happens without a subcommand.
    #[command(flatten)]
    pub view: View,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Open a window: drag to orbit, wheel to zoom, N next scene, F filter, M machine, H heat maps, P pause, Esc to leave
    View(ViewFile),
    /// Render one picture to a PNG file, without a window
    Render(Render),
    /// List the scenes
    Scenes(Scenes),
    /// Run a RISC-V program (ELF32, raw image or .s; the exit status is the program's) or a compute shader on the machine
    #[command(after_help = "Examples:
  warpaint run program.elf --machine 2c4w8t
  warpaint run double.wgsl --buffer 0:0=f32:1,2.5,-3 --buffer 0:1=zero:12
  warpaint run sort.wgsl --buffer 0:0=random:256 --groups 4 --print 0:0=u32
  warpaint run blur.wgsl --buffer 0:0=@in.bin --buffer 0:1=zero:4096 --groups 8,8 --output 0:1=@out.bin
  warpaint run blur.wgsl --texels 0:0=@in.png --sampler 0:1=linear,repeat --texels 0:2=zero:64x64 --output 0:2=@out.png
  warpaint run reduce.wgsl --entry sum --override SIZE=64 --buffer 0:0=count:64 --buffer 0:1=zero:4 --timed --json
  warpaint run reduce.comp --buffer 0:0=count:64 --buffer 0:1=zero:4 --trace trace.json")]
    Run(Box<Run>),
    /// Step through a program on the timed machine, forwards and back; commands come from standard input
    ///
    /// Type `help` for the commands. In a script (standard input is no terminal) the exit status is 1 if a command could not
    /// be done: printf 'break loop\ncontinue\nregisters a0\n' | warpaint debug sum.s
    Debug(Debug),
    /// Disassemble a program, or compile a shader and show its code with source lines beside it
    ///
    /// A compute shader is compiled alone. A fragment shader is linked into the tile kernel, as for a draw with the
    /// depth test on and textures without mip levels; a scene's draw may differ in both.
    Disasm(Disasm),
    /// Show where the cycles go: a program, a scene or a workload by source line or instruction, with reasons
    Profile(Profile),
    /// List the machines, or print one in full, as a TOML file for --machine
    Machines(Machines),
    /// Compare two reports of one command: what moved, and by how much
    Diff(Diff),
    /// Measure: the simulator on this computer, and the texture unit on the simulated machine
    #[command(subcommand)]
    Bench(Bench),
    /// Measure published claims about such machines again: published, measured, agreement, reason
    Reproduce(Reproduce),
    /// Show what the compiler makes of twenty shaders: instructions, spills, SIMD efficiency, with and without extensions
    Codegen(Codegen),
    /// Hold instructions against an independent computation, over all operands
    #[command(subcommand)]
    Sweep(sweep::Choice),
}

/// Which picture, on which machine.
#[derive(Clone, Debug, Args)]
pub struct Picture {
    /// The scene; `warpaint scenes` lists them
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    pub scene: Option<String>,
    /// Show this model instead: .obj (with .mtl), .gltf or .glb
    #[arg(long, value_name = "FILE")]
    pub model: Option<PathBuf>,
    /// The texture to use: .png or .jpg
    #[arg(long, value_name = "FILE")]
    pub texture: Option<PathBuf>,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = Size::parse)]
    pub size: Size,
    /// How textures are filtered; at trilinear, those of a model are filtered as its file says
    #[arg(long, value_name = "FILTER", default_value = "trilinear")]
    pub filter: FilterName,
}

/// Options of `view`.
#[derive(Clone, Debug, Args)]
pub struct View {
    /// The picture.
    #[command(flatten)]
    pub picture: Picture,
    /// Model every cycle: slower, the same pictures, with cycles in the overlay
    #[arg(help_heading = "Time", long)]
    pub timed: bool,
}

/// Options of `view` where it is asked for by name, which may be followed by a model's.
#[derive(Clone, Debug, Args)]
pub struct ViewFile {
    /// A model to show: .obj (with .mtl), .gltf or .glb
    #[arg(value_name = "FILE", conflicts_with_all = ["model", "scene"])]
    pub file: Option<PathBuf>,
    /// The rest.
    #[command(flatten)]
    pub view: View,
}

impl ViewFile {
    /// The options, with the model among them.
    pub fn into_view(mut self) -> View {
        self.view.picture.model = self.file.or(self.view.picture.model);
        self.view
    }
}

/// Options of `render`.
#[derive(Clone, Debug, Args)]
pub struct Render {
    /// The picture.
    #[command(flatten)]
    pub picture: Picture,
    /// Whether time is modelled.
    #[command(flatten)]
    pub measure: Time,
    /// Whether to trace it.
    #[command(flatten)]
    pub tracing: Tracing,
    /// Where to write the picture; the name ends in .png
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The moment of the animation, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = moment)]
    pub time: f32,
    /// Who renders: the simulated machine, or the plain reference (slow, the same pixels)
    #[arg(long, value_enum, default_value = "device")]
    pub backend: BackendName,
    /// Write a heat map instead of the picture: what each pixel took on the machine
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "trace")]
    pub heatmap: Option<HeatKind>,
    /// Print a report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `scenes`.
#[derive(Clone, Debug, Args)]
pub struct Scenes {
    /// Print the list as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `run`.
#[derive(Clone, Debug, Args)]
pub struct Run {
    /// The program: ELF32, raw image (loaded at 0x80000000) or assembly text (.s); or a compute shader: .wgsl, .comp, .spv
    pub file: PathBuf,
    /// What a shader is launched with.
    #[command(flatten)]
    pub launched: Launched,
    /// What is said of its buffers.
    #[command(flatten)]
    pub results: Results,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Whether time is modelled.
    #[command(flatten)]
    pub time: Time,
    /// Whether to trace it.
    #[command(flatten)]
    pub tracing: Tracing,
    /// Report accesses of different cores to one word that nothing orders: neither atomics nor a global barrier
    #[arg(long, conflicts_with = "trace")]
    pub races: bool,
    /// Stop after this many issued instructions [default: 10^10 for a program, 10^9 for a shader]
    #[arg(long, value_name = "N")]
    pub budget: Option<u64>,
    /// Print a report as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `debug`.
#[derive(Clone, Debug, Args)]
pub struct Debug {
    /// The program: ELF32, raw image (loaded at 0x80000000) or assembly text (.s)
    pub file: PathBuf,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
}

/// Options of `disasm`.
#[derive(Clone, Debug, Args)]
pub struct Disasm {
    /// The program (ELF32, raw image, .s) or shader (.wgsl; GLSL 450 .comp, .frag; .spv)
    pub file: PathBuf,
    /// Which entry point of a shader.
    #[command(flatten)]
    pub entry: Entry,
    /// The machine that a shader is compiled for.
    #[command(flatten)]
    pub machine: Machine,
    /// Print the listing as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `machines`.
#[derive(Clone, Debug, Args)]
pub struct Machines {
    /// Print this one: a name, a shape as in 2c8w16t, or a TOML file
    #[arg(value_name = "NAME|FILE.toml")]
    pub name: Option<String>,
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Print the list or the machine as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `diff`.
#[derive(Clone, Debug, Args)]
pub struct Diff {
    /// A report written with --json
    #[arg(value_name = "A.json")]
    pub a: PathBuf,
    /// Another of the same command
    #[arg(value_name = "B.json")]
    pub b: PathBuf,
    /// Print the difference as JSON
    #[arg(long)]
    pub json: bool,
}

/// Who renders.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    /// The tile kernel on the simulated machine
    Device,
    /// Plain Rust and the WGSL evaluator
    Reference,
}

/// A heat map by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum HeatKind {
    /// Fragments shaded per pixel
    Overdraw,
    /// The finest mip level that each pixel's last fragment sampled
    Mip,
    /// Lanes of quads that only help their neighbours, in percent
    Quads,
    /// Lanes that are masked off, in percent, tile by tile
    Divergence,
    /// Core cycles per pixel, tile by tile (the frame is timed)
    Cycles,
}

impl From<HeatKind> for Kind {
    fn from(kind: HeatKind) -> Self {
        match kind {
            HeatKind::Overdraw => Self::Overdraw,
            HeatKind::Mip => Self::Mip,
            HeatKind::Quads => Self::Quads,
            HeatKind::Divergence => Self::Divergence,
            HeatKind::Cycles => Self::Cycles,
        }
    }
}

/// A filter by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum FilterName {
    /// The nearest texel
    Point,
    /// Four texels of one level
    Bilinear,
    /// Four texels of two levels each
    Trilinear,
}

impl From<FilterName> for Filter {
    fn from(name: FilterName) -> Self {
        match name {
            FilterName::Point => Self::Point,
            FilterName::Bilinear => Self::Bilinear,
            FilterName::Trilinear => Self::Trilinear,
        }
    }
}

/// A moment of the animation, in seconds.
pub fn moment(text: &str) -> Result<f32, String> {
    match text.trim().parse::<f32>() {
        Ok(seconds) if seconds.is_finite() => Ok(seconds),
        _ => Err("a moment is a finite number of seconds, for example 1.5".to_string()),
    }
}

/// The size of a picture, in pixels; neither is zero.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl Size {
    /// Reads `640x480`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (width, height) = text.split_once(['x', 'X']).ok_or("write it as WIDTHxHEIGHT, for example 640x480")?;
        let side = |name: &str, text: &str| -> Result<u32, String> {
            let value: u32 =
                text.trim().parse().map_err(|_| format!("{name} `{text}` is no whole number of pixels"))?;
            match value {
                0 => Err(format!("{name} is zero; a picture has at least one pixel")),
                1..=LARGEST_SIDE => Ok(value),
                _ => Err(format!("{name} {value} is beyond the largest side, {LARGEST_SIDE} pixels")),
            }
        };
        Ok(Self { width: side("width", width)?, height: side("height", height)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_are_read_and_bad_ones_refused_by_name() {
        assert_eq!(Size::parse("17x3"), Ok(Size { width: 17, height: 3 }));
        for (text, part) in [
            ("0x480", "width is zero"),
            ("640x0", "height is zero"),
            ("640", "WIDTHxHEIGHT"),
            ("9000x1", "8192"),
            ("-1x4", "no whole number"),
            ("99999999999x1", "no whole number"),
        ] {
            let message = Size::parse(text).expect_err(text);
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn a_moment_is_finite() {
        assert_eq!(moment("-1.5"), Ok(-1.5));
        for text in ["nan", "inf", "-infinity", "1e39", "soon", ""] {
            assert!(moment(text).is_err(), "{text}");
        }
    }

    #[test]
    fn view_is_what_happens_without_a_subcommand() {
        let cli = Cli::try_parse_from(["warpaint", "--scene", "ground"]).expect("options of view");
        assert!(cli.command.is_none());
        assert_eq!(cli.view.picture.scene.as_deref(), Some("ground"));
        assert!(Cli::try_parse_from(["warpaint", "--scene", "a", "--model", "b.obj"]).is_err());
    }
}
