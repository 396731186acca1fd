//! Profiles of small programs worked out by hand, and sums of larger ones.

use gpu_core::config::GpuConfig;
use gpu_core::counters::Counters;
use gpu_core::gpu::Gpu;
use gpu_core::observe::StallReason;

use super::html::page;
use super::table::{By, Order, Table};
use super::text::{Subject, summary, table};
use super::*;
use crate::experiments::compute::Benchmark;
use crate::inspect::samples::{EVERYTHING, THREE, launch, machine};
use crate::inspect::watch::Watch;

fn profile_of(text: &str, config: &GpuConfig) -> (Profile, Option<Counters>) {
    let mut watch = Watch::new(None, Some(Profile::new()));
    let report = launch(text, config, 1, &mut watch);
    let (_, profile) = watch.finish().expect("no trace that could fail");
    let counters = report.ok().and_then(|report| report.timed).map(|timed| timed.counters);
    (profile.expect("there is one"), counters)
}

fn subject(config: &GpuConfig) -> Subject {
    let GpuConfig { cores, lanes, .. } = *config;
    Subject { name: "<a & b>".to_owned(), machine: "test".to_owned(), cores, slots: config.timing.issue.width, lanes }
}

/// What a row of these slot-cycles looks like.
fn spent(issued: u64, lanes: u64, stalls: &[(StallReason, u64)]) -> Spent {
    let mut spent = Spent { issued, lanes, ..Spent::default() };
    stalls.iter().for_each(|(reason, count)| spent.stalls[*reason as usize] = *count);
    spent
}

/// The rows add up to what the counters say, reason by reason, and that to slots times cycles.
#[track_caller]
fn check_sums(profile: &Profile, counters: &[Counters]) {
    let mut counted = Spent::default();
    let mut slots = 0;
    for counters in counters {
        let issue = counters.sum().issue;
        counted.add(&Spent::counted(&issue));
        slots += issue.slots;
    }
    assert_eq!(counted.slot_cycles(), slots);
    for by in [By::Line, By::Instruction] {
        for order in [Order::Cost, Order::Source] {
            let table = Table::new(profile, by, order);
            let mut sum = Spent::default();
            table.rows.iter().for_each(|row| sum.add(&row.spent));
            assert_eq!((sum, table.total), (counted, counted), "{by:?}");
        }
    }
}

/// The cycles are those that the test of the trace works out: 0 to 5 fetching, 6 `li`, 7 to 10 fetching, 11 to 16 waiting for
/// a0, 17 `addi`, 18 `tmc`, 19 to 27 until it is executed, from 28 on without a warp.
#[test]
fn three_instructions_cost_what_was_worked_out_by_hand() {
    let config = machine("vortex-1w1t", "perfect");
    let (profile, counters) = profile_of(THREE, &config);
    let counters = counters.expect("it ran to its end");
    let expected = [
        ("addi a1, a0, 1", spent(1, 1, &[(StallReason::InstructionCache, 4), (StallReason::Scoreboard, 6)])),
        ("tmc zero", spent(1, 1, &[(StallReason::Control, 9)])),
        ("addi a0, zero, 1", spent(1, 1, &[(StallReason::InstructionCache, 6)])),
        ("(no warp to issue for)", spent(0, 0, &[(StallReason::Ended, counters.cycles - 28)])),
    ];
    let rows = Table::new(&profile, By::Instruction, Order::Cost).rows;
    let found: Vec<(&str, Spent)> = rows.iter().map(|row| (row.text.as_str(), row.spent)).collect();
    assert_eq!(found, expected);
    check_sums(&profile, &[counters]);

    let by_line = Table::new(&profile, By::Line, Order::Source);
    let places: Vec<String> = by_line.rows.iter().map(|row| by_line.source(row)).collect();
    assert_eq!(places, ["test.s:1", "test.s:2", "test.s:3", ""]);
    assert_eq!(by_line.rows[1].text, "addi a1, a0, 1");
}

#[test]
fn rows_add_up_to_the_counters_for_machines_of_every_shape() {
    for name in ["vortex-1w1t", "vortex-4w4t", "2c4w4t", "3c16w8t", "1c32w2t"] {
        for memory in ["default", "perfect"] {
            let (profile, counters) = profile_of(EVERYTHING, &machine(name, memory));
            check_sums(&profile, &[counters.expect("it ran to its end")]);
        }
    }
}

#[test]
fn rows_of_several_launches_add_up() {
    let config = machine("2c4w4t", "default");
    for (benchmark, size) in [(Benchmark::Sgemm, 12), (Benchmark::Gaussian, 6), (Benchmark::Bfs, 60)] {
        let workload = benchmark.workload(size, &config).expect("a small workload");
        let mut watch = Watch::new(None, Some(Profile::new()));
        let reports = workload.run_by(&mut Gpu::new(config).expect("a machine"), &mut watch).expect("it runs");
        let profile = watch.finish().expect("no trace").1.expect("a profile");
        assert_eq!(profile.launches() as usize, reports.len());
        let counters: Vec<Counters> =
            reports.into_iter().map(|report| report.timed.expect("it was timed").counters).collect();
        assert_eq!(profile.cycles(), counters.iter().map(|counters| counters.cycles).sum::<u64>());
        check_sums(&profile, &counters);
        // WGSL has lines; only the prologue, which starts warps, comes from none.
        let table = Table::new(&profile, By::Line, Order::Cost);
        assert!(table.rows.iter().filter(|row| row.place.is_some()).count() > 5, "{benchmark:?}");
    }
}

/// The branch is to blame for the cycles until its target can be fetched, and the barrier for those in which all wait there,
/// not the instructions after them.
#[test]
fn a_branch_and_a_barrier_are_to_blame_for_their_waits() {
    let text = "li a0, 3\n1: addi a0, a0, -1\nbnez a0, 1b\nli a1, 2\ntmc x0\n";
    let (profile, _) = profile_of(text, &machine("vortex-1w1t", "perfect"));
    let control = |profile: &Profile, reason: StallReason| -> Vec<String> {
        let rows = Table::new(profile, By::Line, Order::Source).rows;
        rows.into_iter().filter(|row| row.spent.stalls[reason as usize] != 0).map(|row| row.text).collect()
    };
    assert_eq!(control(&profile, StallReason::Control), ["bnez a0, 1b", "tmc x0"]);

    // Core 0 is at the barrier of all cores at once, core 1 counts to fifty first.
    let text = "csrr a2, core_id\nli a3, 50\nbeqz a2, 2f\n1: addi a3, a3, -1\nbnez a3, 1b\n\
                2: li a0, 0x80000000\ncsrr a1, num_cores\nbar a0, a1\nli a2, 1\ntmc x0\n";
    let (profile, counters) = profile_of(text, &machine("vortex-2c1w1t", "perfect"));
    assert!(counters.is_some(), "it runs to its end");
    assert_eq!(control(&profile, StallReason::Barrier), ["bar a0, a1"]);
}

/// A trap takes its instruction back, and what came before is kept.
#[test]
fn a_program_that_traps_has_a_profile_up_to_there() {
    let (profile, counters) =
        profile_of("li a0, 1\nlw a1, 0(a0)\nlw a1, 0(x0)\n.word 0\n", &machine("2c4w4t", "default"));
    assert_eq!(counters, None);
    let table = Table::new(&profile, By::Instruction, Order::Cost);
    let mut sum = Spent::default();
    table.rows.iter().for_each(|row| sum.add(&row.spent));
    assert_eq!(sum, *profile.total());
    assert!(sum.issued > 0);
}

#[test]
fn rows_that_are_not_printed_are_summed_up() {
    let (profile, _) = profile_of(THREE, &machine("vortex-1w1t", "perfect"));
    let rows = Table::new(&profile, By::Instruction, Order::Cost);
    let text = table(&rows, 1);
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let head = ["slot-cycles", "%", "issued", "lanes", "scoreboard", "icache", "control", "ended", "where"];
    assert_eq!(lines[0], head);
    let all = profile.total().slot_cycles();
    let share = |part: u64| format!("{:.2}", 100.0 * part as f64 / all as f64);
    assert_eq!(lines[1][..8], ["11", &share(11), "1", "1.00", "6", "4", ".", "."]);
    assert_eq!(lines[1][8..], ["0x80000004", "test.s:2", "addi", "a1,", "a0,", "1"]);
    let [rest, ended] = [all - 11, all - 28].map(|count| count.to_string());
    assert_eq!(lines[2], [&*rest, &share(all - 11), "2", "1.00", ".", "6", "9", &ended, "(3", "more", "rows)"]);
    assert_eq!(lines[3], [&*all.to_string(), "100.00", "3", "1.00", "6", "10", "9", &ended, "(all)"]);
    assert_eq!(lines.len(), 4);
    assert_eq!(table(&rows, usize::MAX).lines().count(), 6);
    let summary = summary(&profile, &subject(&machine("vortex-1w1t", "perfect"))).join("\n");
    let lost = format!("lost: instruction_cache {:.1} %, control {:.1} %", 1e3 / all as f64, 9e2 / all as f64);
    for part in [&format!("{all} cycles"), "1 core x 1 issue slot", "3 issued", "1.00 of 1 lanes", &lost] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
}

#[test]
fn json_has_every_row_and_the_same_sums() {
    let (profile, _) = profile_of(EVERYTHING, &machine("2c4w4t", "default"));
    let table = Table::new(&profile, By::Line, Order::Source);
    let json = serde_json::to_value(table.json()).expect("it is JSON");
    let rows = json["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), table.rows.len());
    let sum: u64 = rows.iter().map(|row| row["slot_cycles"].as_u64().expect("a count")).sum();
    assert_eq!(json["total"]["slot_cycles"], sum);
    assert_eq!((&rows[0]["file"], &rows[0]["line"]), (&"test.s".into(), &2.into()));
    assert_eq!(rows[0]["text"], "csrr    t0, num_warps");
}

/// The page fetches nothing, runs nothing, takes source text for text, and is balanced.
#[test]
fn the_page_stands_alone() {
    let config = machine("2c4w4t", "default");
    let text = format!("# <script>alert(\"1\")</script> & more\n{EVERYTHING}");
    let (profile, _) = profile_of(&text, &config);
    let page = page(&profile, &subject(&config));
    for forbidden in ["<script", "src=", "http", "url(", "@import", "<link", "<a & b>"] {
        assert!(!page.contains(forbidden), "{forbidden}");
    }
    assert!(page.contains("# &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; more"));
    for tag in [
        "html", "head", "body", "style", "title", "h1", "h2", "ul", "li", "table", "tr", "td", "th", "details",
        "summary", "div", "span", "code", "a", "i",
    ] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    // Every line of the source is there, and a link leads to each costly one.
    assert_eq!(page.matches("<code>").count(), text.lines().count() + 1);
    for link in page.split("href=\"#").skip(1) {
        let anchor = link.split('"').next().expect("a quoted name");
        assert!(page.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
}
