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
//! where *implicit* is the union over all functions that may be called without being named: operators, constructors,
//! destructors, conversions, what loops over ranges call, and functions whose names stand anywhere without being called,
//! so that there may be pointers to them. No path is excluded, so control flow does not matter.
//!
//! # Why nothing is missed
//!
//! 1. *Names stand for all that they may mean.* A function is each function of its name, whatever its class or
//!    parameters; a mentioned name counts as a call; a macro is a function whose text is that of its definitions.
//! 2. *What is not known is [`Construct::Unknown`]:* a call of a name that neither the program nor the table of names
//!    has, or that has no body in the program; a call through a member or an element; a type that the program does not
//!    show; text that could not be parsed. Calls of variables whose type is a parameter of a template reach only what
//!    is implicit: objects, or functions whose names stand somewhere.
//! 3. *A volatile object may be named anywhere,* so one declared outside of functions counts for all of them: the
//!    caller adds it to what is implicit.

mod meanings;
mod summary;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use meanings::construct;
pub use summary::{Summary, is_volatile};

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
pub(crate) type Constructs = BTreeSet<Construct>;

/// The constructs that a function may reach, each with an example: the name by which it is reached, or the function that
/// has it.
#[derive(Clone, Debug, Default)]
pub struct Reached(BTreeMap<Construct, String>);

impl Reached {
    /// Adds a construct, or another example of it. The first one in the alphabet is kept.
    pub fn add(&mut self, construct: Construct, example: &str) {
        let known = self.0.get(&construct);
        if known.is_none_or(|it| example < it.as_str()) {
            self.0.insert(construct, example.to_owned());
        }
    }

    /// Whether a construct may be reached.
    pub fn has(&self, construct: Construct) -> bool {
        self.0.contains_key(&construct)
    }

    /// Constructs and examples.
    pub fn iter(&self) -> impl Iterator<Item = (Construct, &str)> {
        self.0.iter().map(|(it, example)| (*it, example.as_str()))
    }

    /// Adds what another function may reach; whether that changes anything.
    fn add_all(&mut self, other: &Self) -> bool {
        let is_less = |(construct, example): (Construct, &str)| {
            let known = self.0.get(&construct);
            known.is_none_or(|it| example < it.as_str())
        };
        let changes = other.iter().any(is_less);
        for (construct, example) in other.iter().filter(|_| changes) {
            self.add(construct, example);
        }
        changes
    }
}

/// What the program says of names.
pub trait Names {
    /// Whether a name is that of a macro.
    fn is_macro(&self, name: &str) -> bool;

    /// Whether a name is that of a type, or of a parameter of a template.
    fn is_type(&self, name: &str) -> bool;

    /// Whether a name is that of a class.
    fn is_class(&self, name: &str) -> bool;

    /// Whether all functions of a name are kernels, which nothing calls.
    fn is_kernel(&self, name: &str) -> bool;

    /// Whether the device functions, constructors or destructors of a name include one without a body in the program.
    fn is_declared_only(&self, name: &str) -> bool;

    /// Whether all functions of a name have bodies in the program, and there is one. `is_method`: all are members of
    /// classes.
    fn is_defined(&self, name: &str, is_method: bool) -> bool;
}

/// The summaries of a program's functions and macros, by their names without classes and namespaces.
#[derive(Debug, Default)]
pub struct CallGraph {
    functions: BTreeMap<String, Summary>,
    /// Names that stand in some function without being called there.
    passed_on: BTreeSet<String>,
}

impl CallGraph {
    /// Adds a function, or another one of the same name.
    pub fn add(&mut self, name: &str, summary: Summary) {
        // A name in the head of its own function is no mention.
        let passed_on = summary.passed_on().filter(|it| *it != name);
        self.passed_on.extend(passed_on.map(str::to_owned));
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
        mut implicit: Reached,
    ) -> HashMap<String, Reached> {
        let own = |(function, it): (&String, &Summary)| {
            let mut own = Reached::default();
            for it in &it.constructs {
                own.add(*it, function);
            }
            for (name, form) in &it.uses {
                if let Some(it) = construct(names, name, *form) {
                    own.add(it, name);
                }
            }
            (function.clone(), own)
        };
        let mut reached: HashMap<String, Reached> = self.functions.iter().map(own).collect();
        let mut callers: HashMap<&str, Vec<&str>> = HashMap::new();
        for (caller, summary) in &self.functions {
            for (name, _) in &summary.uses {
                if self.has(name) && !names.is_kernel(name) {
                    callers.entry(name).or_default().push(caller);
                }
            }
        }
        let mut waiting: Vec<&str> = self.functions.keys().map(String::as_str).collect();
        while let Some(name) = waiting.pop() {
            let from = reached[name].clone();
            for caller in callers.get(name).into_iter().flatten() {
                let to = reached.entry((*caller).to_owned()).or_default();
                if to.add_all(&from) {
                    waiting.push(caller);
                }
            }
        }
        let is_passed_on = |it: &String| self.passed_on.contains(it) && !names.is_kernel(it);
        for (name, it) in &reached {
            if is_implicit(name) || is_passed_on(name) {
                implicit.add_all(it);
            }
        }
        for it in reached.values_mut() {
            it.add_all(&implicit);
        }
        reached
    }
}
