//! Examples and UI programs, instrumented for the GPU, compile with nvcc, including the assembler and
//! the linker. Repaired twins are compiled too, and so are the originals of the whole
//! programs among the examples.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use hirace_sample::Sample;

use crate::compile::{self, Compilation, Inputs};
use crate::files;
use crate::nvcc::{self, Nvcc};
use crate::process::{cargo, run};
use crate::tally::Tally;
use crate::ui::{self, Form};

use super::units;

/// The directory for copies and compiled files.
const OUT: &str = "target/nvcc-check";

/// The directory of the programs.
const UI: &str = "tests/ui";
const EXAMPLES: &str = "examples";

/// A project among the examples, which the tests of the compiler wrapper build as a whole.
const PROJECT: &str = "ci";

/// The examples that users start from: nvcc must also compile the originals, or the copies would
/// prove nothing.
const ORIGINALS: &str = "examples/programs";

/// A sample has one of so many compilations of UI programs, and of examples.
const SAMPLE: u64 = 42;
const SAMPLE_OF_EXAMPLES: u64 = 28;

/// Instruments, compiles and links them.
pub fn check(sample: Sample) -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let out = crate::root().join(OUT);
    let mut tally = Tally::default();
    let mut compilations = Vec::new();
    let mut sources = vec![(EXAMPLES.to_owned(), crate::root().join(EXAMPLES))];
    for form in Form::ALL {
        let folder = out.join("forms").join(form.word());
        write_form(form, &folder)?;
        sources.push((format!("{UI}/{}", form.word()), folder));
    }
    for (name, source) in &sources {
        let copy = out.join("src").join(name);
        if let Err(error) = instrument(source, &copy) {
            println!("FAILED  {name}: {error:#}");
            tally.add(Tally::fail(format!("instrument {name}")));
        }
        let include = copy.join("include");
        let include = [OsStr::new("-I"), include.as_os_str()];
        let mut all = Tree::read(&nvcc, &copy, name, &include)?.compilations()?;
        let every = if name == EXAMPLES {
            SAMPLE_OF_EXAMPLES
        } else {
            SAMPLE
        };
        all.retain(|it| sample.takes(&it.name, every));
        compilations.extend(all);
    }
    if sample.is_everything() {
        let originals = crate::root().join(ORIGINALS);
        let name = format!("original/{ORIGINALS}");
        let all = Tree::read(&nvcc, &originals, &name, &[])?.compilations()?;
        compilations.extend(all.into_iter().filter(|it| sample.takes(&it.name, 1)));
    }
    if compilations.is_empty() && tally.failed.is_empty() {
        bail!("there is no program in {UI} and {EXAMPLES}");
    }
    tally.add(compile::all(compilations, &out.join("stamps"))?);
    fs::remove_dir_all(out.join("made"))?;
    Ok(tally)
}

/// Writes the UI programs of a form, and the headers that they include.
fn write_form(form: Form, folder: &Path) -> Result<()> {
    remove(folder)?;
    let programs = ui::programs().map_err(|why| anyhow!("{why}"))?;
    let programs = programs.into_iter().filter(|it| it.form == form);
    let root = crate::root();
    let mut wanted: Vec<PathBuf> = programs.map(|it| root.join(it.file)).collect();
    let is_header = |it: &PathBuf| files::has_extension(it, &["h", "cuh"]);
    wanted.extend(files::below(&root.join(UI))?.into_iter().filter(is_header));
    for path in wanted {
        let text = fs::read_to_string(&path)
            .with_context(|| format!("failed to read {}", path.display()))?;
        let copy = folder.join(path.strip_prefix(root.join(UI))?);
        fs::create_dir_all(copy.parent().unwrap_or(folder))?;
        fs::write(&copy, form.text_of(&text))
            .with_context(|| format!("failed to write {}", copy.display()))?;
    }
    Ok(())
}

/// Removes a folder that may not exist.
fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("failed to remove {}", folder.display()))?;
    }
    Ok(())
}

/// Writes a fresh instrumented copy of a tree.
fn instrument(source: &Path, copy: &Path) -> Result<()> {
    remove(copy)?;
    if files::below(source)?.iter().any(|path| is_program(path)) {
        run(cargo()
            .args(["run", "--quiet", "--package", "hirace", "--", "instrument"])
            .arg(source)
            .arg("-o")
            .arg(copy))?;
    }
    Ok(())
}

/// Headers whose libraries come with the driver or with packages of their own: what includes one is
/// compiled, and not linked.
const OF_OTHER_LIBRARIES: [&str; 4] = ["<cuda.h>", "<curand.h>", "<cublas_v2.h>", "<cufft.h>"];

/// Compiler options from a program's `// nvcc:` line, and what its headers require.
fn options_of(text: &str) -> Vec<String> {
    let options = text.lines().find_map(|it| it.strip_prefix("// nvcc: "));
    let words = options.unwrap_or("").split_whitespace();
    let included = |header: &&str| text.contains(&format!("#include {header}"));
    let only_compiles = OF_OTHER_LIBRARIES.iter().any(included);
    words
        .chain(only_compiles.then_some("-c"))
        .map(str::to_owned)
        .collect()
}

fn is_program(path: &Path) -> bool {
    files::has_extension(path, &["cu"])
}

/// The programs of a directory, with their compiler options.
struct Tree<'a> {
    nvcc: &'a Nvcc,
    root: &'a Path,
    /// The prefix of its programs' names.
    prefix: &'a str,
    /// The arguments of every compiler call.
    arguments: &'a [&'a OsStr],
    /// What every program depends on: nvcc and the headers.
    inputs: Inputs,
    /// The directory of nvcc's input and output.
    made: PathBuf,
    /// Files with a `main`, and their text.
    programs: Vec<(PathBuf, String)>,
    /// Files without a `main`, which belong to the program of their folder.
    parts: Vec<PathBuf>,
}

impl<'a> Tree<'a> {
    fn read(
        nvcc: &'a Nvcc,
        root: &'a Path,
        prefix: &'a str,
        arguments: &'a [&'a OsStr],
    ) -> Result<Self> {
        let mut inputs = Inputs::default();
        inputs.text(&nvcc.version);
        let (mut programs, mut parts) = (Vec::new(), Vec::new());
        for file in files::below(root)? {
            if file.starts_with(root.join(PROJECT)) {
                continue;
            }
            if !is_program(&file) {
                inputs.file(&file)?;
                continue;
            }
            let text = fs::read_to_string(&file)
                .with_context(|| format!("failed to read {}", file.display()))?;
            if options_of(&text) == [ui::NOT_FOR_NVCC] {
                continue;
            }
            if text.contains("main(") {
                programs.push((file, text));
            } else {
                parts.push(file);
            }
        }
        let made = crate::root().join(OUT).join("made");
        fs::create_dir_all(&made)
            .with_context(|| format!("failed to create {}", made.display()))?;
        Ok(Self {
            nvcc,
            root,
            prefix,
            arguments,
            inputs,
            made,
            programs,
            parts,
        })
    }

    /// A compilation per unit of programs.
    fn compilations(&self) -> Result<Vec<Compilation>> {
        let (mut compilations, mut in_one_file) = (Vec::new(), Vec::new());
        for (file, text) in &self.programs {
            let options = options_of(text);
            let is_part = |part: &&PathBuf| part.parent() == file.parent();
            let mut files = vec![file.as_path()];
            files.extend(self.parts.iter().filter(is_part).map(PathBuf::as_path));
            if files.len() == 1 && options.is_empty() {
                in_one_file.push(file.clone());
            } else {
                compilations.push(self.compilation(self.name(file)?, &files, &files, &options)?);
            }
        }
        let made = self.made.join(identifier(self.prefix));
        compilations.extend(units::compilations(
            in_one_file,
            &made,
            |file| self.name(file),
            |name, file, sources| self.compilation(name, &[file], sources, &[]),
        )?);
        Ok(compilations)
    }

    fn name(&self, program: &Path) -> Result<String> {
        let relative = program.strip_prefix(self.root)?.display();
        Ok(format!("{}/{relative}", self.prefix))
    }

    /// Compiles and links `files`, whose inputs are `sources`.
    fn compilation(
        &self,
        name: String,
        files: &[&Path],
        sources: &[&Path],
        options: &[String],
    ) -> Result<Compilation> {
        let mut command = self.nvcc.command();
        command.args(self.arguments);
        command.arg("-o").arg(self.made.join(identifier(&name)));
        command.args(files).args(options);
        Compilation::new(name, command, self.inputs.clone(), sources)
    }
}

/// A unique name that is valid as a file name.
fn identifier(name: &str) -> String {
    name.replace(['/', '.', ' '], "_")
}
