//! `hirace litmus`: asks a memory model about small concurrent programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::litmus::{Litmus, LitmusFormat};
use crate::exit::Exit;
use hirace_memory_model::cat::Model;
use hirace_memory_model::litmus::ast::{Quantifier, Test};
use hirace_memory_model::verdict::{Settings, Verdict, judge};
use hirace_memory_model::{litmus, models, witness};
use hirace_model::error::{Error, Result};
use hirace_report::human::complain;
use hirace_terminal::print;

/// The version of the JSON form. A change that breaks readers changes the number.
const SCHEMA: &str = "hirace-litmus/1";

/// Runs the command.
pub(super) fn run(arguments: &Litmus) -> Result<Exit> {
    let model = model(&arguments.model)?;
    let files = files(&arguments.files)?;
    let settings = Settings {
        unroll: arguments.unroll,
        limit: arguments.limit,
        timeout: arguments.timeout.map(Duration::from_secs_f64),
    };
    let judged: Vec<Result<Judged>> = files
        .par_iter()
        .map(|file| Judged::of(file, &model, &settings))
        .collect();
    let mut exit = Exit::Clean;
    for judged in judged {
        match judged {
            Ok(judged) => {
                print(&judged.rendered(&model, arguments))?;
                if !judged.verdict.holds && exit == Exit::Clean {
                    exit = Exit::Races;
                }
            }
            // The others may be sound.
            Err(error) => {
                complain(&error);
                exit = Exit::CouldNotCheck;
            }
        }
    }
    Ok(exit)
}

/// A model that ships, or a file.
fn model(name: &str) -> Result<Model> {
    let path = Path::new(name);
    if path.extension().is_none_or(|it| it != "cat") {
        return models::shipped(name);
    }
    let text = std::fs::read_to_string(path).map_err(|it| Error::read(path, it))?;
    models::parse(name, &text, path.parent())
}

/// The files named, and those in the directories named, in order of their names.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if path.is_dir() {
            let before = files.len();
            below(path, &mut files)?;
            if files.len() == before {
                return Err(Error::Input {
                    message: format!("`{}` contains no file that ends in .litmus", path.display()),
                    help: None,
                });
            }
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

fn below(directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let failed = |it| Error::read(directory, it);
    let entries = std::fs::read_dir(directory).map_err(failed)?;
    let mut paths = entries
        .map(|entry| entry.map(|it| it.path()))
        .collect::<std::io::Result<Vec<_>>>()
        .map_err(failed)?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            below(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "litmus") {
            files.push(path);
        }
    }
    Ok(())
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
    /// Whether a loop went on beyond the limit of rounds, so that executions are missing.
    cut: bool,
}

impl Judged {
    fn of(path: &Path, model: &Model, settings: &Settings) -> Result<Self> {
        let file = path.display().to_string();
        let text = std::fs::read(path).map_err(|it| Error::read(path, it))?;
        let text = String::from_utf8_lossy(&text);
        let test = litmus::parse(&file, &text)?;
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
                    model: &arguments.model,
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
            "{}: {}: {word}\n  {executions} execution{}, {witnesses} of them as the condition says\n",
            self.test.name,
            self.test.question.text,
            plural(executions),
        );
        if race {
            text += "  an execution has a data race\n";
        }
        if may_hang {
            text += "  a thread may wait forever\n";
        }
        if cut {
            text += "  a loop went on beyond --unroll: executions with more rounds are missing\n";
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
