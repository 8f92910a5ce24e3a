//! Kernel launches.

use hirace_model::SiteKind;
use hirace_syntax::lexer::lex;
use hirace_syntax::qualifier::skip_parentheses;
use hirace_syntax::tree::{Kind, Node};
use hirace_syntax::view::split_name;

use super::LaunchSelection;
use super::context::Rewriter;
use super::launch_arguments::{converted, stays_inline};
use super::role::Role;

impl Rewriter<'_> {
    /// `k<<<…>>>(…)`.
    pub(crate) fn launch(&mut self, node: Node<'_>) {
        let syntax = node.child_of(Kind::KernelCallSyntax);
        let Some((syntax, (callee, arguments))) = syntax.zip(node.as_call()) else {
            return;
        };
        let (name, _) = split_name(callee, self.source);
        let name = self.behind_macros(name);
        if self.on_device() && !self.on_cpu() {
            // Device code cannot reach the host's bookkeeping.
            self.sites
                .not_modelled(node.start(), format!("launch of `{name}` from device code"));
            self.expressions(syntax, Role::Load);
            return self.expressions(arguments, Role::Load);
        }
        self.out.launches += 1;
        self.check_defined(&name, node.start());
        self.check_configuration(&name, syntax);
        let Some(mut info) = self.launch_info(&name, callee.start()..syntax.end()) else {
            return;
        };
        if self.is_pointer_to_kernel(callee, &name) {
            let pointer = self.folded(callee);
            info = format!("::hirace::cpu::by_pointer({info}, {pointer})");
        }
        if self.on_cpu() {
            self.launch_on_cpu(node, callee, syntax, arguments, &info);
        } else {
            self.edits
                .open(node.start(), format!("(::hirace::begin_launch({info}), "));
            for value in syntax.named_children().chain(arguments.named_children()) {
                self.host(value);
            }
            self.edits.close(node.end(), ")");
        }
    }

    /// The kernel that a name stands for, if it is a macro with one definition.
    fn behind_macros(&self, name: String) -> String {
        const MOST: usize = 8;
        let mut kernel = name.clone();
        for _ in 0..MOST {
            if self.facts.is_kernel(&kernel) {
                return kernel;
            }
            let mut bodies = self.bodies_of_macro(&kernel);
            let (Some(body), None) = (bodies.next(), bodies.next()) else {
                break;
            };
            let plain = body.split('<').next().unwrap_or_default();
            let last = plain
                .rsplit("::")
                .next()
                .unwrap_or_default()
                .trim()
                .to_owned();
            drop(bodies);
            kernel = last;
        }
        name
    }

    /// The `LaunchInfo` of a launch of `name`.
    pub(crate) fn launch_info(
        &mut self,
        name: &str,
        range: std::ops::Range<usize>,
    ) -> Option<String> {
        let chosen = self.chosen(name, range.start);
        let id = self.site(SiteKind::Launch, range, name)?;
        let spaces = u32::from(chosen.shared) | u32::from(chosen.global) << 1;
        let info = format!(
            "::hirace::LaunchInfo{{{}, {id}, {}, {spaces}, {}u, {:#x}u}}",
            self.kernel_name_literal(name),
            chosen.monitor,
            chosen.first_block,
            chosen.last_block,
        );
        Some(match self.on_device() && self.on_cpu() {
            true => format!("::hirace::cpu::by_kernel({info})"),
            false if self.on_cpu() && self.body.is_some() => {
                format!("::hirace::cpu::in_macro({info})")
            }
            false => info,
        })
    }

    /// Which checks apply to a launch of `name` at `offset`.
    fn chosen(&mut self, name: &str, offset: usize) -> LaunchSelection {
        let chosen = self.options.selection.launch(name);
        let remarks = &mut self.sites.remarks;
        if remarks.commented_out(offset, &format!("launch of `{name}`"), 0) {
            return LaunchSelection {
                monitor: false,
                ..chosen
            };
        }
        if let Some(rest) = chosen.restriction() {
            remarks.configured_out(offset, format!("kernel `{name}`: {rest}"), 0);
        }
        chosen
    }

    /// Reports a kernel that is declared and launched, but has no body anywhere. If there is text that
    /// cannot be read, the compiler knows better.
    pub(super) fn check_defined(&mut self, name: &str, offset: usize) {
        let is_all_known = self.options.whole_program && !self.facts.has_unread_items;
        if is_all_known && self.facts.is_kernel(name) && !self.facts.is_defined(name) {
            let message = format!("kernel `{name}` is launched, but has no body");
            self.error(offset, message);
        }
    }

    /// Reports a launch without the size of its blocks. A name or a call may be a macro with both sizes.
    fn check_configuration(&mut self, name: &str, syntax: Node<'_>) {
        let mut values = syntax.named_children();
        let (Some(grid), None) = (values.next(), values.next()) else {
            return;
        };
        let is_macro = match grid.as_call() {
            Some((callee, _)) => self.text(callee) != "dim3",
            None => grid.is(Kind::Identifier),
        };
        if !is_macro {
            let message = format!(
                "the launch of `{name}` gives a grid and no block: `{name}<<<grid, block>>>`"
            );
            self.error(grid.start(), message);
        }
    }

    /// A grid or block as a `dim3`: a number, a `dim3`, or its numbers in braces.
    fn dimensions(&mut self, value: Node<'_>) {
        if self.text(value).trim_start().starts_with('{') {
            self.edits.open(value.start(), "dim3");
            return self.host_or_device(value);
        }
        self.edits.open(value.start(), "dim3(");
        self.host_or_device(value);
        self.edits.close(value.end(), ")");
    }

    fn launch_on_cpu(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        syntax: Node<'_>,
        arguments: Node<'_>,
        info: &str,
    ) {
        let kernel = self.pasted(callee);
        let configuration: Vec<Node<'_>> = syntax.named_children().collect();
        if self.has_conditions(callee.start()..arguments.end()) {
            return self.pending_launch(node, &kernel, syntax, arguments, info);
        }
        let is_braced = arguments
            .named_children()
            .any(|it| it.is(Kind::InitializerList));
        if self.borrows(arguments) && !is_braced && !self.is_used_with_braces() {
            return self.counted_launch(node, &kernel, syntax, arguments, info);
        }
        self.edits
            .open(node.start(), format!("::hirace::cpu::launch({info}, "));
        let (open_end, close) = configuration_ends(syntax);
        self.replace(callee.start()..open_end, "");
        for (index, value) in configuration.iter().enumerate() {
            if index < 2 {
                self.dimensions(*value);
            } else {
                self.host_or_device(*value);
            }
        }
        let missing = ["", ", dim3(1), 0, 0", ", 0, 0", ", 0", ""];
        let missing = missing[configuration.len().min(4)];
        let (lambda, end) = if self.borrows(arguments) {
            ("::hirace::cpu::borrowed([&", ")")
        } else {
            ("[=", "")
        };
        self.replace(close..arguments.start() + 1, format!("{missing}, {lambda}"));
        let references = self.references(callee, arguments);
        let mut given: Vec<String> = Vec::new();
        let mut captured = 0;
        let last = arguments.children().last();
        for argument in arguments.children() {
            if argument.is_named()
                && (stays_inline(argument, self.text(argument)) || self.is_variadic(argument))
            {
                given.push(self.folded_range(argument.range()));
                self.replace(argument.range(), "");
            } else if argument.is_named() {
                let name = format!("hirace_a{captured}");
                captured += 1;
                let by_reference = references.contains(&argument.start());
                let passed = match by_reference {
                    true => "::std::addressof(".to_owned(),
                    false if self.may_be_converted(argument) => converted(given.len(), &kernel),
                    false => "(".to_owned(),
                };
                self.edits
                    .open(argument.start(), format!(", {name} = {passed}"));
                self.host_or_device(argument);
                self.edits.close(argument.end(), ")");
                given.push(if by_reference {
                    format!("*{name}")
                } else {
                    name
                });
            } else if Some(argument) == last {
                let given = given.join(", ");
                let call = match self.takes_destroyed_object(callee, arguments) {
                    true => format!("::hirace::cpu::call_without_destruction({kernel}, {given})"),
                    false => format!("{kernel}({given})"),
                };
                let call = format!("] {{ {call}; }}{end})");
                self.replace(argument.range(), call);
            } else if argument.start() != arguments.start() {
                self.replace(argument.range(), "");
            }
        }
    }

    /// The text of a kernel's name, which a macro may put together.
    fn pasted(&self, callee: Node<'_>) -> String {
        match self.source.get(callee.range()) {
            // The grammar does not see the innermost of three template arguments that end together.
            Some(text)
                if text.contains("##")
                    || (text.contains(">>>") && !text.contains(['/', '#', '\\'])) =>
            {
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            _ => self.folded_range(callee.range()),
        }
    }

    /// Whether the launch must run at once. Other launches may wait, so they copy their arguments.
    /// Expressions that stay in the call may use objects that cannot be copied.
    fn borrows(&self, arguments: Node<'_>) -> bool {
        arguments.named_children().any(|argument| {
            let inner = argument.first_named();
            (argument.is(Kind::InitializerList) && inner.is_some())
                || (argument.is(Kind::ParameterPackExpansion)
                    && !inner.is_some_and(|it| it.is(Kind::Identifier)))
                || self.text(argument) == "__VA_ARGS__"
                || self.is_variadic(argument)
        })
    }

    /// Whether a directive makes a part of the text at `range` conditional.
    fn has_conditions(&self, range: std::ops::Range<usize>) -> bool {
        let text = self.source.get(range).unwrap_or("");
        text.lines().skip(1).any(|line| {
            line.trim_start()
                .strip_prefix('#')
                .is_some_and(|rest| rest.trim_start().starts_with(['i', 'e']))
        })
    }

    /// Whether the macro that is being rewritten is used with a list in braces, which has no type to be passed on.
    fn is_used_with_braces(&self) -> bool {
        if self.body.is_none() {
            return false;
        }
        let tokens = lex(self.source).tokens;
        let text = |at: usize| tokens.get(at).map_or("", |it| it.text(self.source));
        (0..tokens.len()).any(|at| {
            let is_use = text(at) == self.enclosing.name && text(at + 1) == "(";
            let end = skip_parentheses(self.source, &tokens, at + 1);
            is_use && (at + 1..end).any(|it| text(it) == "{")
        })
    }

    /// A launch whose arguments only the compiler can count: those of a variadic macro, or of a pack.
    fn counted_launch(
        &mut self,
        node: Node<'_>,
        kernel: &str,
        syntax: Node<'_>,
        arguments: Node<'_>,
        info: &str,
    ) {
        let (open_end, close) = configuration_ends(syntax);
        let given = self.folded_range(arguments.range());
        self.replace(
            node.start()..open_end,
            format!(
                "::hirace::cpu::counted_launch({info}, [=](const auto&... hirace_a) \
                 -> decltype({kernel}(hirace_a...)) {{ {kernel}(hirace_a...); }}, \
                 [&] {{ {kernel}{given}; }}, ::hirace::cpu::Configuration("
            ),
        );
        self.replace(close..syntax.end(), "))");
        for value in syntax.named_children().chain(arguments.named_children()) {
            self.host_or_device(value);
        }
    }

    /// A launch whose configuration and arguments only the compiler can count.
    fn pending_launch(
        &mut self,
        node: Node<'_>,
        kernel: &str,
        syntax: Node<'_>,
        arguments: Node<'_>,
        info: &str,
    ) {
        let (open_end, close) = configuration_ends(syntax);
        self.replace(
            node.start()..open_end,
            format!(
                "::hirace::cpu::pending_launch({info}, \
                 [=](auto... hirace_a) {{ {kernel}(hirace_a...); }}, ::hirace::cpu::Configuration("
            ),
        );
        self.replace(close..syntax.end(), "))");
        for value in syntax.named_children().chain(arguments.named_children()) {
            self.host_or_device(value);
        }
    }

    /// Whether an argument is the name in GNU's `args...` of a macro.
    fn is_variadic(&self, argument: Node<'_>) -> bool {
        match self.macro_parameters.as_slice() {
            [.., name, last] => {
                last == "__VA_ARGS__"
                    && self.source.get(argument.range()) == Some(name.as_str())
                    && !self.masked_body().contains(last)
            }
            _ => false,
        }
    }

    /// The text of the macro body that is being rewritten.
    fn masked_body(&self) -> String {
        let text = self.body.as_ref().map_or(&[][..], |it| &it.text);
        String::from_utf8_lossy(text).into_owned()
    }

    pub(super) fn host_or_device(&mut self, node: Node<'_>) {
        if self.on_device() {
            self.expression(node, Role::Load);
        } else {
            self.host(node);
        }
    }
}

/// The end of the `<<<` and the start of the `>>>` of a launch.
fn configuration_ends(syntax: Node<'_>) -> (usize, usize) {
    let mut tokens = syntax.children().filter(|it| !it.is_named());
    let open = tokens.next();
    let close = tokens.last().or(open);
    (
        open.map_or(syntax.start(), Node::end),
        close.map_or(syntax.end(), Node::start),
    )
}
