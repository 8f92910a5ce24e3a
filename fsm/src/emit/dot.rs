//! The machine as a graph for graphviz.

use std::fmt::Write as _;

use crate::alphabet::{Access, Relation, State, Sync};
use crate::fields::Masks;
use crate::table::{Table, Transition};

/// The six cases that an access distinguishes, with their comparisons (test:
/// `an_access_distinguishes_six_cases`).
pub const CASES: [(&str, &[(Sync, Relation)]); 6] = {
    use Relation as R;
    use Sync as S;
    [
        ("same thread", &[(S::None, R::Same)]),
        ("other lane", &[(S::None, R::Warp)]),
        ("other warp", &[(S::None, R::Block), (S::Warp, R::Block)]),
        (
            "other block",
            &[(S::None, R::Grid), (S::Warp, R::Grid), (S::Block, R::Grid)],
        ),
        ("after syncwarp", &[(S::Warp, R::Same), (S::Warp, R::Warp)]),
        (
            "after syncthreads",
            &[
                (S::Block, R::Same),
                (S::Block, R::Warp),
                (S::Block, R::Block),
            ],
        ),
    ]
};

/// The first case with a barrier between the two accesses.
const BARRIER_CASES: usize = 4;

/// The states, grouped by their meaning.
const GROUPS: [(&str, &[State]); 6] = {
    use State as S;
    [
        ("nothing, or too much", &[S::Init, S::Race]),
        ("reads", &[S::Read, S::WRead, S::BRead, S::GRead]),
        ("an access that all others must follow", &[S::Write]),
        (
            "reads after a write closed by a barrier",
            &[
                S::WSync,
                S::MrWSync,
                S::BSync,
                S::BwSync,
                S::WMrBwSync,
                S::BMrBSync,
            ],
        ),
        (
            "atomics",
            &[
                S::GAtom,
                S::GAtomW,
                S::GAtomB,
                S::GAtomG,
                S::BAtom,
                S::BAtomW,
                S::BAtomB,
            ],
        ),
        (
            "atomics after plain accesses closed by a barrier",
            &[
                S::WSyncAtom,
                S::WSyncAtomM,
                S::BSyncAtom,
                S::BSyncAtomW,
                S::BSyncAtomB,
            ],
        ),
    ]
};

/// The graph in the DOT language, whole or the neighbourhood of one state.
///
/// Edges show how further accesses change a state. Transitions that keep a state are listed in its
/// box. In the whole graph, those to `WRITE` and those closed by a barrier are listed there too, since
/// nearly every state has the same ones. All other transitions lead to `RACE` and are not shown.
#[must_use]
pub fn graph(only: Option<State>) -> String {
    let mut edges = Vec::new();
    let mut boxes = State::ALL.map(|_| None);
    for from in State::ALL {
        if only.is_some_and(|only| only != from) {
            continue;
        }
        let mut folded = Vec::new();
        for to in State::ALL {
            if to == State::Race {
                continue;
            }
            // For a first access the cases are irrelevant.
            let whole = only.is_some() || from == State::Init;
            let drawn =
                |case: usize| from != to && (whole || case < BARRIER_CASES && to != State::Write);
            let edge = inputs(from, to, drawn);
            if !edge.is_empty() {
                edges.push((from, to, edge));
            }
            for line in inputs(from, to, |case| !drawn(case)) {
                folded.push((line, to));
            }
        }
        boxes[from.index()] = Some(folded);
    }

    let mut dot = String::from(PROLOGUE);
    for (number, (title, states)) in GROUPS.iter().enumerate() {
        let is_drawn = |state: State| {
            boxes[state.index()].is_some() || edges.iter().any(|&(_, to, _)| to == state)
        };
        if !states.iter().any(|&state| is_drawn(state)) {
            continue;
        }
        // Writing to a string cannot fail.
        let _ = writeln!(
            dot,
            "  subgraph cluster_{number} {{\n    label=\"{title}\";"
        );
        for &state in states.iter().filter(|&&state| is_drawn(state)) {
            let label = label(state, boxes[state.index()].as_deref().unwrap_or_default());
            let _ = writeln!(dot, "    {} [label=\"{label}\"];", state.identifier());
        }
        dot.push_str("  }\n");
    }
    for (from, to, lines) in edges {
        let (from, to, lines) = (from.identifier(), to.identifier(), lines.join("\\l"));
        let _ = writeln!(dot, "  {from} -> {to} [label=\"{lines}\\l\"];");
    }
    dot.push_str("}\n");
    dot
}

const PROLOGUE: &str = "\
// A transition that is neither an edge nor in the box of its state leads to RACE.
digraph hirace {
  rankdir=LR;
  graph [fontname=\"Helvetica\", fontsize=12, color=gray60, nodesep=0.3, ranksep=0.7];
  node [shape=box, fontname=\"Helvetica\", fontsize=11];
  edge [fontname=\"Helvetica\", fontsize=10];
";

/// A state, the fields that its word keeps, and the transitions that are not drawn.
fn label(state: State, folded: &[(String, State)]) -> String {
    let mut label = format!("{state}\\n");
    let kept = Masks::of(&Table::EXACT).keep(state);
    if state == State::Race {
        label += "for good\\n";
    } else if state != State::Init {
        let _ = write!(label, "keeps {kept}\\n");
    }
    for (line, to) in folded {
        if *to == state {
            let _ = write!(label, "{line}: stays\\l");
        } else {
            let _ = write!(label, "{line}: {to}\\l");
        }
    }
    label
}

/// The transitions between two states in some of the cases, one line for each set of
/// accesses with the same cases: `R W  same thread, after syncwarp`.
fn inputs(from: State, to: State, is_wanted: impl Fn(usize) -> bool) -> Vec<String> {
    let mut lines: Vec<(String, String)> = Vec::new();
    for access in Access::ALL {
        let leads = |&(sync, relation): &(Sync, Relation)| {
            let transition = Transition {
                state: from,
                access,
                sync,
                relation,
            };
            Table::EXACT.next(transition) == to
        };
        let is_there = |case: usize| is_wanted(case) && CASES[case].1.iter().all(leads);
        let names: Vec<_> = (0..CASES.len())
            .filter(|&case| is_there(case))
            .map(|case| CASES[case].0)
            .collect();
        let cases = match names.len() {
            0 => continue,
            all if all == CASES.len() => String::from("always"),
            _ => names.join(", "),
        };
        match lines.iter_mut().find(|(_, known)| *known == cases) {
            Some((accesses, _)) => {
                let _ = write!(accesses, " {access}");
            }
            None => lines.push((access.to_string(), cases)),
        }
    }
    lines
        .into_iter()
        .map(|(accesses, cases)| format!("{accesses}  {cases}"))
        .collect()
}
