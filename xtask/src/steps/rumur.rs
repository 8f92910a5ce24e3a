//! The Murphi models, checked with rumur.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::files;
use crate::process::{capture, is_there, run};
use crate::tally::Tally;

fn models() -> Vec<PathBuf> {
    let mut models = files::below(&crate::root().join("murphi")).unwrap_or_default();
    models.retain(|path| files::has_extension(path, &["m"]));
    models
}

/// Whether there is a model to check.
pub fn applies() -> bool {
    !models().is_empty()
}

/// Translates each model to C, compiles it and explores its states.
pub fn check() -> Result<Tally> {
    if let Err(reason) = install() {
        return Ok(Tally::skip(reason));
    }
    let out = crate::root().join("target/murphi");
    fs::create_dir_all(&out)?;
    let mut tally = Tally::default();
    for model in models() {
        let name = model.file_stem().unwrap_or_default();
        let program = out.join(name);
        let source = program.with_extension("c");
        run(Command::new("rumur")
            .arg("--output")
            .arg(&source)
            .arg(&model))?;
        // 16-byte compare-and-swap: the checker's hash table is lock-free.
        run(Command::new("cc")
            .args(["-std=c11", "-O3", "-march=native", "-mcx16", "-pthread"])
            .arg(&source)
            .arg("-o")
            .arg(&program)
            .arg("-latomic"))?;
        tally.add(match run(&mut Command::new(&program)) {
            Ok(()) => Tally::pass(),
            Err(error) => Tally::fail(format!("{error:#}")),
        });
    }
    Ok(tally)
}

/// Makes sure that rumur is there, from Debian's archive where we may install packages.
fn install() -> Result<(), String> {
    if is_there("rumur") {
        return Ok(());
    }
    if !is_there("apt-get") {
        return Err("rumur is not installed, and no apt-get to install it with".to_owned());
    }
    let user = capture(Command::new("id").arg("-u")).map_err(|error| format!("{error:#}"))?;
    if user.text.trim() != "0" {
        return Err("rumur is not installed, and only root can install it".to_owned());
    }
    run(Command::new("apt-get").args(["update", "-qq"]))
        .and_then(|()| run(Command::new("apt-get").args(["install", "-y", "-qq", "rumur"])))
        .map_err(|error| format!("rumur could not be installed: {error:#}"))
}
