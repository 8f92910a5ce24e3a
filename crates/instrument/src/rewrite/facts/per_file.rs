//! Device functions and variables that several source files define under one name.
//!
//! Unless nvcc links device code, each file has its own, and they may differ. For the CPU all of them are
//! linked, so each must be local to its file.

use std::collections::{HashMap, HashSet};

use hirace_syntax::qualifier::Qualifiers;

use super::is_header;

/// Where the names of a project are defined and declared.
#[derive(Debug, Default)]
pub(crate) struct PerFile {
    /// The source files that define a name.
    defined: HashMap<String, HashSet<String>>,
    /// The files that only declare it; headers among them are for several files.
    declared: HashMap<String, HashSet<String>>,
}

impl PerFile {
    /// Notes a name of namespace scope with such qualifiers in the file at `path`.
    pub(crate) fn note(&mut self, name: &str, qualifiers: Qualifiers, defines: bool, path: &str) {
        if !is_of_device(qualifiers) || (defines && is_header(path)) {
            return;
        }
        let places = if defines {
            &mut self.defined
        } else {
            &mut self.declared
        };
        let files = places.entry(name.to_owned()).or_default();
        files.insert(path.to_owned());
    }

    /// Whether each file has its own function or variable of this name.
    pub(crate) fn is_local(&self, name: &str, qualifiers: Qualifiers) -> bool {
        let Some(files) = self.defined.get(name).filter(|it| it.len() > 1) else {
            return false;
        };
        let mut elsewhere = self.declared.get(name).into_iter().flatten();
        is_of_device(qualifiers) && elsewhere.all(|it| files.contains(it))
    }
}

/// Whether host code does not see what has these qualifiers.
fn is_of_device(qualifiers: Qualifiers) -> bool {
    qualifiers.has(Qualifiers::DEVICE | Qualifiers::CONSTANT | Qualifiers::MANAGED)
        && !qualifiers.has(Qualifiers::HOST | Qualifiers::GLOBAL)
}
