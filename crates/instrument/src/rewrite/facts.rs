//! What the files of a project say about one another.
//!
//! All files that are instrumented together are read once before any is
//! rewritten: whether an argument is an access depends on the callee's
//! parameter, a name on the variable it stands for, a member on its class.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use rayon::prelude::*;

use hirace_syntax::Defines;
use hirace_syntax::alias::{AliasSource, Aliases};
use hirace_syntax::prepass::{Definitions, Prepass, definitions};
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Kind, Tree};
use hirace_syntax::view::{Parameter, Returns};

use super::Source;
use super::calls::{names_cuda_objects, uses_cub};
use super::classify::bare_name;
use super::collect::{Collector, packs_classes};
use super::macros::{MacroUse, PastedName};
use super::scope::{Binding, is_scalar};

/// A parameter as callers see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ParameterFact {
    pub(crate) reference: bool,
    pub(crate) constant: bool,
    pub(crate) pack: bool,
    pub(crate) optional: bool,
    pub(crate) pointer: bool,
    pub(crate) type_text: String,
}

impl ParameterFact {
    pub(crate) fn of(parameter: &Parameter<'_>, source: &str) -> Self {
        Self {
            reference: parameter.is_reference(),
            constant: parameter.constant,
            pack: parameter.pack,
            optional: parameter.is_optional(),
            pointer: parameter
                .declarator
                .as_ref()
                .is_some_and(|it| it.element_is_pointer() || it.rank() > 0),
            type_text: parameter.type_text(source).to_owned(),
        }
    }
}

/// A function declared somewhere in the project.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) class: Option<String>,
    pub(crate) parameters: Vec<ParameterFact>,
    pub(crate) returns: Returns,
    pub(crate) qualifiers: Qualifiers,
    pub(crate) defined: bool,
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

/// What a namespace-scope variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VariableKind {
    /// `__device__` or `__managed__`, and not const.
    Device,
    /// Anything that the device cannot write, or a host variable.
    Constant,
    /// `extern __shared__ T name[];`
    DynamicShared,
    /// Any other file-scope `__shared__` variable.
    Shared,
}

/// A namespace-scope variable of device code.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    /// The only file that sees it; none for one in a header.
    pub(crate) file: Option<String>,
    pub(crate) binding: Binding,
}

/// A data member.
#[derive(Clone, Debug)]
pub(crate) struct FieldFact {
    pub(crate) binding: Binding,
    /// Itself a reference.
    pub(crate) reference: bool,
    /// Static and const: has no address on the device.
    pub(crate) constant: bool,
    /// The number of the bit-fields that lie side by side, if it is one of those.
    pub(crate) bits: Option<usize>,
    /// In a packed class, where no reference may bind to it.
    pub(crate) packed: bool,
}

/// A class, struct or union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Class {
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
    /// The names that stand for qualifiers.
    pub aliases: Aliases,
    pub(crate) macros: HashMap<String, Vec<MacroText>>,
    /// Macros that device code uses, directly or through other macros.
    pub(crate) device_macros: HashSet<String>,
    /// What the macros of device code do with their arguments.
    pub(crate) macro_uses: HashMap<String, MacroUse>,
    /// Names of classes and functions that macros put together.
    pub(crate) pasted_names: Vec<PastedName>,
    /// Macros that define functions by the names of their parameters.
    pub(crate) naming_macros: HashSet<String>,
    /// What uses of those give for arguments.
    pub(crate) names_given: HashSet<String>,
    /// Macros that define kernels, and the parameter that stands for the kernel's name.
    pub(crate) kernel_macros: HashMap<String, Option<usize>>,
    /// Macros with a lambda for the device in their bodies.
    pub(crate) lambda_macros: HashSet<String>,
    /// Macros that `#if` conditions ask about.
    pub(crate) condition_words: HashSet<String>,
    /// By the last part of the name; methods and lambdas (`operator()`) too.
    pub(crate) functions: HashMap<String, Vec<Signature>>,
    pub(crate) variables: HashMap<String, Vec<Variable>>,
    pub(crate) classes: HashMap<String, Class>,
    /// Every class's fields, by name.
    pub(crate) fields: HashMap<String, Vec<FieldFact>>,
    /// Names of bit-fields that lie side by side.
    pub(crate) bit_groups: Vec<Vec<String>>,
    /// Names of classes, enums and aliases.
    pub(crate) types: HashSet<String>,
    /// Those among them that are templates.
    pub(crate) templates: HashSet<String>,
    /// Names of type aliases for classes that synchronise by themselves, and
    /// what those are.
    pub(crate) synchronising: HashMap<String, &'static str>,
    /// Whether any file names objects of libcu++ that synchronise.
    pub(crate) cuda_objects: bool,
    /// Whether any file uses CUB.
    pub(crate) cub: bool,
    /// Whether a class may be assigned objects of other types by an operator of its own.
    pub(crate) assigns_others: bool,
    /// Whether an object of one class may be turned into one of another, or a number.
    pub(crate) converts: bool,
    /// Names of type aliases for references.
    pub(crate) reference_types: HashSet<String>,
    /// Whether pointers may lie where the CPU executor does not look for them: in constants,
    /// in variables of templates and classes, or anywhere in packed classes.
    pub(crate) hidden_pointers: bool,
    /// Whether there is a variable of the device that may hold a pointer.
    pub(crate) device_pointers: bool,
    /// Files read so far, so that rewriting need not read them again.
    parses: Mutex<HashMap<String, Parsed>>,
}

/// A file that was read.
struct Parsed {
    text: String,
    prepass: Prepass,
    tree: Tree,
}

/// How much source text is kept parsed; its tree takes some ten times as much.
const KEPT_BYTES: usize = 64 << 20;

/// How much source text is read at a time, on all cores.
const BATCH_BYTES: usize = 4 << 20;

impl Facts {
    /// Reads all files of a project.
    pub fn collect<'a>(files: impl IntoIterator<Item = &'a Source<'a>>, defines: &Defines) -> Self {
        Self::collect_watched(files, defines, &mut |_| {})
    }

    /// As [`Facts::collect`]; `watch` learns how many bytes were read each time.
    pub fn collect_watched<'a>(
        files: impl IntoIterator<Item = &'a Source<'a>>,
        defines: &Defines,
        watch: &mut dyn FnMut(usize),
    ) -> Self {
        let files: Vec<&Source<'_>> = files.into_iter().collect();
        let mut facts = Self::default();
        let definitions: Vec<_> = files
            .par_iter()
            .map(|file| definitions(file.text, defines))
            .collect();
        for (file, definitions) in files.iter().zip(definitions) {
            facts.note_macros(file, definitions);
        }
        facts.aliases = Aliases::find(facts.macros.iter().flat_map(|(name, definitions)| {
            definitions.iter().map(move |definition| AliasSource {
                name,
                has_parameters: definition.parameters.is_some(),
                body: &definition.body,
            })
        }));
        let mut words = HashSet::new();
        facts.read_functions_in_macros(&mut words);
        facts.names_given = facts.names_given_in_macros();
        let mut parses = HashMap::new();
        let mut kept = 0;
        for batch in batches(&files) {
            let read: Vec<_> = batch
                .par_iter()
                .map(|file| {
                    let (prepass, tree) = facts.read(file, defines);
                    let names = facts.names_given(&prepass, file.text);
                    (prepass, tree, names)
                })
                .collect();
            for (file, (prepass, tree, names)) in batch.iter().zip(read) {
                facts.names_given.extend(names);
                facts.cuda_objects |= names_cuda_objects(file.text);
                facts.cub |= uses_cub(file.text);
                facts.hidden_pointers |= packs_classes(&prepass, file.text);
                super::stack::with_depth(tree.depth(), || {
                    let mut collector = Collector {
                        path: file.path,
                        source: file.text,
                        prepass: &prepass,
                        facts: &mut facts,
                        words: &mut words,
                        classes: Vec::new(),
                        packed: false,
                        after_bits: false,
                    };
                    collector.items(tree.root());
                });
                kept += file.text.len();
                if kept <= KEPT_BYTES {
                    let parsed = Parsed {
                        text: file.text.to_owned(),
                        prepass,
                        tree,
                    };
                    parses.insert(file.path.to_owned(), parsed);
                }
                watch(file.text.len());
            }
        }
        facts.join_declarations();
        facts.note_conversions();
        facts.spread_macros(words);
        facts.study_macros();
        facts.parses = Mutex::new(parses);
        facts
    }

    /// A file's syntax: what [`Facts::collect`] kept of it, or read anew.
    pub(crate) fn parsed(&self, file: &Source<'_>, defines: &Defines) -> (Prepass, Tree) {
        let kept = self
            .parses
            .lock()
            .ok()
            .and_then(|mut all| all.remove(file.path));
        if let Some(kept) = kept.filter(|it| it.text == file.text) {
            return (kept.prepass, kept.tree);
        }
        self.read(file, defines)
    }

    /// Reads a file. One that is host code through and through is not parsed.
    fn read(&self, file: &Source<'_>, defines: &Defines) -> (Prepass, Tree) {
        let prepass = Prepass::run(file.text, defines, &self.aliases);
        let tree = if is_plain_host_code(file, &prepass) {
            Tree::parse(b"", 0)
        } else {
            Tree::of(&prepass)
        };
        (prepass, tree)
    }

    fn note_macros(&mut self, file: &Source<'_>, found: Definitions) {
        for definition in found.macros {
            let text = MacroText {
                parameters: definition.parameters,
                body: file.text[definition.body].to_owned(),
            };
            let known = self.macros.entry(definition.name).or_default();
            if !known.contains(&text) {
                known.push(text);
            }
        }
        self.condition_words.extend(found.asked);
    }

    /// Reads the functions that macros define. Where a parameter stands for the name,
    /// they go by the empty one.
    fn read_functions_in_macros(&mut self, words: &mut HashSet<String>) {
        let mut found = Vec::new();
        for (name, definitions) in &self.macros {
            for text in definitions.iter().filter(|it| it.body.contains('{')) {
                let prepass = super::macros::masked(&text.body, &self.aliases);
                if super::macros::holds_device_code(&prepass, &text.body) {
                    found.push((name.clone(), text.clone(), prepass));
                }
            }
        }
        for (name, text, prepass) in found {
            let before = std::mem::take(&mut self.functions);
            if let Some(tree) = super::macros::declarations(&prepass.text, 0) {
                let mut collector = Collector {
                    path: "",
                    source: &text.body,
                    prepass: &prepass,
                    facts: self,
                    words,
                    classes: Vec::new(),
                    packed: false,
                    after_bits: false,
                };
                collector.items(tree.root());
            }
            let defined = std::mem::replace(&mut self.functions, before);
            let of = name.clone();
            if !defined.values().flatten().any(|it| it.defined) {
                self.lambda_macros.insert(name.clone());
            }
            let parameters = text.parameters.as_deref().unwrap_or(&[]);
            for (function, signatures) in &defined {
                let kernel = |it: &Signature| it.defined && it.qualifiers.has(Qualifiers::GLOBAL);
                if signatures.iter().any(kernel) {
                    let parameter = parameters.iter().position(|it| it == function);
                    self.kernel_macros.insert(name.clone(), parameter);
                }
            }
            for (name, signatures) in defined {
                if parameters.contains(&name) {
                    self.naming_macros.insert(of.clone());
                }
                let given = parameters.contains(&name) || name.contains("__");
                let name = if given { String::new() } else { name };
                self.functions.entry(name).or_default().extend(signatures);
            }
        }
    }

    /// A declaration of a function that has a body elsewhere counts as defined.
    fn join_declarations(&mut self) {
        for signatures in self.functions.values_mut() {
            let bodies: Vec<(Option<String>, usize)> = signatures
                .iter()
                .filter(|it| it.defined)
                .map(|it| (it.class.clone(), it.parameters.len()))
                .collect();
            for signature in signatures.iter_mut().filter(|it| !it.defined) {
                let same = |(class, count): &(Option<String>, usize)| {
                    *class == signature.class && *count == signature.parameters.len()
                };
                signature.defined = bodies.iter().any(same);
            }
        }
    }

    /// Looks for what makes or assigns an object from one of another type.
    fn note_conversions(&mut self) {
        let takes_own = |it: &Signature| {
            let first = it.parameters.first().map(|it| bare_name(&it.type_text));
            first.is_none() || first == it.class.as_deref()
        };
        let assignments = self.functions.get("operator=").into_iter().flatten();
        self.assigns_others = assignments.into_iter().any(|it| !takes_own(it));
        let constructors = self.classes.keys().filter_map(|it| {
            let all = self.functions.get(it)?;
            Some(all.iter().filter(move |of| of.class.as_ref() == Some(it)))
        });
        let converting = |it: &Signature| {
            let number = |it: &ParameterFact| is_scalar(&it.type_text) || it.pointer;
            it.accepts(1) && !takes_own(it) && !it.parameters.first().is_some_and(number)
        };
        self.converts = self.assigns_others
            || self.functions.contains_key("operator")
            || constructors.flatten().any(converting);
    }

    /// Follows the macros used by device code through macro bodies.
    fn spread_macros(&mut self, words: HashSet<String>) {
        let mut waiting: Vec<String> = words.into_iter().collect();
        while let Some(word) = waiting.pop() {
            if self.device_macros.contains(&word) {
                continue;
            }
            for definition in self.macros.get(&word).into_iter().flatten() {
                for token in hirace_syntax::lexer::lex_inline(&definition.body).tokens {
                    let text = token.text(&definition.body);
                    if self.macros.contains_key(text) {
                        waiting.push(text.to_owned());
                    }
                }
            }
            self.device_macros.insert(word);
        }
    }

    /// The variable that `name` stands for in the file at `path`.
    pub(crate) fn variable(&self, name: &str, path: &str) -> Option<&Variable> {
        let found = self.variables.get(name)?;
        found
            .iter()
            .find(|it| it.file.as_deref() == Some(path))
            .or_else(|| found.iter().find(|it| it.file.is_none()))
    }

    /// The field that an unqualified `name` stands for inside `class`.
    pub(crate) fn member(&self, class: &str, name: &str) -> Option<&FieldFact> {
        let mut waiting = vec![class];
        let mut looked = 0;
        while let Some(class) = waiting.pop() {
            looked += 1;
            if looked > 32 {
                return None;
            }
            let Some(class) = self.classes.get(class) else {
                continue;
            };
            if let Some(field) = class.fields.get(name) {
                return Some(field);
            }
            waiting.extend(class.bases.iter().map(String::as_str));
        }
        None
    }

    /// The groups of the bit-fields called `name` in any class; none without one.
    pub(crate) fn bit_groups_of(&self, name: &str) -> Option<Vec<usize>> {
        let fields = self.fields.get(name)?;
        let groups: Vec<usize> = fields.iter().filter_map(|it| it.bits).collect();
        (!groups.is_empty()).then_some(groups)
    }

    /// Whether a kernel called `name` has a body in the project.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        self.functions
            .get(name)
            .is_some_and(|all| all.iter().any(|it| it.defined))
    }

    /// Whether `name` names only classes that have neither constructors nor
    /// references in them, so that their initialisers are copied.
    pub(crate) fn is_plain(&self, name: &str) -> bool {
        self.is_plain_within(name, 8)
    }

    fn is_plain_within(&self, name: &str, levels: usize) -> bool {
        let Some(class) = self.classes.get(name) else {
            return false;
        };
        let field = |it: &FieldFact| {
            let kind = bare_name(&it.binding.type_text);
            let number = it.binding.shape.pointers > 0 || it.binding.shape.exact;
            !it.reference
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

/// Whether a file is one that others include.
pub(crate) fn is_header(path: &str) -> bool {
    let extension = path
        .rsplit(['/', '\\'])
        .next()
        .and_then(|name| name.rsplit_once('.'));
    !matches!(
        extension
            .map(|(_, extension)| extension.to_ascii_lowercase())
            .as_deref(),
        Some("cu" | "cpp" | "cc" | "cxx" | "c")
    )
}

/// Kinds of nodes that define a class.
pub(crate) fn is_class(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
    )
}

/// Whether no device code sees anything of a file: no other file includes it, and neither
/// its words nor its macros have to do with CUDA.
fn is_plain_host_code(file: &Source<'_>, prepass: &Prepass) -> bool {
    !is_header(file.path)
        && !["cuda", "<<<", "__global__", "__device__", "__shared__"]
            .iter()
            .any(|word| file.text.contains(word))
        && !file.path.to_ascii_lowercase().ends_with(".cu")
        && prepass.marks.iter().all(|mark| {
            !mark.qualifiers.has(
                Qualifiers::GLOBAL | Qualifiers::DEVICE | Qualifiers::HOST | Qualifiers::SHARED,
            )
        })
}

/// Runs of files that are read together.
fn batches<'f, 'a>(files: &'f [&'a Source<'a>]) -> impl Iterator<Item = &'f [&'a Source<'a>]> {
    let mut rest = files;
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let count = rest
            .iter()
            .take_while(|file| {
                let fits = bytes < BATCH_BYTES;
                bytes += file.text.len();
                fits
            })
            .count();
        let (batch, after) = rest.split_at(count);
        rest = after;
        (!batch.is_empty()).then_some(batch)
    })
}
