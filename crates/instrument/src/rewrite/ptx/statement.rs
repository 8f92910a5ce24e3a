//! An `asm` statement: its text and its operands.

use hirace_syntax::lexer::{Token, lex, lex_inline};
use hirace_syntax::tree::{Field, Kind, Node};

use super::effect::{Effect, effect};
use super::syntax::{Assembly, Guard, Operand, Problem, parse};
use super::template::{Known, template};
use crate::rewrite::context::Rewriter;

/// An operand of the statement.
pub(crate) struct Argument<'t> {
    pub value: Node<'t>,
    pub(crate) constraint: String,
    pub(crate) output: bool,
}

/// An `asm` statement.
pub(crate) struct Statement<'t> {
    pub(crate) arguments: Vec<Argument<'t>>,
    pub text: String,
    pub(crate) parsed: Result<Assembly, Problem>,
}

impl<'t> Statement<'t> {
    pub(crate) fn of(node: Node<'t>, rewriter: &Rewriter<'_>) -> Self {
        let source = rewriter.source;
        let mut arguments = Vec::new();
        let mut names = Vec::new();
        for operand in node.descendants() {
            let output = operand.is(Kind::GnuAsmOutputOperand);
            if !output && !operand.is(Kind::GnuAsmInputOperand) {
                continue;
            }
            let Some(value) = operand.child(Field::Value) else {
                continue;
            };
            let head = source.get(operand.start()..value.start()).unwrap_or("");
            let name = head.split_once('[').and_then(|(_, it)| it.split_once(']'));
            names.push(name.map(|(name, _)| name.trim().to_owned()));
            arguments.push(Argument {
                value,
                constraint: head.split('"').nth(1).unwrap_or("").to_owned(),
                output,
            });
        }
        let (text, parsed) = rewriter.assembly_code(node, &names);
        Self {
            arguments,
            text,
            parsed,
        }
    }

    /// The operand of the statement that an instruction's operand names, if the instructions cannot
    /// change it.
    pub(crate) fn input(&self, operand: &Operand) -> Option<&Argument<'t>> {
        match operand {
            Operand::Argument(number) => self.arguments.get(*number).filter(|it| !it.output),
            _ => None,
        }
    }
}

/// The tokens of an `asm` statement that form its code.
fn code<'a>(tokens: &'a [Token], statement: &str) -> &'a [Token] {
    let mut depth = 0usize;
    let mut start = None;
    for (at, token) in tokens.iter().enumerate() {
        match token.text(statement) {
            "(" => {
                depth += 1;
                start.get_or_insert(at + 1);
            }
            ":" | "::" if depth == 1 => return &tokens[start.unwrap_or(at)..at],
            ")" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return &tokens[start.unwrap_or(at)..at];
                }
            }
            _ => {}
        }
    }
    &[]
}

/// The effects of `assembly` on memory, with their guards.
fn accesses(assembly: &Assembly) -> Vec<(Effect<'_>, &Option<Guard>)> {
    let all = assembly.instructions.iter();
    all.map(|it| (effect(it), &it.guard))
        .filter(|it| it.0 != Effect::Nothing)
        .collect()
}

impl Rewriter<'_> {
    /// The text of an `asm` statement's code, and its instructions. If it contains an `#if`, the
    /// other branches must have the same accesses as the chosen one.
    fn assembly_code(
        &self,
        node: Node<'_>,
        names: &[Option<String>],
    ) -> (String, Result<Assembly, Problem>) {
        let statement = self.text(node);
        let tokens = match &self.body {
            Some(_) => lex_inline(statement).tokens,
            None => lex(statement).tokens,
        };
        let code = code(&tokens, statement);
        let known = Known {
            macros: &self.facts.macros,
            parameters: &self.macro_parameters,
        };
        let all = template(statement, code, known);
        let unchosen = &self.prepass.directives.unchosen;
        let is_chosen = |token: &Token| {
            let at = node.start() + token.start;
            self.body.is_some() || !unchosen.iter().any(|it| it.contains(&at))
        };
        let chosen: Vec<Token> = code.iter().copied().filter(is_chosen).collect();
        if chosen.len() == code.len() {
            let parsed = parse(&all, names);
            return (all, parsed);
        }
        let chosen = parse(&template(statement, &chosen, known), names);
        let parsed = match (chosen, parse(&all, names)) {
            (Ok(chosen), Ok(whole)) => {
                let known = accesses(&chosen);
                match accesses(&whole).iter().all(|it| known.contains(it)) {
                    true => Ok(chosen),
                    false => Err(Problem::Directive),
                }
            }
            (Err(problem), _) | (_, Err(problem)) => Err(problem),
        };
        (all, parsed)
    }

    /// An expression's text, if the expression may be evaluated once more.
    pub(crate) fn pure(&self, node: Node<'_>) -> Option<String> {
        let effects = node.descendants().any(|part| {
            let call = part.is(Kind::CallExpression);
            let cast = part.child(Field::Function).is_some_and(|callee| {
                let text = self.text(callee);
                callee.is(Kind::PrimitiveType)
                    || text.starts_with("static_cast<")
                    || text.starts_with("reinterpret_cast<")
            });
            matches!(
                part.kind(),
                Kind::UpdateExpression
                    | Kind::AssignmentExpression
                    | Kind::NewExpression
                    | Kind::GnuAsmExpression
            ) || (call && !cast)
        });
        if effects { None } else { self.repeatable(node) }
    }
}
