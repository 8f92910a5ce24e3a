//! Invariants of the translation of PTX for every text.
//!
//! A fuzz target checks them, and so does a test of `crates/ptx`, with mutations of compilers' output.

use std::fmt::Write as _;
use std::path::Path;

use hirace_instrument::rewrite::{MonitorAll, Skip};
use hirace_model::error::Error;
use hirace_ptx::module::{Function, Module};
use hirace_ptx::{Checks, Plan, Ptx, parser, translate};

/// Translates `text` with a launch of each kernel. A mistake must have a place in one of the two texts. Returns
/// whether there is none.
pub fn check(text: &str) -> bool {
    let module = match parser::parse("fuzz.ptx", text) {
        Ok(module) => module,
        Err(error) => {
            has_place(&error, &[text]);
            return false;
        }
    };
    let launches = launches(&module);
    let checks = Checks {
        monitor: &MonitorAll,
        skip: Skip::default(),
    };
    let translated = Ptx::parse(Path::new("fuzz.ptx"), text.to_owned()).and_then(|ptx| {
        let plan = Plan::parse(Path::new("launch.toml"), &launches, &ptx)?;
        translate(&ptx, &plan, checks, 1)
    });
    match translated {
        Ok(_) => true,
        Err(error) => {
            has_place(&error, &[text, &launches]);
            false
        }
    }
}

fn has_place(error: &Error, texts: &[&str]) {
    let Error::Syntax(mistake) = error else {
        panic!("an error without a place: {error}");
    };
    let source = mistake.source_code.inner();
    assert!(texts.contains(&source.as_str()), "of another text: {error}");
    let start = mistake.span.offset();
    let end = start + mistake.span.len();
    assert!(source.get(start..end).is_some(), "{start}..{end}: {error}");
}

/// A launch file with a launch of each kernel.
fn launches(module: &Module) -> String {
    let mut text = String::new();
    for kernel in module.kernels() {
        launch(kernel, &mut text);
    }
    text
}

fn launch(kernel: &Function, text: &mut String) {
    let _ = writeln!(text, "[[launch]]\nkernel = {:?}", kernel.name);
    text.push_str("grid = [1]\nblock = [32]\n");
    for parameter in &kernel.parameters {
        let argument = match parameter.bytes() {
            8 => "type = \"u32\"\nshape = [64]",
            4 => "type = \"u32\"\nvalue = 1",
            2 => "type = \"u16\"\nvalue = 1",
            _ => "type = \"u8\"\nvalue = 1",
        };
        let _ = writeln!(text, "[[launch.argument]]\n{argument}");
    }
}
