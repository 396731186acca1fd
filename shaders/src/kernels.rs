//! The kernels of the experiments: plain WGSL files under `kernels/`, each with its name.
//!
//! After: `demos::experiments` specialises and compiles them. The tile kernel is with its records, in `tile_records`.

/// A WGSL file of this crate.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct KernelSource {
    /// Its name, as messages and line tables show it.
    pub name: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// One sample a pixel, by the texture unit or in software.
pub const SAMPLER: KernelSource =
    KernelSource { name: "sampler.wgsl", text: include_str!("../kernels/sampler/sampler.wgsl") };
