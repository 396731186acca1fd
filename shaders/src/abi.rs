//! The argument block: what a launch hands to a compiled kernel, told once for the host and for the prologue.
//!
//! `mscratch` holds its address. All words are 32 bits, little-endian:
//!
//! | word | meaning |
//! | --- | --- |
//! | 0–2 | the grid, in workgroups along x, y, z |
//! | 3 + 2·i, 4 + 2·i | device address and byte length of binding i, in the order of `Kernel::bindings` |
//! | then | warps each core starts; cores × slots; workgroups in all; device address of the frames |
//! | then | constants of the code, `CompiledKernel::constants` |

/// Offsets in bytes of the words of a kernel with so many bindings.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ArgumentLayout {
    /// Bindings of the kernel.
    pub binding_count: u32,
}

impl ArgumentLayout {
    /// Byte offset of the grid's component 0 to 2.
    pub const fn grid(self, component: u32) -> u32 {
        component * 4
    }

    /// Byte offset of a binding's address.
    pub const fn binding_address(self, binding: u32) -> u32 {
        (3 + 2 * binding) * 4
    }

    /// Byte offset of a binding's byte length.
    pub const fn binding_length(self, binding: u32) -> u32 {
        self.binding_address(binding) + 4
    }

    /// Byte offset of the number of warps that each core starts.
    pub const fn warps_to_start(self) -> u32 {
        self.binding_address(self.binding_count)
    }

    /// Byte offset of cores × slots, the step from one workgroup of a slot to its next.
    pub const fn group_stride(self) -> u32 {
        self.warps_to_start() + 4
    }

    /// Byte offset of the number of workgroups in the grid.
    pub const fn group_count(self) -> u32 {
        self.warps_to_start() + 8
    }

    /// Byte offset of the address of the frames: spilled registers and private memory of every warp.
    pub const fn frames(self) -> u32 {
        self.warps_to_start() + 12
    }

    /// Byte offset of a constant of the code; without any, the length of the block.
    pub const fn constant(self, index: u32) -> u32 {
        self.warps_to_start() + 16 + index * 4
    }
}

/// What the host fills the block with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Workgroups along x, y, z.
    pub grid: [u32; 3],
    /// Device address and byte length of each binding.
    pub bindings: Vec<(u32, u32)>,
    /// Warps that each core starts.
    pub warps_to_start: u32,
    /// Cores × slots.
    pub group_stride: u32,
    /// Device address of the frames, 0 where the kernel has none.
    pub frames: u32,
    /// What the code loads instead of making it.
    pub constants: Vec<u32>,
}

impl Arguments {
    /// The block's bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let layout = ArgumentLayout { binding_count: self.bindings.len() as u32 };
        let group_count = self.grid.iter().product::<u32>();
        let words = (self.grid.into_iter())
            .chain(self.bindings.iter().flat_map(|&(address, length)| [address, length]))
            .chain([self.warps_to_start, self.group_stride, group_count, self.frames])
            .chain(self.constants.iter().copied());
        let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        debug_assert_eq!(bytes.len() as u32, layout.constant(self.constants.len() as u32));
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_lie_where_the_layout_says() {
        let arguments = Arguments {
            grid: [2, 3, 5],
            bindings: vec![(0x1000, 64), (0x2000, 128)],
            warps_to_start: 4,
            group_stride: 7,
            frames: 0x3000,
            constants: vec![0x4048_f5c3],
        };
        let layout = ArgumentLayout { binding_count: 2 };
        let bytes = arguments.to_bytes();
        let word =
            |offset: u32| u32::from_le_bytes(bytes[offset as usize..][..4].try_into().expect("four bytes were taken"));
        assert_eq!(bytes.len() as u32, layout.constant(1));
        assert_eq!([0, 1, 2].map(|c| word(layout.grid(c))), [2, 3, 5]);
        assert_eq!((word(layout.binding_address(1)), word(layout.binding_length(1))), (0x2000, 128));
        assert_eq!((word(layout.warps_to_start()), word(layout.group_stride())), (4, 7));
        assert_eq!((word(layout.group_count()), word(layout.frames())), (30, 0x3000));
        assert_eq!(word(layout.constant(0)), 0x4048_f5c3);
    }
}
