//! What a report leaves out, and what it says of code that ran unchecked.

use super::*;

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
        names_process: false,
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
            names_process: false,
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
