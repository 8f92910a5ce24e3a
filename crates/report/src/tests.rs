//! From synthetic records to the text of a report.

use expect_test::{Expect, expect};
use hirace_fsm::Transition;

use super::human::{Style, render};
use super::records::tests::Builder;
use super::records::{Records, Whereabouts};
use super::{
    BarrierAt, BarrierPlace, Certainty, Count, Input, Relation, Report, Run, Status, assemble,
    json, merge, read,
};
use hirace_model::Ended;
use hirace_model::table::{Notes, Table, Tables, Texts, Variable, variable_key};
use hirace_model::wire::numbers::{Fault, Limits};
use hirace_model::{
    Backend, Coverage, NotModelled, NotMonitored, ResultUse, Site, SiteKind, SwitchedOff, Warning,
};

const SOURCE: &str = "\
__global__ void block_sum(const int* in, int* out) {
  __shared__ int s_sum[256];
  int t = threadIdx.x;
  s_sum[t] = in[t];
  for (int stride = 128; stride > 0; stride /= 2) {
    if (t < stride) s_sum[t] += s_sum[t + stride];
  }
  *out = s_sum[0];
}
";

const HEADER: &str = "__device__ inline void put(int* p, int v) { *p = v; }\n";

/// Sites of `a.cu` by their number: 1 write, 2 update, 3 read, 4 write of `*out`, 5 read;
/// site 1 of `b.cuh` is the write in `put`.
fn tables() -> Tables {
    let mut tables = Tables::default();
    let texts = [
        ("s_sum[t] =", "s_sum[t]", SiteKind::Write),
        ("s_sum[t] +=", "s_sum[t]", SiteKind::Update),
        ("s_sum[t + stride]", "s_sum[t + stride]", SiteKind::Read),
        ("*out = ", "*out", SiteKind::Write),
        ("s_sum[0]", "s_sum[0]", SiteKind::Read),
    ];
    let mut in_a = vec![site(SOURCE, "int* in", "in", SiteKind::Read, "block_sum")];
    in_a.extend(texts.map(|(find, text, kind)| site(SOURCE, find, text, kind, "block_sum")));
    in_a.push(site(
        SOURCE,
        "block_sum",
        "block_sum",
        SiteKind::Launch,
        "main",
    ));
    let notes = Notes {
        variables: vec![Variable {
            number: 3,
            name: "tile".to_owned(),
        }],
        ..Notes::default()
    };
    tables.add(Table {
        key: KEY,
        notes,
        ..table("a.cu", a(0), in_a)
    });
    let in_b = vec![site(HEADER, "*p = v", "*p", SiteKind::Write, "put")];
    tables.add(table("b.cuh", B, in_b));
    tables
}

/// Of the table of `a.cu`.
const KEY: u64 = 5;

fn table(path: &str, base: u32, sites: Vec<Site>) -> Table {
    Table {
        path: path.to_owned(),
        base,
        sites,
        notes: Notes {
            kernels: vec!["block_sum".to_owned()],
            ..Notes::default()
        },
        ..Table::default()
    }
}

fn site(source: &str, find: &str, text: &str, kind: SiteKind, function: &str) -> Site {
    let start = source.find(find).unwrap();
    let line_start = source[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let variable = text.trim_start_matches('*').split('[').next().unwrap();
    Site {
        range: start..start + text.len(),
        line: u32::try_from(1 + source[..start].matches('\n').count()).unwrap(),
        column: u32::try_from(1 + start - line_start).unwrap(),
        text: text.to_owned(),
        variable: variable.to_owned(),
        function: function.to_owned(),
        kind,
        result: ResultUse::Used,
    }
}

fn a(index: u32) -> u32 {
    1 << 20 | index
}

const B: u32 = 2 << 20;

fn texts() -> Texts {
    [("a.cu", SOURCE), ("b.cuh", HEADER)]
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into()
}

fn report_ended(records: &Records, ended: Ended) -> Report {
    assemble(&Run {
        backend: Backend::Cpu,
        seed: 0,
        ended,
        timeout: Some(2.0),
        init_check: false,
        records,
        tables: &tables(),
    })
}

fn report(builder: Builder) -> Report {
    report_ended(&builder.records(), Ended::Exited(0))
}

fn one_kernel() -> Builder {
    Builder::new().totals(1, 1000).kernel("block_sum")
}

const SHARED_WARP: [u8; 4] = [1, 1, 1, 2];
const SHARED_BLOCK: [u8; 4] = [1, 1, 2, 2];
const GLOBAL_GRID: [u8; 4] = [1, 2, 3, 2];

#[track_caller]
fn check(builder: Builder, expected: &Expect) {
    let style = Style {
        width: 100,
        color: false,
        unicode: true,
    };
    expected.assert_eq(&render(&report(builder), &texts(), None, style));
}

#[track_caller]
fn check_code(builder: Builder, code: &str) {
    let report = report(builder);
    assert_eq!(report.races.len(), 1);
    assert_eq!(report.races[0].code, code);
}

#[test]
fn missing_block_barrier() {
    check(
        one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7),
        &expect![[r#"
            HR001

              × data race on shared `s_sum` in kernel `block_sum`: missing block barrier
              ├─▶ the two threads are in different warps of one block, and no `__syncthreads()` came between
              │   the two accesses
              ╰─▶ seen 7 times
               ╭─[a.cu:4:3]
             3 │   int t = threadIdx.x;
             4 │   s_sum[t] = in[t];
               ·   ────┬───
               ·       ╰── (1) write by thread (128,0,0) of block (0,0,0)
             5 │   for (int stride = 128; stride > 0; stride /= 2) {
             6 │     if (t < stride) s_sum[t] += s_sum[t + stride];
               ·                                 ────────┬────────
               ·                                         ╰── (2) read by thread (0,0,0) of block (0,0,0)
             7 │   }
               ╰────
              help: a `__syncthreads()` between line 4 and line 6 that every thread of the block reaches
                    orders the two accesses

            more about a code: `hirace explain HR001`
            to look for a repair: `hirace fix`, with the same files and arguments
            hirace: 1 race (7 occurrences); 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

#[test]
fn the_place_of_a_barrier() {
    let named = |from, to, at: BarrierAt| {
        let mut report = report(one_kernel().record(SHARED_BLOCK, [from, to], [1, 0], [128, 0], 7));
        let race = &mut report.races[0];
        assert!(race.lacks_barrier_place());
        let call = "__syncthreads()";
        race.name_barrier(&BarrierPlace { call, at });
        assert!(!race.lacks_barrier_place());
        race.help.clone()
    };
    let (between, end) = (
        || "before line 5".to_owned(),
        || "at the end of the loop of line 5".to_owned(),
    );
    expect!["a `__syncthreads()` before line 5, which every thread of the block reaches, orders the two accesses"]
        .assert_eq(&named(a(1), a(3), BarrierAt::Between(between())));
    expect!["a `__syncthreads()` before line 5 orders the two accesses of one iteration, and another at the end of the loop of line 5 those of different iterations; every thread of the block reaches both places"].assert_eq(&named(
        a(1),
        a(3),
        BarrierAt::BetweenAndEnd(between(), end()),
    ));
    expect!["a `__syncthreads()` at the end of the loop of line 5, which every thread of the block reaches, orders the two accesses: they belong to different iterations"].assert_eq(&named(a(1), a(3), BarrierAt::End(end())));
    expect!["a `__syncthreads()` at the end of the loop of line 5, which every thread of the block reaches, orders the two accesses if they belong to different iterations; within one iteration, one that every thread of the block reaches has to come between them"].assert_eq(&named(a(1), a(3), BarrierAt::EndAtLeast(end())));
    expect!["a `__syncthreads()` at the end of the loop of line 5, which every thread of the block reaches, orders the two accesses if they belong to different iterations; within one iteration, load into a local variable, pass a `__syncthreads()`, then store"].assert_eq(&named(a(2), a(3), BarrierAt::EndAtLeast(end())));
    // Other codes have no such help.
    let other = report(one_kernel().record(GLOBAL_GRID, [B, a(4)], [1, 1], [1, 2], 3));
    assert!(!other.races[0].lacks_barrier_place());
}

#[test]
fn no_repair_is_advised_for_ptx() {
    let builder = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
    let mut report = report(builder);
    let advised = |report: &Report| {
        let text = render(report, &texts(), None, Style::for_file());
        text.contains("`hirace fix`")
    };
    assert!(advised(&report));
    report.input = Input::Ptx;
    assert!(!advised(&report));
    // Nor after the report was written and read; of several programs, one may be repaired.
    let again = read::parse("report.json", &json::render(&report)).expect("a report");
    assert!(!advised(&again));
    let mut other = report.clone();
    assert!(!advised(
        &merge([report.clone(), other.clone()]).expect("two")
    ));
    other.input = Input::Cuda;
    assert!(advised(&merge([report, other]).expect("two")));
}

#[test]
fn only_a_command_that_works_is_advised() {
    let builder = || one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
    let with = |command: Option<&str>| Report {
        repair: command.map(str::to_owned),
        ..report(builder())
    };
    let advice = |report: &Report| {
        let text = render(report, &texts(), None, Style::for_file());
        let line = text.lines().find(|it| it.contains("a repair: "));
        line.map(str::to_owned)
    };
    let general = "to look for a repair: `hirace fix`, with the same files and arguments";
    assert_eq!(advice(&with(None)).as_deref(), Some(general));
    let cmake = with(Some("hirace fix -- b/app 10"));
    let command = "to look for a repair: `hirace fix -- b/app 10`";
    assert_eq!(advice(&cmake).as_deref(), Some(command));
    let make = with(Some(""));
    assert_eq!(advice(&make), None);
    let merged = merge([make, cmake]).expect("two");
    assert_eq!(advice(&merged).as_deref(), Some(command));
}

#[test]
fn races_of_several_reports_are_counted_once() {
    let one = || one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
    let two = one().record(GLOBAL_GRID, [B, a(4)], [1, 1], [1, 2], 3);
    let mut count = Count::default();
    assert_eq!(count.add(&report(one())), 1);
    assert_eq!(count.add(&report(one())), 1);
    assert_eq!(count.add(&report(two)), 2);
    assert_eq!(count.add(&report(one_kernel())), 2);
}

#[test]
fn accesses_in_two_files() {
    check(
        one_kernel().record(GLOBAL_GRID, [B, a(4)], [1, 1], [1, 2], 3),
        &expect![[r#"
            HR003

              × data race on global `out` in kernel `block_sum`: unordered accesses by different blocks
              ├─▶ the two threads are in different blocks, and nothing orders the two accesses
              ╰─▶ seen 3 times
               ╭─[b.cuh:1:45]
             1 │ __device__ inline void put(int* p, int v) { *p = v; }
               ·                                             ─┬
               ·                                              ╰── (1) write by thread (1,0,0) of block (0,0,0)
               ╰────
              ☞ (2) lies in another file
               ╭─[a.cu:8:3]
             7 │   }
             8 │   *out = s_sum[0];
               ·   ──┬─
               ·     ╰── (2) write by thread (2,0,0) of block (0,0,0)
             9 │ }
               ╰────
              help: end the kernel between the two accesses, or launch it cooperatively and put a
                    `grid.sync()` between them, or give each block its own part of `out`; if any order will
                    do, make both atomic; a `__syncthreads()` does not order different blocks

            more about a code: `hirace explain HR003`
            hirace: 1 race (3 occurrences); 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

#[test]
fn the_launch_and_the_step_of_the_machine() {
    let race = |transition: u16| {
        let builder = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
        let report = report(builder.launch([4, 2, 1], [16, 16, 1], transition));
        let race = report.races.into_iter().next().expect("a race");
        assert_eq!(race.launch.as_ref().map(|it| it.grid), Some([4, 2, 1]));
        assert_eq!(race.launch.as_ref().map(|it| it.block), Some([16, 16, 1]));
        race.transition
    };
    let index = |name| Transition::from_name(name).expect("a transition").index() as u16;
    let known = "WRITE,R,U,B";
    assert_eq!(race(index(known)).as_deref(), Some(known));
    // No race of the machine's.
    assert_eq!(race(index("WRITE,R,B,B")), None);
    assert_eq!(race(u16::MAX), None);
}

#[test]
fn the_launch_and_the_element() {
    let race = |place: &dyn Fn(&mut Whereabouts)| {
        let builder = one_kernel().record(GLOBAL_GRID, [a(4), a(4)], [1, 1], [1, 2], 3);
        let builder = builder.launch([4, 2, 1], [16, 16, 1], u16::MAX);
        let text = render(
            &report(builder.seen_at(place)),
            &texts(),
            None,
            Style {
                width: 200,
                color: false,
                unicode: true,
            },
        );
        let line = text.lines().find(|it| it.contains("blocks of (16,16,1)"));
        line.expect("a launch")
            .trim_start_matches("  ├─▶ ")
            .to_owned()
    };
    let of_tile = |offset| {
        move |it: &mut Whereabouts| {
            (it.variable, it.object_bytes, it.object_offset) =
                (variable_key(KEY, 3), 8 * 33 * 8, offset);
            (it.element_bytes, it.extents) = (8, [8, 33, 0, 0, 0]);
        }
    };
    expect!["in a launch with grid (4,2,1), blocks of (16,16,1)"].assert_eq(&race(&|_| {}));
    expect!["in launch 7 at line 1, grid (4,2,1), blocks of (16,16,1)"].assert_eq(&race(&|it| {
        (it.launch, it.launch_site) = (7, a(6));
    }));
    expect!["at `tile[3][17]`, in a launch with grid (4,2,1), blocks of (16,16,1)"]
        .assert_eq(&race(&of_tile(8 * (3 * 33 + 17))));
    expect!["at byte 4 of `tile[0][1]`, in a launch with grid (4,2,1), blocks of (16,16,1)"]
        .assert_eq(&race(&of_tile(12)));
    // No element of it.
    expect!["in a launch with grid (4,2,1), blocks of (16,16,1)"]
        .assert_eq(&race(&of_tile(8 * 33 * 8)));
    let of_allocation =
        |bytes, offset| race(&|it| (it.object_bytes, it.object_offset) = (bytes, offset));
    expect!["at element 5 of an allocation of 64 bytes (4 bytes each), in a launch with grid (4,2,1), blocks of (16,16,1)"]
        .assert_eq(&of_allocation(64, 20));
    expect![
        "at byte 5 of an allocation of 64 bytes, in a launch with grid (4,2,1), blocks of (16,16,1)"
    ]
    .assert_eq(&of_allocation(64, 5));
}

#[test]
fn both_accesses_at_one_place() {
    check(
        one_kernel().record(GLOBAL_GRID, [a(4), a(4)], [1, 1], [1, 2], 3),
        &expect![[r#"
            HR006

              × data race on global `out` in kernel `block_sum`: same location written by several threads
              ├─▶ the two threads are in different blocks and both write the same location here; which value
              │   remains depends on which thread writes last
              ╰─▶ seen 3 times
               ╭─[a.cu:8:3]
             7 │   }
             8 │   *out = s_sum[0];
               ·   ──┬─
               ·     ╰─┤ (1) write by thread (1,0,0) of block (0,0,0)
               ·       │ (2) write by thread (2,0,0) of block (0,0,0)
             9 │ }
               ╰────
              help: let one thread write, or give each its own element of `out`; if any of the values will do,
                    write it with `atomicExch`

            more about a code: `hirace explain HR006`
            to look for a repair: `hirace fix`, with the same files and arguments
            hirace: 1 race (3 occurrences); 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

#[test]
fn prior_access_not_recorded() {
    check(
        one_kernel().record([1, 1, 2, 0], [0, a(3)], [1, 0], [0, 2], 3),
        &expect![[r#"
            HR001

              × data race on shared `s_sum` in kernel `block_sum`: missing block barrier
              ├─▶ the two threads are in different warps of one block, and no `__syncthreads()` came between
              │   the two accesses
              ├─▶ (1), a write by another thread, was not recorded with its place
              ╰─▶ seen 3 times
               ╭─[a.cu:6:33]
             5 │   for (int stride = 128; stride > 0; stride /= 2) {
             6 │     if (t < stride) s_sum[t] += s_sum[t + stride];
               ·                                 ────────┬────────
               ·                                         ╰── (2) read by thread (2,0,0) of block (0,0,0)
             7 │   }
               ╰────
              help: a `__syncthreads()` that every thread of the block reaches between the two accesses orders
                    them

            more about a code: `hirace explain HR001`
            to look for a repair: `hirace fix`, with the same files and arguments
            hirace: 1 race (3 occurrences); 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

#[test]
fn clean() {
    check(
        one_kernel(),
        &expect![[r#"
        hirace: no race found; 1 kernel launch and 1000 accesses checked
    "#]],
    );
}

#[test]
fn fault_with_its_place() {
    check(
        one_kernel().fault(Fault::OutOfBounds, a(1)),
        &expect![[r#"
            HF001

              × access out of bounds in kernel `block_sum`
              ╰─▶ the run ended there
               ╭─[a.cu:4:3]
             3 │   int t = threadIdx.x;
             4 │   s_sum[t] = in[t];
               ·   ────┬───
               ·       ╰── thread (5,0,0) of block (0,0,0)
             5 │   for (int stride = 128; stride > 0; stride /= 2) {
               ╰────
              help: see `hirace explain HF001`

            more about a code: `hirace explain HF001`
            hirace: 1 fault, no race; 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

#[test]
fn one_race_however_it_was_met() {
    // In both orders, within a warp and within the block, and both halves of the update.
    let report = report(
        one_kernel()
            .record(SHARED_WARP, [a(2), a(3)], [1, 0], [1, 2], 10)
            .record(SHARED_BLOCK, [a(3), a(2)], [0, 1], [40, 2], 5)
            .record(SHARED_BLOCK, [a(2), a(3)], [4, 0], [90, 3], 1),
    );
    assert_eq!(report.races.len(), 1);
    let race = &report.races[0];
    assert_eq!((race.occurrences, &*race.code), (16, "HR001"));
    assert_eq!(race.relation, Relation::Block);
    // The first in the text is shown as the prior one where both orders were met.
    assert_eq!(race.accesses[0].position.column, Some(21));
    assert_eq!(report.summary.occurrences, 16);
}

#[test]
fn races_are_sorted_by_position() {
    let report = report(
        one_kernel()
            .record(GLOBAL_GRID, [a(4), a(4)], [1, 1], [1, 2], 1)
            .record(SHARED_BLOCK, [a(5), a(1)], [0, 1], [1, 2], 1)
            .record(SHARED_BLOCK, [a(3), a(2)], [0, 1], [1, 2], 1),
    );
    let lines: Vec<_> = report
        .races
        .iter()
        .map(|race| race.accesses.each_ref().map(|access| access.position.line))
        .collect();
    assert_eq!(
        lines,
        [[Some(8), Some(4)], [Some(6), Some(6)], [Some(8), Some(8)]]
    );
}

#[test]
fn codes() {
    let pair = |kinds, sites, accesses| one_kernel().record(kinds, sites, accesses, [1, 2], 1);
    check_code(pair(SHARED_BLOCK, [a(1), a(5)], [1, 0]), "HR001");
    check_code(pair(SHARED_WARP, [a(1), a(5)], [1, 0]), "HR002");
    check_code(pair(GLOBAL_GRID, [a(1), a(5)], [1, 0]), "HR003");
    check_code(pair(GLOBAL_GRID, [a(1), a(5)], [3, 0]), "HR004");
    check_code(pair(GLOBAL_GRID, [a(1), a(5)], [1, 2]), "HR004");
    check_code(pair(GLOBAL_GRID, [a(1), a(5)], [2, 3]), "HR005");
    check_code(pair(GLOBAL_GRID, [a(1), a(1)], [1, 1]), "HR006");
    check_code(pair(SHARED_WARP, [a(2), a(2)], [1, 0]), "HR006");
    // Where the prior place is not known, it is not taken to be the same.
    check_code(
        one_kernel().record([1, 2, 3, 0], [0, a(1)], [1, 1], [1, 2], 1),
        "HR003",
    );
}

#[test]
fn possible_where_an_unmodelled_construct_may_order() {
    let certainty = |executed: &[u32]| {
        let builder = Builder::new().totals(1, 9).kernel("k");
        let builder = executed.iter().fold(builder, |builder, constructs| {
            let one = builder.record(GLOBAL_GRID, [a(1), a(5)], [1, 0], [1, 2], 1);
            one.not_modelled(*constructs)
        });
        let report = report(builder);
        assert_eq!(report.races.len(), 1);
        (report.races[0].certainty, report.status)
    };
    let possible = (Certainty::Possible, Status::Possible);
    let definite = (Certainty::Definite, Status::Races);
    assert_eq!(certainty(&[0]), definite);
    assert_eq!(certainty(&[1]), possible);
    assert_eq!(certainty(&[4, 1]), possible);
    // It happened at least once before anything could have ordered it.
    assert_eq!(certainty(&[1, 0]), definite);
}

#[test]
fn a_bad_end_is_a_failure_but_does_not_hide_races() {
    for (ended, kind) in [
        (Ended::Exited(3), "exit"),
        (Ended::Signalled(11), "signal"),
        (Ended::TimedOut, "timeout"),
    ] {
        let clean = report_ended(&one_kernel().records(), ended);
        assert_eq!(clean.status, Status::Failed);
        assert_eq!(clean.failure.unwrap().kind, kind);
        let racy = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [9, 0], 1);
        let racy = report_ended(&racy.records(), ended);
        assert_eq!(racy.status, Status::Races);
        assert_eq!(racy.failure.unwrap().kind, kind);
        // A possible race is no answer to the question that the failure leaves open.
        let possible = Builder::new().totals(1, 9).kernel("k");
        let possible = possible.record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [9, 0], 1);
        let possible = possible.not_modelled(4);
        assert_eq!(
            report_ended(&possible.records(), ended).status,
            Status::Failed
        );
    }
}

#[test]
fn nothing_monitored_is_a_failure() {
    for (builder, says) in [
        (Builder::new(), "launched no kernel"),
        (Builder::new().totals(2, 0), "no kernel accessed memory"),
        (
            Builder::new().header(|it| it.unmonitored_launches = 2),
            "no kernel launch could be checked",
        ),
    ] {
        let failure = report(builder).failure.unwrap();
        assert_eq!(failure.kind, "nothing-monitored");
        assert!(failure.message.contains(says), "{}", failure.message);
    }
    let never_started = report_ended(&Records::default(), Ended::Exited(0));
    assert_eq!(never_started.status, Status::Failed);
}

#[test]
fn blocks_and_threads_without_number_are_named() {
    for (limit, says) in [
        (
            Limits::BLOCKS_WITHOUT_NUMBER,
            "more blocks than the shadow word can name; accesses to global memory by the others were not checked (`[shadow] block-bits`, `word-bytes`): `block_sum` from block 512 on",
        ),
        (
            Limits::THREADS_WITHOUT_NUMBER,
            "more threads than the shadow word can name; accesses to global memory by the others were not checked (`[shadow] thread-bits`, `word-bytes`): `block_sum` from thread 256 on",
        ),
    ] {
        let report = report(one_kernel().number_bits(limit, [9, 8]));
        assert_eq!(report.notes.len(), 1, "{:?}", report.notes);
        assert!(report.notes[0].ends_with(says), "{}", report.notes[0]);
    }
}

#[test]
fn lists_are_capped_and_constructs_say_whether_they_ran() {
    let not_monitored: Vec<_> = (1..=12)
        .map(|line| NotMonitored {
            file: "a.cu".to_owned(),
            line,
            reason: "bit-field".to_owned(),
            accesses: 1,
        })
        .collect();
    let not_modelled = [4, 6].map(|line| NotModelled {
        file: "a.cu".to_owned(),
        line,
        construct: "`__threadfence()`".to_owned(),
    });
    let mut tables = tables();
    tables.add(Table {
        notes: Notes {
            not_monitored,
            not_modelled: not_modelled.to_vec(),
            ..Notes::default()
        },
        ..Table::default()
    });
    let records = one_kernel()
        .record([3, 0, 0, 0], [0, a(1)], [0, 0], [0, 0], 1)
        .header(|it| it.dropped = 5)
        .header(|it| it.limits = Limits::GRID_TOO_LARGE)
        .records();
    let report = assemble(&Run {
        backend: Backend::Cpu,
        seed: 0,
        ended: Ended::Exited(0),
        timeout: None,
        init_check: false,
        records: &records,
        tables: &tables,
    });
    let style = Style {
        width: 80,
        color: false,
        unicode: false,
    };
    expect![[r#"
        not monitored (12 places):
          a.cu:1: bit-field
          a.cu:2: bit-field
          a.cu:3: bit-field
          a.cu:4: bit-field
          a.cu:5: bit-field
          a.cu:6: bit-field
          a.cu:7: bit-field
          a.cu:8: bit-field
          a.cu:9: bit-field
          a.cu:10: bit-field
          and 2 more
        not modelled (2 places):
          a.cu:4: `__threadfence()`
          a.cu:6: `__threadfence()` (not reached in this run)
        note: 5 occurrences of further races were dropped: the record table is full
        note: a launch has more blocks, or more threads in each, than the shadow word can name; it ran unchecked (`[shadow] block-bits`, `thread-bits`, `word-bytes`)
        hirace: no race found; 1 kernel launch and 1000 accesses checked
    "#]].assert_eq(&render(&report, &texts(), None, style));
}

#[test]
fn json_shape() {
    let builder = one_kernel().record(SHARED_BLOCK, [a(1), a(3)], [1, 0], [128, 0], 7);
    expect![[r#"
        {
          "schema": "hirace-report/1",
          "schema_version": "1.7",
          "tool_version": "0.1.0",
          "working_directory": null,
          "backend": "cpu",
          "seed": 0,
          "seeds": [
            0
          ],
          "status": "races",
          "summary": {
            "races": 1,
            "possible": 0,
            "faults": 0,
            "occurrences": 7,
            "suppressed": 0,
            "launches": 1,
            "accesses": 1000
          },
          "coverage": {
            "functions": 0,
            "untouched": 0,
            "monitored": 0,
            "private": 0,
            "switched_off": 0,
            "not_monitored": 0,
            "percent": null
          },
          "races": [
            {
              "fingerprint": "6c9423981ac7a33c:1",
              "code": "HR001",
              "title": "missing block barrier",
              "kernel": "block_sum",
              "space": "shared",
              "variable": "s_sum",
              "relation": "block",
              "certainty": "definite",
              "occurrences": 7,
              "locations": null,
              "blocks": null,
              "seeds": [
                0
              ],
              "accesses": [
                {
                  "role": "prior",
                  "access": "write",
                  "file": "a.cu",
                  "line": 4,
                  "column": 3,
                  "end_column": 11,
                  "text": "s_sum[t]",
                  "function": "block_sum",
                  "variable": "s_sum",
                  "block": [
                    0,
                    0,
                    0
                  ],
                  "thread": [
                    128,
                    0,
                    0
                  ],
                  "size": 4,
                  "begin": 0
                },
                {
                  "role": "current",
                  "access": "read",
                  "file": "a.cu",
                  "line": 6,
                  "column": 33,
                  "end_column": 50,
                  "text": "s_sum[t + stride]",
                  "function": "block_sum",
                  "variable": "s_sum",
                  "block": [
                    0,
                    0,
                    0
                  ],
                  "thread": [
                    0,
                    0,
                    0
                  ],
                  "size": 4,
                  "begin": 0
                }
              ],
              "launch": null,
              "element": null,
              "transition": null,
              "flag": null,
              "reason": "the two threads are in different warps of one block, and no `__syncthreads()` came between the two accesses",
              "help": "a `__syncthreads()` between line 4 and line 6 that every thread of the block reaches orders the two accesses"
            }
          ],
          "faults": [],
          "suppressed": [],
          "not_monitored": [],
          "not_modelled": [],
          "switched_off": [],
          "warnings": [],
          "notes": [],
          "sources": [
            {
              "file": "a.cu",
              "digest": "0000000000000000"
            }
          ]
        }
    "#]].assert_eq(&json::render(&report(builder)));
}

#[test]
fn json_of_an_unknown_prior() {
    let builder = one_kernel().record([1, 1, 2, 0], [0, a(3)], [1, 0], [0, 2], 3);
    let text = json::render(&report(builder));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let prior = &value["races"][0]["accesses"][0];
    for key in ["file", "line", "column", "text", "block", "thread"] {
        assert!(
            prior.get(key).is_some_and(serde_json::Value::is_null),
            "{key}"
        );
    }
    assert_eq!(prior["role"], "prior");
}

#[test]
fn the_limit_hides_but_does_not_forget() {
    let builder = one_kernel()
        .record(GLOBAL_GRID, [a(4), a(4)], [1, 1], [1, 2], 1)
        .record(SHARED_BLOCK, [a(5), a(1)], [0, 1], [1, 2], 1)
        .fault(Fault::OutOfBounds, a(1))
        .fault(Fault::OutOfBounds, a(4));
    let style = Style {
        width: 80,
        color: false,
        unicode: false,
    };
    let text = render(&report(builder), &texts(), Some(1), style);
    assert!(text.contains("1 more race is not shown"), "{text}");
    assert!(text.contains("1 more fault is not shown"), "{text}");
    assert!(
        text.ends_with(
            "hirace: 2 races (2 occurrences) and 2 faults; 1 kernel launch and 1000 accesses checked\n"
        ),
        "{text}"
    );
}

#[test]
fn a_kernel_without_accesses_is_named() {
    let two = || Builder::new().totals(2, 9).kernel("a").kernel("b");
    assert_eq!(report(two()).notes, [""; 0]);
    let notes = report(two().unseen(0)).notes;
    assert!(
        notes.len() == 1 && notes[0].starts_with("kernel `b` ran and none"),
        "{notes:?}"
    );
    // Switched off by configuration each time it was launched.
    assert_eq!(report(two().unseen(3)).notes, [""; 0]);
}

#[test]
fn what_is_left_out_is_said() {
    let coverage = |switched_off, not_monitored| Coverage {
        functions: 1,
        monitored: 997,
        switched_off,
        not_monitored,
        ..Coverage::default()
    };
    let shown = |notes: Notes| {
        let mut tables = Tables::default();
        tables.add(Table {
            notes,
            ..Table::default()
        });
        let records = one_kernel().records();
        let report = assemble(&Run {
            backend: Backend::Cpu,
            seed: 0,
            ended: Ended::Exited(0),
            timeout: None,
            init_check: false,
            records: &records,
            tables: &tables,
        });
        render(&report, &texts(), None, Style::for_file())
    };
    expect![[r#"
        switched off (2 places):
          a.cu:3: variable `x` in `k` (2 accesses), by the configuration
          a.cu:7: launch of `k`, by a comment
        warning: a.cu:9:5: `hirace: ingore` is unknown
        coverage: 99.7 % of 1000 accesses in device code are monitored, 2 switched off, 1 not monitored
        hirace: no race found; 1 kernel launch and 1000 accesses checked
    "#]]
    .assert_eq(&shown(Notes {
        coverage: coverage(2, 1),
        switched_off: [
            (7, "launch of `k`", "comment", 0),
            (3, "variable `x` in `k`", "configuration", 2),
        ]
        .map(|(line, what, by, accesses)| SwitchedOff {
            file: "a.cu".to_owned(),
            line,
            what: what.to_owned(),
            by: by.to_owned(),
            accesses,
        })
        .to_vec(),
        warnings: vec![Warning {
            file: "a.cu".to_owned(),
            line: 9,
            column: 5,
            message: "`hirace: ingore` is unknown".to_owned(),
        }],
        ..Notes::default()
    }));
    let all = shown(Notes {
        coverage: coverage(0, 0),
        ..Notes::default()
    });
    assert!(all.starts_with("coverage: all accesses in device code are monitored\n"));
    // Only almost all.
    let text = shown(Notes {
        coverage: Coverage {
            monitored: 9999,
            ..coverage(0, 1)
        },
        ..Notes::default()
    });
    assert!(text.contains("99.9 % of 10000 accesses"), "{text}");
}
