//! Declarations in device functions.

use crate::parse::qualifier::Qualifiers;
use crate::parse::tree::{Field, Kind, Node, Tree};
use crate::parse::view::{Declarator, Layer};

use super::context::{Rewriter, Role};
use super::facts::is_class;
use super::scope::{Binding, Shape, Storage};

impl Rewriter<'_> {
    /// A declaration in a block of device code.
    pub(crate) fn declaration(&mut self, node: Node<'_>) {
        let first = node.child(Field::Declarator);
        let end = first.map_or(node.end(), Node::start);
        let qualifiers = self.prepass.qualifiers(node.start(), end);
        let kind = node.child(Field::Type);
        if let Some(kind) = kind.filter(|it| is_class(it.kind())) {
            self.item(kind);
        }
        self.unmodelled(node);
        if qualifiers.has(Qualifiers::SHARED) {
            return self.shared_declaration(node);
        }
        let type_text = kind.map_or("", |it| self.text(it));
        // The value of a constexpr variable must stay a constant.
        let constant = qualifiers.has(Qualifiers::CONSTEXPR)
            || node.children().any(|it| {
                it.is(Kind::TypeQualifier) && matches!(self.text(it), "constexpr" | "consteval")
            });
        // `if (T x = value)` has its declarator and value side by side.
        let beside = node.child(Field::Value);
        for outer in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(outer, self.source);
            let value = outer.child(Field::Value).or(beside);
            if declarator.is_function() {
                self.initialised_by_call(&declarator, type_text);
                continue;
            }
            let value = value.filter(|_| !constant);
            let storage = self.declared_storage(&declarator, value);
            if let Some(value) = value {
                self.initializer(value, &declarator, type_text);
            }
            let lambda = value.and_then(|it| self.lambda_parameters(it));
            let mut shape = Shape::of(&declarator.layers, type_text);
            if type_text == "auto" && declarator.layers.len() <= 1 && !shape.exact {
                shape = self.deduced(value, &declarator, shape);
            }
            let storage = if constant { Storage::Nothing } else { storage };
            self.bind_declared(&declarator, storage, type_text);
            if let Some(name) = declarator.name
                && (lambda.is_some() || shape != Shape::of(&declarator.layers, type_text))
            {
                let binding = Binding {
                    storage,
                    shape,
                    type_text: type_text.to_owned(),
                    parameters: lambda,
                    ..Binding::nothing()
                };
                self.scopes.bind(self.text(name), binding);
            }
        }
    }

    /// The shape of `auto x = value` or `auto& x = value`.
    fn deduced(&self, value: Option<Node<'_>>, declarator: &Declarator<'_>, plain: Shape) -> Shape {
        let Some(value) = value else { return plain };
        let shape = self.shape(value);
        if declarator.is_reference() {
            return shape;
        }
        if !declarator.layers.is_empty() {
            return plain;
        }
        // By value an array becomes a pointer to its first element.
        match shape.rank {
            0 => shape,
            _ => Shape {
                rank: 0,
                pointers: 1,
                exact: false,
            },
        }
    }

    /// Binds what a declarator declares; all names of a structured binding.
    pub(crate) fn bind_declared(
        &mut self,
        declarator: &Declarator<'_>,
        storage: Storage,
        type_text: &str,
    ) {
        let Some(name) = declarator.name else { return };
        if name.is(Kind::StructuredBindingDeclarator) {
            for part in name.named_children() {
                let binding = Binding {
                    storage,
                    ..Binding::nothing()
                };
                self.scopes
                    .bind(self.source.get(part.range()).unwrap_or(""), binding);
            }
            return;
        }
        let binding = Binding::object(storage, declarator, type_text);
        self.scopes
            .bind(self.source.get(name.range()).unwrap_or(""), binding);
    }

    /// Where a declared name's object lives: a reference's is its initialiser's.
    fn declared_storage(&self, declarator: &Declarator<'_>, value: Option<Node<'_>>) -> Storage {
        if !declarator.is_reference() {
            return Storage::Local;
        }
        let Some(value) = value else {
            return Storage::Memory;
        };
        let value = match value.kind() {
            Kind::InitializerList | Kind::ArgumentList => value.first_named().unwrap_or(value),
            _ => value,
        };
        match self.storage(value) {
            Storage::Memory => Storage::Memory,
            Storage::Local => Storage::Local,
            // A call may give back a reference; anything else is a temporary.
            Storage::Nothing if value.is(Kind::CallExpression) => Storage::Memory,
            Storage::Nothing => Storage::Local,
        }
    }

    fn initializer(&mut self, value: Node<'_>, declarator: &Declarator<'_>, type_text: &str) {
        let role = if declarator.is_reference() {
            Role::Locate
        } else {
            Role::Load
        };
        match value.kind() {
            Kind::ArgumentList if declarator.is_reference() => {
                for argument in value.named_children() {
                    self.expression(argument, Role::Locate);
                }
            }
            Kind::InitializerList
                if declarator.is_reference() && value.named_children().count() == 1 =>
            {
                for argument in value.named_children() {
                    self.expression(argument, Role::Locate);
                }
            }
            // A constructor: its parameters may be references.
            Kind::ArgumentList => self.constructor_arguments(type_text, value),
            Kind::InitializerList if declarator.layers.is_empty() => {
                self.constructor_arguments(type_text, value);
            }
            _ => self.expression(value, role),
        }
    }

    fn constructor_arguments(&mut self, type_text: &str, arguments: Node<'_>) {
        let name = type_text.split('<').next().unwrap_or("");
        let name = name.rsplit("::").next().unwrap_or("").trim();
        let simple = arguments
            .named_children()
            .all(|it| !matches!(it.kind(), Kind::InitializerPair | Kind::InitializerList));
        if simple && self.facts.functions.contains_key(name) {
            self.arguments_of(name, arguments);
        } else {
            self.expression(arguments, Role::Load);
        }
    }

    /// `T v(a[i]);`, which the grammar takes for a function declaration.
    ///
    /// Functions are hardly ever declared inside device functions, so the
    /// parameter list is read again as an argument list.
    fn initialised_by_call(&mut self, declarator: &Declarator<'_>, type_text: &str) {
        let Some(parameters) = declarator
            .function
            .and_then(|it| it.child(Field::Parameters))
        else {
            return;
        };
        let Some(name) = declarator.name else { return };
        let layers: Vec<_> = declarator.layers[1..].to_vec();
        let reference = layers.first() == Some(&Layer::Reference);
        let mut storage = if reference {
            Storage::Memory
        } else {
            Storage::Local
        };
        if parameters.first_named().is_some() {
            let text = self.masked(parameters.range());
            let tree = Tree::fragment("void f(){f", text, ";}", parameters.start());
            let call = tree
                .root()
                .descendants()
                .find(|it| it.is(Kind::CallExpression));
            match call.and_then(|it| it.child(Field::Arguments)) {
                Some(arguments) if !tree.root().has_error() => {
                    if reference {
                        if let Some(first) = arguments.first_named() {
                            storage = self.storage(first);
                            self.expression(first, Role::Locate);
                        }
                    } else {
                        self.constructor_arguments(type_text, arguments);
                    }
                }
                _ => {}
            }
        }
        let shape = Shape::of(&layers, type_text);
        let binding = Binding {
            storage,
            shape,
            type_text: type_text.to_owned(),
            ..Binding::nothing()
        };
        self.scopes
            .bind(self.source.get(name.range()).unwrap_or(""), binding);
    }
}
