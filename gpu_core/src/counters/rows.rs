//! The counters of a machine, one row each.
//!
//! Before: `row` says what a row is. After: the blocks of `timing` count in these structures. To add a counter, add a row
//! here; sums, laws, JSON, CSV and `docs/machine.md` follow.

use super::row::{Law, counters, part, whole};

#[rustfmt::skip]
counters! {
    /// Issue slots that passed without an instruction, one reason each, by this priority.
    StallCounters {
        alu "slots" [part(Law::Issue)] "an instruction was ready and the integer units were busy";
        fpu "slots" [part(Law::Issue)] "an instruction was ready and the float units were busy";
        lsu "slots" [part(Law::Issue)] "an instruction was ready and the load-store unit was busy";
        sfu "slots" [part(Law::Issue)] "an instruction was ready and the unit of masks, control registers and votes was busy";
        texture "slots" [part(Law::Issue)] "an instruction was ready and the texture unit was busy";
        operands "slots" [part(Law::Issue)] "an instruction was ready and the operand collector was busy";
        scoreboard "slots" [part(Law::Issue)] "an instruction waited for a register";
        synchronize "slots" [part(Law::Issue)] "a warp waited with an atomic or a fence for the other cores";
        instruction_cache "slots" [part(Law::Issue)] "a warp waited for its next instruction to come through fetch and decode";
        control "slots" [part(Law::Issue)] "a warp waited for a branch, a jump or a change of its mask";
        barrier "slots" [part(Law::Issue)] "all warps left waited at barriers or for others to end";
        ended "slots" [part(Law::Issue)] "all warps of the slot had ended";
    }
    /// Instructions by the unit that executes them.
    UnitCounters {
        alu "instructions" [part(Law::Units)] "integer arithmetic";
        branch "instructions" [part(Law::Units)] "branches and jumps";
        mul "instructions" [part(Law::Units)] "integer multiplication";
        div "instructions" [part(Law::Units)] "integer division";
        fma "instructions" [part(Law::Units)] "float addition, multiplication and both";
        fdiv "instructions" [part(Law::Units)] "float division";
        fsqrt "instructions" [part(Law::Units)] "float square root";
        fcmp "instructions" [part(Law::Units)] "float comparison, minimum, sign";
        fcvt "instructions" [part(Law::Units)] "float conversion";
        lsu "instructions" [part(Law::Units)] "loads, stores, atomics, fences";
        csr "instructions" [part(Law::Units)] "control registers";
        system "instructions" [part(Law::Units)] "environment calls";
        warp_control "instructions" [part(Law::Units)] "masks, barriers, starts of warps";
        vote "instructions" [part(Law::Units)] "votes and shuffles";
        texture "instructions" [part(Law::Units)] "texture samples";
        graphics "instructions" [part(Law::Units)] "other graphics instructions";
        transcendental "instructions" [part(Law::Units)] "transcendental functions";
    }
    /// Issue.
    IssueCounters {
        slots "slots" [whole(Law::Issue)] "cycles times the slices that issue";
        issued "instructions" [part(Law::Issue), whole(Law::Units)] "instructions issued";
        lanes "lanes" [] "lanes active in them";
    } + {
        "Slots lost, by reason." stall: StallCounters;
        "Instructions issued, by unit." unit: UnitCounters;
    }
    /// Fetch.
    FetchCounters {
        fetches "instructions" [] "instructions asked for";
        latency "cycles" [] "sum of the cycles from asking to having them";
        idle "cycles" [] "cycles in which no warp could be scheduled";
        buffer_full "cycles" [] "cycles in which a warp could not be scheduled because its buffer was full";
    }
    /// Reading source registers.
    OperandCounters {
        conflicts "cycles" [] "further cycles because sources lie in one bank";
    }
    /// Divergence, barriers, starts of warps.
    ControlCounters {
        branches "instructions" [] "branches and jumps";
        taken "instructions" [] "those that went elsewhere than to the next instruction";
        splits "instructions" [] "`split` executed";
        divergences "instructions" [] "those of which both sides have lanes";
        joins "instructions" [] "`join` executed";
        barriers "arrivals" [] "arrivals of warps at barriers";
        barrier_cycles "cycles" [] "sum of the cycles that warps waited at barriers";
        spawned "warps" [] "warps started by `wspawn`";
    }
    /// Loads and stores.
    LsuCounters {
        loads "instructions" [part(Law::Accesses)] "loads of warps";
        stores "instructions" [part(Law::Accesses)] "stores of warps";
        atomics "instructions" [part(Law::Accesses)] "atomics of warps";
        answers "instructions" [whole(Law::Accesses)] "loads, stores and atomics answered";
        fences "instructions" [] "fences of warps";
        lanes "lanes" [] "lane accesses to global memory, those that cross a word boundary twice";
        requests "requests" [] "requests to the data cache, or of atomics, made of them by coalescing";
        atomic_requests "requests" [] "of them, requests of atomics";
        atomic_answers "requests" [] "requests of atomics that were answered";
        load_latency "cycles" [] "sum of the cycles from a load's arrival at the unit to its data";
        stalls "cycles" [] "cycles in which the oldest access could not make all its requests";
    }
    /// A cache.
    CacheCounters {
        reads "requests" [whole(Law::Reads), whole(Law::Ports)] "reads accepted";
        read_hits "requests" [part(Law::Reads)] "reads that found their line";
        read_misses "requests" [part(Law::Reads)] "reads that asked for their line";
        read_merged "requests" [part(Law::Reads)] "reads that joined a miss under way for their line";
        writes "requests" [whole(Law::Writes), whole(Law::Ports)] "writes accepted";
        write_hits "requests" [part(Law::Writes)] "writes that found their line";
        write_misses "requests" [part(Law::Writes)] "writes that did not; with write-back they asked for it";
        write_merged "requests" [part(Law::Writes)] "writes (write-back) that joined a miss under way for their line";
        bank_cycles "cycles" [part(Law::Ports)] "bank-cycles in which a request was taken";
        port_hits "requests" [part(Law::Ports)] "requests taken beyond the first of their bank and cycle";
        write_port_hits "requests" [] "of them, writes";
        fills "lines" [] "lines that came from below";
        replays "requests" [] "requests answered again after their line came";
        write_backs "lines" [] "changed lines replaced and sent below";
        writes_below "requests" [] "lines, or parts of lines, sent below";
        bank_conflicts "requests" [] "times that a request waited a cycle because its bank took another";
        fill_stalls "requests" [] "times that a request waited a cycle because its bank took a line or replayed a miss";
        mshr_stalls "requests" [] "times that a request waited a cycle because its bank had no place to hold a miss";
        credit_stalls "requests" [] "times that a write waited a cycle because too many were on their way below";
        reset_stalls "requests" [] "times that a request waited a cycle for the reset to end";
    }
    /// Memory of the core alone.
    LocalCounters {
        reads "instructions" [part(Law::Rounds)] "loads and atomics of warps";
        writes "instructions" [part(Law::Rounds)] "stores of warps";
        conflicts "cycles" [part(Law::Rounds)] "further rounds because words lie in one bank";
        rounds "cycles" [whole(Law::Rounds)] "rounds in which each bank serves a word";
    }
    /// The texture unit.
    TextureCounters {
        instructions "instructions" [part(Law::Accesses)] "samples of warps, each a batch";
        answers "instructions" [whole(Law::Accesses)] "samples answered";
        lanes "lanes" [] "lanes sampled";
        texels "texels" [whole(Law::Texels)] "texel addresses of all lanes and taps, but for those in a border";
        fetched "texels" [part(Law::Texels)] "those fetched";
        shared "texels" [part(Law::Texels)] "those found among the fetched ones";
        latency "cycles" [] "sum of the cycles from a sample's arrival at the unit to its colour";
        busy "cycles" [] "cycles in which a batch had the texel fetch";
        stalls "cycles" [] "cycles in which the cache did not take all that a batch asked for";
    }
    /// All counters of one core.
    CoreCounters {
        cycles "cycles" [] "cycles from the launch to the core's last event";
    } + {
        "Issue." issue: IssueCounters;
        "Fetch." fetch: FetchCounters;
        "Operands." operands: OperandCounters;
        "Control." control: ControlCounters;
        "Loads and stores." lsu: LsuCounters;
        "The instruction cache." icache: CacheCounters;
        "The data cache." dcache: CacheCounters;
        "The texture cache." tcache: CacheCounters;
        "Local memory." local: LocalCounters;
        "The texture unit." texture: TextureCounters;
    }
    /// Main memory.
    DramCounters {
        reads "lines" [whole(Law::Rows)] "lines read, and atomics";
        writes "lines" [whole(Law::Rows)] "lines, or parts of lines, written";
        row_hits "lines" [part(Law::Rows)] "accesses that found their row open";
        row_misses "lines" [part(Law::Rows)] "accesses that did not";
        read_latency "cycles" [] "sum of the cycles from a read's arrival to its line";
        busy "cycles" [] "channel-cycles in which a line was on its way";
    }
    /// Counters of what the cores share.
    SharedCounters {
        reads "requests" [part(Law::Accesses)] "lines asked for by cores";
        writes "requests" [part(Law::Accesses)] "lines, or parts of lines, sent by cores";
        atomics "requests" [part(Law::Accesses)] "atomics of lanes";
        answers "requests" [whole(Law::Accesses)] "requests of cores that were answered";
        read_latency "cycles" [] "sum of the cycles from a read's leaving its core to its return";
    } + {
        "The second-level cache." l2: CacheCounters;
        "Main memory." dram: DramCounters;
    }
}
