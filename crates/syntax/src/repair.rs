//! Repairs macro uses that the grammar cannot parse.
//!
//! After qualifiers are masked, most remaining syntax errors come from macros: used as statements
//! without a semicolon, as loop heads, with types or statements as arguments, or as attributes from
//! headers that are not available. They are found from tokens and the enclosing braces, and
//! repaired in the text without changing its length. `head` and `made_head` repair the heads of
//! declarations, `macro_use` macros among statements, `stray` macros of one word, `expression` and `comparison`
//! other text that the grammar does not parse or misreads.

use super::alias::Aliases;
use super::lexer::TokenKind;
use super::masked::Prepass;

mod assignment;
mod braces;
mod comparison;
mod constraint;
mod expression;
mod head;
mod launch;
mod lone_operator;
mod macro_use;
mod made_head;
mod repairer;
mod statement_head;
mod stray;
mod type_macro;

use repairer::{Braces, Repairer};

/// Repairs the masked text; `in_code` if it starts among statements.
pub(super) fn repair(pass: &mut Prepass, source: &str, aliases: &Aliases, in_code: bool) {
    let mut repairer = Repairer::new(pass, source, aliases);
    repairer.run(in_code);
    repairer.finish();
}

/// The surroundings of a token.
struct Surroundings {
    /// The contents of the enclosing braces, innermost last.
    braces: Vec<Braces>,
    /// The number of open parentheses in the current statement.
    parentheses: usize,
    /// The first token of the current statement.
    start: usize,
    /// Whether the text starts among statements.
    in_code: bool,
}

impl Surroundings {
    fn new(in_code: bool) -> Self {
        let outermost = if in_code {
            Braces::Code
        } else {
            Braces::Declarations
        };
        Self {
            braces: vec![outermost],
            parentheses: 0,
            start: 0,
            in_code,
        }
    }

    /// The contents of the innermost braces.
    fn around(&self) -> Braces {
        self.braces.last().copied().unwrap_or(Braces::Declarations)
    }

    fn enclosed(&self) -> bool {
        self.parentheses > 0
    }

    fn begin_statement(&mut self, start: usize) {
        self.start = start;
        self.parentheses = 0;
    }
}

impl Repairer<'_, '_> {
    fn run(&mut self, in_code: bool) {
        let mut place = Surroundings::new(in_code);
        for at in 0..self.tokens.len() {
            let around = place.around();
            if place.start == at && around == Braces::Declarations {
                self.head(at);
            }
            if self.is_blank(at) {
                if place.start == at {
                    place.start = at + 1;
                }
                continue;
            }
            if matches!(self.tokens[at].text, "(" | ",") {
                self.lone_operator(at);
            }
            let word = self.is_word(at);
            if word && self.special_word(at, around, place.enclosed())
                || around == Braces::Code && self.stray_statement(place.start, at)
            {
                continue;
            }
            if word && self.type_macro(at, place.start, around, place.enclosed()) {
                continue;
            }
            match self.tokens[at].text {
                "{" | "}" | "(" | ")" | ";" | ":" => self.bracket(at, &mut place),
                "<" | ">" | "*" | "&" | "::" | "~" | "->" | "." => self.operator(at, &place),
                _ if self.tokens[at].kind == TokenKind::String => self.string_parts(at),
                _ => self.word(at, &mut place),
            }
        }
    }

    /// Handles brackets and ends of statements, which change the surroundings.
    fn bracket(&mut self, at: usize, place: &mut Surroundings) {
        let around = place.around();
        match self.text(at) {
            "{" if place.enclosed() && self.before(at) == "=" => {
                self.braced_default(at);
                // If the closing brace is blanked, it will not close these braces.
                if !self.is_blank(at + 1) {
                    place.braces.push(Braces::Values);
                }
            }
            "{" => {
                let inner = self.opened(place.start, at, around, place.parentheses);
                if inner == Braces::Code && around == Braces::Declarations {
                    self.function = place.start;
                }
                place.braces.push(inner);
                if inner != Braces::Values {
                    place.begin_statement(at + 1);
                }
            }
            "}" => {
                if place.braces.len() > 1 {
                    place.braces.pop();
                }
                if around != Braces::Values {
                    place.begin_statement(at + 1);
                }
            }
            "(" => {
                place.parentheses += 1;
                if !place.in_code {
                    self.assignment_before_comma(at);
                }
            }
            ")" => place.parentheses = place.parentheses.saturating_sub(1),
            ";" if !place.enclosed() => place.start = at + 1,
            ":" if place.start + 1 == at
                && matches!(self.text(place.start), "public" | "private" | "protected") =>
            {
                place.start = at + 1;
            }
            _ => {}
        }
    }

    /// Operators that the grammar may misread.
    fn operator(&mut self, at: usize, place: &Surroundings) {
        let around = place.around();
        let code = around == Braces::Code;
        match self.text(at) {
            "<" if self.opens_launch(at) => self.shifts_in_launch(at),
            "<" if code => self.comparison(at, place.start, place.enclosed()),
            ">" if around != Braces::Values => {
                self.at_least(at);
                self.triple_close(at, place.start);
            }
            "*" | "&" if place.enclosed() && self.text(at + 1) == "." => self.pack_of_pointers(at),
            "*" | "&" if code && self.text(at + 1) == "," => self.late_type(at),
            "*" | "&" if place.enclosed() => self.unnamed_default(at),
            "&" if code => self.reference_initializer(at, place.start),
            "::" if self.text(at + 1) == "*" => self.member_pointer(at),
            "~" => self.destructor_call(at),
            "->" | "." if self.text(at + 1) == "*" && self.touches(at) => {
                // A pointer to a member: read as a member.
                self.blank(at + 1);
            }
            _ => {}
        }
    }

    /// Handles words that are or may be macros.
    fn word(&mut self, at: usize, place: &mut Surroundings) {
        let around = place.around();
        let code = around == Braces::Code;
        match self.text(at) {
            "typename" => self.typename(at),
            "asm" if self.is_word(at) => self.assembly(at),
            "static" | "const" if place.start == at && code => self.declaring_macro(at, around),
            _ if !self.is_word(at) => {}
            _ if self.is_stray(place.start, at) => self.blank(at),
            _ => match around {
                Braces::Declarations if !place.enclosed() => self.trailing_attribute(at),
                Braces::Code => self.macro_in_code(at, place),
                Braces::Declarations | Braces::Values => {}
            },
        }
    }

    /// A word among statements that may be a macro.
    fn macro_in_code(&mut self, at: usize, place: &mut Surroundings) {
        if self.aliases.is_configuration(self.text(at)) {
            // `k CONFIGURATION(grid, block)(a)` is read as a call of what `k(grid, block)` returns.
            return self.blank(at);
        }
        self.more_arguments(at);
        if self.text(at + 1) == "(" && self.is_macro(at) {
            self.odd_arguments(at);
        }
        let first = !place.enclosed() && self.starts_statement(place.start, at);
        if first && let Some(next) = self.statement_macro(at) {
            place.start = next;
        }
        if self.text(at + 1) == "(" && self.takes_types(at) {
            self.type_arguments(at + 1);
        }
    }

    /// `typename` before a qualified name adds no information, and the grammar does not expect it in
    /// expressions.
    fn typename(&mut self, at: usize) {
        let qualified = self.is_word(at + 1) && matches!(self.text(at + 2), "::" | "<");
        let deduced = self.text(at + 1) == "decltype";
        if qualified || deduced || self.text(at + 1) == "::" {
            self.blank(at);
        }
    }
}
