//! What a machine's blocks cost: the parameters of timed runs, one row each.
//!
//! Before: `row` says what a row is. After: the blocks of `timing` read these structures. To add a parameter, add a row here;
//! `--set`, files, checks of its range, the hash and `docs/machine.md` follow. Checks across fields are in `geometry`.

use super::row::{Kind, blocks, choices, max, min, number, pow2, power};

choices! {
    /// Which of the warps that could be fetched for is taken.
    WarpPolicy {
        /// The lowest.
        Lowest "lowest",
        /// The next after the last one taken.
        RoundRobin "round_robin",
    }
    /// Which texel addresses of a `tex` are fetched once.
    Deduplication {
        /// None: every lane fetches its own.
        None "none",
        /// A tap is fetched once if all active lanes want the same address (the hardware of Skybox).
        Uniform "uniform",
        /// Every address is fetched once, whichever lanes want it.
        Full "full",
    }
    /// Which line of a set makes room.
    Replacement {
        /// The one used longest ago.
        Lru "lru",
        /// The one filled longest ago.
        Fifo "fifo",
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
        fetch_latency: u32 = [2], number(1, 64), Skybox, "cycles from the scheduler to the instruction cache's port";
        decode_latency: u32 = [1], number(1, 64), Skybox, "cycles of decoding";
        buffer_entries: u32 = [4], number(1, 64), Skybox, "decoded instructions that wait for each warp";
    }
    /// Issue: which warp's instruction leaves its buffer.
    IssueTiming {
        width: u32 = [max(shape.warps / 8, 1)], number(1, 32), Skybox, "slices, each issuing an instruction a cycle for the warps w with w mod width = its number";
        dispatch_latency: u32 = [2], number(1, 64), Skybox, "cycles from the operands to the function unit";
        dispatch_entries: u32 = [2], number(1, 64), Skybox, "instructions that wait before each function unit";
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
    }
    /// Loads and stores before the caches.
    LsuTiming {
        latency: u32 = [3], number(1, 64), Skybox, "cycles from the operands to a cache port: local or global, coalescer, adapter, one each";
        pending_loads: u32 = [8], number(1, 1024), Ours, "loads under way in a core; more wait";
        coalesces: bool = [true], Kind::Flag, Skybox, "whether lanes that fall into one block share a request";
        block_bytes: u32 = [min(pow2(shape.lanes) * 4, 64)], power(4, 1024), Skybox, "the aligned block within which lanes share a request";
        response_latency: u32 = [1], number(1, 64), Skybox, "cycles from the cache's answer to the register";
    }
    /// A cache. It holds tags only, so it can never change a value.
    CacheTiming {
        //             icache dcache tcache l2
        bytes: u32 = [16384, 16384, 8192, 1048576], power(64, 1 << 28), Skybox, "capacity";
        line_bytes: u32 = [64, 64, 64, 64], power(4, 1024), Skybox, "bytes of a line";
        ways: u32 = [1, 1, 2, 2], power(1, 64), Skybox, "lines of a set";
        banks: u32 = [1, min(pow2(shape.lanes), 4), 1, 4], power(1, 64), Skybox, "banks, each taking a request a cycle: line l lies in bank l mod banks";
        ports: u32 = [1, 1, 1, 1], number(1, 4), Skybox, "virtual ports of a bank: requests to one line that it takes together";
        latency: u32 = [2, 2, 4, 2], number(1, 1024), Skybox, "cycles from the request to the answer of a hit";
        mshrs: u32 = [shape.warps, 16, 16, 16], number(1, 1024), Skybox, "misses that a bank can hold";
        queue_entries: u32 = [2, 2, 2, 2], number(1, 1024), Ours, "requests that wait before a bank";
        replacement: Replacement = [Replacement::Lru, Replacement::Lru, Replacement::Lru, Replacement::Lru], Replacement::KIND, Skybox, "which line makes room";
        write_back: bool = [false, false, false, false], Kind::Flag, Skybox, "whether stores stay until the line makes room; otherwise they go through and fill no line";
        perfect: bool = [false, false, false, false], Kind::Flag, Ours, "whether every access hits";
    }
    /// Memory of a core alone.
    LocalTiming {
        latency: u32 = [1], number(1, 1024), Skybox, "cycles of an access without a conflict";
        banks: u32 = [pow2(shape.lanes)], power(1, 64), Skybox, "banks: word w lies in bank w mod banks, each further word of a bank costs a cycle";
    }
    /// The texture unit.
    TextureTiming {
        address_latency: u32 = [2], number(1, 64), Skybox, "cycles from coordinates to texel addresses";
        filter_latency: u32 = [2], number(1, 64), Ours, "cycles of filtering, the same for point and bilinear: one for each axis";
        response_latency: u32 = [1], number(1, 64), Skybox, "cycles from the filter to the register";
        queue_entries: u32 = [2], number(1, 64), Skybox, "instructions that wait before the unit";
        deduplication: Deduplication = [Deduplication::Full], Deduplication::KIND, Ours, "which equal texel addresses of a warp are fetched once";
        fetches_per_cycle: u32 = [shape.lanes], number(1, 128), Ours, "addresses that go to the cache in a cycle";
        through_dcache: bool = [false], Kind::Flag, Ours, "whether texels come through the data cache, as in the design of 2021, instead of a cache of their own";
    }
    /// What cores share.
    SharedTiming {
        latency: u32 = [8], number(8, 1024), Ours, "cycles from a core's caches to the shared level and back: the look-ahead within which cores run apart";
        has_l2: bool = [false], Kind::Flag, Skybox, "whether there is a second-level cache";
    }
    /// Main memory.
    DramTiming {
        latency: u32 = [100], number(0, 100_000), Sampler, "cycles from a request to its line, queueing apart";
        line_interval: u32 = [2], number(0, 1024), Sampler, "cycles between two lines: the bandwidth; 0 for no limit";
        banks: u32 = [16], power(1, 1024), Ours, "banks, each with one open row";
        row_bytes: u32 = [2048], power(64, 1 << 20), Ours, "bytes of a row";
        row_miss_latency: u32 = [0], number(0, 100_000), Ours, "further cycles when another row was open";
    }
    /// The cost of everything, for timed runs.
    Timing {} + {
        "Which warp fetches next." scheduler: SchedulerTiming[0];
        "Fetch, decode, instruction buffers." front_end: FrontEndTiming[0];
        "Issue and dispatch." issue: IssueTiming[0];
        "Source registers." operands: OperandTiming[0];
        "Function units." units: UnitsTiming[0];
        "Loads and stores." lsu: LsuTiming[0];
        "The instruction cache of a core." icache: CacheTiming[0];
        "The data cache of a core." dcache: CacheTiming[1];
        "The texture cache of a core." tcache: CacheTiming[2];
        "Local memory of a core." local: LocalTiming[0];
        "The texture unit of a core." texture: TextureTiming[0];
        "The level that cores share." shared: SharedTiming[0];
        "The second-level cache, if there is one." l2: CacheTiming[3];
        "Main memory." dram: DramTiming[0];
    }
}
