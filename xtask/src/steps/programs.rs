//! Every example and every UI program, instrumented for the GPU, compiles with nvcc; the whole
//! programs among the examples do so as they are, too.

use std::ffi::OsStr;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::compile::{self, Compilation, Inputs};
use crate::files;
use crate::nvcc::{self, Nvcc};
use crate::process::{cargo, run};
use crate::tally::Tally;

/// Where copies and what was compiled lie.
const OUT: &str = "target/nvcc-check";

/// Where the programs stand.
const SOURCES: [&str; 4] = [
    "tests/ui/race",
    "tests/ui/clean",
    "tests/ui/possible",
    "examples",
];

/// Those that are what users start from: nvcc has to take the originals as well, or the copies
/// would prove nothing.
const ORIGINALS: &str = "examples/programs";

/// Instruments, compiles and links them.
pub fn check() -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let out = crate::root().join(OUT);
    let mut tally = Tally::default();
    let mut compilations = Vec::new();
    for source in SOURCES {
        let copy = out.join("src").join(source);
        if let Err(error) = instrument(source, &copy) {
            println!("FAILED  {source}: {error:#}");
            tally.add(Tally::fail(format!("instrument {source}")));
        }
        let include = copy.join("include");
        let include = [OsStr::new("-I"), include.as_os_str()];
        compilations.extend(programs(&nvcc, &copy, source, &include)?);
    }
    let originals = crate::root().join(ORIGINALS);
    let name = format!("original/{ORIGINALS}");
    compilations.extend(programs(&nvcc, &originals, &name, &[])?);
    if compilations.is_empty() && tally.failed.is_empty() {
        bail!("there is no program in {}", SOURCES.join(", "));
    }
    let objects = out.join("objects");
    fs::create_dir_all(&objects)?;
    tally.add(compile::all(compilations, &out.join("stamps"))?);
    fs::remove_dir_all(&objects)?;
    Ok(tally)
}

/// Writes a fresh instrumented copy of a tree.
fn instrument(source: &str, copy: &Path) -> Result<()> {
    if copy.exists() {
        fs::remove_dir_all(copy).with_context(|| format!("failed to remove {}", copy.display()))?;
    }
    if files::below(&crate::root().join(source))?
        .iter()
        .any(|path| is_program(path))
    {
        run(cargo()
            .args([
                "run",
                "--quiet",
                "--package",
                "hirace",
                "--",
                "instrument",
                source,
                "-o",
            ])
            .arg(copy))?;
    }
    Ok(())
}

/// What a program asks of nvcc in a line of its own, `// nvcc: OPTIONS`.
fn options_of(program: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(program)
        .with_context(|| format!("failed to read {}", program.display()))?;
    let options = text.lines().find_map(|it| it.strip_prefix("// nvcc: "));
    let words = options.unwrap_or("").split_whitespace();
    Ok(words.map(str::to_owned).collect())
}

fn is_program(path: &Path) -> bool {
    files::has_extension(path, &["cu"])
}

/// A compilation per program below `tree`, under names that begin with `prefix`. Files without
/// a `main` belong to the program of their folder.
fn programs(
    nvcc: &Nvcc,
    tree: &Path,
    prefix: &str,
    arguments: &[&OsStr],
) -> Result<Vec<Compilation>> {
    let (sources, headers): (Vec<PathBuf>, Vec<PathBuf>) = files::below(tree)?
        .into_iter()
        .partition(|path| is_program(path));
    let mut shared = Inputs::default();
    shared.text(&nvcc.version);
    for header in &headers {
        shared.file(header)?;
    }
    let (mut programs, mut parts) = (Vec::new(), Vec::new());
    for source in sources {
        let text = fs::read_to_string(&source)
            .with_context(|| format!("failed to read {}", source.display()))?;
        if text.contains("main(") {
            programs.push(source);
        } else {
            parts.push(source);
        }
    }
    let objects = crate::root().join(OUT).join("objects");
    let mut compilations = Vec::new();
    for program in programs {
        let relative = program.strip_prefix(tree)?.display();
        let name = format!("{prefix}/{relative}");
        let mut command = nvcc.command();
        command.args(arguments);
        command
            .arg("-o")
            .arg(objects.join(name.replace(['/', '.'], "_")));
        let mut inputs = shared.clone();
        let of_program = |part: &&PathBuf| part.parent() == program.parent();
        for file in iter::once(&program).chain(parts.iter().filter(of_program)) {
            inputs.file(file)?;
            command.arg(file);
        }
        command.args(options_of(&program)?);
        let key = inputs.key(&command);
        compilations.push(Compilation { name, key, command });
    }
    Ok(compilations)
}
