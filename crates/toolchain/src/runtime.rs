//! The CPU executor as an object file, compiled once for all compatible programs.
//!
//! `device/hirace/library.cpp` is compiled with those of a program's options that all parts of a
//! program must share. The cache key consists of the compiler's identity, these options and the
//! headers. Options that are known to affect only the program are left out; unknown options are
//! included, because an unnecessary build is better than an incompatible object.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use hirace_model::Ended;
use hirace_model::error::{BuildStep, Error, Result};

use super::cache::{Cache, Key};
use super::call::{Call, DISABLE};

/// The key of a compiler: its executable, and the words after its name in `CXX`.
pub(super) fn identity(program: &Path, leading: &[OsString]) -> Key {
    let found = program
        .to_str()
        .and_then(super::gpu::on_path)
        .unwrap_or_else(|| program.to_owned());
    let path = std::fs::canonicalize(&found).unwrap_or(found);
    let mut key = Key::new("compiler").with(path.as_os_str().as_bytes());
    if let Ok(metadata) = std::fs::metadata(&path) {
        for number in [metadata.len(), metadata.mtime().unsigned_abs()] {
            key = key.with(number.to_le_bytes());
        }
    }
    leading.iter().fold(key, |key, it| key.with(it.as_bytes()))
}

/// Prefixes of options that affect only the program: paths of its files, macros, warnings,
/// optimisation, debug information, messages, and linker options. The runtime always has `-pthread`, and
/// passes no vectors that depend on the instructions there are.
const PROGRAM_OPTIONS: [&str; 26] = [
    "-I",
    "-D",
    "-U",
    "-W",
    "-w",
    "-O",
    "-g",
    "-l",
    "-L",
    "-i",
    "-M",
    "-x",
    "-o",
    "-c",
    "-T",
    "-u",
    "-Xlinker",
    "-mfma",
    "-ffp-contract",
    "-fcaller-saves",
    "-pthread",
    "-pipe",
    "-v",
    "--verbose",
    "-save-temps",
    "-fdiagnostics",
];

/// Prefixes of macros that change the layout of data that program and runtime share.
const SHARED_MACROS: [&str; 4] = ["HIRACE_", "_GLIBCXX_", "_LIBCPP_", "_FORTIFY_SOURCE"];

/// The standard that programs and the runtime are compiled with unless told otherwise.
pub(super) const STANDARD: &str = "-std=c++17";

/// The same standard with and without the compiler's extensions, which change no layout: CMake asks for them.
const STANDARDS: [&str; 2] = [STANDARD, "-std=gnu++17"];

/// Options of [`PROGRAM_OPTIONS`] whose value is the next argument.
const WITH_VALUE: [&str; 17] = [
    "-I",
    "-D",
    "-U",
    "-l",
    "-L",
    "-x",
    "-o",
    "-T",
    "-u",
    "-Xlinker",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-MF",
    "-MT",
];

/// The options that a program's runtime must be compiled with too. One that a build repeats changes nothing.
fn shared_options<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let mut shared = Vec::new();
    let mut rest = options.iter().copied();
    while let Some(option) = rest.next() {
        let (name, value) = match option {
            "-D" => ("-D", rest.next().unwrap_or("")),
            _ => (option, option.strip_prefix("-D").unwrap_or("")),
        };
        if name.starts_with("-D") && SHARED_MACROS.iter().any(|it| value.starts_with(it)) {
            if !shared.ends_with(&["-D", value]) {
                shared.extend(["-D", value]);
            }
        } else if WITH_VALUE.contains(&name) && name != "-D" {
            rest.next();
        } else if !STANDARDS.contains(&name)
            && (name.starts_with("-std") || !affects_only_the_program(name))
            && shared.last() != Some(&option)
        {
            shared.push(option);
        }
    }
    shared
}

/// Whether this is a file or an option that does not affect the runtime.
fn affects_only_the_program(option: &str) -> bool {
    !option.starts_with('-') || PROGRAM_OPTIONS.iter().any(|it| option.starts_with(it))
}

/// The executor, compiled for programs with certain options.
#[derive(Debug)]
pub struct Runtime {
    entry: PathBuf,
    compiler: PathBuf,
    leading: Vec<OsString>,
    options: Vec<String>,
}

/// The name of the object file in its entry.
const OBJECT: &str = "runtime.o";

/// The name of the same without debug information, for [`Runtime::embed`].
const EMBEDDED: &str = "embedded.o";

impl Runtime {
    /// The macro that leaves the executor's definitions to the runtime.
    pub const MACRO: &str = "-DHIRACE_LIBRARY=1";

    /// The runtime for programs that `compiler`, with the words `leading` before its arguments,
    /// compiles with `options`. Compiles it unless it is in the cache. `includes` are searched for
    /// the executor's headers. None if it does not compile: the messages for the program explain
    /// better what is wrong with the options.
    ///
    /// # Errors
    /// The user has interrupted us.
    pub fn find(
        compiler: &Path,
        leading: &[OsString],
        cache: &Cache,
        includes: &[PathBuf],
        options: &[&str],
    ) -> Result<Option<Self>> {
        // In the cache, the name of the headers' directory is the hash of their text.
        let Some((include, hash)) = includes.first().and_then(|it| Some((it, it.file_name()?)))
        else {
            return Ok(None);
        };
        let options = shared_options(options);
        let mut key = Key::new("runtime")
            .with(identity(compiler, leading).name())
            .with(hash.as_bytes());
        for option in &options {
            key = key.with(option);
        }
        let runtime = |entry: PathBuf| Self {
            entry,
            compiler: compiler.to_owned(),
            leading: leading.to_vec(),
            options: options.iter().map(|&it| it.to_owned()).collect(),
        };
        let fill = |entry: &Path| runtime(entry.to_owned()).compile(include, includes);
        let without = "the executor is compiled with the program";
        let entry = cache.once_or_without(&key, without, fill)?;
        Ok(entry.map(runtime))
    }

    /// The object file to link a program with.
    #[must_use]
    pub fn object(&self) -> PathBuf {
        self.entry.join(OBJECT)
    }

    /// Puts the runtime into `object`, which was compiled with [`Runtime::MACRO`], so that anyone
    /// can link it without knowing about the runtime. The linker keeps one of several copies,
    /// because the executor consists of inline functions and variables.
    ///
    /// # Errors
    /// The linker fails, or a file cannot be written.
    pub fn embed(&self, object: &Path) -> Result<()> {
        let whole = object.with_extension("hirace.o");
        self.relocatable(&[object, &self.entry.join(EMBEDDED)], &[], &whole)?;
        std::fs::rename(&whole, object).map_err(|source| Error::write(object, source))
    }

    fn compile(&self, include: &Path, includes: &[PathBuf]) -> Result<()> {
        let mut arguments: Vec<OsString> = vec!["-c".into(), "-O2".into(), "-g1".into()];
        arguments.extend(["-pthread".into(), STANDARD.into()]);
        arguments.extend(self.options.iter().map(OsString::from));
        arguments.push(include.join("hirace/library.cpp").into());
        arguments.extend(["-o".into(), self.object().into()]);
        for directory in includes {
            arguments.extend(["-I".into(), directory.into()]);
        }
        self.call(arguments, &self.object())?;
        let embedded = self.entry.join(EMBEDDED);
        match self.relocatable(&[&self.object()], &["-Wl,--strip-debug"], &embedded) {
            Err(Error::Interrupted) => Err(Error::Interrupted),
            // Some linkers cannot join objects. Programs can still be linked with the first one.
            _ => Ok(()),
        }
    }

    /// Joins objects to one.
    fn relocatable(&self, objects: &[&Path], options: &[&str], output: &Path) -> Result<()> {
        let mut arguments: Vec<OsString> = vec!["-r".into(), "-nostdlib".into()];
        arguments.extend(self.options.iter().map(OsString::from));
        arguments.extend(options.iter().map(OsString::from));
        arguments.extend(objects.iter().map(OsString::from));
        arguments.extend(["-o".into(), output.into()]);
        self.call(arguments, output)
    }

    fn call(&self, arguments: Vec<OsString>, output: &Path) -> Result<()> {
        quietly(&self.compiler, &self.leading, arguments, output)
    }
}

/// Runs the compiler without showing its messages: the user did not ask for what it makes.
pub(super) fn quietly(
    compiler: &Path,
    leading: &[OsString],
    arguments: Vec<OsString>,
    output: &Path,
) -> Result<()> {
    let call = Call {
        program: compiler.into(),
        arguments: [leading, &arguments].concat(),
        // A compiler behind a wrapper of ours has nothing to instrument here.
        environment: vec![(DISABLE, "1".into())],
    };
    let (stdout, stderr) = (output.with_extension("out"), output.with_extension("txt"));
    let ended = call.run_quietly(&stdout, &stderr)?;
    let messages = std::fs::read(&stderr).unwrap_or_default();
    for file in [stdout, stderr] {
        let _ = std::fs::remove_file(file);
    }
    match ended {
        Ended::Exited(0) => Ok(()),
        _ => Err(Error::Compile {
            step: BuildStep::Compile,
            compiler: compiler.display().to_string(),
            output: String::from_utf8_lossy(&messages).into_owned(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::shared_options;

    #[track_caller]
    fn check(options: &str, expect: &str) {
        let options: Vec<_> = options.split_whitespace().collect();
        assert_eq!(shared_options(&options).join(" "), expect);
    }

    #[test]
    fn what_two_parts_of_a_program_agree_on() {
        check("-std=c++20 -O1 -g -Wall -Iinclude -DN=4", "-std=c++20");
        check(
            "-fsanitize=address -m32 -fshort-enums",
            "-fsanitize=address -m32 -fshort-enums",
        );
        check("-pthread -pipe -v -O2 -std=gnu++17", "");
        check("-fPIC -O2 -fPIC", "-fPIC");
        check(
            "-D_GLIBCXX_DEBUG -D HIRACE_WARP_SIZE=8",
            "-D _GLIBCXX_DEBUG -D HIRACE_WARP_SIZE=8",
        );
        check("-I include -isystem more -lm extra.o -L lib", "");
        check("-std=c++17 -O3", "");
        check(
            "--sysroot=/other -stdlib=libc++ --new",
            "--sysroot=/other -stdlib=libc++ --new",
        );
    }
}
