//! The steps that run cargo: formatting, lints, documentation, dependencies.

use std::process::Command;

use anyhow::Result;

use crate::process::{cargo, is_there, run};
use crate::tally::Tally;

/// `cargo fmt --check`.
pub fn fmt() -> Result<Tally> {
    if let Err(reason) = component("rustfmt", "fmt") {
        return Ok(Tally::skip(reason));
    }
    run(cargo().args(["fmt", "--all", "--check"]))?;
    Ok(Tally::pass())
}

/// `cargo clippy`, warnings as errors; for all packages if none is named.
pub fn clippy(packages: &[&str]) -> Result<Tally> {
    if let Err(reason) = component("clippy", "clippy") {
        return Ok(Tally::skip(reason));
    }
    run(cargo()
        .args(["clippy", "--all-targets"])
        .args(selected(packages))
        .args(["--", "-D", "warnings"]))?;
    Ok(Tally::pass())
}

/// The options of cargo that select packages, or all if none is named.
pub fn selected(packages: &[&str]) -> Vec<String> {
    match packages {
        [] => vec!["--workspace".to_owned()],
        packages => packages
            .iter()
            .map(|name| format!("--package={name}"))
            .collect(),
    }
}

/// `cargo doc` for all crates, warnings as errors.
pub fn docs() -> Result<Tally> {
    run(cargo()
        .args(["doc", "--no-deps", "--lib", "--workspace"])
        .args(["--exclude", "xtask"])
        // Its library has the name of the root package's, and so would its documentation; `hirace.h` has it.
        .args(["--exclude", "hirace-capi"])
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Tally::pass())
}

/// Ensures that a part of the toolchain is installed; rustup's minimal profile omits some.
fn component(name: &str, subcommand: &str) -> Result<(), String> {
    let works = || {
        crate::process::capture(cargo().args([subcommand, "--version"]))
            .is_ok_and(|output| output.success)
    };
    if works() {
        return Ok(());
    }
    if is_there("rustup") {
        run(Command::new("rustup").args(["component", "add", name]))
            .map_err(|error| format!("{name} is not installed: {error:#}"))?;
        if works() {
            return Ok(());
        }
    }
    Err(format!(
        "{name} is not installed, and there is no rustup to install it"
    ))
}

/// `cargo deny check`, if it is installed.
///
/// Advisories are left out: they change from day to day without a change here.
pub fn deny() -> Result<Tally> {
    if !is_there("cargo-deny") {
        return Ok(Tally::skip(
            "cargo-deny is not installed (cargo install cargo-deny)",
        ));
    }
    run(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    Ok(Tally::pass())
}
