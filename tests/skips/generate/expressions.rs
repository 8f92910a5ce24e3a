//! Places in memory, and expressions that read them.

use super::kernel::Kernel;
use super::marks::read;

/// A form that names an element: the text before and after its index.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub before: &'static str,
    pub after: &'static str,
    pub what: What,
}

/// What may be done with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// An int: anything.
    Int,
    /// A part of a word, which no atomic operation and no reference to int can access.
    Narrow,
    /// A call that reads; the mark is in the callee.
    Call,
}

impl Form {
    pub(super) const fn new(before: &'static str, after: &'static str, what: What) -> Self {
        Self {
            before,
            after,
            what,
        }
    }
}

/// An element that a statement accesses.
#[derive(Clone)]
pub(super) struct Place {
    pub text: String,
    pub what: What,
    pub is_shared: bool,
}

impl Place {
    /// The expression that reads it.
    pub(super) fn read(&self) -> String {
        match self.what {
            What::Call => self.text.clone(),
            What::Int | What::Narrow => read(&self.text),
        }
    }
}

impl Kernel<'_> {
    /// The index of any thread's element.
    pub(super) fn index(&mut self) -> String {
        match self.random.next(9) {
            0 | 1 => "t".to_owned(),
            2 | 3 => format!("(t + {}) % 64", 1 + self.random.next(63)),
            4 => format!("t ^ {}", [1, 32, 33][self.random.next(3)]),
            5 => "63 - t".to_owned(),
            6 => self.random.next(64).to_string(),
            7 => "v & 63".to_owned(),
            _ => match self.loops.last() {
                Some(it) => format!("(t + {}) & 63", it.variable),
                None => "HALF(t)".to_owned(),
            },
        }
    }

    fn own_or_any(&mut self, own: bool) -> String {
        if own { "t".to_owned() } else { self.index() }
    }

    /// A place in shared memory, by one of the forms that fit.
    pub(super) fn place(&mut self, index: &str, fits: impl Fn(What) -> bool) -> Place {
        let forms: Vec<_> = self.forms.iter().filter(|it| fits(it.what)).collect();
        let form = *forms[self.random.next(forms.len())];
        Place {
            text: format!("{}{index}{}", form.before, form.after),
            what: form.what,
            is_shared: true,
        }
    }

    /// A place that may be read now.
    pub(super) fn readable(&mut self) -> Place {
        let index = self.own_or_any(self.tidy && self.writing);
        self.place(&index, |_| true)
    }

    /// A place that may be written now.
    pub(super) fn writable(&mut self) -> Place {
        let index = self.own_or_any(self.tidy);
        self.place(&index, |it| it != What::Call)
    }

    /// An element of a parameter's memory that is only read.
    pub(super) fn source(&mut self) -> Option<Place> {
        let number = self.random.next(self.sources.len());
        let name = *self.sources.get(number)?;
        // Many volatile reads count as polling, as for atomic operations that change nothing.
        if name == "o" && self.loops.len() > 1 {
            return None;
        }
        let index = self.index();
        // The function gets a pointer to constants.
        let is_passed = name == "rp" && self.random.chance(20);
        let (text, what) = match is_passed {
            true => (format!("get_from({name}, {index})"), What::Call),
            false => (format!("{name}[{index}]"), What::Narrow),
        };
        Some(Place {
            text,
            what,
            is_shared: false,
        })
    }

    pub(super) fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.next(5) {
                0 => self.random.next(100).to_string(),
                1 => "t".to_owned(),
                2 => "v".to_owned(),
                3 => self.source().map_or_else(|| "w".to_owned(), |it| it.read()),
                _ => self.readable().read(),
            };
        }
        let depth = depth - 1;
        let one = self.expression(depth);
        match self.random.next(if self.plain { 12 } else { 15 }) {
            0..=3 => {
                let signs = ["+", "-", "*", "&", "|", "^", "<", "==", "&&", "||"];
                let sign = self.random.pick(&signs);
                format!("({one} {sign} {})", self.expression(depth))
            }
            4 => {
                let callee = self.random.pick(&["min", "max"]);
                format!("{callee}((int)({one}), (int)({}))", self.expression(depth))
            }
            5 => {
                let (condition, other) = (self.expression(depth), self.expression(depth));
                format!("({condition} ? {one} : {other})")
            }
            6 => format!("int({one})"),
            7 => format!("{}({one})", self.random.pick(&["-", "!", "~", "+"])),
            8 => format!("static_cast<int>({one})"),
            9 => one,
            10 => format!("twice({one})"),
            11 => {
                let name = self.name("x");
                format!("({{ int {name} = {one}; {name} - 1; }})")
            }
            12 => format!("__popc(HALF({}))", self.expression(0)),
            13 => format!("aside({one})"),
            _ => format!("(real)({one})"),
        }
    }

    /// A condition that is uniform in a block, or divergent.
    pub(super) fn condition(&mut self, uniform: bool) -> String {
        if uniform {
            let simple = [
                "m > 3",
                "m < 3",
                "(m & 2) != 0",
                "blockIdx.x == 0",
                "m == 5 || m > 60",
            ];
            return match self.loops.last() {
                Some(it) if self.random.chance(50) => {
                    format!("{} == {}", it.variable, self.random.next(3))
                }
                _ => self.random.pick(&simple).to_owned(),
            };
        }
        match self.random.next(4) {
            0 => format!("t < {}", self.random.next(64)),
            1 => "(t & 1) != 0".to_owned(),
            2 => format!("v > {}", self.random.next(40)),
            _ => self.expression(1),
        }
    }
}
