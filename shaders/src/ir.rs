//! The scalar, structured intermediate form between WGSL and machine code.
//!
//! Before: `translate` (naga modules, linked, every call inlined, vectors and structs split into scalars).
//! After: `optimize`, `divergence`, `lower`, which see one compute kernel and nothing of WGSL.
//!
//! A kernel is a tree of statements. A [`Value`] is written once, by its [`Statement::Let`], and may be read by later
//! statements of the same block and of the blocks inside it. What changes in time is a [`Variable`], one scalar.
//! Control flow has four shapes only: `If`, `Scope` (a block one can leave), `Loop` (for ever, until a scope around it
//! is left) and `Leave`. `break`, `continue`, `return` and `switch` are scopes:
//!
//! ```text
//! loop { body; continuing { next; break if done; } }
//!     =>  scope BREAK { loop { scope CONTINUE { body } next; if done { leave BREAK } } }
//! ```

pub mod arithmetic;
pub mod print;
pub mod verify;

/// Which register file a scalar lives in. Signedness belongs to operations; a bool is an integer 0 or 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// 32-bit integer or bool.
    Int,
    /// binary32.
    Float,
}

/// A scalar written once; index into [`Kernel::values`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// A scalar that changes; index into [`Kernel::variables`]. It holds zero when the kernel starts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable(pub u32);

/// Names a [`Statement::Scope`], unique in its kernel.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A place in WGSL source: file (index into [`Kernel::files`]), line and column, both from 1; line 0 is "nowhere".
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Index into [`Kernel::files`].
    pub file: u16,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// Which memory a [`Operation::Load`] or [`Statement::Store`] touches, and what its address means.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Device memory; the address is absolute, in bytes. Bindings the kernel only reads are `read_only`.
    Global,
    /// Device memory that no invocation of the launch writes: a load at a uniform address is uniform.
    GlobalReadOnly,
    /// The workgroup's memory; the address is a byte offset in it.
    Workgroup,
    /// The invocation's own memory; the address is a byte offset in it.
    Private,
}

/// Inputs every compute kernel can ask for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Component 0 to 2 of the invocation's place in its workgroup.
    LocalInvocationId(u8),
    /// x + y·size.x + z·size.x·size.y.
    LocalInvocationIndex,
    /// Component 0 to 2 of the workgroup's place in the grid.
    WorkgroupId(u8),
    /// Component 0 to 2 of workgroup · size + local id.
    GlobalInvocationId(u8),
    /// Component 0 to 2 of the grid, in workgroups.
    NumWorkgroups(u8),
    /// The lane.
    SubgroupInvocationId,
    /// The lane count.
    SubgroupSize,
    /// The warp within its workgroup.
    SubgroupId,
    /// Warps in a workgroup.
    NumSubgroups,
}

/// One operand.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Unary {
    Negate,
    /// All bits.
    Not,
    /// Bool: 0 becomes 1, else 0.
    LogicalNot,
    CountOneBits,
    /// 32 for zero.
    CountLeadingZeros,
    /// 32 for zero.
    CountTrailingZeros,
    ReverseBits,
    FloatNegate,
    FloatAbs,
    FloatSqrt,
    /// Rounded to an integer, the sign of zero kept.
    FloatFloor,
    FloatCeil,
    FloatTrunc,
    /// Ties to even.
    FloatRound,
    /// Towards zero, saturating, NaN becomes the largest (as `fcvt.w.s` with rtz).
    FloatToSigned,
    FloatToUnsigned,
    /// To nearest, ties to even (as `fcvt.w.s` with rne); `optimize` makes it from `FloatToSigned(FloatRound(x))`.
    FloatToSignedNearest,
    FloatToUnsignedNearest,
    SignedToFloat,
    UnsignedToFloat,
    /// Float to Int, the same bits.
    FloatToBits,
    /// Int to Float, the same bits.
    BitsToFloat,
    /// This instruction of one float, rounded to nearest.
    Transcendental(gpu_core::isa::Op),
}

/// Two operands. Integer operations wrap; division follows RISC-V (`translate` adds what WGSL asks beyond that).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    MultiplyHighSigned,
    MultiplyHighUnsigned,
    DivideSigned,
    DivideUnsigned,
    RemainderSigned,
    RemainderUnsigned,
    And,
    Or,
    Xor,
    /// The count is taken modulo 32, here and in the next two.
    ShiftLeft,
    ShiftRightSigned,
    ShiftRightUnsigned,
    MinSigned,
    MinUnsigned,
    MaxSigned,
    MaxUnsigned,
    Equal,
    NotEqual,
    LessSigned,
    LessUnsigned,
    LessEqualSigned,
    LessEqualUnsigned,
    FloatAdd,
    FloatSubtract,
    FloatMultiply,
    FloatDivide,
    /// minimumNumber, as `fmin.s`.
    FloatMin,
    FloatMax,
    /// Magnitude of the first, sign of the second.
    FloatCopySign,
    /// Comparisons give 0 or 1; false when either is NaN (`FloatNotEqual`: true).
    FloatEqual,
    FloatNotEqual,
    FloatLess,
    FloatLessEqual,
    /// This instruction of two floats, rounded to nearest.
    Transcendental(gpu_core::isa::Op),
}

impl Binary {
    /// Whether the result is 0 or 1 and a branch can test it.
    pub const fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::LessSigned
                | Self::LessUnsigned
                | Self::LessEqualSigned
                | Self::LessEqualUnsigned
                | Self::FloatEqual
                | Self::FloatNotEqual
                | Self::FloatLess
                | Self::FloatLessEqual
        )
    }
}

/// How lanes exchange a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Shuffle {
    /// From the lane whose number is the operand.
    Index,
    /// From lane xor operand.
    Xor,
    /// From lane + operand; the lane itself when that is past the end.
    Down,
    /// From lane − operand; the lane itself when that is below 0.
    Up,
    /// From lane `operand` (0 to 3) of the reader's own quad.
    Quad,
}

/// A read-modify-write of one word; the result is the old word.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Atomic {
    Add,
    And,
    Or,
    Xor,
    MinSigned,
    MinUnsigned,
    MaxSigned,
    MaxUnsigned,
    Exchange,
}

/// What a [`Statement::Let`] computes.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// These bits, in either register file.
    Constant(u32),
    /// The variable's value now.
    Get(Variable),
    /// A built-in input.
    Input(Input),
    /// Device address of a binding's first byte; index into [`Kernel::bindings`]. Uniform.
    BindingAddress(u32),
    /// Byte length of a binding. Uniform.
    BindingLength(u32),
    /// One operand.
    Unary(Unary, Value),
    /// Two operands.
    Binary(Binary, Value, Value),
    /// `a * b + c`, rounded once.
    FusedMultiplyAdd(Value, Value, Value),
    /// `((a * b) >> (8 * shift)) + c`, the product signed and in 64 bits (`imadd`).
    MultiplyShiftAdd {
        /// Factors and addend.
        operands: [Value; 3],
        /// 0 to 3.
        shift: u8,
    },
    /// `if condition { accept } else { reject }`, both already computed.
    Select {
        /// 0 or 1.
        condition: Value,
        /// Taken when the condition is 1.
        accept: Value,
        /// Taken when it is 0.
        reject: Value,
    },
    /// The word at `address + offset`.
    Load {
        /// Which memory.
        space: Space,
        /// Bytes.
        address: Value,
        /// Bytes, any size.
        offset: i32,
    },
    /// Read-modify-write of the word at `address + offset`.
    Atomic {
        /// What is done.
        operation: Atomic,
        /// `Global` or `Workgroup`.
        space: Space,
        /// Bytes.
        address: Value,
        /// Bytes.
        offset: i32,
        /// The operand.
        value: Value,
    },
    /// Stores `value` if the word equals `compare`; the result is the old word.
    CompareExchange {
        /// `Global` or `Workgroup`.
        space: Space,
        /// Bytes.
        address: Value,
        /// Bytes.
        offset: i32,
        /// What the word must equal.
        compare: Value,
        /// What is then stored.
        value: Value,
    },
    /// Bit of each active lane whose operand is 1. Uniform.
    Ballot(Value),
    /// 1 if the operand is 1 in some active lane. Uniform.
    Any(Value),
    /// 1 if the operand is 1 in all active lanes. Uniform.
    All(Value),
    /// The operand in the lowest active lane. Uniform.
    BroadcastFirst(Value),
    /// Exchange between lanes: how, value (of either kind), lane operand (Int).
    Shuffle(Shuffle, Value, Value),
    /// A `tex` instruction at (u, v) in Q9.23: packed A8R8G8B8 (Int), or one channel (Float) for `Form::Channel`.
    Texture {
        /// What the third operand says.
        form: texture::Form,
        /// Stage 0 to 3 within the warp's bank.
        stage: u8,
        /// u, v and level or lookup word, all Int.
        operands: [Value; 3],
    },
}

/// What a barrier waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Barrier {
    /// All invocations of the workgroup, and their accesses to workgroup memory.
    Workgroup,
    /// The same, and their accesses to storage buffers.
    Storage,
}

/// A list of statements, run in order.
pub type Block = Vec<Statement>;

/// A control register that a kernel can write.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ControlRegister {
    /// The texture bank of the warp: `stage = bank · 4 + funct2`.
    TextureBank,
    /// The region that the core's counters count in. It changes no result.
    Region,
}

/// One statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Computes a value.
    Let {
        /// Written here and nowhere else.
        value: Value,
        /// How.
        operation: Operation,
        /// The source it came from.
        at: Location,
    },
    /// Writes a variable.
    Set {
        /// Which one.
        variable: Variable,
        /// What; of the variable's kind.
        value: Value,
        /// The source it came from.
        at: Location,
    },
    /// Writes the word at `address + offset`.
    Store {
        /// Not `GlobalReadOnly`.
        space: Space,
        /// Bytes.
        address: Value,
        /// Bytes.
        offset: i32,
        /// What, of either kind.
        value: Value,
        /// The source it came from.
        at: Location,
    },
    /// Writes a control register; the operand is uniform.
    WriteControl {
        /// Which.
        register: ControlRegister,
        /// What.
        value: Value,
        /// The source it came from.
        at: Location,
    },
    /// Runs one of two blocks, lane by lane.
    If {
        /// 0 or 1.
        condition: Value,
        /// Run where the condition is 1.
        accept: Block,
        /// Run where it is 0.
        reject: Block,
        /// The source it came from.
        at: Location,
    },
    /// Runs `body` once; `Leave` of the label goes to its end.
    Scope {
        /// Unique in the kernel.
        label: Label,
        /// The statements.
        body: Block,
    },
    /// Runs `body` for ever.
    Loop {
        /// The statements.
        body: Block,
        /// The source it came from.
        at: Location,
    },
    /// Goes to the end of an enclosing scope. The last statement of its block.
    Leave {
        /// Which scope.
        label: Label,
        /// The source it came from.
        at: Location,
    },
    /// Waits for the workgroup.
    Barrier {
        /// For what.
        barrier: Barrier,
        /// The source it came from.
        at: Location,
    },
}

/// A resource the host passes by address and byte length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Which linked module declared it: 0 the kernel, then the others; two modules may use equal numbers.
    pub module: u16,
    /// `@group`.
    pub group: u32,
    /// `@binding`.
    pub binding: u32,
    /// Its WGSL name.
    pub name: String,
    /// Whether the kernel writes it.
    pub is_written: bool,
}

/// What the compiler knows of a value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ValueInfo {
    /// Its register file.
    pub kind: Kind,
}

/// What the compiler knows of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariableInfo {
    /// Its register file.
    pub kind: Kind,
    /// The WGSL name it came from, for dumps.
    pub name: String,
}

/// One compute kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// The entry point.
    pub name: String,
    /// Invocations of a workgroup along x, y, z.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u32,
    /// Whether workgroup memory starts as zero (WGSL says so; kernels that fill it themselves switch it off).
    pub zero_workgroup_memory: bool,
    /// Bytes of private memory of one invocation (arrays with a dynamic index). It starts with anything: the kernel
    /// writes before it reads.
    pub private_bytes: u32,
    /// Source files, for messages and line tables.
    pub files: Vec<String>,
    /// In the order of the argument block.
    pub bindings: Vec<Binding>,
    /// One for each [`Value`].
    pub values: Vec<ValueInfo>,
    /// One for each [`Variable`].
    pub variables: Vec<VariableInfo>,
    /// The statements.
    pub body: Block,
}
