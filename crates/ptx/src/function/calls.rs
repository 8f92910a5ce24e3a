//! Calls: of functions of the file, of functions that the runtime library has, and of addresses.

use hirace_instrument::rewrite::ptx::{self, NO_SITE, Operand};

use super::Lowering;
use crate::module::Term;
use crate::names::cpp_function;
use crate::{find, variables};

/// A function of `device/hirace/cuda/ptx_library.h`, which a file only declares.
pub(super) struct LibraryFunction {
    name: &'static str,
    results: usize,
    parameters: usize,
    /// Whether it orders accesses, so that its calls are sites.
    pub orders: bool,
}

const fn library(name: &'static str, results: usize, parameters: usize) -> LibraryFunction {
    LibraryFunction {
        name,
        results,
        parameters,
        orders: false,
    }
}

const LIBRARY: [LibraryFunction; 6] = [
    library("vprintf", 1, 2),
    library("malloc", 1, 1),
    library("free", 0, 1),
    library("__assertfail", 0, 5),
    library("cudaCGGetIntrinsicHandle", 1, 1),
    LibraryFunction {
        orders: true,
        ..library("cudaCGSynchronize", 1, 2)
    },
];

/// The parts of a call: results, callee, parameters.
struct Call<'a> {
    results: &'a [String],
    callee: &'a str,
    parameters: &'a [String],
}

impl<'a> Call<'a> {
    /// `(result), function, (parameters), prototype`, of which only the function must be there.
    fn of(terms: &'a [Term]) -> Option<Self> {
        let (results, rest): (&[String], _) = match terms {
            [Term::List(results), rest @ ..] => (results, rest),
            rest => (&[], rest),
        };
        let (callee, parameters): (_, &[String]) = match rest {
            [Term::Operand(Operand::Register(callee))] => (callee, &[]),
            [
                Term::Operand(Operand::Register(callee)),
                Term::List(given),
                ..,
            ] => (callee, given),
            // The prototype of a function without parameters.
            [Term::Operand(Operand::Register(callee)), Term::Operand(_)] => (callee, &[]),
            _ => return None,
        };
        Some(Self {
            results,
            callee,
            parameters,
        })
    }
}

/// The function of the runtime library that a call with these operands calls.
pub(super) fn library_function(terms: &[Term]) -> Option<&'static LibraryFunction> {
    let call = Call::of(terms)?;
    let found = LIBRARY.iter().find(|it| it.name == call.callee)?;
    let fits = found.results == call.results.len() && found.parameters == call.parameters.len();
    fits.then_some(found)
}

/// What a message says of a call that has no translation.
pub(super) fn refused(name: &str, terms: &[Term]) -> String {
    match Call::of(terms) {
        Some(call) => format!("`{name}` of `{}`", call.callee),
        None => format!("`{name}`"),
    }
}

impl Lowering<'_> {
    /// A call as C++; `site` is that of a call that orders accesses.
    pub(super) fn call(&self, at: usize, terms: &[Term], site: Option<String>) -> Option<String> {
        let call = Call::of(terms)?;
        let given = call.results.iter().chain(call.parameters);
        let in_memory = |it: &String| self.assembly.symbols.contains_key(it);
        let given: Option<Vec<String>> = given
            .map(|it| in_memory(it).then(|| variables::cpp_name(it)))
            .collect();
        let given = given?.join(", ");
        let with_body = find(self.module, call.callee).filter(|it| it.body.is_some());
        if let Some(called) = with_body {
            let fits = called.results.len() == call.results.len()
                && called.parameters.len() == call.parameters.len();
            return fits.then(|| format!("{}({given});", cpp_function(call.callee)));
        }
        if let Some(function) = library_function(terms) {
            let site = site.unwrap_or_else(|| NO_SITE.to_owned());
            let comma = if given.is_empty() { "" } else { ", " };
            let name = function.name;
            return Some(format!(
                "::hirace::cpu::ptx::library::{name}({site}{comma}{given});"
            ));
        }
        let callee = self.scopes.name_at(at, call.callee);
        let address = ptx::register(&callee, &self.assembly)?;
        let count = call.results.len() + call.parameters.len();
        let types = vec!["unsigned char*"; count].join(", ");
        Some(format!(
            "reinterpret_cast<void (*)({types})>({address})({given});"
        ))
    }
}
