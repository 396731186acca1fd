//! The control and status registers: each told once, as one row.
//!
//! Readers: `semantics` (what a read or write does), assembler and disassembler (names), the generated `docs/isa.md`.
//! Sources: the RISC-V unprivileged and privileged specifications for the standard numbers, Skybox for 0xCC0 and
//! 0xFC0 and up. The texture registers are ours: upstream's 0xFD0 lies where RISC-V has read-only registers.

use std::sync::LazyLock;

/// One row of the table; a row with a count above one stands for registers of consecutive numbers.
#[derive(Copy, Clone, Debug)]
pub struct CsrSpec {
    /// The register.
    pub csr: Csr,
    /// Its name in assembly text; the rows of several registers append 0, 1, ….
    pub name: &'static str,
    /// The number of the first register.
    pub number: u16,
    /// How many registers the row stands for.
    pub count: u16,
    /// One sentence of meaning.
    pub doc: &'static str,
}

macro_rules! registers {
    ($($csr:ident $name:literal $number:literal $(* $count:literal)?, $doc:literal;)*) => {
        /// Every control and status register of the machine.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Csr { $(#[doc = $doc] $csr,)* }
        /// The rows, in the order of [`Csr`].
        pub const CSRS: &[CsrSpec] = &[$(CsrSpec {
            csr: Csr::$csr, name: $name, number: $number, count: { let count = 1; $(let _ = count; let count = $count;)? count }, doc: $doc,
        },)*];
    };
}

#[rustfmt::skip]
registers! {
    // Floating point, one per warp.
    Fflags "fflags" 0x001, "accrued float exceptions: NV 16, DZ 8, OF 4, UF 2, NX 1; the OR over the active lanes";
    Frm "frm" 0x002, "rounding mode of instructions that say dyn";
    Fcsr "fcsr" 0x003, "frm << 5 | fflags";
    // Machine mode: storage without effect, so that programs written for a bare RISC-V core start.
    Satp "satp" 0x180, "storage without effect: there is no address translation";
    Mstatus "mstatus" 0x300, "storage without effect";
    Misa "misa" 0x301, "storage without effect";
    Medeleg "medeleg" 0x302, "storage without effect";
    Mideleg "mideleg" 0x303, "storage without effect";
    Mie "mie" 0x304, "storage without effect: there are no interrupts";
    Mtvec "mtvec" 0x305, "storage without effect: a trap ends the run";
    Mcounteren "mcounteren" 0x306, "storage without effect";
    Mstatush "mstatush" 0x310, "storage without effect";
    Mscratch "mscratch" 0x340, "at a launch: the address of the argument block";
    Mepc "mepc" 0x341, "where mret goes";
    Mcause "mcause" 0x342, "storage without effect";
    Mtval "mtval" 0x343, "storage without effect";
    Mip "mip" 0x344, "storage without effect";
    Pmpcfg "pmpcfg" 0x3a0 * 4, "storage without effect: memory is protected by its regions";
    Pmpaddr "pmpaddr" 0x3b0 * 16, "storage without effect";
    Mnstatus "mnstatus" 0x744, "storage without effect";
    // Texture stages, one set per core; the host's launch fills the same registers.
    TexStage "tex_stage" 0x800, "the stage that the registers below it stand for";
    TexAddress "tex_address" 0x801, "byte address of level 0";
    TexWidth "tex_width" 0x802, "width of level 0 in texels";
    TexHeight "tex_height" 0x803, "height of level 0 in texels";
    TexFormat "tex_format" 0x804, "texel format: 0 A8R8G8B8, 1 R5G6B5, 2 A1R5G5B5, 3 A4R4G4B4, 4 A8L8, 5 L8, 6 A8, 7 RGBA8, 8 R8, 9 RG8, 10 RGBA8 sRGB, 11 A8R8G8B8 sRGB, 12 to 14 R8 RG8 RGBA8 signed, 15 to 17 R16F RG16F RGBA16F, 18 to 20 R32F RG32F RGBA32F, 21 RGB10A2, 22 RG11B10F; integers R, RG, RGBA: 23 u8, 26 i8, 29 u16, 32 i16, 35 u32, 38 i32";
    TexFilter "tex_filter" 0x805, "filter within a level: 0 point, 1 bilinear";
    TexWrapU "tex_wrap_u" 0x806, "beyond the left and right edge: 0 clamp, 1 repeat, 2 mirror, 3 border";
    TexWrapV "tex_wrap_v" 0x807, "beyond the upper and lower edge, numbered as tex_wrap_u";
    TexBorder "tex_border" 0x808, "A8R8G8B8 colour outside the image under the border wrap";
    TexLevels "tex_levels" 0x809, "number of mip levels";
    TexLayers "tex_layers" 0x80a, "number of layers, each a whole chain of levels; 0 acts as 1";
    TexLayerStride "tex_layer_stride" 0x80b, "bytes from a layer to the next";
    TexMipOffset "tex_mip_offset" 0x810 * 16, "byte offset of a level from tex_address";
    TextureBank "texture_bank" 0x820, "one per warp: `tex` with funct2 f samples stage texture_bank * 4 + f";
    // Measuring.
    Region "region" 0x830, "one per core: the region, 0 to 31, that timed runs count in from here on; changes nothing else";
    CounterClass "counter_class" 0x831, "one per core: what the mpm registers show: 0 nothing, 1 core, 2 memory, 3 texture";
    // Counters.
    Mcycle "mcycle" 0xb00, "cycles, low word; untimed: instructions issued by the core";
    Minstret "minstret" 0xb02, "instructions times their active lanes, low word";
    Mpm "mpm" 0xb03 * 29, "a counter of the class in counter_class, low word; untimed: 0";
    Mcycleh "mcycleh" 0xb80, "cycles, high word";
    Minstreth "minstreth" 0xb82, "instructions times their active lanes, high word";
    Mpmh "mpmh" 0xb83 * 29, "the same counter, high word";
    Cycle "cycle" 0xc00, "mcycle, read-only";
    Time "time" 0xc01, "mcycle, read-only: the machine's clock is its only time";
    Instret "instret" 0xc02, "minstret, read-only";
    Cycleh "cycleh" 0xc80, "mcycleh, read-only";
    Timeh "timeh" 0xc81, "mcycleh, read-only";
    Instreth "instreth" 0xc82, "minstreth, read-only";
    // Who and how many.
    ThreadId "thread_id" 0xcc0, "number of the lane within its warp";
    WarpId "warp_id" 0xcc1, "number of the warp within its core";
    CoreId "core_id" 0xcc2, "number of the core";
    ActiveWarps "active_warps" 0xcc3, "a bit for each warp of the core that has not ended";
    ActiveThreads "active_threads" 0xcc4, "the warp's thread mask";
    Mvendorid "mvendorid" 0xf11, "0";
    Marchid "marchid" 0xf12, "0";
    Mimpid "mimpid" 0xf13, "0";
    Mhartid "mhartid" 0xf14, "(core_id * num_warps + warp_id) * num_threads + thread_id";
    NumThreads "num_threads" 0xfc0, "lanes of a warp";
    NumWarps "num_warps" 0xfc1, "warps of a core";
    NumCores "num_cores" 0xfc2, "cores of the machine";
    LocalMemBase "local_mem_base" 0xfc3, "address of the core's local memory";
    NumBarriers "num_barriers" 0xfc4, "local barriers of a core";
}

/// Regions that a program can mark; of larger numbers the low five bits count.
pub const REGIONS: u32 = 32;
/// How many counters of a class the `mpm` registers show.
pub const SHOWN_COUNTERS: usize = 29;

impl Csr {
    /// The row of this register.
    pub const fn spec(self) -> &'static CsrSpec {
        &CSRS[self as usize]
    }

    /// The register of a number, and which of its row's registers it is (0 for a row of one).
    pub fn of_number(number: u16) -> Option<(Self, u16)> {
        let row = *BY_NUMBER.get(usize::from(number))?;
        let spec = CSRS.get(usize::from(row))?;
        Some((spec.csr, number - spec.number))
    }
}

/// For each number the index of its row, or `u8::MAX`.
static BY_NUMBER: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut rows = vec![u8::MAX; 4096];
    for (row, spec) in CSRS.iter().enumerate() {
        for number in spec.number..spec.number + spec.count {
            rows[usize::from(number)] = row as u8;
        }
    }
    rows
});

/// Whether a write to this number is an illegal instruction: RISC-V keeps bits 11:10 = 3 for read-only registers.
pub const fn is_read_only(number: u16) -> bool {
    number >> 10 == 3
}

/// Every number that has a register, ascending within each row.
pub fn every_number() -> impl Iterator<Item = u16> {
    CSRS.iter().flat_map(|spec| spec.number..spec.number + spec.count)
}

/// The name of a number in assembly text, if it has one.
pub fn name_of(number: u16) -> Option<String> {
    let (csr, index) = Csr::of_number(number)?;
    let spec = csr.spec();
    Some(if spec.count == 1 { spec.name.to_owned() } else { format!("{}{index}", spec.name) })
}

/// The number of a name in assembly text.
pub fn number_of(name: &str) -> Option<u16> {
    CSRS.iter().find_map(|spec| match name.strip_prefix(spec.name)? {
        "" if spec.count == 1 => Some(spec.number),
        index if spec.count > 1 => {
            let number = spec.number + index.parse::<u16>().ok().filter(|&index| index < spec.count)?;
            (name_of(number)? == name).then_some(number)
        }
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_and_name_belongs_to_one_register() {
        let mut seen = std::collections::BTreeSet::new();
        for number in every_number() {
            assert!(seen.insert(number), "{number:#05x} is told twice");
            let name = name_of(number).expect("the table holds it");
            assert_eq!(number_of(&name), Some(number), "{name}");
        }
    }

    #[test]
    fn numbers_are_those_of_the_specifications() {
        for (name, number) in [
            ("fflags", 1),
            ("fcsr", 3),
            ("mscratch", 0x340),
            ("mhartid", 0xf14),
            ("active_threads", 0xcc4),
            ("pmpaddr15", 0x3bf),
            ("tex_mip_offset0", 0x810),
            ("tex_mip_offset15", 0x81f),
            ("mpm0", 0xb03),
            ("mpm28", 0xb1f),
            ("mpmh28", 0xb9f),
        ] {
            assert_eq!(number_of(name), Some(number), "{name}");
        }
        for name in ["tex_mip_offset", "tex_mip_offset16", "tex_mip_offset01", "mpm29", "mpmh", "mscratch0", ""] {
            assert_eq!(number_of(name), None, "{name}");
        }
    }

    #[test]
    fn the_upper_quarter_is_read_only() {
        assert!(is_read_only(0xcc4) && is_read_only(0xf14) && is_read_only(0xc00));
        assert!(!is_read_only(0xb00) && !is_read_only(0x340) && !is_read_only(0x820));
    }
}
