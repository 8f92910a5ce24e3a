//! An interleaving of a program as the engine gets it.

use std::fmt::Write as _;

use hirace_memory_model::litmus::ast::{Order, Scope};

use crate::program::{Access, LOCATIONS, Op, Place, Program};

/// The execution as a line for `driver.cpp`: the grid and the number of locations; then
/// `a THREAD PLACE READS WRITES ORDER SCOPE RETURNS`, where a place is `LOCATION FIRST BYTES`,
/// `f THREAD SCOPE SEQUENTIAL`, `b BLOCK`, `p THREAD SLOT` (arrives), `w THREAD SLOT` (has waited),
/// `m THREAD LANES` (a barrier of lanes, from the thread on), `c THREAD PLACE PLACE` (copies from one to the
/// other), `k THREAD` (commits its copies), `g THREAD PENDING` (has waited for them), `q THREAD SLOT` (its
/// copies arrive); then a dot.
///
/// A barrier at which all of some threads wait is one of a barrier object, or one of lanes.
pub fn line(program: &Program, interleaving: &[usize]) -> String {
    let blocks = program.threads.len() / program.width;
    let mut text = format!("{blocks} {} {LOCATIONS}", program.width);
    let mut at = vec![0; program.threads.len()];
    let mut met = vec![0; blocks];
    let mut arrived: Vec<Vec<usize>> = vec![Vec::new(); blocks];
    let lanes_meet = interleaving.first().is_some_and(|it| it % 2 == 0);
    for &thread in interleaving {
        let op = program.threads[thread][at[thread]];
        at[thread] += 1;
        let block = program.block(thread);
        let _ = match op {
            Op::Access(it) => write!(text, " a {thread} {}", access(&it)),
            Op::Fence { sc, scope: of } => {
                write!(text, " f {thread} {} {}", scope(of), u8::from(sc))
            }
            Op::BlockBarrier => {
                met[block] += 1;
                if met[block] == program.width {
                    write!(text, " b {block}")
                } else {
                    Ok(())
                }
            }
            Op::Barrier { .. } | Op::CopiesArrive => {
                arrived[block].push(thread);
                meet(program, op, &arrived[block], lanes_meet, &mut text);
                Ok(())
            }
            Op::Copy(it) => write!(text, " c {thread} {} {}", place(&it.from), place(&it.to)),
            Op::Commit => write!(text, " k {thread}"),
            Op::WaitForCopies { pending } => write!(text, " g {thread} {pending}"),
        };
    }
    text + " .\n"
}

/// The last of these threads, all of one block, arrives at the barrier that some of them meet at.
fn meet(program: &Program, op: Op, arrived: &[usize], lanes_meet: bool, text: &mut String) {
    let thread = arrived[arrived.len() - 1];
    let block = program.block(thread);
    let participants = program.participants(block);
    let waits = |it: &&usize| program.threads[**it].contains(&Op::Barrier { waits: true });
    let meets = lanes_meet && participants.iter().all(|it| waits(&it));
    if !meets {
        let letter = if op == Op::CopiesArrive { 'q' } else { 'p' };
        let _ = write!(text, " {letter} {thread} {block}");
    }
    if arrived.len() < participants.len() {
        return;
    }
    if meets {
        let first = block * program.width;
        let lanes: u32 = participants.iter().map(|it| 1 << (it - first)).sum();
        let _ = write!(text, " m {first} {lanes}");
    } else {
        for waiting in arrived.iter().filter(waits) {
            let _ = write!(text, " w {waiting} {block}");
        }
    }
}

fn place(place: &Place) -> String {
    let Place { location, bytes } = place;
    format!("{location} {} {}", bytes.first, bytes.count)
}

fn access(it: &Access) -> String {
    let order = match it.order {
        Order::Weak => 0,
        Order::Relaxed | Order::Volatile => 1,
        Order::Acquire => 2,
        Order::Release => 3,
        Order::AcqRel => 4,
    };
    format!(
        "{} {} {} {order} {} {}",
        place(&it.place()),
        u8::from(it.reads),
        u8::from(it.writes),
        scope(it.scope),
        u8::from(it.returns_value)
    )
}

fn scope(scope: Scope) -> u8 {
    match scope {
        Scope::Cta => 0,
        Scope::Sys => 2,
        Scope::Cluster | Scope::Gpu => 1,
    }
}
