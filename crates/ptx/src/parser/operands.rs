//! Instructions and their operands.

use hirace_instrument::rewrite::ptx::{Guard, Instruction, Operand};

use super::{Parsed, Parser};
use crate::module::{StatementKind, Term};

impl Parser<'_> {
    pub(super) fn instruction(&mut self) -> Parsed<StatementKind> {
        let mut guard = None;
        if self.peek() == "@" {
            self.at += 1;
            let negated = self.peek() == "!";
            self.at += usize::from(negated);
            let register = self.named()?.0;
            guard = Some(Guard { register, negated });
        }
        let opcode = self.named()?.0;
        let mut terms = Vec::new();
        while self.peek() != ";" {
            if self.peek().is_empty() || self.peek() == "}" {
                return Err(self.stop(format!("expected `;` after `{opcode}`")));
            }
            terms.push(self.term()?);
            if self.peek() != ";" {
                self.expect(",")?;
            }
        }
        self.expect(";")?;
        let operands = terms.iter().map(|it| match it {
            Term::Operand(operand) => operand.clone(),
            Term::List(_) | Term::Tokens(_) => Operand::Other,
        });
        let instruction = Instruction {
            guard,
            opcode: opcode.split('.').map(str::to_owned).collect(),
            operands: operands.collect(),
        };
        Ok(StatementKind::Instruction(instruction, terms))
    }

    fn term(&mut self) -> Parsed<Term> {
        let start = self.at;
        if self.peek() == "(" {
            if let Some(names) = self.list() {
                return Ok(Term::List(names));
            }
        } else if let Some(operand) = self.operand()
            && matches!(self.peek(), "," | ";")
        {
            return Ok(Term::Operand(operand));
        }
        self.at = start;
        let mut depth = 0;
        loop {
            match self.peek() {
                "" | ";" => break,
                "," if depth == 0 => break,
                "[" | "{" | "(" => depth += 1,
                "]" | "}" | ")" if depth > 0 => depth -= 1,
                "}" => return Err(self.stop("expected `;`")),
                _ => {}
            }
            self.at += 1;
        }
        match self.at == start {
            true => Err(self.stop("expected an operand")),
            false => Ok(Term::Tokens(self.since(start))),
        }
    }

    fn list(&mut self) -> Option<Vec<String>> {
        self.at += 1;
        let mut names = Vec::new();
        while self.peek() != ")" {
            names.push(self.named().ok()?.0);
            if self.peek() == "," {
                self.at += 1;
            }
        }
        self.at += 1;
        Some(names)
    }

    fn operand(&mut self) -> Option<Operand> {
        let first = match self.peek() {
            "[" => return self.address(),
            "{" => return self.vector(),
            "!" => {
                self.at += 1;
                return Some(Operand::Not(Box::new(self.simple()?)));
            }
            _ => self.simple()?,
        };
        if self.peek() != "|" {
            return Some(first);
        }
        self.at += 1;
        let second = self.simple()?;
        Some(Operand::Pair(Box::new(first), Box::new(second)))
    }

    /// A name or a number.
    fn simple(&mut self) -> Option<Operand> {
        let text = self.next();
        let first = text.chars().next()?;
        if text == "-" {
            let digits = self.next();
            return digits
                .starts_with(|it: char| it.is_ascii_digit())
                .then(|| Operand::Number(format!("-{digits}")));
        }
        if first.is_ascii_digit() {
            return Some(Operand::Number(text.to_owned()));
        }
        (first.is_ascii_alphabetic() || matches!(first, '_' | '$' | '%'))
            .then(|| Operand::Register(text.to_owned()))
    }

    fn address(&mut self) -> Option<Operand> {
        self.at += 1;
        let base = Box::new(self.simple()?);
        let mut offset = None;
        if self.peek() == "," && self.ahead(1) == "{" {
            self.at += 1;
            let Operand::Vector(first) = self.vector()? else {
                return None;
            };
            return (self.next() == "]").then_some(Operand::Tensor(base, first));
        }
        if self.peek() == "+" {
            self.at += 1;
            offset = Some(Box::new(self.simple()?));
        }
        (self.next() == "]").then_some(Operand::Address(base, offset))
    }

    fn vector(&mut self) -> Option<Operand> {
        self.at += 1;
        let mut elements = vec![self.simple()?];
        while self.peek() == "," {
            self.at += 1;
            elements.push(self.simple()?);
        }
        (self.next() == "}").then_some(Operand::Vector(elements))
    }
}
