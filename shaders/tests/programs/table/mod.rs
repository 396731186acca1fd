//! The table of programs: WGSL, what its buffers hold before, and what plain Rust says they hold after.
//!
//! It uses nothing but the standard library, so that any implementation can be held to it.
//!
//! Every program has one entry point `main`; buffer n of a case is `@group(0) @binding(n)`, texture n `@group(1) @binding(n)`, sampler n
//! `@group(2) @binding(n)`.

/// A program's list: name of the file, and the function that makes its case.
macro_rules! programs {
    ($($name:ident $(with $overrides:expr)?;)*) => {
        pub const PROGRAMS: &[super::Program] = &[$(
            super::Program::new(
                stringify!($name),
                include_str!(concat!("../wgsl/", stringify!($name), ".wgsl")),
                $name,
            )$(.with($overrides))?
        ),*];
    };
}

mod builtins;
mod control;
mod data;
pub mod images;
mod integers;
mod joins;
pub mod numbers;
mod numeric;
mod odd_control;
mod odd_numbers;
mod scans;
mod sorting;
mod subgroups;
mod texture_reads;
mod texture_samples;
mod texture_stores;

/// Programs that are about one thing.
#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    pub programs: &'static [Program],
}

/// All of them.
pub const FAMILIES: &[Family] = &[
    Family { name: "sorting", programs: sorting::PROGRAMS },
    Family { name: "scans", programs: scans::PROGRAMS },
    Family { name: "integers", programs: integers::PROGRAMS },
    Family { name: "control", programs: control::PROGRAMS },
    Family { name: "numeric", programs: numeric::PROGRAMS },
    Family { name: "data", programs: data::PROGRAMS },
    Family { name: "builtins", programs: builtins::PROGRAMS },
    Family { name: "subgroups", programs: subgroups::PROGRAMS },
    Family { name: "joins", programs: joins::PROGRAMS },
    Family { name: "odd_control", programs: odd_control::PROGRAMS },
    Family { name: "odd_numbers", programs: odd_numbers::PROGRAMS },
    Family { name: "texture_reads", programs: texture_reads::PROGRAMS },
    Family { name: "texture_samples", programs: texture_samples::PROGRAMS },
    Family { name: "texture_stores", programs: texture_stores::PROGRAMS },
];

/// Every program, family by family.
pub fn programs() -> impl Iterator<Item = &'static Program> {
    FAMILIES.iter().flat_map(|family| family.programs)
}

/// One program.
#[derive(Debug)]
pub struct Program {
    /// Also the name of its file.
    pub name: &'static str,
    pub source: &'static str,
    /// Values of its overrides.
    pub overrides: &'static [(&'static str, f64)],
    /// Its data, for warps of so many lanes: only programs that exchange values within a subgroup look at them.
    make: fn(u32) -> Case,
}

impl Program {
    pub const fn new(name: &'static str, source: &'static str, make: fn(u32) -> Case) -> Self {
        Self { name, source, overrides: &[], make }
    }

    pub const fn with(self, overrides: &'static [(&'static str, f64)]) -> Self {
        Self { overrides, ..self }
    }

    /// The data of a run with subgroups of so many lanes.
    pub fn case(&self, lanes: u32) -> Case {
        (self.make)(lanes)
    }
}

/// How far a float may be from what Rust computed: `absolute`, or `ulps` units in its last place, whichever allows more.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Bound {
    pub absolute: f32,
    pub ulps: f32,
}

/// What a buffer's words are, and how exactly they are known.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Accuracy {
    /// The same bits everywhere: integers, and floats that WGSL leaves no choice in.
    Exact,
    /// Floats by operations that are correctly rounded here; WGSL allows others (division, fusing, order) so much.
    Rounded { elsewhere: Bound },
    /// Floats by builtins that WGSL gives bounds for, which hold here as elsewhere.
    Bounded(Bound),
}

/// One buffer: contents before and after.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub before: Vec<u32>,
    pub after: Vec<u32>,
    pub accuracy: Accuracy,
}

/// One run of a program.
#[derive(Clone, Debug)]
pub struct Case {
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
    pub buffers: Vec<Buffer>,
    pub textures: Vec<images::Texture>,
    pub samplers: Vec<images::Sampler>,
}

impl Case {
    /// A grid without buffers.
    pub const fn new(grid: [u32; 3]) -> Self {
        Self { grid, buffers: Vec::new(), textures: Vec::new(), samplers: Vec::new() }
    }

    /// The next binding is a buffer that the program must leave as it is.
    pub fn input(self, words: impl Into<Vec<u32>>) -> Self {
        let words = words.into();
        self.changed(words.clone(), words)
    }

    /// The next binding starts as zero.
    pub fn output(self, after: impl Into<Vec<u32>>) -> Self {
        let after = after.into();
        self.changed(vec![0; after.len()], after)
    }

    /// The next binding goes from one to the other.
    pub fn changed(mut self, before: Vec<u32>, after: Vec<u32>) -> Self {
        assert_eq!(before.len(), after.len(), "a buffer does not grow");
        self.buffers.push(Buffer { before, after, accuracy: Accuracy::Exact });
        self
    }

    /// The buffer added last holds floats, as exact as this.
    pub fn known(mut self, accuracy: Accuracy) -> Self {
        self.buffers.last_mut().expect("a buffer was added").accuracy = accuracy;
        self
    }

    /// The next texture.
    pub fn texture(mut self, texture: images::Texture) -> Self {
        self.textures.push(texture);
        self
    }

    /// The next sampler.
    pub fn sampler(mut self, sampler: images::Sampler) -> Self {
        self.samplers.push(sampler);
        self
    }

    /// The textures that the program may store to.
    pub fn stored(&self) -> impl Iterator<Item = (usize, &images::Texture)> {
        self.textures.iter().enumerate().filter(|(_, texture)| texture.after.is_some())
    }

    /// Whether our own machine may have left this in the buffers, and in the first levels of the textures after them; if not, the first place that is wrong.
    pub fn judge(&self, found: &[Vec<u32>]) -> Result<(), String> {
        self.judge_by(found, |accuracy| match accuracy {
            Accuracy::Exact | Accuracy::Rounded { .. } => None,
            Accuracy::Bounded(bound) => Some(bound),
        })
    }

    /// The same for an implementation that takes the liberties of WGSL.
    #[allow(dead_code, reason = "for those who include the table to hold another implementation to it")]
    pub fn judge_elsewhere(&self, found: &[Vec<u32>]) -> Result<(), String> {
        self.judge_by(found, |accuracy| match accuracy {
            Accuracy::Exact => None,
            Accuracy::Rounded { elsewhere: bound } | Accuracy::Bounded(bound) => Some(bound),
        })
    }

    fn judge_by(&self, found: &[Vec<u32>], bound: impl Fn(Accuracy) -> Option<Bound>) -> Result<(), String> {
        for (binding, (buffer, found)) in self.buffers.iter().zip(found).enumerate() {
            let bound = bound(buffer.accuracy);
            for (n, (&wanted, &found)) in buffer.after.iter().zip(found).enumerate() {
                let is_right = found == wanted || bound.is_some_and(|bound| numbers::is_near(found, wanted, bound));
                if !is_right {
                    let floats = [found, wanted].map(f32::from_bits);
                    return Err(format!(
                        "word {n} of binding {binding} is {found:#010x} ({:?}), should be {wanted:#010x} ({:?}){}",
                        floats[0],
                        floats[1],
                        bound.map_or_else(String::new, |bound| format!(" within {bound:?}"))
                    ));
                }
            }
        }
        for ((binding, texture), found) in self.stored().zip(&found[self.buffers.len()..]) {
            let after = texture.after.as_deref().unwrap_or_default();
            for (n, (wanted, found)) in after.chunks(4).zip(found).enumerate() {
                if wanted != found.to_le_bytes() {
                    let wanted = u32::from_le_bytes(wanted.try_into().expect("texels are words"));
                    return Err(format!("word {n} of texture {binding} is {found:#010x}, should be {wanted:#010x}"));
                }
            }
        }
        Ok(())
    }
}
