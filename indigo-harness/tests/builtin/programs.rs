//! Built-in programs as executables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use hirace::check::batch::{Builder, Built};
use hirace::check::{self, RunOptions};
use hirace::config::Config;
use hirace::instrument::{self, tree::Tree};
use hirace::report::Report;
use hirace::rewrite::Skip;
use hirace::toolchain::{Arguments, Output};
use hirace_indigo::suite::{self, Label, Program};
use hirace_sample::Sample;
use tempfile::TempDir;

use crate::oracle;

/// Threads of a block, and blocks.
pub type Shape = (u32, u32);

/// A sample has one of so many programs, for each test.
const SAMPLE: u64 = 42;

/// The programs that a test runs now.
pub fn sample(test: &str) -> Vec<Program> {
    let sample = Sample::current();
    let mut programs = suite::builtin::suite().expect("a suite").programs;
    programs.retain(|program| sample.takes((test, &program.name), SAMPLE));
    programs
}

/// The small graphs.
pub fn graphs() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    let mut paths = hirace_graphs::ensure(&directory).expect("the generator writes its graphs");
    paths.retain(|path| !path.ends_with("rmat_65536n.egr"));
    paths
}

/// Those of them with few edges, because a full history takes time.
pub fn smallest_graphs() -> Vec<PathBuf> {
    let mut paths = graphs();
    paths.retain(|path| !path.to_string_lossy().ends_with("_1000e.egr"));
    paths
}

/// The races of a report in few words.
pub fn places(report: &Report) -> String {
    let races = report.races.iter().map(|race| {
        let lines = race.accesses.iter().map(|it| it.position.line.unwrap_or(0));
        format!("{} {:?}", race.variable, lines.collect::<Vec<_>>())
    });
    races.collect::<Vec<_>>().join(", ")
}

/// Programs that are compiled together.
pub struct Fixture {
    programs: Vec<Program>,
    config: Config,
    compiler_arguments: Vec<String>,
    directory: TempDir,
}

impl Fixture {
    /// Programs that are built and run like those of users.
    pub fn new(programs: Vec<Program>) -> Self {
        Self {
            programs,
            config: Config::builtin(),
            compiler_arguments: ["-O1", "-g0"].map(str::to_owned).into(),
            directory: tempfile::tempdir().expect("a directory"),
        }
    }

    /// Programs with small warps that check every access and record what they do.
    pub fn traced(programs: Vec<Program>) -> Self {
        let mut traced = Self::new(programs);
        traced.config.skip = Skip::NOTHING;
        let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/builtin/trace.h");
        traced.compiler_arguments.extend([
            format!("-DHIRACE_WARP_SIZE={}", oracle::LANES),
            "-include".into(),
            header.display().to_string(),
            // Threads wait in functions, which the header traces.
            "-UHIRACE_REGIONS".into(),
        ]);
        traced
    }
}

pub struct Batch<'a> {
    fixture: &'a Fixture,
    builder: Builder<'a>,
    trees: Vec<Tree>,
    built: Vec<Built>,
}

impl<'a> Batch<'a> {
    /// # Errors
    /// A program does not compile, or does not compile together with the others.
    pub fn build(fixture: &'a Fixture) -> Result<Self, String> {
        let builder = Builder::new(&fixture.compiler_arguments, &fixture.config);
        let builder = builder.map_err(|it| it.to_string())?;
        let mut trees = Vec::new();
        for program in &fixture.programs {
            let path = fixture
                .directory
                .path()
                .join(format!("{}.cu", program.name));
            std::fs::write(&path, &program.text).map_err(|it| it.to_string())?;
            let tree = instrument::collect(&[path], &Arguments::default());
            trees.push(tree.map_err(|it| it.to_string())?);
        }
        let built = builder.build(&trees, &fixture.directory.path().join("batch"));
        let built = built.map_err(|it| it.to_string())?;
        let built = built.into_iter().collect::<Result<Vec<_>, _>>();
        let built = built.map_err(|it| match it {
            hirace::error::Error::Compile { output, .. } => output,
            other => other.to_string(),
        })?;
        for (built, program) in built.iter().zip(&fixture.programs) {
            if let Some(reason) = &built.alone
                && trees.len() > 1
            {
                return Err(format!("{} is compiled alone: {reason}", program.name));
            }
        }
        Ok(Self {
            fixture,
            builder,
            trees,
            built,
        })
    }

    pub fn programs(&self) -> impl Iterator<Item = Executable<'_>> {
        let trees = self.trees.iter().zip(&self.built);
        trees
            .zip(&self.fixture.programs)
            .map(|((tree, built), program)| Executable {
                config: &self.fixture.config,
                checked: self.builder.open(tree, built).expect("it was built"),
                built,
                program,
            })
    }
}

pub struct Executable<'a> {
    config: &'a Config,
    checked: check::Program,
    built: &'a Built,
    program: &'a Program,
}

impl Executable<'_> {
    pub fn name(&self) -> &str {
        &self.program.name
    }

    pub fn label(&self) -> Label {
        self.program.label
    }

    /// Whether it goes out of bounds.
    pub fn faults(&self) -> bool {
        self.program.bugs == ["boundsBug"]
    }

    fn arguments(&self, graph: &Path, (threads, blocks): Shape) -> Vec<OsString> {
        self.program.arguments.fill(graph, threads, blocks)
    }

    /// # Errors
    /// It cannot be run.
    pub fn check(&self, graph: &Path, shape: Shape) -> Result<Report, String> {
        let arguments = self.arguments(graph, shape);
        let options = RunOptions {
            arguments: &arguments,
            jobs: Some(1),
            timeout: Some(60.0),
            output: Output::Discarded,
            ..RunOptions::default()
        };
        self.checked
            .run(self.config, &options)
            .map_err(|it| it.to_string())
    }

    /// Its output.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn printed(&self, graph: &Path, shape: Shape) -> Result<String, String> {
        let output = self.command(graph, shape).output();
        let output = output.map_err(|it| it.to_string())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The record that `trace.h` writes.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn trace(&self, graph: &Path, shape: Shape) -> Result<String, String> {
        let file = tempfile::NamedTempFile::new().map_err(|it| it.to_string())?;
        let mut command = self.command(graph, shape);
        command
            .env("HIRACE_TRACE", file.path())
            .env("HIRACE_JOBS", "1");
        command.output().map_err(|it| it.to_string())?;
        std::fs::read_to_string(file.path()).map_err(|it| it.to_string())
    }

    /// Its exit status.
    ///
    /// # Errors
    /// It cannot be run.
    pub fn status(&self, graph: &Path, shape: Shape) -> Result<Option<i32>, String> {
        let output = self.command(graph, shape).output();
        output
            .map(|it| it.status.code())
            .map_err(|it| it.to_string())
    }

    /// Whether whole warps share a vertex.
    pub fn needs_warps(&self) -> bool {
        self.program.options.iter().any(|it| it == "warp")
    }

    fn command(&self, graph: &Path, shape: Shape) -> Command {
        let mut command = Command::new(&self.built.executable);
        if let Some(member) = self.built.member {
            command.env("HIRACE_MEMBER", member.to_string());
        }
        command.args(self.arguments(graph, shape));
        command
    }
}
