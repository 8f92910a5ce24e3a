//! Shifts in device code, whose count a CPU takes modulo the width of the number (`hooks/shift.h`).

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};

use crate::rewrite::context::Rewriter;

impl Rewriter<'_> {
    /// Opens the hook around `a << n` or `a >> n`, unless the count is a number in the source. Returns whether it
    /// did.
    pub(super) fn open_shift(&mut self, node: Node<'_>) -> bool {
        let hook = match node.operator(self.source) {
            "<<" => "::hirace::shift_left(",
            ">>" => "::hirace::shift_right(",
            _ => return false,
        };
        let is_number = node
            .child(Field::Right)
            .is_some_and(|it| it.is(Kind::NumberLiteral));
        let sign = node.child(Field::Operator);
        let Some(sign) = sign.filter(|_| self.on_cpu() && !is_number) else {
            return false;
        };
        if !self.keeps_its_operands(node) {
            return false;
        }
        self.edits.open(node.start(), hook.to_owned());
        self.replace(sign.range(), ",");
        true
    }

    /// Whether the operands are those that the tree shows, whatever the preprocessor makes of the text: outside
    /// parentheses, each macro stands for one operand, and there are none of the parameters of a macro.
    fn keeps_its_operands(&self, node: Node<'_>) -> bool {
        let text = self.source.get(node.range()).unwrap_or("");
        let mut depth = 0usize;
        let are_operands = lex_inline(text).tokens.iter().all(|token| {
            let word = token.text(text);
            match word {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth > 0
                || token.kind != TokenKind::Word
                || !self.macro_parameters.iter().any(|it| it == word)
                    && self.bodies_of_macro(word).all(is_operand)
        });
        are_operands && (self.body.is_none() || is_in_parentheses(node))
    }
}

/// Whether a macro's body is one operand: a name, a number, or in parentheses.
fn is_operand(body: &str) -> bool {
    let tokens = lex_inline(body).tokens;
    let mut depth = 0usize;
    let ends = tokens.iter().enumerate().find_map(|(index, it)| {
        match it.text(body) {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(index)
    });
    ends.is_none_or(|it| it + 1 == tokens.len())
}

/// Whether an expression is within parentheses, among arguments, or an index.
fn is_in_parentheses(node: Node<'_>) -> bool {
    let mut around = node.parent();
    while let Some(it) = around {
        if it.is(Kind::ParenthesizedExpression)
            || it.is(Kind::ArgumentList)
            || it.is(Kind::SubscriptArgumentList)
        {
            return true;
        }
        around = it.parent();
    }
    false
}
