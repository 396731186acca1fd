//! What the entry point of a selected module wants to be bound, as a caller sees it who has a file and no idea what is in it.

use naga::{AddressSpace, GlobalVariable, Handle, ScalarKind, Type, TypeInner};

use super::Module;

/// What the words of a buffer are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// All of them floats.
    Float,
    /// All of them integers with sign.
    Signed,
    /// All of them integers without sign.
    Unsigned,
    /// Several kinds, or padding between.
    Mixed,
}

/// A buffer that the entry point reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferUse {
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
    /// The variable's name.
    pub name: String,
    /// Bytes it needs at least: of its type, with one element of an array without a length.
    pub least_bytes: u32,
    /// What its words are.
    pub words: Words,
}

impl Module {
    /// The buffers of a selected module, by group and binding.
    pub fn buffers(&self) -> Vec<BufferUse> {
        let used = self.naga.global_variables.iter().filter(|(handle, _)| !self.entry_info()[*handle].is_empty());
        let buffers = used.filter_map(|(_, variable)| {
            let binding = variable.binding?;
            let is_buffer = matches!(variable.space, AddressSpace::Uniform | AddressSpace::Storage { .. });
            is_buffer.then(|| BufferUse {
                group: binding.group,
                binding: binding.binding,
                name: self.name_of(variable),
                least_bytes: self.layouts[variable.ty].size,
                words: self.words_of(variable.ty).unwrap_or(Words::Mixed),
            })
        });
        let mut buffers: Vec<_> = buffers.collect();
        buffers.sort_by_key(|buffer| (buffer.group, buffer.binding));
        buffers
    }

    /// Names of the textures and samplers of a selected module.
    pub fn textures(&self) -> Vec<String> {
        let used = self.naga.global_variables.iter().filter(|(handle, _)| !self.entry_info()[*handle].is_empty());
        let handles = used.filter(|(_, variable)| variable.space == AddressSpace::Handle);
        handles.map(|(_, variable)| self.name_of(variable)).collect()
    }

    /// A variable's name; a block of GLSL may have one only as a type.
    fn name_of(&self, variable: &GlobalVariable) -> String {
        let name = variable.name.as_ref().or(self.naga.types[variable.ty].name.as_ref());
        name.map_or_else(|| "(no name)".to_owned(), String::clone)
    }

    /// What all words of a type are; `None` if they differ.
    fn words_of(&self, ty: Handle<Type>) -> Option<Words> {
        match &self.naga.types[ty].inner {
            TypeInner::Array { base, .. } => self.words_of(*base),
            TypeInner::Struct { members, .. } => {
                let mut kinds = members.iter().map(|member| self.words_of(member.ty));
                let first = kinds.next()??;
                kinds.all(|kind| kind == Some(first)).then_some(first)
            }
            inner => match inner.scalar()?.kind {
                ScalarKind::Float => Some(Words::Float),
                ScalarKind::Sint => Some(Words::Signed),
                ScalarKind::Uint => Some(Words::Unsigned),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_say_what_they_need() {
        let source = "struct Head { a: f32, b: vec2<f32>, list: array<vec3<f32>> }
            struct Mixed { a: u32, b: f32 }
            @group(1) @binding(0) var<uniform> mixed: Mixed;
            @group(0) @binding(3) var<storage, read_write> list: Head;
            @group(0) @binding(1) var<storage> counts: array<i32, 5>;
            @group(0) @binding(0) var<storage> unused: u32;
            @compute @workgroup_size(1) fn main() { list.list[0].x = mixed.b + f32(counts[0]); }";
        let module = Module::parse("test.wgsl", source).and_then(|module| module.select("main", &[]));
        let module = module.expect("it is WGSL");
        let buffers = module.buffers();
        let found: Vec<_> =
            buffers.iter().map(|b| (b.group, b.binding, b.name.as_str(), b.least_bytes, b.words)).collect();
        // a at 0, b at 8, list at 16 with elements of 16 bytes.
        let expected =
            [(0, 1, "counts", 20, Words::Signed), (0, 3, "list", 32, Words::Float), (1, 0, "mixed", 8, Words::Mixed)];
        assert_eq!(found, expected);
        assert!(module.textures().is_empty());
    }
}
