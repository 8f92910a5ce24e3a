//! Races as the human report shows them.

use super::*;

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
        let (call, group) = ("__syncthreads()".to_owned(), BarrierGroup::Block);
        race.name_barrier(&BarrierPlace { call, group, at });
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
    expect!["load into a local variable, pass a `__syncthreads()`, then store"].assert_eq(&named(
        a(2),
        a(3),
        BarrierAt::Statement,
    ));
    let branch = || "the `if` of line 6".to_owned();
    expect!["put a `__syncthreads()` between the two accesses; if not every thread of the block enters the `if` of line 6, end it before the barrier, and begin it again after"].assert_eq(&named(a(1), a(3), BarrierAt::Branch(branch(), false)));
    expect!["load into a local variable, pass a `__syncthreads()`, then store; if not every thread of the block enters the `if` of line 6, end it before the barrier, and begin it again after"].assert_eq(&named(a(2), a(3), BarrierAt::Branch(branch(), true)));
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
