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
        loads "instructions" [] "loads of warps";
        stores "instructions" [] "stores of warps";
        atomics "instructions" [] "atomics of warps";
        fences "instructions" [] "fences of warps";
        lanes "lanes" [] "lane accesses outside local memory";
        requests "requests" [] "requests made of them, after coalescing";
        load_latency "cycles" [] "sum of the cycles from a load's issue to its data";
        queue_full "cycles" [] "cycles in which an access waited for room in the queue";
    }
    /// A cache.
    CacheCounters {
        reads "requests" [whole(Law::Reads)] "reads accepted";
        read_hits "requests" [part(Law::Reads)] "reads that found their line";
        read_misses "requests" [part(Law::Reads)] "reads that asked for their line";
        read_merged "requests" [part(Law::Reads)] "reads that joined a miss under way for their line";
        writes "requests" [whole(Law::Writes)] "writes accepted";
        write_hits "requests" [part(Law::Writes)] "writes that found their line";
        write_misses "requests" [part(Law::Writes)] "writes that did not";
        bank_conflicts "requests" [] "times that a request waited a cycle because its bank took another";
        mshr_stalls "cycles" [] "cycles in which a bank took no request for want of a place to hold a miss";
        credit_stalls "cycles" [] "cycles in which a store waited because too many were on their way below";
        fills "lines" [] "lines that came from below";
        write_backs "lines" [] "changed lines sent below";
        bank_cycles "cycles" [] "bank-cycles in which a request was taken";
        port_hits "requests" [] "requests taken beyond the first of their bank and cycle";
    }
    /// Memory of the core alone.
    LocalCounters {
        reads "instructions" [] "loads of warps";
        writes "instructions" [] "stores and atomics of warps";
        lanes "lanes" [] "lane accesses";
        conflicts "cycles" [] "further cycles because words lie in one bank";
    }
    /// The texture unit.
    TextureCounters {
        instructions "instructions" [] "samples of warps";
        lanes "lanes" [] "lanes sampled";
        texels "texels" [whole(Law::Texels)] "texel addresses of all lanes and taps";
        fetched "texels" [part(Law::Texels)] "those fetched";
        shared "texels" [part(Law::Texels)] "those found among the fetched ones";
        latency "cycles" [] "sum of the cycles from a sample's issue to its colour";
        busy "cycles" [] "cycles in which a batch was under way";
        queue_full "cycles" [] "cycles in which a sample waited for room in the queue";
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
        reads "lines" [whole(Law::Rows)] "lines read";
        writes "lines" [whole(Law::Rows)] "lines written";
        row_hits "lines" [part(Law::Rows)] "accesses that found their row open";
        row_misses "lines" [part(Law::Rows)] "accesses that did not";
        read_latency "cycles" [] "sum of the cycles from a read's arrival to its line";
        busy "cycles" [] "channel-cycles in which a line was on its way";
    }
    /// Counters of what the cores share.
    SharedCounters {
        atomics "requests" [] "atomics of lanes";
    } + {
        "The second-level cache." l2: CacheCounters;
        "Main memory." dram: DramCounters;
    }
}
