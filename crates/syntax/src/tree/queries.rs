//! What a node is, what surrounds it, and the parts of expressions and declarations.

use std::ops::Range;

use super::arena::Tree;
use super::kinds::{Field, Kind};
use super::node::Node;
use crate::masked::Prepass;
use crate::qualifier::{Mark, Qualifiers};

impl Tree {
    /// The smallest node around a range.
    pub fn node_around(&self, range: &Range<usize>) -> Node<'_> {
        let mut node = self.root();
        while let Some(inner) = node
            .named_children()
            .find(|child| child.start() <= range.start && range.end <= child.end())
        {
            node = inner;
        }
        node
    }
}

impl Prepass {
    /// The marks of a declaration before its first declarator.
    pub fn marks_of(&self, declaration: Node<'_>) -> impl Iterator<Item = &Mark> {
        let declarator = declaration.child(Field::Declarator);
        let end = declarator.map_or(declaration.end(), Node::start);
        self.marks_before(declaration.start(), end)
    }

    /// All qualifiers of a declaration or a function definition.
    pub fn qualifiers_of(&self, declaration: Node<'_>) -> Qualifiers {
        let declarator = declaration.child(Field::Declarator);
        let end = declarator.map_or(declaration.end(), Node::start);
        self.qualifiers(declaration.start(), end)
    }
}

impl<'t> Node<'t> {
    /// The node itself and all nodes around it, the innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> + use<'t> {
        std::iter::successors(Some(self), |node| node.parent())
    }

    /// The node itself, and those around it that are inside `outer`.
    pub fn ancestors_within(self, outer: Self) -> impl Iterator<Item = Self> + use<'t> {
        self.ancestors().take_while(move |node| *node != outer)
    }

    /// The innermost node of a kind around this one, or this one itself.
    pub fn enclosing(self, kind: Kind) -> Option<Self> {
        self.ancestors().find(|node| node.is(kind))
    }

    /// The innermost function or lambda around this node.
    pub fn enclosing_function(self) -> Option<Self> {
        let is_function = |kind| matches!(kind, Kind::FunctionDefinition | Kind::LambdaExpression);
        self.ancestors().find(|node| is_function(node.kind()))
    }

    /// The innermost function definition around this node, or all of the text.
    pub fn enclosing_definition(self) -> Self {
        let definition = self.enclosing(Kind::FunctionDefinition);
        definition.or(self.ancestors().last()).unwrap_or(self)
    }

    /// Whether the text of another node is inside this one's.
    pub fn encloses(self, other: Self) -> bool {
        self.start() <= other.start() && other.end() <= self.end()
    }

    /// The nodes of a kind among this node and all below it.
    pub fn descendants_of(self, kind: Kind) -> impl Iterator<Item = Self> + use<'t> {
        self.descendants().filter(move |node| node.is(kind))
    }

    /// Whether it has no child other than tokens.
    pub fn is_leaf(self) -> bool {
        self.first_named().is_none()
    }

    /// Whether it is a class, struct or union.
    pub fn is_class(self) -> bool {
        matches!(
            self.kind(),
            Kind::ClassSpecifier | Kind::StructSpecifier | Kind::UnionSpecifier
        )
    }

    pub fn is_loop(self) -> bool {
        matches!(
            self.kind(),
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop
        )
    }

    /// Whether it is a statement, a declaration among statements, or a part of such a statement
    /// that contains others.
    pub fn is_statement(self) -> bool {
        self.is_loop()
            || matches!(
                self.kind(),
                Kind::CompoundStatement
                    | Kind::Declaration
                    | Kind::ExpressionStatement
                    | Kind::IfStatement
                    | Kind::SwitchStatement
                    | Kind::CaseStatement
                    | Kind::ReturnStatement
                    | Kind::LabeledStatement
                    | Kind::ElseClause
                    | Kind::TryStatement
                    | Kind::CatchClause
                    | Kind::AttributedStatement
            )
    }

    /// The text of the child in `field`; empty if there is none.
    pub fn child_text(self, field: Field, source: &str) -> &str {
        self.child(field).map_or("", |child| child.text(source))
    }

    /// An expression's operator as written.
    pub fn operator(self, source: &str) -> &str {
        self.child_text(Field::Operator, source)
    }

    /// `&x`
    pub fn is_address(self, source: &str) -> bool {
        self.is(Kind::PointerExpression) && self.operator(source) == "&"
    }

    /// The expression inside parentheses.
    pub fn without_parentheses(self) -> Self {
        let inner = match self.kind() {
            Kind::ParenthesizedExpression | Kind::ConditionClause => self.first_named(),
            _ => None,
        };
        inner.map_or(self, Self::without_parentheses)
    }

    /// The arguments of a call.
    pub fn arguments(self) -> impl Iterator<Item = Self> + use<'t> {
        let list = self.child(Field::Arguments);
        list.into_iter().flat_map(Self::named_children)
    }

    /// The function and the argument list of a call.
    pub fn as_call(self) -> Option<(Self, Self)> {
        self.child(Field::Function)
            .zip(self.child(Field::Arguments))
    }

    /// The type that a `…_cast<T>`, the callee of a call, casts to.
    pub fn named_cast_type(self) -> Option<Self> {
        self.child(Field::Arguments)?.child_of(Kind::TypeDescriptor)
    }

    /// What an assignment, `++` or `--` changes.
    pub fn assigned(self) -> Option<Self> {
        match self.kind() {
            Kind::AssignmentExpression => self.child(Field::Left),
            Kind::UpdateExpression => self.child(Field::Argument),
            _ => None,
        }
    }

    /// The name of a class, without template arguments.
    pub fn class_name(self) -> Option<Self> {
        let name = self.child(Field::Name)?;
        Some(name.child(Field::Name).unwrap_or(name))
    }

    /// Whether a declaration has the storage class `word`, such as `static`.
    pub fn has_storage_class(self, word: &str, source: &str) -> bool {
        self.children()
            .any(|child| child.is(Kind::StorageClassSpecifier) && child.text(source) == word)
    }

    /// Whether a declaration has the type qualifier `word`, such as `volatile`.
    pub fn has_type_qualifier(self, word: &str, source: &str) -> bool {
        self.children()
            .any(|child| child.is(Kind::TypeQualifier) && child.text(source) == word)
    }
}
