//! What an expression designates: where it lives, its shape, its root.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Returns, is_reference_type, split_name};

use super::context::Rewriter;
use super::facts::{FieldFact, Signature};
use super::macros::MacroUse;
use super::scope::{Binding, LambdaFact, Shape, Storage};

/// Limit of steps from an expression to its root.
const STEPS: usize = 512;

/// A name that a cast is spelled with.
pub(crate) fn is_named_cast(name: &str) -> bool {
    matches!(
        name,
        "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast"
    )
}

/// The last part of a type's name, without template arguments.
pub(crate) fn bare_name(type_text: &str) -> &str {
    let text = type_text.trim_end();
    let mut end = text.len();
    if text.ends_with('>') {
        let mut depth = 0usize;
        for (at, byte) in text.bytes().enumerate().rev() {
            match byte {
                b'>' => depth += 1,
                b'<' => depth = depth.saturating_sub(1),
                _ => continue,
            }
            if depth == 0 {
                end = at;
                break;
            }
        }
    }
    text[..end].rsplit("::").next().unwrap_or("").trim()
}

/// Whether a type's name is that of a vector type of CUDA, such as `float4`.
pub(crate) fn is_vector(name: &str) -> bool {
    let element = name.trim_end_matches(['1', '2', '3', '4']);
    element.len() + 1 == name.len()
        && matches!(
            element.strip_prefix('u').unwrap_or(element),
            "char" | "short" | "int" | "long" | "longlong" | "float" | "double"
        )
}

/// Functions that give back the very object they are given.
pub(crate) fn passes_through(name: &str) -> bool {
    matches!(name, "move" | "forward" | "as_const" | "launder" | "get")
}

/// Accessors that by convention give back references.
fn is_accessor(name: &str) -> bool {
    matches!(
        name,
        "at" | "front" | "back" | "top" | "value" | "get" | "element"
    )
}

impl Rewriter<'_> {
    /// Where the object that `node` designates lives. What is no lvalue lives
    /// nowhere.
    pub(crate) fn storage(&self, node: Node<'_>) -> Storage {
        let mut node = node;
        for _ in 0..STEPS {
            match node.kind() {
                Kind::Identifier | Kind::QualifiedIdentifier | Kind::TypeIdentifier => {
                    return self.name_storage(node);
                }
                Kind::SubscriptExpression => {
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    if self.shape(base).rank == 0 {
                        return Storage::Memory;
                    }
                    node = base;
                }
                Kind::PointerExpression => {
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    if operator(node, self.source) == "&" {
                        return Storage::Nothing;
                    }
                    if self.shape(base).rank == 0 {
                        return Storage::Memory;
                    }
                    node = base;
                }
                Kind::FieldExpression => {
                    if operator(node, self.source) == "->" {
                        return Storage::Memory;
                    }
                    if let Some(field) = self.field(node)
                        && field.constant
                    {
                        return Storage::Nothing;
                    }
                    if self.is_reference_member(node) {
                        return Storage::Memory;
                    }
                    let Some(base) = node.child(Field::Argument) else {
                        break;
                    };
                    node = base;
                }
                Kind::ParenthesizedExpression | Kind::ExtensionExpression => {
                    let Some(inner) = node.first_named() else {
                        break;
                    };
                    node = inner;
                }
                Kind::ConditionalExpression => {
                    let arms = [Field::Consequence, Field::Alternative];
                    let storages: Vec<Storage> = arms
                        .iter()
                        .filter_map(|field| node.child(*field))
                        .map(|arm| self.storage(arm))
                        .collect();
                    return match storages.as_slice() {
                        [Storage::Nothing, _] | [_, Storage::Nothing] => Storage::Nothing,
                        [Storage::Memory, _] | [_, Storage::Memory] => Storage::Memory,
                        _ => Storage::Local,
                    };
                }
                Kind::CommaExpression => {
                    let Some(last) = node.child(Field::Right) else {
                        break;
                    };
                    node = last;
                }
                Kind::AssignmentExpression => {
                    let Some(left) = node.child(Field::Left) else {
                        break;
                    };
                    node = left;
                }
                Kind::UpdateExpression => {
                    let Some(inner) = node.child(Field::Argument) else {
                        break;
                    };
                    if inner.start() == node.start() {
                        return Storage::Nothing;
                    }
                    node = inner;
                }
                Kind::CastExpression => {
                    let reference = node
                        .child(Field::Type)
                        .is_some_and(|it| is_reference_type(it, self.source));
                    match node.child(Field::Value) {
                        Some(value) if reference && self.points_to_shared(value) => {
                            return Storage::Memory;
                        }
                        Some(value) if reference => node = value,
                        _ => return Storage::Nothing,
                    }
                }
                Kind::CallExpression => match self.call_designates(node) {
                    Designates::Argument(argument) => node = argument,
                    Designates::Memory => return Storage::Memory,
                    Designates::Value => return Storage::Nothing,
                },
                _ => break,
            }
        }
        Storage::Nothing
    }

    /// What a name stands for.
    pub(crate) fn binding(&self, node: Node<'_>) -> Option<Binding> {
        let (name, scope) = split_name(node, self.source);
        if scope.is_none() && !self.text(node).starts_with("::") {
            if let Some(binding) = self.scopes.get(&name) {
                return Some(binding.clone());
            }
            if let Some(field) = self.member(&name) {
                let mut binding = field.binding.clone();
                if field.constant {
                    binding.storage = Storage::Nothing;
                }
                return Some(binding);
            }
        }
        if let Some(variable) = self.facts.variable(&name, self.path) {
            return Some(variable.binding.clone());
        }
        // A macro that stands for an lvalue.
        let known = scope
            .is_none()
            .then(|| self.facts.macro_use(&name, false))
            .flatten()?;
        known.is_lvalue().then(|| Binding {
            storage: Storage::Memory,
            ..Binding::nothing()
        })
    }

    /// The field that an unqualified name means inside a method.
    pub(crate) fn member(&self, name: &str) -> Option<&FieldFact> {
        let class = self.enclosing.class.as_ref()?;
        self.facts.member(class, name)
    }

    fn name_storage(&self, node: Node<'_>) -> Storage {
        self.binding(node)
            .map_or(Storage::Nothing, |binding| binding.storage)
    }

    /// The field that `x.f` names, if all classes with such a field agree. None where it would
    /// be a pointer or an array, but `x` is a vector of CUDA's, which has numbers only.
    pub(crate) fn field(&self, node: Node<'_>) -> Option<&FieldFact> {
        let name = node.child(Field::Member)?;
        let fields = self.facts.fields.get(self.text(name))?;
        let first = fields.first()?;
        let agree = fields
            .iter()
            .all(|it| it.binding.shape == first.binding.shape && it.constant == first.constant);
        let shape = first.binding.shape;
        let unlike_a_number = shape.pointers > 0 || shape.rank > 0;
        let object = node.child(Field::Argument);
        if unlike_a_number && object.is_some_and(|it| self.is_vector_object(it)) {
            return None;
        }
        agree.then_some(first)
    }

    /// Whether `node` is a variable whose type is a vector of CUDA's, or what one points to.
    fn is_vector_object(&self, node: Node<'_>) -> bool {
        let mut node = node;
        for _ in 0..STEPS {
            let inner = match node.kind() {
                Kind::Identifier => {
                    let binding = self.binding(node);
                    return binding.is_some_and(|it| is_vector(bare_name(&it.type_text)));
                }
                Kind::SubscriptExpression | Kind::PointerExpression => node.child(Field::Argument),
                Kind::ParenthesizedExpression => node.first_named(),
                _ => None,
            };
            let Some(inner) = inner else { return false };
            node = inner;
        }
        false
    }

    /// Whether the member that `x.f` names may be a reference. Where the class is not
    /// known, any class's member of that name counts: a hook on an object that the
    /// thread has for itself does nothing.
    fn is_reference_member(&self, node: Node<'_>) -> bool {
        let Some(name) = node.child(Field::Member).map(|it| self.text(it)) else {
            return false;
        };
        let known = node
            .child(Field::Argument)
            .and_then(|base| self.type_text(base))
            .and_then(|class| self.facts.member(bare_name(&class), name));
        match known {
            Some(field) => field.reference,
            None => self
                .facts
                .fields
                .get(name)
                .is_some_and(|all| all.iter().any(|it| it.reference)),
        }
    }

    /// Whether parts of `node`, an object taken apart, may be references.
    pub(crate) fn holds_references(&self, node: Node<'_>) -> bool {
        if self.shape(node).rank > 0 {
            return false;
        }
        match self.type_text(node) {
            Some(class) => !self.facts.is_plain(bare_name(&class)) && !is_vector(&class),
            None => true,
        }
    }

    /// Whether `node` is part of a packed object, to which no reference can be bound.
    pub(crate) fn is_packed(&self, node: Node<'_>) -> bool {
        let mut node = node;
        for _ in 0..STEPS {
            let inner = match node.kind() {
                Kind::FieldExpression => {
                    let name = node.child(Field::Member).map_or("", |it| self.text(it));
                    let object = node.child(Field::Argument);
                    let known = object
                        .and_then(|it| self.type_text(it))
                        .and_then(|class| self.facts.member(bare_name(&class), name));
                    let packed = match known {
                        Some(field) => field.packed,
                        None => {
                            let all = self.facts.fields.get(name).into_iter().flatten();
                            all.into_iter().any(|it| it.packed)
                        }
                    };
                    if packed {
                        return true;
                    }
                    object.filter(|_| operator(node, self.source) != "->")
                }
                Kind::Identifier => {
                    let name = self.text(node);
                    return self.scopes.get(name).is_none()
                        && self.member(name).is_some_and(|it| it.packed);
                }
                Kind::ParenthesizedExpression => node.first_named(),
                // An element of an array in a packed class.
                Kind::SubscriptExpression => node.child(Field::Argument),
                _ => None,
            };
            let Some(inner) = inner else { return false };
            node = inner;
        }
        false
    }

    /// The shape of `node`'s type, looking at most `steps` levels deep.
    pub(crate) fn shape_within(&self, node: Node<'_>, steps: usize) -> Shape {
        if steps == 0 {
            return Shape::UNKNOWN;
        }
        let of = |field: Field| {
            node.child(field)
                .map_or(Shape::UNKNOWN, |it| self.shape_within(it, steps - 1))
        };
        match node.kind() {
            Kind::Identifier | Kind::QualifiedIdentifier => self
                .binding(node)
                .map_or(Shape::UNKNOWN, |binding| binding.shape),
            Kind::This => Shape {
                rank: 0,
                pointers: 1,
                exact: false,
            },
            Kind::ParenthesizedExpression => node
                .first_named()
                .map_or(Shape::UNKNOWN, |it| self.shape_within(it, steps - 1)),
            Kind::SubscriptExpression => of(Field::Argument).element(1),
            Kind::PointerExpression => {
                let inner = of(Field::Argument);
                if operator(node, self.source) == "*" {
                    inner.element(1)
                } else {
                    Shape {
                        rank: 0,
                        pointers: inner.pointers + 1,
                        exact: inner.exact && inner.rank == 0,
                    }
                }
            }
            Kind::FieldExpression => self
                .field(node)
                .map_or(Shape::UNKNOWN, |field| field.binding.shape),
            Kind::UpdateExpression => of(Field::Argument),
            Kind::AssignmentExpression => of(Field::Left),
            Kind::CommaExpression => of(Field::Right),
            Kind::ConditionalExpression => {
                let shape = of(Field::Consequence);
                if shape == of(Field::Alternative) {
                    shape
                } else {
                    Shape::UNKNOWN
                }
            }
            Kind::CastExpression => node
                .child(Field::Type)
                .map_or(Shape::UNKNOWN, |it| self.type_shape(it)),
            Kind::CallExpression => self.call_shape(node),
            Kind::BinaryExpression => {
                let left = of(Field::Left);
                if left.pointers > 0 && left.rank == 0 {
                    left
                } else {
                    Shape::UNKNOWN
                }
            }
            _ => Shape::UNKNOWN,
        }
    }

    /// Whether `node` is surely an object of a class of the project.
    pub(crate) fn is_object(&self, node: Node<'_>) -> bool {
        if self.shape(node) != Shape::UNKNOWN {
            return false;
        }
        let Some(name) = self.type_text(node) else {
            return false;
        };
        self.facts.classes.contains_key(bare_name(&name))
    }

    /// The type's name at the root of a declared object or element.
    pub(crate) fn type_text(&self, node: Node<'_>) -> Option<String> {
        let mut node = node;
        for _ in 0..STEPS {
            match node.kind() {
                Kind::Identifier | Kind::QualifiedIdentifier => {
                    return Some(self.binding(node)?.type_text);
                }
                Kind::FieldExpression => return Some(self.field(node)?.binding.type_text.clone()),
                Kind::SubscriptExpression if self.indexes_pointer(node) => {
                    node = node.child(Field::Argument)?;
                }
                Kind::PointerExpression if self.indexes_pointer(node) => {
                    node = node.child(Field::Argument)?;
                }
                Kind::ParenthesizedExpression => node = node.first_named()?,
                _ => return None,
            }
        }
        None
    }

    /// Whether `[]` or `*` is applied to a pointer or an array.
    fn indexes_pointer(&self, node: Node<'_>) -> bool {
        node.child(Field::Argument).is_some_and(|base| {
            let shape = self.shape(base);
            (shape.rank > 0 || shape.pointers > 0) && operator(node, self.source) != "&"
        })
    }

    /// The shape that a type descriptor spells.
    fn type_shape(&self, descriptor: Node<'_>) -> Shape {
        let layers = descriptor
            .child(Field::Declarator)
            .map(|it| Declarator::of(it, self.source).layers)
            .unwrap_or_default();
        let name = descriptor.child(Field::Type).map_or("", |it| self.text(it));
        Shape::of(&layers, name)
    }

    fn call_shape(&self, node: Node<'_>) -> Shape {
        let Some(callee) = node.child(Field::Function) else {
            return Shape::UNKNOWN;
        };
        let (name, _) = split_name(callee, self.source);
        match named_cast_type(callee) {
            Some(descriptor) if is_named_cast(&name) => self.type_shape(descriptor),
            _ => Shape::UNKNOWN,
        }
    }

    /// Whether a call's result is an object that lives elsewhere.
    fn call_designates<'t>(&self, node: Node<'t>) -> Designates<'t> {
        let Some(callee) = node.child(Field::Function) else {
            return Designates::Value;
        };
        let arguments = node.child(Field::Arguments);
        let first = arguments.and_then(Node::first_named);
        if callee.is(Kind::FieldExpression) {
            let method = callee
                .child(Field::Member)
                .map(|it| split_name(it, self.source).0);
            let method = method.unwrap_or_default();
            return match self.result(&method, arguments, true) {
                Some(true) => Designates::Memory,
                None if is_accessor(&method) => Designates::Memory,
                _ => Designates::Value,
            };
        }
        let (name, scope) = split_name(callee, self.source);
        if is_named_cast(&name) {
            let reference =
                named_cast_type(callee).is_some_and(|it| is_reference_type(it, self.source));
            return match first {
                Some(first) if reference && self.points_to_shared(first) => Designates::Memory,
                Some(first) if reference => Designates::Argument(first),
                _ => Designates::Value,
            };
        }
        if name == "get"
            && self.scopes.get(&name).is_none()
            && first.is_some_and(|it| self.holds_references(it))
        {
            return Designates::Memory;
        }
        if passes_through(&name) && scope.is_some() {
            return first.map_or(Designates::Value, Designates::Argument);
        }
        if let Some(lambda) = self.lambda_fact(callee) {
            return lambda.designates();
        }
        if !matches!(
            callee.kind(),
            Kind::Identifier | Kind::QualifiedIdentifier | Kind::TemplateFunction
        ) {
            return Designates::Value;
        }
        if scope.is_none()
            && let Some(binding) = self.binding(callee)
        {
            if let Some(lambda) = &binding.lambda {
                return lambda.designates();
            }
            if binding.storage == Storage::Nothing {
                return Designates::Value;
            }
            // A functor; if nothing is known of it, the hook passes values on.
            return match self.result("operator()", arguments, true) {
                Some(false) if !binding.shape.exact => Designates::Value,
                _ => Designates::Memory,
            };
        }
        if self
            .facts
            .macro_use(&name, true)
            .is_some_and(MacroUse::is_lvalue)
        {
            return Designates::Memory;
        }
        match self.result(&name, arguments, false) {
            Some(true) => Designates::Memory,
            _ => Designates::Value,
        }
    }

    /// Whether known functions called `name` return references; none if none
    /// is known.
    fn result(&self, name: &str, arguments: Option<Node<'_>>, method: bool) -> Option<bool> {
        let count = arguments.map_or(0, |it| it.named_children().count());
        let mut found = None;
        for signature in self.facts.functions.get(name)? {
            if !signature.accepts(count)
                || (method && name != "operator()" && signature.class.is_none())
            {
                continue;
            }
            let reference = matches!(signature.returns, Returns::Reference | Returns::Unsure);
            found = Some(found.unwrap_or(false) || reference);
        }
        found
    }

    /// All known functions that a call of `name` may mean.
    pub(crate) fn candidates(&self, name: &str, count: usize) -> Vec<&Signature> {
        let all = self
            .facts
            .functions
            .get(name)
            .map_or(&[][..], Vec::as_slice);
        all.iter().filter(|it| it.accepts(count)).collect()
    }

    /// The variable at the root of an lvalue.
    pub(crate) fn root(&self, node: Node<'_>) -> String {
        let mut node = node;
        for _ in 0..STEPS {
            let next = match node.kind() {
                Kind::Identifier | Kind::TypeIdentifier => return self.text(node).to_owned(),
                Kind::QualifiedIdentifier => return split_name(node, self.source).0,
                Kind::FieldExpression => match node.child(Field::Argument) {
                    Some(base) if !base.is(Kind::This) => Some(base),
                    _ => {
                        let field = node.child(Field::Member);
                        return field.map_or(String::new(), |it| self.text(it).to_owned());
                    }
                },
                Kind::SubscriptExpression | Kind::PointerExpression | Kind::UpdateExpression => {
                    node.child(Field::Argument)
                }
                Kind::CastExpression => node.child(Field::Value),
                Kind::BinaryExpression | Kind::AssignmentExpression => node.child(Field::Left),
                Kind::ConditionalExpression => node.child(Field::Consequence),
                Kind::CommaExpression => node.child(Field::Right),
                Kind::ParenthesizedExpression => node.first_named(),
                Kind::This => return "this".to_owned(),
                Kind::CallExpression => {
                    let callee = node.child(Field::Function);
                    let first = node.child(Field::Arguments).and_then(Node::first_named);
                    match callee {
                        Some(callee) if callee.is(Kind::FieldExpression) => {
                            callee.child(Field::Argument)
                        }
                        Some(callee) => {
                            let (name, _) = split_name(callee, self.source);
                            if is_named_cast(&name) || passes_through(&name) {
                                first
                            } else if let Some(inner) = self.macro_root(node, &name) {
                                Some(inner)
                            } else {
                                return name;
                            }
                        }
                        None => None,
                    }
                }
                _ => None,
            };
            let Some(next) = next else { break };
            node = next;
        }
        String::new()
    }
}

impl Rewriter<'_> {
    /// The argument that a use of an lvalue macro, such as `FLOAT4(a[i])`, is a view of.
    fn macro_root<'t>(&self, call: Node<'t>, name: &str) -> Option<Node<'t>> {
        let parameter = self.facts.macro_uses.get(name)?.located()?;
        call.child(Field::Arguments)?
            .named_children()
            .nth(parameter)
    }
}

/// What a call's result designates.
enum Designates<'t> {
    /// The same object as an argument.
    Argument(Node<'t>),
    /// An object somewhere.
    Memory,
    /// A value of its own.
    Value,
}

impl LambdaFact {
    /// What a call designates. Where the result may be a reference, the hook tells
    /// it from a value.
    fn designates<'t>(&self) -> Designates<'t> {
        match self.returns {
            Returns::Reference | Returns::Unsure => Designates::Memory,
            Returns::Value | Returns::Void | Returns::Deduced => Designates::Value,
        }
    }
}

/// An expression's operator as written.
pub(crate) fn operator<'s>(node: Node<'_>, source: &'s str) -> &'s str {
    node.child(Field::Operator)
        .map_or("", |it| source.get(it.range()).unwrap_or(""))
}

/// The type that a `…_cast<T>` casts to.
pub(crate) fn named_cast_type(callee: Node<'_>) -> Option<Node<'_>> {
    callee
        .child(Field::Arguments)?
        .child_of(Kind::TypeDescriptor)
}
