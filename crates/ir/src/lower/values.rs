//! The values of variables, from syntax.
//!
//! A function whose source is not there is taken to change only what it gets a pointer to, and objects of classes
//! whose source is not there to be the same in all threads if their arguments are.

mod changes;
mod declarations;
mod expressions;
mod macros;
mod names;
mod uses;

use std::collections::HashMap;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::words::words_in;

use crate::control::ControlFlow;
use crate::function::Place;
use crate::values::{Definition, Dependence, Value, Values, Variable, VariableId};

use changes::is_own_member;
pub use names::is_integer_name;

/// What the program around a function says about classes and functions that are defined in it.
pub trait Program: super::Program {
    /// Whether a class has a member of this name that each object has.
    fn has_member(&self, name: &str) -> bool;

    /// Whether all members of this name, of which there is one, are pointers.
    fn has_pointer_member(&self, name: &str) -> bool;

    /// The number that is the value of a literal or of a constant outside of functions, whose type is an integer.
    fn integer(&self, text: &str) -> Option<i64>;

    /// The definition of a name for a type.
    fn alias(&self, name: &str) -> Option<&str>;

    /// Whether something in the program declares a variable, a constant or a parameter of this name.
    fn is_declared(&self, name: &str) -> bool;

    /// Whether text at an offset is compiled only under a condition that is not known.
    fn is_uncertain(&self, offset: usize) -> bool;

    /// Whether a declaration is one of shared memory.
    fn is_in_shared(&self, declaration: Node<'_>) -> bool;

    /// Whether all members of this name, of which there is one, are arrays.
    fn has_array_member(&self, name: &str) -> bool;

    /// For a variable in shared memory outside of functions, the number of its dimensions as an array.
    fn shared_rank(&self, name: &str) -> Option<usize>;

    /// Whether a function, a method or a class of this name has a definition in the program.
    fn has_definition(&self, name: &str) -> bool;

    /// Whether a method of this name has a definition in the program.
    fn has_method(&self, name: &str) -> bool;

    /// Whether a function, a method or a constructor may change the object, or the array, that it gets as an argument.
    fn may_change_argument(&self, function: &str, index: usize, is_array: bool) -> bool;

    /// Whether the definitions of a function show that it gets all arguments by value.
    fn takes_values(&self, function: &str) -> bool;

    /// Whether a method may change its object.
    fn may_change_object(&self, method: &str) -> bool;

    /// Whether a method may return something that gives access to its object.
    fn returns_access(&self, method: &str) -> bool;

    /// What the results of functions, or the objects of classes, of this name depend on, if it has definitions.
    fn dependence(&self, name: &str) -> Option<Dependence>;

    /// The same for all objects of classes that a text names.
    fn dependence_of_text(&self, text: &str) -> Dependence;

    /// The same for the objects of a class.
    fn dependence_of_class(&self, class: Node<'_>) -> Dependence;

    /// Whether an operator or a conversion of the program asks for the thread.
    fn has_operators_of_threads(&self) -> bool;

    /// Whether objects of a class of the program depend on the thread.
    fn has_classes_of_threads(&self) -> bool;

    /// Whether a lambda in the program may change its arguments.
    fn has_lambdas_by_reference(&self) -> bool;
}

/// A function whose values are wanted.
#[derive(Clone, Copy)]
pub struct Source<'t, 'p> {
    /// The file's text.
    pub text: &'p str,
    /// The function definition.
    pub definition: Node<'t>,
    /// Whether it is a method.
    pub is_method: bool,
    /// Its control flow.
    pub flow: &'p ControlFlow,
    /// The program.
    pub program: &'p dyn Program,
}

/// The variables of a function, and what they are set to.
pub fn values(source: Source<'_, '_>) -> Values {
    let mut lowering = Lowering {
        source,
        values: Values::default(),
        scopes: vec![HashMap::new()],
        outside: HashMap::new(),
        macros: Vec::new(),
        lambdas: 0,
        depths: Vec::new(),
        references: Vec::new(),
        lambdas_of: Vec::new(),
        members_change: false,
    };
    let entry = lowering.entry();
    lowering.parameters(entry);
    if let Some(body) = source.definition.child(Field::Body) {
        lowering.node(body);
        lowering.unparsed(body);
    }
    // An assignment may come before another in the text and after it in the program.
    lowering.values.definitions.sort_by_key(|it| it.place.at);
    lowering.index();
    lowering.follow_references();
    lowering.change_members();
    lowering.decisions();
    lowering.values
}

/// The value of an expression of a function whose values are known.
pub fn value(source: Source<'_, '_>, values: &Values, expression: Node<'_>) -> Value {
    expressions::Expressions { source, values }.value(expression)
}

struct Lowering<'t, 'p> {
    source: Source<'t, 'p>,
    values: Values,
    /// The variables that are declared in the blocks around the current node, the outermost first.
    scopes: Vec<HashMap<&'p str, VariableId>>,
    outside: HashMap<String, VariableId>,
    /// The names of the macros whose text is being read.
    macros: Vec<String>,
    /// The number of lambdas around the current node.
    lambdas: usize,
    /// For each variable, the number of lambdas around its declaration.
    depths: Vec<usize>,
    /// References, with the variables that they refer to.
    references: Vec<(VariableId, VariableId)>,
    /// Variables that are lambdas, and whether these cannot change their arguments.
    lambdas_of: Vec<(VariableId, bool)>,
    /// Whether methods are called that may change members of the own object.
    members_change: bool,
}

impl<'t, 'p> Lowering<'t, 'p> {
    fn text(&self, node: Node<'_>) -> &'p str {
        self.source.text.get(node.range()).unwrap_or("")
    }

    fn entry(&self) -> Place {
        Place {
            block: self.source.flow.function().entry,
            at: 0,
        }
    }

    fn expressions(&self) -> expressions::Expressions<'_, 't, 'p> {
        expressions::Expressions {
            source: self.source,
            values: &self.values,
        }
    }

    fn value(&self, expression: Node<'t>) -> Value {
        self.expressions().value(expression)
    }

    fn index(&mut self) {
        let Values {
            variables,
            definitions,
            by_variable,
            ..
        } = &mut self.values;
        by_variable.resize_with(variables.len(), Vec::new);
        for (number, definition) in definitions.iter().enumerate() {
            by_variable[definition.variable].push(number);
        }
    }

    /// What decides on the blocks that follow others.
    fn decisions(&mut self) {
        let graph = &self.source.flow.function().graph;
        let root = self.source.definition;
        for block in graph.node_indices() {
            let Some(decision) = &graph[block].decision else {
                continue;
            };
            let mut nodes = root.descendants();
            let value = nodes.find(|it| it.range() == decision.value);
            let is_range = value
                .and_then(Node::parent)
                .is_some_and(|it| it.is(Kind::ForRangeLoop));
            let is_divergent = is_range
                && ["begin", "end", "operator!=", "operator++"]
                    .into_iter()
                    .any(|it| self.source.program.dependence(it) == Some(Dependence::Thread));
            let value = value.filter(|_| !is_divergent);
            let value = value.map_or(Value::Unknown, |it| self.value(it));
            self.values.decisions.insert(block, value);
        }
    }

    /// Reads a statement, a declaration or an expression, in the order of the text.
    fn node(&mut self, node: Node<'t>) {
        match node.kind() {
            Kind::CompoundStatement
            | Kind::ForStatement
            | Kind::IfStatement
            | Kind::WhileStatement
            | Kind::SwitchStatement
            | Kind::CatchClause => self.in_scope(|it| it.children(node)),
            Kind::ForRangeLoop => self.in_scope(|it| it.range_loop(node)),
            Kind::LambdaExpression => self.in_scope(|it| it.lambda(node)),
            Kind::Declaration => self.declaration(node),
            Kind::Identifier => self.name(node),
            Kind::This if !node.parent().is_some_and(|it| it.is(Kind::FieldExpression)) => {
                self.members_change = true;
            }
            _ if is_own_member(node) => {
                self.own_member(node);
                self.note_changes(node);
            }
            Kind::CastExpression => {
                self.cast(node);
                self.children(node);
            }
            Kind::UnionSpecifier => self.union_members(node),
            _ => {
                self.children(node);
                self.note_changes(node);
            }
        }
    }

    fn children(&mut self, node: Node<'t>) {
        for child in node.named_children() {
            self.node(child);
        }
    }

    /// The grammar takes `(a) + 1` for a cast to a type `a`.
    fn cast(&mut self, node: Node<'t>) {
        let Some(target) = node.child(Field::Type) else {
            return;
        };
        let text = self.text(target);
        if words_in(text).any(|it| self.declared(it).is_some()) {
            let place = self.source.flow.place(node).unwrap_or(self.entry());
            let value = self.of_text(text, place);
            self.values.names.insert(target.start(), value);
        }
    }

    fn in_scope(&mut self, read: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        read(self);
        self.scopes.pop();
    }

    fn add(&mut self, variable: Variable) -> VariableId {
        self.values.variables.push(variable);
        self.depths.push(self.lambdas);
        self.values.variables.len() - 1
    }

    fn define(
        &mut self,
        variable: VariableId,
        place: Place,
        value: Value,
        replaces: bool,
        is_assignment: bool,
    ) {
        self.values.definitions.push(Definition {
            variable,
            place,
            value,
            replaces,
            is_assignment,
        });
    }

    /// The place after a node has been evaluated.
    fn place_after(&self, node: Node<'_>) -> Place {
        self.source.flow.place_after(node).unwrap_or(self.entry())
    }
}
