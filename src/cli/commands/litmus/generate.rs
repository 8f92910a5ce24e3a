//! `hirace litmus generate`: tests from cycles of relaxations.

use std::ops::ControlFlow;
use std::path::Path;

use rayon::prelude::*;

use super::sources::{model, settings, threads};
use crate::cli::litmus::{Generate, Outcome};
use crate::exit::Exit;
use hirace_memory_model::cat::Model;
use hirace_memory_model::generate::{Access, Cycle, Edge, Generated, Vocabulary, cycles, test};
use hirace_memory_model::litmus;
use hirace_memory_model::verdict::{Settings, judge};
use hirace_model::error::{Error, Result};
use hirace_terminal::{print, tell};

/// Runs the command.
pub(super) fn run(arguments: &Generate) -> Result<Exit> {
    let found = found(arguments)?;
    let places = arguments.placement.iter().map(|it| threads(*it));
    let places: Vec<_> = places.collect();
    let candidates: Vec<_> = found
        .iter()
        .flat_map(|cycle| places.iter().map(move |place| (cycle, *place)))
        .collect();
    let kept: Vec<Generated> = match arguments.outcome {
        None => candidates
            .par_iter()
            .map(|(cycle, place)| test(cycle, *place, "exists"))
            .collect(),
        Some(outcome) => {
            let model = model(&arguments.model.model)?;
            let settings = settings(&arguments.model);
            let judged: Vec<Option<Generated>> = candidates
                .par_iter()
                .map(|(cycle, place)| {
                    let quantifier = match outcome {
                        Outcome::Forbidden => "~exists",
                        Outcome::Allowed => "exists",
                    };
                    let made = test(cycle, *place, quantifier);
                    Ok(holds(&made, &model, &settings)?.then_some(made))
                })
                .collect::<Result<_>>()?;
            judged.into_iter().flatten().collect()
        }
    };
    if kept.is_empty() {
        tell("hirace: no test\n");
    }
    for made in &kept {
        match &arguments.output {
            Some(directory) => write(directory, made)?,
            None if arguments.list => print(&format!("{}: {}\n", made.name, made.cycle))?,
            None => print(&format!("{}\n", made.text))?,
        }
    }
    Ok(Exit::Clean)
}

/// The cycles that the arguments request.
fn found(arguments: &Generate) -> Result<Vec<Cycle>> {
    if !arguments.cycle.is_empty() {
        // One argument may contain several edges.
        let words: Vec<&str> = arguments
            .cycle
            .iter()
            .flat_map(|it| it.split_whitespace())
            .collect();
        return Ok(vec![Cycle::parse(&words)?]);
    }
    let mut edges: Vec<Edge> = Vec::new();
    for name in &arguments.relaxations {
        for edge in Edge::of_relaxation(name.trim())? {
            if !edges.contains(&edge) {
                edges.push(edge);
            }
        }
    }
    let mut accesses: Vec<Access> = Vec::new();
    for name in &arguments.accesses {
        let access = Access::parse(name.trim())?;
        if !accesses.contains(&access) {
            accesses.push(access);
        }
    }
    let vocabulary = Vocabulary {
        edges,
        accesses,
        threads: usize::from(arguments.threads),
        size: usize::from(arguments.size),
    };
    let mut found = Vec::new();
    cycles(&vocabulary, &mut |cycle| {
        if found.len() == arguments.most {
            let most = arguments.most;
            tell(&format!(
                "hirace: there are more than {most} cycles; these are the shortest ones (--most)\n"
            ));
            return ControlFlow::Break(());
        }
        found.push(cycle);
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

fn holds(made: &Generated, model: &Model, settings: &Settings) -> Result<bool> {
    let test = litmus::parse(&made.name, &made.text)?;
    Ok(judge(&test, &made.name, &made.text, model, settings)?.holds)
}

fn write(directory: &Path, made: &Generated) -> Result<()> {
    std::fs::create_dir_all(directory).map_err(|it| Error::write(directory, it))?;
    let path = directory.join(format!("{}.litmus", made.name));
    std::fs::write(&path, &made.text).map_err(|it| Error::write(&path, it))
}
