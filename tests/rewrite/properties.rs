//! Properties that hold for every input.

use hirace_sample::random::Random;

use crate::invariants::check;

/// Pieces that random programs consist of.
const PIECES: &[&str] = &[
    "__global__ void k(int* a, Node* g) {",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "a[i]",
    "*p",
    "g->next",
    "x.y",
    "=",
    "+=",
    "++",
    "&",
    "*",
    "->",
    ".",
    "::",
    "<",
    ">",
    "<<<1, 2>>>",
    "(a, b)",
    "__shared__ float s[4]",
    "extern __shared__ int d[]",
    "__device__ int v",
    "__syncthreads()",
    "atomicAdd(&a[0], 1)",
    "template <class T>",
    "struct S {",
    "if (",
    "else",
    "for (auto x : s)",
    "while (",
    "return",
    "auto& r =",
    "[&](int i)",
    "[=] __device__",
    "#define M(x) a[x]\n",
    "#define N \\\n",
    "#if X\n",
    "#else\n",
    "#endif\n",
    "#ifdef Y\n",
    "M(1)",
    "\n",
    " ",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\",
    "\r\n",
    "0x1f",
    "1.5f",
    "asm(\"bar.sync 0;\")",
    "cuda::barrier<S> b",
    "reinterpret_cast<int*>(p)",
    "(T)*p",
    "sizeof(a[0])",
    "operator[]",
    "typename",
    "ü",
    "\u{feff}",
    "R\"x(",
    ")x\"",
    "cudaMalloc(",
    "k<T><<<g, b>>>(a, NULL)",
    "? a[0] : a[1]",
    "switch (a[0]) {",
    "case 1:",
    "~",
    "#",
    "##",
    "__align__(",
    "[[",
    "]]",
    "namespace n {",
    "const",
    "float4 v",
];

#[test]
fn random_programs_do_no_harm() {
    let mut random = Random::new(0);
    for _ in 0..400 {
        let mut text = String::new();
        for _ in 0..random.below(60) {
            text.push_str(random.pick::<&str>(PIECES));
            if random.chance(3) {
                text.push(' ');
            }
        }
        check(&text);
    }
}

#[test]
fn random_bytes_do_no_harm() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..random.below(300))
            .map(|_| random.next_u64() as u8)
            .collect();
        check(&String::from_utf8_lossy(&bytes));
    }
}

const PROGRAM: &str = include_str!("../../examples/block_sum.cu");

#[test]
fn damaged_programs_do_no_harm() {
    let mut random = Random::new(2);
    let characters: Vec<char> = PROGRAM.chars().collect();
    for _ in 0..120 {
        let mut damaged = characters.clone();
        for _ in 0..=random.below(4) {
            let at = random.below(damaged.len() as u64) as usize;
            match random.below(3) {
                0 => {
                    damaged.remove(at);
                }
                1 => damaged.insert(at, *random.pick(&['{', '}', '(', ')', '<', '"', '#', ';'])),
                _ => damaged.truncate(at.max(1)),
            }
        }
        check(&damaged.into_iter().collect::<String>());
    }
}

#[test]
fn deep_nesting_does_no_harm() {
    check(&format!(
        "__device__ void f(int* a) {{ a[0] = {}1{}; }}",
        "(".repeat(3000),
        ")".repeat(3000)
    ));
    check(&format!(
        "__device__ void f(int* a) {{ a[0] = {}1; }}",
        "a[0] + ".repeat(3000)
    ));
    check(&format!(
        "__device__ void f(int* a) {{ {}{} }}",
        "{".repeat(1000),
        "}".repeat(1000)
    ));
    check(&format!(
        "__device__ int f(int* a) {{ return {}0{}; }}",
        "a[".repeat(500),
        "]".repeat(500)
    ));
    check(&"#if X\n".repeat(3000));
    check(&"__attribute__((".repeat(3000));
    check(&"namespace n { ".repeat(2000));
}

/// Inputs on which the instrumenter once failed; `fuzz/README.md` says how they get here.
#[test]
fn regressions_of_fuzzing() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/regressions");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let bytes = std::fs::read(entry.expect("an entry").path()).expect("a file");
        if let Ok(text) = std::str::from_utf8(&bytes) {
            check(text);
            count += 1;
        }
    }
    assert!(count > 0, "there are no regressions");
}

/// The work for one fragment must not revisit all fragments before it.
#[test]
fn many_fragments_that_make_no_sense() {
    check(&"__device__ void f() { a[ }\n".repeat(4000));
    check(&"__device__ void f(int* a) { a[0] b c d; }\n".repeat(4000));
    check(&"__device__ int f(a,\n".repeat(15_000));
    check(&format!(
        "__device__ void f(int* a) {{ {} }}",
        "g(a[0], (a[1] = 2, 3));\n".repeat(4000)
    ));
}
