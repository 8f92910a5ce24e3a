//! Bad input of all kinds: a clear message, status 2, no files left behind.

use crate::harness::{CLEAN, Sandbox};

#[track_caller]
fn rejected(sandbox: &Sandbox, arguments: &[&str], message: &str) {
    let before = sandbox.files();
    sandbox.check(arguments).ends_with(2).says(message);
    assert_eq!(
        sandbox.files(),
        before,
        "files were left behind or are gone"
    );
}

#[track_caller]
fn rejected_text(text: impl AsRef<[u8]>, message: &str) {
    rejected(&Sandbox::with(text), &["a.cu"], message);
}

#[test]
fn missing_file() {
    rejected(
        &Sandbox::new(),
        &["nowhere.cu"],
        "cannot read `nowhere.cu`: no such file or directory",
    );
}

#[test]
fn directory() {
    rejected(&Sandbox::new(), &["."], "`.` is a directory");
}

#[test]
fn empty_file() {
    rejected_text("", "`a.cu` is empty");
}

#[test]
fn binary_file() {
    rejected_text(
        b"\x7fELF\x02\x01\x01\0\0",
        "`a.cu` is a binary file: byte 7 is NUL",
    );
}

#[test]
fn unbalanced_braces() {
    let text = CLEAN.replacen("*out = 1;", "*out = 1; {", 1);
    rejected_text(text, "this brace is never closed");
}

#[test]
fn missing_header() {
    rejected_text(
        format!("#include \"nowhere.h\"\n{CLEAN}"),
        "the program needs `nowhere.h`: a.cu:1 includes `nowhere.h`",
    );
}

#[test]
fn compile_error_in_the_users_line() {
    let text = CLEAN.replacen("*out = 1;", "*out = undeclared;", 1);
    let sandbox = Sandbox::with(text);
    let outcome = sandbox.check(&["a.cu"]);
    outcome.ends_with(2).says("a.cu:2:");
    outcome.says("\n    2 │   if (blockIdx.x == 0) *out = undeclared;\n");
}

#[test]
fn missing_semicolon_at_the_end_of_a_kernel() {
    let text = CLEAN.replacen("*out = 1;", "*out = 1", 1);
    assert_ne!(text, CLEAN);
    let sandbox = Sandbox::with(text);
    let outcome = sandbox.check(&["a.cu"]);
    outcome
        .ends_with(2)
        .says("error: expected")
        .is_silent_on("has no body");
}

#[test]
fn compile_error_in_an_included_file() {
    let sandbox = Sandbox::with(format!("#include \"sub/b.h\"\n{CLEAN}")).file(
        "sub/b.h",
        "#pragma once\n\nint f() { return undeclared; }\n",
    );
    sandbox.check(&["a.cu"]).ends_with(2).says("sub/b.h:3:");
}

#[test]
fn what_the_linker_misses() {
    let uses = |declaration: &str, call: &str| {
        let text = CLEAN.replacen(
            "int main() {",
            &format!("{declaration}\nint main() {{\n  {call}"),
            1,
        );
        assert_ne!(text, CLEAN);
        Sandbox::with(text)
    };
    let help = "`helper(int)` is defined nowhere: name the source file that defines it";
    uses("void helper(int);", "helper(1);")
        .check(&["a.cu"])
        .ends_with(2)
        .says("could not link the program")
        .says("undefined reference to")
        .says(help)
        .is_silent_on("could not compile");
    let sandbox = Sandbox::with(CLEAN.replacen("int main()", "int run()", 1));
    let outcome = sandbox.check(&["a.cu"]);
    outcome.ends_with(2).says("the program has no `main`");
    Sandbox::with(CLEAN)
        .check(&["a.cu", "-lnowhere"])
        .ends_with(2)
        .says("there is no library `nowhere` here");
    // With the object it is there, also if there are several source files.
    let sandbox = uses("extern \"C\" void helper(int);", "helper(1);")
        .file("helper.c", "void helper(int x) { (void)x; }\n")
        .file("b.cu", "__global__ void unused(int* p) { *p = 1; }\n");
    let mut compiler = std::process::Command::new("cc");
    compiler
        .args(["-c", "helper.c"])
        .current_dir(sandbox.path("."));
    assert!(compiler.status().is_ok_and(|it| it.success()));
    for files in [&["a.cu", "helper.o"][..], &["a.cu", "b.cu", "helper.o"]] {
        sandbox.check(files).ends_with(0);
    }
}

#[test]
fn kernel_without_a_body() {
    let sandbox = Sandbox::with(CLEAN.replacen("{\n  if (blockIdx.x == 0) *out = 1;\n}", ";", 1));
    rejected(
        &sandbox,
        &["a.cu"],
        "kernel `one_writes` is launched, but has no body",
    );
}

#[test]
fn no_kernel() {
    rejected_text(
        "int main() {}\n",
        "no kernel in `a.cu`, and no other use of CUDA: there is nothing to check",
    );
}

#[test]
fn instrumented_already() {
    let sandbox = Sandbox::with(CLEAN);
    sandbox.run(&["instrument", "a.cu"]).ends_with(0);
    rejected(
        &sandbox,
        &["hirace-out/a.cu"],
        "`hirace-out/a.cu` is already instrumented",
    );
}

#[test]
fn no_compiler() {
    let sandbox = Sandbox::with(CLEAN);
    let mut command = sandbox.command(&["check", "--backend", "cpu", "a.cu"]);
    let output = command.env("CXX", "no-such-compiler").output().unwrap();
    let outcome = crate::harness::Outcome::of(output);
    outcome
        .ends_with(2)
        .says("cannot run the C++ compiler `no-such-compiler`");
}

#[test]
fn bad_configuration_shows_its_place() {
    let sandbox = Sandbox::with(CLEAN).file("hirace.toml", "[monitor]\nspace = [\"shared\"]\n");
    rejected(&sandbox, &["a.cu"], "unknown field `space`");
    sandbox.check(&["a.cu"]).says("hirace.toml:2:1");
}

#[test]
fn missing_configuration() {
    let sandbox = Sandbox::with(CLEAN);
    rejected(
        &sandbox,
        &["a.cu", "--config", "x.toml"],
        "cannot read `x.toml`",
    );
}

#[test]
fn unknown_option() {
    let sandbox = Sandbox::with(CLEAN);
    rejected(
        &sandbox,
        &["a.cu", "--sead", "1"],
        "unexpected argument '--sead'",
    );
    rejected(&sandbox, &["a.cu", "--timeout", "0"], "must be more than 0");
}

#[test]
fn report_that_cannot_be_written_is_found_before_the_program_runs() {
    let sandbox = Sandbox::with(CLEAN);
    rejected(
        &sandbox,
        &["a.cu", "--output", "no/dir/r.json"],
        "cannot write `no/dir/r.json`",
    );
    rejected(&sandbox, &["a.cu", "--output", "."], "cannot write `.`");
}

#[test]
fn an_earlier_report_survives_a_failure() {
    let sandbox = Sandbox::with("int main() {}\n").file("r.txt", "earlier");
    sandbox.check(&["a.cu", "--output", "r.txt"]).ends_with(2);
    assert_eq!(sandbox.read("r.txt"), "earlier");
}

#[test]
fn json_of_a_failure() {
    let sandbox = Sandbox::with("int main() {}\n");
    let outcome = sandbox.check(&["a.cu", "--format", "json"]);
    let report = outcome.ends_with(2).json();
    assert_eq!(report["schema"], "hirace-report/1");
    assert_eq!(report["status"], "failed");
    assert_eq!(report["failure"]["kind"], "input");
    assert_eq!(report["races"], serde_json::json!([]));
}
