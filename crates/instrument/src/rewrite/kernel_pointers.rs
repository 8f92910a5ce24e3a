//! Kernels that are launched, or named, by a pointer: `cudaLaunchKernel((void*)k, …)`.

use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::split_name;

use super::context::Rewriter;
use super::names::is_named_cast;

impl Rewriter<'_> {
    /// `cudaLaunchKernel((void*)k, …)` of a kernel of the project; false for any other call.
    pub(crate) fn launch_by_pointer(&mut self, node: Node<'_>) -> bool {
        let Some((callee, arguments)) = node.as_call() else {
            return false;
        };
        let (function, index) = match split_name(callee, self.source).0.as_str() {
            "cudaLaunchKernel" => ("launch_kernel", 0),
            "cudaLaunchCooperativeKernel" => ("launch_cooperative_kernel", 0),
            "cudaLaunchKernelEx" => ("launch_kernel_ex", 1),
            "cudaLaunchKernelExC" if !self.on_cpu() => ("", 1),
            _ => return false,
        };
        let Some(pointer) = arguments.named_children().nth(index) else {
            return false;
        };
        let kernel = self.without_casts(pointer);
        let (name, _) = split_name(kernel, self.source);
        if !self.facts.is_kernel(&name) {
            return false;
        }
        self.out.launches += 1;
        self.check_defined(&name, node.start());
        let Some(info) = self.launch_info(&name, kernel.range()) else {
            return false;
        };
        if self.on_cpu() {
            // A `void*` has lost the parameter types that the executor needs.
            let call = format!("::hirace::cpu::{function}({info}, ");
            let open = callee.start()..arguments.start() + 1;
            self.replace(open, call);
            self.replace(pointer.start()..kernel.start(), "");
            self.replace(kernel.end()..pointer.end(), "");
        } else {
            self.edits
                .open(node.start(), format!("(::hirace::begin_launch({info}), "));
            self.edits.close(node.end(), ")");
        }
        for (place, argument) in arguments.named_children().enumerate() {
            if place != index {
                self.host(argument);
            }
        }
        true
    }

    /// `(void*)k` of a kernel of the project, which a graph node or a library will launch; false
    /// for any other expression.
    pub(crate) fn kernel_address(&mut self, node: Node<'_>) -> bool {
        if !self.on_cpu() || !is_cast_to_void(node, self.source) {
            return false;
        }
        let kernel = self.without_casts(node);
        let (name, _) = split_name(kernel, self.source);
        if !self.facts.is_kernel(&name) {
            return false;
        }
        let Some(info) = self.launch_info(&name, node.range()) else {
            return false;
        };
        self.replace(
            node.start()..kernel.start(),
            format!("::hirace::cpu::kernel_address({info}, "),
        );
        self.replace(kernel.end()..node.end(), ")");
        true
    }

    /// Whether `callee`, called `name`, is a variable that holds a kernel's address, so that only the program
    /// knows the kernel's name.
    pub(super) fn is_pointer_to_kernel(&self, callee: Node<'_>, name: &str) -> bool {
        let is_value = match callee.kind() {
            Kind::Identifier => {
                self.facts.functions_called(name).next().is_none()
                    && !self.facts.names_given.contains(name)
                    && !self.facts.has_unread_items
            }
            Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::FieldExpression
            | Kind::ParenthesizedExpression => true,
            _ => false,
        };
        let mut words = self.words_within(callee.range());
        let is_plain = self.body.is_none() && words.all(|(_, it)| !self.is_macro(it));
        is_value && is_plain && self.on_cpu() && !self.on_device()
    }

    /// The operand of casts to a pointer, or of `&`.
    fn without_casts<'t>(&self, node: Node<'t>) -> Node<'t> {
        let inner = match node.kind() {
            Kind::CastExpression => node.child(Field::Value),
            Kind::PointerExpression => node.child(Field::Argument),
            Kind::ParenthesizedExpression => node.first_named(),
            Kind::CallExpression => {
                let value = node.arguments().next();
                value.filter(|_| is_named_cast_call(node, self.source))
            }
            _ => None,
        };
        inner.map_or(node, |inner| self.without_casts(inner))
    }
}

/// Whether a call is a `…_cast<T>(x)`.
fn is_named_cast_call(call: Node<'_>, source: &str) -> bool {
    let callee = call.child(Field::Function);
    callee.is_some_and(|it| is_named_cast(&split_name(it, source).0))
}

/// Whether `node` is a cast to `void*`, in either notation.
fn is_cast_to_void(node: Node<'_>, source: &str) -> bool {
    let target = match node.kind() {
        Kind::CastExpression => node.child(Field::Type),
        Kind::CallExpression if is_named_cast_call(node, source) => {
            node.child(Field::Function).and_then(Node::named_cast_type)
        }
        _ => None,
    };
    let text = target
        .map_or("", |it| it.text(source))
        .replace("const", " ");
    text.split_whitespace().collect::<String>() == "void*"
}
