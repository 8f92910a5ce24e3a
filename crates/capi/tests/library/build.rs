//! The library, and programs that are linked with it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// The root of the repository.
pub fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().and_then(Path::parent).expect("two folders up")
}

/// `libhirace.so`.
///
/// Cargo builds a package's library for its tests only if Rust code can be linked with it, so this test does. `xtask`
/// enables the features of dependencies that the whole workspace has: with it, most is compiled already.
pub fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--lib", "--message-format=json"]);
        cargo.args(["--package=hirace-capi", "--package=xtask"]);
        if !cfg!(debug_assertions) {
            cargo.arg("--release");
        }
        let text = said(cargo.current_dir(root()));
        let artifacts = text.lines().filter_map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).ok()?;
            let files = message["filenames"].as_array()?.clone();
            files
                .into_iter()
                .find_map(|it| Some(it.as_str()?.to_owned()))
        });
        let mut libraries = artifacts.filter(|it| it.ends_with("/libhirace.so"));
        libraries.next().expect("cargo names the library").into()
    })
}

/// The standard output of a command that must succeed.
#[track_caller]
pub fn said(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("it starts");
    let (out, err) = (
        String::from_utf8_lossy(&stdout),
        String::from_utf8_lossy(&stderr),
    );
    assert!(status.success(), "{command:?}: {status}\n{out}{err}");
    out.into_owned()
}

/// A language with its compiler.
#[derive(Clone, Copy, Debug)]
pub enum Language {
    C,
    Cpp,
}

impl Language {
    /// The compiler, with warnings as errors.
    pub fn compiler(self) -> Command {
        let (variable, name, options) = match self {
            Self::C => ("CC", "cc", ["-xc", "-std=c11"]),
            Self::Cpp => ("CXX", "c++", ["-xc++", "-std=c++11"]),
        };
        let named = std::env::var_os(variable).filter(|it| !it.is_empty());
        let mut command = Command::new(named.as_deref().unwrap_or(OsStr::new(name)));
        command.args(options);
        command.args(["-Wall", "-Wextra", "-Werror", "-pedantic"]);
        command.arg(format!("-I{}/crates/capi/include", root().display()));
        command
    }

    /// Compiles a source file, and links it with the library. The program is in the directory.
    pub fn build(self, source: &Path, directory: &TempDir) -> PathBuf {
        let program = directory.path().join("program");
        let library = library().parent().expect("it is in a folder").display();
        let mut compiler = self.compiler();
        compiler.arg(source).arg("-o").arg(&program);
        compiler.args([format!("-L{library}"), "-lhirace".to_owned()]);
        said(compiler.arg(format!("-Wl,-rpath,{library}")));
        program
    }
}

/// Calls of the library write nothing themselves; this is what the program has printed.
#[track_caller]
pub fn run(program: &mut Command) -> String {
    let output = program.output().expect("it starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(
        output.status.success(),
        "{program:?}: {}\n{out}{err}",
        output.status
    );
    assert_eq!(err, "", "{out}");
    out.into_owned()
}
