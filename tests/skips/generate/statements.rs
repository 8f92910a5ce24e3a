//! Statements, except for barriers and jumps.

use super::expressions::{Place, What};
use super::kernel::Kernel;
use super::marks::{BARRIER, atomic, read, update, write};

impl Kernel<'_> {
    /// Writes shared memory, or a result of the thread's own.
    pub(super) fn store(&mut self, depth: usize) {
        let value = self.expression(1);
        if ((self.tidy || self.plain) && !self.writing) || self.random.chance(25) {
            return self.store_result(depth, &value);
        }
        let place = self.writable();
        let text = self.change(&place, &value);
        self.line(depth, &text);
    }

    /// A statement that changes a place in shared memory.
    fn change(&mut self, place: &Place, value: &str) -> String {
        let Place {
            text: place, what, ..
        } = place;
        let (whole, aliases) = (*what == What::Int, self.has_aliases);
        if whole && self.only_atomics {
            let name = self.random.pick(&["atomicAdd", "atomicSub", "atomicXor"]);
            return add(name, place, value);
        }
        match self.random.next(16) {
            0..=4 => format!("{} = {value};", write(place)),
            5 => format!("{} += {value};", update(place)),
            6 => format!("{}++;", update(place)),
            7 => format!("v = {} = {value};", write(place)),
            8 if !self.tidy && whole => add("atomicAdd", place, value),
            9 if !self.plain => format!("w = (v++, {} ^= 3);", update(place)),
            10 if aliases && whole => format!("set(&{place}, {value});"),
            11 if aliases && whole => format!("set_by_reference({place}, {value});"),
            12 if aliases && whole => {
                format!("{{ int& r = {place}; {} = {value}; }}", write("r"))
            }
            13 if aliases && whole => format!("put_at(&{place}, 0, {value});"),
            14 if !self.plain || self.random.chance(25) => format!("PUT({place}, {value});"),
            15 if self.has_writing_lambda => {
                let index = if self.tidy {
                    "t".to_owned()
                } else {
                    self.index()
                };
                format!("put({index}, {value});")
            }
            _ => format!("{} = v;", write(place)),
        }
    }

    /// Writes memory of a parameter.
    fn store_result(&mut self, depth: usize, value: &str) {
        let number = self.random.next(self.targets.len());
        let target = self.targets.get(number).copied();
        let index = match self.tidy {
            true => "blockIdx.x * 64 + t".to_owned(),
            false => self.index(),
        };
        let text = match target {
            Some(name) if !self.tidy && name != "d" && self.random.chance(15) => {
                add("atomicAdd", &format!("{name}[{index}]"), value)
            }
            Some(name) => format!("{} = {value};", write(&format!("{name}[{index}]"))),
            None => format!("v += {value};"),
        };
        self.line(depth, &text);
    }

    /// Changes what an expression means that was used before: its index, or where its pointer points.
    fn redirect(&mut self, depth: usize) {
        let text = match self.random.next(if self.has_moving { 20 } else { 9 }) {
            0 => "{ int& r = v; r++; }",
            1 => "bump(v);",
            2 => "bump_at(&v);",
            3 => "[&] { v += 3; }();",
            4 => "BUMP(v);",
            5 => "{ int* p = &v; *p ^= 9; }",
            6 => "asm(\"add.s32 %0, %0, 1;\" : \"+r\"(v));",
            7 => "for (; v > 40; v -= 9) w++;",
            8 => "w = (v)++;",
            9 => "mv = s5;",
            10 => "mr = s;",
            11 => "turn(mv, s5);",
            12 => "turn_at(&mv, (int*)s);",
            13 => "mv = v > 9 ? s : s5;",
            14 => "{ int** p = &mv; *p = s; }",
            15 => "[&] { mv = s5; }();",
            16 => "AIM(mv, s);",
            17 => "span.aim(s5);",
            18 => "span.at = s;",
            _ => "span = Span<int>{m > 3 ? s : s5};",
        };
        self.line(depth, text);
    }

    /// Reads elements through a pointer that moves.
    fn walk(&mut self, depth: usize) {
        let (p, first) = (self.name("p"), self.random.next(32));
        let (here, next) = (read(&format!("*{p}")), read(&format!("{p}[1]")));
        let text = match self.random.next(4) {
            0 => format!(
                "for (const int* {p} = s + {first}; {p} != s + {first} + 3; ++{p}) v += {here} ^ {next};"
            ),
            1 => {
                let after = read(&format!("*{p}++"));
                format!("const int* {p} = s + t / 2; v += {after}; v ^= {after}; w += {here};")
            }
            2 => format!(
                "auto* {p} = &s[t / 2 + {first} % 4]; v += {here}; {p} += 2; v += {here}; --{p}; v += {here} - {next};"
            ),
            _ => format!(
                "const int* {p} = s; while ({here} < {first} && {p} - s < 3) {{ v += {here}; {p}++; }}"
            ),
        };
        self.line(depth, &format!("{{ {text} }}"));
    }

    fn block(&mut self, depth: usize, uniform: bool) {
        for _ in 0..1 + self.random.next(4) {
            self.statement(depth, uniform);
        }
    }

    /// Whether a tidy kernel may write after a branch or loop must not depend on how often it ran.
    pub(super) fn body(&mut self, depth: usize, uniform: bool) {
        let writing = self.writing;
        self.block(depth, uniform);
        if self.tidy && self.writing != writing {
            if uniform {
                self.line(depth, &format!("{BARRIER};"));
            }
            self.writing = writing;
        }
    }

    pub(super) fn statement(&mut self, depth: usize, uniform: bool) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        if depth > 4 {
            return self.store(depth);
        }
        match self.random.next(40) {
            0..=5 => self.store(depth),
            6..=8 => {
                let value = self.expression(2);
                let sign = self.random.pick(&["=", "+=", "^="]);
                self.line(depth, &format!("v {sign} {value};"));
            }
            9 => self.declare(depth),
            10..=14 if uniform => self.barrier(depth),
            15 | 16 => self.branch(depth, uniform),
            17..=19 if self.may_repeat() => self.repeat(depth, uniform),
            20 => self.choose(depth, uniform),
            21 => {
                self.line(depth, "{");
                self.body(depth + 1, uniform);
                self.line(depth, "}");
            }
            22 if self.has_aliases && !self.tidy => {
                let place = self.place("i", |it| it != What::Call);
                let (place, index) = (write(&place.text), self.index());
                self.line(
                    depth,
                    &format!("call([&](int i) {{ {place} = v; }}, {index});"),
                );
            }
            23..=25 => self.again(depth),
            26 | 27 => self.jump_over(depth, uniform),
            28 | 29 if self.may_repeat() => self.jump_back(depth, uniform),
            30 if self.may_repeat() => self.nested_cases(depth, uniform),
            31 | 32 if !self.loops.is_empty() || self.random.chance(20) => {
                self.jump(depth, uniform);
            }
            33 if self.random.chance(20) => {
                self.line(depth, r#"asm volatile("membar.gl;" ::: "memory");"#);
            }
            34 if uniform => self.line(depth, "«y:__syncwarp()»;"),
            36 | 37 => self.redirect(depth),
            38 if (!self.tidy || !self.writing) && self.may_repeat() => self.walk(depth),
            _ => self.store(depth),
        }
    }

    /// A thread with many accesses is interrupted, and where depends on the number of its checks.
    fn may_repeat(&self) -> bool {
        self.loops.len() < 3
    }

    fn declare(&mut self, depth: usize) {
        let (name, value) = (self.name("x"), self.expression(1));
        let kind = self.random.pick(&["int", "const auto", "auto", "auto"]);
        self.line(depth, &format!("{kind} {name} = {value};"));
        self.line(depth, &format!("v += {name};"));
    }

    /// Accesses one place several times, possibly with other statements in between.
    fn again(&mut self, depth: usize) {
        let writes = !self.tidy || self.writing;
        let place = match self.source() {
            Some(source) if self.random.chance(30) => source,
            _ if writes && self.tidy => self.writable(),
            _ => self.readable(),
        };
        let writes = writes && !self.plain && place.is_shared && place.what != What::Call;
        let (name, variable) = (self.name("x"), self.name("i"));
        let (read, write, update) = (place.read(), write(&place.text), update(&place.text));
        let text = match self.random.next(6) {
            0 if writes => format!("if ({read} > v) {write} = v;"),
            1 if writes => format!("{write} = v; {update} += 2; w = {read};"),
            2 => {
                format!("int {name} = {read}; if ({name} < {read} && {read} > 3) v ^= {read};")
            }
            3 => format!(
                "for (int {variable} = 0; {variable} < ({read} & 3); ++{variable}) v += {read};"
            ),
            4 => format!(
                "v += {read}; if ((v & 1) != 0) {{ v = 3; }} else {{ w ^= {read}; }} w += {read};"
            ),
            _ => format!("v += {read}; w = v; w += {read};"),
        };
        self.line(depth, &text);
        for chance in [30, 20] {
            if self.random.chance(chance) {
                match self.random.chance(50) {
                    true => self.store(depth),
                    false => self.redirect(depth),
                }
                self.line(depth, &format!("v += {read};"));
            }
        }
    }

    fn branch(&mut self, depth: usize, uniform: bool) {
        let agreed = uniform && self.random.chance(60);
        let condition = self.condition(agreed);
        self.line(depth, &format!("if ({condition}) {{"));
        self.body(depth + 1, agreed);
        while self.random.chance(40) {
            let condition = self.condition(agreed);
            self.line(depth, &format!("}} else if ({condition}) {{"));
            self.body(depth + 1, agreed);
        }
        if self.random.chance(50) {
            self.line(depth, "} else {");
            self.body(depth + 1, agreed);
        }
        self.line(depth, "}");
    }

    fn repeat(&mut self, depth: usize, uniform: bool) {
        let (variable, rounds) = (self.name("i"), 1 + self.random.next(3));
        let agreed = uniform && self.random.chance(80);
        let limit = if agreed {
            rounds.to_string()
        } else {
            format!("{rounds} + (t & 1)")
        };
        let form = self.random.next(if agreed { 6 } else { 4 });
        let voted = super::marks::vote("__syncthreads_or", &format!("++{variable} < {limit}"));
        let head = match form {
            0 | 1 => format!("for (int {variable} = 0; {variable} < {limit}; ++{variable}) {{"),
            2 => format!("int {variable} = -1; while (++{variable} < {limit}) {{"),
            3 => format!("int {variable} = -1; do {{ ++{variable};"),
            4 => format!(
                "for (int {variable} = 0; {variable} < {limit}; {BARRIER}) {{ ++{variable};"
            ),
            _ => format!("int {variable} = -1; while ({voted}) {{"),
        };
        self.line(depth, &head);
        self.enter(variable.clone(), agreed, true);
        self.body(depth + 1, agreed);
        if self.random.chance(40) {
            self.jump(depth + 1, agreed);
            self.body(depth + 1, agreed);
        }
        self.line(
            depth,
            &match form {
                3 => format!("}} while ({variable} < {limit});"),
                _ => "}".to_owned(),
            },
        );
        self.leave(depth);
    }

    fn choose(&mut self, depth: usize, uniform: bool) {
        let agreed = uniform && self.random.chance(60);
        let what = if agreed { "m & 3" } else { "t & 3" };
        self.line(depth, &format!("switch ({what}) {{"));
        for case in 0..3 {
            self.line(depth, &format!("case {case}: {{"));
            self.body(depth + 1, agreed);
            let end = self.random.pick(&["} break;", "} break;", "}"]);
            self.line(depth, end);
        }
        self.line(depth, "default: {");
        self.body(depth + 1, agreed);
        self.line(depth, "} }");
    }

    /// The thread's result, the last statement.
    pub(super) fn result(&mut self) {
        if let Some(target) = self.targets.first() {
            let place = write(&format!("{target}[blockIdx.x * 64 + t]"));
            self.line(1, &format!("{place} = v + w;"));
        }
    }

    /// A lambda `look` that reads shared memory, and one that writes it, `put`.
    pub(super) fn lambdas(&mut self) {
        if self.random.chance(25) {
            let body = read("s[i]");
            self.line(1, &format!("auto look = [&](int i) {{ return {body}; }};"));
            self.forms
                .push(super::expressions::Form::new("look(", ")", What::Call));
        }
        if self.random.chance(if self.plain { 10 } else { 30 }) {
            let place = write("s[i]");
            self.line(
                1,
                &format!("auto put = [&](int i, int x) {{ {place} = x; }};"),
            );
            self.has_writing_lambda = true;
        }
    }
}

/// An atomic operation that changes a value. One that changes nothing counts as polling: a thread with many of them is
/// interrupted, and where depends on the number of its checks.
fn add(name: &str, place: &str, value: &str) -> String {
    format!("{name}(&{}, ({value}) | 1);", atomic(place))
}
