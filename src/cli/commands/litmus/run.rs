//! `hirace litmus run`: tests on a GPU or on the CPU executor.

mod results;

use std::path::Path;
use std::time::Duration;

use super::sources::{Source, files, model, settings};
use crate::cli::litmus::Run;
use crate::cli::{FixedBackend, TextFormat};
use crate::exit::Exit;
use hirace_litmus::store::{Key, Store};
use hirace_litmus::{Batch, Built, Histogram, Incantations, Machine, Outcome, build, text};
use hirace_memory_model::cat::Model;
use hirace_memory_model::states::{self, allowed, observed};
use hirace_model::error::{Error, Result};
use hirace_report::human::complain;
use hirace_terminal::{print, tell};
use hirace_toolchain::gpu;
use results::Results;

/// The number of parts of a run. An interruption loses at most one part.
const PARTS: u64 = 10;

/// Runs the command.
pub(super) fn run(arguments: &Run) -> Result<Exit> {
    let machine = match arguments.backend {
        Some(FixedBackend::Cpu) => Machine::Executor,
        Some(FixedBackend::Gpu) => Machine::Gpu,
        None if gpu::available() || arguments.emit.is_some() => Machine::Gpu,
        None => {
            tell(
                "hirace: no GPU here; the tests run on the CPU executor, which is sequentially \
                 consistent\n",
            );
            Machine::Executor
        }
    };
    let combinations: Vec<Incantations> = if arguments.every_combination {
        Incantations::combinations().collect()
    } else {
        let parsed = arguments.incantations.iter();
        parsed
            .map(|it| Incantations::parse(it))
            .collect::<Result<_>>()?
    };
    let session = Session {
        arguments,
        machine,
        // Incantations have no effect on the executor.
        combinations: match machine {
            Machine::Gpu => combinations,
            Machine::Executor => vec![Incantations::default()],
        },
        model: model(&arguments.model.model)?,
    };
    let mut store = arguments.database.as_deref().map(Store::open).transpose()?;
    let mut exit = Exit::Clean;
    for file in files(&arguments.files)? {
        match session.file(&file, store.as_mut()) {
            Ok(true) => {}
            Ok(false) if exit == Exit::Clean => exit = Exit::Races,
            Ok(false) => {}
            Err(Error::Interrupted) => {
                if let Some(database) = &arguments.database {
                    let database = database.display();
                    tell(&format!(
                        "hirace: interrupted; `{database}` has the results so far, and the same \
                         command resumes\n"
                    ));
                }
                return Err(Error::Interrupted);
            }
            // The other tests may still run.
            Err(error) => {
                complain(&error);
                exit = Exit::CouldNotCheck;
            }
        }
    }
    Ok(exit)
}

struct Session<'a> {
    arguments: &'a Run,
    machine: Machine,
    combinations: Vec<Incantations>,
    model: Model,
}

impl Session<'_> {
    /// Runs one test, and returns whether all states are allowed.
    fn file(&self, path: &Path, mut store: Option<&mut Store>) -> Result<bool> {
        let source = Source::read(path)?;
        if let Some(directory) = &self.arguments.emit {
            return self.emit(directory, &source).map(|()| true);
        }
        let terms = observed(&source.test);
        let names = (source.file.as_str(), source.text.as_str());
        let settings = settings(&self.arguments.model);
        let allowed = allowed(&source.test, names, &terms, &self.model, &settings)?;
        if allowed.may_hang {
            return Err(Error::Input {
                message: format!(
                    "a thread of `{}` may wait forever: the test cannot be run",
                    source.file
                ),
                help: None,
            });
        }
        let built = build(&source.test, self.machine, &self.arguments.cc_arg)?;
        let mut all_allowed = true;
        for &incantations in &self.combinations {
            let histogram = self.states(&source, &built, incantations, store.as_deref_mut())?;
            let outcome = Outcome::of(&source.test, &histogram, &allowed);
            all_allowed &= !outcome.contradicts();
            let results = Results {
                source: &source,
                model: &self.arguments.model.model,
                machine: self.machine,
                incantations,
                seed: self.arguments.seed,
                iterations: histogram.runs(),
                outcome: &outcome,
                allowed: &allowed,
            };
            print(&match self.arguments.format {
                TextFormat::Human => results.human(),
                TextFormat::Json => results.json(),
            })?;
        }
        Ok(all_allowed)
    }

    fn emit(&self, directory: &Path, source: &Source) -> Result<()> {
        std::fs::create_dir_all(directory).map_err(|it| Error::write(directory, it))?;
        let name: String = source
            .test
            .name
            .chars()
            .map(|it| if it == '/' { '_' } else { it })
            .collect();
        let path = directory.join(format!("{name}.cu"));
        let program = text(&source.test, self.machine)?;
        std::fs::write(&path, program).map_err(|it| Error::write(&path, it))
    }

    /// The final states that the runs of one combination show, including runs in the results file.
    fn states(
        &self,
        source: &Source,
        built: &Built,
        incantations: Incantations,
        store: Option<&mut Store>,
    ) -> Result<Histogram> {
        let iterations = self.arguments.iterations;
        let of_part = iterations.div_ceil(PARTS);
        let part = |number: u64| Batch {
            runs: of_part.min(iterations - (number * of_part).min(iterations)),
            seed: seed(self.arguments.seed, number),
            incantations,
            timeout: self.arguments.model.timeout.map(Duration::from_secs_f64),
        };
        let parts = iterations.div_ceil(of_part);
        let Some(store) = store else {
            let mut histogram = Histogram::default();
            for number in 0..parts {
                histogram.add(&built.run(&part(number))?);
            }
            return Ok(histogram);
        };
        let terms = observed(&source.test);
        let names = terms.iter().map(|it| states::name(&source.test, it));
        let mut progress = store.progress(&Key {
            test: &source.test.name,
            file: &source.file,
            program: &text(&source.test, self.machine)?,
            names: &names.collect::<Vec<_>>(),
            machine: self.machine,
            compiler: &self.arguments.cc_arg,
            incantations,
            seed: self.arguments.seed,
            iterations,
        })?;
        for number in progress.batches..parts {
            let histogram = built.run(&part(number))?;
            store.add(&mut progress, &histogram)?;
        }
        Ok(progress.histogram)
    }
}

/// The seed of a part. The parts of a run need different seeds, and so does the same part in runs
/// with different seeds.
fn seed(of_run: u64, part: u64) -> u64 {
    of_run
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(part)
}
