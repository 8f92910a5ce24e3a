//! Branches that have hooked places in several arms. Lanes of a warp may be in different arms at a
//! time, and no arm waits for another: reports say so of races between them.

use std::ops::Range;

use hirace_model::Site;
use hirace_model::table::Branch;
use hirace_syntax::lines::Lines;
use hirace_syntax::tree::{Field, Kind, Node};

/// The branches below `root`. Sites are counted from the first of `sites`.
pub(super) fn of(root: Node<'_>, source: &str, sites: &[Site]) -> Vec<Branch> {
    let lines = Lines(source);
    let mut places: Vec<(usize, u32)> = sites.iter().map(|it| it.range.start).zip(0..).collect();
    places.sort_unstable();
    let within = |arm: Range<usize>| {
        let [first, end] = [arm.start, arm.end].map(|at| places.partition_point(|it| it.0 < at));
        let mut inside: Vec<u32> = places[first..end].iter().map(|it| it.1).collect();
        inside.sort_unstable();
        inside
    };
    let branch = |node: Node<'_>| {
        let (construct, arms) = arms(node)?;
        let arms = arms.into_iter().map(within);
        let arms: Vec<_> = arms.filter(|it| !it.is_empty()).collect();
        (arms.len() > 1).then(|| Branch {
            line: u32::try_from(lines.number(node.start())).unwrap_or(u32::MAX),
            construct: construct.to_owned(),
            arms,
        })
    };
    match places.is_empty() {
        true => Vec::new(),
        false => root.descendants().filter_map(branch).collect(),
    }
}

/// What a branch is, and the text of its arms.
fn arms(node: Node<'_>) -> Option<(&'static str, Vec<Range<usize>>)> {
    let alternatives = || {
        let arms = [Field::Consequence, Field::Alternative].map(|it| node.child(it));
        arms.into_iter().flatten().map(Node::range).collect()
    };
    match node.kind() {
        Kind::IfStatement => Some(("if", alternatives())),
        Kind::ConditionalExpression => Some(("?:", alternatives())),
        Kind::SwitchStatement => {
            let mut arms: Vec<Range<usize>> = Vec::new();
            let mut falls_through = false;
            for case in node.child(Field::Body)?.named_children() {
                match arms.last_mut() {
                    Some(before) if falls_through => before.end = case.end(),
                    _ => arms.push(case.range()),
                }
                falls_through = !leaves(case);
            }
            Some(("switch", arms))
        }
        _ => None,
    }
}

/// Whether the last statement of a case leaves it.
fn leaves(case: Node<'_>) -> bool {
    let last = case.named_children().last();
    last.is_some_and(|it| match it.kind() {
        Kind::BreakStatement | Kind::ReturnStatement | Kind::ContinueStatement => true,
        Kind::CompoundStatement => leaves(it),
        _ => false,
    })
}
