//! The executor's headers, compiled once for all programs of a test.
//!
//! Every program starts with them, and a third of the time that it takes to compile goes into
//! reading them. GCC takes a precompiled header where it would have found the same, and
//! skips the text that the program then includes by itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use hirace::instrument::headers;

/// Arguments of `hirace` for its compiler: `options`, and to start with the headers compiled
/// with these options. Compilers other than GCC only get the options.
pub fn with_headers(options: &[&str]) -> Vec<String> {
    let mut arguments: Vec<String> = options.iter().map(|&it| it.to_owned()).collect();
    if let Some(header) = precompile(options) {
        arguments.extend(["-include".to_owned(), header]);
    }
    arguments
}

/// The header to include, with what was compiled of it beside it; none without GCC.
fn precompile(options: &[&str]) -> Option<String> {
    let compiler = xtask::process::cxx();
    let about = Command::new(&compiler).arg("--version").output().ok()?;
    // Of the compilers that answer to this name, GCC alone names its owner.
    if !String::from_utf8_lossy(&about.stdout).contains("Free Software Foundation") {
        return None;
    }
    let directory =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("headers{}", options.concat()));
    headers::write(&directory).expect("the headers are written");
    let header = directory.join("start.h");
    fs::write(&header, "#include <hirace/hirace.cuh>\n").expect("a header");
    // Another run of the same tests may be using what lies there.
    let made = directory.join(format!("start.{}", std::process::id()));
    let output = Command::new(&compiler)
        .args(["-x", "c++-header", "-std=c++17", "-pthread"])
        .args(options)
        .arg("-I")
        .arg(&directory)
        .arg("-I")
        .arg(directory.join("hirace/toolkit"))
        .arg("-o")
        .arg(&made)
        .arg(&header)
        .output()
        .expect("the compiler starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    fs::rename(&made, directory.join("start.h.gch")).expect("the compiled header");
    Some(header.display().to_string())
}
