//! The statements of a function.

use super::{Parsed, Parser, SPACES};
use crate::module::{Position, Statement, StatementKind};

impl Parser<'_> {
    pub(super) fn body(&mut self) -> Parsed<Vec<Statement>> {
        let (mut statements, mut depth) = (Vec::new(), 0);
        loop {
            let (start, line) = (self.at, self.line());
            let kind = match self.peek() {
                "" => return Err(self.stop("expected `}`, but the file ends")),
                "{" => {
                    depth += 1;
                    self.at += 1;
                    StatementKind::Brace('{')
                }
                "}" => {
                    self.at += 1;
                    if depth == 0 {
                        return Ok(statements);
                    }
                    depth -= 1;
                    StatementKind::Brace('}')
                }
                ".loc" => self.location(),
                space if SPACES.contains(&space) => StatementKind::Variable(self.variable(start)?),
                word if word.starts_with('.') => {
                    self.pass_semicolon()?;
                    StatementKind::Directive(self.since(start))
                }
                _ if self.ahead(1) == ":" => self.label()?,
                _ => self.instruction()?,
            };
            let last = &self.tokens[self.at - 1];
            statements.push(Statement {
                line,
                range: self.tokens[start].range.start..last.range.end,
                kind,
            });
        }
    }

    fn label(&mut self) -> Parsed<StatementKind> {
        let start = self.at;
        let name = self.named()?.0;
        self.expect(":")?;
        match self.peek() {
            ".branchtargets" => {
                self.at += 1;
                let mut targets = vec![self.named()?.0];
                while self.peek() == "," {
                    self.at += 1;
                    targets.push(self.named()?.0);
                }
                self.expect(";")?;
                Ok(StatementKind::Targets(name, targets))
            }
            ".callprototype" | ".calltargets" => {
                self.pass_semicolon()?;
                Ok(StatementKind::Directive(self.since(start)))
            }
            _ => Ok(StatementKind::Label(name)),
        }
    }

    /// `.loc FILE LINE COLUMN`, and perhaps `, function_name L, inlined_at FILE LINE COLUMN`.
    fn location(&mut self) -> StatementKind {
        let start = self.at;
        self.rest_of_line();
        let tokens = self.since(start);
        let position = |at: usize| {
            let number = |by: usize| tokens.get(at + by).and_then(|it| it.parse().ok());
            Some(Position {
                file: number(0)?,
                line: number(1)?,
                column: number(2).unwrap_or(0),
            })
        };
        let inlined = tokens.iter().position(|it| it == "inlined_at");
        let inlined = inlined.and_then(|at| position(at + 1));
        match position(1) {
            Some(own) => StatementKind::Location(own, inlined, tokens),
            None => StatementKind::Directive(tokens),
        }
    }
}
