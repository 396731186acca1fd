//! Files → [`Program`]: ELF32 for RISC-V, raw images, assembly text.
//!
//! Before: the bytes of a file that somebody else made. After: a program whose segments lie inside the address space
//! and do not overlap. Source: the System V ABI, chapters 4 and 5, and the RISC-V ELF psABI, "File Header".

use std::io::Read;
use std::path::{Path, PathBuf};

use object::LittleEndian;
use object::elf::{
    EF_RISCV_FLOAT_ABI, EF_RISCV_FLOAT_ABI_DOUBLE, EF_RISCV_FLOAT_ABI_QUAD, EF_RISCV_RVC, ELFCLASS32, ELFDATA2LSB,
    EM_RISCV, ET_EXEC, FileHeader32, PF_W, PF_X, PT_INTERP, PT_LOAD, ProgramHeader32, SHT_SYMTAB, STT_FUNC, STT_NOTYPE,
    STT_OBJECT,
};
use object::read::elf::{FileHeader, ProgramHeader, Sym};

use crate::isa::assembler::{AssembleError, Include, assemble_with, no_include};
use crate::program::{CODE_BASE, PROGRAM_LIMIT_BYTES, Program, ProgramKind, Segment, Symbol};
use crate::units::Address;

/// The longest file that is read: a program and as much again for its debugging information.
const FILE_LIMIT_BYTES: u64 = 2 * PROGRAM_LIMIT_BYTES;
/// Longer symbol names are left out: no tool shows them, and a damaged file may repeat one a million times.
const NAME_LIMIT_BYTES: usize = 1024;

/// Why a file is no program for this machine.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        cause: std::io::Error,
    },
    /// Not a byte in it.
    #[error("the file is empty")]
    Empty,
    /// More than the loader takes.
    #[error("the program takes {bytes} bytes, {limit} at most can be loaded")]
    TooLarge {
        /// Bytes of the program.
        bytes: u64,
        /// The most that is loaded.
        limit: u64,
    },
    /// Headers that contradict themselves; says which.
    #[error("the ELF file is damaged: {0}")]
    Damaged(String),
    /// Another architecture, word size or byte order.
    #[error(
        "the ELF file is for {found} machines, this one is 32-bit little-endian RISC-V: build with -march=rv32imaf"
    )]
    WrongMachine {
        /// What the headers say.
        found: String,
    },
    /// An object file, a shared library or a dynamically linked executable.
    #[error("the ELF file is {found}: link it into a static executable (-static -no-pie)")]
    NotExecutable {
        /// What the file is.
        found: &'static str,
    },
    /// Compiled for an extension that the machine lacks.
    #[error("the ELF file uses {feature}, which the machine lacks: build with -march=rv32imaf -mabi=ilp32f")]
    Unsupported {
        /// What it was compiled for.
        feature: &'static str,
    },
    /// No loadable segment.
    #[error("the ELF file has nothing to load")]
    NothingToLoad,
    /// A segment ends above 4 GiB.
    #[error("segment {index} at {address} with {bytes} bytes reaches beyond the 32-bit address space")]
    BeyondAddressSpace {
        /// Which segment, from 0.
        index: usize,
        /// Where it starts.
        address: Address,
        /// Its length in memory.
        bytes: u64,
    },
    /// Two segments want one byte.
    #[error("segments `{first}` and `{second}` both claim {address}")]
    Overlap {
        /// The segment at the lower address.
        first: String,
        /// The one that starts inside it.
        second: String,
        /// The first byte that both claim.
        address: Address,
    },
    /// The entry point is no instruction.
    #[error("the program starts at {entry}, where no executable segment has an instruction")]
    Entry {
        /// Where it says it starts.
        entry: Address,
    },
    /// Neither binary nor text.
    #[error("the file is neither ELF nor UTF-8 assembly text: byte {offset} is {byte:#04x}")]
    NotText {
        /// Which byte of the file, from 0.
        offset: usize,
        /// Its value.
        byte: u8,
    },
    /// Assembly text with a mistake.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
}

/// Loads a program of any kind from a file; assembly text may include others by their path from the file's folder.
pub fn load_file(path: &Path) -> Result<Program, LoadError> {
    let bytes = read_file(path).map_err(|cause| LoadError::Read { path: path.to_owned(), cause })?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let include = |name: &str| {
        let bytes = read_file(&folder.join(name)).map_err(|error| error.to_string())?;
        String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned())
    };
    load_with(&path.to_string_lossy(), &bytes, &include)
}

/// The bytes of a file, at most [`FILE_LIMIT_BYTES`]: some files, such as devices, have no end.
fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(FILE_LIMIT_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > FILE_LIMIT_BYTES {
        let reason = format!("it has more than {FILE_LIMIT_BYTES} bytes");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, reason));
    }
    Ok(bytes)
}

/// Loads a program of any kind: ELF by its first bytes, assembly text by the name's ending `.s`, else a raw image.
///
/// Assembly text cannot include others: [`load_file`] knows a folder.
pub fn load(name: &str, bytes: &[u8]) -> Result<Program, LoadError> {
    load_with(name, bytes, &no_include)
}

/// [`load`] with a way to find included texts.
fn load_with(name: &str, bytes: &[u8], include: &Include<'_>) -> Result<Program, LoadError> {
    if bytes.starts_with(b"\x7fELF") {
        return load_elf(bytes);
    }
    if name.to_ascii_lowercase().ends_with(".s") {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            let offset = error.valid_up_to();
            LoadError::NotText { offset, byte: bytes[offset] }
        })?;
        return Ok(assemble_with(name, text, include)?);
    }
    load_raw(bytes)
}

/// Loads an image that lies at, and starts at, [`CODE_BASE`].
pub fn load_raw(bytes: &[u8]) -> Result<Program, LoadError> {
    if bytes.is_empty() {
        return Err(LoadError::Empty);
    }
    let size_bytes = within_limit(bytes.len() as u64)?;
    let segment = Segment {
        name: "image".to_owned(),
        address: CODE_BASE,
        bytes: bytes.to_vec(),
        size_bytes,
        is_writable: true,
        is_executable: true,
    };
    Ok(Program {
        kind: ProgramKind::Bare,
        entry: CODE_BASE,
        segments: vec![segment],
        symbols: Vec::new(),
        lines: Vec::new(),
        files: Vec::new(),
    })
}

/// Loads a static ELF32 executable.
pub fn load_elf(bytes: &[u8]) -> Result<Program, LoadError> {
    check_ident(bytes)?;
    let header = FileHeader32::<LittleEndian>::parse(bytes).map_err(damaged)?;
    check_header(header)?;
    let segments = segments_of(header, bytes)?;
    let entry = Address(header.e_entry(LittleEndian));
    let symbols = symbols_of(header, bytes)?;
    let program = Program { kind: ProgramKind::Bare, entry, segments, symbols, lines: Vec::new(), files: Vec::new() };
    let starts_well = entry.0.is_multiple_of(4) && program.segment_at(entry).is_some_and(|s| s.is_executable);
    if starts_well { Ok(program) } else { Err(LoadError::Entry { entry }) }
}

/// What `object` has to say about a damaged file.
fn damaged(error: object::Error) -> LoadError {
    LoadError::Damaged(error.to_string())
}

/// The size, if a program may have it.
fn within_limit(bytes: u64) -> Result<u32, LoadError> {
    match bytes {
        0..=PROGRAM_LIMIT_BYTES => Ok(bytes as u32),
        _ => Err(LoadError::TooLarge { bytes, limit: PROGRAM_LIMIT_BYTES }),
    }
}

/// Class and byte order, before anything is read that depends on them.
fn check_ident(bytes: &[u8]) -> Result<(), LoadError> {
    let short = || LoadError::Damaged(format!("{} bytes are too few for a header", bytes.len()));
    let &[0x7f, b'E', b'L', b'F', class, order, ..] = bytes else { return Err(short()) };
    let found = match (class == ELFCLASS32.0, order == ELFDATA2LSB.0) {
        (true, true) => return Ok(()),
        (false, _) => "64-bit".to_owned(),
        (_, false) => "big-endian".to_owned(),
    };
    Err(LoadError::WrongMachine { found })
}

/// Machine, kind and flags.
fn check_header(header: &FileHeader32<LittleEndian>) -> Result<(), LoadError> {
    let machine = header.e_machine(LittleEndian);
    if machine != EM_RISCV {
        return Err(LoadError::WrongMachine { found: format!("other (number {})", machine.0) });
    }
    match header.e_type(LittleEndian).0 {
        kind if kind == ET_EXEC.0 => {}
        1 => return Err(LoadError::NotExecutable { found: "an object file" }),
        3 => return Err(LoadError::NotExecutable { found: "a shared object" }),
        _ => return Err(LoadError::NotExecutable { found: "no executable" }),
    }
    let flags = header.e_flags(LittleEndian).0;
    let float_abi = flags & EF_RISCV_FLOAT_ABI;
    if flags & EF_RISCV_RVC.0 != 0 {
        return Err(LoadError::Unsupported { feature: "compressed instructions" });
    }
    if float_abi == EF_RISCV_FLOAT_ABI_DOUBLE.0 || float_abi == EF_RISCV_FLOAT_ABI_QUAD.0 {
        return Err(LoadError::Unsupported { feature: "floats wider than 32 bits in calls" });
    }
    Ok(())
}

/// The loadable segments by ascending address.
fn segments_of(header: &FileHeader32<LittleEndian>, bytes: &[u8]) -> Result<Vec<Segment>, LoadError> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut total_bytes = 0;
    for (index, entry) in header.program_headers(LittleEndian, bytes).map_err(damaged)?.iter().enumerate() {
        if entry.p_type(LittleEndian) == PT_INTERP {
            return Err(LoadError::NotExecutable { found: "dynamically linked" });
        }
        let size_bytes = entry.p_memsz(LittleEndian);
        if entry.p_type(LittleEndian) != PT_LOAD || size_bytes == 0 {
            continue;
        }
        total_bytes += u64::from(size_bytes);
        within_limit(total_bytes)?;
        segments.push(segment_of(index, entry, bytes)?);
    }
    segments.sort_by_key(|segment| segment.address);
    for pair in segments.windows(2) {
        let [first, second] = pair else { unreachable!("windows of two") };
        if first.end() > u64::from(second.address.0) {
            let (first, second_name) = (first.name.clone(), second.name.clone());
            return Err(LoadError::Overlap { first, second: second_name, address: second.address });
        }
    }
    if segments.is_empty() { Err(LoadError::NothingToLoad) } else { Ok(segments) }
}

/// One loadable segment.
fn segment_of(index: usize, entry: &ProgramHeader32<LittleEndian>, bytes: &[u8]) -> Result<Segment, LoadError> {
    let size_bytes = entry.p_memsz(LittleEndian);
    let contents = entry.data(LittleEndian, bytes).map_err(|()| {
        let (offset, length) = (entry.p_offset(LittleEndian), entry.p_filesz(LittleEndian));
        LoadError::Damaged(format!("segment {index} is {length} bytes at {offset:#x} of a file of {}", bytes.len()))
    })?;
    if contents.len() > size_bytes as usize {
        let length = contents.len();
        return Err(LoadError::Damaged(format!("segment {index} brings {length} bytes for a room of {size_bytes}")));
    }
    let address = Address(entry.p_vaddr(LittleEndian));
    if u64::from(address.0) + u64::from(size_bytes) > 1 << 32 {
        return Err(LoadError::BeyondAddressSpace { index, address, bytes: u64::from(size_bytes) });
    }
    let flags = entry.p_flags(LittleEndian).0;
    Ok(Segment {
        name: format!("segment {index}"),
        address,
        bytes: contents.to_vec(),
        size_bytes,
        is_writable: flags & PF_W.0 != 0,
        is_executable: flags & PF_X.0 != 0,
    })
}

/// Functions, objects and labels, by ascending address.
fn symbols_of(header: &FileHeader32<LittleEndian>, bytes: &[u8]) -> Result<Vec<Symbol>, LoadError> {
    let sections = header.sections(LittleEndian, bytes).map_err(damaged)?;
    let table = sections.symbols(LittleEndian, bytes, SHT_SYMTAB).map_err(damaged)?;
    let mut symbols = Vec::new();
    for symbol in table.iter() {
        let kind = symbol.st_type();
        let is_wanted =
            (kind == STT_FUNC || kind == STT_OBJECT || kind == STT_NOTYPE) && !symbol.is_undefined(LittleEndian);
        let name = table.symbol_name(LittleEndian, symbol).ok().and_then(|name| std::str::from_utf8(name).ok());
        // `$x` and `.L1` mark code and local labels for tools.
        let name = name.filter(|name| {
            !name.is_empty() && name.len() <= NAME_LIMIT_BYTES && !name.starts_with('$') && !name.starts_with(".L")
        });
        if let Some(name) = name.filter(|_| is_wanted) {
            let address = Address(symbol.st_value(LittleEndian));
            symbols.push(Symbol { name: name.to_owned(), address, size_bytes: symbol.st_size(LittleEndian) });
        }
    }
    symbols.sort_by_key(|symbol| symbol.address);
    Ok(symbols)
}
