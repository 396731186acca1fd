//! What can be typed after `warpaint bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::cli::arguments::Size;
use crate::cli::machine;

/// What is measured.
#[derive(Debug, Subcommand)]
pub enum Bench {
    /// Lane-operations per second of an arithmetic, a memory and a divergent kernel
    Machine(Speed),
    /// Frames per second of each scene, and where the host's time goes
    ///
    /// The time of a frame divides into vertices (what WGSL vertex shaders take: copies and the machine), geometry (vertices, where closures
    /// make them, to triangles), binning (triangles to tiles), kernels (the machine), tex (its
    /// samples, taken out of the kernels' time) and the rest (checks, copies to the device and back). The device turns a stopwatch
    /// from one to the next, a few times a frame. tex is measured in frames of its own, after the others: the fast engine times one
    /// call in 61 there, less what its clock takes; timed runs and the plain engine cannot tell it from the kernels.
    Frame(Frame),
    /// What the texture unit buys: tex against two samplers in software, for three filters
    ///
    /// Without further options the headline: one mapping for each filter, default memory. Every picture is compared with
    /// the model, byte for byte, before a ratio is printed.
    Sampler(Sampler),
}

/// Options of `bench machine`.
#[derive(Clone, Debug, Args)]
pub struct Speed {
    /// The machine.
    #[command(flatten)]
    pub machine: machine::Machine,
    /// Model every cycle: sgemm and saxpy on vortex-4w4t, in warp-instructions per second
    #[arg(long)]
    pub timed: bool,
    /// About how long each figure is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub seconds: f64,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `bench frame`.
#[derive(Clone, Debug, Args)]
pub struct Frame {
    /// The machine.
    #[command(flatten)]
    pub machine: machine::Machine,
    /// Model every cycle: slower, the same pictures, with the cycles of a frame
    #[arg(help_heading = "Time", long)]
    pub timed: bool,
    /// Measure only this scene
    #[arg(long, value_name = "NAME")]
    pub scene: Option<String>,
    /// Instead of scenes: quads that fill 1920x1080, the last one seen 8:1 with 16 anisotropic taps allowed, and triangles of one
    /// pixel, in a second of one host core's time; beside each the warp-instructions for a block, which is a warp's pixels
    #[arg(long, conflicts_with_all = ["scene", "size"])]
    pub fill: bool,
    /// Instead of scenes: the vertices of a grid, made by a WGSL vertex shader on the machine and by a Rust closure that makes the
    /// same, in a second of one host core's time
    #[arg(long, conflicts_with_all = ["scene", "size", "fill"])]
    pub vertices: bool,
    /// Picture size
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = Size::parse)]
    pub size: Size,
    /// About how long each figure is measured
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub seconds: f64,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// Options of `bench sampler`.
#[derive(Clone, Debug, Args)]
pub struct Sampler {
    /// Pixels of the picture [default: 1920x1080, with --quick 128x72]
    #[arg(long, value_name = "WxH", value_parser = Size::parse)]
    pub size: Option<Size>,
    /// Texels of the texture, up to 8192x8192 [default: those that fill the picture]
    #[arg(long, value_name = "WxH", value_parser = Size::parse)]
    pub source: Option<Size>,
    /// Numbers of cores; the headline is measured for each
    #[arg(long, value_name = "N,N", value_delimiter = ',', default_value = "1")]
    pub cores: Vec<u32>,
    /// The machine, of which --cores changes the cores.
    #[command(flatten)]
    pub machine: machine::Machine,
    /// Every mapping with every memory, the sweep of DRAM latencies, and a texture of 2048x1024: about 17 headlines
    #[arg(long)]
    pub full: bool,
    /// A small picture, in seconds
    #[arg(long)]
    pub quick: bool,
    /// Measure the sweep of DRAM latencies and plot how many times faster tex is: .svg or .png
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Print the figures as JSON
    #[arg(long)]
    pub json: bool,
}
