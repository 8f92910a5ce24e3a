//! Builds targets.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use hirace::check::batch::{Builder, Built};
use hirace::check::{self, Program};
use hirace::config::Config;
use hirace::error::Error as HiraceError;
use hirace::instrument::tree::Tree;
use hirace::model::Backend;
use hirace::toolchain::{gpu, plain};
use tempfile::TempDir;

use super::cache::{Cache, digest};
use super::plan::{Plan, Target};
use super::tool::Form;
use crate::error::{Error, Result};

/// Programs per batch. With more of them, they share the time to compile the executor; with fewer,
/// runs start while others are compiled.
const MAX_BATCH: usize = 32;

/// Targets that are built together.
#[derive(Debug)]
pub struct Batch {
    form: Form,
    warp_size: u32,
    arguments: Vec<String>,
    /// Indices of the targets.
    pub targets: Vec<usize>,
}

/// The result of building a target.
#[derive(Debug)]
pub struct Outcome {
    /// Index of the target.
    pub target: usize,
    /// The executable, or the compiler's message.
    pub ready: Result<Ready, String>,
    /// The key of the build in the cache.
    pub key: String,
    /// Its share of the compiler's time; none if it was in the cache.
    pub seconds: Option<f64>,
}

/// An executable target.
#[derive(Clone, Debug)]
pub enum Ready {
    /// A program built by hirace.
    Checked(Arc<Program>),
    /// An executable from nvcc, in a directory that is removed with it.
    Plain(Arc<(PathBuf, TempDir)>),
}

/// The targets with remaining runs, in batches.
#[must_use]
pub fn batches(plan: &Plan) -> Vec<Batch> {
    let mut batches: Vec<Batch> = Vec::new();
    for (number, target) in plan.targets.iter().enumerate() {
        let arguments = arguments(plan, target);
        let size = match target.form.backend() {
            Backend::Cpu => MAX_BATCH,
            Backend::Gpu => 1,
        };
        let open = batches.iter_mut().rev().find(|it| {
            it.targets.len() < size
                && (it.form, it.warp_size) == (target.form, target.warp_size)
                && it.arguments == arguments
        });
        match open {
            Some(batch) => batch.targets.push(number),
            None => batches.push(Batch {
                form: target.form,
                warp_size: target.warp_size,
                arguments,
                targets: vec![number],
            }),
        }
    }
    batches
}

/// The compiler arguments that we add to those of hirace.
fn arguments(plan: &Plan, target: &Target) -> Vec<String> {
    let mut arguments = match target.form.backend() {
        // Compiling takes most of the time; optimising more hardly shortens short runs.
        Backend::Cpu => vec!["-O1".into(), "-g0".into()],
        Backend::Gpu if gpu::available() => Vec::new(),
        // The oldest architecture that the device code supports.
        Backend::Gpu => vec!["-arch=sm_80".into()],
    };
    if target.form.backend() == Backend::Cpu {
        arguments.push(format!("-DHIRACE_WARP_SIZE={}", target.warp_size));
    }
    arguments.extend(plan.programs[target.program].arguments());
    arguments
}

/// The configuration to build and run a form with.
#[must_use]
pub fn config(form: Form) -> &'static Config {
    static CHECKED: OnceLock<Config> = OnceLock::new();
    static UNCHECKED: OnceLock<Config> = OnceLock::new();
    match form {
        Form::Checked | Form::CheckedGpu => CHECKED.get_or_init(Config::builtin),
        Form::Executor | Form::Plain => UNCHECKED.get_or_init(|| {
            let text = "[monitor]\nexclude-variables = [\"*\"]\n";
            Config::parse("baseline", text).expect("our own configuration")
        }),
    }
}

/// Builds targets, and keeps the results.
#[derive(Debug)]
pub struct Workbench<'a> {
    plan: &'a Plan,
    cache: &'a Cache,
    /// Digest of this executable, which contains the checks and the executor, and of the compiler.
    tools: OnceLock<String>,
}

impl<'a> Workbench<'a> {
    /// Creates a workbench for the targets of `plan`.
    #[must_use]
    pub fn new(plan: &'a Plan, cache: &'a Cache) -> Self {
        Self {
            plan,
            cache,
            tools: OnceLock::new(),
        }
    }

    /// Builds a batch, or finds it in the cache.
    ///
    /// # Errors
    /// There is no compiler, it was killed, or the disk is full: errors that the programs did not
    /// cause.
    pub fn build(&self, batch: &Batch) -> Result<Vec<Outcome>> {
        match batch.form.backend() {
            Backend::Cpu => self.for_executor(batch),
            Backend::Gpu => batch
                .targets
                .iter()
                .map(|&target| self.for_gpu(batch, target))
                .collect(),
        }
    }

    fn for_executor(&self, batch: &Batch) -> Result<Vec<Outcome>> {
        let builder = Builder::new(&batch.arguments, config(batch.form))?;
        let keys: Result<Vec<String>> = batch
            .targets
            .iter()
            .map(|&it| self.key(batch, it))
            .collect();
        let keys = keys?;
        let mut found: Vec<Option<Built>> = keys.iter().map(|key| self.cache.built(key)).collect();
        let missing: Vec<usize> = (0..keys.len()).filter(|&it| found[it].is_none()).collect();
        let mut failures: Vec<Option<String>> = vec![None; keys.len()];
        let mut share = 0.0;
        if !missing.is_empty() {
            let begin = Instant::now();
            let trees: Vec<Tree> = missing
                .iter()
                .map(|&it| self.tree(batch.targets[it]).clone())
                .collect();
            let directory = self.cache.build_directory()?;
            let built = builder.build(&trees, &directory.path().join("batch"))?;
            share = begin.elapsed().as_secs_f64() / missing.len() as f64;
            let mut programs = Vec::new();
            let mut places = Vec::new();
            for (&place, built) in missing.iter().zip(built) {
                match built {
                    Ok(built) => {
                        places.push(place);
                        programs.push((keys[place].clone(), built));
                    }
                    Err(error) => failures[place] = Some(program_failure(error)?),
                }
            }
            let kept = self.cache.keep_built(directory, programs)?;
            for (place, built) in places.into_iter().zip(kept) {
                found[place] = Some(built);
            }
        }
        let mut outcomes = Vec::new();
        for (place, key) in keys.into_iter().enumerate() {
            let target = batch.targets[place];
            let ready = match (&found[place], failures[place].take()) {
                (Some(built), _) => {
                    let program = builder.open(self.tree(target), built)?;
                    Ok(Ready::Checked(Arc::new(program)))
                }
                (None, failure) => Err(failure.unwrap_or_default()),
            };
            outcomes.push(Outcome {
                target,
                ready,
                key,
                seconds: missing.contains(&place).then_some(share),
            });
        }
        Ok(outcomes)
    }

    fn for_gpu(&self, batch: &Batch, target: usize) -> Result<Outcome> {
        let begin = Instant::now();
        let built = match batch.form {
            Form::Plain => self.plain(batch, target),
            _ => check::build_tree(
                self.tree(target),
                Backend::Gpu,
                &batch.arguments,
                config(batch.form),
            )
            .map(|program| Ready::Checked(Arc::new(program))),
        };
        Ok(Outcome {
            target,
            ready: match built {
                Ok(ready) => Ok(ready),
                Err(error) => Err(program_failure(error)?),
            },
            key: self.key(batch, target)?,
            seconds: Some(begin.elapsed().as_secs_f64()),
        })
    }

    fn plain(&self, batch: &Batch, target: usize) -> hirace::error::Result<Ready> {
        let directory = tempfile::Builder::new()
            .prefix("hirace-indigo-")
            .tempdir()
            .map_err(|source| HiraceError::System {
                what: "make a build directory".into(),
                source,
            })?;
        let executable = directory.path().join("program");
        let path = &self.plan.programs[self.plan.targets[target].program].path;
        plain::compile(path, &batch.arguments, &executable)?;
        Ok(Ready::Plain(Arc::new((executable, directory))))
    }

    fn tree(&self, target: usize) -> &'a Tree {
        &self.plan.programs[self.plan.targets[target].program].tree
    }

    /// The key of a build: a hash of all its inputs.
    fn key(&self, batch: &Batch, target: usize) -> Result<String> {
        let tools = match self.tools.get() {
            Some(tools) => tools,
            None => {
                let tools = tools()?;
                self.tools.get_or_init(|| tools)
            }
        };
        let program = &self.plan.programs[self.plan.targets[target].program];
        let compiler = match batch.form.backend() {
            Backend::Cpu => String::new(),
            Backend::Gpu => plain::version(Backend::Gpu)?,
        };
        let parts = [
            tools.as_str(),
            &compiler,
            &format!("{:?}", batch.form),
            &program.digest,
        ];
        let arguments = batch.arguments.iter().map(String::as_str);
        Ok(digest(parts.into_iter().chain(arguments)))
    }
}

/// The digest of this executable, which contains headers and rewriter, and of the compiler.
fn tools() -> Result<String> {
    let own = std::env::current_exe().map_err(|source| Error::read("/proc/self/exe", source))?;
    let bytes = std::fs::read(&own).map_err(|source| Error::read(&own, source))?;
    let compiler = plain::version(Backend::Cpu)?;
    Ok(digest([bytes.as_slice(), compiler.as_bytes()]))
}

/// The message of an error that the program caused. Other errors stay errors: a build that failed
/// because the disk was full may succeed later.
fn program_failure(error: HiraceError) -> Result<String> {
    let text = match &error {
        HiraceError::Compile { output, .. } => {
            let circumstances = [
                "No space left on device",
                "Killed signal terminated",
                "Cannot allocate memory",
                "out of memory allocating",
            ];
            if circumstances.iter().any(|it| output.contains(it)) {
                let last = output.lines().rev().find(|line| !line.trim().is_empty());
                return Err(Error::Usage(format!(
                    "the compiler could not run: {}",
                    last.unwrap_or_default().trim()
                )));
            }
            format!("{error}\n{output}")
        }
        _ => error.to_string(),
    };
    match error.kind() {
        "input" | "compile" => Ok(text),
        _ => Err(error.into()),
    }
}
