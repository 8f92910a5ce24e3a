//! Parts of the model that no test can need, each with the reason.

/// The order engine's tests (`tests/order`) have accesses of several sizes.
const ONE_SIZE: &str = "All accesses of a litmus test to a location are of the same bytes, and a read reads from one write.";

/// A statement, parts of it, and why the verdicts are the same without any one of them.
pub const IMPLIED: &[(&str, &[&str], &str)] = &[
    (
        "same-proxy",
        &["TEX * TEX", "CON * CON"],
        "Textures and constants are only read. Every axiom, and the race flag, relates two accesses \
         of which one writes, so that no two accesses of these proxies matter to it.",
    ),
    (
        "co",
        &["orders(ms, po) -> orders(ms)"],
        "Program order of morally strong writes is causality order, which coherence contains.",
    ),
    (
        "scoped",
        &["(po | po^-1)", "po", "po^-1"],
        "In program order, accesses of one address by one proxy are related in causality order \
         anyhow, and so they neither race nor contradict it. A weak write that its own thread's \
         read-modify-write observes is followed by that operation's write in every chain.",
    ),
    (
        "scoped",
        &["(strong * strong)"],
        "`sr` relates only operations with a scope, and these are strong.",
    ),
    (
        "release-op",
        &["W", "ACQ_REL"],
        "Of an acq_rel operation, the write is in REL. Fences in ACQ_REL are no patterns by \
         themselves, because obs and po-loc start at accesses.",
    ),
    (
        "acquire-op",
        &["R", "ACQ_REL"],
        "Of an acq_rel operation, the read is in ACQ. obs and po-loc end at accesses.",
    ),
    (
        "strong-write",
        &["W", "strong"],
        "obs starts at writes. A weak write is observed only in its own thread, where program order \
         suffices, or through a read-modify-write there, whose write makes the same pattern.",
    ),
    ("strong-read", &["R"], "obs ends at reads."),
    (
        "release",
        &["[strong-write]", "[strong-write]#2"],
        "As for `strong-write`: obs starts at writes, and a weak one adds nothing.",
    ),
    (
        "leave",
        &["M"],
        "This adds pairs that start at a fence, and every axiom uses only pairs of accesses.",
    ),
    (
        "enter",
        &["M"],
        "This adds pairs that end at a fence, and every axiom uses only pairs of accesses.",
    ),
    (
        "preserved",
        &["loc", "~(M * M)"],
        "Every axiom restricts causality order to pairs of accesses to one location.",
    ),
    (
        "mo",
        &["loc"],
        "Causality order relates two accesses only if they are to one location.",
    ),
    ("overlap-completely", &["same_bytes"], ONE_SIZE),
    ("within", &["same_bytes"], ONE_SIZE),
    (
        "from-read",
        &["id"],
        "The relation goes from reads to writes, and no event is both.",
    ),
    ("from-read", &["loc"], ONE_SIZE),
    (
        "fence-sc",
        &["(obs ; base)", "obs", "base#2"],
        "sync_fence ends at a fence, and obs starts at a write.",
    ),
    (
        "atomicity",
        &["ms", "ms#2"],
        "What comes between the parts without being morally strong to them is ordered before the \
         write by causality, and thus before the read, which then does not precede it.",
    ),
    (
        "conflict",
        &["(W * M)", "(M * W)"],
        "The rest of `race` is symmetrical, and only whether it is empty counts.",
    ),
];
