//! PTX as a source: a `.ptx` file and its launches become one C++ translation unit with hooks, which
//! is compiled with the CPU executor like an instrumented CUDA program.
//!
//! [`Ptx`] is a PTX file that was read ([`parser`]). A [`Plan`] has its launches: those of a launch file
//! ([`launch`]), or those that a caller adds ([`plan`]). [`translate()`] lowers the functions, and adds a `main`
//! function that does what the plan says. Without a plan, [`loaded`] makes kernels that a host program launches by
//! name, as a driver would. Registers are local variables, labels and branches
//! are labels and `goto`. What an instruction means comes from the table that inline PTX uses, too:
//! [`hirace_instrument::rewrite::ptx`]. A site is the source position that `.loc` gives, or the line
//! of PTX.
//!
//! # Promises
//! - An instruction without a translation is refused by name and line, all of them at once.
//! - A file that is read is printed with the same tokens ([`module::Module::tokens`]).
//!
//! # Why a parser of our own
//! The newest release of the crate `ptx-parser` (0.1.6, MIT or Apache 2.0) is of June 2023, and its page
//! says that the interface will change. Here a file is read as a whole, whatever its instructions are,
//! so that all unknown ones can be named at once; and operands have the types of the table of inline PTX.
//!
//! # Dependencies
//! This crate must never compile or run a program.

mod function;
mod host;
pub mod launch;
mod lexer;
pub mod loaded;
pub mod module;
mod names;
mod npy;
pub mod parser;
pub mod plan;
mod read_only;
mod roots;
mod sites;
mod variables;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hirace_instrument::rewrite::{self, Selection, Skip};
use hirace_model::error::{Error, Mistake, Result};
use hirace_model::table::{Table, Texts};

use module::Module;
use plan::{Checked, Parameters};
use sites::Sites;

pub use plan::Plan;
pub use sites::LAUNCH;

/// A translated program.
#[derive(Debug)]
pub struct Translated {
    /// The C++ translation unit.
    pub text: String,
    /// What it reads when it runs, from the file that `HIRACE_LAUNCH_VALUES` names.
    pub values: String,
    /// What its debug information means by the lines of the file [`LAUNCH`], from 1 on.
    pub places: Vec<(String, u32)>,
    /// The tables of its sites.
    pub tables: Vec<Table>,
    /// The texts that the sites refer to, by name.
    pub texts: Texts,
    /// The kernels of the PTX file.
    pub kernels: Vec<String>,
    /// Number of launches.
    pub launches: usize,
    /// Number of functions that are not kernels.
    pub device_functions: usize,
}

/// Which accesses are checked.
#[derive(Clone, Copy)]
pub struct Checks<'a> {
    /// What the configuration monitors.
    pub monitor: &'a dyn Selection,
    /// Which checks are left out because they could find nothing.
    pub skip: Skip,
}

/// Something that cannot be translated.
pub(crate) struct Refused {
    line: u32,
    what: String,
}

/// A PTX file that was read.
#[derive(Debug)]
pub struct Ptx {
    path: PathBuf,
    text: String,
    module: Module,
}

impl Ptx {
    /// Reads a file.
    ///
    /// # Errors
    /// It cannot be read, or has mistakes.
    pub fn read(path: &Path) -> Result<Self> {
        Self::parse(path, read(path)?)
    }

    /// The same for the bytes of a file. The path is its name in messages; sources that it names are looked for
    /// beside it.
    ///
    /// # Errors
    /// It has mistakes.
    pub fn of_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self> {
        Self::parse(path, text_of(path, bytes)?)
    }

    /// The same for the text of a file.
    ///
    /// # Errors
    /// It has mistakes.
    pub fn parse(path: &Path, text: String) -> Result<Self> {
        let module = parser::parse(&path.display().to_string(), &text)?;
        Ok(Self {
            path: path.to_owned(),
            text,
            module,
        })
    }

    /// The name of the file.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// What a kernel is launched with; it is given by its symbol, or its name in the source.
    ///
    /// # Errors
    /// There is no such kernel, or there are several.
    pub fn parameters(&self, kernel: &str) -> Checked<Parameters> {
        plan::kernel(&self.module, kernel).map(Parameters::of)
    }
}

/// What translations begin with.
const INCLUDE: &str = "#include <hirace/executor/translated_ptx.h>\n";

/// Translates a PTX file with its launches; sites have numbers from `base` on.
///
/// # Errors
/// An instruction has no translation.
pub fn translate(ptx: &Ptx, plan: &Plan, checks: Checks<'_>, base: u32) -> Result<Translated> {
    let (name, text, module) = (ptx.name(), &ptx.text, &ptx.module);
    let mut sites = Sites::new(&ptx.path, &name, text, module);
    sites.launches(plan);
    let mut out = INCLUDE.to_owned();
    let accesses = function::Accesses::Checked(Some(plan), checks);
    device_code(
        (&name, text),
        module,
        accesses,
        (&mut sites, base),
        &mut out,
    )?;
    let values = host::write(plan, module, &sites, checks.monitor, &mut out);
    let tables = sites.tables(module);
    for table in sites.carried(&tables) {
        out.push_str(&rewrite::carried_table(&table));
    }
    Ok(Translated {
        text: out,
        values,
        places: host::places(plan),
        tables,
        texts: sites.into_texts(),
        kernels: module.kernels().map(|it| names::plain(&it.name)).collect(),
        launches: plan.launches.len(),
        device_functions: module.functions.iter().filter(|it| !it.is_entry).count(),
    })
}

/// Writes the variables and functions of a module, whose file has a name and a text.
fn device_code(
    (name, text): (&str, &str),
    module: &Module,
    accesses: function::Accesses<'_>,
    (sites, base): (&mut Sites, u32),
    out: &mut String,
) -> Result<()> {
    let mut functions: Vec<_> = module
        .functions
        .iter()
        .map(|it| function::Lowering::new(module, it, accesses, sites))
        .collect();
    let mut mistakes = mistakes(module);
    mistakes.extend(functions.iter_mut().flat_map(function::Lowering::mistakes));
    if !mistakes.is_empty() {
        return Err(refusal(name, text, mistakes, MISTAKES));
    }
    sites.number(base);
    let mut refused = variables::refused(module);
    out.push_str("namespace {\n");
    variables::define(module, out);
    for function in &functions {
        let _ = writeln!(out, "{};", function.signature());
    }
    variables::store_addresses(module, out);
    for function in &functions {
        function.write(sites, name, out, &mut refused);
    }
    out.push_str("}\n");
    match refused.is_empty() {
        true => Ok(()),
        false => Err(refusal(name, text, refused, UNKNOWN)),
    }
}

/// Kernels and functions that a module defines twice, and static shared memory that no block can have.
fn mistakes(module: &Module) -> Vec<Refused> {
    /// The largest static shared memory of a block (CUDA C++ Programming Guide, "Shared Memory").
    const MAX_SHARED_BYTES: u64 = 48 * 1024;
    let bodies = module.functions.iter().filter_map(|it| it.body.as_ref());
    let inner = bodies.flatten().filter_map(|it| match &it.kind {
        module::StatementKind::Variable(variable) => Some(variable),
        _ => None,
    });
    let shared = module.variables.iter().chain(inner);
    let large = shared.filter(|it| it.space == "shared" && it.bytes() > MAX_SHARED_BYTES);
    let large = large.map(|it| Refused {
        line: it.line,
        what: format!(
            "`{}` has {} bytes: static shared memory has at most {MAX_SHARED_BYTES}",
            it.name(),
            it.bytes()
        ),
    });
    let mut lines = HashMap::new();
    let defined = module.functions.iter().filter(|it| it.body.is_some());
    let again = defined.filter_map(|it| {
        let first = lines.insert(&it.name, it.line)?;
        let what = format!(
            "`{}` is defined on line {first}, too",
            names::plain(&it.name)
        );
        Some(Refused {
            line: it.line,
            what,
        })
    });
    large.chain(again).collect()
}

fn read(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|source| Error::read(path, source))?;
    text_of(path, bytes)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    let name = path.display().to_string();
    if let Some(offset) = bytes.iter().position(|it| *it == 0) {
        return Err(Error::Binary { path: name, offset });
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(error) => Err(Error::Input {
            message: format!(
                "`{name}` is not UTF-8: byte {}",
                error.utf8_error().valid_up_to()
            ),
            help: None,
        }),
    }
}

/// What heads the list of what an assembler would not accept, and what helps.
const MISTAKES: (&str, Option<&str>) = ("mistakes in the PTX", None);

/// The same for what has no translation.
const UNKNOWN: (&str, Option<&str>) = (
    "PTX that hirace cannot translate",
    Some("docs/ptx.md lists what is supported"),
);

/// The error that lists lines of a file.
fn refusal(
    name: &str,
    text: &str,
    mut refused: Vec<Refused>,
    (heading, help): (&str, Option<&str>),
) -> Error {
    refused.sort_by_key(|it| it.line);
    let lines: Vec<String> = refused
        .iter()
        .map(|it| format!("{name}:{}: {}", it.line, it.what))
        .collect();
    let first = refused.first().map_or(1, |it| it.line);
    let start = text
        .split_inclusive('\n')
        .take(first as usize - 1)
        .map(str::len)
        .sum::<usize>();
    let line = text
        .get(start..)
        .and_then(|it| it.lines().next())
        .unwrap_or("");
    let indent = line.len() - line.trim_start().len();
    let span = start + indent..start + line.trim_end().len();
    let message = format!("{heading}:\n{}", lines.join("\n"));
    let help = help.map(str::to_owned);
    Error::Syntax(Mistake::new(name, text, span, message).with_help(help))
}

/// A mistake at a place in a text.
pub(crate) fn mistake(
    name: &str,
    text: &str,
    span: std::ops::Range<usize>,
    message: impl Into<String>,
) -> Error {
    Error::Syntax(Mistake::new(name, text, span, message))
}

/// All functions of a module by name.
pub(crate) fn find<'m>(module: &'m Module, name: &str) -> Option<&'m module::Function> {
    let all = || module.functions.iter().filter(|it| it.name == name);
    all().find(|it| it.body.is_some()).or_else(|| all().next())
}
