//! What a use of a name may be.

use hirace_syntax::names::{Home, Meaning, is_vector, meaning, meaning_in, takes_numbers};
use hirace_syntax::words::{Words, is_builtin_type};

use super::{Construct, Names};

/// Functions that order nothing and access no memory of other threads, besides those in the table of names.
const PURE: Words = Words::of(
    "printf assert static_assert sizeof alignof decltype noexcept __activemask __lanemask_lt clock clock64 __clock64 \
     __nanosleep __trap __brkpt __assume __builtin_assume __builtin_expect __builtin_unreachable move forward get \
     lowest epsilon infinity quiet_NaN swap isnan isinf this_thread_block tiled_partition sincos sincosf __sincosf malloc \
     free memcpy memmove memset memcmp __cvta_generic_to_shared",
);

/// First parts of names of intrinsics that take and return numbers: conversions, arithmetic, SIMD in a word.
const PURE_PREFIXES: &[&str] = &[
    "__int_as_",
    "__int2",
    "__uint",
    "__half",
    "__ll2",
    "__ull2",
    "__longlong_as_",
    "__short",
    "__ushort",
    "__low",
    "__high",
    // Half precision (CUDA Math API, "Half Precision Intrinsics").
    "__habs",
    "__hadd",
    "__halves",
    "__hb",
    "__hcmadd",
    "__hdiv",
    "__heq",
    "__hfma",
    "__hg",
    "__his",
    "__hl",
    "__hmax",
    "__hmin",
    "__hmul",
    "__hne",
    "__hsub",
    // Words of two or four numbers (CUDA Math API, "SIMD Intrinsics").
    "__vabs",
    "__vadd",
    "__vavg",
    "__vcmp",
    "__vhadd",
    "__vmax",
    "__vmin",
    "__vneg",
    "__vsad",
    "__vset",
    "__vsub",
];

/// Types of CUDA and the standard library whose objects order nothing.
const TYPES: Words = Words::of(
    "dim3 half half2 size_t ptrdiff_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t \
     intptr_t uintptr_t uint ushort uchar ulong thread_block thread_block_tile complex array pair tuple numeric_limits \
     initializer_list",
);

/// First parts of names of such types.
const TYPE_PREFIXES: [&str; 4] = ["cuda", "curand", "__half", "__nv_bfloat"];

/// The barrier that is one of some lanes if it has an argument.
pub(super) const MASKED: &str = "__syncwarp";

/// How a function calls another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// The name is there, whatever for.
    Mention,
    /// `f()`
    Plain,
    /// `f(…)` with arguments.
    WithArguments,
    /// `object.f(…)`
    Method,
    /// An object of a type of this name is declared, or converted to.
    Type,
    /// An object of a type of this name is called.
    Object,
}

/// What a use of a name may be, besides the functions and macros of that name.
pub(super) fn construct(names: &dyn Names, name: &str, form: Form) -> Option<Construct> {
    let unknown = |is_known: bool| (!is_known).then_some(Construct::Unknown);
    let is_type =
        || is_builtin_type(name) || names.is_type(name) || TYPES.has(name) || is_vector(name);
    // Functions of the program whose bodies are elsewhere may do anything.
    if form != Form::Mention && names.is_declared_only(name) {
        return Some(Construct::Unknown);
    }
    match form {
        // It may be the argument of a macro that calls it. Functions of the host have meanings, too.
        Form::Mention => meaning(name)
            .and_then(|it| of_meaning(it, name, form))
            .filter(|it| *it != Construct::Unknown),
        Form::Type => {
            let is_of_library = TYPE_PREFIXES.iter().any(|it| name.starts_with(it));
            unknown(names.is_macro(name) || is_of_library || is_type())
        }
        Form::Object => unknown(names.is_class(name)),
        Form::Method => {
            let is_of_group = meaning_in(Home::Group, name).is_some() || name == "thread_rank";
            let orders = meaning_in(Home::CudaObject, name).is_some() || name == "sync";
            unknown(names.is_macro(name) || is_of_group || !orders && names.is_defined(name, true))
        }
        Form::Plain | Form::WithArguments => match meaning(name) {
            Some(known) => of_meaning(known, name, form),
            None => unknown(
                names.is_macro(name)
                    || names.is_defined(name, false)
                    || PURE.has(name)
                    || PURE_PREFIXES.iter().any(|it| name.starts_with(it))
                    || is_type()
                    || takes_numbers(name),
            ),
        },
    }
}

/// What a function in the table of names is.
fn of_meaning(meaning: Meaning, name: &str, form: Form) -> Option<Construct> {
    let is_exchange = || {
        ["atomicCAS", "atomicExch"]
            .iter()
            .any(|it| name.starts_with(it))
    };
    Some(match meaning {
        Meaning::BlockBarrier => Construct::BlockBarrier,
        Meaning::WarpBarrier if name == MASKED && form == Form::WithArguments => {
            Construct::MaskedBarrier
        }
        Meaning::WarpBarrier | Meaning::WarpVote | Meaning::WarpExchange => Construct::WarpBarrier,
        Meaning::Fence(_) | Meaning::FenceOfArgument => Construct::Fence,
        Meaning::Atomic if is_exchange() => Construct::Exchange,
        Meaning::Atomic => Construct::Atomic,
        Meaning::HintedLoad
        | Meaning::HintedStore
        | Meaning::Numeric
        | Meaning::TextureFetch
        | Meaning::SurfaceRead
        | Meaning::SurfaceWrite
        | Meaning::RandomNumber { .. } => return None,
        _ => Construct::Unknown,
    })
}
