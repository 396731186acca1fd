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

/// Declares the compute benchmarks: constant, file.
macro_rules! compute {
    ($($doc:literal $name:ident $file:literal;)*) => {
        $(#[doc = $doc]
        pub const $name: KernelSource =
            KernelSource { name: $file, text: include_str!(concat!("../kernels/compute/", $file)) };)*
    };
}

compute! {
    "`c = a + b`; entry `main`." VECADD "vecadd.wgsl";
    "`y = factor · x + y`; entry `main`." SAXPY "saxpy.wgsl";
    "Product of square matrices; entry `main`." SGEMM "sgemm.wgsl";
    "A 3 × 3 filter; entry `main`." SFILTER "sfilter.wgsl";
    "Distances to a place; entry `main`." NEARN "nearn.wgsl";
    "Gaussian elimination; entries `factors`, `eliminate`." GAUSSIAN "gaussian.wgsl";
    "Breadth-first search; entries `visit`, `advance`." BFS "bfs.wgsl";
}
