//! UI programs as PTX: their verdicts must be those of the CUDA source.
//!
//! `nvcc_launches.txt` has a launch for each program.

use std::fmt::Write as _;
use std::process::Command;

use hirace::report;
use xtask::ui::Program;

/// A program with the launch of its kernel.
#[derive(Clone)]
pub struct Launched {
    pub program: Program,
    grid: String,
    block: String,
    shared: String,
    arguments: String,
}

/// All programs, in both forms.
pub fn programs() -> Vec<Launched> {
    let mut all = Vec::new();
    for line in include_str!("nvcc_launches.txt").lines() {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [name, grid, block, shared, arguments] = parts[..] else {
            assert!(line.starts_with('#'), "{line}");
            continue;
        };
        let original = Program::named(name).unwrap_or_else(|why| panic!("{why}"));
        let twin = Program::named(&format!("{name}.repaired")).ok();
        for program in [Some(original), twin].into_iter().flatten() {
            all.push(Launched {
                program,
                grid: grid.to_owned(),
                block: block.to_owned(),
                shared: shared.to_owned(),
                arguments: arguments.to_owned(),
            });
        }
    }
    all
}

impl Launched {
    pub fn test_name(&self) -> String {
        format!("nvcc/{}", self.program)
    }

    /// Compiles the program, and compares the findings.
    pub fn check(&self) -> Result<(), String> {
        let directory = tempfile::tempdir().map_err(|it| it.to_string())?;
        let at = directory.path();
        let text = xtask::root().join(&self.program.file);
        let text = std::fs::read_to_string(text).map_err(|it| it.to_string())?;
        let text = self.program.form.text_of(&text);
        std::fs::write(at.join("program.cu"), text).map_err(|it| it.to_string())?;
        let mut nvcc = xtask::nvcc::locate()?.command_for("sm_80");
        let includes = xtask::root().join("tests/ui");
        nvcc.args(["-ptx", "-lineinfo", "program.cu", "-o", "program.ptx", "-I"]);
        run(nvcc.arg(includes).current_dir(at), &[0])?;
        let ptx = std::fs::read_to_string(at.join("program.ptx")).map_err(|it| it.to_string())?;
        let kernel = ptx
            .split(".entry")
            .nth(1)
            .and_then(|it| it.split('(').next());
        let launch = self.launch_file(kernel.ok_or("no kernel")?.trim());
        std::fs::write(at.join("launch.toml"), launch).map_err(|it| it.to_string())?;
        let mut hirace = Command::new(env!("CARGO_BIN_EXE_hirace"));
        hirace.args(["check", "program.ptx", "--launch", "launch.toml"]);
        hirace.args(["--format", "json", "--output", "report.json"]);
        let said = run(hirace.current_dir(at), &[0, 1, 2])?;
        let found = std::fs::read_to_string(at.join("report.json"))
            .map_err(|_| said.clone())
            .and_then(|it| report::read::parse("report.json", &it).map_err(|it| it.to_string()))?;
        let compared = self.program.expected.compare(&found);
        compared.map_err(|why| format!("{why}\n{said}"))
    }

    fn launch_file(&self, kernel: &str) -> String {
        let mut text = format!(
            "kernel = {kernel:?}\ngrid = [{}]\nblock = [{}]\ndynamic-shared = {}\n",
            self.grid, self.block, self.shared
        );
        for argument in self.arguments.split(' ') {
            let (name, rest) = argument.split_once(':').expect("NAME:…");
            let (kind, value) = rest.split_once('=').expect("…=VALUE");
            let _ = match kind.strip_suffix(']').and_then(|it| it.split_once('[')) {
                Some((kind, count)) => writeln!(
                    text,
                    "[[argument]]\nname = {name:?}\ntype = {kind:?}\nshape = [{count}]\nfill = {value:?}"
                ),
                None => writeln!(text, "[[argument]]\ntype = {kind:?}\nvalue = {value}"),
            };
        }
        text
    }
}

/// Everything that a command prints; an error if it ends with another status.
fn run(command: &mut Command, statuses: &[i32]) -> Result<String, String> {
    let output = command
        .env("NO_COLOR", "1")
        .output()
        .map_err(|it| it.to_string())?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    match output
        .status
        .code()
        .is_some_and(|it| statuses.contains(&it))
    {
        true => Ok(text),
        false => Err(format!("{}\n{text}", output.status)),
    }
}

/// Why the programs cannot be compiled, if they cannot.
pub fn missing() -> Option<String> {
    xtask::nvcc::locate().err()
}
