//! Where the self-test runs: a C++ program, or kernels on a GPU.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use tempfile::TempDir;

use super::Answers;
use super::traces::Batch;
use crate::gpu::{Argument, Gpu, Installed, Module, Session, Unavailable};
use crate::trial;
use hirace_fsm::table::TRANSITIONS;
use hirace_fsm::word::Size;
use hirace_instrument::headers;
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_model::wire::schema::Wire as _;
use hirace_model::wire::self_test::SelfTestAnswer;
use hirace_toolchain::{Arguments, Compiler, Ended, Job, Launch, Output, temporary_directory};

/// The self-test as a C++ program, which reads one file and writes another.
pub const CPU: &str = include_str!("cpu.cpp");
/// The self-test as kernels.
pub const GPU: &str = include_str!("gpu.cu");

/// A device that steps words.
pub(super) trait Device {
    /// Returns the device's table and its answers to the batch.
    ///
    /// # Errors
    /// The self-test cannot be run, or fails.
    fn run(&self, batch: &Batch) -> Result<Answers>;
}

/// The compiled program.
struct Cpu {
    directory: TempDir,
    program: PathBuf,
}

/// The loaded kernels.
struct Kernels {
    session: Session,
    module: Module,
}

/// The compiler option for words of global memory of this size.
pub(super) fn word_option(size: Size) -> Option<String> {
    (size == Size::Four).then(|| "-DHIRACE_WORD_BYTES=4".to_owned())
}

/// Compiles the CPU program.
pub(super) fn cpu(size: Size) -> Result<Box<dyn Device>> {
    let directory = temporary_directory()?;
    let arguments: Vec<String> = word_option(size).into_iter().collect();
    let program = compile(directory.path(), Backend::Cpu, ("cpu.cpp", CPU), &arguments)?;
    Ok(Box::new(Cpu { directory, program }))
}

/// Compiles the kernels for a GPU, and loads them.
pub(super) fn gpu(installed: &Installed, gpu: &Gpu, size: Size) -> Result<Box<dyn Device>> {
    let directory = temporary_directory()?;
    let mut arguments = vec![format!("-arch={}", gpu.architecture())];
    arguments.extend(word_option(size));
    let cubin = compile(directory.path(), Backend::Gpu, ("gpu.cu", GPU), &arguments)?;
    let image = std::fs::read(&cubin).map_err(|source| Error::read(&cubin, source))?;
    let session = Session::open(installed, gpu).map_err(driver)?;
    let module = session.load(image).map_err(driver)?;
    Ok(Box::new(Kernels { session, module }))
}

fn compile(
    directory: &Path,
    backend: Backend,
    (name, text): (&str, &str),
    arguments: &[String],
) -> Result<PathBuf> {
    let include = directory.join("include");
    headers::write(&include)?;
    let unit = directory.join(name);
    trial::write(&unit, text)?;
    let executable = directory.join("compiled");
    let compiler = Compiler::find(backend, &[include], &[], &Arguments::parse(arguments))?;
    let job = Job {
        units: &[unit],
        scratch: directory,
        executable: &executable,
        progress: &ProgressBar::hidden(),
        dependencies: false,
    };
    match backend {
        Backend::Cpu => compiler.run(&job)?,
        Backend::Gpu => compiler.cubin(&job)?,
    }
    Ok(executable)
}

impl Device for Cpu {
    fn run(&self, batch: &Batch) -> Result<Answers> {
        let [input, output] = ["input", "output"].map(|name| self.directory.path().join(name));
        trial::write(&input, batch.bytes())?;
        let ended = Launch {
            executable: &self.program,
            arguments: &[input.into(), output.clone().into()],
            environment: Vec::new(),
            output: Output::Discarded,
            timeout: None,
        }
        .run()?;
        if ended != Ended::Exited(0) {
            let why = std::io::Error::other(ended.to_string());
            return Err(Error::system("run the self-test", why));
        }
        let mut table = std::fs::read(&output).map_err(|source| Error::read(&output, source))?;
        let steps = table.split_off(table.len().min(TRANSITIONS * size_of::<u32>()));
        Ok(Answers { table, steps })
    }
}

impl Device for Kernels {
    fn run(&self, batch: &Batch) -> Result<Answers> {
        self.answers(batch).map_err(driver)
    }
}

impl Kernels {
    fn answers(&self, batch: &Batch) -> Result<Answers, Unavailable> {
        let Self { session, module } = self;
        let mut table = session.zeros(TRANSITIONS * size_of::<u32>())?;
        let arguments = &mut [Argument::Buffer(&mut table)];
        // SAFETY: `hirace_table` of gpu.cu takes a pointer to that many 32-bit numbers.
        unsafe { session.launch(module, "hirace_table", number(TRANSITIONS), arguments) }?;

        let traces = number(batch.words.len());
        let mut words = session.upload(&batch.word_bytes())?;
        let mut sites = session.zeros(batch.words.len() * size_of::<u64>())?;
        let mut steps = session.upload(&batch.step_bytes())?;
        let mut answers = session.zeros(batch.steps.len() * SelfTestAnswer::SIZE)?;
        let arguments = &mut [
            Argument::Buffer(&mut words),
            Argument::Buffer(&mut sites),
            Argument::Buffer(&mut steps),
            Argument::Buffer(&mut answers),
            Argument::Number(traces),
            Argument::Number(number(batch.steps_each())),
        ];
        // SAFETY: these are the parameters of `hirace_traces` in gpu.cu, and the buffers hold a
        // word and a site word for each trace, and a row for each of its steps.
        unsafe { session.launch(module, "hirace_traces", traces, arguments) }?;
        Ok(Answers {
            table: session.download(&table)?,
            steps: session.download(&answers)?,
        })
    }
}

fn driver(error: Unavailable) -> Error {
    Error::system("run the self-test", std::io::Error::other(error))
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("a batch is small")
}
