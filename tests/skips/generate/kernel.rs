//! Kernels: parameters, shared memory and launches.

use std::fmt::Write;

use super::expressions::{Form, What};
use super::marks::{BARRIER, write};
use super::{BUFFERS, Random};

/// A kernel that is being written.
pub(super) struct Kernel<'a> {
    pub random: &'a mut Random,
    pub text: String,
    /// Whether threads write only their own elements between barriers.
    pub tidy: bool,
    /// Whether it has only statements that the analysis of barriers can follow.
    pub plain: bool,
    /// Whether threads write in this phase: those of a tidy kernel their own elements.
    pub writing: bool,
    /// Whether they do so by atomic operations only.
    pub only_atomics: bool,
    /// Numbers of names that were used.
    pub names: usize,
    /// The loops around the current statement.
    pub loops: Vec<Loop>,
    /// Forms that name an element in shared memory.
    pub forms: Vec<Form>,
    /// Whether some of them use pointers and references.
    pub has_aliases: bool,
    /// Whether there is a pointer `mv`, and an object `span`, that are set to other arrays again and again.
    pub has_moving: bool,
    /// Whether there is a lambda `put` that writes shared memory.
    pub has_writing_lambda: bool,
    /// Pointer parameters and the like: to read, and to write.
    pub sources: Vec<&'static str>,
    pub targets: Vec<&'static str>,
    /// Statements left.
    pub budget: usize,
}

/// A loop around a statement.
pub(super) struct Loop {
    /// Its counter.
    pub variable: String,
    /// Whether all threads of the block take the same rounds.
    pub agreed: bool,
    /// Whether `continue` leads to its next round.
    pub continues: bool,
    /// Whether threads write at the beginning and the end of each round.
    pub writing: bool,
    /// The label after it, which is written if a `goto` names it.
    pub exit: String,
    pub is_left_by_goto: bool,
}

/// What a kernel is called with.
struct Signature {
    parameters: Vec<&'static str>,
    sources: Vec<&'static str>,
    targets: Vec<&'static str>,
    /// The arguments of two launches.
    arguments: [String; 2],
}

/// Parameters: the declaration, the name in expressions, whether its memory is written, and the argument, in which B is
/// a buffer.
const PARAMETERS: [(&str, &str, bool, &str); 15] = [
    ("const int* a", "a", false, "B"),
    ("const int* __restrict__ q", "q", false, "B"),
    ("int const* const h", "h", false, "B + 64"),
    ("const unsigned char* c", "c", false, "(unsigned char*)B"),
    ("const unsigned* u", "u", false, "(unsigned*)B"),
    ("const volatile int* o", "o", false, "B"),
    ("int* rp", "rp", false, "B"),
    ("unsigned char* yp", "yp", false, "(unsigned char*)B"),
    ("int* b", "b", true, "B"),
    ("int* e", "(e - 256)", true, "B + 256"),
    ("int* f", "(f + 1)", true, "B - 1"),
    ("Pair p", "p.out", true, "Pair{B, B}"),
    ("int* const* pp", "pp[0]", true, "table_B"),
    ("unsigned char* d", "d", true, "(unsigned char*)B"),
    ("Sizes z", "", false, "Sizes{3, 4}"),
];

/// More shared variables: the declaration, the form that names an element, and the place that a thread initialises.
const SHARED: [(&str, Form, &str); 7] = [
    (
        "__shared__ int s2[64], s3[2];",
        Form::new("s2[", "]", What::Int),
        "s2[t]",
    ),
    (
        "__shared__ int g[8][8];",
        Form::new("g[t / 8][(", ") % 8]", What::Int),
        "g[t / 8][t % 8]",
    ),
    (
        "__shared__ int4 f4[64];",
        Form::new("f4[", "].x", What::Int),
        "f4[t].x",
    ),
    (
        "extern __shared__ int dynamic[];",
        Form::new("dynamic[", "]", What::Int),
        "dynamic[t]",
    ),
    (
        "__shared__ unsigned char bytes[64];",
        Form::new("bytes[", "]", What::Narrow),
        "bytes[t]",
    ),
    (
        "__shared__ short halves[64];",
        Form::new("halves[", "]", What::Narrow),
        "halves[t]",
    ),
    (
        "__shared__ struct { int x, y; } st[64];",
        Form::new("st[", "].y", What::Int),
        "st[t].y",
    ),
];

/// Other ways to reach `s`: the declaration, and the form that names an element.
const ALIASES: [(&str, Form); 12] = [
    ("int* const ps = s;", Form::new("ps[", "]", What::Int)),
    ("int (&rs)[64] = s;", Form::new("rs[", "]", What::Int)),
    (
        "auto ms = [&](int i) -> int& { return s[i]; };",
        Form::new("ms(", ")", What::Int),
    ),
    (
        "struct View { int* at; } view{s};",
        Form::new("view.at[", "]", What::Int),
    ),
    (
        "auto xs = reinterpret_cast<unsigned long long>(s);",
        Form::new("((int*)xs)[", "]", What::Int),
    ),
    ("", Form::new("INTO(s, ", ")", What::Int)),
    ("auto qs = &s[1];", Form::new("(qs - 1)[", "]", What::Int)),
    (
        "int* both[2] = {s, s};",
        Form::new("both[m & 1][", "]", What::Int),
    ),
    (
        "struct { int (*at)[64]; } boxed = {&s};",
        Form::new("(*boxed.at)[", "]", What::Int),
    ),
    (
        "const Span<int> fixed{s};",
        Form::new("fixed.get(", ")", What::Call),
    ),
    ("", Form::new("get(s[", "])", What::Call)),
    ("", Form::new("get_from(s, ", ")", What::Call)),
];

impl Signature {
    /// `variables` tells whether there are device variables that hold pointers.
    fn new(random: &mut Random, tidy: bool, variables: bool) -> Self {
        // The buffers that it reads and writes, which may be the same unless it is tidy.
        let (one, two) = (random.next(BUFFERS), random.next(BUFFERS - 1));
        let two = if tidy && two == one { BUFFERS - 1 } else { two };
        let two = if tidy && two == one { 0 } else { two };
        let mut new = Self {
            parameters: vec!["int m"],
            sources: Vec::new(),
            targets: Vec::new(),
            arguments: [String::new(), String::new()],
        };
        for &(parameter, name, writes, argument) in &PARAMETERS {
            let chance = match name {
                "a" | "b" => 60,
                "rp" => 30,
                _ => 15,
            };
            if !random.chance(chance) {
                continue;
            }
            new.parameters.push(parameter);
            for (index, launch) in new.arguments.iter_mut().enumerate() {
                // The second launch uses the same buffers in other roles.
                let buffer = match (writes, tidy) {
                    (_, false) if index == 1 => random.next(BUFFERS),
                    (false, _) => one,
                    (true, _) => two,
                };
                let argument = argument.replace('B', &format!("buffer{buffer}"));
                let _ = write!(launch, ", {argument}");
            }
            match name {
                "" => {}
                _ if writes => new.targets.push(name),
                _ => new.sources.push(name),
            }
        }
        if variables && random.chance(20) {
            new.targets.push("slot");
        }
        if variables && random.chance(10) {
            new.targets.push("pair.out");
            new.sources.push("pair.in");
        }
        // One target only: elements of another type would overlap those of other threads.
        if tidy {
            new.targets
                .retain(|it| !it.starts_with("slot") && !it.starts_with("pair"));
            new.targets.truncate(1);
        }
        new
    }
}

impl Kernel<'_> {
    pub(super) fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * depth);
    }

    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Declares shared variables and what else reaches them, and fills them.
    fn declarations(&mut self, element: &str) {
        self.line(1, "const int t = threadIdx.x; int v = t, w = 0;");
        self.line(1, &format!("__shared__ {element} s[64];"));
        let mut own = vec!["s[t]"];
        for (declaration, form, place) in SHARED {
            let unfit = (self.tidy && form.before.starts_with('g'))
                || (self.plain && form.before.starts_with("st"));
            if self.random.chance(25) && !unfit {
                self.line(1, declaration);
                self.forms.push(form);
                own.push(place);
            }
        }
        if !self.plain && self.random.chance(80) {
            for (declaration, form) in ALIASES {
                if self.random.chance(40) {
                    self.line(1, declaration);
                    self.forms.push(form);
                    self.has_aliases = true;
                }
            }
        }
        if self.random.chance(30) {
            self.line(
                1,
                "__shared__ int s5[64]; int *mv = s, *&mr = mv; Span<int> span{s};",
            );
            own.push("s5[t]");
            self.forms.push(Form::new("mv[", "]", What::Int));
            self.forms.push(Form::new("span[", "]", What::Int));
            self.has_moving = true;
        }
        self.lambdas();
        for place in own {
            self.line(1, &format!("{} = t;", write(place)));
        }
        self.line(1, &format!("{BARRIER};"));
        self.writing = false;
    }
}

/// A kernel `kNUMBER`, which may use device variables that hold pointers, and two launches.
pub(super) fn kernel(random: &mut Random, number: usize, variables: bool) -> (String, [String; 2]) {
    let (tidy, plain) = (random.chance(50), random.chance(70));
    let signature = Signature::new(random, tidy, variables);
    let budget = 8 + random.next(18);
    let mut kernel = Kernel {
        random,
        text: String::new(),
        tidy,
        plain,
        writing: true,
        only_atomics: false,
        names: 0,
        loops: Vec::new(),
        forms: vec![Form::new("s[", "]", What::Int)],
        has_aliases: false,
        has_moving: false,
        has_writing_lambda: false,
        sources: signature.sources,
        targets: signature.targets,
        budget,
    };
    let template = kernel.random.chance(20);
    let (head, element, call) = match template {
        true => ("template <class T> ", "T", format!("k{number}<int>")),
        false => {
            let element = kernel.random.pick(&["int", "int", "real"]);
            ("", element, format!("k{number}"))
        }
    };
    let parameters = signature.parameters.join(", ");
    let head = format!("{head}__global__ void k{number}({parameters}) {{");
    kernel.line(0, &head);
    kernel.declarations(element);
    for _ in 0..3 + kernel.random.next(6) {
        kernel.statement(1, true);
    }
    kernel.result();
    kernel.line(0, "}");
    let launches = signature.arguments.map(|arguments| {
        let (blocks, m) = (1 + kernel.random.next(2), kernel.random.next(8));
        format!("{call}<<<{blocks}, n, 256>>>({m}{arguments});")
    });
    (kernel.text, launches)
}
