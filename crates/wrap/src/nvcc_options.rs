//! nvcc's options, with both their names.

use super::items::{Meaning, Stage};

/// An option: its names, whether a value follows, and its meaning.
struct Spec {
    long: &'static str,
    short: &'static str,
    value: Value,
    meaning: Meaning,
}

/// What follows an option's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    None,
    One,
    List,
}

const fn spec(long: &'static str, short: &'static str, value: Value, meaning: Meaning) -> Spec {
    Spec {
        long,
        short,
        value,
        meaning,
    }
}

use Meaning::{
    Debug, DefaultStream, Define, Dependencies, DependencyFile, DependencyRule, Device,
    ForcedInclude, HostCompiler, HostOptions, Include, Language, Library, LibraryPath,
    LinkerOptions, Optimise, Other, Output, OutputDirectory, Shared, Standard, SystemInclude,
    Undefine, Unsupported,
};
use Value::{List, None as No, One};

/// The options that have a meaning for us.
#[rustfmt::skip]
const OPTIONS: &[Spec] = &[
    spec("compile", "c", No, Meaning::Stage(Stage::Object)),
    spec("device-c", "dc", No, Meaning::Stage(Stage::Object)),
    spec("device-w", "dw", No, Meaning::Stage(Stage::Object)),
    spec("cuda", "cuda", No, Meaning::Stage(Stage::DeviceCode)),
    spec("cubin", "cubin", No, Meaning::Stage(Stage::DeviceCode)),
    spec("fatbin", "fatbin", No, Meaning::Stage(Stage::DeviceCode)),
    spec("ptx", "ptx", No, Meaning::Stage(Stage::DeviceCode)),
    spec("optix-ir", "optix-ir", No, Meaning::Stage(Stage::DeviceCode)),
    spec("ltoir", "ltoir", No, Meaning::Stage(Stage::DeviceCode)),
    spec("device-link", "dlink", No, Meaning::Stage(Stage::DeviceLink)),
    spec("lib", "lib", No, Meaning::Stage(Stage::Library)),
    spec("link", "link", No, Meaning::Stage(Stage::Link)),
    spec("preprocess", "E", No, Meaning::Stage(Stage::Nothing)),
    spec("generate-dependencies", "M", No, Meaning::Stage(Stage::Nothing)),
    spec("generate-nonsystem-dependencies", "MM", No, Meaning::Stage(Stage::Nothing)),
    spec("dryrun", "dryrun", No, Meaning::Stage(Stage::Nothing)),
    spec("clean-targets", "clean", No, Meaning::Stage(Stage::Nothing)),
    spec("version", "V", No, Meaning::Stage(Stage::Nothing)),
    spec("help", "h", No, Meaning::Stage(Stage::Nothing)),
    spec("list-gpu-code", "code-ls", No, Meaning::Stage(Stage::Nothing)),
    spec("list-gpu-arch", "arch-ls", No, Meaning::Stage(Stage::Nothing)),
    spec("generate-dependencies-with-compile", "MD", No, Dependencies),
    spec("generate-nonsystem-dependencies-with-compile", "MMD", No, Dependencies),
    spec("dependency-output", "MF", One, DependencyFile),
    spec("generate-dependency-targets", "MP", No, DependencyRule),
    spec("dependency-target-name", "MT", One, DependencyRule),
    spec("output-file", "o", One, Output),
    spec("output-directory", "odir", One, OutputDirectory),
    spec("pre-include", "include", List, ForcedInclude),
    spec("library", "l", List, Library),
    spec("library-path", "L", List, LibraryPath),
    spec("define-macro", "D", List, Define),
    spec("undefine-macro", "U", List, Undefine),
    spec("include-path", "I", List, Include),
    spec("system-include", "isystem", List, SystemInclude),
    spec("compiler-bindir", "ccbin", One, HostCompiler),
    spec("compiler-options", "Xcompiler", List, HostOptions),
    spec("linker-options", "Xlinker", List, LinkerOptions),
    spec("x", "x", One, Language),
    spec("std", "std", One, Standard),
    spec("default-stream", "default-stream", One, DefaultStream),
    spec("optimize", "O", One, Optimise),
    spec("debug", "g", No, Debug),
    spec("device-debug", "G", No, Debug),
    spec("shared", "shared", No, Shared),
    spec("profile", "pg", No, Shared),
    spec("disable-warnings", "w", No, Shared),
    spec("stdlib", "stdlib", One, Shared),
    spec("verbose", "v", No, Other),
    spec("run", "run", No, Unsupported),
    spec("relocatable-link", "r", No, Unsupported),
];

/// Single letters that also accept a joined value.
pub(super) const JOINED: [&str; 8] = ["I", "D", "U", "L", "l", "O", "m", "t"];

/// Options that affect only device code for a GPU, by what follows them: the long name, and the
/// short name if it differs.
const DEVICE_OPTIONS: [(Value, &str); 3] = [
    (
        No,
        "no-exceptions=noeh generate-line-info=lineinfo extended-lambda expt-extended-lambda \
    expt-relaxed-constexpr use_fast_math restrict extra-device-vectorization keep save-temps \
    objdir-as-tempdir=objtemp keep-device-functions source-in-ptx=src-in-ptx \
    resource-usage=res-usage extensible-whole-program=ewp dlink-time-opt=dlto lto \
    gen-opt-lto no-compress no-device-link=nodlink allow-unsupported-compiler \
    forward-unknown-to-host-compiler forward-unknown-to-host-linker forward-unknown-opts \
    display-error-number=err-no no-display-error-number=no-err-no \
    no-host-device-initializer-list=nohdinitlist no-host-device-move-forward=nohdmoveforward \
    m64 jobserver prune utf-8 augment-host-linker-script=aug-hls Wreorder \
    Wdefault-stream-launch Wmissing-launch-bounds Wext-lambda-captures-this \
    Wno-deprecated-gpu-targets skip-ptx-semantics-check use-local-env \
    relocatable-ptx=reloc-ptx",
    ),
    (
        One,
        "host-linker-script=hls archiver-binary=arbin cudart cudadevrt libdevice-directory=ldir \
    target-directory=target-dir Ofast-compile=Ofc dopt ftemplate-backtrace-limit \
    ftemplate-depth machine=m apply-controls static-global-template-stub \
    device-entity-has-hidden-visibility threads=t fmax-errors split-compile \
    split-compile-extended fdevice-time-trace keep-dir time input-drive-prefix=idp \
    dependency-drive-prefix=ddp drive-prefix=dp gpu-architecture=arch \
    relocatable-device-code=rdc maxrregcount ftz prec-div prec-sqrt fmad \
    brief-diagnostics=brief-diag jump-table-density=jtd device-stack-protector compress-mode \
    frandom-seed fdevice-sanitize",
    ),
    (
        List,
        "run-args tileiras-options=Xtileiras optimization-info=opt-info archive-options=Xarchive \
    ptxas-options=Xptxas nvlink-options=Xnvlink nvprune-options=Xnvprune \
    cudafe-options=Xcudafe gpu-code=code generate-code=gencode entries=e Werror diag-error \
    diag-suppress diag-warn",
    ),
];

/// The value and the meaning of an option, by its long name or its short one.
pub(super) fn find(long: Option<&str>, short: Option<&str>) -> Option<(Value, Meaning)> {
    let is = |its_long: &str, its_short: &str| long == Some(its_long) || short == Some(its_short);
    let known = OPTIONS.iter().find(|it| is(it.long, it.short));
    known.map(|it| (it.value, it.meaning)).or_else(|| {
        let is_named = |it: &str| {
            let (long, short) = it.split_once('=').unwrap_or((it, it));
            is(long, short)
        };
        let mut kinds = DEVICE_OPTIONS.iter();
        let (value, _) = kinds.find(|(_, names)| names.split_whitespace().any(is_named))?;
        Some((*value, Device))
    })
}
