//! Every example and every UI program, instrumented for the GPU, compiles with nvcc.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::compile::{self, Compilation, Inputs};
use crate::files;
use crate::nvcc::{self, Nvcc};
use crate::process::{cargo, run};
use crate::tally::Tally;

/// Where the programs stand.
const SOURCES: [&str; 4] = [
    "tests/ui/race",
    "tests/ui/clean",
    "tests/ui/possible",
    "examples",
];

/// Instruments, compiles and links them.
pub fn check() -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let out = crate::root().join("target/nvcc-check");
    let mut tally = Tally::default();
    let mut compilations = Vec::new();
    for source in SOURCES {
        let copy = out.join("src").join(source);
        if let Err(error) = instrument(source, &copy) {
            println!("FAILED  {source}: {error:#}");
            tally.add(Tally::fail(format!("instrument {source}")));
        }
        compilations.extend(programs(&nvcc, &copy, &out)?);
    }
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

fn is_program(path: &Path) -> bool {
    files::has_extension(path, &["cu"])
}

/// A compilation per program in an instrumented tree.
fn programs(nvcc: &Nvcc, copy: &Path, out: &Path) -> Result<Vec<Compilation>> {
    let (programs, headers): (Vec<PathBuf>, Vec<PathBuf>) = files::below(copy)?
        .into_iter()
        .partition(|path| is_program(path));
    let mut shared = Inputs::default();
    shared.text(&nvcc.version);
    for header in &headers {
        shared.file(header)?;
    }
    let mut compilations = Vec::new();
    for program in programs {
        let name = program.strip_prefix(out.join("src"))?.display().to_string();
        let object = out.join("objects").join(name.replace(['/', '.'], "_"));
        let mut command = nvcc.command();
        command.arg("-I").arg(copy.join("include"));
        command.arg("-o").arg(object).arg(&program);
        // One file of several, without a `main`, cannot be linked by itself.
        let text = fs::read_to_string(&program)
            .with_context(|| format!("failed to read {}", program.display()))?;
        if !text.contains("main(") {
            command.arg("-c");
        }
        let mut inputs = shared.clone();
        compilations.push(Compilation {
            key: inputs.file(&program)?.key(&command),
            name,
            command,
        });
    }
    Ok(compilations)
}
