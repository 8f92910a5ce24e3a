//! Which functions and macros of a program call a function.

use hirace_syntax::lexer::{TokenKind, lex_inline};
use hirace_syntax::tree::Node;

use super::syntax::{Sources, Syntax};

impl<'a> Sources<'a> {
    /// The function itself and the macros whose texts name it, and so may call it.
    fn with_macros<'n>(&'n self, name: &'n str) -> Vec<&'n str> {
        let names = |body: &str| {
            let mut tokens = lex_inline(body).tokens.into_iter();
            tokens.any(|it| it.kind == TokenKind::Word && it.text(body) == name)
        };
        let macros = self.all().flat_map(Syntax::macros);
        let macros = macros.filter(|it| names(it.1)).map(|it| it.0);
        std::iter::once(name).chain(macros).collect()
    }

    /// The functions and macros by which a function may be called, the nearest first, and the function itself.
    pub fn leading_to<'n>(&'n self, name: &'n str) -> Vec<&'n str> {
        /// The longest chain of calls to follow.
        const MAX_CALLS: usize = 4;
        let functions = self.all().flat_map(|syntax| {
            let named = syntax
                .functions()
                .filter_map(|it| Some((it, syntax.name(it)?)));
            named.map(move |(function, name)| (syntax, function, name))
        });
        let functions: Vec<_> = functions.collect();
        let mut leading = self.with_macros(name);
        let mut last = leading.clone();
        for _ in 1..MAX_CALLS {
            let calls_last = |syntax: &Syntax<'_>, function: Node<'_>| {
                let mut names = last.iter();
                names.any(|it| !syntax.calls(function, it).is_empty())
            };
            let callers = functions.iter().filter(|it| calls_last(it.0, it.1));
            let callers = callers.flat_map(|it| self.with_macros(it.2));
            let mut next: Vec<&str> = callers.filter(|it| !leading.contains(it)).collect();
            next.sort_unstable();
            next.dedup();
            leading.extend(&next);
            last = next;
        }
        leading
    }

    /// Whether a function is used only by calling it by its name: it is no operator, constructor or destructor, and no
    /// macro names it.
    pub fn are_callers_known(&self, name: &str) -> bool {
        let is_implicit = name.starts_with("operator")
            || name.contains('~')
            || self.classes(name).next().is_some();
        !is_implicit
            && self.with_macros(name).len() == 1
            && !self.all().any(|it| it.passes_on(name))
    }

    /// The calls of the functions called `name`, also by macros; launches of kernels are none.
    pub fn calls(&self, name: &str) -> Vec<(&Syntax<'a>, Node<'_>)> {
        let names = self.with_macros(name);
        let in_file = |syntax| {
            let callers = Syntax::functions(syntax);
            let calls = callers.flat_map(|caller| {
                let calls = names.iter().map(|it| syntax.calls(caller, it));
                calls.collect::<Vec<_>>().concat()
            });
            calls.map(move |call| (syntax, call))
        };
        self.all().flat_map(in_file).collect()
    }
}
