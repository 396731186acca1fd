//! An entry point made ready to run: naga's expressions become steps over numbered slots.
//!
//! Before: `prepare` builds it once. After: `run` carries it out many times.
//!
//! A value is a row of 32-bit words, vectors, matrices, arrays and structures flattened in order; a [`Slot`] is the number of
//! its first word. Each expression, argument and result of each function has slots of its own: functions cannot recurse, so
//! no two lives of a slot overlap. Variables live in memory and are reached through pointers, which are values too: one
//! word (a word address) outside buffers, two words (buffer, byte offset) inside.

use naga::{DerivativeAxis, DerivativeControl};

use super::arithmetic::{Binary, Ternary, Unary};
use crate::interface::{COLOR_TARGETS, Output};

/// The first word of a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Slot(pub u32);

impl Slot {
    /// The slot `words` further on.
    pub(super) fn plus(self, words: u32) -> Self {
        Self(self.0 + words)
    }
}

/// An operand of a componentwise step: a scalar (`stride` 0) serves every component.
#[derive(Copy, Clone, Debug)]
pub(super) struct Operand {
    pub slot: Slot,
    pub stride: u32,
}

/// Which memory a pointer points into.
#[derive(Clone, Debug)]
pub(super) enum Memory {
    /// Function and private variables: a word of its own for each lane.
    Private,
    /// Shared by the workgroup.
    Workgroup,
    /// A buffer; the byte offset of each word of the value.
    Buffer(Vec<u32>),
}

/// Number of elements that an index is limited to.
#[derive(Copy, Clone, Debug)]
pub(super) enum Length {
    Fixed(u32),
    /// What is left of the buffer after the pointer, in elements of this many bytes.
    Runtime(u32),
}

/// How a value goes from lane to lane.
#[derive(Copy, Clone, Debug)]
pub(super) enum Gather {
    First,
    Index(Slot),
    Down(Slot),
    Up(Slot),
    Xor(Slot),
    QuadIndex(Slot),
    QuadXor(u32),
}

/// Which lanes' values a lane gets joined.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// All.
    Reduce,
    /// Those up to the lane, itself included.
    Inclusive,
    /// Those below the lane, after these bits.
    Exclusive(u32),
}

/// A read-modify-write.
#[derive(Copy, Clone, Debug)]
pub(super) enum AtomicKind {
    Apply(Binary),
    Exchange,
    /// Stores where the old value equals this one.
    CompareExchange(Slot),
}

/// The body of an intrinsic.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Intrinsic {
    /// An instruction of one float or two.
    Transcendental(gpu_core::isa::Op),
    /// A sample of the machine.
    Tex(texture::Form),
    SamplingState,
    MultiplyHighUnsigned,
    MultiplyHighSigned,
    CopySign,
    MultiplyShiftAdd,
    /// State of the machine that the evaluator does not have.
    Nothing,
}

/// One step; all lanes that are active take it together.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Copy {
        from: Slot,
        to: Slot,
        words: u32,
    },
    Apply1 {
        f: Unary,
        a: Slot,
        to: Slot,
        words: u32,
    },
    Apply2 {
        f: Binary,
        a: Operand,
        b: Operand,
        to: Slot,
        words: u32,
    },
    Apply3 {
        f: Ternary,
        a: Operand,
        b: Operand,
        c: Operand,
        to: Slot,
        words: u32,
    },
    /// Element `index` of the value at `base`, elements being `words` long.
    IndexValue {
        base: Slot,
        index: Slot,
        length: u32,
        to: Slot,
        words: u32,
    },
    /// Pointer to element `index`, elements being `scale` apart.
    IndexPointer {
        base: Slot,
        index: Slot,
        length: Length,
        scale: u32,
        is_buffer: bool,
        to: Slot,
    },
    /// Pointer to a part at a fixed distance.
    OffsetPointer {
        base: Slot,
        distance: u32,
        is_buffer: bool,
        to: Slot,
    },
    /// Elements from the pointer to the buffer's end, `stride` bytes each.
    ArrayLength {
        pointer: Slot,
        stride: u32,
        to: Slot,
    },
    Load {
        pointer: Slot,
        memory: Memory,
        to: Slot,
        words: u32,
    },
    Store {
        pointer: Slot,
        memory: Memory,
        value: Slot,
        words: u32,
    },
    Atomic {
        pointer: Slot,
        memory: Memory,
        kind: AtomicKind,
        value: Slot,
        to: Option<Slot>,
    },
    Derivative {
        axis: DerivativeAxis,
        control: DerivativeControl,
        a: Slot,
        to: Slot,
        words: u32,
    },
    /// Number of the sampler stage that holds this texture with this sampler (with any, for a query).
    Stage {
        texture: Slot,
        sampler: Option<Slot>,
        is_query: bool,
        to: Slot,
    },
    /// Pointer to a byte of a storage texture's texels.
    TexelPointer {
        texture: Slot,
        offset: Slot,
        to: Slot,
    },
    /// Runs a function: copies of the arguments (from, to, words), its code, a copy of the result.
    Call {
        function: usize,
        arguments: Vec<(Slot, Slot, u32)>,
        result: Option<Slot>,
    },
    Ballot {
        predicate: Option<Slot>,
        to: Slot,
    },
    Vote {
        is_all: bool,
        predicate: Slot,
        to: Slot,
    },
    /// The active lanes of each subgroup joined one after the other, ascending.
    Join {
        f: Binary,
        how: Join,
        value: Slot,
        to: Slot,
        words: u32,
    },
    Gather {
        how: Gather,
        value: Slot,
        to: Slot,
        words: u32,
    },
    If {
        condition: Slot,
        accept: Vec<Step>,
        reject: Vec<Step>,
    },
    Switch {
        selector: Slot,
        cases: Vec<Case>,
    },
    Loop {
        body: Vec<Step>,
        continuing: Vec<Step>,
        break_if: Option<Slot>,
    },
    Break,
    Continue,
    /// Copies the value (from, words) into the function's result.
    Return {
        value: Option<(Slot, u32)>,
    },
    Kill,
    Barrier,
}

/// One case of a switch; no value is the default.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub value: Option<u32>,
    pub body: Vec<Step>,
    pub falls_through: bool,
}

/// One function.
#[derive(Clone, Debug)]
pub(super) struct Code {
    /// Slot and words of each argument.
    pub arguments: Vec<(Slot, u32)>,
    pub result: Slot,
    pub result_words: u32,
    /// Start values of local variables: (word address, bits).
    pub locals: Vec<(u32, u32)>,
    pub body: Vec<Step>,
    /// Replaces the body.
    pub intrinsic: Option<Intrinsic>,
}

/// What a word of the entry point's arguments is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Input {
    LocalInvocationId(u8),
    LocalInvocationIndex,
    WorkgroupId(u8),
    GlobalInvocationId(u8),
    NumWorkgroups(u8),
    SubgroupInvocationId,
    SubgroupSize,
    SubgroupId,
    NumSubgroups,
    /// Component of the window position.
    Position(u8),
    FrontFacing,
    SampleIndex,
    SampleMask,
    /// Scalar input by slot number.
    Varying(u32),
    VertexIndex,
    InstanceIndex,
    /// Attribute by its number, and its component.
    Attribute(u8, u8),
}

/// A buffer the entry point uses.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct BufferPlace {
    pub group: u32,
    pub binding: u32,
}

/// How an entry point is run.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Stage {
    #[default]
    Compute,
    Vertex,
    Fragment,
}

/// Everything a run needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub entry: String,
    pub stage: Stage,
    pub workgroup_size: [u32; 3],
    /// The entry point is the last one.
    pub functions: Vec<Code>,
    /// Words of values.
    pub value_words: u32,
    /// Values that never change: (slot, bits).
    pub constants: Vec<(Slot, u32)>,
    /// Words of function and private variables of one lane.
    pub private_words: u32,
    /// Start values of private variables that are not zero: (word address, bits).
    pub private_start: Vec<(u32, u32)>,
    pub workgroup_words: u32,
    pub buffers: Vec<BufferPlace>,
    /// Storage textures as indices of global variables, and which of the buffers their texels are.
    pub texels: Vec<(u32, u32)>,
    /// (texture, sampler) as indices of global variables, by stage.
    pub stages: Vec<(u32, Option<u32>)>,
    pub inputs: Vec<(Slot, Input)>,
    /// What the words of a fragment entry point's result are.
    pub outputs: Vec<Output>,
    /// Colours where it writes none.
    pub missing_colors: [[f32; 4]; COLOR_TARGETS],
}
