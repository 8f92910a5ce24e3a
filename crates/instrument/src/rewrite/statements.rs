//! Statements of device code, and the search for launches in host code.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Returns};

use super::context::{Rewriter, Role, Side};
use super::facts::is_class;
use super::scope::{Binding, Shape, Storage};

impl Rewriter<'_> {
    /// A function's body, in whichever side's way.
    pub(crate) fn body(&mut self, body: Node<'_>) {
        if self.on_device() {
            self.statement(body);
        } else {
            self.host(body);
        }
    }

    /// Looks through host code for launches, device lambdas and local classes.
    pub(crate) fn host(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::CallExpression if node.child_of(Kind::KernelCallSyntax).is_some() => {
                self.launch(node);
            }
            Kind::CallExpression if self.launch_by_pointer(node) => {}
            Kind::CallExpression | Kind::CastExpression if self.kernel_address(node) => {}
            Kind::CallExpression if self.device_macro(node) => {}
            Kind::LambdaExpression => self.lambda(node),
            kind if is_class(kind) => self.item(node),
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

    /// Host code's use of a macro that makes a lambda for the device of its arguments;
    /// false for any other call.
    fn device_macro(&mut self, node: Node<'_>) -> bool {
        let (Some(callee), Some(arguments)) =
            (node.child(Field::Function), node.child(Field::Arguments))
        else {
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

    /// Remembers the objects of classes that a declaration in host code names. A device
    /// lambda that captures one may call it; pointers and numbers need no memory.
    pub(crate) fn note_host_objects(&mut self, node: Node<'_>) {
        let type_text = node.child(Field::Type).map_or("", |it| self.text(it));
        for declarator in node.children_in(Field::Declarator) {
            let declarator = Declarator::of(declarator, self.source);
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
        for child in node.named_children() {
            self.statement(child);
        }
        self.scopes.leave();
    }

    /// Rewrites a statement of device code.
    pub(crate) fn statement(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::CompoundStatement => self.block(node),
            Kind::Declaration => self.declaration(node),
            Kind::ExpressionStatement => {
                self.unmodelled(node);
                if self.misread_declaration(node) {
                    return;
                }
                for expression in node.named_children() {
                    self.expression(expression, Role::Locate);
                }
            }
            Kind::IfStatement | Kind::WhileStatement | Kind::SwitchStatement => {
                self.scopes.enter();
                // The condition of `if constexpr` must stay a constant.
                let constant = node.is(Kind::IfStatement)
                    && node
                        .children()
                        .any(|it| !it.is_named() && self.text(it) == "constexpr");
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
            Kind::ReturnStatement => {
                let role = match self.enclosing.returns {
                    Returns::Value => match self.enclosing.result.clone() {
                        Some(result) => self.initialising(&result),
                        None => Role::Load,
                    },
                    Returns::Deduced => Role::Copy,
                    Returns::Void | Returns::Reference | Returns::Unsure => Role::Locate,
                };
                for expression in node.named_children() {
                    self.expression(expression, role);
                }
            }
            Kind::TypeDefinition | Kind::AliasDeclaration => self.local_type(node),
            Kind::UsingDeclaration | Kind::StaticAssertDeclaration | Kind::EnumSpecifier => {}
            Kind::FunctionDefinition => self.item(node),
            kind if is_class(kind) => self.item(node),
            _ => {
                for child in node.named_children() {
                    match child.kind() {
                        Kind::CompoundStatement
                        | Kind::Declaration
                        | Kind::ExpressionStatement
                        | Kind::IfStatement
                        | Kind::WhileStatement
                        | Kind::SwitchStatement
                        | Kind::ForStatement
                        | Kind::ForRangeLoop
                        | Kind::DoStatement
                        | Kind::CaseStatement
                        | Kind::ReturnStatement
                        | Kind::LabeledStatement
                        | Kind::ElseClause
                        | Kind::TryStatement
                        | Kind::CatchClause
                        | Kind::AttributedStatement => self.statement(child),
                        _ => self.expression(child, Role::Locate),
                    }
                }
            }
        }
    }

    /// A declaration that the grammar takes for an expression:
    /// `float (*p)[4] = a;`, `T *p(&a[0]);`. False if it is none.
    fn misread_declaration(&mut self, node: Node<'_>) -> bool {
        let Some(mut target) = node.first_named() else {
            return false;
        };
        let mut value = None;
        if target.is(Kind::AssignmentExpression) {
            value = target.child(Field::Right);
            let Some(left) = target.child(Field::Left) else {
                return false;
            };
            target = left;
        }
        if target.is(Kind::BinaryExpression) {
            let (left, right) = (target.child(Field::Left), target.child(Field::Right));
            let (Some(left), Some(right)) = (left, right) else {
                return false;
            };
            let call = right
                .child(Field::Function)
                .filter(|_| right.is(Kind::CallExpression));
            let Some(name) = call.filter(|it| it.is(Kind::Identifier)) else {
                return false;
            };
            if !self.is_type_name(left) || super::classify::operator(target, self.source) != "*" {
                return false;
            }
            if let Some(arguments) = right.child(Field::Arguments) {
                self.expression(arguments, Role::Load);
            }
            self.scopes
                .bind(self.text(name), Binding::pointer(Storage::Local));
            return true;
        }
        let mut dimensions = 0;
        while target.is(Kind::SubscriptExpression) {
            dimensions += 1;
            let Some(base) = target.child(Field::Argument) else {
                return false;
            };
            target = base;
        }
        let (Some(callee), Some(arguments)) = (
            target.child(Field::Function),
            target.child(Field::Arguments),
        ) else {
            return false;
        };
        let Some(inner) = arguments.first_named() else {
            return false;
        };
        let name = inner
            .child(Field::Argument)
            .filter(|_| inner.is(Kind::PointerExpression));
        let Some(name) = name.filter(|it| it.is(Kind::Identifier)) else {
            return false;
        };
        let new = self.scopes.get(self.text(name)).is_none();
        if dimensions == 0 || !new || !self.is_type_name(callee) {
            return false;
        }
        let reference = super::classify::operator(inner, self.source) == "&";
        let binding = if reference {
            let storage = value.map_or(Storage::Memory, |it| self.storage(it));
            let shape = Shape {
                rank: dimensions,
                pointers: 0,
                exact: false,
            };
            Binding {
                storage,
                shape,
                ..Binding::nothing()
            }
        } else {
            Binding::pointer(Storage::Local)
        };
        if let Some(value) = value {
            self.expression(value, if reference { Role::Locate } else { Role::Load });
        }
        self.scopes.bind(self.text(name), binding);
        true
    }

    /// Whether an expression is but a type's name.
    fn is_type_name(&self, node: Node<'_>) -> bool {
        match node.kind() {
            Kind::PrimitiveType | Kind::SizedTypeSpecifier => true,
            Kind::Identifier => match self.scopes.get(self.text(node)) {
                Some(binding) => binding.type_text == "typename",
                None => {
                    let name = self.text(node);
                    self.facts.is_type(name) || !self.facts.functions.contains_key(name)
                }
            },
            _ => false,
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
            self.scopes
                .bind(self.source.get(name.range()).unwrap_or(""), binding);
        }
    }

    fn condition(&mut self, node: Node<'_>) {
        if !node.is(Kind::ConditionClause) {
            return self.expression(node, Role::Load);
        }
        for child in node.named_children() {
            match child.kind() {
                Kind::InitStatement => {
                    for statement in child.named_children() {
                        self.statement(statement);
                    }
                }
                Kind::Declaration => self.declaration(child),
                _ => self.expression(child, Role::Load),
            }
        }
    }

    fn for_loop(&mut self, node: Node<'_>) {
        self.scopes.enter();
        for child in node.named_children() {
            match child.field() {
                Field::Initializer if child.is(Kind::Declaration) => self.declaration(child),
                Field::Initializer | Field::Update => self.expression(child, Role::Locate),
                Field::Condition if child.is(Kind::Declaration) => self.declaration(child),
                Field::Condition => self.expression(child, Role::Load),
                _ => self.statement(child),
            }
        }
        self.scopes.leave();
    }

    /// `for (T x : range)`. The elements are lvalues that no text names; where
    /// `x` is a copy the loop variable becomes a reference and the copy is made
    /// in the body, through a hook.
    fn range_loop(&mut self, node: Node<'_>) {
        self.scopes.enter();
        for child in node
            .named_children()
            .filter(|it| it.is(Kind::InitStatement))
        {
            for statement in child.named_children() {
                self.statement(statement);
            }
        }
        let range = node.child(Field::Right);
        if let Some(range) = range {
            self.expression(range, Role::Locate);
        }
        let outer = node.child(Field::Declarator);
        let body = node.child(Field::Body);
        let storage = match range {
            Some(range) => self.range_storage(range),
            None => Storage::Memory,
        };
        let mut copy = None;
        if let (Some(outer), Some(body), Some(range)) = (outer, body, range) {
            let declarator = Declarator::of(outer, self.source);
            let kind = node.child(Field::Type).map_or("", |it| self.text(it));
            let reference = declarator.is_reference();
            if !reference && storage == Storage::Memory {
                copy = self.range_copy(node, outer, body, range);
            }
            let storage = if reference { storage } else { Storage::Local };
            self.bind_declared(&declarator, storage, kind);
        }
        if let Some(body) = body {
            self.statement(body);
        }
        if let Some(end) = copy {
            self.edits.close(end, " }");
        }
        self.scopes.leave();
    }

    /// Where the elements of a range live.
    fn range_storage(&self, range: Node<'_>) -> Storage {
        match self.storage(range) {
            Storage::Local if self.shape(range).rank > 0 => Storage::Local,
            // A list of values.
            Storage::Nothing if range.is(Kind::InitializerList) => Storage::Local,
            // A view, or an object whose elements are elsewhere.
            _ => Storage::Memory,
        }
    }

    fn range_copy(
        &mut self,
        node: Node<'_>,
        outer: Node<'_>,
        body: Node<'_>,
        range: Node<'_>,
    ) -> Option<usize> {
        let first = node
            .children()
            .skip_while(|it| self.text(*it) != "(")
            .find(|it| it.is_named() && !it.is(Kind::InitStatement))?;
        let variable = self.root(range);
        if !self.wanted(range.range(), &variable) {
            return None;
        }
        let id = self.site(hirace_model::SiteKind::Read, range.range(), &variable)?;
        let role = match node.child(Field::Type).map_or("", |it| self.text(it)) {
            _ if !outer.is(Kind::Identifier) => Role::Load,
            kind => self.initialising(kind),
        };
        let hook = match role {
            Role::Initializer => format!("read_into<{}>", self.target),
            Role::Copy => "copy".to_owned(),
            Role::Argument => "read_argument".to_owned(),
            _ => "read".to_owned(),
        };
        let head = first.start()..outer.end();
        let declared = self.folded_range(head.clone());
        let element = format!("hirace_element_{}", self.range_count);
        self.range_count += 1;
        self.edits
            .replace(self.source, head, format!("auto&& {element}"));
        self.edits.open(
            body.start(),
            format!("{{ {declared} = ::hirace::{hook}({id}, {element}); "),
        );
        Some(body.end())
    }

    /// Text of a range with white space folded.
    pub(crate) fn folded_range(&self, range: std::ops::Range<usize>) -> String {
        let text = String::from_utf8_lossy(self.masked(range));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
