//! Options of a shader that is run, profiled or listed by itself, the same for every command.

use std::str::FromStr;

use anyhow::{Context, bail, ensure};
use clap::{Args, ValueEnum};
use demos::shader::{Filled, Given, GivenSampler, GivenTexture, Job, Selected, ShaderFile, Shown, Stored};
use gpu_core::config::GpuConfig;
use shaders::front_end::{GlslStage, Language};
use std::path::Path;

/// Warp-instructions that a shader may take when nobody says: about a minute, and no shader of a test wants so many.
const USUAL_BUDGET: u64 = 1_000_000_000;

/// Which entry point, in which language.
#[derive(Clone, Debug, Default, Args)]
pub struct Entry {
    /// The shader's entry point; needed when it has several
    #[arg(help_heading = "Shader", long, value_name = "NAME")]
    pub entry: Option<String>,
    /// A value for an `override` of the shader, by name or number; may be given several times
    #[arg(help_heading = "Shader", long = "override", value_name = "NAME=VALUE")]
    pub overrides: Vec<Override>,
    /// The shader's language, where the file's name does not tell: .wgsl; GLSL 450 .comp, .frag, .vert (.glsl is .comp); .spv
    #[arg(help_heading = "Shader", long, value_enum, value_name = "LANGUAGE")]
    pub language: Option<LanguageName>,
}

/// What a compute shader is launched with.
#[derive(Clone, Debug, Default, Args)]
pub struct Launched {
    /// Which entry point.
    #[command(flatten)]
    pub entry: Entry,
    /// What a binding holds: f32:1,2.5 or u32:, i32:, hex:; @FILE (raw bytes); zero:BYTES; count:WORDS (0, 1, 2, …);
    /// random:WORDS (the same every time)
    #[arg(help_heading = "Shader", long = "buffer", value_name = "GROUP:BINDING=CONTENTS")]
    pub buffers: Vec<Filled>,
    /// What a texture holds: @FILE.png (several are layers), zero:WxH (or WxHxD), checker:, gradient:, count: or random:WxH, or @FILE
    /// (texels as bytes) with size=WxH; then format=NAME as WebGPU has it, levels=all or how many
    #[arg(help_heading = "Shader", long = "texels", value_name = "GROUP:BINDING=TEXELS[,…]")]
    pub textures: Vec<GivenTexture>,
    /// How a texture is sampled: nearest or linear; clamp, repeat, mirror or border; min=, mag=, mip=, u=, v=, w=, compare=less,
    /// lod=0..3, bias=, anisotropy=, border=AARRGGBB [default of each: as WebGPU has it]
    #[arg(help_heading = "Shader", long = "sampler", value_name = "GROUP:BINDING=WORDS")]
    pub samplers: Vec<GivenSampler>,
    /// How many workgroups are launched, along x, y and z [default: 1,1,1]
    #[arg(help_heading = "Shader", long, value_name = "X,Y,Z")]
    pub groups: Option<Groups>,
}

/// What is to be said of buffers and storage textures afterwards.
#[derive(Clone, Debug, Default, Args)]
pub struct Results {
    /// Print a buffer, or the components of a texture, afterwards: as f32, u32, i32 or hex, all of it or so many words [default: what
    /// the shader writes, 64 words of each]
    #[arg(help_heading = "Shader", long = "print", value_name = "GROUP:BINDING=TYPE[:WORDS]")]
    pub prints: Vec<Shown>,
    /// Write the bytes of a buffer or texture to a file afterwards; a texture as a picture if the file's name ends in .png
    #[arg(help_heading = "Shader", long = "output", value_name = "GROUP:BINDING=@FILE")]
    pub outputs: Vec<Stored>,
}

/// A language by name.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageName {
    /// WGSL
    Wgsl,
    /// GLSL 450, a compute shader
    Comp,
    /// GLSL 450, a fragment shader
    Frag,
    /// GLSL 450, a vertex shader
    Vert,
    /// SPIR-V
    Spv,
}

impl LanguageName {
    const fn language(self) -> Language {
        match self {
            Self::Wgsl => Language::Wgsl,
            Self::Comp => Language::Glsl(GlslStage::Compute),
            Self::Frag => Language::Glsl(GlslStage::Fragment),
            Self::Vert => Language::Glsl(GlslStage::Vertex),
            Self::Spv => Language::SpirV,
        }
    }
}

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Override {
    name: String,
    value: f64,
}

impl FromStr for Override {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let Some((name, value)) = text.split_once('=') else { bail!("`{text}` has no value; write NAME=VALUE") };
        let number = match value.trim() {
            "true" => 1.0,
            "false" => 0.0,
            other => other.parse().with_context(|| format!("`{other}` is neither a number nor true nor false"))?,
        };
        Ok(Self { name: name.trim().to_owned(), value: number })
    }
}

/// `X,Y,Z`; what is left away is 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Groups([u32; 3]);

impl FromStr for Groups {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut groups = [1; 3];
        let numbers: Vec<_> = text.split(',').collect();
        ensure!(numbers.len() <= 3, "`{text}` has {} numbers, a grid has at most three", numbers.len());
        for (group, number) in groups.iter_mut().zip(numbers) {
            *group =
                number.trim().parse().with_context(|| format!("`{number}` in `{text}` is no number of workgroups"))?;
        }
        ensure!(!groups.contains(&0), "a grid of {text} workgroups is empty");
        Ok(Self(groups))
    }
}

impl Entry {
    /// Whether a file is a shader and not a program.
    pub fn is_shader(&self, file: &Path) -> bool {
        self.language.is_some() || Language::of_file(file).is_some()
    }

    /// Reads the file and keeps the entry point.
    pub fn select(&self, file: &Path) -> anyhow::Result<Selected> {
        let overrides: Vec<_> = self.overrides.iter().map(|given| (given.name.as_str(), given.value)).collect();
        let language = self.language.map(LanguageName::language);
        Ok(ShaderFile::open(file, language)?.select(self.entry.as_deref(), &overrides)?)
    }

    /// Refuses these options beside a program, which has nothing that they could be about.
    fn refuse(&self, file: &Path) -> anyhow::Result<()> {
        let is_given = self.entry.is_some() || !self.overrides.is_empty();
        ensure!(!is_given, "--entry and --override are for shaders, and `{}` is a program", file.display());
        Ok(())
    }
}

impl Launched {
    /// A job for a machine: compiled, every binding filled.
    pub fn job(&self, file: &Path, config: &GpuConfig) -> anyhow::Result<Job> {
        let selected = self.entry.select(file)?;
        Job::check(&selected)?;
        let kernel = selected.compile(config)?;
        let given = Given { buffers: &self.buffers, textures: &self.textures, samplers: &self.samplers };
        Ok(Job::new(&selected, kernel, &given, self.groups.map_or([1; 3], |groups| groups.0))?)
    }

    /// Refuses these options beside a program.
    pub fn refuse(&self, file: &Path) -> anyhow::Result<()> {
        let binds = !self.buffers.is_empty() || !self.textures.is_empty() || !self.samplers.is_empty();
        ensure!(
            !binds && self.groups.is_none(),
            "--buffer, --texels, --sampler and --groups are for shaders, and `{}` is a program",
            file.display()
        );
        self.entry.refuse(file)
    }
}

impl Results {
    /// Refuses these options beside a program.
    pub fn refuse(&self, file: &Path) -> anyhow::Result<()> {
        let is_given = !self.prints.is_empty() || !self.outputs.is_empty();
        ensure!(!is_given, "--print and --output are for shaders, and `{}` is a program", file.display());
        Ok(())
    }
}

/// A machine on which an endless shader ends.
pub fn limited(mut config: GpuConfig, budget: Option<u64>) -> GpuConfig {
    config.instruction_budget = budget.unwrap_or(config.instruction_budget.min(USUAL_BUDGET));
    config
}
