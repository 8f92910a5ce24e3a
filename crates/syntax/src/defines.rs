//! Macros given on the compiler's command line.

use std::collections::HashMap;

/// Macros given on the compiler's command line (`-D`, `-U`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defines {
    pub(super) names: HashMap<String, Option<String>>,
}

/// The macro that nvcc defines if device code may call `constexpr` functions of the host (CUDA C++
/// Programming Guide, "Constexpr functions and function templates").
pub const RELAXED_CONSTEXPR: &str = "__CUDACC_RELAXED_CONSTEXPR__";

impl Defines {
    /// No macros.
    pub fn new() -> Self {
        Self::default()
    }

    /// `-Dname=value`; `-Dname` gives the value 1.
    pub fn define(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.names.insert(name.into(), Some(value.into()));
    }

    /// `-Uname`.
    pub fn undefine(&mut self, name: impl Into<String>) {
        self.names.insert(name.into(), None);
    }

    /// Whether the command line defines or undefines a macro.
    pub fn is_given(&self, name: &str) -> bool {
        self.names.get(name).is_some_and(Option::is_some)
    }

    /// The names of the macros that the command line defines, without parameters.
    pub fn given(&self) -> impl Iterator<Item = &str> {
        let given = self.names.iter().filter(|(_, value)| value.is_some());
        given.map(|(name, _)| name.split('(').next().unwrap_or(name))
    }

    /// The macros that the command line defines, with their values.
    pub fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        let macros = self.names.iter();
        macros.filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)))
    }

    /// The value of a macro that the command line defines.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.names.get(name)?.as_deref()
    }

    /// Reads the `-D` and `-U` options among a compiler's arguments, and the options for which nvcc
    /// defines macros.
    pub fn from_arguments<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Self {
        let mut defines = Self::new();
        let mut pending = None;
        for argument in arguments {
            let argument = argument.as_ref();
            let (option, text) = match pending.take() {
                Some(option) => (option, argument),
                None if argument == "-D" || argument == "-U" => {
                    pending = Some(if argument == "-D" { 'D' } else { 'U' });
                    continue;
                }
                None if argument.trim_start_matches('-') == "expt-relaxed-constexpr" => {
                    ('D', RELAXED_CONSTEXPR)
                }
                None => match (argument.strip_prefix("-D"), argument.strip_prefix("-U")) {
                    (Some(rest), _) => ('D', rest),
                    (_, Some(rest)) => ('U', rest),
                    _ => continue,
                },
            };
            if option == 'U' {
                defines.undefine(text);
            } else {
                let (name, value) = text.split_once('=').unwrap_or((text, "1"));
                defines.define(name, value);
            }
        }
        defines
    }
}
