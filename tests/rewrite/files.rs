//! Whole files: text added at the beginning and end, sites, and bad input.

use expect_test::expect;
use hirace::model::{Backend, ResultUse};
use hirace::rewrite::Defines;
use hirace::rewrite::{
    DeviceLinkage, Facts, LaunchSelection, MonitorAll, Options, Selection, Skip, Source,
    instrument, is_instrumented,
};
use hirace::table::Numbering;

use crate::{check, run};

#[test]
fn header_and_site_table() {
    let source = "__global__ void k(int* a) {\n  // ü\n  a[ threadIdx.x ]\n    += 1; a[0] = '\"' == a[1]; }\n";
    expect![[r##"
        #include <hirace/hirace.cuh>
        #line 1 "test.cu"
        __global__ void k(int* a) { ::hirace::cpu::name_parameters<1, 0x00100000u>(a);
          // ü
          ::hirace::update(0x00100000u, a[ threadIdx.x ])
            += 1; ::hirace::write(0x00100001u, a[0]) = '"' == ::hirace::read(0x00100002u, a[1]); }

        #ifndef HIRACE_SITES_1
        #define HIRACE_SITES_1
        namespace { const ::hirace::Site hirace_sites_1[] = {
        {"a[ threadIdx.x ]","a","k",3,3,16,::hirace::SiteKind::update,::hirace::ResultUse::unused},
        {"a[0]","a","k",4,11,4,::hirace::SiteKind::write,::hirace::ResultUse::used},
        {"a[1]","a","k",4,25,4,::hirace::SiteKind::read,::hirace::ResultUse::used},
        };
        const bool hirace_sites_registered_1 = ::hirace::register_sites({1048576u, 1u, "test.cu", hirace_sites_1, 3, "{\"digest\":6538034412506975351,\"kernels\":[\"k\"],\"variables\":[{\"number\":0,\"name\":\"a\"}],\"coverage\":{\"functions\":1,\"untouched\":0,\"monitored\":3,\"private\":3,\"switched_off\":0,\"not_monitored\":0}}", "0 k\012"}); }
        #endif
    "##]].assert_eq(&run(source, Backend::Cpu, &[]).text);
}

#[test]
fn sites_tell_whether_a_value_is_used() {
    let source = "__global__ void k(int* a, int* b) {
        a[0] += 1; ++(a[1]); int i = a[2]++; b[i] = (a[3] += 2);
        for (;; a[4]++, ++a[5]) if (a[6]++, b[0]) break;
        atomicAdd(&a[7], 1); i = atomicAdd(&a[8], 1); while (a[9]--) {}
        b[atomicAdd(&a[10], 1) % 64] = 1; *(b + atomicAdd(&a[11], 1)) = 2;
        int slot = atomicAdd(&a[12], 1); if (slot < 64) b[slot] = 3;
        int last = atomicAdd(&a[13], 1); if (last == 64) b[last] = 4;
        b[atomicAdd(&a[14], 1) == 64] = 5;
    }";
    let sites = run(source, Backend::Cpu, &[]).sites;
    let used_as = |result| {
        let sites = sites.iter().filter(move |it| it.result == result);
        sites.map(|it| it.text.as_str()).collect::<Vec<_>>()
    };
    let unused = ["a[0]", "a[1]", "a[4]", "a[5]", "a[6]", "a[7]"];
    assert_eq!(used_as(ResultUse::Unused), unused);
    assert_eq!(used_as(ResultUse::Index), ["a[10]", "a[11]", "a[12]"]);
}

#[test]
fn columns_count_characters() {
    let result = run(
        "__device__ void f(int* a) { /* äöü */ a[0] = 1; }",
        Backend::Cpu,
        &[],
    );
    assert_eq!((result.sites[0].line, result.sites[0].column), (1, 39));
}

#[test]
fn byte_order_mark_stays_first() {
    let result = run(
        "\u{feff}__device__ void f(int* a) { a[0] = 1; }\r\n",
        Backend::Cpu,
        &[],
    );
    assert!(
        result
            .text
            .starts_with("\u{feff}#include <hirace/hirace.cuh>\n#line 1 \"test.cu\"\n__dev")
    );
    assert!(result.text.contains("}\r\n"));
    assert_eq!(result.sites[0].column, 29);
}

#[test]
fn instrumented_files_are_known() {
    let result = run("int main() {}\n", Backend::Cpu, &[]);
    assert!(is_instrumented(&result.text));
    assert!(!is_instrumented("int main() {}\n"));
    assert!(!is_instrumented(
        "#include <hirace/hirace.cuh>\nint main() {}\n"
    ));
}

#[test]
fn headers_without_device_code_stay_as_they_are() {
    let defines = Defines::new();
    let source = Source {
        path: "a.h",
        text: "inline int f(int* p) { return p[0]; }\n",
    };
    let facts = Facts::collect([&source], &defines);
    let options = Options {
        backend: Backend::Cpu,
        numbering: crate::NUMBERING,
        whole_program: true,
        linkage: DeviceLinkage::Unknown,
        location: None,
        selection: &MonitorAll,
        defines: &defines,
        skip: Skip::default(),
        prelude: &[],
        describe: false,
    };
    assert_eq!(instrument(&source, &facts, &options).text, source.text);
}

/// The text of a file instrumented on its own, and the number of its first site.
fn by_content(path: &str, text: &str, location: &str, arguments: &[&str]) -> (String, u32) {
    let defines = Defines::from_arguments(arguments);
    let source = Source { path, text };
    let options = Options {
        backend: Backend::Cpu,
        numbering: Numbering::ByContent,
        whole_program: true,
        linkage: DeviceLinkage::Unknown,
        location: Some(location),
        selection: &MonitorAll,
        defines: &defines,
        skip: Skip::default(),
        prelude: &[],
        describe: false,
    };
    let result = instrument(&source, &Facts::collect([&source], &defines), &options);
    let id = format!("write(0x{:08x}u, ", result.base);
    assert!(result.text.contains(&id), "{}", result.text);
    (result.text, result.base)
}

#[test]
fn numbers_by_content() {
    let text = "#ifdef TWICE\n#define N 2\n#else\n#define N 1\n#endif\n\
                __device__ inline void set(int* a) {\n#if N == 1\n  a[1] = N;\n#else\n  a[2] = N;\n#endif\n}\n";
    let (plain, base) = by_content("a.h", text, "/x/a.h", &[]);
    // The same in any directory, and with definitions that do not matter.
    assert_eq!(
        by_content("a.h", text, "/x/a.h", &["-DELSE"]),
        (plain, base)
    );
    assert_eq!(by_content("a.h", text, "/y/a.h", &[]).1, base);
    // A different number for other text or another file.
    assert_ne!(by_content("b.h", text, "/x/a.h", &[]).1, base);
    let other = text.replace("a[1]", "a[3]");
    assert_ne!(by_content("a.h", &other, "/x/a.h", &[]).1, base);
}

/// What becomes of the first of these files, each a path and a text.
fn first_of(files: &[(&str, &str)], linkage: DeviceLinkage) -> String {
    let defines = Defines::new();
    let sources = files.iter().map(|&(path, text)| Source { path, text });
    let sources: Vec<Source<'_>> = sources.collect();
    let options = Options {
        linkage,
        ..Options::new(Backend::Cpu, &defines)
    };
    instrument(&sources[0], &Facts::collect(&sources, &defines), &options).text
}

#[test]
fn each_file_has_its_own_device_code() {
    use DeviceLinkage::{Linked, PerFile, Unknown};
    let text = "__constant__ float c[2] = {1, 2};\n__device__ float f(int i) { return c[1]; }\n";
    let own = "static __constant__ float c[2] = {1, 2};\nstatic __device__ float f(";
    // nvcc without -rdc, and names that two files define.
    assert!(first_of(&[("a.cu", text)], PerFile).contains(own));
    assert!(first_of(&[("a.cu", text), ("b.cu", text)], Unknown).contains(own));
    for linkage in [Unknown, Linked] {
        assert!(first_of(&[("a.cu", text)], linkage).contains(&format!("1 \"a.cu\"\n{text}")));
    }
    // A header that several files may include.
    let header = first_of(
        &[("a.cuh", text), ("b.cu", "#include \"a.cuh\"\n")],
        Unknown,
    );
    let once =
        "__attribute__((__weak__)) __constant__ float c[2] = {1, 2};\ninline __device__ float f(";
    assert!(header.contains(once), "{header}");
    // A file without device code may define the name, but not one whose qualifiers a macro supplies.
    let device = (
        "main.cu",
        "#include \"macros.h\"\nDEV float g(float c) { return f(c); }\n",
    );
    let macros = ("macros.h", "#define DEV __device__\n");
    let of_header = |other| first_of(&[("a.cuh", text), other, macros], Unknown);
    assert!(of_header(("main.cu", "int c = 1, f;\n")).contains(own));
    assert!(of_header(device).contains(once));
    // Others declare the names, or they say already how they are linked.
    let declared = (
        "b.cu",
        "extern __constant__ float c[2];\n__device__ float f(int i);\n",
    );
    assert!(first_of(&[("a.cu", text), declared], PerFile).contains(&format!("\n{text}")));
    let text = "#define API __device__ static\nAPI int f() { return 0; }\ninline __device__ int g() { return 0; }\n\
                extern \"C\" __device__ int h() { return 0; }\n__constant__ const int n = 1;\n\
                template <class T> __device__ int t() { return 0; }\n";
    assert!(first_of(&[("a.cuh", text)], PerFile).contains(text));
}

#[test]
fn facts_cross_files() {
    let defines = Defines::new();
    let header = Source {
        path: "a.cuh",
        text: "#define AT(i) data[i]\n#define DEV __device__\nDEV void set(int& x);\nextern DEV int total;\n",
    };
    let main = Source {
        path: "main.cu",
        text: "DEV void f(int* data) { set(data[0]); AT(1) = total; }\n",
    };
    let other = Source {
        path: "other.cu",
        text: "static __device__ int data;\n",
    };
    let facts = Facts::collect([&header, &main, &other], &defines);
    let options = Options {
        backend: Backend::Cpu,
        numbering: Numbering::Given {
            base: 0x0020_0000,
            key: 2,
        },
        whole_program: true,
        linkage: DeviceLinkage::Unknown,
        location: None,
        selection: &MonitorAll,
        defines: &defines,
        skip: Skip::default(),
        prelude: &[],
        describe: false,
    };
    let result = instrument(&main, &facts, &options);
    let line = result.text.lines().nth(2).unwrap_or_default();
    expect!["DEV void f(int* data) { set(data[0]); ::hirace::write(0x00200000u, AT(1)) = ::hirace::read(0x00200001u, total); }"].assert_eq(line);
}

struct Chosen;

impl Selection for Chosen {
    fn launch(&self, kernel: &str) -> LaunchSelection {
        LaunchSelection {
            monitor: kernel != "off",
            shared: false,
            first_block: 2,
            last_block: 3,
            ..Default::default()
        }
    }
    fn monitors(&self, function: &str, variable: &str) -> bool {
        function != "off" && variable != "skip"
    }
}

#[test]
fn selection() {
    let defines = Defines::new();
    let source = Source {
        path: "s.cu",
        text: "__global__ void on(int* a, int* skip) { a[0] = skip[a[1]]; atomicAdd(skip, 1); }\n\
               __global__ void off(int* a) { a[0] = 1; __syncthreads(); }\n\
               void h() { on<<<1, 1>>>(0, 0); off<<<1, 1>>>(0); }\n",
    };
    let facts = Facts::collect([&source], &defines);
    let options = Options {
        backend: Backend::Cpu,
        numbering: crate::NUMBERING,
        whole_program: true,
        linkage: DeviceLinkage::Unknown,
        location: None,
        selection: &Chosen,
        defines: &defines,
        skip: Skip::default(),
        prelude: &[],
        describe: false,
    };
    let result = instrument(&source, &facts, &options);
    let lines: Vec<&str> = result.text.lines().skip(2).take(3).collect();
    expect![[r#"
        __global__ void on(int* a, int* skip) { ::hirace::cpu::name_parameters<2, 0x00100000u>(a, skip); ::hirace::write(0x00100000u, a[0]) = skip[::hirace::read(0x00100001u, a[1])]; ::hirace::atomicAdd(0x00100002u, skip, 1); }
        __global__ void off(int* a) { HIRACE_BEGIN_REGIONS(int* a) ::hirace::cpu::name_parameters<1, 0x00100002u>(a); a[0] = 1; HIRACE_REGION_BARRIER(0x00100005u);  HIRACE_END_REGIONS(a) }
        void h() { ::hirace::cpu::launch(::hirace::LaunchInfo{"on", 0x00100003u, true, 2, 2u, 0x3u}, dim3(1), dim3(1), 0, 0, [= ] { on(0, 0); }); ::hirace::cpu::launch(::hirace::LaunchInfo{"off", 0x00100004u, false, 2, 2u, 0x3u}, dim3(1), dim3(1), 0, 0, [=] { off(0); }); }"#]].assert_eq(&lines.join("\n"));
}

#[test]
fn unbalanced_braces() {
    check(
        "__global__ void k(int* a) {\n  if (a[0]) {\n    a[1] = 2;\n}\n",
        expect![[r#"
            __global__ void k(int* a) {
              if (a[0]) {
                a[1] = 2;
            }

            not monitored, line 1: kernel `k` contains syntax that hirace cannot parse (line 4, column 2)
            error at 26: this brace is never closed"#]],
    );
    check(
        "__global__ void k(int* a) {\n  a[1] = 2;\n}\n}\n",
        expect![[r#"
        __global__ void k(int* a) {
          W0(a[1]) = 2;
        }
        }

        error at 42: this closing brace matches no opening one"#]],
    );
    check(
        "int a; /* never closed\n",
        expect![[r#"
        int a; /* never closed

        error at 7: this comment is never closed"#]],
    );
    check(
        "#if X\nint a;\n",
        expect![[r#"
        #if X
        int a;

        error at 0: this conditional has no #endif"#]],
    );
    check("", expect![[""]]);
}

#[test]
fn variables_alone_need_the_header() {
    for source in [
        "__device__ int x = 0;\n",
        "__constant__ float c[2];\n",
        "extern __device__ int x;\n",
    ] {
        for backend in [Backend::Cpu, Backend::Gpu] {
            let text = run(source, backend, &[]).text;
            assert!(text.starts_with("#include <hirace/hirace.cuh>\n"), "{text}");
        }
    }
}

#[test]
fn functions_of_other_files() {
    let kernel = |before: &str| format!("{before}__global__ void k(int* a) {{ f(a[0]); }}\n");
    let by_value = kernel("static __device__ int f(int i) { return i; }\n");
    let by_reference = "static __device__ void f(int& i) { i = 1; }\n";
    let reads = |files: &[(&str, &str)]| {
        let text = first_of(files, DeviceLinkage::Unknown);
        text.contains("f(::hirace::read(")
    };
    // Each source file has its own.
    assert!(reads(&[("a.cu", &by_value), ("b.cu", by_reference)]));
    // One that another file includes, or a header, can be seen.
    let includes = format!("#include \"sub/b.cu\"\n{}", kernel(""));
    assert!(!reads(&[("a.cu", &includes), ("sub/b.cu", by_reference)]));
    assert!(!reads(&[("a.cu", &by_value), ("b.cuh", by_reference)]));
    // What no directive shows may be included by a macro.
    assert!(!reads(&[("a.cu", &kernel("")), ("b.cu", by_reference)]));
}
