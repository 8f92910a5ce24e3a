//! Names that are declared in braces: they hide outer ones, and other braces may declare them again.

use std::collections::HashSet;

use crate::module::{Statement, StatementKind};

/// The scopes of a function: the body is number 0, and each pair of braces has the next number.
#[derive(Default)]
pub(super) struct Scopes {
    /// The scope of each statement.
    of: Vec<usize>,
    /// The surrounding scope of each one.
    around: Vec<usize>,
    /// Registers and labels in braces.
    inner: HashSet<(usize, String)>,
}

impl Scopes {
    pub fn of(body: &[Statement]) -> Self {
        let mut out = Self {
            around: vec![0],
            ..Self::default()
        };
        let mut now = 0;
        for statement in body {
            match &statement.kind {
                StatementKind::Brace('{') => {
                    out.around.push(now);
                    now = out.around.len() - 1;
                }
                StatementKind::Brace(_) => now = out.around[now],
                StatementKind::Label(name) => out.declare(now, name),
                StatementKind::Variable(variable) if variable.space == "reg" => {
                    for (name, count) in &variable.names {
                        match count {
                            None => out.declare(now, name),
                            Some(count) if *count <= super::MAX_REGISTERS => {
                                (0..*count).for_each(|it| out.declare(now, &format!("{name}{it}")));
                            }
                            Some(_) => {}
                        }
                    }
                }
                _ => {}
            }
            out.of.push(now);
        }
        out
    }

    fn declare(&mut self, scope: usize, name: &str) {
        if scope != 0 {
            self.inner.insert((scope, name.to_owned()));
        }
    }

    /// The name that a statement means, which no other scope has.
    pub fn name_at(&self, statement: usize, name: &str) -> String {
        let mut scope = self.of[statement];
        while scope != 0 {
            if self.inner.contains(&(scope, name.to_owned())) {
                return format!("{name}${scope}");
            }
            scope = self.around[scope];
        }
        name.to_owned()
    }
}
