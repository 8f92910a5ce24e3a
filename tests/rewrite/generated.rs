//! Random expressions with a known number of loads: each load has a hook.
//!
//! C++ cannot be parsed without knowing which names are types: `(a[i]) + x` is a cast if `a` is a
//! type. No load may be lost if the grammar guesses wrong.

use hirace_sample::random::Random;

/// Functions, casts and classes that the expressions use.
const PRELUDE: &str = "typedef int real;
namespace ns { typedef int U; __device__ int sum(int a, int b) { return a + b; } }
struct Q { int a; };
__device__ int get(int a, int b) { return a - b; }
";

/// Generates expressions, and counts their loads.
struct Expressions<'a> {
    random: &'a mut Random,
    loads: usize,
}

impl Expressions<'_> {
    fn pick<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        self.random.pick::<&str>(choices)
    }

    fn make(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.chance(5) {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.random.below(17) {
            0..=5 => {
                let left = self.make(depth);
                let sign = self.pick(&[
                    "+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "<<", ">>", "<", ">", "==",
                    "!=", "<=", ">=",
                ]);
                // `p/*q` is a comment, `p&&q` and `n--1` are other operators.
                let close = !sign.contains(['/', '&', '+', '-', '*']) && self.random.chance(3);
                let blank = if close { "" } else { " " };
                format!("{left}{blank}{sign}{blank}{}", self.make(depth))
            }
            6..=8 => format!("({})", self.make(depth)),
            9 => {
                let types = [
                    "int",
                    "T",
                    "real",
                    "unsigned",
                    "unsigned long long",
                    "ns::U",
                    "float",
                    "size_t",
                ];
                format!("({})({})", self.pick(&types), self.make(depth))
            }
            10 => {
                let target = self.pick(&["int", "T", "real", "unsigned"]);
                let sign = self.pick(&["-", "~", "!", ""]);
                format!("({target}){sign}({})", self.make(depth))
            }
            11 => {
                let types = ["int", "T", "real", "float", "unsigned", "short"];
                format!("{}({})", self.pick(&types), self.make(depth))
            }
            12 => format!("{}({})", self.pick(&["-", "~", "!", "+"]), self.make(depth)),
            13 => {
                let (condition, yes) = (self.make(depth), self.make(depth));
                format!("({condition} ? {yes} : {})", self.make(depth))
            }
            14 => {
                let callee = self.pick(&["min", "get", "ns::sum"]);
                let first = self.make(depth);
                format!("{callee}({first}, {})", self.make(depth))
            }
            15 => {
                let target = self.pick(&["int", "T", "real"]);
                format!("static_cast<{target}>({})", self.make(depth))
            }
            _ => {
                self.loads += 1;
                format!("p[{}]", self.make(depth))
            }
        }
    }

    fn leaf(&mut self) -> String {
        let leaf = self.pick(&[
            "p[n]", "p[1]", "p[i * 2]", "*p", "*(p + n)", "s[i]", "q->a", "q[1].a", "(*q).a", "n",
            "1", "x",
        ]);
        self.loads += usize::from(leaf.contains(['p', 's', 'q']));
        leaf.to_owned()
    }
}

#[test]
fn every_load_of_random_expressions() {
    let mut random = Random::new(0);
    for round in 0..12 {
        let mut expected = Vec::new();
        let mut source = PRELUDE.to_owned();
        for kernel in 0..100 {
            let depth = 1 + random.below(5) as usize;
            let mut expressions = Expressions {
                random: &mut random,
                loads: 0,
            };
            let text = expressions.make(depth);
            let loads = expressions.loads;
            let statement = match random.below(6) {
                0 => format!("o[0] = {text};"),
                1 => format!("int v = {text};"),
                2 => format!("if ({text}) n = 1;"),
                3 => format!("get({text}, 1);"),
                4 => format!("for (; {text};) break;"),
                _ => format!("return (void)get({text}, 1);"),
            };
            expected.push((
                loads + usize::from(statement.starts_with("o[")),
                statement.clone(),
            ));
            source += &format!(
                "template <class T> __global__ void k{kernel}(int* o, const int* p, Q* q, int n, \
                 int i, T x) {{ __shared__ int s[32]; {statement} }}\n"
            );
        }
        let result = crate::run(&source, hirace::model::Backend::Gpu, &[]);
        let notes: Vec<_> = result.not_monitored.iter().map(|it| &it.reason).collect();
        assert!(notes.is_empty(), "round {round}: {notes:?}");
        for (kernel, (loads, statement)) in expected.iter().enumerate() {
            let line = PRELUDE.lines().count() + 1 + kernel;
            // A function's result may have a hook, which does nothing here.
            let found = result.sites.iter().filter(|site| {
                site.kind.is_access()
                    && site.line as usize == line
                    && !site.text.starts_with("get(")
            });
            assert_eq!(found.count(), *loads, "round {round}: {statement}");
        }
    }
}
