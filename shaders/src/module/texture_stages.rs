//! Which (texture, sampler) pairs an entry point uses: the list of sampler stages, those of the hardware first.
//!
//! Before: a selected `front_end::Module`. After: `translate` (stage numbers in the code), `evaluate` and the host, which
//! fills the stages in the same order.

use std::collections::BTreeSet;

use naga::{AddressSpace, Expression, Function, GlobalVariable, Handle, Statement, TypeInner};

use super::{Module, TextureStage};

/// Where a texture or sampler that a function touches comes from: one global for each argument that is one.
type Arguments = Vec<Option<Handle<GlobalVariable>>>;

/// What a walk over the call tree has found.
#[derive(Default)]
struct Found {
    stages: BTreeSet<(Handle<GlobalVariable>, Option<Handle<GlobalVariable>>)>,
    /// Textures whose size or level count is asked for, or whose texels are words of memory.
    queried: BTreeSet<Handle<GlobalVariable>>,
    /// Calls already looked into.
    visited: BTreeSet<(Handle<Function>, Arguments)>,
}

/// The stages in order; see [`Module::texture_stages`].
pub(super) fn of(module: &Module) -> Vec<TextureStage> {
    let mut found = Found::default();
    let entry = &module.entry_point().function;
    walk(module, entry, &vec![None; entry.arguments.len()], &mut found);
    let place = |handle: Handle<GlobalVariable>| {
        module.naga.global_variables[handle].binding.map_or((u32::MAX, u32::MAX), |b| (b.group, b.binding))
    };
    let Found { stages, queried, .. } = found;
    let others = queried.into_iter().filter(|texture| !stages.iter().any(|stage| stage.0 == *texture));
    let others = others.map(|texture| TextureStage { texture, sampler: None, needs_hardware: false });
    let mut all: Vec<_> = others.collect();
    all.extend(stages.iter().map(|&(texture, sampler)| TextureStage { texture, sampler, needs_hardware: true }));
    all.sort_by_key(|stage| {
        (!stage.needs_hardware, place(stage.texture), stage.sampler.is_none(), stage.sampler.map(place))
    });
    all
}

fn walk(module: &Module, function: &Function, arguments: &Arguments, found: &mut Found) {
    let global = |handle: Handle<Expression>| match function.expressions[handle] {
        Expression::GlobalVariable(variable) => {
            let variable_data = &module.naga.global_variables[variable];
            (variable_data.space == AddressSpace::Handle).then_some(variable)
        }
        Expression::FunctionArgument(index) => arguments[index as usize],
        _ => None,
    };
    for (_, expression) in function.expressions.iter() {
        match *expression {
            Expression::ImageSample { image, sampler, .. } => {
                found.stages.extend(global(image).map(|texture| (texture, global(sampler))));
            }
            Expression::ImageLoad { image, .. } => match global(image) {
                Some(texture) if is_storage(module, texture) => {
                    found.queried.insert(texture);
                }
                texture => found.stages.extend(texture.map(|texture| (texture, None))),
            },
            Expression::ImageQuery { image, .. } => found.queried.extend(global(image)),
            _ => {}
        }
    }
    stored_images(&function.body, &mut |image| found.queried.extend(global(image)));
    let mut calls = Vec::new();
    collect_calls(&function.body, &mut calls);
    for (callee, passed) in calls {
        let callee_data = &module.naga.functions[callee];
        let is_handle = |ty: Handle<naga::Type>| {
            matches!(module.naga.types[ty].inner, TypeInner::Image { .. } | TypeInner::Sampler { .. })
        };
        let passed: Arguments = passed
            .iter()
            .zip(&callee_data.arguments)
            .map(|(&argument, declared)| is_handle(declared.ty).then(|| global(argument)).flatten())
            .collect();
        if found.visited.insert((callee, passed.clone())) {
            walk(module, callee_data, &passed, found);
        }
    }
}

fn is_storage(module: &Module, texture: Handle<GlobalVariable>) -> bool {
    let ty = module.naga.global_variables[texture].ty;
    matches!(module.naga.types[ty].inner, TypeInner::Image { class: naga::ImageClass::Storage { .. }, .. })
}

/// Visits the textures that a block and the blocks inside it store to.
fn stored_images(block: &naga::Block, visit: &mut impl FnMut(Handle<Expression>)) {
    for statement in block.iter() {
        match statement {
            Statement::ImageStore { image, .. } => visit(*image),
            Statement::Block(block) => stored_images(block, visit),
            Statement::If { accept, reject, .. } => {
                stored_images(accept, visit);
                stored_images(reject, visit);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| stored_images(&case.body, visit)),
            Statement::Loop { body, continuing, .. } => {
                stored_images(body, visit);
                stored_images(continuing, visit);
            }
            _ => {}
        }
    }
}

/// The calls of a block and of the blocks inside it: callee and arguments, in the order of the source.
pub(crate) fn collect_calls(block: &naga::Block, calls: &mut Vec<(Handle<Function>, Vec<Handle<Expression>>)>) {
    for statement in block.iter() {
        match statement {
            Statement::Call { function, arguments, .. } => calls.push((*function, arguments.clone())),
            Statement::Block(block) => collect_calls(block, calls),
            Statement::If { accept, reject, .. } => {
                collect_calls(accept, calls);
                collect_calls(reject, calls);
            }
            Statement::Switch { cases, .. } => cases.iter().for_each(|case| collect_calls(&case.body, calls)),
            Statement::Loop { body, continuing, .. } => {
                collect_calls(body, calls);
                collect_calls(continuing, calls);
            }
            _ => {}
        }
    }
}
