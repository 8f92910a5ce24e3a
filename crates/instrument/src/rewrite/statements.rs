//! Statements of device code, and the search for launches in host code.

mod loops;
mod misread;

use super::binding::{Binding, Shape, Storage};
use super::context::{Rewriter, Side};
use super::role::{Role, Target};
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Returns, declarators};

impl Rewriter<'_> {
    /// A function's body, rewritten as device code or as host code.
    pub(crate) fn body(&mut self, body: Node<'_>) {
        if self.on_device() {
            self.statement(body);
        } else {
            self.host(body);
        }
    }

    /// Searches host code for launches, device lambdas and local classes.
    pub(crate) fn host(&mut self, node: Node<'_>) {
        if self.is_not_evaluated(node.start()) {
            return;
        }
        match node.kind() {
            Kind::CallExpression if node.child_of(Kind::KernelCallSyntax).is_some() => {
                self.launch(node);
            }
            Kind::CallExpression if self.launch_by_macro(node) || self.launch_by_pointer(node) => {}
            Kind::CallExpression | Kind::CastExpression if self.kernel_address(node) => {}
            Kind::CallExpression if self.device_macro(node) => {}
            Kind::LambdaExpression => self.lambda(node),
            _ if node.is_class() => self.item(node),
            kind => {
                if kind == Kind::Declaration {
                    self.note_host_objects(node);
                }
                for child in node.named_children() {
                    self.host(child);
                }
            }
        }
    }

    /// Host code's use of a macro that turns its arguments into a device lambda; false for any
    /// other call.
    fn device_macro(&mut self, node: Node<'_>) -> bool {
        let Some((callee, arguments)) = node.as_call() else {
            return false;
        };
        if !self.facts.lambda_macros.contains(self.text(callee)) {
            return false;
        }
        let outer = std::mem::replace(&mut self.enclosing.side, Side::Device);
        self.scopes.enter();
        for argument in arguments.named_children() {
            match argument.kind() {
                Kind::LambdaExpression => self.lambda(argument),
                _ => self.expression(argument, Role::Locate),
            }
        }
        self.scopes.leave();
        self.enclosing.side = outer;
        true
    }

    /// Remembers objects of classes that host code declares. A device lambda that captures one may
    /// call it; pointers and numbers need not be remembered.
    pub(crate) fn note_host_objects(&mut self, node: Node<'_>) {
        let type_text = node.child_text(Field::Type, self.source);
        for declarator in declarators(node, self.source) {
            let binding = Binding::object(Storage::Local, &declarator, type_text);
            if let Some(name) = declarator.name.filter(|_| binding.shape == Shape::UNKNOWN) {
                self.host_objects
                    .insert(self.text(name).to_owned(), binding);
            }
        }
    }

    /// A `{…}` with a scope of its own.
    pub(crate) fn block(&mut self, node: Node<'_>) {
        self.scopes.enter();
        self.statements(node);
        self.scopes.leave();
    }

    /// Rewrites `({ …; value; })`, whose value is a copy of that of the last statement.
    pub(super) fn statement_expression(&mut self, node: Node<'_>, role: Role) {
        let whole = node.parent().and_then(Node::parent);
        let is_dropped = whole.is_none_or(|it| it.is(Kind::ExpressionStatement));
        let role = match role {
            Role::Locate if !is_dropped => Role::Copy,
            other => other,
        };
        let value = node.named_children().last();
        let value = value.filter(|it| it.is(Kind::ExpressionStatement));
        self.scopes.enter();
        for child in node.named_children() {
            if Some(child) != value {
                self.statement(child);
            }
        }
        if let Some(value) = value {
            self.unmodelled(value);
            self.expressions(value, role);
        }
        self.scopes.leave();
    }

    /// Rewrites the statements among the children of `node`.
    pub(super) fn statements(&mut self, node: Node<'_>) {
        for child in node.named_children() {
            self.statement(child);
        }
    }

    /// Rewrites a statement of device code.
    pub(crate) fn statement(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::CompoundStatement => self.block(node),
            Kind::Declaration => self.declaration(node),
            Kind::ExpressionStatement => {
                self.unmodelled(node);
                let first = node.first_named();
                if !first.is_some_and(|it| self.misread_declaration(it)) {
                    self.expressions(node, Role::Locate);
                }
            }
            Kind::IfStatement | Kind::WhileStatement | Kind::SwitchStatement => self.branch(node),
            Kind::ForStatement => self.for_loop(node),
            Kind::ForRangeLoop => self.range_loop(node),
            Kind::DoStatement => {
                for child in node.named_children() {
                    if child.field() == Field::Condition {
                        self.expression(child, Role::Load);
                    } else {
                        self.statement(child);
                    }
                }
            }
            Kind::CaseStatement => {
                for child in node.named_children() {
                    if child.field() != Field::Value {
                        self.statement(child);
                    }
                }
            }
            Kind::ReturnStatement => self.returned(node),
            Kind::TypeDefinition | Kind::AliasDeclaration => self.local_type(node),
            Kind::UsingDeclaration | Kind::StaticAssertDeclaration | Kind::EnumSpecifier => {}
            Kind::FunctionDefinition => self.item(node),
            _ if node.is_class() => self.item(node),
            _ => {
                for child in node.named_children() {
                    match child.is_statement() {
                        true => self.statement(child),
                        false => self.expression(child, Role::Locate),
                    }
                }
            }
        }
    }

    /// A conditionally executed statement.
    fn branch(&mut self, node: Node<'_>) {
        self.scopes.enter();
        // The condition of `if constexpr` must stay a constant.
        let mut tokens = node.children().filter(|it| !it.is_named());
        let constant = node.is(Kind::IfStatement) && tokens.any(|it| self.text(it) == "constexpr");
        if let Some(condition) = node.child(Field::Condition).filter(|_| !constant) {
            self.condition(condition);
        }
        for child in node.named_children() {
            if child.field() != Field::Condition {
                self.statement(child);
            }
        }
        self.scopes.leave();
    }

    fn returned(&mut self, node: Node<'_>) {
        let role = match self.enclosing.returns {
            Returns::Value => match self.enclosing.result.clone() {
                Some(result) => self.initialising(&result),
                None => Role::Load,
            },
            Returns::Deduced => Role::Copy,
            Returns::Unsure => match self.enclosing.result.as_deref().and_then(spelled_result) {
                Some(result) => {
                    self.target = Target::first_of_one(result);
                    Role::Initializer
                }
                None => Role::Locate,
            },
            Returns::Void | Returns::Reference => Role::Locate,
        };
        for expression in node.named_children() {
            self.expression(expression, role);
        }
    }

    fn local_type(&mut self, node: Node<'_>) {
        let mut binding = Binding::nothing();
        "typename".clone_into(&mut binding.type_text);
        let name = match node.kind() {
            Kind::AliasDeclaration => node.child(Field::Name),
            _ => node
                .child(Field::Declarator)
                .and_then(|it| Declarator::of(it, self.source).name),
        };
        if let Some(name) = name {
            self.bind(name, binding);
        }
    }

    /// Text of a range with white space folded, with what passes the text of arguments on to macros: other edits
    /// in text that is moved are dropped.
    pub(crate) fn folded_range(&self, range: std::ops::Range<usize>) -> String {
        let mut out = String::new();
        let mut at = range.start;
        for (edit, text) in &self.text_edits {
            if at <= edit.start && edit.end <= range.end && range.start < edit.start {
                out += &String::from_utf8_lossy(self.masked(at..edit.start));
                out += text;
                at = edit.end;
            }
        }
        out += &String::from_utf8_lossy(self.masked(at..range.end));
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether a place is in an argument of a macro that is turned into text and not evaluated.
    pub(crate) fn is_not_evaluated(&self, at: usize) -> bool {
        self.not_evaluated.iter().any(|it| it.contains(&at))
    }
}

/// A type of which only the compiler knows whether it is a reference, unless it is deduced.
fn spelled_result(type_text: &str) -> Option<String> {
    let is_deduced = type_text.replace(' ', "") == "decltype(auto)";
    (!is_deduced).then(|| type_text.to_owned())
}
