//! What a file declares by a name.

use hirace_ir::lower::values::is_integer_name;
use hirace_syntax::lexer::TokenKind;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::declarators;

use super::Syntax;

impl Syntax<'_> {
    /// The definition of a type by `using name = …` or `typedef … name`.
    pub fn alias(&self, name: &str) -> Option<Node<'_>> {
        let mut nodes = self.tree.root().descendants();
        nodes.find(|it| match it.kind() {
            Kind::AliasDeclaration => it.child_text(Field::Name, self.text) == name,
            Kind::TypeDefinition => self.declares(*it, name),
            _ => false,
        })
    }

    /// Whether a declaration declares the variable `name`.
    pub fn declares(&self, declaration: Node<'_>, name: &str) -> bool {
        let mut names = declarators(declaration, self.text).filter_map(|it| it.name);
        names.any(|it| self.node_text(it) == name)
    }

    /// A parameter of a function, and its position, from 0.
    pub fn parameter<'t>(&self, function: Node<'t>, name: &str) -> Option<(Node<'t>, usize)> {
        let mut declarators = function.descendants_of(Kind::FunctionDeclarator);
        let parameters = declarators.next()?.child(Field::Parameters)?;
        let mut parameters = parameters.named_children().zip(0..);
        parameters.find(|(it, _)| self.declared(*it) == Some(name))
    }

    /// The declarations of a variable in a function.
    pub fn declarations<'t>(
        &self,
        function: Node<'t>,
        name: &str,
    ) -> impl Iterator<Item = Node<'t>> {
        let all = function.descendants_of(Kind::Declaration);
        all.filter(move |it| self.declares(*it, name))
    }

    /// Whether a declaration is one of shared memory.
    pub fn is_in_shared(&self, declaration: Node<'_>) -> bool {
        self.qualifiers(declaration).has(Qualifiers::SHARED)
    }

    /// Whether the file declares a variable, a constant or a parameter of this name.
    pub fn has_declaration(&self, name: &str) -> bool {
        let mut nodes = self.tree.root().descendants();
        nodes.any(|it| match it.kind() {
            Kind::Declaration
            | Kind::FieldDeclaration
            | Kind::ParameterDeclaration
            | Kind::OptionalParameterDeclaration
            | Kind::ForRangeLoop => self.declares(it, name),
            Kind::EnumSpecifier => {
                let mut names = it.descendants_of(Kind::Identifier);
                names.any(|it| self.node_text(it) == name)
            }
            _ => false,
        })
    }

    /// The value of an integer literal, or of the only constant or enumerator of this name outside of functions.
    pub fn integer(&self, text: &str) -> Option<u64> {
        let number = text.trim_end_matches(['u', 'U', 'l', 'L']);
        if text.starts_with(|it: char| it.is_ascii_digit()) {
            return match number.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                // Octal numbers are rare.
                None => number
                    .parse()
                    .ok()
                    .filter(|_| number == "0" || !number.starts_with('0')),
            };
        }
        let mut named = self.tree.root().descendants().filter(|it| match it.kind() {
            Kind::InitDeclarator => self.declared(*it) == Some(text),
            Kind::Enumerator => it.child_text(Field::Name, self.text) == text,
            _ => false,
        });
        let only = named
            .next()
            .filter(|it| it.enclosing_function().is_none())?;
        let declaration = only.parent()?;
        let is_constant = only.is(Kind::Enumerator) || {
            let type_name = declaration.child_text(Field::Type, self.text);
            self.node_text(declaration).contains("const") && is_integer_name(type_name)
        };
        let value = only
            .child(Field::Value)
            .filter(|it| it.is(Kind::NumberLiteral));
        let is_only = named.next().is_none() && is_constant;
        value
            .filter(|_| is_only)
            .and_then(|it| self.integer(self.node_text(it)))
    }

    /// For a variable in shared memory outside of functions, the number of its dimensions as an array.
    pub fn shared_rank(&self, name: &str) -> Option<usize> {
        let declarations = self.tree.root().descendants_of(Kind::Declaration);
        let mut outside = declarations.filter(|_| self.text.contains("__shared__"));
        outside.find_map(|it| {
            let is_outside = it.enclosing_function().is_none() && self.is_in_shared(it);
            let mut names = declarators(it, self.text).filter(|_| is_outside);
            let named = names.find(|it| it.name.is_some_and(|it| self.node_text(it) == name));
            named.map(|it| it.rank())
        })
    }

    /// Whether the file defines a function, a class or an alias of this name.
    pub fn defines(&self, name: &str) -> bool {
        let collect = || {
            let nodes = self.tree.root().descendants();
            let names = nodes.filter_map(|it| match it.kind() {
                Kind::FunctionDefinition => self.name(it),
                Kind::AliasDeclaration => Some(it.child_text(Field::Name, self.text)),
                Kind::TypeDefinition => self.declared(it),
                _ if it.is_class() => it.class_name().map(|it| self.node_text(it)),
                _ => None,
            });
            names.map(str::to_owned).collect()
        };
        self.known.names.get_or_init(collect).contains(name)
    }

    /// Whether the name of a function is used as a value, or as a template argument.
    pub fn passes_on(&self, name: &str) -> bool {
        let named = self
            .tokens
            .iter()
            .filter(|it| it.kind == TokenKind::Word && it.text(self.text) == name);
        let mut nodes = named.map(|it| self.tree.node_around(&(it.start..it.end)));
        nodes.any(|it| {
            let is_name = |it: &Node<'_>| {
                matches!(
                    it.kind(),
                    Kind::QualifiedIdentifier | Kind::TemplateFunction | Kind::TemplateMethod
                ) || it.is(Kind::FieldExpression)
            };
            let whole = it
                .ancestors()
                .take_while(|outer| *outer == it || is_name(outer));
            let Some(whole) = whole.last() else {
                return false;
            };
            let is_value = whole.parent().is_some_and(|outer| match outer.kind() {
                Kind::InitDeclarator | Kind::InitializerPair => whole.field() == Field::Value,
                Kind::AssignmentExpression => whole.field() == Field::Right,
                Kind::ArgumentList
                | Kind::ConditionalExpression
                | Kind::InitializerList
                | Kind::ParenthesizedExpression
                | Kind::PointerExpression
                | Kind::ReturnStatement
                | Kind::TemplateArgumentList
                | Kind::TypeDescriptor => true,
                _ => false,
            });
            let function = it.enclosing_definition();
            let is_variable = || {
                self.parameter(function, name).is_some()
                    || self.declarations(function, name).next().is_some()
            };
            is_value && !is_variable()
        })
    }

    /// Whether nothing but the `x` of `threadIdx` is used.
    pub fn has_plain_warps(&self) -> bool {
        let mut words = self.text.split("threadIdx").skip(1);
        let is_plain = words.all(|it| {
            let after = it.trim_start().strip_prefix('.');
            let member = after.map(str::trim_start);
            member.is_some_and(|it| {
                it.strip_prefix('x')
                    .is_some_and(|it| !it.starts_with(|it: char| it.is_alphanumeric() || it == '_'))
            })
        });
        is_plain && !self.text.contains("thread_index")
    }
}
