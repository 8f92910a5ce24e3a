//! The package for the machine with a GPU.
//!
//! ```text
//! run.sh table.awk     the scripts to run there, from xtask/gpu
//! backend version      the backend, and the version of hirace
//! records              a fresh record file
//! layout               where its fields are, as shell variables
//! compilations         SOURCE|INCLUDE|OPTIONS
//! tests                NAME|SOURCE|VERDICT|ARGUMENTS
//! benchmarks           NAME|SMALL|LARGE
//! original repaired bench graphs
//!                      the files that these lines name
//! self_test/BYTES/*    a program for words of this size, and for each NAME.input.gz its
//!                      expected output
//! ```
//!
//! Only run.sh reads the other files, so there is one place that knows their formats.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow};
use hirace::config::Config;
use hirace::doctor::self_test;
use hirace::instrument::tree::Collector;
use hirace::instrument::{self, Plan, output};
use hirace::model::Backend;
use hirace::model::wire::numbers::RecordType;
use hirace::model::wire::records::{COMPLETE, KernelEntry, Record, RecordHeader};
use hirace::report::records;
use hirace::toolchain::Arguments;

use super::Kernel;
use crate::ui::{self, FAULTS, Form, Program};
use crate::{files, graphs, process};

/// The contents of a package.
#[derive(Clone, Copy)]
pub struct Contents<'a> {
    /// For the CPU executor, the plain side of a benchmark is the same program without checks on
    /// the executor.
    pub backend: Backend,
    /// UI programs.
    pub tests: &'a [Program],
    /// Whether to compare the device code with the specification, as `hirace doctor` does.
    pub self_test: bool,
    /// Programs of `bench/`.
    pub kernels: &'a [Kernel],
}

/// Programs whose verdict also holds on a GPU. Only the CPU executor finds faults, and only there can a
/// schedule be chosen, or races of others be predicted.
pub fn ui_programs() -> Result<Vec<Program>> {
    let mut programs = ui::programs().map_err(|why| anyhow!("{why}"))?;
    programs.retain(|it| it.expected.nvcc != [ui::NOT_FOR_NVCC]);
    let is_of_cpu = |it: &Program| it.expected.explore.is_some() || it.expected.predict.is_some();
    programs.retain(|it| it.topic() != FAULTS && !is_of_cpu(it));
    Ok(programs)
}

/// Writes a package to `directory`, replacing it. Returns the sum of the sizes of its files.
pub fn write(directory: &Path, contents: &Contents<'_>) -> Result<u64> {
    super::remove(directory)?;
    let mut package = Package {
        directory,
        compilations: Vec::new(),
        graphs: BTreeSet::new(),
    };
    fs::create_dir_all(directory)
        .with_context(|| format!("failed to create {}", directory.display()))?;
    let tests = package.tests(contents)?;
    let benchmarks = package.benchmarks(contents)?;
    if contents.self_test {
        package.self_test(contents.backend)?;
    }
    package.lines("tests", &tests)?;
    package.lines("benchmarks", &benchmarks)?;
    package.lines("compilations", &package.compilations)?;
    package.copy_graphs()?;
    for script in ["run.sh", "table.awk"] {
        let from = crate::root().join("xtask/gpu").join(script);
        package.file(script, &files::read(&from)?)?;
    }
    package.file("version", version().as_bytes())?;
    package.file("backend", name_of(contents.backend).as_bytes())?;
    let mut fresh = records::fresh_header().to_vec();
    fresh.resize(usize::try_from(records::file_size())?, 0);
    package.file("records", &fresh)?;
    package.file("layout", layout().as_bytes())?;
    let sizes = files::below(directory)?;
    let sizes = sizes.iter().map(|path| Ok(fs::metadata(path)?.len()));
    sizes.sum()
}

/// Sizes of the structs in a record file, offsets of their fields, and the numbers that the script
/// compares with.
fn layout() -> String {
    let structs = [RecordHeader::SCHEMA, KernelEntry::SCHEMA, Record::SCHEMA];
    let mut text = format!("COMPLETE={COMPLETE}\nRACE={}\n", RecordType::Race as u8);
    for it in structs {
        text += &format!("{}_bytes={}\n", it.name, it.size);
        let mut offset = 0;
        for field in it.fields {
            text += &format!(
                "{}_{}={offset}\n",
                it.name,
                field.name.trim_end_matches('_')
            );
            offset += field.size;
        }
    }
    text
}

struct Package<'a> {
    directory: &'a Path,
    compilations: Vec<String>,
    /// Names of the graphs that programs need.
    graphs: BTreeSet<String>,
}

impl Package<'_> {
    /// Copies of the tests, and a line for each run of one.
    fn tests(&mut self, contents: &Contents<'_>) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for form in Form::ALL {
            let tests: Vec<_> = contents.tests.iter().filter(|it| it.form == form).collect();
            if !tests.is_empty() {
                lines.extend(self.tests_of(form, &tests, contents.backend)?);
            }
        }
        Ok(lines)
    }

    /// The same for tests of one form.
    fn tests_of(
        &mut self,
        form: Form,
        tests: &[&Program],
        backend: Backend,
    ) -> Result<Vec<String>> {
        let folder = form.word();
        let files: Vec<_> = tests
            .iter()
            .map(|it| crate::root().join(&it.file))
            .collect();
        let config = Config::builtin();
        let copies = self.instrument(folder, &files, backend, &config, Some(form))?;
        let mut lines = Vec::new();
        for (test, copy) in tests.iter().zip(&copies) {
            let expected = &test.expected;
            let options = match backend {
                Backend::Gpu => expected.nvcc.join(" "),
                Backend::Cpu => String::new(),
            };
            self.compilations
                .push(format!("{copy}|{folder}/include|{options}"));
            let verdict = expected.verdict.word();
            let more = expected.more_arguments.iter();
            for (number, arguments) in std::iter::once(&expected.arguments).chain(more).enumerate()
            {
                let suffix = match number {
                    0 => String::new(),
                    number => format!("+{number}"),
                };
                let arguments: Vec<_> = arguments.iter().map(|it| self.argument(it)).collect();
                let arguments = arguments.join(" ");
                lines.push(format!("{test}{suffix}|{copy}|{verdict}|{arguments}"));
            }
        }
        Ok(lines)
    }

    /// `graph:NAME` as the path of the graph in the package.
    fn argument(&mut self, word: &str) -> String {
        match word.strip_prefix("graph:") {
            Some(name) => {
                self.graphs.insert(name.to_owned());
                format!("graphs/{name}.egr")
            }
            None => word.to_owned(),
        }
    }

    /// Copies of the benchmarks, with a line for each.
    fn benchmarks(&mut self, contents: &Contents<'_>) -> Result<Vec<String>> {
        if contents.kernels.is_empty() {
            return Ok(Vec::new());
        }
        let bench = crate::root().join("bench");
        let programs: Vec<_> = contents
            .kernels
            .iter()
            .map(|kernel| bench.join(format!("{}.cu", kernel.name)))
            .collect();
        let checked = Config::builtin();
        let folder = "bench/hirace";
        let mut sides =
            vec![self.instrument(folder, &programs, contents.backend, &checked, None)?];
        let mut includes = vec!["bench/hirace/include"];
        match contents.backend {
            Backend::Cpu => {
                let unmonitored = bench.join("unmonitored.toml");
                let config = Config::load(Some(&unmonitored), &bench).map_err(reason)?;
                let folder = "bench/plain";
                sides.push(self.instrument(folder, &programs, Backend::Cpu, &config, None)?);
                includes.push("bench/plain/include");
            }
            Backend::Gpu => {
                for path in files::below(&bench)? {
                    if path.parent() == Some(&bench) && files::has_extension(&path, &["cu", "h"]) {
                        let name = path.strip_prefix(&bench)?.display().to_string();
                        self.file(&format!("bench/plain/{name}"), &files::read(&path)?)?;
                    }
                }
                let plain = contents.kernels.iter();
                sides.push(
                    plain
                        .map(|it| format!("bench/plain/{}.cu", it.name))
                        .collect(),
                );
                includes.push("");
            }
        }
        for (copies, include) in sides.iter().zip(includes) {
            for copy in copies {
                self.compilations
                    .push(format!("{copy}|{include}|-DBENCH_LAUNCHES={LAUNCHES}"));
            }
        }
        let kernels = contents.kernels.iter();
        Ok(kernels
            .map(|it| format!("{}|{}|{}", it.name, it.small, it.large))
            .collect())
    }

    /// Writes instrumented copies of programs to `folder`. Returns their paths relative to the
    /// directory of the package.
    fn instrument(
        &self,
        folder: &str,
        programs: &[PathBuf],
        backend: Backend,
        config: &Config,
        form: Option<Form>,
    ) -> Result<Vec<String>> {
        let arguments = Arguments::default();
        let mut collector = Collector::new(&arguments);
        for program in programs {
            collector.named(program).map_err(reason)?;
        }
        let mut tree = collector.finish().map_err(reason)?;
        if let Some(form) = form {
            form.keep_in(&mut tree);
        }
        // Reports name files relative to the root, wherever the working tree is.
        for file in &mut tree.files {
            let relative = file.path.strip_prefix(crate::root());
            if let Ok(relative) = relative {
                file.display = relative.display().to_string();
            }
        }
        let plan = Plan {
            selection: &config.monitor,
            skip: config.skip,
            ..Plan::new(backend, &arguments)
        };
        let copies = instrument::tree(&tree, plan).map_err(reason)?;
        output::write(&self.directory.join(folder), &copies).map_err(reason)?;
        Ok(programs
            .iter()
            .map(|program| format!("{folder}/{}", tree.mirrored(program).display()))
            .collect())
    }

    /// The self-test's programs, inputs and expected outputs: a folder for each size of the word.
    fn self_test(&mut self, backend: Backend) -> Result<()> {
        let include = "self_test/include";
        instrument::headers::write(&self.directory.join(include)).map_err(reason)?;
        let mut folders = BTreeSet::new();
        for exchange in self_test::exchanges(SEED) {
            let folder = format!("self_test/{}", exchange.word_bytes);
            if folders.insert(exchange.word_bytes) {
                let program = self.self_test_program(&folder, backend)?;
                let option = format!("-DHIRACE_WORD_BYTES={}", exchange.word_bytes);
                let line = format!("{folder}/{program}|{include}|{option}");
                self.compilations.push(line);
            }
            for (kind, bytes) in [("input", &exchange.input), ("expected", &exchange.expected)] {
                let name = format!("{folder}/{}.{kind}", exchange.name);
                self.file(&name, bytes)?;
                let mut gzip = Command::new("gzip");
                process::output(gzip.arg(self.directory.join(&name)))?;
            }
        }
        Ok(())
    }

    /// Writes the self-test's program. Returns the name of the file to compile.
    fn self_test_program(&self, folder: &str, backend: Backend) -> Result<&'static str> {
        match backend {
            Backend::Cpu => {
                let text = self_test::CPU_PROGRAM.as_bytes();
                self.file(&format!("{folder}/main.cpp"), text)?;
                Ok("main.cpp")
            }
            Backend::Gpu => {
                let text = self_test::GPU_PROGRAM.as_bytes();
                self.file(&format!("{folder}/kernels.cu"), text)?;
                let main = crate::root().join("xtask/gpu/self_test.cu");
                self.file(&format!("{folder}/main.cu"), &files::read(&main)?)?;
                Ok("main.cu")
            }
        }
    }

    fn copy_graphs(&self) -> Result<()> {
        if self.graphs.is_empty() {
            return Ok(());
        }
        let from = crate::root().join("target/graphs");
        graphs::ensure(&from)?;
        for name in &self.graphs {
            let file = format!("{name}.egr");
            let bytes = files::read(&from.join(&file))?;
            self.file(&format!("graphs/{file}"), &bytes)?;
        }
        Ok(())
    }

    fn lines(&self, name: &str, lines: &[String]) -> Result<()> {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.file(name, text.as_bytes())
    }

    fn file(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.directory.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        files::write(&path, bytes)
    }
}

/// The seed of the self-test's random accesses.
const SEED: u64 = 0;

/// Number of launches of a benchmark's kernel; the median counts.
const LAUNCHES: u32 = 9;

/// An error of `hirace` as an error of this crate.
fn reason(error: hirace::error::Error) -> anyhow::Error {
    anyhow!("{error}")
}

fn name_of(backend: Backend) -> &'static str {
    match backend {
        Backend::Cpu => "cpu\n",
        Backend::Gpu => "gpu\n",
    }
}

/// The version of hirace, with the commit if git knows it.
fn version() -> String {
    let mut git = Command::new("git");
    git.current_dir(crate::root())
        .args(["describe", "--always", "--dirty"]);
    let commit = process::capture(&mut git).ok().filter(|it| it.success);
    let commit = commit.map_or_else(String::new, |it| format!(" ({})", it.text.trim()));
    format!("{}{commit}\n", env!("CARGO_PKG_VERSION"))
}
