//! What the files of a project declare.
//!
//! All files that are instrumented together are read before any is rewritten: whether an argument
//! is an access depends on the callee's parameter, whether a name is an access depends on its
//! variable, and whether a member is an access depends on its class.

pub(crate) mod adjacent;
pub(crate) mod collect;
pub(crate) mod definers;
pub(crate) mod expansion;
pub(crate) mod macro_body;
pub(crate) mod macro_head;
pub(crate) mod macro_use;
pub(crate) mod operators;
pub(crate) mod parses;
pub(crate) mod pasted;
pub(crate) mod per_file;
pub(crate) mod synchronisation;
pub(crate) mod texts;

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;

use hirace_syntax::alias::Aliases;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::view::Returns;
use hirace_syntax::words::Words;

use super::binding::{Binding, ParameterFact};
use super::names::bare_name;
use adjacent::Adjacent;
use definers::Given;
use macro_use::MacroUse;
use parses::Parses;
use pasted::PastedName;
use per_file::PerFile;
use synchronisation::Synchronisation;
use texts::Texts;

/// A function declared somewhere in the project.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    /// The enclosing class; outside of classes, what stands before the name, which may be a namespace.
    pub(crate) class: Option<String>,
    /// Whether it is a friend of this class, and so no member.
    pub(crate) is_friend: bool,
    /// The only file that can name it, if it is declared in a source file that no other file includes.
    pub(crate) file: Option<Arc<str>>,
    pub(crate) parameters: Vec<ParameterFact>,
    pub(crate) returns: Returns,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) defined: bool,
    pub(crate) template: bool,
}

impl Signature {
    /// Whether it can be called with `count` arguments.
    pub(crate) fn accepts(&self, count: usize) -> bool {
        let pack = self.parameters.iter().any(|it| it.pack);
        let required = self
            .parameters
            .iter()
            .filter(|it| !it.optional && !it.pack)
            .count();
        count >= required && (pack || count <= self.parameters.len())
    }

    /// The parameter that takes argument `index`.
    pub(crate) fn parameter(&self, index: usize) -> Option<&ParameterFact> {
        match self.parameters.get(index) {
            None => self.parameters.last().filter(|it| it.pack),
            found => found,
        }
    }
}

/// The kind of a namespace-scope variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableKind {
    /// `__device__` or `__managed__`, and not const.
    Device,
    /// A variable that the device cannot write, or a host variable.
    Constant,
    /// `extern __shared__ T name[];`
    DynamicShared,
    /// Any other file-scope `__shared__` variable.
    Shared,
}

/// A namespace-scope variable of device code.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The only file that sees it; none for a variable in a header.
    pub(crate) file: Option<String>,
    /// It is in constant memory: only copies write it.
    pub(crate) constant_memory: bool,
    /// It is there, or a constant of the device: no thread writes it.
    pub(crate) constant: bool,
    pub(crate) binding: Binding,
}

/// A data member.
#[derive(Clone, Debug)]
pub(crate) struct FieldFact {
    pub(crate) binding: Binding,
    /// It is a reference itself.
    pub(crate) reference: bool,
    /// It is static and const, so it has no address on the device.
    pub(crate) constant: bool,
    /// The number of its group of adjacent bit-fields, if it is a bit-field.
    pub(crate) bits: Option<usize>,
    /// It is in a packed class, so a reference must not bind to it.
    pub(crate) packed: bool,
}

/// A class, struct or union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
    /// Whether the project defines it. A namespace has members, too.
    pub(crate) defined: bool,
    pub(crate) bases: Vec<String>,
    pub(crate) fields: HashMap<String, FieldFact>,
    pub(crate) methods: HashSet<String>,
}

/// One definition of a macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MacroText {
    pub(crate) parameters: Option<Vec<String>>,
    pub(crate) body: String,
}

/// Facts of a whole project.
#[derive(Default)]
pub struct Facts {
    /// The names of macros and aliases for qualifiers.
    pub aliases: Aliases,
    pub(crate) macros: HashMap<String, Vec<MacroText>>,
    /// For each macro, its parameters that are operators.
    pub(crate) operators: HashMap<String, Vec<String>>,
    /// Macros that device code uses, directly or through other macros.
    pub(crate) device_macros: HashSet<String>,
    /// How the macros of device code use their arguments.
    pub(crate) macro_uses: HashMap<String, MacroUse>,
    /// Names of classes and functions that macros put together.
    pub(crate) pasted_names: Vec<PastedName>,
    /// Macros that define functions whose names are macro parameters.
    pub(crate) naming_macros: HashSet<String>,
    /// The function names that uses of those macros give as arguments.
    pub(crate) names_given: HashSet<String>,
    /// Macros that define kernels, and the parameter that gives the kernel's name.
    pub(crate) kernel_macros: HashMap<String, Option<usize>>,
    /// Macros with a device lambda in their bodies.
    pub(crate) lambda_macros: HashSet<String>,
    /// Macros that `#if` conditions test.
    pub(crate) tested_macros: HashSet<String>,
    /// By the last part of the name, including methods and lambdas (`operator()`).
    pub(crate) functions: HashMap<String, Vec<Signature>>,
    pub(crate) variables: HashMap<String, Vec<Variable>>,
    /// The names of file-scope `__shared__` variables other than dynamic ones.
    pub(crate) file_shared: HashSet<String>,
    pub(crate) classes: HashMap<String, Class>,
    /// Every class's fields, by name.
    pub(crate) fields: HashMap<String, Vec<FieldFact>>,
    /// Adjacent bit-fields, by group.
    pub(crate) bit_groups: Vec<Vec<Adjacent>>,
    /// What the arguments of macros that define device functions are.
    pub(crate) definers: HashMap<String, Vec<Given>>,
    /// The names of these macros, known before what their arguments are.
    pub(crate) definer_names: HashSet<String>,
    /// Macros that define device functions, and the numbers of arguments that are statements somewhere.
    pub(crate) given_statements: HashSet<(String, usize)>,
    /// Names of files that others include.
    pub(crate) included: HashSet<OsString>,
    /// Names of classes, enums and aliases.
    pub(crate) types: HashSet<String>,
    /// Those among them that are templates.
    pub(crate) templates: HashSet<String>,
    /// Names of type aliases for classes that synchronise, and the library that they come from.
    pub(crate) synchronising: HashMap<String, &'static str>,
    /// Whether any file names libcu++ objects that synchronise.
    pub(crate) cuda_objects: bool,
    /// Whether something at file or class scope could not be read: functions may be defined there.
    pub(crate) has_unread_items: bool,
    /// Whether any file uses CUB.
    pub(crate) cub: bool,
    /// Whether a class has an assignment operator for objects of other types.
    pub(crate) assigns_others: bool,
    /// Whether an object of a class may be converted to another class or to a number.
    pub(crate) converts: bool,
    /// Names of type aliases for arrays.
    pub(crate) array_types: HashSet<String>,
    /// Names of type aliases for references.
    pub(crate) reference_types: HashSet<String>,
    /// Whether pointers may be where the CPU executor does not look for them: in constants, in
    /// variables of templates and classes, or anywhere in packed classes.
    pub(crate) hidden_pointers: bool,
    /// Whether a device variable may hold a pointer.
    pub(crate) device_pointers: bool,
    /// Whether copies may write `__constant__` variables while kernels run.
    pub(crate) constants_change: bool,
    /// Macros that turn their arguments into text.
    pub(crate) texts: Texts,
    /// Where device functions and variables are defined.
    pub(crate) per_file: PerFile,
    /// Whether a device function has so many accesses that checks must be calls.
    pub(crate) checks_by_call: bool,
    /// What device functions may reach that orders accesses.
    pub(crate) synchronisation: Synchronisation,
    /// Files parsed so far, so that rewriting need not parse them again.
    pub(crate) parses: Parses,
}

/// The maximum number of classes to search for a member.
const MAX_BASES: usize = 32;

impl Facts {
    /// The macros that conditions test, and that nothing defines as far as names tell: neither the project, nor the
    /// compiler, nor the headers of CUDA or hirace.
    ///
    /// A library may define one of them, so nothing that must be right may depend on this.
    pub fn macros_without_definition(&self) -> impl Iterator<Item = &str> {
        let tested = self.tested_macros.iter().map(String::as_str);
        tested.filter(|it| !self.may_define(it))
    }

    /// Whether there may be a definition of a macro.
    pub(crate) fn may_define(&self, name: &str) -> bool {
        const OTHERS: [&str; 8] = [
            "_",
            "CUDA",
            "CUB",
            "THRUST",
            "CCCL",
            "NV_",
            "LIBCUDACXX",
            "HIRACE",
        ];
        self.macros.contains_key(name) || OTHERS.iter().any(|it| name.starts_with(it))
    }

    /// The variable that `name` designates in the file at `path`.
    pub(crate) fn variable(&self, name: &str, path: &str) -> Option<&Variable> {
        let found = self.variables.get(name)?;
        found
            .iter()
            .find(|it| it.file.as_deref() == Some(path))
            .or_else(|| found.iter().find(|it| it.file.is_none()))
    }

    /// The field that an unqualified `name` designates inside `class`.
    pub(crate) fn member(&self, class: &str, name: &str) -> Option<&FieldFact> {
        let mut all = self.with_bases(class).filter_map(|it| self.classes.get(it));
        all.find_map(|it| it.fields.get(name))
    }

    /// A class and its bases; what hides others comes first.
    fn with_bases<'f>(&'f self, class: &'f str) -> impl Iterator<Item = &'f str> {
        let mut waiting = vec![class];
        let next = move || {
            let class = waiting.pop()?;
            let bases = self.classes.get(class).into_iter().flat_map(|it| &it.bases);
            waiting.extend(bases.map(String::as_str));
            Some(class)
        };
        std::iter::from_fn(next).take(MAX_BASES)
    }

    /// The class that has the method that `name` designates inside `class`.
    pub(crate) fn class_with_method<'f>(&'f self, class: &'f str, name: &str) -> Option<&'f str> {
        let has = |it: &&str| {
            let class = self.classes.get(*it);
            class.is_some_and(|it| it.defined && it.methods.contains(name))
        };
        self.with_bases(class).find(has)
    }

    /// The file at `path`, if it is a source file that no other file includes.
    fn alone(&self, path: &str) -> Option<Arc<str>> {
        let name = Path::new(path).file_name()?;
        let is_included = is_header(path) || self.included.contains(name);
        (!is_included).then(|| Arc::from(path))
    }

    /// Whether a function is a member of a class.
    pub(crate) fn is_method(&self, function: &Signature) -> bool {
        let class = function.class.as_ref();
        let class = class.and_then(|it| self.classes.get(it));
        !function.is_friend && class.is_some_and(|it| it.defined)
    }

    /// The fields called `name` of all classes.
    pub(crate) fn fields_called(&self, name: &str) -> impl Iterator<Item = &FieldFact> {
        self.fields.get(name).into_iter().flatten()
    }

    /// The functions called `name` of all classes and namespaces.
    pub(crate) fn functions_called(&self, name: &str) -> impl Iterator<Item = &Signature> {
        self.functions.get(name).into_iter().flatten()
    }

    /// The groups of the bit-fields called `name` in any class; none if there are none.
    pub(crate) fn bit_groups_of(&self, name: &str) -> Option<Vec<usize>> {
        let fields = self.fields_called(name);
        let groups: Vec<usize> = fields.filter_map(|it| it.bits).collect();
        (!groups.is_empty()).then_some(groups)
    }

    /// Whether a kernel called `name` has a body in the project.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.functions_called(name).any(|it| it.defined)
    }

    /// Whether `name` is declared as a kernel.
    pub(crate) fn is_kernel(&self, name: &str) -> bool {
        let mut all = self.functions_called(name);
        all.any(|it| it.qualifiers.has(Qualifiers::GLOBAL))
    }

    /// Whether `name` names only classes without constructors and references, so that their
    /// initialisers are copied.
    pub(crate) fn is_plain(&self, name: &str) -> bool {
        self.is_plain_within(name, 8)
    }

    fn is_plain_within(&self, name: &str, levels: usize) -> bool {
        let Some(class) = self.classes.get(name) else {
            return false;
        };
        let field = |fact: &FieldFact| {
            let kind = bare_name(&fact.binding.type_text);
            let number = fact.binding.shape.pointers > 0 || fact.binding.shape.exact;
            !fact.reference
                && (number || !self.is_type(kind) || self.is_plain_within(kind, levels - 1))
        };
        levels > 0
            && !self.functions.contains_key(name)
            && class.fields.values().all(field)
            && class
                .bases
                .iter()
                .all(|base| self.is_plain_within(base, levels - 1))
    }

    /// Whether `name` names a type.
    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }
}

/// Extensions of files that are compiled.
const SOURCE_EXTENSIONS: Words = Words::of("cu cpp cc cxx c");

/// Whether a file is one that others include.
pub(crate) fn is_header(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    !SOURCE_EXTENSIONS.has(&extension.to_ascii_lowercase())
}
