//! The records that the host and the vertex kernel (`kernels/vertex/`) share.
//!
//! Before: `raster` fills them for each draw. After: the kernel reads them. A test holds every offset against the layout that
//! naga gives the kernel's own declarations.

use bytemuck::{Pod, Zeroable};

use crate::diagnostic::CompileError;
use crate::front_end::Module;

/// The files of the vertex kernel, (name, text) each.
pub const VERTEX_KERNEL: &[(&str, &str)] = &[
    ("vertex.wgsl", include_str!("../kernels/vertex/vertex.wgsl")),
    ("attributes.wgsl", include_str!("../kernels/vertex/attributes.wgsl")),
];

/// Parses the vertex kernel; its overrides are open.
pub fn vertex_kernel() -> Result<Module, CompileError> {
    Module::parse_files("vertex kernel", VERTEX_KERNEL)
}

/// The names of the overrides that say how attributes lie in memory, by attribute.
pub const FORMATS: [&str; crate::evaluate::MOST_ATTRIBUTES] = [
    "FORMAT_0",
    "FORMAT_1",
    "FORMAT_2",
    "FORMAT_3",
    "FORMAT_4",
    "FORMAT_5",
    "FORMAT_6",
    "FORMAT_7",
    "FORMAT_8",
    "FORMAT_9",
    "FORMAT_10",
    "FORMAT_11",
    "FORMAT_12",
    "FORMAT_13",
    "FORMAT_14",
    "FORMAT_15",
];

/// What the invocations of a launch share.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Call {
    /// Vertices of an instance.
    pub vertices: u32,
    /// Of all instances together.
    pub invocations: u32,
    /// The number of the first instance.
    pub first_instance: u32,
}

/// Where an attribute lies.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Attribute {
    /// Where in `vertex_data` that of vertex (or instance) 0 begins.
    pub first_byte: u32,
    /// Bytes from one to the next.
    pub stride: u32,
    /// 1 if it is the instance that steps.
    pub is_instance: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::{offset_of, size_of};

    #[track_caller]
    fn check(name: &str, size: usize, offsets: &[(&str, usize)]) {
        let module = vertex_kernel().expect("the vertex kernel is valid");
        let found = module.naga.types.iter().find(|(_, ty)| ty.name.as_deref() == Some(name));
        let (_, ty) = found.expect("the kernel declares it");
        let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is no struct") };
        let members: Vec<_> =
            members.iter().map(|m| (m.name.as_deref().expect("members have names"), m.offset as usize)).collect();
        assert_eq!((*span as usize, &members[..]), (size, offsets), "{name}");
    }

    #[test]
    fn records_lie_as_the_kernel_reads_them() {
        let call = [
            ("vertices", offset_of!(Call, vertices)),
            ("invocations", offset_of!(Call, invocations)),
            ("first_instance", offset_of!(Call, first_instance)),
        ];
        check("Call", size_of::<Call>(), &call);
        let attribute = [
            ("first_byte", offset_of!(Attribute, first_byte)),
            ("stride", offset_of!(Attribute, stride)),
            ("is_instance", offset_of!(Attribute, is_instance)),
        ];
        check("Attribute", size_of::<Attribute>(), &attribute);
    }
}
