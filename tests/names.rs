//! Checks the tables of names in `docs/cpu-executor.md` and `docs/cub-thrust.md` against the
//! headers.
//!
//! A table is between `<!-- names: begin HEADER... -->` and `<!-- names: end -->`. Its second
//! column lists names that programs may use after including the headers, its third column names
//! whose use is a compile-time error with an explanation.

use std::collections::HashSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hirace::toolchain::Runtime;
use hirace_syntax::names::{Home, names_of};

struct Table {
    headers: Vec<String>,
    supported: Vec<String>,
    refused: Vec<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The texts between pairs of backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn tables() -> Vec<Table> {
    let pages = ["docs/cpu-executor.md", "docs/cub-thrust.md"];
    let pages = pages.map(|it| fs::read_to_string(root().join(it)).expect("a page"));
    let mut tables: Vec<Table> = Vec::new();
    let mut open = false;
    for line in pages.iter().flat_map(|page| page.lines()) {
        if let Some(rest) = line.strip_prefix("<!-- names: begin") {
            let headers = rest.trim_end_matches("-->").split_whitespace();
            let headers = headers.map(str::to_owned).collect();
            tables.push(Table {
                headers,
                supported: Vec::new(),
                refused: Vec::new(),
            });
            open = true;
        } else if line.starts_with("<!-- names: end") {
            open = false;
        } else if open && let [_, _, supported, refused, ..] = *line.split('|').collect::<Vec<_>>()
        {
            let table = tables.last_mut().expect("a table was opened");
            table.supported.extend(names(supported));
            table.refused.extend(names(refused));
        }
    }
    tables
}

/// `action` is `-fsyntax-only` or `-c`.
fn compile(action: &str, file: &str, text: &str) -> std::process::Output {
    let source = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    fs::write(&source, text).expect("a source file");
    let device = xtask::device_headers().expect("device headers");
    Command::new(env::var_os("CXX").unwrap_or_else(|| "c++".into()))
        .args([
            "-x",
            "c++",
            "-std=c++17",
            "-pthread",
            Runtime::MACRO,
            action,
            "-o",
            "/dev/null",
        ])
        .arg("-I")
        .arg(&device)
        .arg("-I")
        .arg(device.join("hirace/toolkit"))
        .args(["-include", "hirace/hirace.cuh"])
        .arg(&source)
        .output()
        .expect("a C++ compiler")
}

fn includes(table: &Table) -> String {
    let lines = table.headers.iter().map(|it| format!("#include <{it}>\n"));
    lines.collect()
}

#[test]
fn every_supported_name_is_there() {
    for (number, table) in tables().iter().enumerate() {
        let mut text = includes(table);
        for (index, name) in table.supported.iter().enumerate() {
            // Either a macro, or a name that a using-declaration accepts.
            let global = format!("::{name}");
            let unit = if name.contains("::") { name } else { &global };
            let _ = writeln!(
                text,
                "#ifndef {last}\nnamespace probe{index} {{ using {unit}; }}\n#endif",
                last = name.rsplit(':').next().unwrap_or(name)
            );
        }
        let output = compile("-fsyntax-only", &format!("supported{number}.cpp"), &text);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(!table.supported.is_empty() || !table.refused.is_empty());
    }
}

#[test]
fn every_refused_name_is_an_error_that_says_so() {
    for (number, table) in tables().iter().enumerate() {
        // After errors in types the compiler does not reach the calls, so each kind has a file.
        let (types, functions): (Vec<&String>, Vec<&String>) = table
            .refused
            .iter()
            .partition(|name| name.ends_with("_t") || name.starts_with("struct "));
        for (kind, names) in [("types", types), ("calls", functions)] {
            if names.is_empty() {
                continue;
            }
            let mut text = includes(table);
            for (index, name) in names.iter().enumerate() {
                let name = name.trim_start_matches("struct ");
                let _ = match kind {
                    "types" => writeln!(text, "void probe{index}({name}) {{}}"),
                    _ => writeln!(text, "void probe{index}() {{ {name}(); }}"),
                };
            }
            let output = compile("-c", &format!("refused-{kind}{number}.cpp"), &text);
            let messages = String::from_utf8_lossy(&output.stderr);
            for name in names {
                let name = name.trim_start_matches("struct ");
                let last = name.rsplit(':').next().unwrap_or(name);
                let wanted = format!("{last} is not supported");
                let is_reported = messages
                    .lines()
                    .any(|line| line.contains("error: ") && line.contains(&wanted));
                assert!(is_reported, "no error says `{wanted}`:\n{messages}");
            }
        }
    }
}

/// What hirace knows of a function by its name is a promise: the executor has it, or says that it has not.
#[test]
fn every_known_name_is_in_a_table() {
    let tables = tables();
    let listed = tables
        .iter()
        .flat_map(|it| it.supported.iter().chain(&it.refused));
    let listed: HashSet<&str> = listed
        .map(|it| it.rsplit(':').next().unwrap_or(it))
        .collect();
    let homes = [Home::Global, Home::CudaPtx, Home::Cuda, Home::Thrust];
    let known = homes.into_iter().flat_map(names_of);
    let missing: Vec<&str> = known
        .map(|(name, _)| name)
        .filter(|it| !listed.contains(it))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
