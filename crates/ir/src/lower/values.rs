//! The values of variables, from syntax.
//!
//! A function whose source is not there is taken to change only what it gets a pointer to, and objects of classes
//! whose source is not there to be the same in all threads if their arguments are.

mod changes;
mod expressions;
mod names;

use std::collections::HashMap;

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Layer, last_part};
use hirace_syntax::words::is_builtin_type;

use crate::control::ControlFlow;
use crate::function::Place;
use crate::values::{Definition, Origin, Value, Values, Variable, VariableId};

pub use names::is_integer_name;
use names::last_name;

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

    /// Whether a function may change the object, or the array, that it gets as an argument.
    fn may_change_argument(&self, function: &str, index: usize, is_array: bool) -> bool;

    /// Whether the definitions of a function show that it gets all arguments by value.
    fn takes_values(&self, function: &str) -> bool;

    /// Whether a method may change its object.
    fn may_change_object(&self, method: &str) -> bool;

    /// Whether an object of a class depends on the thread that creates it.
    fn depends_on_thread(&self, class: &str) -> bool;
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
    lowering.decisions();
    lowering.values
}

/// The value of an expression of a function whose values are known.
pub fn value(source: Source<'_, '_>, values: &Values, expression: Node<'_>) -> Value {
    expressions::Expressions {
        source,
        names: &values.names,
    }
    .value(expression)
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
            names: &self.values.names,
        }
    }

    fn value(&self, expression: Node<'t>) -> Value {
        self.expressions().value(expression)
    }

    fn parameters(&mut self, entry: Place) {
        let definition = self.source.definition;
        let head = definition.descendants_of(Kind::FunctionDeclarator).next();
        let list = head.and_then(|it| it.child(Field::Parameters));
        let parameters = list.into_iter().flat_map(Node::named_children);
        for (index, parameter) in parameters.enumerate() {
            let Some(declarator) = parameter.child(Field::Declarator) else {
                continue;
            };
            let declared = self.declare(parameter, declarator, Origin::Parameter(index));
            if let Some(variable) = declared {
                self.define(variable, entry, Value::AtEntry(variable), true, false);
            }
        }
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

    fn in_scope(&mut self, read: impl FnOnce(&mut Self)) {
        self.scopes.push(HashMap::new());
        read(self);
        self.scopes.pop();
    }

    fn range_loop(&mut self, node: Node<'t>) {
        let range = node.child(Field::Right);
        if let Some(range) = range {
            self.node(range);
        }
        if let Some(declarator) = node.child(Field::Declarator) {
            self.begin(node, declarator, range);
        }
        if let Some(body) = node.child(Field::Body) {
            self.node(body);
        }
    }

    fn lambda(&mut self, node: Node<'t>) {
        self.lambdas += 1;
        let place = self.place_after(node);
        let parameters = node.descendants_of(Kind::ParameterDeclaration);
        let body = node.child(Field::Body);
        let is_own = |it: &Node<'_>| body.is_none_or(|body| it.start() < body.start());
        for parameter in parameters.filter(is_own) {
            if let Some(declarator) = parameter.child(Field::Declarator)
                && let Some(variable) = self.declare(parameter, declarator, Origin::Local)
            {
                self.define(variable, place, Value::Unknown, true, false);
            }
        }
        self.children(node);
        self.lambdas -= 1;
    }

    fn declaration(&mut self, node: Node<'t>) {
        let declarators: Vec<Node<'t>> = node.children_in(Field::Declarator).collect();
        for &declarator in &declarators {
            // `if (int n = f())` has no node around the two.
            let value = match declarator.is(Kind::InitDeclarator) {
                true => declarator.child(Field::Value),
                false => node.child(Field::Value),
            };
            for child in declarator.descendants() {
                if child.field() == Field::Size {
                    self.node(child);
                }
            }
            if let Some(value) = value {
                self.node(value);
            }
            self.begin(node, declarator, value);
        }
    }

    /// Declares what a declarator names, with its first value.
    fn begin(&mut self, declaration: Node<'t>, declarator: Node<'t>, value: Option<Node<'t>>) {
        let place = self.place_after(declarator);
        if let Some(value) = value {
            self.note_reference(declaration, declarator, value);
        }
        let class = declaration
            .child(Field::Type)
            .map_or("", |it| self.text(it));
        let is_shared = self.source.program.is_in_shared(declaration);
        let first = match value {
            _ if !is_shared && self.source.program.depends_on_thread(last_name(class)) => {
                Value::Unknown
            }
            Some(value) => self.value(value),
            None => Value::Constant(None),
        };
        let list = declarator.descendants_of(Kind::StructuredBindingDeclarator);
        let list: Vec<Node<'t>> = list.flat_map(Node::named_children).collect();
        let named = match list.is_empty() {
            true => vec![declarator],
            false => list,
        };
        for it in named {
            if let Some(variable) = self.declare(declaration, it, Origin::Local) {
                self.define(variable, place, first.clone(), true, false);
                let referred = value.and_then(|it| self.whole(it));
                let is_reference = self.values.variables[variable].is_reference;
                let referred = referred.filter(|_| is_reference);
                self.references.extend(referred.map(|it| (variable, it)));
            }
        }
    }

    fn declare(
        &mut self,
        declaration: Node<'t>,
        declarator: Node<'t>,
        origin: Origin,
    ) -> Option<VariableId> {
        let parts = Declarator::of(declarator, self.source.text);
        let name = self.text(last_part(parts.name?).0);
        let type_name = declaration
            .child(Field::Type)
            .map_or("", |it| self.text(it));
        // A static variable is one for all threads, as one at file scope is.
        let is_shared = self.source.program.is_in_shared(declaration)
            || declaration.has_storage_class("static", self.source.text);
        let is_parameter = matches!(origin, Origin::Parameter(_));
        let has = |layer: fn(&Layer) -> bool| parts.layers.iter().any(layer);
        let has_array = has(|it| *it == Layer::Array);
        let has_pointer = has(|it| matches!(it, Layer::Pointer(_)));
        let around = declarator.ancestors().skip(1).find(|it| it.is_statement());
        let around = match around {
            Some(it) if it.is(Kind::Declaration) => it.parent().unwrap_or(it),
            Some(it) => it,
            None => self.source.definition,
        };
        let variable = self.add(Variable {
            name: name.to_owned(),
            origin,
            group: self.source.group(type_name),
            visible: declarator.end().min(around.end())..around.end(),
            is_shared,
            is_memory: is_shared || has_pointer || has_array && is_parameter,
            is_array: has_array && !is_shared && !is_parameter,
            is_reference: parts.is_reference(),
            is_integer: is_integer_name(type_name) && parts.layers.is_empty(),
            is_class: !is_builtin_type(type_name) && !is_integer_name(type_name),
            is_constant: declaration.has_type_qualifier("const", self.source.text),
            known: None,
            escapes: false,
            is_passed_on: false,
        });
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, variable);
        }
        Some(variable)
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
