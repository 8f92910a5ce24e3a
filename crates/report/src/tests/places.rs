//! Where findings are: files, launches, elements, faults.

use super::*;

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
                    `grid.sync()` between them; or give each block its own part of `out`; if any order will
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
              help: compare the index with the number of elements first, as in `if (i < n)`, or allocate more
                    (`hirace explain HF001`)

            more about a code: `hirace explain HF001`
            hirace: 1 fault, no race before the run ended; 1 kernel launch and 1000 accesses checked
        "#]],
    );
}

/// The text of a report that contains `part`.
fn line_of(report: &Report, part: &str) -> String {
    let style = Style {
        width: 200,
        color: false,
        unicode: true,
    };
    let text = render(report, &texts(), None, style);
    let line = text.lines().find(|it| it.contains(part));
    let line = line.unwrap_or_else(|| panic!("no `{part}` in {text}"));
    line.trim_start_matches([' ', '├', '╰', '─', '▶'])
        .to_owned()
}

#[test]
fn a_fault_beside_a_variable() {
    let fault = |place: &dyn Fn(&mut Whereabouts)| {
        let builder = one_kernel().fault(Fault::OutOfBounds, a(1)).shared();
        line_of(&report(builder.seen_at(place)), "byte")
    };
    let of_tile = |offset| {
        move |it: &mut Whereabouts| {
            (it.variable, it.object_bytes, it.object_offset) =
                (variable_key(KEY, 3), 8 * 33 * 8, offset);
            (it.element_bytes, it.extents) = (8, [8, 33, 0, 0, 0]);
        }
    };
    expect!["at `tile[8][0]`, right after `tile` of 2112 bytes"]
        .assert_eq(&fault(&of_tile(8 * 33 * 8)));
    expect!["at `tile[9][1]`, 272 bytes after `tile` of 2112 bytes"]
        .assert_eq(&fault(&of_tile(8 * 33 * 8 + 34 * 8)));
    expect!["at `tile[-1][31]`, 16 bytes before `tile` of 2112 bytes"]
        .assert_eq(&fault(&of_tile((-16_i64).cast_unsigned())));
    let of_dynamic =
        |bytes, offset| fault(&|it| (it.object_bytes, it.object_offset) = (bytes, offset));
    expect![
        "16 bytes after the dynamic shared memory of 64 bytes (element 20 of 16, 4 bytes each)"
    ]
    .assert_eq(&of_dynamic(64, 80));
    let unasked = one_kernel().fault(Fault::OutOfBounds, a(1)).shared();
    expect!["the launch asks for no dynamic shared memory"]
        .assert_eq(&line_of(&report(unasked), "dynamic"));
}

#[test]
fn the_process_and_its_test() {
    let race = || one_kernel().record(GLOBAL_GRID, [a(4), a(4)], [1, 1], [1, 2], 3);
    let test = report(race().process("b/app 3", "test_app.py::test_small (call)"));
    expect!["in the process `b/app 3`, which the test `test_app.py::test_small` started"]
        .assert_eq(&line_of(&test, "the process"));
    let process = test.races[0].process.as_ref().expect("a process");
    assert_eq!(process.command, "b/app 3");
    let other = report(race().process("b/app 4", ""));
    expect!["in the process `b/app 4`"].assert_eq(&line_of(&other, "the process"));
    assert_eq!(report(race()).races[0].process, None);
}

#[test]
fn the_calls_that_lead_to_an_access() {
    let calls = |calls: &[(&str, &str, u32)]| {
        let mut tables = tables();
        for table in tables.iter_mut().filter(|it| it.path == "a.cu") {
            let call = |&(caller, callee, line): &(&str, &str, u32)| Call {
                caller: caller.to_owned(),
                callee: callee.to_owned(),
                line,
                is_macro: callee.chars().all(|it| it.is_ascii_uppercase()),
            };
            table.notes.calls = calls.iter().map(call).collect();
            table.notes.kernels = ["block_sum", "another_kernel"].map(str::to_owned).into();
        }
        let mut place = crate::model::Position {
            file: Some("b.cuh".to_owned()),
            function: Some("put".to_owned()),
            ..Default::default()
        };
        crate::call_path::follow(&mut place, "block_sum", (&[], false), &tables);
        crate::phrases::place::calls(&place, Some("b.cuh")).unwrap_or_default()
    };
    expect!["`put`, called at a.cu:8 in `block_sum`"].assert_eq(&calls(&[
        ("block_sum", "put", 8),
        ("another_kernel", "put", 20),
    ]));
    expect!["`put`, called at a.cu:5 in `store`, which is called at a.cu:8 in `block_sum`"]
        .assert_eq(&calls(&[("block_sum", "store", 8), ("store", "put", 5)]));
    expect!["`put`, called at a.cu:8 or at a.cu:9 in `block_sum`"]
        .assert_eq(&calls(&[("block_sum", "put", 8), ("block_sum", "put", 9)]));
    // By way of a macro.
    expect!["`put`, called at a.cu:5 in `STORE`, which is used at a.cu:8 in `block_sum`"]
        .assert_eq(&calls(&[("block_sum", "STORE", 8), ("STORE", "put", 5)]));
    // Nothing in the source leads there, or it leads around in a circle.
    expect![""].assert_eq(&calls(&[("another_kernel", "put", 20)]));
    expect![""].assert_eq(&calls(&[("put", "put", 3)]));
}
