//! `cargo xtask gpu-ptx`: the GPU backend without a GPU.
//!
//! A UI program is instrumented for a GPU. nvcc compiles its host side to an object file, as for a GPU, and its
//! device side, with the hooks, to PTX. The PTX is translated to C++ for the CPU executor, which runs it without
//! checks: the program checks itself. `tests/gpu_ptx` has the CUDA runtime that the host side is linked with.
//!
//! The report must be the one that the program's first lines announce, which is what the CPU backend finds.
//! [`left_out`] has the topics in which the GPU backend differs by design.

mod left_out;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use hirace::config::Config;
use hirace::doctor::self_test;
use hirace::instrument::{self, Plan, output};
use hirace::model::Backend;
use hirace::report::{self, Report};
use hirace::toolchain::Arguments;
use hirace_sample::Sample;

use crate::compile::Inputs;
use crate::gpu::judge::{self, Unmodelled};
use crate::nvcc::{self, Nvcc};
use crate::tally::Tally;
use crate::ui::{self, Form, Program};
use crate::verdict::{Expected, Verdict};
use crate::{files, gpu, parallel, process};

/// How many seeds each program runs with.
pub const SEEDS: u32 = 3;

/// A sample has one of so many programs.
const SAMPLE: u64 = 200;

/// The architectures whose PTX runs.
const ARCHITECTURES: [&str; 2] = ["80", "90"];

/// The name of the namespace `hirace` in instrumented programs: the executor's has the same, and other contents.
const NAMESPACE: &str = "-Dhirace=hirace_on_gpu";

/// A program may run for so long.
const LIMIT: Duration = Duration::from_secs(120);

/// The kernels with known verdicts of `hirace doctor --self-test`.
const KNOWN_KERNELS: &str = "crates/doctor/src/self_test/kernels.cu";

/// The directory for copies and compiled files.
const OUT: &str = "target/gpu-ptx";

/// The C++ sources of the runtime, and the headers that they include.
const RUNTIME: &str = "tests/gpu_ptx";
const UNITS: [&str; 4] = ["executor", "runtime", "launches", "driver"];
const MACHINE: &str = "tests/gpu/toolkit/machine.h";

/// Runs the programs whose names contain one of `only`, or a sample of all, and prints their verdicts.
///
/// # Errors
/// The runtime does not compile, or a file cannot be read or written.
pub fn run(only: &[String], sample: Sample, seeds: u32) -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let cases = cases(only, sample)?;
    if cases.is_empty() && !only.is_empty() {
        bail!("no program is called {}", only.join(", "));
    }
    if only.is_empty() {
        left_out::all().for_each(|it| println!("left out {it}"));
    }
    process::run(process::cargo().args(["build", "--quiet", "--package", "hirace"]))?;
    let bench = Bench::new(nvcc)?;
    let results = parallel::map(cases, |case| report(&case, bench.check(&case, seeds)));
    let mut tally = Tally::default();
    results.into_iter().for_each(|it| tally.add(it));
    Ok(tally)
}

/// A program for an architecture.
struct Case {
    name: String,
    program: Program,
    architecture: &'static str,
    judge: Judge,
}

/// Returns a race that the CPU executor finds in every run, and that the report does not have; the error says what
/// else the report should not be.
type Judge = fn(&Program, &Report) -> Result<Option<String>>;

fn cases(only: &[String], sample: Sample) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    let mut add = |program: &Program, named: &str, judge: Judge| {
        for architecture in ARCHITECTURES {
            let name = format!("{named}.sm_{architecture}");
            let is_chosen = match only {
                [] => sample.takes(&name, SAMPLE),
                only => only.iter().any(|part| name.contains(part)),
            };
            if is_chosen {
                cases.push(Case {
                    name,
                    program: program.clone(),
                    architecture,
                    judge,
                });
            }
        }
    };
    for program in gpu::ui_programs()? {
        if only.is_empty() && left_out::reason(&program).is_some() {
            continue;
        }
        add(&program, &program.to_string(), judged);
    }
    let mut expected = Expected::default();
    expected.verdict = Verdict::Race;
    let kernels = Program {
        file: KNOWN_KERNELS.into(),
        form: Form::Original,
        expected,
    };
    add(&kernels, "doctor/known_kernels", |_, report| {
        self_test::verdicts(report)
            .map(|_| None)
            .map_err(|why| anyhow!(why))
    });
    Ok(cases)
}

/// Compares a report with what the program's first lines announce.
fn judged(program: &Program, report: &Report) -> Result<Option<String>> {
    let says = |note: &str| report::json::render(report).contains(note);
    if let Some((why, note)) = left_out::without_answer(program) {
        return match (says(note), report.failure.is_some()) {
            (true, true) => Ok(Some(format!("an answer: {why}"))),
            (false, _) => bail!("no answer, and no note that says why"),
            (_, _) => bail!("it has an answer, and is listed among those without one"),
        };
    }
    let Some((why, note)) = left_out::not_found(program) else {
        return judge::admitted(&program.expected, report);
    };
    let says = says(note);
    match (says, report.races.is_empty()) {
        (true, true) => Ok(Some(format!("its races: {why}"))),
        (false, _) => bail!("no race, and no note that says why"),
        (_, false) => bail!("it has a race, and is listed among those whose races are not found"),
    }
}

/// Prints a line of the table.
fn report(case: &Case, result: Result<Option<String>>) -> Tally {
    let name = &case.name;
    match result {
        Ok(missing) => {
            let verdict = case.program.expected.verdict.word();
            let missing = missing.map_or_else(String::new, |it| format!("; not found: {it}"));
            println!("ok       {name}: {verdict}{missing}");
            Tally::pass()
        }
        Err(why) if why.is::<Lacking>() || why.is::<Unmodelled>() => {
            Tally::skip(format!("{name}: {why}"))
        }
        Err(why) => {
            println!("FAILED   {name}: {why:#}");
            Tally::fail(name)
        }
    }
}

/// What all programs share.
struct Bench {
    nvcc: Nvcc,
    out: PathBuf,
    headers: PathBuf,
    objects: Vec<PathBuf>,
}

impl Bench {
    /// Compiles the runtime, unless it is there.
    fn new(nvcc: Nvcc) -> Result<Self> {
        let out = crate::root().join(OUT);
        let headers = crate::device_headers()?;
        let folder = crate::root().join(RUNTIME);
        let toolkit = nvcc.path.parent().and_then(Path::parent);
        let toolkit = toolkit.context("nvcc is in no toolkit")?.join("include");
        let mut inputs = Inputs::default();
        inputs
            .text(&nvcc.version)
            .text(&headers.display().to_string());
        let sources = files::below(&folder)?;
        for file in sources.iter().chain([&crate::root().join(MACHINE)]) {
            inputs.file(file)?;
        }
        let mut objects = Vec::new();
        for unit in UNITS {
            let mut command = Command::new(process::cxx());
            command.args(["-std=c++17", "-O1", "-g1", "-pthread", "-c"]);
            command.arg(folder.join(unit).with_extension("cpp"));
            match unit {
                "executor" => with_device_headers(&mut command, &headers),
                _ => command.arg("-I").arg(&toolkit),
            };
            // After the headers of the same names that are not emulated.
            command
                .arg("-idirafter")
                .arg(crate::root().join("tests/gpu/toolkit"));
            let key = inputs.key(&command);
            let object = out.join("runtime").join(format!("{unit}-{key:016x}.o"));
            if !object.exists() {
                fs::create_dir_all(out.join("runtime"))?;
                let made = object.with_extension(format!("{}.made", std::process::id()));
                process::output(command.arg("-o").arg(&made))?;
                fs::rename(&made, &object)?;
            }
            objects.push(object);
        }
        Ok(Self {
            nvcc,
            out,
            headers,
            objects,
        })
    }

    /// Builds a program and runs it with several seeds. Returns a race that the CPU executor finds in every run,
    /// but that was found with no seed: which ones occur depends on the schedule.
    fn check(&self, case: &Case, seeds: u32) -> Result<Option<String>> {
        let (program, mut missing) = (&case.program, None);
        let folder = self.out.join(case.name.replace('/', "_"));
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(&folder)?;
        self.build(&folder, program, case.architecture)?;
        for seed in 0..seeds {
            let report = folder.join("report.json");
            let mut command = Command::new(crate::root().join("target/debug/hirace"));
            command.args(["run", "--format", "json", "--seed", &seed.to_string()]);
            command
                .arg("--output")
                .arg(&report)
                .arg("--")
                .arg(folder.join("program"));
            command.args(ui::arguments(&program.expected.arguments));
            // One place for the executor's own messages, in a terminal's width.
            let output = process::capture_within(LIMIT, command.env("NO_COLOR", "1"))?;
            let text = fs::read_to_string(&report)
                .with_context(|| format!("seed {seed}: no report\n{}", output.text))?;
            let found = report::read::parse("report.json", &text)?;
            let judged = (case.judge)(program, &found);
            let without = judged.map_err(|why| match why.is::<Unmodelled>() {
                true => why,
                false => anyhow!("seed {seed}: {why}\n{}", output.text),
            })?;
            missing = match seed {
                0 => without,
                _ => missing.and(without),
            };
            fs::remove_file(&report)?;
        }
        fs::remove_dir_all(&folder)?;
        Ok(missing)
    }

    fn build(&self, folder: &Path, program: &Program, architecture: &str) -> Result<()> {
        let source = instrumented(folder, program)?;
        // Some programs are for one architecture only.
        let options = program.expected.nvcc.iter();
        let (named, options): (Vec<&String>, Vec<&String>) =
            options.partition(|it| it.starts_with("-arch=") || it.starts_with("-code="));
        let is_for = |architecture: &str| named.iter().any(|it| it.ends_with(architecture));
        if architecture != ARCHITECTURES[1] && (is_for("90") || is_for("90a")) {
            return Err(Lacking("operations of a later architecture".to_owned()).into());
        }
        let feature = if is_for("90a") { "a" } else { "" };
        let virtual_one = format!("compute_{architecture}{feature}");
        let mut compile = self.nvcc.command_for(&virtual_one);
        compile.arg(format!("-code={virtual_one}")).arg(NAMESPACE);
        compile.args(["--keep", "--keep-dir", ".", "-c", "-o", "host.o", "-I"]);
        compile.arg(folder.join("copy/include")).arg(&source);
        compile.args(options);
        let compiled = process::capture(compile.current_dir(folder))?;
        match compiled.success {
            true => {}
            // The project's tests compile for the newest one.
            false if architecture != ARCHITECTURES[1] => {
                return Err(Lacking("operations of a later architecture".to_owned()).into());
            }
            false => bail!("{} failed:\n{}", process::show(&compile), compiled.text),
        }
        let ptx = folder.join(program.stem()).with_extension("ptx");
        let translated = hirace_ptx::loaded::translate(&ptx, None);
        let translated =
            translated.map_err(|error| match left_out::unsupported(&error.to_string()) {
                Some(names) => Lacking(names).into(),
                None => anyhow!(error),
            })?;
        fs::write(folder.join("device.cpp"), translated)?;
        let mut compile = Command::new(process::cxx());
        // Most of the code are hooks, which run seldom: compiling is what takes time.
        compile.args([
            "-std=c++17",
            "-O1",
            "-w",
            "-pthread",
            "-DHIRACE_LIBRARY=1",
            "-c",
            "device.cpp",
        ]);
        process::output(with_device_headers(&mut compile, &self.headers).current_dir(folder))?;
        let mut link = Command::new(process::cxx());
        // The executor is initialised first.
        link.args(&self.objects)
            .args(["device.o", "host.o", "-pthread", "-ldl", "-o", "program"]);
        let linked = process::capture(link.current_dir(folder))?;
        match (linked.success, left_out::lacking(&linked.text)) {
            (true, _) => Ok(()),
            (false, Some(names)) => Err(Lacking(names).into()),
            (false, None) => bail!("failed to link\n{}", linked.text),
        }
    }
}

/// A program needs functions that the runtime of the tests does not have, or instructions that are refused.
#[derive(Debug)]
struct Lacking(String);

impl std::fmt::Display for Lacking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the executor or the runtime of the tests lacks {}",
            self.0
        )
    }
}

impl std::error::Error for Lacking {}

/// Adds the directories of the executor's headers.
fn with_device_headers<'a>(command: &'a mut Command, headers: &Path) -> &'a mut Command {
    let toolkit = headers.join("hirace/toolkit");
    command.arg("-I").arg(headers).arg("-I").arg(toolkit)
}

/// Writes the instrumented copy of a program. Returns the file with its `main`.
fn instrumented(folder: &Path, program: &Program) -> Result<PathBuf> {
    let mut tree = program.tree().map_err(|why| anyhow!("{why}"))?;
    // Reports name files relative to the root.
    for file in &mut tree.files {
        if let Ok(relative) = file.path.strip_prefix(crate::root()) {
            file.display = relative.display().to_string();
        }
    }
    let config = Config::builtin();
    let arguments = Arguments::default();
    let plan = Plan {
        selection: &config.monitor,
        skip: config.skip,
        ..Plan::new(Backend::Gpu, &arguments)
    };
    let copies = instrument::tree(&tree, plan).map_err(|error| anyhow!("{error}"))?;
    let copy = folder.join("copy");
    output::write(&copy, &copies).map_err(|error| anyhow!("{error}"))?;
    instrument::headers::write(&copy.join("include")).map_err(|error| anyhow!("{error}"))?;
    Ok(copy.join(tree.mirrored(&crate::root().join(&program.file))))
}
