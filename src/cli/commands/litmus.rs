//! `hirace litmus`: asks a memory model about small concurrent programs.

mod generate;
mod run;
mod sources;

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::litmus::{Litmus, LitmusCommand, LitmusFormat};
use crate::exit::Exit;
use hirace_memory_model::cat::Model;
use hirace_memory_model::litmus::ast::{Quantifier, Test};
use hirace_memory_model::litmus::placed;
use hirace_memory_model::verdict::{Settings, Verdict, judge};
use hirace_memory_model::witness;
use hirace_model::error::{Error, Result};
use hirace_report::human::complain;
use hirace_terminal::print;
use sources::{Source, files, model, settings, threads};

/// The version of the JSON form. A change that breaks readers changes the number.
const SCHEMA: &str = "hirace-litmus/1";

/// Runs the command.
pub(super) fn run(arguments: &Litmus) -> Result<Exit> {
    match &arguments.command {
        Some(LitmusCommand::Generate(arguments)) => return generate::run(arguments),
        Some(LitmusCommand::Run(arguments)) => return run::run(arguments),
        None => {}
    }
    let model = model(&arguments.model.model)?;
    let files = files(&arguments.files)?;
    let settings = settings(&arguments.model);
    let judged: Vec<Result<Vec<Judged>>> = files
        .par_iter()
        .map(|file| {
            let sources = elsewhere(Source::read(file)?, arguments)?;
            let judged = sources
                .into_iter()
                .map(|it| Judged::of(it, &model, &settings));
            judged.collect()
        })
        .collect();
    let mut exit = Exit::Clean;
    for judged in judged {
        match judged {
            Ok(all) => {
                for judged in all {
                    print(&judged.rendered(&model, arguments))?;
                    if !judged.verdict.holds && exit == Exit::Clean {
                        exit = Exit::Races;
                    }
                }
            }
            // The other files may be readable.
            Err(error) => {
                complain(&error);
                exit = Exit::CouldNotCheck;
            }
        }
    }
    Ok(exit)
}

/// The test with its threads placed as `--placement` specifies.
fn elsewhere(source: Source, arguments: &Litmus) -> Result<Vec<Source>> {
    if arguments.placement.is_empty() {
        return Ok(vec![source]);
    }
    let places = arguments.placement.iter().map(|place| {
        let place = threads(*place);
        let mut test = placed(&source.test, place).ok_or_else(|| Error::Input {
            message: format!(
                "`{}` has a location in shared memory: its threads cannot be in several blocks",
                source.file
            ),
            help: Some("choose `--placement block` or `--placement warp`".to_owned()),
        })?;
        test.name += place.suffix();
        Ok(Source {
            test,
            file: source.file.clone(),
            text: source.text.clone(),
        })
    });
    places.collect()
}

/// A test and its verdict.
struct Judged {
    file: String,
    test: Test,
    verdict: Verdict,
}

/// The JSON form.
#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    name: &'a str,
    file: &'a str,
    model: &'a str,
    condition: &'a str,
    holds: bool,
    executions: u64,
    witnesses: u64,
    race: bool,
    may_hang: bool,
    /// Whether a loop exceeded its limit of rounds, so that executions are missing.
    cut: bool,
}

impl Judged {
    fn of(source: Source, model: &Model, settings: &Settings) -> Result<Self> {
        let Source { file, text, test } = source;
        let verdict = judge(&test, &file, &text, model, settings)?;
        Ok(Self {
            file,
            test,
            verdict,
        })
    }

    fn rendered(&self, model: &Model, arguments: &Litmus) -> String {
        let drawn = |draw: fn(&Test, &Model, &hirace_memory_model::world::Candidate) -> String| {
            let witness = self.verdict.witness.as_ref();
            witness.map_or_else(String::new, |it| draw(&self.test, model, it))
        };
        match arguments.format {
            LitmusFormat::Human => self.human(model),
            LitmusFormat::Json => {
                let json = Json {
                    schema: SCHEMA,
                    name: &self.test.name,
                    file: &self.file,
                    model: &arguments.model.model,
                    condition: &self.test.question.text,
                    holds: self.verdict.holds,
                    executions: self.verdict.executions,
                    witnesses: self.verdict.witnesses,
                    race: self.verdict.race,
                    may_hang: self.verdict.may_hang,
                    cut: self.verdict.cut,
                };
                serde_json::to_string(&json).expect("numbers and text") + "\n"
            }
            LitmusFormat::Dot => drawn(witness::dot),
            LitmusFormat::Svg => drawn(witness::svg),
        }
    }

    fn human(&self, model: &Model) -> String {
        let Verdict {
            holds,
            executions,
            witnesses,
            race,
            may_hang,
            cut,
            ref witness,
        } = self.verdict;
        let word = if holds { "holds" } else { "does not hold" };
        let plural = |count: u64| if count == 1 { "" } else { "s" };
        let mut text = format!(
            "{}: {}: {word}\n  {executions} execution{}, {witnesses} of which satisfy the condition\n",
            self.test.name,
            self.test.question.text,
            plural(executions),
        );
        if executions == 0 {
            text += "  no execution counts: the filter excludes all of them, or none terminates\n";
        }
        if race {
            text += "  an execution has a data race\n";
        }
        if may_hang {
            text += "  a thread may wait forever\n";
        }
        if cut {
            text += "  a loop exceeded --unroll: executions with more rounds are missing\n";
        }
        if let Some(witness) = witness {
            text += match self.test.question.quantifier {
                Quantifier::ForAll => "  for example, the condition is false in\n",
                Quantifier::Exists | Quantifier::NotExists => {
                    "  for example, the condition is true in\n"
                }
            };
            for line in witness::text(&self.test, model, witness).lines() {
                text += &format!("  {line}\n");
            }
        }
        text + "\n"
    }
}
