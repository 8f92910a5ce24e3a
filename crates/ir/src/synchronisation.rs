//! Which constructs that may order accesses a function may reach, through calls.
//!
//! # The analysis
//!
//! A [`Summary`] has the constructs in the text of a function, and the names that it mentions. What a function may reach
//! is the least solution of
//!
//! ```text
//! reach(f) = constructs(f) ∪ ⋃ { reach(g) | f mentions g } ∪ implicit
//! ```
//!
//! where *implicit* is the union over all functions that expressions call without naming them: operators, constructors,
//! destructors and conversions. No path is excluded, so control flow does not matter.
//!
//! # Why nothing is missed
//!
//! 1. *Names stand for all that they may mean.* A function is each function of its name, whatever its class or
//!    parameters; a mentioned name counts as a call, since its address may be called elsewhere; a macro is a function
//!    whose text is that of its definitions.
//! 2. *What is not known is [`Construct::Unknown`]:* a call of a name that neither the program nor the table of names
//!    has, a call of an object or through a pointer, a type whose constructor the program does not show, text that could
//!    not be parsed.
//! 3. *A volatile object may be named anywhere,* so one declared outside of functions counts for all of them: the
//!    caller adds it to what is implicit.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::names::{Home, Meaning, is_vector, meaning, meaning_in, takes_numbers};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Layer, called_name, declarators};
use hirace_syntax::words::{Words, is_builtin_type};

/// Something that may order accesses, or an access that may be part of such a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Construct {
    /// A barrier of all threads of the block.
    BlockBarrier,
    /// A barrier of all lanes of the warp, or an exchange of values between lanes.
    WarpBarrier,
    /// A barrier of the lanes of a mask.
    MaskedBarrier,
    /// A fence.
    Fence,
    /// An atomic operation.
    Atomic,
    /// An atomic operation that may take or release a lock.
    Exchange,
    /// An access to a volatile object.
    Volatile,
    /// A launch of a kernel.
    Launch,
    /// Inline assembly.
    Assembly,
    /// What the text does not show.
    Unknown,
}

impl Construct {
    /// Its name, as a noun in the plural.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BlockBarrier => "block barriers",
            Self::WarpBarrier => "warp barriers",
            Self::MaskedBarrier => "barriers of some lanes",
            Self::Fence => "fences",
            Self::Atomic => "atomics",
            Self::Exchange => "atomic exchanges",
            Self::Volatile => "volatile accesses",
            Self::Launch => "launches",
            Self::Assembly => "assembly",
            Self::Unknown => "unknown code",
        }
    }
}

/// Sets of constructs.
pub type Constructs = BTreeSet<Construct>;

/// Words before `volatile` that make it a part of inline assembly.
const ASSEMBLY: Words = Words::of("asm __asm __asm__");

/// Keywords that a parenthesis may follow.
const KEYWORDS: Words =
    Words::of("if for while switch return volatile asm __asm __asm__ else do and or not");

/// Functions that order nothing and access no memory of other threads, besides those in the table of names.
const PURE: Words = Words::of(
    "printf assert static_assert sizeof alignof decltype noexcept __activemask __lanemask_lt clock clock64 __clock64 \
     __nanosleep __trap __brkpt __assume __builtin_assume __builtin_expect __builtin_unreachable __ldg move forward get \
     lowest epsilon infinity quiet_NaN swap isnan isinf this_thread_block tiled_partition sincos sincosf __sincosf malloc \
     free memcpy memmove memset memcmp __cvta_generic_to_shared",
);

/// First parts of names of intrinsics that take and return numbers: conversions, arithmetic, SIMD in a word.
const PURE_PREFIXES: [&str; 8] = [
    "__int_as_",
    "__int2",
    "__uint",
    "__half",
    "__ll2",
    "__ull2",
    "__low",
    "__high",
];

/// Types of CUDA and the standard library whose objects order nothing.
const TYPES: Words = Words::of(
    "dim3 half half2 size_t ptrdiff_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t \
     intptr_t uintptr_t uint ushort uchar ulong thread_block thread_block_tile complex array pair tuple numeric_limits \
     initializer_list",
);

/// First parts of names of such types.
const TYPE_PREFIXES: [&str; 4] = ["cuda", "curand", "__half", "__nv_"];

/// How a function calls another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Form {
    /// The name is there, whatever for.
    Mention,
    /// `f()`
    Plain,
    /// `f(…)` with arguments.
    WithArguments,
    /// `object.f(…)`
    Method,
    /// An object of a type of this name is declared, or converted to.
    Type,
    /// An object of a type of this name is called.
    Object,
}

/// What the text of a function shows.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    constructs: Constructs,
    uses: BTreeSet<(String, Form)>,
}

/// What the program says of names.
pub trait Names {
    /// Whether a name is that of a macro.
    fn is_macro(&self, name: &str) -> bool;

    /// Whether a name is that of a type, or of a parameter of a template.
    fn is_type(&self, name: &str) -> bool;

    /// Whether a name is that of a class.
    fn is_class(&self, name: &str) -> bool;

    /// Whether all functions of a name have bodies in the program, and there is one. `is_method`: all are members of
    /// classes.
    fn is_defined(&self, name: &str, is_method: bool) -> bool;
}

impl Summary {
    /// The summary of a function or a lambda at a node, and of what is inside it. `words` are the words of its text,
    /// those of macros included.
    pub fn of<'w>(node: Node<'_>, text: &str, words: impl Iterator<Item = &'w str>) -> Self {
        let mut summary = Self::default();
        if node.has_error() {
            summary.constructs.insert(Construct::Unknown);
        }
        summary.words(words);
        let parameters = type_parameters(node, text);
        let objects = Objects::of(node, text);
        for it in node.descendants() {
            match it.kind() {
                Kind::CallExpression if it.child_of(Kind::KernelCallSyntax).is_some() => {
                    summary.constructs.insert(Construct::Launch);
                }
                Kind::CallExpression => summary.call(it, text, &objects),
                Kind::ExpressionStatement => {
                    // A macro, or a variable.
                    let is_name = |it: &Node<'_>| {
                        matches!(it.kind(), Kind::Identifier | Kind::TypeIdentifier)
                    };
                    let name = it.first_named().filter(is_name);
                    summary
                        .uses
                        .extend(name.map(|it| (it.text(text).to_owned(), Form::Plain)));
                }
                Kind::Declaration | Kind::ParameterDeclaration => {
                    let class = class_of(it, text).map(str::to_owned);
                    summary.uses.extend(class.map(|it| (it, Form::Type)));
                }
                _ => {}
            }
        }
        summary
            .uses
            .retain(|(name, _)| !parameters.contains(name.as_str()));
        summary
    }

    /// The summary of text outside of functions whose words may stand for functions.
    pub fn of_words<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut summary = Self::default();
        summary.words(words);
        summary
    }

    /// The summary of a macro with this text and these parameters.
    pub fn of_macro(text: &str, parameters: &[String]) -> Self {
        let mut summary = Self::default();
        let tokens = lex_inline(text).tokens;
        let word = |at: usize| tokens.get(at).map_or("", |it| it.text(text));
        let own = |name: &str| parameters.iter().any(|it| it == name);
        summary.words(tokens.iter().map(|it| it.text(text)));
        if text.contains("<<<") {
            summary.constructs.insert(Construct::Launch);
        }
        // Names that are put together, and template arguments, are not followed.
        let hides = |at: usize| word(at) == "##" || word(at) == ">" && word(at + 1) == "(";
        if (0..tokens.len()).any(hides) {
            summary.constructs.insert(Construct::Unknown);
        }
        for (at, token) in tokens.iter().enumerate() {
            let name = token.text(text);
            if token.kind != TokenKind::Word || word(at + 1) != "(" || KEYWORDS.has(name) {
                continue;
            }
            if own(name) {
                summary.constructs.insert(Construct::Unknown);
            }
            let is_method = at > 0 && matches!(word(at - 1), "." | "->");
            let form = match (is_method, word(at + 2)) {
                (true, _) => Form::Method,
                (false, ")") => Form::Plain,
                (false, _) => Form::WithArguments,
            };
            summary.uses.insert((name.to_owned(), form));
        }
        summary
    }

    fn words<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        let mut before = "";
        for word in words {
            if ASSEMBLY.has(word) {
                self.constructs.insert(Construct::Assembly);
            }
            if word == "volatile" && !ASSEMBLY.has(before) {
                self.constructs.insert(Construct::Volatile);
            }
            if word.starts_with('#') && word.contains("include") {
                self.constructs.insert(Construct::Unknown);
            }
            let is_name = word.starts_with(|it: char| it.is_alphabetic() || it == '_');
            if is_name && !is_builtin_type(word) {
                self.uses.insert((word.to_owned(), Form::Mention));
            }
            before = word;
        }
    }

    fn call(&mut self, call: Node<'_>, text: &str, objects: &Objects<'_>) {
        let Some(callee) = call.child(Field::Function) else {
            return;
        };
        let form = match callee.kind() {
            Kind::PrimitiveType => return,
            Kind::FieldExpression => Form::Method,
            Kind::Identifier
            | Kind::TemplateFunction
            | Kind::QualifiedIdentifier
            | Kind::DependentName => match call.arguments().next() {
                Some(_) => Form::WithArguments,
                None => Form::Plain,
            },
            // `(T)(x)`
            Kind::ParenthesizedExpression => Form::Type,
            // `T()(x)`
            Kind::CallExpression => Form::Object,
            _ => {
                self.constructs.insert(Construct::Unknown);
                return;
            }
        };
        let is_cast = callee.is(Kind::TemplateFunction)
            && callee.child_text(Field::Name, text).ends_with("_cast");
        let named = match form {
            Form::Type => callee.without_parentheses(),
            Form::Object => callee
                .child(Field::Function)
                .map_or(callee, |it| called_name(it).0),
            _ => called_name(callee).0,
        };
        let name = named.text(text);
        match objects.0.get(name).filter(|_| callee.is(Kind::Identifier)) {
            _ if is_cast => {}
            // A lambda, whose text is here.
            Some(None) => {}
            Some(Some(class)) => {
                self.uses.insert(((*class).to_owned(), Form::Object));
            }
            None => {
                self.uses.insert((name.to_owned(), form));
            }
        }
    }

    /// The constructs of the text, by what the program says of the names.
    fn own(&self, names: &dyn Names) -> Constructs {
        let used = self
            .uses
            .iter()
            .filter_map(|(name, form)| construct(names, name, *form));
        self.constructs.iter().copied().chain(used).collect()
    }
}

/// What a use of a name may be, besides the functions and macros of that name.
fn construct(names: &dyn Names, name: &str, form: Form) -> Option<Construct> {
    let unknown = |is_known: bool| (!is_known).then_some(Construct::Unknown);
    let is_type = || {
        is_builtin_type(name)
            || names.is_type(name)
            || TYPES.has(name)
            || TYPE_PREFIXES.iter().any(|it| name.starts_with(it))
            || is_vector(name)
    };
    match form {
        // It may be the argument of a macro that calls it.
        Form::Mention => meaning(name).and_then(|it| of_meaning(it, name, form)),
        Form::Type => unknown(names.is_macro(name) || is_type()),
        Form::Object => unknown(names.is_class(name)),
        Form::Method => {
            let is_of_group = meaning_in(Home::Group, name).is_some() || name == "thread_rank";
            let orders = meaning_in(Home::CudaObject, name).is_some() || name == "sync";
            unknown(names.is_macro(name) || is_of_group || !orders && names.is_defined(name, true))
        }
        Form::Plain | Form::WithArguments => match meaning(name) {
            Some(known) => of_meaning(known, name, form),
            None => unknown(
                names.is_macro(name)
                    || names.is_defined(name, false)
                    || PURE.has(name)
                    || PURE_PREFIXES.iter().any(|it| name.starts_with(it))
                    || is_type()
                    || takes_numbers(name),
            ),
        },
    }
}

/// What a function in the table of names is.
fn of_meaning(meaning: Meaning, name: &str, form: Form) -> Option<Construct> {
    let is_exchange = || {
        ["atomicCAS", "atomicExch"]
            .iter()
            .any(|it| name.starts_with(it))
    };
    Some(match meaning {
        Meaning::BlockBarrier => Construct::BlockBarrier,
        Meaning::WarpBarrier if name == "__syncwarp" && form == Form::WithArguments => {
            Construct::MaskedBarrier
        }
        Meaning::WarpBarrier | Meaning::WarpVote | Meaning::WarpExchange => Construct::WarpBarrier,
        Meaning::Fence(_) | Meaning::FenceOfArgument => Construct::Fence,
        Meaning::Atomic if is_exchange() => Construct::Exchange,
        Meaning::Atomic => Construct::Atomic,
        Meaning::HintedLoad
        | Meaning::HintedStore
        | Meaning::Numeric
        | Meaning::TextureFetch
        | Meaning::SurfaceRead
        | Meaning::SurfaceWrite
        | Meaning::RandomNumber { .. } => return None,
        _ => Construct::Unknown,
    })
}

/// The class that a declaration of objects, or of a parameter with a name, names.
fn class_of<'s>(declaration: Node<'_>, text: &'s str) -> Option<&'s str> {
    declaration.child(Field::Declarator)?;
    let is_name = |it: &Node<'_>| {
        matches!(
            it.kind(),
            Kind::TypeIdentifier | Kind::TemplateType | Kind::QualifiedIdentifier
        )
    };
    let class = declaration.child(Field::Type).filter(is_name)?;
    Some(called_name(class).0.text(text))
}

/// The objects of classes that a function declares, with the names of these classes; none for lambdas.
struct Objects<'s>(HashMap<&'s str, Option<&'s str>>);

impl<'s> Objects<'s> {
    fn of(function: Node<'_>, text: &'s str) -> Self {
        let mut objects = HashMap::new();
        for it in function.descendants() {
            let is_lambda = |it: Node<'_>| it.is(Kind::LambdaExpression);
            match it.kind() {
                Kind::InitDeclarator if it.child(Field::Value).is_some_and(is_lambda) => {
                    objects.insert(it.child_text(Field::Declarator, text), None);
                }
                Kind::Declaration | Kind::ParameterDeclaration => {
                    let Some(class) = class_of(it, text) else {
                        continue;
                    };
                    for declarator in declarators(it, text) {
                        // `T f(x);` declares an object more often than a function.
                        let is_object =
                            |it: &Layer| matches!(it, Layer::Reference | Layer::Function);
                        let name = declarator
                            .name
                            .filter(|_| declarator.layers.iter().all(is_object));
                        if let Some(name) = name {
                            objects.insert(name.text(text), Some(class));
                        }
                    }
                }
                _ => {}
            }
        }
        Self(objects)
    }
}

/// The types among the parameters of the templates around a function.
fn type_parameters<'s>(function: Node<'_>, text: &'s str) -> BTreeSet<&'s str> {
    let templates = function
        .ancestors()
        .filter(|it| it.is(Kind::TemplateDeclaration));
    let lists = templates.filter_map(|it| it.child(Field::Parameters));
    let parameters = lists.flat_map(Node::named_children);
    let types = parameters.filter(|it| {
        let words = it.text(text);
        words.starts_with("typename") || words.starts_with("class")
    });
    let names = types.flat_map(|it| it.descendants_of(Kind::TypeIdentifier).next());
    names.map(|it| it.text(text)).collect()
}

/// The summaries of a program's functions and macros, by their names without classes and namespaces.
#[derive(Debug, Default)]
pub struct CallGraph {
    functions: BTreeMap<String, Summary>,
}

impl CallGraph {
    /// Adds a function, or another one of the same name.
    pub fn add(&mut self, name: &str, summary: Summary) {
        let known = self.functions.entry(name.to_owned()).or_default();
        known.constructs.extend(summary.constructs);
        known.uses.extend(summary.uses);
    }

    /// Whether there is a function or a macro of a name.
    pub fn has(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// What each function may reach. Those that `is_implicit` accepts may be called without being named; `implicit` is
    /// what else any function may do.
    pub fn solve(
        &self,
        names: &dyn Names,
        is_implicit: impl Fn(&str) -> bool,
        mut implicit: Constructs,
    ) -> HashMap<String, Constructs> {
        let own = |(name, it): (&String, &Summary)| (name.clone(), it.own(names));
        let mut reached: HashMap<String, Constructs> = self.functions.iter().map(own).collect();
        let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
        for (caller, summary) in &self.functions {
            for (name, _) in &summary.uses {
                if self.has(name) {
                    callers.entry(name).or_default().push(caller);
                }
            }
        }
        let mut waiting: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        while let Some(name) = waiting.pop() {
            let from = reached[name].clone();
            for caller in callers.get(name).into_iter().flatten() {
                let to = reached.entry((*caller).to_owned()).or_default();
                if !from.is_subset(to) {
                    to.extend(from.iter().copied());
                    waiting.push(caller);
                }
            }
        }
        for (_, it) in reached.iter().filter(|(name, _)| is_implicit(name)) {
            implicit.extend(it.iter().copied());
        }
        for it in reached.values_mut() {
            it.extend(implicit.iter().copied());
        }
        reached
    }
}
