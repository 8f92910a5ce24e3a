//! Declarations in device functions.

mod constructors;

use super::binding::{Binding, Shape, Storage};
use super::context::Rewriter;
use super::names::bare_name;
use super::role::Role;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node, Tree};
use hirace_syntax::view::{Declarator, Layer};

impl Rewriter<'_> {
    /// A declaration in a block of device code.
    pub(crate) fn declaration(&mut self, node: Node<'_>) {
        let qualifiers = self.prepass.qualifiers_of(node);
        let kind = node.child(Field::Type);
        self.class_in_type(node);
        self.unmodelled(node);
        if qualifiers.has(Qualifiers::SHARED) {
            return self.shared_declaration(node);
        }
        let type_text = kind.map_or("", |it| self.text(it));
        // The value of a constexpr variable must stay a constant.
        let mut keywords = ["constexpr", "consteval"].iter();
        let constant = qualifiers.has(Qualifiers::CONSTEXPR)
            || keywords.any(|it| node.has_type_qualifier(it, self.source));
        // `if (T x = value)` has its declarator and value as siblings.
        let sibling = node.child(Field::Value);
        for outer in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(outer, self.source);
            let value = outer.child(Field::Value).or(sibling);
            if declarator.is_function() {
                self.initialised_by_call(&declarator, type_text);
                continue;
            }
            let value = value.filter(|_| !constant);
            if let Some(value) = value.filter(|it| self.binds_in_place(type_text, *it)) {
                let value = only_element(value);
                let storage = self.in_place(value);
                self.expression(value, Role::Locate);
                let shape = self.shape(value);
                if let Some(name) = declarator.name {
                    self.bind(name, Binding::of_shape(storage, shape));
                }
                continue;
            }
            let storage = self.declared_storage(&declarator, value);
            if let Some(value) = value {
                self.initializer(value, &declarator, type_text);
            }
            let lambda = value.and_then(|it| self.lambda_fact(it));
            let mut shape = Shape::of(&declarator.layers, type_text);
            if type_text == "auto" && declarator.layers.len() <= 1 && !shape.exact {
                shape = self.deduced(value, &declarator, shape);
            }
            let storage = if constant { Storage::Nothing } else { storage };
            self.bind_declared(&declarator, storage, type_text);
            if let Some(name) = declarator.name
                && (lambda.is_some() || shape != Shape::of(&declarator.layers, type_text))
            {
                let mut binding = Binding::object(storage, &declarator, type_text);
                (binding.shape, binding.lambda) = (shape, lambda);
                self.bind(name, binding);
            }
        }
    }

    /// Whether `T x = value` declares a reference, as `decltype(auto)`, `decltype(p[i])` and
    /// aliases can.
    fn binds_in_place(&self, type_text: &str, value: Node<'_>) -> bool {
        let written: String = type_text.split_whitespace().collect();
        let operand = written
            .strip_prefix("decltype(")
            .and_then(|it| it.strip_suffix(')'));
        match operand {
            Some("auto") => !matches!(value.kind(), Kind::Identifier | Kind::FieldExpression),
            // Lvalues. For a variable or a member, `decltype` gives the declared type.
            Some(operand) => operand.starts_with(['*', '(']) || is_element(operand),
            None => self.is_reference_alias(type_text),
        }
    }

    fn is_reference_alias(&self, type_text: &str) -> bool {
        self.facts.reference_types.contains(bare_name(type_text))
    }

    /// Where the object that a reference is bound to is stored.
    fn in_place(&self, value: Node<'_>) -> Storage {
        match self.storage(value) {
            Storage::Memory => Storage::Memory,
            Storage::Local => Storage::Local,
            // A call may return a reference; anything else is a temporary.
            Storage::Nothing if value.is(Kind::CallExpression) => Storage::Memory,
            Storage::Nothing => Storage::Local,
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
        shape.by_value()
    }

    /// Binds the names of a declarator, including all names of a structured binding.
    pub(crate) fn bind_declared(
        &mut self,
        declarator: &Declarator<'_>,
        storage: Storage,
        type_text: &str,
    ) {
        let Some(name) = declarator.name else { return };
        if name.is(Kind::StructuredBindingDeclarator) {
            for name in name.named_children() {
                self.bind(name, Binding::of_shape(storage, Shape::UNKNOWN));
            }
            return;
        }
        self.bind(name, Binding::object(storage, declarator, type_text));
    }

    /// Where a declared name's object is stored; for a reference, that of its initialiser.
    fn declared_storage(&self, declarator: &Declarator<'_>, value: Option<Node<'_>>) -> Storage {
        let Some(value) = value else {
            return Storage::of_declared(declarator.is_reference());
        };
        let value = only_element(value);
        // The names designate the object's members, which may be references.
        let apart = declarator
            .name
            .is_some_and(|it| it.is(Kind::StructuredBindingDeclarator));
        if apart && self.holds_references(value) {
            return Storage::Memory;
        }
        if !declarator.is_reference() {
            return Storage::Local;
        }
        self.in_place(value)
    }

    fn initializer(&mut self, value: Node<'_>, declarator: &Declarator<'_>, type_text: &str) {
        let list = matches!(value.kind(), Kind::ArgumentList | Kind::InitializerList);
        match declarator.layers.first() {
            Some(Layer::Reference) if list => {
                self.expressions(value, Role::Locate);
            }
            Some(Layer::Reference) => self.expression(value, Role::Locate),
            None if list => self.construct(type_text, value),
            None => {
                let role = self.initialising(type_text);
                self.expression(value, role);
            }
            Some(Layer::Array) if list && declarator.layers.len() == declarator.rank() => {
                self.elements(type_text, value);
            }
            Some(_) if value.is(Kind::InitializerList) => self.initializers(value, Role::Load),
            Some(_) => self.expression(value, Role::Load),
        }
    }

    /// `T v(a[i]);`, which the grammar parses as a function declaration.
    ///
    /// Functions are rarely declared inside device functions, so the parameter list is parsed
    /// again as an argument list.
    fn initialised_by_call(&mut self, declarator: &Declarator<'_>, type_text: &str) {
        let parameters = declarator
            .function
            .and_then(|it| it.child(Field::Parameters));
        let (Some(parameters), Some(name)) = (parameters, declarator.name) else {
            return;
        };
        let layers: Vec<_> = declarator.layers[1..].to_vec();
        let reference =
            layers.first() == Some(&Layer::Reference) || self.is_reference_alias(type_text);
        let mut storage = Storage::of_declared(reference);
        if parameters.first_named().is_some() {
            let text = self.masked(parameters.range());
            let tree = Tree::fragment("void f(){f", text, ";}", parameters.start());
            let call = tree.root().descendants_of(Kind::CallExpression).next();
            let arguments = call.and_then(|it| it.child(Field::Arguments));
            match arguments.filter(|_| !tree.root().has_error()) {
                Some(arguments) if reference => {
                    if let Some(first) = arguments.first_named() {
                        storage = self.storage(first);
                        self.expression(first, Role::Locate);
                    }
                }
                Some(arguments) if layers.is_empty() => self.construct(type_text, arguments),
                Some(arguments) => self.expression(arguments, Role::Load),
                None => {}
            }
        }
        let mut binding = Binding::of_shape(storage, Shape::of(&layers, type_text));
        type_text.clone_into(&mut binding.type_text);
        self.bind(name, binding);
    }
}

/// The object that a reference is bound to: the value itself, or the only element in its braces.
fn only_element(value: Node<'_>) -> Node<'_> {
    match value.kind() {
        Kind::InitializerList | Kind::ArgumentList => value.first_named().unwrap_or(value),
        _ => value,
    }
}

/// Whether `text` is `name[index]`, with members and further indices.
fn is_element(text: &str) -> bool {
    let name = text.split('[').next().unwrap_or(text);
    text.ends_with(']')
        && name
            .chars()
            .all(|it| it.is_alphanumeric() || matches!(it, '_' | '.' | ':' | '-' | '>'))
}
