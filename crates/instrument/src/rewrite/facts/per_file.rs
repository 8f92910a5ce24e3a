//! Device functions and variables of which each source file has its own.
//!
//! Unless nvcc links device code, no other file sees what a file defines for the device: several files may
//! define a name, or include a header that defines it, and a file of the host may define it, too. For the
//! CPU all of them are linked, so each must be local to its file.

use std::collections::{HashMap, HashSet};

use hirace_syntax::qualifier::Qualifiers;

use super::is_header;
use crate::rewrite::DeviceLinkage;

/// Where the names of a project are defined and declared.
#[derive(Debug, Default)]
pub(crate) struct PerFile {
    /// The files that define a name for the device.
    defined: HashMap<String, HashSet<String>>,
    /// The words of source files without device code, which may define variables of the host.
    host_words: HashSet<String>,
    /// The files that only declare it; headers among them are for several files.
    declared: HashMap<String, HashSet<String>>,
}

impl PerFile {
    /// Notes a name of namespace scope with such qualifiers in the file at `path`.
    pub(crate) fn note(&mut self, name: &str, qualifiers: Qualifiers, defines: bool, path: &str) {
        let places = match (is_of_device(qualifiers), defines) {
            (true, true) => &mut self.defined,
            (true, false) => &mut self.declared,
            _ => return,
        };
        let files = places.entry(name.to_owned()).or_default();
        files.insert(path.to_owned());
    }

    /// Notes a file, if it is a source file without device code. What the files define must be known: a
    /// macro may supply the qualifiers.
    pub(crate) fn note_host_file(&mut self, path: &str, text: &str) {
        let qualifiers = ["__device__", "__global__", "__constant__", "__managed__"];
        let of_device = self.defined.values().chain(self.declared.values());
        if is_header(path)
            || qualifiers.iter().any(|it| text.contains(it))
            || of_device.flatten().any(|it| it == path)
        {
            return;
        }
        let words = text.split(|it: char| !(it.is_alphanumeric() || it == '_'));
        self.host_words.extend(words.map(str::to_owned));
    }

    /// Whether a file without device code may have a variable of this name.
    pub(crate) fn is_of_host(&self, name: &str) -> bool {
        self.host_words.contains(name)
    }

    /// Whether several source files define this name.
    pub(crate) fn is_defined_by_several(&self, name: &str) -> bool {
        let files = self.defined.get(name).into_iter().flatten();
        files.filter(|it| !is_header(it)).count() > 1
    }

    /// Whether each source file has its own function or variable of this name, which the file at `path`
    /// defines or declares.
    pub(crate) fn is_local(
        &self,
        name: &str,
        qualifiers: Qualifiers,
        linkage: DeviceLinkage,
        path: &str,
    ) -> bool {
        let Some(files) = self.defined.get(name) else {
            return false;
        };
        if !is_of_device(qualifiers) || linkage == DeviceLinkage::Linked {
            return false;
        }
        let mut declared = self.declared.get(name).into_iter().flatten();
        let is_known_elsewhere = !declared.all(|it| files.contains(it));
        let sources = files.iter().filter(|it| !is_header(it)).count();
        let several = sources > 1 || self.is_of_host(name);
        let own = linkage == DeviceLinkage::PerFile || is_header(path) || several;
        own && !is_known_elsewhere
    }
}

/// Whether host code does not see what has these qualifiers.
fn is_of_device(qualifiers: Qualifiers) -> bool {
    qualifiers.has(Qualifiers::DEVICE | Qualifiers::CONSTANT | Qualifiers::MANAGED)
        && !qualifiers.has(Qualifiers::HOST | Qualifiers::GLOBAL)
}
