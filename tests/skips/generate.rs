//! Random CUDA programs of many kernels, about half of them with races.
//!
//! All threads of a block reach every barrier, so no launch ends early. In a *tidy* kernel, a
//! thread writes its own elements, waits, and reads those of others; other kernels access anything
//! anywhere. A *plain* kernel has intervals in which it only reads, unless control reaches them
//! from other intervals.

use std::fmt::Write;

use hirace_sample::random;

/// Choices in the units of this generator.
struct Random(random::Random);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0.below(below.max(1) as u64) as usize
    }

    /// True with a probability of `percent` %.
    fn chance(&mut self, percent: usize) -> bool {
        self.next(100) < percent
    }

    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        self.0.pick::<&str>(choices)
    }
}

/// The beginning of all programs. Blocks have 64 threads in one dimension.
const PRELUDE: &str = r"#include <cuda_runtime.h>
#include <cooperative_groups.h>
constexpr int n = 64;
struct Pair { int* out; const int* in; };
struct Sizes { int rows, columns; };
typedef int real;
#define SYNC __syncthreads()
#define HALF(x) ((x) / 2)
#define INTO(array, at) array[at]
__device__ int* slot;
__device__ Pair pair;
__device__ void wait_all() { __syncthreads(); }
__device__ void set(int* p, int v) { *p = v; }
__device__ void set_by_reference(int& r, int v) { r = v; }
__device__ int get(const int& r) { return r; }
__device__ int get_from(const int* p, int i) { return p[i]; }
__device__ int twice(int v) { return 2 * v; }
template <class T> __device__ void put_at(T* p, int i, int v) { p[i] = v; }
template <class F> __device__ void call(F f, int i) { f(i); }
__device__ int aside(int v) { __shared__ int own[64]; own[threadIdx.x] = v; return own[threadIdx.x]; }
";

/// Buffers of the host program, 256 ints each. Only the first half of the last one is written.
const BUFFERS: usize = 4;

struct Kernel<'a> {
    random: &'a mut Random,
    text: String,
    /// Whether threads write only their own elements between barriers.
    tidy: bool,
    /// Whether it has only statements that the analysis of barriers can follow.
    plain: bool,
    /// Whether threads of a tidy kernel may write now.
    writing: bool,
    names: usize,
    loops: Vec<String>,
    /// Forms that name an int in shared memory: the text before and after the index.
    shared: Vec<(&'static str, &'static str)>,
    /// More such forms, through pointers and references.
    aliases: Vec<(&'static str, &'static str)>,
    /// Pointer parameters and the like: to read, and to write.
    sources: Vec<&'static str>,
    targets: Vec<&'static str>,
    /// Statements left.
    budget: usize,
}

impl Kernel<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * depth);
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// The index of any thread's element.
    fn index(&mut self) -> String {
        match self.random.next(9) {
            0 | 1 => "t".to_owned(),
            2 | 3 => format!("(t + {}) % 64", 1 + self.random.next(63)),
            4 => format!("t ^ {}", [1, 32, 33][self.random.next(3)]),
            5 => "63 - t".to_owned(),
            6 => self.random.next(64).to_string(),
            7 => "v & 63".to_owned(),
            _ => match self.loops.last() {
                Some(variable) => format!("(t + {variable}) & 63"),
                None => "HALF(t)".to_owned(),
            },
        }
    }

    fn place(&mut self, index: &str) -> String {
        let all = self.shared.len() + self.aliases.len();
        let at = self.random.next(all);
        let (before, after) = match self.shared.get(at) {
            Some(&it) => it,
            None => self.aliases[at - self.shared.len()],
        };
        format!("{before}{index}{after}")
    }

    /// A place that may be read now.
    fn readable(&mut self) -> String {
        let index = if self.tidy && self.writing {
            "t".to_owned()
        } else {
            self.index()
        };
        self.place(&index)
    }

    /// A place that may be written now.
    fn writable(&mut self) -> String {
        let index = if self.tidy {
            "t".to_owned()
        } else {
            self.index()
        };
        self.place(&index)
    }

    fn source(&mut self) -> Option<String> {
        let name = *self
            .sources
            .get(self.random.next(self.sources.len().max(1)))?;
        let index = self.index();
        Some(format!("{name}[{index}]"))
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.next(5) {
                0 => self.random.next(100).to_string(),
                1 => "t".to_owned(),
                2 => "v".to_owned(),
                3 => self.source().unwrap_or_else(|| "w".to_owned()),
                _ => self.readable(),
            };
        }
        let depth = depth - 1;
        let one = self.expression(depth);
        match self.random.next(if self.plain { 10 } else { 13 }) {
            0..=3 => {
                let sign = self
                    .random
                    .pick(&["+", "-", "*", "&", "|", "^", "<", "==", "&&", "||"]);
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
            10 => format!("__popc(HALF({}))", self.expression(0)),
            11 => format!("twice({one})"),
            _ => format!("(real)({one})"),
        }
    }

    /// A condition that is uniform in a block, or divergent.
    fn condition(&mut self, uniform: bool) -> String {
        if uniform {
            let simple = [
                "m > 3",
                "m < 3",
                "(m & 2) != 0",
                "blockIdx.x == 0",
                "m == 5 || m > 60",
            ];
            return match self.loops.last() {
                Some(it) if self.random.chance(50) => format!("{it} == {}", self.random.next(3)),
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

    fn barrier(&mut self, depth: usize) {
        let was_writing = std::mem::replace(&mut self.writing, false);
        // The barrier's argument is evaluated before it.
        let first = if self.plain { 3 } else { 0 };
        let text = match first + self.random.next(24 - first) {
            0 => "wait_all();".to_owned(),
            1 => "SYNC;".to_owned(),
            2 => "cooperative_groups::this_thread_block().sync();".to_owned(),
            3 | 4 => {
                self.writing = was_writing;
                let given = self.expression(1);
                self.writing = false;
                format!("v += __syncthreads_count({given});")
            }
            5 => {
                let name = self.name("any");
                format!("int {name} = __syncthreads_or(v > 9); w += {name};")
            }
            6 => "if (m) { __syncthreads(); } else { __syncthreads(); }".to_owned(),
            _ => "__syncthreads();".to_owned(),
        };
        self.line(depth, &text);
        self.writing = !was_writing;
    }

    fn store(&mut self, depth: usize) {
        let value = self.expression(1);
        // A result of the thread's own.
        if ((self.tidy || self.plain) && !self.writing) || self.random.chance(25) {
            let target = self
                .targets
                .get(self.random.next(self.targets.len().max(1)))
                .copied();
            let index = if self.tidy {
                "blockIdx.x * 64 + t".to_owned()
            } else {
                self.index()
            };
            let text = match target {
                Some(target) => format!("{target}[{index}] = {value};"),
                None => format!("v += {value};"),
            };
            return self.line(depth, &text);
        }
        let place = self.writable();
        let text = match self.random.next(13) {
            0..=4 => format!("{place} = {value};"),
            5 => format!("{place} += {value};"),
            6 => format!("{place}++;"),
            7 => format!("v = {place} = {value};"),
            8 if !self.tidy => format!("atomicAdd(&{place}, {value});"),
            9 if !self.plain => format!("w = (v++, {place} ^= 3);"),
            10 if !self.aliases.is_empty() => format!("set(&{place}, {value});"),
            11 if !self.aliases.is_empty() => format!("set_by_reference({place}, {value});"),
            12 if !self.aliases.is_empty() => format!("{{ int& r = {place}; r = {value}; }}"),
            _ => format!("{place} = v;"),
        };
        self.line(depth, &text);
    }

    fn block(&mut self, depth: usize, uniform: bool) {
        for _ in 0..1 + self.random.next(4) {
            self.statement(depth, uniform);
        }
    }

    /// Whether a tidy kernel may write after a branch or loop must not depend on how often it ran.
    fn body(&mut self, depth: usize, uniform: bool) {
        let writing = self.writing;
        self.block(depth, uniform);
        if self.tidy && self.writing != writing {
            if uniform {
                self.line(depth, "__syncthreads();");
            }
            self.writing = writing;
        }
    }

    fn statement(&mut self, depth: usize, uniform: bool) {
        if self.budget == 0 {
            return;
        }
        self.budget -= 1;
        if depth > 4 {
            return self.store(depth);
        }
        match self.random.next(25) {
            0..=4 => self.store(depth),
            5..=7 => {
                let value = self.expression(2);
                let sign = self.random.pick(&["=", "+=", "^="]);
                self.line(depth, &format!("v {sign} {value};"));
            }
            8 => {
                let (name, value) = (self.name("x"), self.expression(1));
                let kind = self.random.pick(&["int", "const auto", "auto", "auto"]);
                self.line(depth, &format!("{kind} {name} = {value};"));
                self.line(depth, &format!("v += {name};"));
            }
            9..=12 if uniform => self.barrier(depth),
            13 | 14 => self.branch(depth, uniform),
            15..=17 => self.repeat(depth, uniform),
            18 => self.choose(depth, uniform),
            19 => {
                self.line(depth, "{");
                self.body(depth + 1, uniform);
                self.line(depth, "}");
            }
            20 if !self.aliases.is_empty() && !self.tidy => {
                let (place, index) = (self.place("i"), self.index());
                self.line(
                    depth,
                    &format!("call([&](int i) {{ {place} = v; }}, {index});"),
                );
            }
            21 if self.random.chance(30) && !self.tidy => self.line(depth, "if (t >= 56) return;"),
            22..=24 => self.again(depth),
            _ if uniform => self.line(depth, "__syncwarp();"),
            _ => self.store(depth),
        }
    }

    /// Accesses one place several times, possibly with other statements in between.
    fn again(&mut self, depth: usize) {
        let writes = !self.tidy || self.writing;
        let place = match self.source() {
            Some(source) if self.random.chance(30) => source,
            _ if writes && self.tidy => self.writable(),
            _ => self.readable(),
        };
        let writes = writes && !self.plain && self.shared_at(&place);
        let (name, variable) = (self.name("x"), self.name("i"));
        let text = match self.random.next(6) {
            0 if writes => format!("if ({place} > v) {place} = v;"),
            1 if writes => format!("{place} = v; {place} += 2; w = {place};"),
            2 => {
                format!("int {name} = {place}; if ({name} < {place} && {place} > 3) v ^= {place};")
            }
            3 => format!(
                "for (int {variable} = 0; {variable} < ({place} & 3); ++{variable}) v += {place};"
            ),
            4 => format!(
                "v += {place}; if ((v & 1) != 0) {{ v = 3; }} else {{ w ^= {place}; }} w += {place};"
            ),
            _ => format!("v += {place}; w = v; w += {place};"),
        };
        self.line(depth, &text);
        if self.random.chance(30) {
            self.store(depth);
            self.line(depth, &format!("v += {place};"));
        }
    }

    /// Whether a place is in shared memory, not reached through a parameter.
    fn shared_at(&self, place: &str) -> bool {
        !self
            .sources
            .iter()
            .any(|it| place.starts_with(&format!("{it}[")))
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
        let form = self.random.next(4);
        self.line(
            depth,
            &match form {
                0 | 1 => format!("for (int {variable} = 0; {variable} < {limit}; ++{variable}) {{"),
                2 => format!("int {variable} = -1; while (++{variable} < {limit}) {{"),
                _ => format!("int {variable} = -1; do {{ ++{variable};"),
            },
        );
        self.loops.push(variable.clone());
        self.body(depth + 1, agreed);
        if self.random.chance(40) && !self.tidy {
            let condition = self.condition(agreed);
            let jump = self.random.pick(&["break", "continue", "return"]);
            self.line(depth + 1, &format!("if ({condition}) {jump};"));
            self.body(depth + 1, agreed);
        }
        self.loops.pop();
        self.line(
            depth,
            &match form {
                3 => format!("}} while ({variable} < {limit});"),
                _ => "}".to_owned(),
            },
        );
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
}

/// A kernel `kNUMBER`, which may use device variables that hold pointers, and two launches.
fn kernel(random: &mut Random, number: usize, variables: bool) -> (String, Vec<String>) {
    let (tidy, plain) = (random.chance(50), random.chance(70));
    let mut parameters = vec!["int m".to_owned()];
    let mut launches = [String::new(), String::new()];
    let (mut sources, mut targets) = (Vec::new(), Vec::new());
    // The buffers that it reads and writes, which may be the same unless it is tidy.
    let (one, two) = (random.next(BUFFERS), random.next(BUFFERS - 1));
    let two = if tidy && two == one { BUFFERS - 1 } else { two };
    let two = if tidy && two == one { 0 } else { two };
    let choices: [(&str, &str, bool, &str); 13] = [
        ("const int* a", "a", false, "B"),
        ("const int* __restrict__ q", "q", false, "B"),
        ("int const* const h", "h", false, "B + 64"),
        ("const unsigned char* c", "c", false, "(unsigned char*)B"),
        ("const unsigned* u", "u", false, "(unsigned*)B"),
        ("const volatile int* o", "o", false, "B"),
        ("int* b", "b", true, "B"),
        ("int* e", "(e - 256)", true, "B + 256"),
        ("int* f", "(f + 1)", true, "B - 1"),
        ("Pair p", "p.out", true, "Pair{B, B}"),
        ("int* const* pp", "pp[0]", true, "table_B"),
        ("unsigned char* d", "d", true, "(unsigned char*)B"),
        ("Sizes z", "", false, "Sizes{3, 4}"),
    ];
    for &(parameter, name, writes, argument) in &choices {
        if !random.chance(if name == "a" || name == "b" { 60 } else { 15 }) {
            continue;
        }
        parameters.push(parameter.to_owned());
        for (index, launch) in launches.iter_mut().enumerate() {
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
            _ if writes => targets.push(name),
            _ => sources.push(name),
        }
    }
    if variables && random.chance(20) {
        targets.push("slot");
    }
    if variables && random.chance(10) {
        targets.push("pair.out");
        sources.push("pair.in");
    }
    // One target only: elements of another type would overlap those of other threads.
    if tidy {
        targets.retain(|it| !it.starts_with("slot") && !it.starts_with("pair"));
        targets.truncate(1);
    }
    let mut kernel = Kernel {
        random,
        text: String::new(),
        tidy,
        plain,
        writing: true,
        names: 0,
        loops: Vec::new(),
        shared: vec![("s[", "]")],
        aliases: Vec::new(),
        sources,
        targets,
        budget: 0,
    };
    kernel.budget = 8 + kernel.random.next(18);
    let template = kernel.random.chance(20);
    let element = if template {
        "T"
    } else {
        kernel.random.pick(&["int", "int", "real"])
    };
    let head = if template { "template <class T> " } else { "" };
    let head = format!(
        "{head}__global__ void k{number}({}) {{",
        parameters.join(", ")
    );
    kernel.line(0, &head);
    kernel.line(1, "const int t = threadIdx.x; int v = t, w = 0;");
    let mut fill = vec!["s[t] = t;"];
    kernel.line(1, &format!("__shared__ {element} s[64];"));
    let extra: [(&str, (&str, &str), &str); 5] = [
        ("__shared__ int s2[64], s3[2];", ("s2[", "]"), "s2[t] = 1;"),
        (
            "__shared__ int g[8][8];",
            ("g[t / 8][(", ") % 8]"),
            "g[t / 8][t % 8] = t;",
        ),
        ("__shared__ int4 f4[64];", ("f4[", "].x"), "f4[t].x = 2;"),
        (
            "extern __shared__ int dynamic[];",
            ("dynamic[", "]"),
            "dynamic[t] = 3;",
        ),
        (
            "__shared__ struct { int x, y; } st[64];",
            ("st[", "].y"),
            "st[t].y = 4;",
        ),
    ];
    for (declaration, place, own) in extra {
        let unfit = (tidy && place.0.starts_with('g')) || (plain && place.0.starts_with("st"));
        if kernel.random.chance(25) && !unfit {
            kernel.line(1, declaration);
            kernel.shared.push(place);
            fill.push(own);
        }
    }
    let aliases: [(&str, (&str, &str)); 7] = [
        ("int* const ps = s;", ("ps[", "]")),
        ("int (&rs)[64] = s;", ("rs[", "]")),
        (
            "auto ms = [&](int i) -> int& { return s[i]; };",
            ("ms(", ")"),
        ),
        ("struct View { int* at; } view{s};", ("view.at[", "]")),
        (
            "auto xs = reinterpret_cast<unsigned long long>(s);",
            ("((int*)xs)[", "]"),
        ),
        ("", ("INTO(s, ", ")")),
        ("auto qs = &s[1];", ("(qs - 1)[", "]")),
    ];
    if !plain && kernel.random.chance(80) {
        for (declaration, place) in aliases {
            if kernel.random.chance(40) {
                kernel.line(1, declaration);
                kernel.aliases.push(place);
            }
        }
    }
    for own in fill {
        kernel.line(1, own);
    }
    kernel.line(1, "__syncthreads();");
    kernel.writing = false;
    for _ in 0..3 + kernel.random.next(6) {
        kernel.statement(1, true);
    }
    if let Some(target) = kernel.targets.first() {
        let text = format!("{target}[blockIdx.x * 64 + t] = v + w;");
        kernel.line(1, &text);
    }
    kernel.line(0, "}");
    let call = if template {
        format!("k{number}<int>")
    } else {
        format!("k{number}")
    };
    let launches = launches.iter().map(|arguments| {
        let (blocks, m) = (1 + kernel.random.next(2), kernel.random.next(8));
        format!("{call}<<<{blocks}, n, 256>>>({m}{arguments});")
    });
    let launches = launches.collect();
    (kernel.text, launches)
}

/// The program for a seed.
pub fn program(seed: u64, kernels: usize) -> String {
    let mut random = Random(random::Random::new(seed));
    // With device variables that hold pointers, a launch may write any memory.
    let variables = random.chance(30);
    let mut text = PRELUDE.to_owned();
    let mut host = String::new();
    for buffer in 0..BUFFERS {
        let written = if buffer + 1 == BUFFERS { 128 } else { 256 };
        let _ = write!(
            host,
            "  int *buffer{buffer}, **table_buffer{buffer}; cudaMalloc(&buffer{buffer}, 1024); cudaMalloc(&table_buffer{buffer}, 8);\n\
             \x20 cudaMemset(buffer{buffer}, {buffer}, {written} * 4); cudaMemcpy(table_buffer{buffer}, &buffer{buffer}, 8, cudaMemcpyHostToDevice);\n"
        );
    }
    let mut launches = Vec::new();
    for number in 0..kernels {
        let (kernel, of_kernel) = kernel(&mut random, number, variables);
        text += &kernel;
        launches.push(of_kernel);
    }
    if variables {
        host += "  Pair both{buffer0, buffer1};\n  cudaMemcpyToSymbol(slot, &buffer2, 8); cudaMemcpyToSymbol(pair, &both, sizeof both);\n";
    }
    for round in 0..2 {
        for of_kernel in &launches {
            if variables && random.chance(20) {
                let to = random.pick(&["buffer2", "buffer0"]);
                let _ = writeln!(host, "  cudaMemcpyToSymbol(slot, &{to}, 8);");
            }
            let _ = writeln!(host, "  {}", of_kernel[round]);
        }
    }
    let _ = write!(
        text,
        "int main() {{\n{host}  return cudaDeviceSynchronize();\n}}\n"
    );
    text
}
