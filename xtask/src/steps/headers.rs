//! Every device header compiles alone, without anything included before it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::compile::{self, Compilation, Inputs};
use crate::tally::Tally;
use crate::{files, nvcc, process};

const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// The headers of the CPU backend and of both, with the C++ compiler.
pub fn cxx() -> Result<Tally> {
    let compiler = process::cxx();
    let version = process::capture(Command::new(&compiler).arg("--version"))?.text;
    check("headers", "cpp", "gpu", &version, |unit| {
        let mut command = Command::new(&compiler);
        command.arg("-std=c++17").args(WARNINGS);
        // Programs are given sizes in this way. CUDA's own headers use `T` as well.
        let letters = ('A'..='Z').filter(|it| *it != 'T');
        command.args(letters.map(|it| format!("-D{it}=0.5")));
        command.arg("-fsyntax-only").arg(unit);
        command
    })
}

/// The headers of the GPU backend and of both, with nvcc.
pub fn nvcc() -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    check("headers-nvcc", "cu", "cpu", &nvcc.version, |unit| {
        let mut command = nvcc.command();
        command.args(["-Werror", "all-warnings"]);
        command.arg("-o").arg(unit.with_extension("o"));
        command.arg("-c").arg(unit);
        command
    })
}

/// Whether a header only says that a library is not there.
fn is_refusal(header: &Path) -> Result<bool> {
    let text = fs::read_to_string(header)
        .with_context(|| format!("failed to read {}", header.display()))?;
    Ok(text
        .lines()
        .any(|line| line.starts_with("#error \"hirace: ")))
}

/// Compiles a one-line file per header, except those in the folder of the `other` backend.
fn check(
    step: &str,
    extension: &str,
    other: &str,
    version: &str,
    compiler: impl Fn(&Path) -> Command,
) -> Result<Tally> {
    let device = crate::root().join("device");
    let headers: Vec<PathBuf> = files::below(&device)?
        .into_iter()
        .filter(|path| files::has_extension(path, &["h", "cuh"]))
        .collect();
    if headers.is_empty() {
        bail!("{} holds no header", device.display());
    }
    let mut inputs = Inputs::default();
    inputs.text(version);
    for header in &headers {
        inputs.file(header)?;
    }

    let out = crate::root().join("target").join(step);
    let units = out.join("units");
    fs::create_dir_all(&units).with_context(|| format!("failed to create {}", units.display()))?;
    let mut compilations = Vec::new();
    for header in &headers {
        let name = header.strip_prefix(&device)?;
        if name.components().any(|part| part.as_os_str() == other) || is_refusal(header)? {
            continue;
        }
        let name = name.display().to_string();
        let unit = units
            .join(name.replace(['/', '.'], "_"))
            .with_extension(extension);
        fs::write(&unit, format!("#include <{name}>\n"))
            .with_context(|| format!("failed to write {}", unit.display()))?;
        let mut command = compiler(&unit);
        command.arg("-I").arg(&device);
        compilations.push(Compilation {
            key: inputs.key(&command),
            name,
            command,
        });
    }
    let tally = compile::all(compilations, &out.join("stamps"))?;
    fs::remove_dir_all(&units).with_context(|| format!("failed to remove {}", units.display()))?;
    Ok(tally)
}
