//! Ctrl-C and SIGTERM: hirace reports what it found until then, and the program is killed.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::harness::{RACY, Sandbox};

const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

/// Races in every schedule. If `condition` holds, it then announces itself with its process number
/// and never ends.
fn racy_then_endless(condition: &str) -> String {
    let end = format!(
        "  if ({condition}) {{
    std::ofstream(\"running\") << getpid() << std::endl;
    std::printf(\"running\\n\");
    std::fflush(stdout);
    for (;;) pause();
  }}
}}
"
    );
    let body = RACY.strip_suffix("}\n").expect("the end of main");
    format!(
        "#include <cstdio>\n#include <cstdlib>\n#include <fstream>\n#include <unistd.h>\n{body}{end}"
    )
}

fn send(signal: i32, process: u32) {
    let number = format!("-{signal}");
    let sent = Command::new("kill")
        .args([&number, &process.to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

/// Waits until the program in the sandbox announces itself. Returns its process number.
fn wait_for_program(sandbox: &Sandbox) -> u32 {
    loop {
        let text = std::fs::read_to_string(sandbox.path("running")).unwrap_or_default();
        if let Some(number) = text.strip_suffix('\n') {
            return number.parse().expect("a process number");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn start(command: &mut Command) -> Child {
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("hirace starts")
}

/// The exit status and standard error of a process.
fn ending(mut child: Child) -> (ExitStatus, String) {
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().expect("a pipe");
    pipe.read_to_string(&mut stderr).expect("text");
    (child.wait().expect("an ending"), stderr)
}

#[track_caller]
fn is_gone(process: u32) {
    let path = format!("/proc/{process}/cmdline");
    let alive = std::fs::read(path).is_ok_and(|line| !line.is_empty());
    assert!(!alive, "the program still runs");
}

#[test]
fn what_was_found_by_then_is_reported() {
    for (signal, name) in [(SIGINT, "SIGINT (Ctrl-C)"), (SIGTERM, "SIGTERM")] {
        // With a time limit, the program has its own process group.
        for timeout in [&[][..], &["--timeout", "1000"]] {
            let sandbox = Sandbox::with(racy_then_endless("true"));
            let arguments = ["check", "--backend", "cpu", "--cc-arg", "-O0", "a.cu"];
            let child = start(sandbox.command(&arguments).args(timeout));
            let program = wait_for_program(&sandbox);
            send(signal, child.id());
            let (status, stderr) = ending(child);
            assert_eq!(status.signal(), Some(signal), "{stderr}");
            for text in [
                "data race on global `out`",
                &format!("the run was interrupted by {name}"),
                "the rest was not checked",
                "1 race (1 occurrence)",
            ] {
                assert!(stderr.contains(text), "no `{text}` in {stderr}");
            }
            is_gone(program);
            assert_eq!(sandbox.files(), ["a.cu", "running"]);
        }
    }
}

/// Ctrl-C reaches all processes of a terminal's foreground group.
#[test]
fn the_kernel_that_ran_is_named() {
    let text = "\
#include <cstdio>
__global__ void waits(volatile int* flag) {
  if (*flag == 0) printf(\"running\\n\");
  while (*flag == 0 && clock64() != 0) {
  }
}
int main() {
  int* flag;
  cudaMallocManaged(&flag, sizeof(int));
  *flag = 0;
  setvbuf(stdout, nullptr, _IOLBF, 0);
  waits<<<1, 1>>>(flag);
  cudaDeviceSynchronize();
}
";
    let sandbox = Sandbox::with(text);
    let build = ["g++", "-g", "-x", "cu", "a.cu", "-o", "a"];
    sandbox.run(&build).ends_with(0);
    let arguments = ["run", "--output", "report.json", "--format", "json", "--"];
    let mut command = sandbox.command(&arguments);
    let mut child = start(command.arg("./a").process_group(0));
    let mut line = String::new();
    let output = child.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut line).expect("a line");
    assert_eq!(line, "running\n");
    let group = format!("-{}", child.id());
    let sent = Command::new("kill").args(["-INT", "--", &group]).status();
    assert!(sent.expect("kill").success());
    let (status, stderr) = ending(child);
    assert_eq!(status.signal(), Some(SIGINT), "{stderr}");
    let report: Value = serde_json::from_str(&sandbox.read("report.json")).expect("JSON");
    let failure = &report["failure"];
    assert_eq!(failure["kind"], "interrupted");
    assert_eq!(failure["kernel"], "waits");
    // The program may still be printing.
    assert!([3, 4].map(Value::from).contains(&failure["line"]));
    assert_ne!(report["summary"]["accesses"], 0);
}

#[test]
fn schedules_that_were_finished_are_merged_and_named() {
    let condition = "std::getenv(\"HIRACE_SEED\") == std::string(\"2\")";
    let text = racy_then_endless(condition);
    let sandbox = Sandbox::with(format!("#include <string>\n{text}"));
    let arguments = ["check", "--backend", "cpu", "--cc-arg", "-O0", "a.cu"];
    let child = start(
        sandbox
            .command(&arguments)
            .args(["--explore", "9", "--jobs", "1"]),
    );
    let program = wait_for_program(&sandbox);
    send(SIGTERM, child.id());
    let (status, stderr) = ending(child);
    assert_eq!(status.signal(), Some(SIGTERM), "{stderr}");
    for text in [
        "SIGTERM interrupted the exploration after 2 of 9 schedules",
        "schedules completed: seeds 0 to 1; stopped early: seeds 2",
        "shown by 3 of 3 schedules",
    ] {
        assert!(stderr.contains(text), "no `{text}` in {stderr}");
    }
    is_gone(program);
}

#[test]
fn a_second_signal_ends_at_once() {
    // Standard error is not read and the program fills its pipe, so the report has to wait.
    let fill = "\
    fcntl(2, F_SETFL, O_NONBLOCK);
    while (write(2, \"x\", 1) == 1) {
    }
    fcntl(2, F_SETFL, 0);
    std::ofstream";
    let text = racy_then_endless("true").replace("    std::ofstream", fill);
    let sandbox = Sandbox::with(format!("#include <fcntl.h>\n{text}"));
    let mut child =
        start(&mut sandbox.command(&["check", "--backend", "cpu", "--cc-arg", "-O0", "a.cu"]));
    let program = wait_for_program(&sandbox);
    // Signals that arrive within a short time count once.
    let mut ended = None;
    for _ in 0..500 {
        send(SIGINT, child.id());
        std::thread::sleep(Duration::from_millis(20));
        ended = child.try_wait().expect("an ending");
        if ended.is_some() {
            break;
        }
    }
    if ended.is_none() {
        child.kill().expect("it still runs");
    }
    assert_eq!(ended.and_then(|it| it.signal()), Some(SIGINT));
    is_gone(program);
}
