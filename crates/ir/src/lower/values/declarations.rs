//! What declarations declare, with their first values.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Lambda, Layer, Returns, last_part};
use hirace_syntax::words::{is_builtin_type, words_in};

use super::Lowering;
use super::names::{is_integer_name, last_name};
use crate::function::Place;
use crate::values::{Dependence, Origin, Value, Variable, VariableId};

impl<'t> Lowering<'t, '_> {
    pub(super) fn parameters(&mut self, entry: Place) {
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
                let is_unknown = parameter.is(Kind::VariadicParameterDeclaration)
                    || self.values.variables[variable].is_class
                        && self.source.program.has_operators_of_threads();
                let first = match is_unknown {
                    true => Value::Unknown,
                    false => Value::AtEntry(variable),
                };
                self.define(variable, entry, first, true, false);
            }
        }
    }

    pub(super) fn range_loop(&mut self, node: Node<'t>) {
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

    pub(super) fn lambda(&mut self, node: Node<'t>) {
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

    pub(super) fn declaration(&mut self, node: Node<'t>) {
        let type_name = node.child_text(Field::Type, self.source.text);
        if self.declared(type_name).is_some() {
            // The grammar takes `a * b;` for a declaration.
            return;
        }
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
        let first = self.first_value(declaration, declarator, value);
        let list = declarator.descendants_of(Kind::StructuredBindingDeclarator);
        let list: Vec<Node<'t>> = list.flat_map(Node::named_children).collect();
        let binds = !list.is_empty() && Declarator::of(declarator, self.source.text).is_reference();
        let named = match list.is_empty() {
            true => vec![declarator],
            false => list,
        };
        for it in named {
            if let Some(variable) = self.declare(declaration, it, Origin::Local) {
                self.values.variables[variable].is_reference |= binds;
                let is_certain = !self.source.program.is_uncertain(it.start());
                self.define(variable, place, first.clone(), is_certain, false);
                if let Some(value) = value {
                    self.note_first_value(variable, value);
                }
            }
        }
    }

    /// What a variable is set to where it is declared.
    fn first_value(
        &mut self,
        declaration: Node<'t>,
        declarator: Node<'t>,
        value: Option<Node<'t>>,
    ) -> Value {
        let place = self.place_after(declarator);
        let mut parts: Vec<Value> = value.into_iter().map(|it| self.value(it)).collect();
        let Declarator {
            function, layers, ..
        } = Declarator::of(declarator, self.source.text);
        let is_reference = layers.contains(&Layer::Reference);
        if let Some(list) = function.and_then(|it| it.child(Field::Parameters)) {
            // The grammar takes `int a(b)` for a function.
            let text = self.text(list);
            parts.push(self.of_text(text, place));
            for word in words_in(text) {
                if let Some(argument) = self.declared(word) {
                    let variable = &mut self.values.variables[argument];
                    let class = last_name(declaration.child_text(Field::Type, self.source.text));
                    let is_array = variable.rank > 0;
                    variable.escapes |=
                        is_reference || self.source.program.may_change_argument(class, 0, is_array);
                }
            }
        }
        let class = declaration.child(Field::Type);
        let class = class.filter(|_| !self.source.program.is_in_shared(declaration));
        let depends = class.map(|it| match it.is_class() {
            true => self.source.program.dependence_of_class(it),
            false => self.dependence_of_type(self.text(it)),
        });
        match depends {
            Some(Dependence::Thread) => parts.push(Value::Unknown),
            Some(Dependence::Block) => parts.push(self.named("blockIdx", place)),
            Some(Dependence::Arguments) | None => {}
        }
        Value::of_parts(parts)
    }

    /// What objects of a type depend on.
    fn dependence_of_type(&self, type_name: &str) -> Dependence {
        let program = self.source.program;
        let is_class = !is_builtin_type(type_name) && !is_integer_name(type_name);
        let is_parameter = self.source.is_template_parameter(type_name);
        if is_class
            && (program.has_operators_of_threads()
                || is_parameter && program.has_classes_of_threads())
        {
            return Dependence::Thread;
        }
        program.dependence_of_text(type_name)
    }

    /// Notes what a reference refers to, and how a lambda gets its arguments.
    fn note_first_value(&mut self, variable: VariableId, value: Node<'t>) {
        let is_pointer = self.values.variables[variable].is_memory;
        if self.values.variables[variable].is_reference || is_pointer {
            let names = value.descendants_of(Kind::Identifier);
            let all: Vec<VariableId> = names.flat_map(|it| self.variables_of(it)).collect();
            let is_array = |it: &VariableId| self.values.variables[*it].rank > 0 || !is_pointer;
            let all: Vec<VariableId> = all.into_iter().filter(is_array).collect();
            let is_one = !matches!(
                value.without_parentheses().kind(),
                Kind::ConditionalExpression
                    | Kind::CallExpression
                    | Kind::CastExpression
                    | Kind::InitializerList
            );
            let referred = match is_one && !is_pointer {
                true => self.whole(value).into_iter().collect(),
                false => all,
            };
            let referred = referred.into_iter().map(|it| (variable, it));
            self.references.extend(referred);
        }
        if value.is(Kind::LambdaExpression) {
            let lambda = Lambda::of(value, self.source.text);
            let mut parameters = lambda.parameters.iter();
            let takes_values = parameters.all(|it| {
                let layers = it.declarator.as_ref().map(|it| &it.layers);
                it.constant || layers.is_none_or(Vec::is_empty)
            });
            self.lambdas_of.push((variable, takes_values));
            if matches!(lambda.returns, Returns::Reference | Returns::Unsure) {
                self.all_escape(value);
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
        let alias = self.source.program.alias(type_name).unwrap_or("");
        let is_pointer = matches!(parts.nearest(), Some(Layer::Pointer(_)));
        if self.is_macro(name) {
            // It is declared by another name.
            let place = self.place_after(declarator);
            let declared = self.named(name, place);
            self.all_escape_in(&declared);
        }
        let around = declarator.ancestors().skip(1).find(|it| it.is_statement());
        let around = match around {
            Some(it) if it.is(Kind::Declaration) => it.parent().unwrap_or(it),
            Some(it) => it,
            None => self.source.definition,
        };
        // One branch of `#if` declares it, or another.
        let is_uncertain = self.source.program.is_uncertain(declarator.start());
        let known = self.scopes.last().and_then(|it| it.get(name).copied());
        if let Some(known) = known.filter(|_| is_uncertain) {
            return Some(known);
        }
        let variable = self.add(Variable {
            name: name.to_owned(),
            origin,
            group: self.source.group(type_name),
            visible: declarator.end().min(around.end())..around.end(),
            is_shared,
            is_memory: is_pointer || has_array && (is_parameter || is_shared),
            rank: match is_shared || is_parameter {
                true => 0,
                false => parts.rank() + alias.matches('[').count(),
            },
            is_reference: parts.is_reference() || alias.contains('&'),
            is_integer: is_integer_name(type_name) && parts.layers.is_empty(),
            is_deduced: type_name == "auto",
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

    /// The members of a union without a name are variables that change together.
    pub(super) fn union_members(&mut self, node: Node<'t>) {
        if node.child(Field::Name).is_none() {
            for member in node.descendants_of(Kind::FieldIdentifier) {
                let member = self.outside(self.text(member));
                self.values.variables[member].escapes = true;
            }
        }
    }
}
