//! Functions whose head a macro produces.

use crate::rewrite::binding::Binding;
use crate::rewrite::context::Rewriter;
use crate::rewrite::facts::macro_head::MacroHead;
use hirace_syntax::view::Function;

impl Rewriter<'_> {
    /// The head of `function`, if a macro produces it. Names the function.
    pub(super) fn made_head(&self, function: &mut Function<'_>) -> Option<MacroHead> {
        let head = MacroHead::of(self.facts, function, self.prepass, self.source)?;
        let made = head.function()?;
        (function.name, function.returns) = (made.name, made.returns);
        function.qualifiers |= made.qualifiers;
        Some(head)
    }

    /// Binds the parameters that a macro's head declares.
    pub(super) fn bind_made(&mut self, head: &MacroHead) {
        if let Some(template) = head.template() {
            self.scopes.bind_template(template, &head.text);
        }
        let parameters = head.function().map(|it| it.parameters(&head.text));
        for parameter in parameters.unwrap_or_default() {
            if let Some(declarator) = &parameter.declarator
                && let Some(name) = declarator.name
            {
                let binding = Binding::parameter(declarator, parameter.type_text(&head.text));
                self.scopes.bind(name.text(&head.text), binding);
            }
        }
    }
}
