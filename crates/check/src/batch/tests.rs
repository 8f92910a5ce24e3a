use super::*;

/// The program in the first of `files`, which are names and texts; the others are its headers.
fn flat(number: usize, files: &[(&str, &str)]) -> Result<Flat, Unfit> {
    let directory = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        std::fs::write(directory.path().join(name), text).expect("a file");
    }
    let arguments = Arguments::default();
    let program = [directory.path().join(files[0].0)];
    let tree = hirace_instrument::collect(&program, &arguments).expect("a tree");
    let texts = tree.sources().map(|(_, text)| text.as_bytes());
    let mut flat = Flat::of(number, &tree, texts, &arguments)?;
    let here = format!("{}/", directory.path().display());
    flat.text = flat.text.replace(&here, "");
    Ok(flat)
}

#[test]
fn headers_come_first_and_macros_end_with_their_program() {
    let header = ("egr.h", "#pragma once\nint edges;\n");
    let a = flat(
        0,
        &[
            (
                "a.cu",
                "#include <vector>\n#include \"egr.h\"\n#define N 3\n",
            ),
            header,
        ],
    );
    let b = flat(
        1,
        &[("b.cu", "#include <vector>\n#define F(x) x\n"), header],
    );
    assert_eq!(
        compile_only(&[&a.unwrap(), &b.unwrap()]),
        "#if __has_include(<vector>)\n#include <vector>\n#endif\n\
         namespace hirace_member_0 {\n#pragma push_macro(\"N\")\n\
         #line 1 \"0:/a.cu\"\n\n\n#line 1 \"0:/egr.h\"\n\nint edges;\n\n\
         #line 3 \"0:/a.cu\"\n#define N 3\n\n\
         #undef N\n#pragma pop_macro(\"N\")\n}\n\
         namespace hirace_member_1 {\n#pragma push_macro(\"F\")\n\
         #line 1 \"1:/b.cu\"\n\n#define F(x) x\n\n\
         #undef F\n#pragma pop_macro(\"F\")\n}\n\
         int main() {}\n"
    );
}

#[test]
fn what_would_mean_something_else_in_a_namespace_is_compiled_separately() {
    for text in [
        "cudaMemcpyToSymbol(::total, &zero, 4);",
        "#define ASK 1\n#include <vector>",
        "#include HEADER",
        "#pragma pack(1)",
    ] {
        assert!(flat(0, &[("a.cu", text)]).is_err(), "{text}");
    }
    for text in [
        "::hirace::read(1u, a[i]);",
        "std::vector<int>::iterator it;",
        "typename decltype(f())::type x;",
        "a ? b :: c;",
        "#pragma push_macro(\"read\")\n#undef read\nint read;\n#pragma pop_macro(\"read\")",
    ] {
        assert!(flat(0, &[("a.cu", text)]).is_ok(), "{text}");
    }
}
