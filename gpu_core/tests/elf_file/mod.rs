//! Writes small ELF32 executables by the System V ABI, for tests of the loader and for QEMU.

/// A segment to be loaded.
pub struct Part<'a> {
    pub address: u32,
    pub bytes: &'a [u8],
    pub memory_bytes: u32,
    /// PF_X 1, PF_W 2, PF_R 4.
    pub flags: u32,
}

/// The bytes of an executable with these segments and symbols.
pub fn executable(entry: u32, parts: &[Part], symbols: &[(&str, u32)]) -> Vec<u8> {
    const HEADER_BYTES: usize = 52;
    const PROGRAM_HEADER_BYTES: usize = 32;
    // Contents lie at multiples of a page, so that a kernel can map them.
    const PAGE_BYTES: usize = 4096;
    let mut offset = (HEADER_BYTES + PROGRAM_HEADER_BYTES * parts.len()).next_multiple_of(PAGE_BYTES);
    let mut program_headers = Vec::new();
    let mut contents = Vec::new();
    for part in parts {
        let misfit = part.address as usize % PAGE_BYTES;
        let start = offset + misfit;
        for word in [
            1,
            start as u32,
            part.address,
            part.address,
            part.bytes.len() as u32,
            part.memory_bytes,
            part.flags,
            PAGE_BYTES as u32,
        ] {
            program_headers.extend_from_slice(&word.to_le_bytes());
        }
        contents.resize(contents.len() + misfit, 0);
        contents.extend_from_slice(part.bytes);
        offset = (start + part.bytes.len()).next_multiple_of(PAGE_BYTES);
        contents.resize(contents.len().next_multiple_of(PAGE_BYTES), 0);
    }
    let (symbol_table, names) = symbol_table(symbols);
    let symbols_at = offset;
    let names_at = symbols_at + symbol_table.len();
    let sections_at = names_at + names.len();

    let mut file = b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0".to_vec();
    let halves = |file: &mut Vec<u8>, halves: &[u16]| halves.iter().for_each(|half| file.extend(half.to_le_bytes()));
    let words = |file: &mut Vec<u8>, words: &[u32]| words.iter().for_each(|word| file.extend(word.to_le_bytes()));
    // ET_EXEC, EM_RISCV; the single-float ABI.
    halves(&mut file, &[2, 243]);
    words(&mut file, &[1, entry, HEADER_BYTES as u32, sections_at as u32, 2]);
    halves(&mut file, &[HEADER_BYTES as u16, PROGRAM_HEADER_BYTES as u16, parts.len() as u16, 40, 3, 2]);
    file.extend(program_headers);
    file.resize((HEADER_BYTES + PROGRAM_HEADER_BYTES * parts.len()).next_multiple_of(PAGE_BYTES), 0);
    file.extend(contents);
    file.extend(&symbol_table);
    file.extend(&names);
    // Sections: none, the symbol table (type 2) and its strings (type 3), which also serve as section names.
    words(&mut file, &[0; 10]);
    words(&mut file, &[0, 2, 0, 0, symbols_at as u32, symbol_table.len() as u32, 2, 1, 4, 16]);
    words(&mut file, &[0, 3, 0, 0, names_at as u32, names.len() as u32, 0, 0, 1, 0]);
    file
}

/// Symbols as `STT_NOTYPE` globals of no particular section, and their names.
fn symbol_table(symbols: &[(&str, u32)]) -> (Vec<u8>, Vec<u8>) {
    let mut table = vec![0; 16];
    let mut names = vec![0];
    for (name, value) in symbols {
        table.extend((names.len() as u32).to_le_bytes());
        table.extend(value.to_le_bytes());
        table.extend(4_u32.to_le_bytes());
        // Binding global, type none, visibility default, section SHN_ABS.
        table.extend([0x10, 0, 0xf1, 0xff]);
        names.extend(name.as_bytes());
        names.push(0);
    }
    (table, names)
}
