//! What the debugger prints of a machine.

use std::fmt::Write;

use gpu_core::counters::{Block, core_rows, shared_rows};
use gpu_core::gpu::Gpu;
use gpu_core::isa::disassembler::disassemble_word;
use gpu_core::isa::registers::{FLOAT_NAMES, INTEGER_NAMES, float_number, integer_number};
use gpu_core::program::Program;
use gpu_core::semantics::Warp;
use gpu_core::semantics::warp::{FLOAT_ROW, ROW_COUNT, WarpState};
use gpu_core::units::{Address, CoreId, ThreadMask, WarpId};

use super::place::describe;
use super::session::SessionError;
use super::stops::Stop;

/// Source lines shown before and after the place.
const CONTEXT: usize = 4;

/// `cycle 12  core 0 warp 0  lanes 0xf  0x80000004  addi a0, a0, -1  loop  count.s:3`.
pub fn whereabouts(gpu: &Gpu, core: CoreId, warp: WarpId) -> String {
    let state = &gpu.cores()[core.index()].warps[warp.index()];
    let head = format!("cycle {}  core {core} warp {warp}  ", gpu.cycle());
    match state.state {
        WarpState::Ended => format!("{head}not running\n"),
        _ => format!("{head}lanes {}  {}\n", state.mask, at(gpu, core, state.pc)),
    }
}

/// Address, instruction, and where it comes from.
fn at(gpu: &Gpu, core: CoreId, pc: Address) -> String {
    let text = word(gpu, core, pc).map_or_else(|| "nothing".to_owned(), |word| disassemble_word(word, pc));
    let place = gpu.program().map_or_else(String::new, |program| describe(program, pc));
    format!("{pc}  {text}{}{place}", if place.is_empty() { "" } else { "  " })
}

/// The word that a core sees at an address: its local memory hides what lies below.
fn word(gpu: &Gpu, core: CoreId, address: Address) -> Option<u32> {
    let core = &gpu.cores()[core.index()];
    match core.local_offset(address.0, 4) {
        Some(offset) => core.local.get(offset as usize / 4).copied(),
        None => gpu.memory().load(address, 4),
    }
}

/// What a warp is doing, in words.
fn state(state: WarpState) -> String {
    match state {
        WarpState::Ended => "not running".to_owned(),
        WarpState::Ready => "ready".to_owned(),
        WarpState::LocalBarrier(id) => format!("at barrier {id}"),
        WarpState::GlobalBarrier(id) => format!("at global barrier {id}"),
        WarpState::Spawning { count, .. } => format!("waits to spawn {count}"),
        WarpState::Requesting => "waits for memory".to_owned(),
    }
}

/// A line for each warp; the selected one is marked.
pub fn warps(gpu: &Gpu, core: CoreId, warp: WarpId) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "  core warp  {:<22}{:<12}{:<6}pc", "state", "lanes", "stack");
    for owner in gpu.cores() {
        for (index, one) in owner.warps.iter().enumerate() {
            let mark = if (owner.id, index) == (core, warp.index()) { '>' } else { ' ' };
            let _ = write!(text, "{mark} {:>4} {index:>4}  {:<22}", owner.id.0, state(one.state));
            let _ = if one.is_alive() {
                let (mask, depth) = (one.mask.to_string(), one.divergences.len());
                writeln!(text, "{mask:<12}{depth:<6}{}", at(gpu, owner.id, one.pc))
            } else {
                writeln!(text)
            };
        }
    }
    text
}

/// The divergence stack, deepest last.
pub fn stack(program: &Program, warp: &Warp) -> String {
    if warp.divergences.is_empty() {
        return "the divergence stack is empty\n".to_owned();
    }
    let lines = warp.divergences.iter().enumerate().map(|(depth, entry)| {
        let place = describe(program, entry.resume);
        let pending = if entry.pending.is_empty() {
            "both sides have begun".to_owned()
        } else {
            format!("lanes {} go on at {} {place}", entry.pending, entry.resume)
        };
        format!("{depth}: restores lanes {}; {pending}\n", entry.full)
    });
    lines.collect()
}

/// Barriers with arrivals.
pub fn barriers(gpu: &Gpu) -> String {
    let mut text = String::new();
    for core in gpu.cores() {
        let sorts = [("barrier", &core.barriers, "warps"), ("global barrier", &core.global_barriers, "cores")];
        for (name, barriers, of) in sorts {
            for (id, barrier) in barriers.iter().enumerate().filter(|(_, barrier)| barrier.arrived != 0) {
                let arrived = ThreadMask(barrier.arrived.into());
                let _ = writeln!(
                    text,
                    "core {} {name} {id}: warps {arrived} wait, {} {of} expected",
                    core.id, barrier.expected
                );
            }
        }
    }
    if text.is_empty() { "nobody waits at a barrier\n".to_owned() } else { text }
}

/// The row of the register file that a name stands for.
pub fn row_of(name: &str) -> Option<usize> {
    let integer = integer_number(name).map(usize::from);
    integer.or_else(|| float_number(name).map(|number| FLOAT_ROW + usize::from(number)))
}

/// Registers by lane; those that are not zero if none is named. A value that all lanes share is said once.
pub fn registers(warp: &Warp, lanes: u32, names: &[String]) -> Result<String, SessionError> {
    let rows: Vec<usize> = if names.is_empty() {
        let is_set = |row: &usize| warp.registers.row(*row)[..lanes as usize].iter().any(|&value| value != 0);
        (0..ROW_COUNT).filter(is_set).collect()
    } else {
        let row = |name: &String| row_of(name).ok_or_else(|| SessionError::NoSuchRegister(name.clone()));
        names.iter().map(row).collect::<Result<_, _>>()?
    };
    let mut text = String::new();
    for row in rows {
        let values = &warp.registers.row(row)[..lanes as usize];
        let (name, is_float) = match row.checked_sub(FLOAT_ROW) {
            None => (INTEGER_NAMES[row], false),
            Some(float) => (FLOAT_NAMES[float], true),
        };
        let value = |bits: u32| match is_float {
            true => format!("{bits:#010x} {:?}", f32::from_bits(bits)),
            false => format!("{bits:#010x} {}", bits as i32),
        };
        if values.iter().all(|bits| *bits == values[0]) {
            let _ = writeln!(text, "{name:<5} all lanes  {}", value(values[0]));
        } else {
            for (lane, bits) in values.iter().enumerate() {
                let mark = if warp.mask.contains(lane) { "" } else { "  (inactive)" };
                let _ = writeln!(text, "{name:<5} lane {lane:<4}  {}{mark}", value(*bits));
            }
        }
    }
    Ok(if text.is_empty() { "all registers are zero\n".to_owned() } else { text })
}

/// Words of memory as a core sees them, four to a line.
pub fn memory(gpu: &Gpu, core: CoreId, start: Address, words: u32) -> Result<String, SessionError> {
    let mut text = String::new();
    for index in 0..words {
        let address = start.offset(index.wrapping_mul(4));
        // What is mapped is shown, and the rest refused if that is nothing.
        let Some(word) = word(gpu, core, address) else {
            if index == 0 {
                return Err(SessionError::NoMemory(address));
            }
            let _ = write!(text, "  (no memory from {address} on)");
            break;
        };
        let head = if index == 0 { format!("{address}:") } else { format!("\n{address}:") };
        let _ = write!(text, "{} {word:#010x}", if index % 4 == 0 { head.as_str() } else { "" });
    }
    text.push('\n');
    Ok(text)
}

/// The source line of an address with its neighbours.
pub fn source(program: &Program, pc: Address) -> String {
    let Some(location) = program.location(pc) else { return format!("no source line is known for {pc}\n") };
    let file = program.files.iter().find(|file| file.name == location.file).expect("the location names a file of it");
    let here = location.line as usize;
    let mut text = format!("{}:\n", location.file);
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        if number.abs_diff(here) <= CONTEXT {
            let _ = writeln!(text, "{} {number:>4}  {line}", if number == here { '>' } else { ' ' });
        }
    }
    text
}

/// Machine code.
pub fn code(gpu: &Gpu, core: CoreId, start: Address, count: u32) -> Result<String, SessionError> {
    let start = Address(start.0 & !3);
    let mut text = String::new();
    for index in 0..count {
        let address = start.offset(index.wrapping_mul(4));
        let Some(word) = word(gpu, core, address) else {
            return if index == 0 { Err(SessionError::NoMemory(address)) } else { Ok(text) };
        };
        let place = gpu.program().map_or_else(String::new, |program| describe(program, address));
        let _ = writeln!(text, "{address}  {word:08x}  {:<32}{place}", disassemble_word(word, address));
    }
    Ok(text)
}

/// The stops, a line each.
pub fn stops(stops: &[Stop]) -> String {
    if stops.is_empty() {
        return "there are no stops; the program stops at its end and at traps\n".to_owned();
    }
    stops.iter().map(|stop| format!("{}: {}\n", stop.number, stop.text)).collect()
}

/// The counters so far that are not zero, cores added up.
pub fn counters(gpu: &Gpu) -> String {
    let Some(timed) = gpu.report().timed else { return "nothing has been counted\n".to_owned() };
    let (sum, shared) = (timed.counters.sum(), &timed.counters.shared);
    let rows = core_rows().into_iter().zip(sum.values()).chain(shared_rows().into_iter().zip(shared.values()));
    let lines = rows.filter(|(_, value)| *value != 0);
    lines.map(|(row, value)| format!("{:<40} {value:>12} {}\n", row.path, row.unit)).collect()
}
