//! Typed views of declarators, parameters and functions.

use super::prepass::Prepass;
use super::qualifier::Qualifiers;
use super::tree::{Field, Kind, Node};

/// One step of a declarator, seen from the declared name outwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// `*`; whether the pointer itself is const.
    Pointer(bool),
    /// `&` or `&&`.
    Reference,
    /// `[n]`.
    Array,
    /// `(…)`.
    Function,
}

/// The parts of a declarator.
#[derive(Clone, Debug)]
pub struct Declarator<'t> {
    /// The declared name; a structured binding's list; none in an abstract one.
    pub name: Option<Node<'t>>,
    /// From the name outwards.
    pub layers: Vec<Layer>,
    /// The function declarator next to the name.
    pub function: Option<Node<'t>>,
    /// `T... name`
    pub pack: bool,
}

impl<'t> Declarator<'t> {
    /// The parts of the declarator at `node`.
    pub fn of(node: Node<'t>, source: &str) -> Self {
        let mut out = Self {
            name: None,
            layers: Vec::new(),
            function: None,
            pack: false,
        };
        let mut next = Some(node);
        while let Some(node) = next {
            let inner = node.child(Field::Declarator).or_else(|| {
                node.named_children().find(|child| {
                    !matches!(child.kind(), Kind::TypeQualifier | Kind::ParameterList)
                        && child.field() != Field::Size
                })
            });
            match node.kind() {
                Kind::PointerDeclarator | Kind::AbstractPointerDeclarator => {
                    let constant = node.has_type_qualifier("const", source);
                    out.layers.push(Layer::Pointer(constant));
                }
                Kind::ReferenceDeclarator | Kind::AbstractReferenceDeclarator => {
                    out.layers.push(Layer::Reference);
                }
                Kind::ArrayDeclarator | Kind::AbstractArrayDeclarator => {
                    out.layers.push(Layer::Array);
                }
                Kind::FunctionDeclarator | Kind::AbstractFunctionDeclarator => {
                    out.layers.push(Layer::Function);
                    out.function = Some(node);
                    next = node.child(Field::Declarator);
                    continue;
                }
                Kind::VariadicDeclarator => out.pack = true,
                Kind::InitDeclarator
                | Kind::ParenthesizedDeclarator
                | Kind::AbstractParenthesizedDeclarator
                | Kind::AttributedDeclarator => {}
                _ => {
                    out.name = Some(node);
                    // In a conversion, the declarator continues after the type.
                    next = conversion(node).and_then(|it| it.child(Field::Declarator));
                    continue;
                }
            }
            next = inner;
        }
        out.layers.reverse();
        out
    }

    /// The number of array dimensions of the name itself.
    pub fn rank(&self) -> usize {
        self.layers
            .iter()
            .take_while(|layer| **layer == Layer::Array)
            .count()
    }

    /// The step next to the name.
    pub fn nearest(&self) -> Option<Layer> {
        self.layers.first().copied()
    }

    /// Whether the name is a reference.
    pub fn is_reference(&self) -> bool {
        self.nearest() == Some(Layer::Reference)
    }

    /// Whether an element, after all array dimensions, is a pointer.
    pub fn element_is_pointer(&self) -> bool {
        matches!(self.layers.get(self.rank()), Some(Layer::Pointer(_)))
    }

    /// Whether it declares a function rather than an object.
    pub fn is_function(&self) -> bool {
        self.nearest() == Some(Layer::Function)
    }
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct Parameter<'t> {
    pub declarator: Option<Declarator<'t>>,
    pub node: Node<'t>,
    pub constant: bool,
    pub pack: bool,
}

impl<'t> Parameter<'t> {
    /// The parameters in a parameter list.
    pub fn list(parameters: Node<'t>, source: &str) -> Vec<Self> {
        parameters
            .named_children()
            .filter(|node| {
                matches!(
                    node.kind(),
                    Kind::ParameterDeclaration
                        | Kind::OptionalParameterDeclaration
                        | Kind::VariadicParameterDeclaration
                )
            })
            .map(|node| {
                let declarator = node
                    .child(Field::Declarator)
                    .map(|it| Declarator::of(it, source));
                let pack = node.is(Kind::VariadicParameterDeclaration)
                    || declarator.as_ref().is_some_and(|it| it.pack);
                Self {
                    declarator,
                    node,
                    constant: has_const(node, source),
                    pack,
                }
            })
            .filter(|parameter| {
                parameter.declarator.is_some() || parameter.type_text(source) != "void"
            })
            .collect()
    }

    /// Whether it is a reference.
    pub fn is_reference(&self) -> bool {
        self.declarator
            .as_ref()
            .is_some_and(Declarator::is_reference)
    }

    /// Whether a default value makes it optional.
    pub fn is_optional(&self) -> bool {
        self.node.is(Kind::OptionalParameterDeclaration)
    }

    /// The type's name, without declarator and qualifiers.
    pub fn type_text<'s>(&self, source: &'s str) -> &'s str {
        self.node.child_text(Field::Type, source)
    }
}

/// Whether a declaration makes its type `const`.
pub fn has_const(declaration: Node<'_>, source: &str) -> bool {
    ["const", "constexpr"]
        .iter()
        .any(|word| declaration.has_type_qualifier(word, source))
}

/// The `operator T` that `name` names, perhaps with its class before it.
pub fn conversion(name: Node<'_>) -> Option<Node<'_>> {
    let mut node = name;
    while node.is(Kind::QualifiedIdentifier) {
        node = node.child(Field::Name)?;
    }
    node.is(Kind::OperatorCast).then_some(node)
}

/// The declarators of a declaration.
pub fn declarators<'t>(
    declaration: Node<'t>,
    source: &str,
) -> impl Iterator<Item = Declarator<'t>> {
    let outer = declaration.children_in(Field::Declarator);
    outer.map(move |it| Declarator::of(it, source))
}

/// The head of a lambda expression.
#[derive(Clone, Debug)]
pub struct Lambda<'t> {
    pub parameters: Vec<Parameter<'t>>,
    pub returns: Returns,
    /// `-> T`
    pub trailing: Option<Node<'t>>,
}

impl<'t> Lambda<'t> {
    pub fn of(node: Node<'t>, source: &str) -> Self {
        let head = node.child(Field::Declarator);
        let parameters = head.and_then(|it| it.child(Field::Parameters));
        let trailing = head.and_then(|it| it.child_of(Kind::TrailingReturnType));
        Self {
            parameters: parameters.map_or_else(Vec::new, |it| Parameter::list(it, source)),
            returns: trailing.map_or(Returns::Deduced, |it| trailing_returns(it, source)),
            trailing,
        }
    }
}

/// The kind of a function's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    Void,
    /// An object.
    Value,
    /// A reference.
    Reference,
    /// `auto`: deduced from the body, never a reference.
    Deduced,
    /// `decltype(auto)`, or a name that may be an alias of a reference.
    Unsure,
}

/// A function's head and, if it has one, its body.
#[derive(Clone, Debug)]
pub struct Function<'t> {
    /// The last part of its name, blanks removed.
    pub name: String,
    /// The class in `Class::name`.
    pub scope: Option<String>,
    /// The function declarator.
    pub head: Node<'t>,
    pub body: Option<Node<'t>>,
    pub qualifiers: Qualifiers,
    pub returns: Returns,
}

impl<'t> Function<'t> {
    /// The function that `node` (a definition or a declaration) declares.
    pub fn of(node: Node<'t>, prepass: &Prepass, source: &str) -> Option<Self> {
        let outer = node.child(Field::Declarator)?;
        let declarator = Declarator::of(outer, source);
        let head = declarator.function?;
        if !declarator.is_function() {
            return None;
        }
        let name_node = declarator.name?;
        let (mut name, mut scope) = split_name(name_node, source);
        // To the grammar, `S::operator T()` is a function `T` that returns an `S::operator`.
        let kind = node.child(Field::Type);
        if let Some(kind) = kind.filter(|it| it.text(source).ends_with("::operator")) {
            (name, scope) = split_name(kind, source);
        }
        let body = node
            .child(Field::Body)
            .or_else(|| node.child_of(Kind::TryStatement));
        let returns = returns(node, &declarator, head, source);
        let mut qualifiers = prepass.qualifiers(node.start(), name_node.start());
        if prepass.relaxed_constexpr && qualifiers.has(Qualifiers::CONSTEXPR) {
            qualifiers = qualifiers | Qualifiers::HOST | Qualifiers::DEVICE;
        }
        Some(Self {
            name,
            scope,
            head,
            body,
            qualifiers,
            returns,
        })
    }

    /// Its parameters, with their parentheses.
    pub fn parameter_list(&self) -> Option<Node<'t>> {
        self.head.child(Field::Parameters)
    }

    /// Its parameters.
    pub fn parameters(&self, source: &str) -> Vec<Parameter<'t>> {
        self.parameter_list()
            .map(|node| Parameter::list(node, source))
            .unwrap_or_default()
    }
}

/// Whether a type descriptor is a reference.
pub fn is_reference_type(node: Node<'_>, source: &str) -> bool {
    node.child(Field::Declarator)
        .is_some_and(|it| Declarator::of(it, source).layers.last() == Some(&Layer::Reference))
}

/// Whether a type's name is a reference by convention (`reference`, `typename A::const_reference`).
pub fn names_reference(text: &str) -> bool {
    let last = text.rsplit("::").next().unwrap_or(text).trim();
    last.ends_with("reference") || last.ends_with("Reference") || last.ends_with("_ref")
}

fn returns(node: Node<'_>, declarator: &Declarator<'_>, head: Node<'_>, source: &str) -> Returns {
    if let Some(trailing) = head.child_of(Kind::TrailingReturnType) {
        return trailing_returns(trailing, source);
    }
    match declarator.layers.get(1) {
        Some(Layer::Reference) => return Returns::Reference,
        Some(_) => return Returns::Value,
        None => {}
    }
    let converted = declarator.name.and_then(conversion);
    let Some(kind) = converted.unwrap_or(node).child(Field::Type) else {
        return Returns::Value;
    };
    match kind.text(source) {
        "void" => Returns::Void,
        "auto" => Returns::Deduced,
        text if text.starts_with("decltype") || names_reference(text) => Returns::Unsure,
        _ => Returns::Value,
    }
}

/// The kind of result after `->`.
pub fn trailing_returns(trailing: Node<'_>, source: &str) -> Returns {
    let Some(descriptor) = trailing.first_named() else {
        return Returns::Unsure;
    };
    match descriptor.text(source) {
        "void" => Returns::Void,
        "auto" => Returns::Deduced,
        text if text.starts_with("decltype") || names_reference(text) => Returns::Unsure,
        _ if is_reference_type(descriptor, source) => Returns::Reference,
        _ => Returns::Value,
    }
}

/// The last part of a possibly qualified name, and the class before it.
pub fn split_name(node: Node<'_>, source: &str) -> (String, Option<String>) {
    let (last, class) = last_part(node);
    let mut name = last.text(source).to_owned();
    if last.is(Kind::OperatorName) {
        name.retain(|character| !character.is_whitespace());
    } else if last.is(Kind::OperatorCast) {
        "operator".clone_into(&mut name);
    }
    (name, class.map(|it| it.text(source).to_owned()))
}

/// The nodes of the last part of a possibly qualified name, without template arguments, and of the
/// class before it.
pub fn last_part<'t>(name: Node<'t>) -> (Node<'t>, Option<Node<'t>>) {
    let mut last = name;
    let mut class = None;
    loop {
        let inner = match last.kind() {
            Kind::QualifiedIdentifier => {
                class = last.child(Field::Scope).or(class);
                last.child(Field::Name)
            }
            Kind::TemplateFunction | Kind::TemplateMethod | Kind::TemplateType => {
                last.child(Field::Name)
            }
            Kind::DependentName => last.first_named(),
            _ => None,
        };
        let Some(inner) = inner else {
            return (last, class.map(|it| it.child(Field::Name).unwrap_or(it)));
        };
        last = inner;
    }
}

/// The name of the function or method that a call calls, and the class before it.
pub fn called_name<'t>(callee: Node<'t>) -> (Node<'t>, Option<Node<'t>>) {
    match callee.child(Field::Member) {
        Some(method) if callee.is(Kind::FieldExpression) => last_part(method),
        _ => last_part(callee),
    }
}
