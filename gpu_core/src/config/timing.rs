//! What a core's pipeline costs: parameters of timed runs, one row each. Memory's are in `memory`.
//!
//! Before: `row` says what a row is. After: the blocks of `timing` read these structures. To add a parameter, add a row here;
//! `--set`, files, checks of its range, the hash and `docs/machine.md` follow. Checks across fields are in `geometry`.

use super::memory::MemoryTiming;
use super::row::{blocks, choices, max, number, power};

choices! {
    /// Which of the warps that could be fetched for is taken.
    WarpPolicy {
        /// The lowest.
        Lowest "lowest",
        /// The next after the last one taken.
        RoundRobin "round_robin",
    }
}

#[rustfmt::skip]
blocks! { shape:
    /// Which warp fetches next.
    SchedulerTiming {
        policy: WarpPolicy = [WarpPolicy::Lowest], WarpPolicy::KIND, Skybox, "which of the ready warps is scheduled";
    }
    /// Fetch, decode and the instruction buffers.
    FrontEndTiming {
        // Skybox: 2 to the cache and 2 in it; here the cache's own four stages.
        fetch_latency: u32 = [0], number(0, 64), Skybox, "cycles from the scheduler to the instruction cache's port";
        decode_latency: u32 = [1], number(1, 64), Skybox, "cycles of decoding";
        buffer_entries: u32 = [4], number(1, 64), Skybox, "decoded instructions that wait for each warp";
    }
    /// Issue: which warp's instruction leaves its buffer.
    IssueTiming {
        width: u32 = [max(shape.warps / 8, 1)], number(1, 32), Skybox, "slices, each issuing an instruction a cycle for the warps w with w mod width = its number";
        dispatch_latency: u32 = [4], number(1, 64), Skybox, "cycles from the operands to the function unit: two in its queue, two on the way";
    }
    /// Reading source registers.
    OperandTiming {
        latency: u32 = [2], number(1, 64), Skybox, "cycles of reading the registers without a conflict";
        banks: u32 = [4], power(1, 32), Skybox, "banks of the register file: register r lies in bank r mod banks, each further source of a bank costs a cycle";
    }
    /// One kind of function unit.
    UnitTiming {
        //         alu branch mul div fma fdiv fsqrt fcmp fcvt csr system warp_control vote
        latency: u32 = [4, 4, 6, 34, 6, 18, 18, 4, 7, 4, 4, 4, 4], number(1, 1024), Skybox, "cycles from the operands to the result";
        interval: u32 = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], number(1, 1024), Skybox, "cycles until the unit takes the next instruction";
    }
    /// The unit of transcendental functions. No source says what one of full accuracy costs: as long as a square root, for four
    /// lanes' worth of tables a lane.
    TranscendentalTiming {
        latency: u32 = [18], number(1, 1024), Ours, "cycles from the operands to the result";
        interval: u32 = [4], number(1, 1024), Ours, "cycles until the unit takes the next instruction";
        fused_interval: u32 = [1], number(1, 1024), Ours, "cycles for which the second of a fused pair (fsin.s and fcos.s, fsinpi.s and fcospi.s) keeps the unit further";
    }
    /// The function units that compute.
    UnitsTiming {} + {
        "Integer arithmetic." alu: UnitTiming[0];
        "Branches and jumps." branch: UnitTiming[1];
        "Integer multiplication." mul: UnitTiming[2];
        "Integer division." div: UnitTiming[3];
        "Float addition, multiplication and both." fma: UnitTiming[4];
        "Float division." fdiv: UnitTiming[5];
        "Float square root." fsqrt: UnitTiming[6];
        "Float comparison, minimum, sign." fcmp: UnitTiming[7];
        "Float conversion." fcvt: UnitTiming[8];
        "Control registers." csr: UnitTiming[9];
        "Environment calls." system: UnitTiming[10];
        "Masks, barriers, wavefronts." warp_control: UnitTiming[11];
        "Votes and shuffles." vote: UnitTiming[12];
        "Transcendental functions." transcendental: TranscendentalTiming[0];
    }
    /// The cost of everything, for timed runs.
    Timing {} + {
        "Which warp fetches next." scheduler: SchedulerTiming[0];
        "Fetch, decode, instruction buffers." front_end: FrontEndTiming[0];
        "Issue and dispatch." issue: IssueTiming[0];
        "Source registers." operands: OperandTiming[0];
        "Function units." units: UnitsTiming[0];
        "Memory as a core sees it, and what cores share." memory: MemoryTiming[0];
    }
}

impl TranscendentalTiming {
    /// What an instruction costs that is not the second of a pair.
    pub const fn timing(self) -> UnitTiming {
        UnitTiming { latency: self.latency, interval: self.interval }
    }
}
