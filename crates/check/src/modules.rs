//! Libraries for programs that load modules while they run (`device/hirace/libraries/driver/loader.h`): from PTX, and
//! from CUDA C++ that NVRTC would compile.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;

use super::build::{Place, Storage, arguments, compile_copies, instrumented};
use super::ptx;
use hirace_config::Config;
use hirace_instrument::rewrite::escape;
use hirace_instrument::tree::Role;
use hirace_instrument::{Bases, Copy, Instrumented, Plan, headers};
use hirace_model::Backend;
use hirace_model::error::{Error, Result};
use hirace_ptx::Checks;
use hirace_toolchain::cache::{Cache, Key, Kind};
use hirace_toolchain::{self as toolchain, Arguments, temporary_directory};

/// The names of the files in an entry of the cache.
const LIBRARY: &str = "module.so";
const KEPT: &str = "module.ptx";
const UNIT: &str = "hirace_module.cu";

/// Translates the PTX file `ptx` and compiles it to a library, unless that is in the cache. Returns the path of the
/// library. With `keep`, the file is copied to the cache first, because it will be gone when reports show it.
///
/// # Errors
/// The file has mistakes, an instruction has no translation, or the cache cannot be written.
pub fn of_ptx(ptx: &Path, keep: bool, config: &Config) -> Result<PathBuf> {
    let cache = Cache::of_user()?;
    let file = match keep {
        true => kept(ptx, &cache)?,
        false => ptx.to_owned(),
    };
    let checks = Checks {
        monitor: &config.monitor,
        skip: config.skip,
    };
    let text = hirace_ptx::loaded::translate(&file, Some(checks))?;
    let translated = Instrumented {
        files: vec![Copy {
            path: PathBuf::from("module.cpp"),
            display: ptx.display().to_string(),
            role: Role::Named,
            bytes: text.into_bytes(),
            instrumented: true,
        }],
        ..Instrumented::default()
    };
    library(
        &translated,
        &arguments(Backend::Cpu, &ptx::with_options(&[]), config),
        &cache,
        config,
    )
}

/// The copy of a PTX file in the cache.
fn kept(ptx: &Path, cache: &Cache) -> Result<PathBuf> {
    let text = std::fs::read(ptx).map_err(|source| Error::read(ptx, source))?;
    let key = Key::new("kept PTX").with(&text);
    let entry = cache.once(Kind::Module, &key, |entry| write(&entry.join(KEPT), &text))?;
    Ok(entry.join(KEPT))
}

/// A program as a host program gives it to NVRTC.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name that messages have for it.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Names and texts of the headers that it includes.
    pub headers: Vec<(String, String)>,
    /// C++ expressions that name kernels and variables.
    pub expressions: Vec<String>,
    /// NVRTC's options.
    pub options: Vec<String>,
}

/// Instruments and compiles a program to a library, unless that is in the cache. Returns the path of the library.
///
/// # Errors
/// The program does not compile, an option is unknown, or the cache cannot be written.
pub fn of_source(source: &Source, config: &Config) -> Result<PathBuf> {
    let cache = Cache::of_user()?;
    let given = compiler_options(&source.options)?;
    let folder = written(source, &cache)?;
    let include = format!("-I{}", folder.display());
    let options = [given, vec![include]].concat();
    let arguments = arguments(Backend::Cpu, &options, config);
    let file = folder.join(file_name(&source.name));
    let tree = hirace_instrument::collect(&[file], &arguments)?;
    let plan = Plan {
        selection: &config.monitor,
        ..Plan::new(Backend::Cpu, &arguments)
    };
    let mut names = hirace_instrument::survey(&tree, plan)?.exports;
    names.extend(source.expressions.iter().cloned());
    let unit = folder.join(UNIT);
    let text = unit_text(&file_name(&source.name), &names);
    // Others may be doing the same.
    let fresh =
        tempfile::NamedTempFile::new_in(&folder).map_err(|error| Error::write(&unit, error))?;
    write(fresh.path(), text.as_bytes())?;
    let failed = |error: tempfile::PersistError| Error::write(&unit, error.error);
    fresh.persist(&unit).map_err(failed)?;
    let tree = hirace_instrument::collect(&[unit], &arguments)?;
    let program = instrumented(&tree, Backend::Cpu, &arguments, config, Bases::Tree)?;
    library(&program, &arguments, &cache, config)
}

/// A translation unit that includes a program and registers what can be found there by name.
fn unit_text(file: &str, names: &[String]) -> String {
    let mut text = format!(
        "#include <hirace/executor/loaded_module.h>\n#include \"{file}\"\nnamespace {{\n\
         const bool hirace_monitored = HIRACE_MONITOR_SECTION;\n"
    );
    for (number, name) in names.iter().enumerate() {
        let _ = writeln!(
            text,
            "const bool hirace_name_{number} = ::hirace::cpu::loaded::add_expression(\"{}\", (void*)({name}), \
             ::hirace::cpu::loaded::size_at({name}));",
            escape(name)
        );
    }
    text.push_str("}\n");
    text
}

/// The folder in the cache with the files of a program, which reports show later.
fn written(source: &Source, cache: &Cache) -> Result<PathBuf> {
    let mut key = Key::new("NVRTC").with(&source.name).with(&source.text);
    for (name, text) in &source.headers {
        key = key.with(name).with(text);
    }
    for text in source.expressions.iter().chain(&source.options) {
        key = key.with(text);
    }
    cache.once(Kind::Module, &key, |entry| {
        write(&entry.join(file_name(&source.name)), source.text.as_bytes())?;
        for (name, text) in &source.headers {
            let path = Path::new(name);
            let mut parts = path.components();
            let is_inside = parts.all(|it| matches!(it, std::path::Component::Normal(_)));
            if !is_inside {
                return Err(Error::Input {
                    message: format!("the header `{name}` has a name that leads out of its folder"),
                    help: None,
                });
            }
            write(&entry.join(path), text.as_bytes())?;
        }
        Ok(())
    })
}

/// The name of a program's file.
fn file_name(name: &str) -> String {
    let last = Path::new(name).file_name();
    let name = last.map_or_else(
        || "default_program".to_owned(),
        |it| it.to_string_lossy().into_owned(),
    );
    match Path::new(&name).extension() {
        Some(_) => name,
        None => name + ".cu",
    }
}

fn write(path: &Path, text: &[u8]) -> Result<()> {
    let folder = path.parent().unwrap_or(path);
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|source| Error::write(path, source))
}

/// Options of NVRTC that only concern a GPU's code, by their beginnings.
const FOR_GPU: [&str; 22] = [
    "-arch",
    "--gpu-architecture",
    "-rdc",
    "--relocatable-device-code",
    "-dc",
    "--device-c",
    "-dw",
    "-G",
    "--device-debug",
    "-lineinfo",
    "--generate-line-info",
    "-maxrregcount",
    "--maxrregcount",
    "-use_fast_math",
    "--use_fast_math",
    "-ftz",
    "--ftz",
    "-fmad",
    "--fmad",
    "-prec",
    "--prec",
    "--extra-device-vectorization",
];

/// Options that change nothing here: messages, and C++ features that the compiler has anyway.
const HARMLESS: [&str; 12] = [
    "-w",
    "--disable-warnings",
    "-diag",
    "--diag",
    "--restrict",
    "-restrict",
    "--extensible-whole-program",
    "-ewp",
    "--builtin",
    "-builtin",
    "-default-stream",
    "--default-stream",
];

/// NVRTC's options as those of the C++ compiler.
fn compiler_options(options: &[String]) -> Result<Vec<String>> {
    let mut out = vec!["-D__CUDACC_RTC__".to_owned()];
    let mut rest = options.iter();
    while let Some(option) = rest.next() {
        let words = [
            ("--define-macro", "-D"),
            ("--undefine-macro", "-U"),
            ("--include-path", "-I"),
            ("--pre-include", "-include"),
            ("--std", "-std"),
        ];
        let short = words.iter().find(|(long, _)| {
            let tail = option.strip_prefix(long);
            tail.is_some_and(|it| it.is_empty() || it.starts_with('='))
        });
        let (name, value) = match short {
            Some((long, short)) => (*short, option[long.len()..].strip_prefix('=')),
            None => {
                let named = ["-D", "-U", "-include", "-I", "-std"].into_iter();
                match named.into_iter().find(|it| option.starts_with(it)) {
                    Some(name) => {
                        let tail = &option[name.len()..];
                        (
                            name,
                            Some(tail.strip_prefix('=').unwrap_or(tail))
                                .filter(|it| !it.is_empty()),
                        )
                    }
                    None if FOR_GPU
                        .iter()
                        .chain(&HARMLESS)
                        .any(|it| option.starts_with(it)) =>
                    {
                        continue;
                    }
                    None => return Err(unknown(option)),
                }
            }
        };
        let value = match value {
            Some(value) => value.to_owned(),
            None => rest.next().ok_or_else(|| unknown(option))?.clone(),
        };
        match name {
            // The executor needs C++17.
            "-std" if matches!(value.as_str(), "c++03" | "c++11" | "c++14") => {}
            "-std" => out.push(format!("-std={value}")),
            "-include" => out.extend(["-include".to_owned(), value]),
            name => out.push(format!("{name}{value}")),
        }
    }
    Ok(out)
}

fn unknown(option: &str) -> Error {
    Error::Input {
        message: format!("NVRTC's option `{option}` is not supported by the CPU executor"),
        help: None,
    }
}

/// The library of a program.
fn library(
    program: &Instrumented,
    arguments: &Arguments,
    cache: &Cache,
    config: &Config,
) -> Result<PathBuf> {
    let include = headers::cached(cache)?;
    let mut key = Key::new("module")
        .with(toolchain::identity(Backend::Cpu)?.name())
        .with(include.as_os_str().as_encoded_bytes());
    for argument in &arguments.raw {
        key = key.with(argument);
    }
    for copy in &program.files {
        key = key
            .with(copy.path.as_os_str().as_encoded_bytes())
            .with(&copy.bytes);
    }
    let entry = cache.once(Kind::Module, &key, |entry| {
        let scratch = temporary_directory()?;
        let place = Place {
            scratch: scratch.path(),
            include: &include,
            executable: &entry.join(LIBRARY),
            storage: &Storage::of(config)?,
            is_library: true,
        };
        compile_copies(
            program,
            Backend::Cpu,
            arguments,
            &place,
            &ProgressBar::hidden(),
        )
    })?;
    cache.shrink(config.cache.bytes);
    Ok(entry.join(LIBRARY))
}

#[cfg(test)]
mod tests {
    use super::compiler_options;

    #[track_caller]
    fn check(options: &str, expected: &str) {
        let options: Vec<String> = options.split_whitespace().map(str::to_owned).collect();
        let out = compiler_options(&options).map(|it| it.join(" "));
        let out = out.unwrap_or_else(|error| error.to_string());
        assert_eq!(
            out.strip_prefix("-D__CUDACC_RTC__").unwrap_or(&out).trim(),
            expected
        );
    }

    #[test]
    fn options_of_nvrtc() {
        check(
            "--gpu-architecture=compute_80 -arch=sm_90 --use_fast_math -lineinfo",
            "",
        );
        check(
            "-DN=4 --define-macro=M -D K --include-path=/a -I/b",
            "-DN=4 -DM -DK -I/a -I/b",
        );
        check("--std=c++14 -std=c++20", "-std=c++20");
        check(
            "--pre-include=a.h -include b.h",
            "-include a.h -include b.h",
        );
        check(
            "-default-device",
            "NVRTC's option `-default-device` is not supported by the CPU executor",
        );
        check(
            "-D",
            "NVRTC's option `-D` is not supported by the CPU executor",
        );
    }
}
