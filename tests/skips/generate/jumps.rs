//! Jumps: `goto` forwards, backwards and into loops, `break`, `continue`, `return`, and cases in nested blocks.
//!
//! What a jump passes over is in braces, because C++ does not allow jumps over initialisations.

use super::kernel::{Kernel, Loop};

impl Kernel<'_> {
    /// Statements in braces of their own.
    fn braced(&mut self, depth: usize, uniform: bool) {
        self.line(depth, "{");
        self.body(depth + 1, uniform);
        self.line(depth, "}");
    }

    /// `goto` over statements.
    pub(super) fn jump_over(&mut self, depth: usize, uniform: bool) {
        let agreed = uniform && self.random.chance(60);
        let (condition, label) = (self.condition(agreed), self.name("L"));
        self.line(depth, &format!("if ({condition}) goto {label};"));
        self.braced(depth, agreed);
        self.line(depth, &format!("{label}:;"));
    }

    /// A loop by `goto`, or one that control enters in the middle.
    pub(super) fn jump_back(&mut self, depth: usize, uniform: bool) {
        let (variable, label) = (self.name("i"), self.name("L"));
        let agreed = uniform && self.random.chance(80);
        let rounds = 1 + self.random.next(3);
        let varies = if agreed { "" } else { " + (t & 1)" };
        let into = self.random.chance(40);
        self.line(depth, &format!("int {variable} = 0;"));
        if into {
            let condition = self.condition(agreed);
            self.line(depth, &format!("if ({condition}) goto {label};"));
            self.line(depth, "do {");
        } else {
            self.line(depth, &format!("{label}:;"));
        }
        self.enter(variable.clone(), agreed, into);
        self.braced(depth, agreed);
        if into {
            self.line(depth, &format!("{label}:;"));
            self.braced(depth, agreed);
        }
        let again = format!("++{variable} < {rounds}{varies}");
        let end = match into {
            true => format!("}} while ({again});"),
            false => format!("if ({again}) goto {label};"),
        };
        self.line(depth, &end);
        self.leave(depth);
    }

    /// A `switch` whose cases are in a loop (Duff's device) or in branches.
    pub(super) fn nested_cases(&mut self, depth: usize, uniform: bool) {
        let agreed = uniform && self.random.chance(60);
        let what = if agreed { "m & 3" } else { "t & 3" };
        let repeats = self.random.chance(60);
        let (begin, middle, end) = if repeats {
            let variable = self.name("i");
            self.line(depth, &format!("int {variable} = 0;"));
            self.enter(variable.clone(), agreed, true);
            let end = format!("}} while (++{variable} < 2); }}");
            ("do {".to_owned(), "", end)
        } else {
            let condition = self.condition(agreed);
            (format!("if ({condition}) {{"), "} else {", "} }".to_owned())
        };
        self.line(depth, &format!("switch ({what}) {{"));
        let first = if repeats { &begin } else { "" };
        self.line(depth, &format!("case 0: {first}"));
        self.braced(depth + 1, agreed);
        if !repeats {
            self.line(depth, &begin);
        }
        self.line(depth, "case 1:");
        self.braced(depth + 1, agreed);
        self.line(depth, middle);
        self.line(depth, "case 2:");
        self.braced(depth + 1, agreed);
        self.line(depth, &end);
        if repeats {
            self.leave(depth);
        }
    }

    /// Notes that the statements that follow are in a loop. `continues` tells whether C++ takes it for one.
    pub(super) fn enter(&mut self, variable: String, agreed: bool, continues: bool) {
        let exit = self.name("out");
        self.loops.push(Loop {
            variable,
            agreed,
            continues,
            writing: self.writing,
            exit,
            is_left_by_goto: false,
        });
    }

    /// Ends the innermost loop, with the label that its jumps lead to.
    pub(super) fn leave(&mut self, depth: usize) {
        let ended = self.loops.pop().filter(|it| it.is_left_by_goto);
        if let Some(Loop { exit, .. }) = ended {
            self.line(depth, &format!("{exit}:;"));
        }
    }

    /// A jump out of a loop or to its next round, or the thread's end.
    pub(super) fn jump(&mut self, depth: usize, uniform: bool) {
        let form = self.random.next(10);
        let is_allowed = match (form, self.loops.last()) {
            (0..=4, Some(it)) => {
                it.continues
                    && (uniform || !it.agreed)
                    && (!self.tidy || it.writing == self.writing)
            }
            _ => false,
        };
        let condition = self.condition(uniform && form != 9);
        let text = match form {
            0 | 1 if is_allowed => match self.loops.last() {
                Some(it) if it.agreed || self.random.chance(50) => {
                    format!("SKIP_ODD({});", it.variable)
                }
                _ => "SKIP_ODD(t);".to_owned(),
            },
            2 | 3 if is_allowed => format!("if ({condition}) continue;"),
            4 if is_allowed && !self.tidy => format!("if ({condition}) break;"),
            5 | 6 => return self.jump_out(depth, uniform, &condition),
            7 => format!("if ({condition}) LEAVE;"),
            8 => "LEAVE_IF(t >= 56);".to_owned(),
            _ => format!("if ({condition}) return;"),
        };
        self.line(depth, &text);
    }

    /// `goto` to the end of one of the loops around.
    fn jump_out(&mut self, depth: usize, uniform: bool, condition: &str) {
        let number = self.random.next(self.loops.len());
        let (writing, tidy) = (self.writing, self.tidy);
        let divides = |it: &Loop| it.agreed && !uniform;
        let inner = self.loops.get(number..).unwrap_or_default();
        if inner.iter().any(divides) {
            return;
        }
        let target = self.loops.get_mut(number);
        if let Some(target) = target.filter(|it| !tidy || it.writing == writing) {
            target.is_left_by_goto = true;
            let text = format!("if ({condition}) goto {};", target.exit);
            self.line(depth, &text);
        }
    }
}
