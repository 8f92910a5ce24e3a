//! Namespaces, classes, functions and variables.

mod made_head;
mod unseen;
mod variables;

use hirace_syntax::lexer::TokenKind;
use hirace_syntax::qualifier::Qualifiers;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Declarator, Function, conversion};

use super::context::{Enclosing, Extent, Rewriter, Side};
use super::role::Role;
use super::sites::fold;

impl Rewriter<'_> {
    /// Rewrites everything below `node` at namespace or class scope.
    pub(crate) fn items(&mut self, node: Node<'_>) {
        for child in node.named_children() {
            self.item(child);
        }
    }

    pub(crate) fn item(&mut self, node: Node<'_>) {
        match node.kind() {
            Kind::FunctionDefinition => self.function(node),
            Kind::Declaration => self.outer_declaration(node),
            Kind::FieldDeclaration => {
                self.class_in_type(node);
                self.mark_separator(node);
            }
            Kind::NamespaceDefinition => {
                let depth = self.namespaces.len();
                let name = node.child(Field::Name).map(|it| self.text(it).to_owned());
                self.namespaces.extend(name);
                if let Some(body) = node.child(Field::Body) {
                    self.items(body);
                }
                self.namespaces.truncate(depth);
            }
            Kind::TemplateDeclaration => {
                self.scopes.enter();
                if let Some(parameters) = node.child(Field::Parameters) {
                    self.scopes.bind_template(parameters, self.source);
                }
                let outer = std::mem::replace(&mut self.in_template, true);
                for child in node.named_children() {
                    if child.field() != Field::Parameters && !child.is(Kind::RequiresClause) {
                        self.item(child);
                    }
                }
                self.in_template = outer;
                self.scopes.leave();
            }
            _ if node.is_class() => self.class(node),
            Kind::EnumSpecifier
            | Kind::AliasDeclaration
            | Kind::TypeDefinition
            | Kind::UsingDeclaration
            | Kind::StaticAssertDeclaration
            | Kind::ConceptDefinition
            | Kind::TemplateInstantiation => self.class_in_type(node),
            Kind::Error => self.unread(node),
            Kind::ExpressionStatement => self.host(node),
            _ => self.items(node),
        }
    }

    /// A class that is defined where it is also used as a type.
    pub(crate) fn class_in_type(&mut self, node: Node<'_>) {
        if let Some(kind) = node.child(Field::Type).filter(|it| it.is_class()) {
            self.item(kind);
        }
    }

    fn class(&mut self, node: Node<'_>) {
        let Some(body) = node.child(Field::Body) else {
            return;
        };
        let depth = self.classes.len();
        let name = node.class_name().map(|it| self.text(it).to_owned());
        self.classes.extend(name);
        let outer = std::mem::replace(&mut self.in_template, true);
        self.items(body);
        self.in_template = outer;
        self.classes.truncate(depth);
    }

    /// A function with its body, or with `= default` and the like.
    /// Lists the files that the body of a device function at `range` includes: the text that they contribute is
    /// instrumented as declarations of its own, if at all.
    fn list_includes(&mut self, range: std::ops::Range<usize>) {
        let tokens = self.prepass.tokens_in(&range).iter();
        let includes = tokens.filter(|it| {
            let text = it.text(self.source).trim_start_matches('#').trim_start();
            it.kind == TokenKind::Directive && text.starts_with("include")
        });
        let starts: Vec<usize> = includes.map(|it| it.start).collect();
        for start in starts {
            self.sites.not_monitored(
                start,
                "`#include` in a device function: the accesses in that file".to_owned(),
            );
        }
    }

    fn function(&mut self, node: Node<'_>) {
        self.class_in_type(node);
        let Some(mut function) = Function::of(node, self.prepass, self.source) else {
            for child in node.named_children().filter(|it| it.field() != Field::Type) {
                self.host(child);
            }
            return;
        };
        let Some(body) = function.body else { return };
        let made = self.made_head(&mut function);
        let qualifiers = self.declared_qualifiers(&function);
        let kernel = qualifiers.has(Qualifiers::GLOBAL);
        let side = match qualifiers.on_device() {
            true => Side::Device,
            false => Side::Host,
        };
        let class = function
            .scope
            .clone()
            .or_else(|| self.classes.last().cloned());
        let class_of_function = class.clone();
        let name = match &class {
            Some(class) if !kernel => format!("{class}::{}", function.name),
            _ => self.name_in_macro(function.name.clone()),
        };
        self.extents.push(Extent {
            range: node.start()..body.end(),
            name: name.clone(),
            on_device: side == Side::Device,
            device_only: side == Side::Device && !qualifiers.has(Qualifiers::HOST),
        });
        let optouts = &mut self.sites.remarks.optouts;
        optouts.enter(&name, body.range(), self.source, self.prepass);
        let inner = Enclosing {
            name,
            class,
            side,
            returns: function.returns,
            result: self.result_type(node, &function),
        };
        let outer = std::mem::replace(&mut self.enclosing, inner);
        self.scopes.enter();
        // A class in a function has functions, too.
        let first_hooked = std::mem::replace(&mut self.first_hooked, self.hooked.len());
        if let Some(head) = &made {
            self.bind_made(head);
        }
        if side == Side::Device {
            self.out.device_functions += 1;
            self.list_includes(body.range());
            self.choose_by_caller(node, body, qualifiers);
            if kernel && self.body.is_none() {
                self.out.kernels.push(function.name.clone());
                if !self.in_template && made.as_ref().is_none_or(|it| it.template().is_none()) {
                    self.export("", &function.name);
                }
            }
            if class_of_function.is_none() && !made.is_some_and(|it| it.gives_linkage()) {
                self.local_to_file(node, &function.name, qualifiers);
            }
            self.device_body(node, &function, body, qualifiers);
            if kernel {
                self.finish_kernel(node, &function, body);
            }
            self.describe(node, body);
            self.note_parameters(&function, body);
        } else {
            let parameters = node
                .descendants()
                .take_while(|it| it.start() < body.start());
            for parameter in parameters.filter(|it| it.is(Kind::ParameterDeclaration)) {
                self.note_host_objects(parameter);
            }
            self.host(body);
        }
        self.scopes.leave();
        (self.enclosing, self.first_hooked) = (outer, first_hooked);
    }

    /// What follows from all of a kernel.
    fn finish_kernel(&mut self, node: Node<'_>, function: &Function<'_>, body: Node<'_>) {
        let lowered = self.body.is_none().then(|| self.lower(node, body));
        if let Some(lowered) = &lowered {
            self.use_intervals(&function.name, lowered);
        }
        self.make_regions(node, function, body);
        self.set_cluster_size(node, body);
        self.enter_kernel(function, body, lowered.as_ref());
    }

    /// Adds what the expression with this prefix and this name, in the current namespaces, stands for.
    pub(super) fn export(&mut self, prefix: &str, name: &str) {
        let scopes = self.namespaces.iter().map(String::as_str);
        let path: Vec<&str> = scopes.chain([name]).collect();
        self.out
            .exports
            .push(format!("{prefix}{}", path.join("::")));
    }

    /// The type of the object that a function returns, unless it is a pointer.
    fn result_type(&self, node: Node<'_>, function: &Function<'_>) -> Option<String> {
        if let Some(trailing) = function.head.child_of(Kind::TrailingReturnType) {
            return self.trailing_type(trailing);
        }
        let declarator = Declarator::of(node.child(Field::Declarator)?, self.source);
        let converted = declarator.name.and_then(conversion);
        // Without macros that the grammar does not see.
        let kind = self.type_as_written(converted.unwrap_or(node).child(Field::Type)?);
        // `S::operator T() const`, defined outside its class.
        if kind.ends_with("::operator") {
            return declarator.name.map(|it| self.text(it).to_owned());
        }
        (declarator.layers.len() == 1).then_some(kind)
    }

    /// The type after `->`, unless it is a pointer.
    pub(crate) fn trailing_type(&self, trailing: Node<'_>) -> Option<String> {
        let descriptor = trailing.first_named()?;
        if descriptor.child(Field::Declarator).is_some() {
            return None;
        }
        let kind = descriptor.child(Field::Type).unwrap_or(descriptor);
        Some(self.type_as_written(kind))
    }

    /// The text of a type without the words that the pre-pass blanked, except `typename`.
    fn type_as_written(&self, node: Node<'_>) -> String {
        if let Some(written) = self.written_decltype(node) {
            return written.to_owned();
        }
        let source = self.text(node).as_bytes();
        let masked = self.masked(node.range());
        let mut text = masked.to_vec();
        let keyword = b"typename";
        for at in 0..source.len() {
            if source[at..].starts_with(keyword)
                && let Some(place) = text.get_mut(at..at + keyword.len())
                && place.iter().all(|it| *it == b' ')
            {
                place.copy_from_slice(keyword);
            }
        }
        fold(&text)
    }

    /// `decltype(…)`, of which the grammar sees only a name.
    fn written_decltype(&self, node: Node<'_>) -> Option<&str> {
        let rest = self.source.get(node.start()..)?;
        let arguments = rest.strip_prefix("decltype")?;
        let mut depth = 0usize;
        for (at, byte) in arguments.bytes().enumerate() {
            match byte {
                b'(' => depth += 1,
                b')' if depth == 1 => return rest.get(..rest.len() - arguments.len() + at + 1),
                b')' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    /// A function's qualifiers, including those of its declaration in its class.
    fn declared_qualifiers(&self, function: &Function<'_>) -> Qualifiers {
        let own = function.qualifiers;
        let Some(class) = function.scope.as_ref().filter(|_| !own.on_device()) else {
            return own;
        };
        let declared = self.facts.functions_called(&function.name);
        declared
            .filter(|it| it.class.as_ref() == Some(class))
            .fold(own, |all, it| all | it.qualifiers)
    }

    fn device_body(
        &mut self,
        node: Node<'_>,
        function: &Function<'_>,
        body: Node<'_>,
        qualifiers: Qualifiers,
    ) {
        let name = function.name.as_str();
        let parameters = function.parameters(self.source);
        self.declare_file_shared(&parameters, body);
        if node.has_error() {
            let what = match qualifiers.has(Qualifiers::GLOBAL) {
                true => "kernel",
                false => "function",
            };
            let place = self.place(node.first_error().unwrap_or(node).start());
            let reason =
                format!("{what} `{name}` contains syntax that hirace cannot parse ({place})");
            let text = self.text(body);
            self.sites.not_read(node.start(), text, reason);
            self.sites.remarks.untouched += 1;
            self.untouched(body);
            return;
        }
        self.bind_parameters(&parameters);
        let lists = node
            .named_children()
            .filter(|it| it.is(Kind::FieldInitializerList));
        for initializer in lists.flat_map(Node::named_children) {
            let value = initializer.named_children().last();
            let is_list = |kind| matches!(kind, Kind::ArgumentList | Kind::InitializerList);
            if let Some(value) = value.filter(|it| is_list(it.kind())) {
                self.member_initializer(initializer, value);
            }
        }
        self.statement(body);
    }

    /// A constructor's `member(value)` or `Base(value)`.
    fn member_initializer(&mut self, initializer: Node<'_>, value: Node<'_>) {
        let written = initializer.first_named().map_or("", |it| self.text(it));
        let Some(field) = self.member(written) else {
            return self.constructor_arguments(written, None, value);
        };
        let shape = field.binding.shape;
        let type_text = field.binding.type_text.clone();
        if field.reference {
            self.expressions(value, Role::Locate);
        } else if shape.rank > 0 || shape.pointers > 0 {
            self.initializers(value, Role::Load);
        } else {
            // A parameter may have the member's name.
            let target = format!("decltype(this->{written})");
            self.constructor_arguments(&type_text, Some(target), value);
        }
    }

    /// A position for messages.
    fn place(&self, offset: usize) -> String {
        let ends = self.line_ends.get_or_init(|| {
            let ends = self.source.match_indices('\n');
            ends.map(|(at, _)| at).collect()
        });
        let line = ends.partition_point(|end| *end < offset);
        let start = line.checked_sub(1).map_or(0, |before| ends[before] + 1);
        let before = self.source.get(start..offset).unwrap_or("");
        format!("line {}, column {}", 1 + line, 1 + before.chars().count())
    }
}
