//! Tokens as statements.

mod expression;

use super::ast::{AxiomKind, Binding, Check, Choice, Definitions, Expr, Name, Statement};
use super::lexer::{KEYWORDS, Kind, Token, tokens};
use super::near::nearest;
use super::source::{Problem, Result, Span};

/// Expressions can be nested this deep. Later steps recurse along them.
const DEPTH: usize = 100;

/// A file.
#[derive(Debug)]
pub(super) struct File {
    /// The word or string at its start.
    pub title: Option<String>,
    pub statements: Vec<Statement>,
}

/// Parses `text`, the file with index `file`.
pub(super) fn parse(file: usize, text: &str) -> Result<File> {
    let mut parser = Parser {
        tokens: tokens(file, text)?,
        at: 0,
        depth: 0,
    };
    let title = matches!(parser.peek().kind, Kind::Name | Kind::Text)
        .then(|| parser.advance().text.to_owned());
    let mut statements = Vec::new();
    while parser.peek().kind != Kind::End {
        parser.statement(&mut statements)?;
    }
    Ok(File { title, statements })
}

struct Parser<'t> {
    /// Not empty: the last one is the end of the text.
    tokens: Vec<Token<'t>>,
    at: usize,
    /// The number of open expressions.
    depth: usize,
}

/// The tokens.
impl<'t> Parser<'t> {
    fn peek(&self) -> Token<'t> {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> Token<'t> {
        self.tokens[(self.at + count).min(self.tokens.len() - 1)]
    }

    /// The current token. The end is never passed.
    fn advance(&mut self) -> Token<'t> {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// The last token before the current one.
    fn last(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn is(&self, kind: Kind, text: &str) -> bool {
        let token = self.peek();
        token.kind == kind && token.text == text
    }

    /// Skips the current token if it is this one.
    fn skip(&mut self, kind: Kind, text: &str) -> bool {
        let found = self.is(kind, text);
        if found {
            self.advance();
        }
        found
    }

    /// Skips this keyword if it is the current token.
    fn keyword(&mut self, text: &str) -> bool {
        self.skip(Kind::Keyword, text)
    }

    /// Skips this symbol if it is the current token.
    fn symbol(&mut self, text: &str) -> bool {
        self.skip(Kind::Symbol, text)
    }

    /// Skips this symbol, or fails.
    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.symbol(symbol) {
            return Ok(());
        }
        Err(self.expected(&format!("`{symbol}`")))
    }

    /// The problem that the current token is something else.
    fn expected(&self, what: &str) -> Problem {
        let token = self.peek();
        if token.kind == Kind::Unsupported {
            return unsupported(token);
        }
        let message = format!("expected {what}, found {}", token.describe());
        Problem::new(token.span, message)
    }
}

fn unsupported(token: Token) -> Problem {
    Problem::new(token.span, format!("`{}` is not supported", token.text))
        .with_help("models consist of definitions, axioms, flags, `with`, `show` and `include`")
}

/// Statements.
impl Parser<'_> {
    fn statement(&mut self, statements: &mut Vec<Statement>) -> Result<()> {
        let token = self.peek();
        if token.kind == Kind::Symbol && token.text == "~" {
            let check = self.check(false)?;
            statements.push(Statement::Check(check));
            return Ok(());
        }
        if token.kind != Kind::Keyword {
            return Err(self.no_statement(statements.is_empty()));
        }
        match token.text {
            "let" => statements.push(Statement::Let(self.definitions()?)),
            "include" => {
                self.advance();
                statements.push(Statement::Include(self.path()?));
            }
            "show" => {
                self.advance();
                statements.extend(self.list(|parser| {
                    let expr = parser.expression()?;
                    Ok(Statement::Show(expr, parser.as_name()?))
                })?);
            }
            "unshow" => {
                self.advance();
                let names = self.list(|parser| parser.name("a name"))?;
                statements.extend(names.into_iter().map(Statement::Unshow));
            }
            "with" => statements.push(Statement::With(self.choice()?)),
            "flag" | "undefined_unless" => {
                self.advance();
                let check = self.check(true)?;
                let negated = check.negated != (token.text == "undefined_unless");
                statements.push(Statement::Check(Check {
                    negated,
                    span: token.span.to(check.span),
                    ..check
                }));
            }
            "acyclic" | "irreflexive" | "empty" => {
                let check = self.check(false)?;
                statements.push(Statement::Check(check));
            }
            _ => return Err(self.no_statement(statements.is_empty())),
        }
        Ok(())
    }

    fn no_statement(&self, first: bool) -> Problem {
        let token = self.peek();
        let what = if first || token.first_on_line {
            "a statement"
        } else {
            "an operator or a statement"
        };
        let problem = self.expected(what);
        if token.kind == Kind::Name {
            return problem.did_you_mean(nearest(token.text, KEYWORDS));
        }
        problem
    }

    /// `[~]acyclic e [as name]`.
    fn check(&mut self, flag: bool) -> Result<Check> {
        let start = self.peek().span;
        let negated = self.symbol("~");
        let kind = match (self.peek().kind, self.peek().text) {
            (Kind::Keyword, "acyclic") => AxiomKind::Acyclic,
            (Kind::Keyword, "irreflexive") => AxiomKind::Irreflexive,
            (Kind::Keyword, "empty") => AxiomKind::Empty,
            _ => return Err(self.expected("`acyclic`, `irreflexive` or `empty`")),
        };
        self.advance();
        let expr = self.expression()?;
        let name = self.as_name()?;
        Ok(Check {
            kind,
            negated,
            flag,
            expr,
            name,
            span: start.to(self.last()),
        })
    }

    /// `with name from function(e, …)`.
    fn choice(&mut self) -> Result<Choice> {
        let start = self.advance().span;
        let name = self.name("`co`")?;
        if !self.keyword("from") {
            return Err(self.expected("`from`"));
        }
        let function = self.name("`orders`")?;
        self.expect("(")?;
        let first = self.expression()?;
        let mut others = Vec::new();
        while self.symbol(",") {
            others.push(self.expression()?);
        }
        self.expect(")")?;
        Ok(Choice {
            name,
            function,
            first,
            others,
            span: start.to(self.last()),
        })
    }

    /// `as name`, if it is there.
    fn as_name(&mut self) -> Result<Option<Name>> {
        if !self.keyword("as") {
            return Ok(None);
        }
        if self.peek().kind == Kind::Text {
            return self.path().map(Some);
        }
        self.name("a name").map(Some)
    }

    /// Items with commas between them.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.symbol(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// A text in quotes.
    fn path(&mut self) -> Result<Name> {
        if self.peek().kind != Kind::Text {
            return Err(self.expected("a name in quotes"));
        }
        Ok(self.take_name())
    }

    fn name(&mut self, what: &str) -> Result<Name> {
        let token = self.peek();
        match token.kind {
            Kind::Name => Ok(self.take_name()),
            Kind::Keyword => Err(self.expected(what).with_help(format!(
                "`{}` is a word of the language and cannot be a name",
                token.text
            ))),
            _ => Err(self.expected(what)),
        }
    }

    fn take_name(&mut self) -> Name {
        let token = self.advance();
        Name {
            text: token.text.to_owned(),
            span: token.span,
        }
    }
}

/// Definitions.
impl Parser<'_> {
    /// `let [rec] … and …`.
    fn definitions(&mut self) -> Result<Definitions> {
        self.advance();
        let recursive = self.keyword("rec");
        let mut bindings = vec![self.binding()?];
        while self.keyword("and") {
            bindings.push(self.binding()?);
        }
        Ok(Definitions {
            recursive,
            bindings,
        })
    }

    /// `name = e`, `f(x, y) = e` or `f x = e`.
    fn binding(&mut self) -> Result<Binding> {
        let name = self.name("the name to define")?;
        let parameters = if self.symbol("(") {
            Some(self.parameters()?)
        } else if self.peek().kind == Kind::Name {
            Some(vec![self.take_name()])
        } else {
            None
        };
        self.expect("=")?;
        Ok(Binding {
            name,
            parameters,
            body: self.expression()?,
        })
    }

    /// What follows the opening parenthesis.
    fn parameters(&mut self) -> Result<Vec<Name>> {
        if self.symbol(")") {
            return Ok(Vec::new());
        }
        let parameters = self.list(|parser| parser.name("a parameter"))?;
        self.expect(")")?;
        Ok(parameters)
    }

    /// An expression, also `let … in e`.
    fn expression(&mut self) -> Result<Expr> {
        let start = self.peek().span;
        self.nested(|parser| {
            if !parser.is(Kind::Keyword, "let") {
                return parser.chain(0);
            }
            let definitions = parser.definitions()?;
            if !parser.keyword("in") {
                return Err(parser.expected("`in`"));
            }
            let body = parser.expression()?;
            parser.local(start, definitions, body)
        })
    }
}
