//! `hirace nvcc` without a GPU: runs nvcc's command line with a C++ compiler and the CPU executor.
//!
//! Options that affect only the GPU are left out. Outputs that need a GPU are refused.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::compilation::Compilation;
use super::copies::Copies;
use super::executor::{self, Headers, Inputs, SourceInput};
use super::items::{Item, Items, Meaning, Stage};
use super::nvcc::Line;
use super::nvcc_gpu::{self, is_old};
use super::{identity, status, words};
use hirace_model::error::{Error, Result};
use hirace_toolchain::{Call, DISABLE, EXPORTS, device_code, is_gcc, is_toolkit_library, warnings};

/// Runs the call. `launchers` come before the compiler.
pub(super) fn run(launchers: &[OsString], arguments: &[String]) -> Result<ExitCode> {
    let items = Line::of(arguments).all();
    let verbose = items.0.iter().any(|item| {
        let names = ["-v", "--verbose", "-dryrun", "--dryrun"];
        names.contains(&item.given[0].as_str())
    });
    if verbose {
        identity::describe(&host_compiler(&items)?)?;
    }
    if items.has(Meaning::Unsupported) {
        let named = items.0.iter().find(|it| it.meaning == Meaning::Unsupported);
        return Err(refused(named.map_or("", |item| &item.given[0])));
    }
    let compiler = host_compiler(&items)?;
    match items.stage() {
        Stage::Object | Stage::Link => compile(launchers, &compiler, &items),
        Stage::Nothing => match identity::answer(&items)? {
            Some(text) => {
                hirace_terminal::print(&text)?;
                Ok(ExitCode::SUCCESS)
            }
            None => compile(launchers, &compiler, &items),
        },
        Stage::DeviceLink => device_link(&compiler, &items),
        Stage::Library => archive(&items),
        Stage::DeviceCode => {
            let stage = |meaning| matches!(meaning, Meaning::Stage(Stage::DeviceCode));
            let named = items.0.iter().find(|item| stage(item.meaning));
            Err(refused(named.map_or("", |item| &item.given[0])))
        }
    }
}

fn refused(option: &str) -> Error {
    Error::Input {
        message: format!("`nvcc {option}` produces output that only a GPU can use"),
        help: Some("leave out such targets when building for the CPU executor".into()),
    }
}

/// `-ccbin`, `NVCC_CCBIN`, or a C++ compiler on the path that is not a wrapper of ours.
fn host_compiler(items: &Items) -> Result<PathBuf> {
    let variable = std::env::var("NVCC_CCBIN").ok().filter(|it| !it.is_empty());
    let named = items
        .last(Meaning::HostCompiler)
        .map(str::to_owned)
        .or(variable);
    match named.map(PathBuf::from) {
        Some(directory) if directory.is_dir() => Ok(directory.join("g++")),
        // nvcc accepts the C compiler's name too.
        Some(path) if path.file_name().is_some_and(|name| name == "gcc") => {
            Ok(path.with_file_name("g++"))
        }
        Some(path) => Ok(path),
        None => identity::real_compiler(),
    }
}

fn compile(launchers: &[OsString], compiler: &Path, items: &Items) -> Result<ExitCode> {
    let sources = executor::sources(items);
    let headers = Headers::find(&sources)?;
    let described = Call {
        program: "nvcc".into(),
        arguments: items
            .0
            .iter()
            .flat_map(|it| &it.given)
            .map(Into::into)
            .collect(),
        environment: Vec::new(),
    };
    let copies = executor::copies(&sources, items, &described, items.device_linkage())?;
    let mut line: Vec<OsString> = launchers.to_vec();
    line.push(compiler.into());
    let options = command_line(items, &sources, copies.as_ref(), &headers)?;
    line.extend_from_slice(&options);
    line.extend(executor::lines(items.stage(), &options));
    if let Some(copies) = &copies {
        let defined = device_code(is_gcc(compiler, &[]));
        line.extend(defined.into_iter().map(OsString::from));
        line.extend(warnings().map(OsString::from));
        line.extend(executor::disguise(copies, compiler));
    }
    if items.stage() == Stage::Link {
        line.extend(["-pthread", EXPORTS].map(OsString::from));
    }
    let call = Call {
        program: line.remove(0),
        arguments: line,
        // The host compiler may be one of our wrappers, which must not instrument again.
        environment: vec![(DISABLE, "1".into())],
    };
    let compilation = Compilation {
        call,
        compiler,
        options: &options,
        items,
        sources: &sources,
        copies: copies.as_ref(),
        headers: &headers,
    };
    compilation.run()
}

fn command_line(
    items: &Items,
    sources: &[SourceInput<'_>],
    copies: Option<&Copies>,
    headers: &Headers,
) -> Result<Vec<OsString>> {
    let mut out: Vec<OsString> = Vec::new();
    let cuda = sources.iter().any(|source| source.cuda);
    // nvcc optimises device code by default.
    let debugged = items
        .0
        .iter()
        .any(|it| it.given[0] == "-G" || it.given[0] == "--device-debug");
    if cuda && !debugged && !items.has(Meaning::Optimise) {
        out.push("-O2".into());
    }
    if !sources.is_empty() && !items.has(Meaning::Standard) {
        out.push("-std=c++17".into());
    }
    out.extend(headers.implicit(sources, items));
    let mut inputs = Inputs::default();
    for (index, item) in items.0.iter().enumerate() {
        if item.meaning == Meaning::Input {
            let path = &item.values[0];
            let source = sources.iter().find(|source| source.index == index);
            if let Some(source) = source {
                inputs.source(&mut out, *source, copies);
            } else if !executor::is_runtime_file(path) && path != identity::PROBE {
                inputs.other(&mut out, path);
            }
        } else if item.meaning == Meaning::OutputDirectory && items.lists_dependencies() {
            // For nvcc, too, it is only the directory of the rule's target then.
            if !items.has(Meaning::DependencyRule) {
                out.extend(["-MT".into(), in_directory(&item.values[0], sources)?]);
            }
        } else if item.meaning == Meaning::OutputDirectory {
            out.extend(["-o".into(), in_directory(&item.values[0], sources)?]);
        } else {
            option(item, copies, &mut out);
        }
    }
    if items.has(Meaning::Dependencies) && !items.has(Meaning::DependencyFile) {
        // The path that nvcc would write to.
        let names: Vec<&str> = sources.iter().map(|source| source.path).collect();
        if let [file] = nvcc_gpu::dependency_files(items, &names).as_slice() {
            out.extend(["-MF".into(), file.into()]);
        }
    }
    out.extend(headers.options());
    Ok(out)
}

/// Appends the host compiler's equivalent of an option of nvcc.
fn option(item: &Item, copies: Option<&Copies>, out: &mut Vec<OsString>) {
    let mut each = |option: &str| {
        out.extend(
            item.values
                .iter()
                .map(|value| format!("{option}{value}").into()),
        );
    };
    match item.meaning {
        Meaning::Include | Meaning::SystemInclude | Meaning::QuoteInclude => {
            for directory in &item.values {
                out.extend(executor::include(item.meaning, directory, copies));
            }
        }
        Meaning::Define => each("-D"),
        Meaning::Undefine => each("-U"),
        // As nvcc does.
        Meaning::DefaultStream if item.values == ["per-thread"] => {
            out.push("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1".into());
        }
        Meaning::DefaultStream => {}
        Meaning::LibraryPath => each("-L"),
        Meaning::Optimise => each("-O"),
        Meaning::Standard if is_old(&item.values) => out.push("-std=c++17".into()),
        Meaning::Standard => each("-std="),
        Meaning::HostOptions => {
            let words = item.values.iter().flat_map(|value| words::split(value));
            out.extend(words.map(OsString::from));
        }
        Meaning::LinkerOptions => {
            for value in &item.values {
                out.extend(["-Xlinker".into(), value.into()]);
            }
        }
        Meaning::ForcedInclude => {
            for value in &item.values {
                let copy = copies.and_then(|it| it.of(value));
                let path = copy.unwrap_or_else(|| value.into());
                out.extend(["-include".into(), path.into()]);
            }
        }
        Meaning::Library => {
            let libraries = item.values.iter();
            let kept = libraries.filter(|name| !is_toolkit_library(name));
            out.extend(kept.map(|name| format!("-l{name}").into()));
        }
        Meaning::Output => out.extend(["-o".into(), (&item.values[0]).into()]),
        Meaning::Debug => out.push("-g".into()),
        Meaning::Dependencies => out.push(short(&item.given[0]).into()),
        Meaning::DependencyFile => out.extend(["-MF".into(), (&item.values[0]).into()]),
        Meaning::DependencyRule if item.values.is_empty() => out.push("-MP".into()),
        Meaning::DependencyRule => out.extend(["-MT".into(), (&item.values[0]).into()]),
        Meaning::Stage(Stage::Object) => out.push("-c".into()),
        Meaning::Stage(Stage::Nothing) => out.push(short(&item.given[0]).into()),
        Meaning::Shared => out.extend(item.given.iter().map(OsString::from)),
        // Options that nvcc does not know either are for the host compiler.
        Meaning::Other => out.extend(item.given.iter().map(OsString::from)),
        Meaning::Input | Meaning::OutputDirectory => {}
        Meaning::Stage(_) | Meaning::Language | Meaning::HostCompiler => {}
        Meaning::Device | Meaning::Unsupported => {}
    }
}

/// The path of the only output in the directory of `-odir`.
fn in_directory(directory: &str, sources: &[SourceInput<'_>]) -> Result<OsString> {
    match sources {
        [source] => {
            let name = Path::new(source.path).with_extension("o");
            let name = name.file_name().unwrap_or_default();
            Ok(Path::new(directory).join(name).into())
        }
        _ => Err(Error::Input {
            message: "`-odir` with several sources is not supported for the CPU executor".into(),
            help: Some("compile one source at a time".into()),
        }),
    }
}

/// The short name of an option that GCC also has.
fn short(option: &str) -> &str {
    match option {
        "--preprocess" => "-E",
        "--generate-dependencies" => "-M",
        "--generate-nonsystem-dependencies" => "-MM",
        "--generate-dependencies-with-compile" => "-MD",
        "--generate-nonsystem-dependencies-with-compile" => "-MMD",
        "-dryrun" | "--dryrun" => "-###",
        other => other,
    }
}

/// Writes an empty object, as there is no device code to link.
fn device_link(compiler: &Path, items: &Items) -> Result<ExitCode> {
    let output = items.last(Meaning::Output).unwrap_or("a_dlink.o");
    let mut arguments: Vec<OsString> = ["-x", "c++", "-c", "/dev/null", "-o", output]
        .map(OsString::from)
        .into();
    let options = items.values(Meaning::HostOptions);
    arguments.extend(options.flat_map(words::split).map(OsString::from));
    let call = Call {
        program: compiler.into(),
        arguments,
        environment: vec![(DISABLE, "1".into())],
    };
    Ok(status(call.run()?))
}

/// `nvcc -lib`, for objects only: other calls compile the sources.
fn archive(items: &Items) -> Result<ExitCode> {
    let output = items.last(Meaning::Output).unwrap_or("a.a");
    if let Some(source) = executor::sources(items).first() {
        return Err(Error::Input {
            message: format!("`nvcc -lib` cannot compile the source `{}`", source.path),
            help: Some("compile it with `-c` first, and archive the object".into()),
        });
    }
    let mut arguments: Vec<OsString> = vec!["rcs".into(), output.into()];
    arguments.extend(items.values(Meaning::Input).map(OsString::from));
    let archiver = std::env::var_os("AR").filter(|it| !it.is_empty());
    let call = Call {
        program: archiver.unwrap_or_else(|| "ar".into()),
        arguments,
        environment: Vec::new(),
    };
    Ok(status(call.run()?))
}
