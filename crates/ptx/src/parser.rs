//! Reads PTX (PTX ISA, "Syntax", "Directives").

use std::ops::Range;

use hirace_model::error::Result;

use crate::lexer::{Token, lex};
use crate::mistake;
use crate::module::{Function, Item, Module, Variable};

mod body;
mod operands;

/// State spaces of variables.
const SPACES: [&str; 8] = [
    ".reg", ".sreg", ".shared", ".local", ".param", ".global", ".const", ".tex",
];

/// Why and where reading stopped.
struct Stop {
    range: Range<usize>,
    message: String,
}

type Parsed<T> = std::result::Result<T, Stop>;

/// Reads `text`, the content of the file `name`.
///
/// # Errors
/// It is not PTX; the error has the position.
pub fn parse(name: &str, text: &str) -> Result<Module> {
    let tokens = lex(text).map_err(|(range, message)| mistake(name, text, range, message))?;
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        module: Module::default(),
    };
    match parser.file() {
        Ok(()) => Ok(parser.module),
        Err(stop) => Err(mistake(name, text, stop.range, stop.message)),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    module: Module,
}

impl<'t> Parser<'t> {
    fn peek(&self) -> &'t str {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> &'t str {
        let token = self.tokens.get(self.at + by);
        token.map_or("", |it| &self.text[it.range.clone()])
    }

    fn line(&self) -> u32 {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(1, |it| it.line)
    }

    fn next(&mut self) -> &'t str {
        let text = self.peek();
        self.at += 1;
        text
    }

    fn stop(&self, message: impl Into<String>) -> Stop {
        let end = self.text.trim_end().len();
        let here = self.tokens.get(self.at).map(|it| it.range.clone());
        Stop {
            range: here.unwrap_or(end.saturating_sub(1)..end),
            message: message.into(),
        }
    }

    fn expect(&mut self, text: &str) -> Parsed<()> {
        if self.peek() == text {
            self.at += 1;
            return Ok(());
        }
        Err(match self.peek() {
            "" => self.stop(format!("expected `{text}`, but the file ends")),
            found => self.stop(format!("expected `{text}` instead of `{found}`")),
        })
    }

    /// The texts of the tokens from `start` to here.
    fn since(&self, start: usize) -> Vec<String> {
        let tokens = self.tokens[start..self.at].iter();
        tokens.map(|it| it.text(self.text).to_owned()).collect()
    }

    /// Passes the rest of the line.
    fn rest_of_line(&mut self) {
        let line = self.line();
        while self.at < self.tokens.len() && self.line() == line {
            self.at += 1;
        }
    }

    /// Passes everything up to `;`, which may be in braces, and the `;`.
    fn pass_semicolon(&mut self) -> Parsed<()> {
        while self.peek() != ";" {
            if self.peek().is_empty() {
                return self.expect(";");
            }
            self.at += 1;
        }
        self.expect(";")
    }

    fn file(&mut self) -> Parsed<()> {
        if self.tokens.is_empty() {
            return Err(self.stop("there is nothing in this file"));
        }
        if self.peek() != ".version" {
            return Err(self.stop("a PTX file begins with `.version`"));
        }
        while self.at < self.tokens.len() {
            let start = self.at;
            match self.peek() {
                ".section" => self.section()?,
                ".file" => {
                    let number = self.ahead(1).parse();
                    let path = self.ahead(2).trim_matches('"').to_owned();
                    if let Ok(number) = number {
                        self.module.files.insert(number, path);
                    }
                    self.rest_of_line();
                }
                ".version" if start > 0 => {
                    return Err(self.stop("a second `.version`: a file has one, at its beginning"));
                }
                ".version" | ".target" | ".address_size" | ".loc" | ".pragma" => {
                    self.rest_of_line();
                }
                ".alias" => self.pass_semicolon()?,
                word if word.starts_with('.') || word == "@@DWARF" => {
                    self.declaration()?;
                    continue;
                }
                word => return Err(self.stop(format!("`{word}` is not a directive"))),
            }
            let tokens = self.since(start);
            self.module.items.push(Item::Tokens(tokens));
        }
        Ok(())
    }

    fn section(&mut self) -> Parsed<()> {
        while !matches!(self.peek(), "{" | "") {
            self.at += 1;
        }
        self.expect("{")?;
        let mut depth = 1;
        while depth > 0 {
            match self.next() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "" => return self.expect("}"),
                _ => {}
            }
        }
        Ok(())
    }

    /// A variable or a function.
    fn declaration(&mut self) -> Parsed<()> {
        let (start, line) = (self.at, self.line());
        while matches!(self.peek(), ".visible" | ".extern" | ".weak" | ".common") {
            self.at += 1;
        }
        match self.peek() {
            ".entry" | ".func" => {
                let function = self.function(start, line)?;
                self.module
                    .items
                    .push(Item::Function(self.module.functions.len()));
                self.module.functions.push(function);
            }
            space if SPACES.contains(&space) => {
                let variable = self.variable(start)?;
                self.module
                    .items
                    .push(Item::Variable(self.module.variables.len()));
                self.module.variables.push(variable);
            }
            word => return Err(self.stop(format!("`{word}` is not a directive that hirace knows"))),
        }
        Ok(())
    }

    /// The attributes of a variable up to its names.
    fn typed(&mut self) -> Parsed<Variable> {
        let mut variable = Variable {
            line: self.line(),
            space: self.next().trim_start_matches('.').to_owned(),
            vector: 1,
            ..Variable::default()
        };
        loop {
            match self.peek() {
                ".align" => {
                    self.at += 1;
                    variable.align = self.next().parse().ok();
                    if variable.align.is_none_or(|it| it == 0) {
                        self.at -= 1;
                        return Err(self.stop("expected an alignment"));
                    }
                }
                ".attribute" => {
                    while !matches!(self.peek(), ")" | "") {
                        self.at += 1;
                    }
                    self.expect(")")?;
                }
                ".v2" => (self.at, variable.vector) = (self.at + 1, 2),
                ".v4" => (self.at, variable.vector) = (self.at + 1, 4),
                word if word.starts_with('.') => {
                    if variable.kind.is_empty() {
                        variable.kind = word.trim_start_matches('.').to_owned();
                    }
                    self.at += 1;
                }
                _ => return Ok(variable),
            }
        }
    }

    /// A variable with its `;`.
    fn variable(&mut self, start: usize) -> Parsed<Variable> {
        let mut variable = self.typed()?;
        loop {
            let name = self.named()?;
            variable.names.push(name);
            if self.peek() == "<" {
                self.at += 1;
                let count = self.next().parse().ok();
                if count.is_none() {
                    self.at -= 1;
                    return Err(self.stop("expected a number of registers"));
                }
                variable.names.last_mut().expect("there is one").1 = count;
                self.expect(">")?;
            }
            self.dimensions(&mut variable)?;
            if self.peek() != "," {
                break;
            }
            self.at += 1;
        }
        if self.peek() == "=" {
            let from = self.at + 1;
            while !matches!(self.peek(), ";" | "") {
                self.at += 1;
            }
            variable.initial = Some(self.since(from));
        }
        self.expect(";")?;
        variable.tokens = self.since(start);
        Ok(variable)
    }

    fn named(&mut self) -> Parsed<(String, Option<u32>)> {
        let name = self.peek();
        let first = name.chars().next();
        if !first.is_some_and(|it| it.is_ascii_alphabetic() || matches!(it, '_' | '$' | '%')) {
            return Err(self.stop("expected a name"));
        }
        self.at += 1;
        Ok((name.to_owned(), None))
    }

    fn dimensions(&mut self, variable: &mut Variable) -> Parsed<()> {
        while self.peek() == "[" {
            self.at += 1;
            let mut size = 0;
            if self.peek() != "]" {
                let Some(given) = integer(self.peek()) else {
                    return Err(self.stop("expected a size"));
                };
                size = given;
                self.at += 1;
            }
            variable.dimensions.push(size);
            self.expect("]")?;
        }
        Ok(())
    }

    /// `(.param .u64 a, …)`.
    fn parameters(&mut self) -> Parsed<Vec<Variable>> {
        let mut all = Vec::new();
        self.expect("(")?;
        while self.peek() != ")" {
            if !SPACES.contains(&self.peek()) {
                return Err(self.stop("expected a parameter"));
            }
            let mut one = self.typed()?;
            // `.ptr .global .align 4` follows the type.
            one.names.push(self.named()?);
            self.dimensions(&mut one)?;
            all.push(one);
            if self.peek() != ")" {
                self.expect(",")?;
            }
        }
        self.expect(")")?;
        Ok(all)
    }

    fn function(&mut self, start: usize, line: u32) -> Parsed<Function> {
        let mut function = Function {
            line,
            is_entry: self.next() == ".entry",
            ..Function::default()
        };
        while self.peek().starts_with('.') {
            if self.next() == ".attribute" {
                while !matches!(self.next(), ")" | "") {}
            }
        }
        if self.peek() == "(" {
            function.results = self.parameters()?;
        }
        function.name = self.named()?.0;
        if self.peek() == "(" {
            function.parameters = self.parameters()?;
        }
        while !matches!(self.peek(), "{" | ";" | "") {
            self.at += 1;
        }
        if self.peek() == ";" {
            self.at += 1;
            function.head = self.since(start);
            return Ok(function);
        }
        function.head = self.since(start);
        self.expect("{")?;
        function.body = Some(self.body()?);
        Ok(function)
    }
}

/// A whole number, which may end in `U`.
pub(crate) fn integer(text: &str) -> Option<u64> {
    let text = text.trim_end_matches(['U', 'u']);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
