//! `hirace g++` without a GPU: the C++ compiler, with the executor's headers in place of the
//! toolkit's, and instrumented copies of sources that include device code.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use super::compilation::Compilation;
use super::executor::{self, Headers, Inputs};
use super::gxx;
use super::items::{Meaning, Stage};
use super::nvcc_gpu::is_old;
use hirace_instrument::rewrite::DeviceLinkage;
use hirace_model::error::Result;
use hirace_toolchain::{Call, DISABLE, EXPORTS, device_code, is_gcc, is_toolkit_library};

/// Runs `call`, in which the compiler is word `at` and its arguments are `arguments`.
pub(super) fn run(call: &Call, at: usize, arguments: &[String]) -> Result<ExitCode> {
    let read = |name: &str| std::fs::read_to_string(name).ok();
    let items = gxx::parse(arguments, &read);
    let stage = items.stage();
    let sources = executor::sources(&items);
    let is_query = stage == Stage::Nothing && sources.is_empty();
    let mut languages = items.values(Meaning::Language);
    let foreign = languages.any(|it| !["c++", "cu", "cuda", "none"].contains(&it));
    if is_query || foreign || items.0.is_empty() {
        return Err(call.replace());
    }
    let headers = Headers::find(&sources)?;
    let copies = executor::copies(&sources, &items, call, DeviceLinkage::Unknown)?;
    let mut out: Vec<OsString> = call.arguments[..at].to_vec();
    out.extend(headers.implicit(&sources, &items));
    let mut inputs = Inputs::default();
    for (index, item) in items.0.iter().enumerate() {
        let value = item.values.first().map_or("", String::as_str);
        match item.meaning {
            Meaning::Input if executor::is_runtime_file(value) => {}
            Meaning::Input => match sources.iter().find(|source| source.index == index) {
                Some(source) => inputs.source(&mut out, *source, copies.as_ref()),
                None => inputs.other(&mut out, value),
            },
            // Repeated for each input that needs it.
            Meaning::Language => {}
            Meaning::Library if is_toolkit_library(value) => {}
            Meaning::Include | Meaning::SystemInclude | Meaning::QuoteInclude => {
                out.extend(executor::include(item.meaning, value, copies.as_ref()));
            }
            Meaning::ForcedInclude => {
                let copy = copies.as_ref().and_then(|it| it.of(value));
                let path = copy.unwrap_or_else(|| value.into());
                out.extend(["-include".into(), path.into()]);
            }
            // A file without CUDA keeps its standard.
            Meaning::Standard if copies.is_some() && is_old(&item.values) => {
                out.push("-std=c++17".into());
            }
            _ => out.extend(item.given.iter().map(OsString::from)),
        }
    }
    out.extend(headers.options());
    let options = out[at..].to_vec();
    if stage == Stage::Link {
        out.extend(["-pthread", EXPORTS].map(OsString::from));
    }
    let compiler = match at {
        0 => &call.program,
        _ => &call.arguments[at - 1],
    };
    out.extend(executor::lines(stage, &out));
    if let Some(copies) = &copies {
        let options = device_code(is_gcc(Path::new(compiler), &[]));
        out.extend(options.into_iter().map(OsString::from));
        out.extend(executor::disguise(copies, Path::new(compiler)));
    }
    let own = Call {
        program: call.program.clone(),
        arguments: out,
        environment: vec![(DISABLE, "1".into())],
    };
    let compilation = Compilation {
        call: own,
        compiler: Path::new(compiler),
        options: &options,
        items: &items,
        sources: &sources,
        copies: copies.as_ref(),
        headers: &headers,
    };
    compilation.run()
}
