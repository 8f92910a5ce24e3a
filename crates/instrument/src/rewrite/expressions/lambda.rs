//! Lambda expressions: captures, parameters, and the results of their calls.

use crate::rewrite::binding::{Binding, LambdaFact, ParameterFact, Shape, Storage};
use crate::rewrite::context::{Enclosing, Rewriter, Side};
use crate::rewrite::role::Role;
use hirace_syntax::tree::{Field, Kind, Node};
use hirace_syntax::view::{Lambda, Parameter};

impl Rewriter<'_> {
    /// A lambda, which is device code if it is marked so or is inside device code.
    pub(crate) fn lambda(&mut self, node: Node<'_>) {
        let Some(body) = node.child(Field::Body) else {
            return;
        };
        let marked = self
            .prepass
            .qualifiers(node.start(), body.start())
            .on_device();
        let device = marked || self.on_device();
        self.scopes.enter();
        if marked && !self.on_device() {
            for (name, binding) in &self.host_objects {
                self.scopes.bind(name, binding.clone());
            }
        }
        if let Some(captures) = node.child(Field::Captures) {
            self.captures(captures);
            self.captured_shared(captures, body);
        }
        let head = Lambda::of(node, self.source);
        self.bind_parameters(&head.parameters);
        let inner = Enclosing {
            side: if device { Side::Device } else { Side::Host },
            returns: head.returns,
            result: head.trailing.and_then(|it| self.trailing_type(it)),
            ..self.enclosing.clone()
        };
        let outer = std::mem::replace(&mut self.enclosing, inner);
        if marked && outer.side == Side::Host {
            self.out.device_functions += 1;
        }
        self.body(body);
        self.enclosing = outer;
        self.scopes.leave();
    }

    fn captures(&mut self, captures: Node<'_>) {
        for capture in captures.named_children() {
            if !capture.is(Kind::LambdaCaptureInitializer) {
                continue;
            }
            let reference = self.text(capture).starts_with('&');
            let value = capture.child(Field::Right);
            let storage = match value {
                Some(value) if reference => self.storage(value),
                _ => Storage::Local,
            };
            if let Some(value) = value {
                if self.on_device() {
                    self.expression(value, if reference { Role::Locate } else { Role::Copy });
                } else {
                    self.host(value);
                }
            }
            if let Some(name) = capture.child(Field::Left) {
                let shape = value.map_or(Shape::UNKNOWN, |it| self.shape(it));
                let shape = if reference { shape } else { shape.by_value() };
                self.bind(name, Binding::of_shape(storage, shape));
            }
        }
    }

    /// Binds a function's parameters in the innermost block.
    pub(crate) fn bind_parameters(&mut self, parameters: &[Parameter<'_>]) {
        for parameter in parameters {
            if let Some(declarator) = &parameter.declarator
                && let Some(name) = declarator.name
            {
                let binding = Binding::parameter(declarator, parameter.type_text(self.source));
                self.bind(name, binding);
            }
        }
    }

    /// A lambda expression as its callers see it.
    pub(crate) fn lambda_fact(&self, node: Node<'_>) -> Option<LambdaFact> {
        if !node.is(Kind::LambdaExpression) {
            return None;
        }
        let head = Lambda::of(node, self.source);
        let parameters = head.parameters.iter();
        let parameters = parameters.map(|it| ParameterFact::of(it, self.source));
        Some(LambdaFact {
            parameters: parameters.collect(),
            returns: head.returns,
        })
    }
}
