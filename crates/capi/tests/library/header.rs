//! `hirace.h` declares what the library has, with the same types.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tempfile::TempDir;

use crate::build::{Language, library, root, said};

const SOURCE: &str = include_str!("../../src/lib.rs");

/// A function of the library: its name, and its declaration in C.
fn functions() -> Vec<(String, String)> {
    let exported = SOURCE.split("#[unsafe(no_mangle)]\npub ").skip(1);
    exported.map(declaration).collect()
}

/// The declaration in C of the Rust function that a text starts with.
fn declaration(text: &str) -> (String, String) {
    let (_, rest) = text
        .split_once("extern \"C\" fn ")
        .expect("a function of C");
    let (head, _) = rest.split_once(" {\n").expect("a body");
    let (name, rest) = head.split_once('(').expect("parameters");
    let (parameters, result) = rest.rsplit_once(')').expect("their end");
    let result = result.strip_prefix(" -> ").map_or("void", c_type);
    let parameters: Vec<&str> = parameters
        .split(',')
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .map(|it| c_type(it.split_once(": ").expect("a type").1))
        .collect();
    let parameters = match parameters.is_empty() {
        true => "void".to_owned(),
        false => parameters.join(", "),
    };
    (name.to_owned(), format!("{result} {name}({parameters});"))
}

/// A type in C.
fn c_type(rust: &str) -> &'static str {
    match rust {
        "c_int" => "int",
        "u32" => "uint32_t",
        "u64" => "uint64_t",
        "usize" => "size_t",
        "*const c_char" => "const char *",
        "*const c_void" => "const void *",
        "*mut c_void" => "void *",
        "*const [u32; 3]" => "const uint32_t[3]",
        "*const u64" => "const uint64_t *",
        "*mut Session" => "hirace_session *",
        "*const Memory" => "const hirace_array *",
        "*mut Memory" => "hirace_array *",
        other => panic!("no type of C for {other}"),
    }
}

fn header() -> String {
    let path = root().join("crates/capi/include/hirace.h");
    std::fs::read_to_string(path).expect("read")
}

/// The names of functions that a text declares: words before a parenthesis, outside comments and macros.
fn declared(header: &str) -> BTreeSet<String> {
    let mut code = String::new();
    for part in header.split("/*") {
        code += part.split_once("*/").map_or(part, |it| it.1);
    }
    let lines = code.lines().filter(|it| !it.starts_with('#'));
    let code: String = lines.collect::<Vec<_>>().join("\n");
    let before = code.match_indices('(').map(|(at, _)| &code[..at]);
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    before
        .map(|it| it.rsplit(|it| !is_name(it)).next().unwrap_or(""))
        .filter(|it| it.starts_with("hirace_"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_header_declares_each_function() {
    let names: BTreeSet<String> = functions().into_iter().map(|it| it.0).collect();
    assert!(names.contains("hirace_session_run"));
    assert_eq!(declared(&header()), names);
}

#[test]
fn the_library_exports_only_these() {
    let mut command = std::process::Command::new("nm");
    let Ok(output) = command
        .args(["-D", "--defined-only"])
        .arg(library())
        .output()
    else {
        println!("skipped: no nm");
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|it| it.split(' ').nth(2));
    let names: BTreeSet<String> = names.map(str::to_owned).collect();
    assert_eq!(names, functions().into_iter().map(|it| it.0).collect());
}

/// A compiler rejects a second declaration with other types.
#[test]
fn the_types_are_the_same() {
    for language in [Language::C, Language::Cpp] {
        let directory = TempDir::new().expect("a directory");
        let source = directory.path().join("types.c");
        let mut text = "#include \"hirace.h\"\n#include \"hirace.h\"\n".to_owned();
        text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
        for (_, declaration) in functions() {
            let _ = writeln!(text, "{declaration}");
        }
        text.push_str("#ifdef __cplusplus\n}\n#endif\n");
        std::fs::write(&source, text).expect("written");
        said(language.compiler().arg("-fsyntax-only").arg(&source));
    }
}

/// The examples of the header and of its page are pieces of a program.
#[test]
fn examples_compile() {
    let page = std::fs::read_to_string(root().join("docs/c-library.md")).expect("read");
    let (_, page) = page.split_once("```c\n").expect("an example");
    let (page, _) = page.split_once("```").expect("its end");
    let header = header();
    let lines = header.lines().filter_map(|it| it.strip_prefix(" *     "));
    let calls = lines.filter(|it| it.ends_with(';'));
    let header = calls.collect::<Vec<_>>().join("\n");
    for example in [page, &header] {
        assert!(example.contains("hirace_session_run"), "{example}");
        let (includes, calls): (Vec<&str>, Vec<&str>) =
            example.lines().partition(|it| it.starts_with('#'));
        let text = format!(
            "#include <stdio.h>\n#include <string.h>\n#include \"hirace.h\"\n{}\n\
             void example(const char *ptx, size_t length, float *data, float *x_data, float factor);\n\
             void example(const char *ptx, size_t length, float *data, float *x_data, float factor) {{\n\
             (void)length, (void)data, (void)x_data;\n{}\n}}\n",
            includes.join("\n"),
            calls.join("\n")
        );
        let directory = TempDir::new().expect("a directory");
        let source = directory.path().join("example.c");
        std::fs::write(&source, text).expect("written");
        said(Language::C.compiler().arg("-fsyntax-only").arg(&source));
    }
}

#[test]
fn the_numbers_are_the_same() {
    for (header_says, source_says) in [
        (
            "#define HIRACE_API_VERSION 2\n",
            "const API_VERSION: u32 = 2;",
        ),
        ("HIRACE_OK = 0,", "const OK: c_int = 0;"),
        ("HIRACE_FINDINGS = 1,", "const FINDINGS: c_int = 1;"),
        ("HIRACE_ERROR = 2 ", "const ERROR: c_int = 2;"),
        ("HIRACE_COOPERATIVE = 1 ", "const COOPERATIVE: u32 = 1;"),
    ] {
        assert!(header().contains(header_says), "{header_says}");
        assert!(SOURCE.contains(source_says), "{source_says}");
    }
}
