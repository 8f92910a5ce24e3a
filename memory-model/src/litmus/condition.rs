//! Conditions on final states: `P1:r0 == 1 /\ ~(x = 2 \/ [y] != 0)`.

use hirace_model::error::{Error, Result};

use super::ast::{Condition, Span, Term};
use super::cursor::Cursor;
use super::lexer::Kind;
use super::names::{Locations, Registers, ThreadName, looks_like_register};

/// Parentheses and negations may nest this deep.
const MAX_DEPTH: usize = 100;
/// The largest number of comparisons in a condition.
const MAX_COMPARISONS: usize = 1000;

/// The names that conditions can use.
pub(super) struct Names<'c> {
    pub(super) locations: &'c Locations,
    pub(super) threads: &'c [String],
    pub(super) registers: &'c [Registers],
}

/// Reads conditions.
struct Reader<'c, 's> {
    cursor: &'c mut Cursor<'s>,
    names: &'c Names<'c>,
    depth: usize,
    comparisons: usize,
}

/// Reads a condition.
pub(super) fn parse(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Result<Condition> {
    Reader::new(cursor, names).disjunction()
}

/// Reads the names of `locations [x; P0:r0;]`.
pub(super) fn locations(cursor: &mut Cursor<'_>, names: &Names<'_>) -> Result<Vec<Term>> {
    let mut reader = Reader::new(cursor, names);
    reader.cursor.expect("[")?;
    let mut terms = Vec::new();
    while !reader.cursor.eat("]") {
        if let Some(Kind::Number(_)) = reader.cursor.peek()
            && !reader.cursor.starts_with(&["", ":"])
        {
            return Err(reader.cursor.unexpected("a location, a register or `]`"));
        }
        terms.push(reader.term()?.0);
        if !reader.cursor.starts_with(&["]"]) {
            reader.cursor.expect(";")?;
        }
    }
    Ok(terms)
}

impl<'c, 's> Reader<'c, 's> {
    fn new(cursor: &'c mut Cursor<'s>, names: &'c Names<'c>) -> Self {
        Self {
            cursor,
            names,
            depth: 0,
            comparisons: 0,
        }
    }

    fn disjunction(&mut self) -> Result<Condition> {
        let mut condition = self.conjunction()?;
        while self.cursor.eat("\\/") {
            condition = Condition::Or(Box::new(condition), Box::new(self.conjunction()?));
        }
        Ok(condition)
    }

    fn conjunction(&mut self) -> Result<Condition> {
        let mut condition = self.unary()?;
        while self.cursor.eat("/\\") {
            condition = Condition::And(Box::new(condition), Box::new(self.unary()?));
        }
        Ok(condition)
    }

    fn unary(&mut self) -> Result<Condition> {
        if self.depth == MAX_DEPTH {
            let message = format!("the condition nests deeper than {MAX_DEPTH} levels");
            return Err(self.error(self.cursor.here(), message));
        }
        self.depth += 1;
        let condition = if self.cursor.eat("~") || self.cursor.eat_keyword("not") {
            Condition::Not(Box::new(self.unary()?))
        } else if self.cursor.eat("(") {
            let condition = self.disjunction()?;
            if !self.cursor.eat(")") {
                return Err(self.cursor.unexpected("`)`, `/\\` or `\\/`"));
            }
            condition
        } else if self.cursor.eat_keyword("true") {
            Condition::True
        } else {
            self.comparison()?
        };
        self.depth -= 1;
        self.no_operator_of_c()?;
        Ok(condition)
    }

    /// What follows an operand is not `&&` or `||`.
    fn no_operator_of_c(&self) -> Result<()> {
        let (written, meant) = if self.cursor.starts_with(&["&", "&"]) {
            ("&&", "/\\")
        } else if self.cursor.starts_with(&["|", "|"]) {
            ("||", "\\/")
        } else {
            return Ok(());
        };
        let start = self.cursor.here().start;
        let message = format!("`{written}` is not an operator of conditions");
        let help = format!("write `{meant}`");
        let span = start..start + written.len();
        Err(self.cursor.source.error_with_help(span, message, help))
    }

    fn comparison(&mut self) -> Result<Condition> {
        let start = self.cursor.here().start;
        self.comparisons += 1;
        if self.comparisons > MAX_COMPARISONS {
            let message = format!("the condition has more than {MAX_COMPARISONS} comparisons");
            return Err(self.error(self.cursor.here(), message));
        }
        let (left, left_bare) = self.term()?;
        let equal = self.cursor.eat("==") || self.cursor.eat("=");
        if !equal && !self.cursor.eat("!=") {
            return Err(self.cursor.unexpected("`==` or `!=`"));
        }
        let (right, right_bare) = self.term()?;
        let register = |term: &Term| matches!(term, Term::Register(..));
        if register(&left) && right_bare || left_bare && register(&right) {
            let span = start..self.cursor.last_end();
            let message = "this compares a register with an address, which is not supported";
            let help = "to compare with the value of the location, write it in brackets: `[x]`";
            return Err(self.cursor.source.error_with_help(span, message, help));
        }
        let left = self.fit(left, &right);
        let right = self.fit(right, &left);
        Ok(match equal {
            true => Condition::Equal(left, right),
            false => Condition::Differ(left, right),
        })
    }

    /// A number that is compared with a location as the location's type has it: -1 and 4294967295
    /// are the same in 32 bits.
    fn fit(&self, term: Term, other: &Term) -> Term {
        match (term, other) {
            (Term::Value(value), Term::Location(id)) => {
                let value_type = self.names.locations.list[*id].value_type;
                let held = value_type.holds(value);
                Term::Value(if held { value_type.fit(value) } else { value })
            }
            (term, _) => term,
        }
    }

    /// A term, and whether it is a location without brackets.
    fn term(&mut self) -> Result<(Term, bool)> {
        const EXPECTED: &str = "a register such as `P0:r0`, a location or a number";
        if self.cursor.starts_with(&["", ":"]) {
            return Ok((self.register()?, false));
        }
        if let Some(Kind::Number(number)) = self.cursor.peek() {
            self.cursor.advance();
            return Ok((Term::Value(number), false));
        }
        let bracket = self.cursor.eat("[");
        let (name, span) = self
            .cursor
            .name(if bracket { "a location" } else { EXPECTED })?;
        if bracket {
            self.cursor.expect("]")?;
        }
        let id = self.names.locations.find(name);
        let id = id.ok_or_else(|| self.unknown_location(name, span))?;
        Ok((Term::Location(id), !bracket))
    }

    fn register(&mut self) -> Result<Term> {
        let source = self.cursor.source;
        let thread = ThreadName::read(self.cursor)?.find(source, self.names.threads)?;
        self.cursor.expect(":")?;
        let (register, span) = self.cursor.name("a register")?;
        if !self.names.registers[thread].contains(register) {
            let name = &self.names.threads[thread];
            let message = format!("thread `{name}` has no register `{register}`");
            let help = match self.names.registers[thread].names().as_slice() {
                [] => format!("`{name}` uses no registers"),
                known => format!("the registers of `{name}` are {}", known.join(", ")),
            };
            return Err(source.error_with_help(span, message, help));
        }
        Ok(Term::Register(thread, register.to_owned()))
    }

    fn unknown_location(&self, name: &str, span: Span) -> Error {
        let message = format!("no location `{name}`");
        let used = |registers: &Registers| registers.contains(name);
        if looks_like_register(name) || self.names.registers.iter().any(used) {
            let help = format!("a register needs its thread: `P0:{name}`");
            return self.cursor.source.error_with_help(span, message, help);
        }
        let known = self.names.locations.list.iter();
        let known: Vec<&str> = known.map(|it| it.name.as_str()).collect();
        let help = match known.is_empty() {
            true => "the test has no locations".to_owned(),
            false => format!("the locations are {}", known.join(", ")),
        };
        self.cursor.source.error_with_help(span, message, help)
    }

    fn error(&self, span: Span, message: String) -> Error {
        self.cursor.source.error(span, message)
    }
}
