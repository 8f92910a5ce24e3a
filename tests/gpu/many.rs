//! Many programs as one translation unit, each in a namespace, so the headers are compiled once
//! for each way to build them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use super::{include, toolkit};

/// A program to be combined with others.
pub struct Source {
    /// The argument that selects it in the combined program.
    pub key: String,
    pub text: String,
}

/// The programs combined into one, which runs the program that its first argument names.
///
/// `call` is the statement that does so: it calls `program` with its parameters, and returns.
/// `argc` and `argv` are then those of the selected program.
pub fn unit(sources: impl Iterator<Item = Source>, call: &str) -> String {
    let mut headers = BTreeSet::from(["#include <string>".to_owned()]);
    let (mut text, mut calls) = (String::new(), String::new());
    for (number, program) in sources.enumerate() {
        let _ = writeln!(text, "namespace program_{number} {{");
        for line in program.text.lines() {
            if line.starts_with("#include") {
                headers.insert(line.to_owned());
            } else {
                let _ = writeln!(text, "{}", line.replace("int main(", "int program("));
            }
        }
        text += "}\n";
        let using = format!("using program_{number}::program;");
        let _ = writeln!(
            calls,
            "  if (name == \"{}\") {{ {using} {call} }}",
            program.key
        );
    }
    let headers: Vec<String> = headers.into_iter().collect();
    let headers = headers.join("\n");
    format!(
        "{headers}\n{text}int main(int argc, char** argv) {{\n  const std::string name = argv[1];\n  --argc, ++argv;\n{calls}  return 9;\n}}\n"
    )
}

/// Builds `all.cu` in `directory` as the program `name`.
pub fn build(directory: &Path, name: &str, options: &[&str], macros: &[&str]) {
    let instrumented = format!("{name}.out");
    let instrument = Command::new(env!("CARGO_BIN_EXE_hirace"))
        .args(["instrument", "--backend", "gpu", "all.cu", "-o"])
        .arg(&instrumented)
        .args(options)
        .current_dir(directory)
        .output()
        .expect("hirace starts");
    assert!(instrument.status.success(), "{instrument:?}");
    let compile = Command::new(toolkit().join("nvcc"))
        .args([&format!("{instrumented}/all.cu"), "-o", name])
        .args(macros)
        .current_dir(directory)
        .env("MADE_UP_INCLUDE", include())
        .output()
        .expect("a compiler");
    let messages = String::from_utf8_lossy(&compile.stderr);
    assert!(compile.status.success(), "{messages}");
}
