//! What the device functions of a project may reach that orders accesses.

use std::collections::{HashMap, HashSet};

use hirace_ir::synchronisation::{CallGraph, Construct, Names, Reached, Summary};
use hirace_syntax::Defines;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::Node;

use super::{Facts, Signature};

/// What keeps a kernel from being left to the state machine, which follows barriers of whole blocks and warps.
const ORDERING: [Construct; 7] = [
    Construct::MaskedBarrier,
    Construct::Fence,
    Construct::Exchange,
    Construct::Volatile,
    Construct::Launch,
    Construct::Assembly,
    Construct::Unknown,
];

/// The name under which the graph has what stands outside of device functions: any call through a pointer, and any use of
/// an object whose members have default values, may reach it.
const OUTSIDE: &str = "operator";

/// The call graph, and what follows from it.
#[derive(Debug, Default)]
pub(crate) struct Synchronisation {
    graph: CallGraph,
    /// A volatile object may be used anywhere.
    has_volatile_objects: bool,
    /// A template may get a volatile type from the host.
    has_volatile_types: bool,
    /// What each function may reach, by its name without classes and namespaces.
    reached: HashMap<String, Reached>,
}

impl Synchronisation {
    /// Adds a device function or a device lambda.
    pub(super) fn add<'w>(
        &mut self,
        name: &str,
        node: Node<'_>,
        text: &str,
        words: impl Iterator<Item = &'w str>,
    ) {
        self.graph.add(name, Summary::of(node, text, words));
    }

    /// Notes words outside of device functions, among which may be functions whose addresses go to the device.
    pub(super) fn note_words<'w>(&mut self, words: impl Iterator<Item = &'w str>) {
        self.graph.add(OUTSIDE, Summary::of_words(words));
    }

    /// Notes a volatile object, or the name of a volatile type, that any device function may use.
    pub(super) fn note_volatile_object(&mut self) {
        self.has_volatile_objects = true;
    }

    /// Notes that host code names a volatile type.
    pub(super) fn note_volatile_type(&mut self) {
        self.has_volatile_types = true;
    }

    /// What a function may reach; none if it is not known.
    pub(crate) fn reached(&self, function: &str) -> Option<&Reached> {
        self.reached.get(function)
    }

    /// For the executor: what a kernel may order accesses by. `KernelReach` in `device/hirace/hooks/site.h` explains the
    /// numbers.
    pub(crate) fn reach(&self, kernel: &str) -> u8 {
        match self.reached(kernel) {
            Some(all) if !ORDERING.iter().any(|it| all.has(*it)) => {
                u8::from(all.has(Construct::Atomic))
            }
            _ => 2,
        }
    }
}

impl Facts {
    /// Follows calls from kernels, when all files have been read.
    pub(in crate::rewrite) fn follow_calls(&mut self, defines: &Defines) {
        let mut graph = std::mem::take(&mut self.synchronisation.graph);
        let mut given = HashSet::new();
        for (name, text) in defines.values() {
            let name = name.split('(').next().unwrap_or(name);
            graph.add(name, Summary::of_macro(text, &[]));
            given.insert(name);
        }
        for name in &self.device_macros {
            for text in self.macros.get(name).into_iter().flatten() {
                let parameters = text.parameters.as_deref().unwrap_or(&[]);
                graph.add(name, Summary::of_macro(&text.body, parameters));
            }
        }
        let mut implicit = Reached::default();
        if self.synchronisation.has_volatile_objects {
            implicit.add(Construct::Volatile, "volatile");
        }
        if self.has_unread_items || self.cuda_objects || self.hides_implicit() {
            implicit.add(Construct::Unknown, "operator");
        }
        let names = Known {
            facts: self,
            graph: &graph,
            given,
        };
        let mut reached = graph.solve(&names, |it| self.is_implicit(it), implicit);
        if self.synchronisation.has_volatile_types {
            let is_template = |name: &String| self.functions_called(name).any(|it| it.template);
            for (_, it) in reached.iter_mut().filter(|(name, _)| is_template(name)) {
                it.add(Construct::Volatile, "volatile");
            }
        }
        self.synchronisation.reached = reached;
    }

    /// Whether an expression may call functions of a name without naming them.
    fn is_implicit(&self, name: &str) -> bool {
        // Loops over ranges, and structured bindings.
        let by_statement = ["begin", "end", "get"];
        name.starts_with("operator")
            || name.starts_with('~')
            || by_statement.contains(&name)
            || self.classes.contains_key(name)
    }

    /// Whether such a function of a class has its body elsewhere.
    fn hides_implicit(&self) -> bool {
        let is_hidden = |it: &Signature| is_elsewhere(it) && it.class.is_some();
        let mut operators = self.functions.iter();
        operators.any(|(name, all)| name.starts_with("operator") && all.iter().any(is_hidden))
    }
}

struct Known<'f> {
    facts: &'f Facts,
    graph: &'f CallGraph,
    /// Macros of the command line.
    given: HashSet<&'f str>,
}

impl Names for Known<'_> {
    fn is_macro(&self, name: &str) -> bool {
        self.given.contains(name) || self.facts.macros.contains_key(name) && self.graph.has(name)
    }

    fn is_type(&self, name: &str) -> bool {
        self.facts.is_type(name)
    }

    fn is_class(&self, name: &str) -> bool {
        self.facts.classes.contains_key(name)
    }

    fn is_kernel(&self, name: &str) -> bool {
        let mut all = self.facts.functions_called(name).peekable();
        all.peek().is_some() && all.all(|it| it.qualifiers.has(Qualifiers::GLOBAL))
    }

    fn is_declared_only(&self, name: &str) -> bool {
        let destructor = format!("~{name}");
        let own = self.facts.functions_called(name);
        own.chain(self.facts.functions_called(&destructor))
            .any(is_elsewhere)
    }

    fn is_defined(&self, name: &str, is_method: bool) -> bool {
        let mut all = self.facts.functions_called(name);
        // A member may be a pointer to a function.
        let is_member = is_method && self.facts.fields_called(name).next().is_some();
        self.graph.has(name)
            && !is_member
            && all.all(|it| it.defined && (!is_method || it.class.is_some()))
    }
}

/// Whether a device function has its body elsewhere.
fn is_elsewhere(function: &Signature) -> bool {
    !function.defined && function.qualifiers.on_device()
}
