//! How a fragment's colour is joined with the stored one (`GPUBlendState`; OpenGL ES `glBlendFuncSeparate`).

/// What the source or the stored colour is multiplied by.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlendFactor {
    /// 0: the colour plays no part.
    Zero,
    /// 1: the colour stays as it is.
    One,
    /// The fragment's colour, channel by channel.
    Source,
    /// 1 minus that.
    OneMinusSource,
    /// The fragment's alpha.
    SourceAlpha,
    /// 1 minus that.
    OneMinusSourceAlpha,
    /// The stored colour, channel by channel.
    Destination,
    /// 1 minus that.
    OneMinusDestination,
    /// The stored alpha.
    DestinationAlpha,
    /// 1 minus that.
    OneMinusDestinationAlpha,
    /// The draw's blend constant, channel by channel.
    Constant,
    /// 1 minus that.
    OneMinusConstant,
    /// The alpha of the draw's blend constant.
    ConstantAlpha,
    /// 1 minus that.
    OneMinusConstantAlpha,
    /// The smaller of the fragment's alpha and 1 − the stored alpha; 1 for the alpha channel.
    SourceAlphaSaturated,
}

impl BlendFactor {
    /// All fifteen, in the order of their codes.
    pub const ALL: [Self; 15] = [
        Self::Zero,
        Self::One,
        Self::Source,
        Self::OneMinusSource,
        Self::SourceAlpha,
        Self::OneMinusSourceAlpha,
        Self::Destination,
        Self::OneMinusDestination,
        Self::DestinationAlpha,
        Self::OneMinusDestinationAlpha,
        Self::Constant,
        Self::OneMinusConstant,
        Self::ConstantAlpha,
        Self::OneMinusConstantAlpha,
        Self::SourceAlphaSaturated,
    ];
}

/// How the two products are joined.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum BlendOperation {
    /// source + stored.
    Add,
    /// source − stored.
    Subtract,
    /// stored − source.
    ReverseSubtract,
    /// The smaller of the two; the factors play no part.
    Min,
    /// The larger of the two; the factors play no part.
    Max,
}

impl BlendOperation {
    /// All five, in the order of their codes.
    pub const ALL: [Self; 5] = [Self::Add, Self::Subtract, Self::ReverseSubtract, Self::Min, Self::Max];
}

/// Blending of red, green and blue, or of alpha.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlendComponent {
    /// What the fragment's colour is multiplied by.
    pub source: BlendFactor,
    /// What the stored colour is multiplied by.
    pub destination: BlendFactor,
    /// How the products are joined.
    pub operation: BlendOperation,
}

impl BlendComponent {
    /// The fragment's colour as it is.
    pub const REPLACE: Self = Self::add(BlendFactor::One, BlendFactor::Zero);

    /// The sum of both, each times its factor.
    pub const fn add(source: BlendFactor, destination: BlendFactor) -> Self {
        Self { source, destination, operation: BlendOperation::Add }
    }

    /// The number `kernels/tile/blend.wgsl` knows it by: four bits each for the factors and the operation.
    pub const fn code(self) -> u32 {
        let (source, destination) = match self.operation {
            // The factors play no part.
            BlendOperation::Min | BlendOperation::Max => (BlendFactor::One, BlendFactor::One),
            _ => (self.source, self.destination),
        };
        source as u32 | (destination as u32) << 4 | (self.operation as u32) << 8
    }
}

/// How a fragment's colour is joined with the stored one.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct BlendState {
    /// Red, green and blue.
    pub color: BlendComponent,
    /// Alpha.
    pub alpha: BlendComponent,
}

impl BlendState {
    /// No blending.
    pub const REPLACE: Self = Self::both(BlendComponent::REPLACE);
    /// Covers by alpha, which is not multiplied into the colour.
    pub const ALPHA: Self = Self::both(BlendComponent::add(BlendFactor::SourceAlpha, BlendFactor::OneMinusSourceAlpha));
    /// Covers by alpha, which is multiplied into the colour.
    pub const PREMULTIPLIED: Self = Self::both(BlendComponent::add(BlendFactor::One, BlendFactor::OneMinusSourceAlpha));
    /// Light upon light.
    pub const ADDITIVE: Self = Self::both(BlendComponent::add(BlendFactor::One, BlendFactor::One));
    /// Glass upon picture.
    pub const MULTIPLY: Self = Self::both(BlendComponent::add(BlendFactor::Destination, BlendFactor::Zero));

    /// The same for colour and alpha.
    pub const fn both(component: BlendComponent) -> Self {
        Self { color: component, alpha: component }
    }

    /// The number the tile kernel knows it by: colour in the lower half, alpha in the upper.
    pub const fn code(self) -> u32 {
        self.color.code() | self.alpha.code() << 16
    }

    /// Whether the stored colour plays a part.
    pub const fn is_used(self) -> bool {
        self.code() != Self::REPLACE.code()
    }
}

/// A bitwise function of the fragment's and the stored bytes (OpenGL ES 1.1, `glLogicOp`).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum LogicOperation {
    /// 0
    Clear,
    /// s & d
    And,
    /// s & !d
    AndReverse,
    /// s
    Copy,
    /// !s & d
    AndInverted,
    /// d
    Noop,
    /// s ^ d
    Xor,
    /// s | d
    Or,
    /// !(s | d)
    Nor,
    /// !(s ^ d)
    Equivalent,
    /// !d
    Invert,
    /// s | !d
    OrReverse,
    /// !s
    CopyInverted,
    /// !s | d
    OrInverted,
    /// !(s & d)
    Nand,
    /// All ones.
    Set,
}

impl LogicOperation {
    /// All sixteen, in the order of their codes.
    pub const ALL: [Self; 16] = [
        Self::Clear,
        Self::And,
        Self::AndReverse,
        Self::Copy,
        Self::AndInverted,
        Self::Noop,
        Self::Xor,
        Self::Or,
        Self::Nor,
        Self::Equivalent,
        Self::Invert,
        Self::OrReverse,
        Self::CopyInverted,
        Self::OrInverted,
        Self::Nand,
        Self::Set,
    ];

    /// What is stored, bit by bit.
    pub const fn apply(self, source: u32, stored: u32) -> u32 {
        match self {
            Self::Clear => 0,
            Self::And => source & stored,
            Self::AndReverse => source & !stored,
            Self::Copy => source,
            Self::AndInverted => !source & stored,
            Self::Noop => stored,
            Self::Xor => source ^ stored,
            Self::Or => source | stored,
            Self::Nor => !(source | stored),
            Self::Equivalent => !(source ^ stored),
            Self::Invert => !stored,
            Self::OrReverse => source | !stored,
            Self::CopyInverted => !source,
            Self::OrInverted => !source | stored,
            Self::Nand => !(source & stored),
            Self::Set => u32::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_min_and_max_play_no_part() {
        let with = |source, operation| BlendComponent { source, destination: BlendFactor::Zero, operation }.code();
        assert_eq!(with(BlendFactor::Zero, BlendOperation::Min), with(BlendFactor::Constant, BlendOperation::Min));
        assert_ne!(with(BlendFactor::Zero, BlendOperation::Add), with(BlendFactor::Constant, BlendOperation::Add));
        assert!(!BlendState::REPLACE.is_used() && BlendState::ADDITIVE.is_used());
    }

    /// OpenGL ES 1.1, `glLogicOp`: the operations in its order are the sixteen truth tables; bit `2 s + d` of a table
    /// is what a source bit and a stored bit give.
    #[test]
    fn logic_operations_have_the_truth_tables_of_the_specification() {
        let tables = LogicOperation::ALL.map(|operation| operation.apply(0b1100, 0b1010) & 15);
        let expected = [
            0b0000, 0b1000, 0b0100, 0b1100, 0b0010, 0b1010, 0b0110, 0b1110, 0b0001, 0b1001, 0b0101, 0b1101, 0b0011,
            0b1011, 0b0111, 0b1111,
        ];
        assert_eq!(tables, expected);
    }
}
