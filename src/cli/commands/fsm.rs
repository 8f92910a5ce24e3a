//! `hirace fsm`: views of the state machine.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use hirace_fsm::check::{
    Counts, MAX_THREADS, NotVerified, Shape, Step, verify_any_grid, verify_watched,
};
use hirace_fsm::replay::{Outcome, ParseErrorKind, Written, parse, replay};
use hirace_fsm::{Access, Fields, Masks, State, Table, Transition, emit, published_next};

use crate::cli::fsm::{FsmCommand, Machine, ModelWords, Murphi, TableFormat, Trace, Verify, Words};
use crate::exit::Exit;
use hirace_model::error::{Error, Mistake, Result};
use hirace_terminal::print;
use hirace_terminal::progress;
use hirace_toolchain::interrupt;

/// The grids of the test suite.
const SHAPES: [(usize, usize, usize); 6] = [
    (2, 2, 2),
    (1, 2, 3),
    (1, 1, 4),
    (2, 1, 3),
    (3, 1, 1),
    (3, 3, 3),
];

/// Runs the command.
pub(super) fn run(command: &FsmCommand) -> Result<Exit> {
    match command {
        FsmCommand::Table { format } => print(&match format {
            TableFormat::Csv => emit::table_csv(),
            TableFormat::Markdown => emit::table_markdown(),
            TableFormat::Json => emit::table_json(),
            TableFormat::Header => emit::cuda::header(),
        })
        .map(|()| Exit::Clean),
        FsmCommand::Dot { state } => print(&emit::dot::graph(*state)).map(|()| Exit::Clean),
        FsmCommand::Murphi(arguments) => murphi(arguments),
        FsmCommand::Verify(arguments) => verify(arguments),
        FsmCommand::Trace(arguments) => trace(arguments),
    }
}

fn table_of(machine: Machine) -> Table {
    match machine {
        Machine::Exact => Table::EXACT,
        Machine::Published => Transition::all().fold(Table::EXACT, |table, transition| {
            table.with(transition, published_next(transition))
        }),
    }
}

fn murphi(arguments: &Murphi) -> Result<Exit> {
    let &Murphi {
        blocks,
        warps,
        threads,
        ..
    } = arguments;
    let shape = Shape::new(blocks, warps, threads).map_err(|error| Error::Input {
        message: format!("`--blocks {blocks} --warps {warps} --threads {threads}`: {error}"),
        help: None,
    })?;
    let model = emit::murphi::Model {
        driver: include_str!("../../../murphi/driver.m"),
        cover: arguments
            .cover
            .then_some(include_str!("../../../murphi/cover.m")),
        table: &table_of(arguments.table),
        masks: &Masks::of(&Table::EXACT),
        shape,
        masked: arguments.words == ModelWords::Masked,
        forgetful: true,
    };
    print(&model.text())?;
    Ok(Exit::Clean)
}

fn verify(arguments: &Verify) -> Result<Exit> {
    let table = table_of(arguments.table);
    let shapes = if arguments.shape.is_empty() {
        SHAPES
            .into_iter()
            .filter_map(|(blocks, warps, threads)| Shape::new(blocks, warps, threads).ok())
            .collect()
    } else {
        arguments.shape.clone()
    };
    let full = ("full", Masks::FULL);
    let masked = ("masked", Masks::of(&Table::EXACT));
    let words = match arguments.words {
        Words::Full => vec![full],
        Words::Masked => vec![masked],
        Words::Both => vec![full, masked],
    };
    let mut exit = Exit::Clean;
    let mut tell = |grid: &dyn std::fmt::Display, words: &str, line: String, exact: bool| {
        if !exact {
            exit = Exit::Races;
        }
        print(&format!("{grid}, {words} words: {line}\n"))
    };
    if arguments.shape.is_empty() {
        for (name, masks) in &words {
            let (line, exact) = match verify_any_grid(&table, masks) {
                Ok(counts) => (in_words(&counts), true),
                Err(wrong) => (wrong.to_string(), false),
            };
            tell(&"any grid", name, line, exact)?;
        }
    }
    for shape in shapes {
        for (name, masks) in &words {
            let (line, exact) = search(&table, masks, shape, arguments.limit)?;
            tell(&shape, name, line, exact)?;
        }
    }
    Ok(exit)
}

fn in_words(counts: &Counts) -> String {
    format!(
        "exact: {} situations, {} verdicts, {} of {} transitions reached",
        counts.situations,
        counts.verdicts,
        counts.transitions_reached(),
        hirace_fsm::table::TRANSITIONS
    )
}

/// The result of a search in words, and whether the machine is exact.
fn search(table: &Table, masks: &Masks, shape: Shape, limit: usize) -> Result<(String, bool)> {
    let bar = progress::bar(
        0,
        "{prefix}: {human_pos} of {human_len} situations explored",
    );
    bar.set_prefix(shape.to_string());
    let searched = verify_watched(table, masks, shape, &mut |progress| {
        bar.set_length(progress.found as u64);
        bar.set_position(progress.explored as u64);
        if progress.found > limit || interrupt::check().is_err() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    bar.finish_and_clear();
    match searched {
        Ok(counts) => Ok((in_words(&counts), true)),
        Err(NotVerified::Wrong(wrong)) => Ok((wrong.to_string(), false)),
        Err(NotVerified::Stopped(_)) if interrupt::check().is_err() => Err(Error::Interrupted),
        Err(NotVerified::Stopped(progress)) => Err(Error::Input {
            message: format!(
                "a {shape} grid is too large to finish: {limit} situations found, {} explored",
                progress.explored
            ),
            help: Some("raise `--limit`; a situation takes about 200 bytes".to_owned()),
        }),
    }
}

fn trace(arguments: &Trace) -> Result<Exit> {
    let shape = arguments.shape;
    let written = parse(&arguments.history, shape).map_err(|error| {
        let message = error.kind.to_string();
        let mistake = Mistake::new("history", &arguments.history, error.at, message);
        Error::Syntax(mistake.with_help(help(&error.kind)))
    })?;
    let steps: Vec<Step> = written.iter().map(|event| event.step).collect();
    let table = table_of(arguments.table);
    let outcomes = replay(&steps, shape, &table, &Masks::of(&Table::EXACT));
    let agree = outcomes.iter().flatten().all(Outcome::agree);
    print(&draw(shape, &written, &outcomes))?;
    let expected = as_expected(&written, &outcomes).into_iter().all(|is| is);
    Ok(if agree && expected {
        Exit::Clean
    } else {
        Exit::Races
    })
}

fn help(kind: &ParseErrorKind) -> Option<String> {
    match kind {
        ParseErrorKind::Empty | ParseErrorKind::UnknownEvent => {
            Some("an event is like `t0:R`, `syncwarp w0` or `syncthreads b0`".to_owned())
        }
        ParseErrorKind::NotInGrid { .. } => Some(format!(
            "`--shape` sets the grid: blocks x warps in a block x threads in a warp, {MAX_THREADS} threads at most"
        )),
        ParseErrorKind::UnknownAccess => {
            let names = Access::ALL.map(Access::name).join(", ");
            Some(format!("the accesses are {names}"))
        }
        ParseErrorKind::UnknownState => {
            let names = State::ALL.map(State::name).join(" ");
            Some(format!("the states are {names}"))
        }
    }
}

/// Whether each event leads to the state that the writer expects; a barrier leaves the
/// state as it is.
fn as_expected(written: &[Written], outcomes: &[Option<Outcome>]) -> Vec<bool> {
    let mut state = State::Init;
    let events = written.iter().zip(outcomes);
    events
        .map(|(event, outcome)| {
            state = outcome.as_ref().map_or(state, |outcome| outcome.state);
            event.expected.is_none_or(|expected| expected == state)
        })
        .collect()
}

/// One line per event, in columns.
fn draw(shape: Shape, written: &[Written], outcomes: &[Option<Outcome>]) -> String {
    let names = |count: usize, name: &str, prefix: char| match count {
        1 => format!("{name} {prefix}0"),
        _ => format!("{name}s {prefix}0 to {prefix}{}", count - 1),
    };
    let mut text = format!(
        "grid {shape}: {}, {}, {}\n\n",
        names(shape.threads(), "thread", 't'),
        names(shape.warps(), "warp", 'w'),
        names(shape.blocks(), "block", 'b'),
    );
    text +=
        "                                             | word, with the fields of its last access\n";
    text += "  #  event           input  state         | value              lane warp block clocks | machine truth\n";
    let as_expected = as_expected(written, outcomes);
    for (number, (event, outcome)) in written.iter().zip(outcomes).enumerate() {
        let _ = write!(text, "{:>3}  {:<15}", number + 1, event.step.to_string());
        if let Some(outcome) = outcome {
            text.push(' ');
            text += &columns(outcome);
        }
        if let Some(expected) = event.expected
            && !as_expected[number]
        {
            let _ = write!(text, "  (expected {expected})");
        }
        let trimmed = text.trim_end().len();
        text.truncate(trimmed);
        text.push('\n');
    }
    let mut accesses = outcomes.iter().flatten();
    let verdict = if !accesses.clone().all(Outcome::agree) {
        "machine and truth disagree"
    } else if accesses.any(|outcome| outcome.raced) {
        "race: machine and truth agree on every access"
    } else {
        "no race: machine and truth agree on every access"
    };
    text + &format!("\n{verdict}\n")
}

fn columns(outcome: &Outcome) -> String {
    let transition = outcome.transition;
    let input = if transition.state == State::Init {
        "-".to_owned()
    } else {
        format!("{},{}", transition.sync, transition.relation)
    };
    let verdict = |race: bool| if race { "race" } else { "ok" };
    let mut truth = verdict(outcome.raced).to_owned();
    if !outcome.races_with.is_empty() {
        let numbers: Vec<_> = outcome
            .races_with
            .iter()
            .rev()
            .map(|number| (number + 1).to_string())
            .collect();
        let _ = write!(truth, " with {}", numbers.join(", "));
    }
    let kept = Masks::of(&Table::EXACT).keep(outcome.state);
    let show = |field: Fields, value: u64| {
        if kept.contains(field) {
            value.to_string()
        } else {
            "-".to_owned()
        }
    };
    let who = outcome.who;
    format!(
        "{input:<6} {:<13} | {:#018x} {:>4} {:>4} {:>5} {:>3} {:>2} | {:<7} {truth}",
        outcome.state.name(),
        outcome.word.0,
        show(Fields::LANE, who.lane),
        show(Fields::WARP, who.warp),
        show(Fields::BLOCK, who.block),
        show(Fields::BLOCK_CLOCK, who.block_clock),
        show(Fields::WARP_CLOCK, who.warp_clock),
        verdict(outcome.state == State::Race)
    )
}
