//! rumur's error traces, each as one line.

use hirace_fsm::Access;
use hirace_fsm::check::Shape;

/// The property that fails in an error trace, such as `invariant "…" failed`.
pub fn failed_property(output: &str) -> Option<&str> {
    output
        .lines()
        .map(str::trim)
        .skip_while(|line| *line != "The following is the error trace for the error:")
        .skip(1)
        .find(|line| !line.is_empty())
}

/// The events of an error trace, each access with the machine's state after it. Threads,
/// warps and blocks are numbered through the grid.
pub fn read(output: &str, shape: Shape) -> String {
    let mut events: Vec<String> = Vec::new();
    let mut state = "";
    // The trace shows what a step changed after the step, so the state after an analysis
    // is known once the next step comes.
    let mut is_stepped = false;
    let finish = |events: &mut Vec<String>, state: &str, is_stepped: bool| {
        if let Some(event) = events.last_mut().filter(|_| is_stepped) {
            *event += &format!(" [{state}]");
        }
    };
    for line in output.lines() {
        if let Some(value) = line.strip_prefix("word.state:") {
            state = value;
        } else if let Some(step) = line.strip_prefix("Startstate ") {
            events.push(format!("{}:", name(step)));
        } else if let Some(step) = line.strip_prefix("Rule ") {
            finish(&mut events, state, is_stepped);
            is_stepped = name(step) == "analysis";
            if !is_stepped {
                events.push(event(step, shape));
            }
        }
    }
    finish(&mut events, state, is_stepped);
    events.join(", ").replacen(":, ", ": ", 1)
}

/// The name of a rule, which comes first and in quotes.
fn name(step: &str) -> &str {
    step.split('"').nth(1).unwrap_or(step)
}

fn event(step: &str, shape: Shape) -> String {
    let parameter = |name: &str| {
        let (_, value) = step.split_once(&format!("{name}: "))?;
        value.split([',', ' ']).next()
    };
    let number = |name: &str| {
        let (_, number) = parameter(name)?.rsplit_once('_')?;
        number.parse::<usize>().ok()
    };
    let block = number("block").unwrap_or(0);
    let warp = block * shape.warps_per_block() + number("warp").unwrap_or(0);
    let thread = warp * shape.threads_per_warp() + number("lane").unwrap_or(0);
    match name(step) {
        "access" => {
            let kind = parameter("kind")
                .and_then(|kind| kind.strip_prefix("access_"))
                .and_then(|kind| Access::ALL.into_iter().find(|a| a.identifier() == kind))
                .map_or("?", Access::name);
            format!("t{thread}:{kind}")
        }
        "syncwarp" => format!("syncwarp w{warp}"),
        "syncthreads" => format!("syncthreads b{block}"),
        other => other.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = r#"
The following is the error trace for the error:

	invariant "no missed race" failed

Startstate "global memory" fired.
word.state:INIT
----------

Rule "access", block: Block_1, warp: Warp_0, lane: Thread_1, kind: access_read fired.
turn:turn_analysis
----------

Rule "analysis", sync: sync_none, relation: relation_same fired.
word.state:READ
----------

Rule "syncwarp", block: Block_1, warp: Warp_1 fired.
----------

Rule "access", block: Block_1, warp: Warp_0, lane: Thread_1, kind: access_grid_atomic fired.
----------

Rule "analysis", sync: sync_none, relation: relation_same fired.
----------

End of the error trace.
"#;

    #[test]
    fn a_trace_becomes_one_line() {
        let shape = Shape::new(2, 2, 2).expect("a valid shape");
        assert_eq!(
            failed_property(TRACE),
            Some("invariant \"no missed race\" failed")
        );
        assert_eq!(
            read(TRACE, shape),
            "global memory: t5:R [READ], syncwarp w3, t5:GA [READ]"
        );
    }

    #[test]
    fn no_trace_no_property() {
        assert_eq!(failed_property("No error found."), None);
    }
}
