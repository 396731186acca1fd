//! The composite builtins, told once in `prelude.wgsl` and, for textures, in `prelude/`.
//!
//! Before: WGSL's list of builtin functions. After: `evaluate`, which runs these functions, and `translate`, which inlines
//! them. The table that says which function tells which builtin is `builtins`.
//!
//! Not told here: constant expressions (`const x = sin(1.0);`), which naga folds while it parses, with the host's f32 or f64
//! functions. Evaluator and compiler see the same folded number, but it may differ in its last bit on another host.

use std::sync::OnceLock;

use naga::{Function, Handle};

pub use crate::builtins::{FLOAT_REMAINDER, Resolution, instruction, resolve};
use crate::front_end::Module;

/// The files of the prelude, (name, text) each.
pub const FILES: &[(&str, &str)] = &[
    ("prelude.wgsl", include_str!("prelude.wgsl")),
    ("textures.wgsl", include_str!("prelude/textures.wgsl")),
    ("texture_forms.wgsl", include_str!("prelude/texture_forms.wgsl")),
    ("storage_textures.wgsl", include_str!("prelude/storage_textures.wgsl")),
];

/// All of the prelude as one text, for tests that call what no builtin reaches.
#[cfg(test)]
pub(crate) const TEXT: &str = concat!(
    include_str!("prelude.wgsl"),
    include_str!("prelude/textures.wgsl"),
    include_str!("prelude/texture_forms.wgsl"),
    include_str!("prelude/storage_textures.wgsl")
);

/// The prelude, parsed once.
pub fn module() -> &'static Module {
    static MODULE: OnceLock<Module> = OnceLock::new();
    MODULE.get_or_init(|| {
        Module::parse_files("prelude", FILES)
            .unwrap_or_else(|error| panic!("the prelude is valid WGSL, it is a part of this crate:\n{error}"))
    })
}

/// A function of the prelude by name.
pub fn function(name: &str) -> (Handle<Function>, &'static Function) {
    let named = |(_, function): &(Handle<Function>, &Function)| function.name.as_deref() == Some(name);
    module()
        .naga
        .functions
        .iter()
        .find(named)
        .unwrap_or_else(|| panic!("the prelude has every function of its table: {name}"))
}
