//! Every device header compiles alone, without anything included before it.
//!
//! A third of the headers are aliases that contain only an `#include` of another of our headers.
//! They compile if that one does, which must exist and is compiled. A sample has one header of seven.
//! Errors name a copy of `device/`, which has the headers that are generated at build time too.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use hirace_sample::Sample;

use crate::compile::{self, Compilation, Inputs};
use crate::tally::Tally;
use crate::{files, nvcc, process};

const WARNINGS: [&str; 3] = ["-Wall", "-Wextra", "-Werror"];

/// A sample has one of so many headers: what includes a header compiles it too, and these are the
/// programs of other steps.
const SAMPLE: u64 = 28;

/// The headers of the CPU backend and the common ones, with the C++ compiler.
pub fn cxx(sample: Sample) -> Result<Tally> {
    let toolkit = crate::device_headers()?.join("hirace/toolkit");
    let compiler = process::cxx();
    let version = process::capture(Command::new(&compiler).arg("--version"))?.text;
    // Tests of the wrapper compile what needs PyTorch.
    let other = ["gpu", "pytorch"];
    check("headers", sample, "cpp", &other, &version, |unit| {
        let mut command = Command::new(&compiler);
        command.arg("-std=c++17").args(WARNINGS);
        // Programs often define such macros as sizes. CUDA's own headers use `T` too.
        let letters = ('A'..='Z').filter(|it| *it != 'T');
        command.args(letters.map(|it| format!("-D{it}=0.5")));
        command.arg("-I").arg(&toolkit);
        command.arg("-fsyntax-only").arg(unit);
        command
    })
}

/// The headers of the GPU backend and the common ones, with nvcc. They are compiled for the oldest
/// architecture and for the default one, because features of newer ones must be conditional.
pub fn nvcc(sample: Sample) -> Result<Tally> {
    let nvcc = match nvcc::locate() {
        Ok(nvcc) => nvcc,
        Err(reason) => return Ok(Tally::skip(reason)),
    };
    let cpu = ["executor", "cuda", "libraries", "toolkit", "pytorch"];
    check("headers-nvcc", sample, "cu", &cpu, &nvcc.version, |unit| {
        let mut command = nvcc.command_for_all(&[nvcc::OLDEST_ARCH, nvcc::ARCH]);
        command.args(["-Werror", "all-warnings"]);
        command.arg("-o").arg(unit.with_extension("o"));
        command.arg("-c").arg(unit);
        command
    })
}

/// Whether a header only reports that a library is missing.
fn is_refusal(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("#error \"hirace: "))
}

/// The header that another includes, if it contains only this one `#include "…"`.
fn other_name_of(header: &Path, text: &str) -> Option<PathBuf> {
    let is_code = |it: &&str| !it.is_empty() && !it.starts_with("//") && *it != "#pragma once";
    let mut lines = text.lines().map(str::trim).filter(is_code);
    let name = lines.next()?.strip_prefix("#include \"")?;
    let name = name.strip_suffix('"')?;
    lines.next().is_none().then_some(())?;
    fs::canonicalize(header.parent()?.join(name)).ok()
}

/// The headers that must compile, with their texts: not those in the folders of the `other`
/// backend, and not those that report a missing library.
fn compilable<'a>(
    device: &Path,
    headers: &'a [PathBuf],
    other: &[&str],
) -> Result<BTreeMap<&'a Path, String>> {
    let mut texts = BTreeMap::new();
    for header in headers {
        let name = header.strip_prefix(device)?;
        let text = fs::read_to_string(header)
            .with_context(|| format!("failed to read {}", header.display()))?;
        let folder = name
            .components()
            .nth(1)
            .map(std::path::Component::as_os_str);
        let foreign = other.iter().any(|it| folder == Some(it.as_ref()));
        if !foreign && !is_refusal(&text) {
            texts.insert(header.as_path(), text);
        }
    }
    Ok(texts)
}

/// Compiles a one-line file per header, except for aliases of other headers.
fn check(
    step: &str,
    sample: Sample,
    extension: &str,
    other: &[&str],
    version: &str,
    compiler: impl Fn(&Path) -> Command,
) -> Result<Tally> {
    let device = fs::canonicalize(crate::device_headers()?)?;
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
    let texts = compilable(&device, &headers, other)?;
    let (mut compilations, mut tally) = (Vec::new(), Tally::default());
    for (&header, text) in &texts {
        let name = header.strip_prefix(&device)?.display().to_string();
        if !sample.takes(&name, SAMPLE) {
            continue;
        }
        if other_name_of(header, text).is_some_and(|it| texts.contains_key(it.as_path())) {
            tally.add(Tally::pass());
            continue;
        }
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
            parts: Vec::new(),
        });
    }
    println!("{} only include another one", tally.passed);
    tally.add(compile::all(compilations, &out.join("stamps"))?);
    fs::remove_dir_all(&units).with_context(|| format!("failed to remove {}", units.display()))?;
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_of_another_header_holds_one_include_and_nothing_else() {
        let directory = crate::root().join("xtask/src/steps");
        let header = directory.join("rumur/header.h");
        let include = "// What it is.\n#pragma once\n\n#include \"../headers.rs\"\n";
        let target = fs::canonicalize(directory.join("headers.rs")).unwrap();
        assert_eq!(other_name_of(&header, include), Some(target));
        for text in [
            format!("{include}int x;\n"),
            format!("{include}#include \"../mod.rs\"\n"),
            include.replace("headers", "absent"),
            include.replace('"', ""),
            "#pragma once\n".to_owned(),
        ] {
            assert_eq!(other_name_of(&header, &text), None, "{text}");
        }
    }
}
