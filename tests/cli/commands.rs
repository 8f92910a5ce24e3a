//! The small commands, and the help.

use crate::harness::{Outcome, Sandbox};

fn run(arguments: &[&str]) -> Outcome {
    Sandbox::new().run(arguments)
}

#[test]
fn version() {
    let outcome = run(&["-V"]);
    outcome.ends_with(0);
    let name = concat!("hirace ", env!("CARGO_PKG_VERSION"));
    assert_eq!(outcome.stdout, format!("{name}\n"));
    let long = run(&["--version"]).stdout;
    let mut lines = long.lines();
    assert!(lines.next().is_some_and(|line| line.starts_with(name)));
    let is_checkout = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(".git/HEAD")
        .is_file();
    assert!(!is_checkout || !long.contains("no commit"), "{long}");
    for (line, begin) in lines.zip([
        "C++ compiler: ",
        "CUDA compiler: ",
        "reports: hirace-report/1",
    ]) {
        assert!(line.starts_with(begin), "{long}");
    }
    assert!(!long.contains("C++ compiler: none"));
}

/// The list is written by hand, in groups.
#[test]
fn help_lists_every_command() {
    let help = run(&["--help"]).stdout;
    let listed = |name: &str| {
        let mut words = help.lines().filter_map(|line| line.strip_prefix("  "));
        words.any(|line| line.split(' ').next() == Some(name))
    };
    // Programs run `module`; it is hidden.
    let commands = hirace::cli::commands().into_iter();
    for command in commands.filter(|it| it != "module") {
        assert!(listed(&command), "{command}");
        assert!(run(&["man", &command]).ends_with(0).stdout.contains(".TH"));
    }
    assert!(listed("nvcc,"));
    let page = run(&["man", "check"]).stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert!(page.contains(&format!("\"hirace {version}\" \"hirace manual\"")));
    assert!(page.contains(".SH SYNOPSIS\nhirace check [OPTIONS] <FILE>... [\\-\\- <ARGS>...]\n"));
    for compiler in ["nvcc", "g++"] {
        let page = run(&["man", compiler]);
        assert!(page.ends_with(0).stdout.contains("HIRACE_BACKEND"));
    }
    run(&["man", "nothing"]).ends_with(2).says("`nothing`");
}

#[test]
fn verbose_shows_commands_and_times() {
    let sandbox = Sandbox::with("__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n");
    let outcome = sandbox.check(&["a.cu", "-v"]);
    let shown: Vec<_> = outcome
        .stderr
        .lines()
        .filter(|it| it.starts_with("+ "))
        .collect();
    assert!(shown.len() >= 2, "{}", outcome.stderr);
    assert!(shown.iter().all(|it| it.ends_with(" s")), "{shown:?}");
}

#[test]
fn compiler_options_need_no_mark() {
    let source = "#include \"n.h\"\n__global__ void k(int* p) { p[0] = threadIdx.x; }
int main() { int* p; cudaMalloc(&p, 4); k<<<1, N>>>(p); return cudaDeviceSynchronize() + M; }\n";
    let sandbox = Sandbox::with(source).file("include/n.h", "#define N 64\n");
    let options = [
        "-Iinclude",
        "-D",
        "M=0",
        "-std=c++20",
        "-arch=sm_80",
        "-Xcompiler",
        "-Wall,-Wextra",
        "-lm",
    ];
    sandbox
        .check(&[&["a.cu"][..], &options].concat())
        .ends_with(1)
        .says("HR006");
    sandbox
        .check(&[&["a.cu"][..], &options[1..]].concat())
        .ends_with(2)
        .says("n.h");
}

#[test]
fn watch_checks_again_after_a_change() {
    let sandbox = Sandbox::with(
        "__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main() { int* p; cudaMalloc(&p, 4 * 64); k<<<1, 64>>>(p); return cudaDeviceSynchronize(); }\n",
    );
    let log = std::fs::File::create(sandbox.path("log")).expect("a file");
    let mut command = sandbox.command(&["watch", "--backend", "cpu", "a.cu", "-O0"]);
    let mut watch = command.stderr(log).spawn().expect("hirace starts");
    let waits_for = |text: &str, times: usize| {
        for _ in 0..3000 {
            if sandbox.read("log").matches(text).count() >= times {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{}", sandbox.read("log"));
    };
    waits_for("waiting for a change", 1);
    let text = sandbox.read("a.cu").replace("p[threadIdx.x]", "p[0]");
    std::fs::write(sandbox.path("a.cu"), text).expect("a file");
    waits_for("waiting for a change", 2);
    waits_for("HR006\n", 1);
    watch.kill().expect("it runs");
    watch.wait().expect("it ends");
    assert!(sandbox.read("log").contains("no race found"));
}

#[test]
fn watch_sees_ptx_and_its_launch_file() {
    let ptx = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k()\n{\n\tret;\n}\n";
    let sandbox = Sandbox::new()
        .file("k.ptx", ptx)
        .file("launches/k.toml", "kernel = \"none\"\n");
    let log = std::fs::File::create(sandbox.path("log")).expect("a file");
    let mut command = sandbox.command(&["watch", "k.ptx", "--launch", "launches/k.toml"]);
    let mut watch = command.stderr(log).spawn().expect("hirace starts");
    let waits_for = |times: usize| {
        for _ in 0..600 {
            if sandbox.read("log").matches("waiting for a change").count() >= times {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{}", sandbox.read("log"));
    };
    waits_for(1);
    std::fs::write(sandbox.path("k.ptx"), format!("{ptx}\n")).expect("a file");
    waits_for(2);
    std::fs::write(sandbox.path("launches/k.toml"), "kernel = 3\n").expect("a file");
    waits_for(3);
    watch.kill().expect("it runs");
    watch.wait().expect("it ends");
}

#[test]
fn help_groups_options_and_lists_those_of_compilers() {
    let help = run(&["check", "-h"]).stdout;
    for text in ["\nReports:\n", "\nSchedules:\n", "\n  -I DIR, "] {
        assert!(help.contains(text), "{text}");
    }
}

#[test]
fn help_everywhere_and_exit_status_in_it() {
    for command in [
        &["--help"][..],
        &["check", "--help"],
        &["run", "--help"],
        &["instrument", "--help"],
        &["fsm", "--help"],
        &["fsm", "table", "--help"],
        &["fsm", "murphi", "--help"],
        &["fsm", "dot", "--help"],
        &["fsm", "verify", "--help"],
        &["fsm", "trace", "--help"],
        &["explain", "--help"],
        &["doctor", "--help"],
        &["completions", "--help"],
    ] {
        let outcome = run(command);
        outcome.ends_with(0);
        assert!(outcome.stdout.contains("Usage: hirace"), "{command:?}");
    }
    assert!(run(&["--help"]).stdout.contains("Exit status:"));
    assert!(run(&["check", "--help"]).stdout.contains("Exit status:"));
}

#[test]
fn no_command() {
    run(&[]).ends_with(2);
}

#[test]
fn explain() {
    let page = run(&["explain", "hr001"]);
    page.ends_with(0);
    assert!(page.stdout.starts_with("# HR001: missing block barrier\n"));
    let list = run(&["explain", "--list"]);
    list.ends_with(0);
    assert!(list.stdout.contains("HR006") && list.stdout.contains("HF001"));
    let same = run(&["explain"]);
    same.ends_with(0);
    assert_eq!(same.stdout, list.stdout);
    run(&["explain", "XY999"])
        .ends_with(2)
        .says("no page for `XY999`");
    run(&["explain", "hr01"])
        .ends_with(2)
        .says("did you mean HR001");
}

#[test]
fn completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let outcome = run(&["completions", shell]);
        outcome.ends_with(0);
        assert!(outcome.stdout.contains("instrument"), "{shell}");
    }
}
