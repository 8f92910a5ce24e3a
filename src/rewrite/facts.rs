//! What the files of a project say about one another.
//!
//! All files that are instrumented together are read once before any is
//! rewritten: whether an argument is an access depends on the callee's
//! parameter, a name on the variable it stands for, a member on its class.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use crate::parse::Defines;
use crate::parse::prepass::Prepass;
use crate::parse::qualifier::{AliasSource, Aliases, Qualifiers};
use crate::parse::tree::{Kind, Tree};
use crate::parse::view::{Parameter, Returns};

use super::Source;
use super::classify::bare_name;
use super::collect::Collector;
use super::macros::MacroUse;
use super::scope::Binding;

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
    pub(crate) bit_field: bool,
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
    pub(crate) aliases: Aliases,
    pub(crate) macros: HashMap<String, Vec<MacroText>>,
    /// Macros that device code uses, directly or through other macros.
    pub(crate) device_macros: HashSet<String>,
    /// What the macros of device code do with their arguments.
    pub(crate) macro_uses: HashMap<String, MacroUse>,
    /// Macros that `#if` conditions ask about.
    pub(crate) condition_words: HashSet<String>,
    /// By the last part of the name; methods and lambdas (`operator()`) too.
    pub(crate) functions: HashMap<String, Vec<Signature>>,
    pub(crate) variables: HashMap<String, Vec<Variable>>,
    pub(crate) classes: HashMap<String, Class>,
    /// Every class's fields, by name.
    pub(crate) fields: HashMap<String, Vec<FieldFact>>,
    /// Names of classes, enums and aliases.
    pub(crate) types: HashSet<String>,
    /// Those among them that are templates.
    pub(crate) templates: HashSet<String>,
    /// Names of type aliases for classes that synchronise by themselves, and
    /// what those are.
    pub(crate) synchronising: HashMap<String, &'static str>,
    /// Names of type aliases for references.
    pub(crate) reference_types: HashSet<String>,
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
const KEPT_BYTES: usize = 32 << 20;

impl Facts {
    /// Reads all files of a project.
    pub fn collect<'a>(files: impl IntoIterator<Item = &'a Source<'a>>, defines: &Defines) -> Self {
        let files: Vec<&Source<'_>> = files.into_iter().collect();
        let mut facts = Self::default();
        let plain = Aliases::default();
        for file in &files {
            facts.read_macros(file, defines, &plain);
        }
        facts.aliases = Aliases::find(facts.macros.iter().flat_map(|(name, definitions)| {
            definitions.iter().map(move |definition| AliasSource {
                name,
                has_parameters: definition.parameters.is_some(),
                body: &definition.body,
            })
        }));
        let mut words = HashSet::new();
        let mut parses = HashMap::new();
        let mut kept = 0;
        for file in &files {
            let prepass = Prepass::run(file.text, defines, &facts.aliases);
            let tree = Tree::parse(&prepass.text, 0);
            super::stack::with_depth(tree.depth(), || {
                let mut collector = Collector {
                    path: file.path,
                    source: file.text,
                    prepass: &prepass,
                    facts: &mut facts,
                    words: &mut words,
                    classes: Vec::new(),
                    packed: false,
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
        }
        facts.join_declarations();
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
        let prepass = Prepass::run(file.text, defines, &self.aliases);
        let tree = Tree::parse(&prepass.text, 0);
        (prepass, tree)
    }

    fn read_macros(&mut self, file: &Source<'_>, defines: &Defines, plain: &Aliases) {
        let prepass = Prepass::run(file.text, defines, plain);
        for definition in prepass.directives.macros {
            let text = MacroText {
                parameters: definition.parameters,
                body: file.text[definition.body].to_owned(),
            };
            let known = self.macros.entry(definition.name).or_default();
            if !known.contains(&text) {
                known.push(text);
            }
        }
        self.condition_words.extend(prepass.directives.asked);
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

    /// Follows the macros used by device code through macro bodies.
    fn spread_macros(&mut self, words: HashSet<String>) {
        let mut waiting: Vec<String> = words.into_iter().collect();
        while let Some(word) = waiting.pop() {
            if self.device_macros.contains(&word) {
                continue;
            }
            for definition in self.macros.get(&word).into_iter().flatten() {
                for token in crate::parse::lexer::lex_inline(&definition.body).tokens {
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

    /// Whether any field called `name` cannot be bound to a reference, and why.
    pub(crate) fn unbindable(&self, name: &str) -> Option<&'static str> {
        let fields = self.fields.get(name)?;
        if fields.iter().any(|it| it.bit_field) {
            return Some("bit-field");
        }
        fields
            .iter()
            .any(|it| it.packed)
            .then_some("member of a packed struct")
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
