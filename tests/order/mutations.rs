//! Rules of the engine, each broken once: the model refutes each broken engine.

/// The name of the rule, the file, what it says, and what is put in its place.
pub const MUTATIONS: [(&str, &str, &str, &str); 20] = [
    (
        "a scope includes the threads of its own block only",
        "operation.h",
        "return scope != Scope::block || of.block == other.block;",
        "return true || scope != Scope::block || of.block == other.block;",
    ),
    (
        "both operations must be strong",
        "engine.h",
        "return of_a.strong() && of_b.strong() && includes(of_a.how.scope, a, b)",
        "return (of_a.strong() || of_b.strong()) && includes(of_a.how.scope, a, b)",
    ),
    (
        "the scope of the later operation counts",
        "engine.h",
        "includes(of_a.how.scope, a, b) && includes(of_b.how.scope, b, a)",
        "includes(of_b.how.scope, b, a)",
    ),
    (
        "an acquire learns",
        "engine.h",
        "    join(state.known, seen->second.block);",
        "",
    ),
    (
        "an acquire of the block's scope learns nothing from other blocks",
        "engine.h",
        "    if (access.how.scope != Scope::block) join(state.known, seen->second.device);",
        "    join(state.known, seen->second.device);",
    ),
    (
        "an acquire ends the patterns of earlier reads of the location",
        "engine.h",
        "    if (access.reads() && acquires(access.how.order)) acquire",
        "    if (observes && acquires(access.how.order)) acquire",
    ),
    (
        "a fence ends the patterns of earlier strong reads",
        "engine.h",
        "    join(state.known, state.seen.block);\n",
        "",
    ),
    (
        "a fence of the block's scope learns nothing from other blocks",
        "engine.h",
        "    if (scope != Scope::block) join(state.known, state.seen.device);",
        "    join(state.known, state.seen.device);",
    ),
    (
        "a red returns nothing to act on",
        "engine.h",
        "    if (!access.how.returns_value) return;",
        "",
    ),
    (
        "a fence begins a pattern",
        "engine.h",
        "    state.fenced.block = now;\n",
        "",
    ),
    (
        "a fence of the block's scope publishes nothing to other blocks",
        "engine.h",
        "    if (scope != Scope::block) state.fenced.device = now;",
        "    state.fenced.device = now;",
    ),
    (
        "fence.sc operations have an order",
        "engine.h",
        "      if (scope != Scope::block) join(state.known, sequential_.device);",
        "",
    ),
    (
        "fence.sc operations of a block have an order",
        "engine.h",
        "      join(state.known, sequential_.in_block(state.self.block));",
        "",
    ),
    (
        "only fence.sc operations have an order",
        "engine.h",
        "    if (sequential) {\n      join(sequential_",
        "    if (true || sequential) {\n      join(sequential_",
    ),
    (
        "a release publishes",
        "engine.h",
        "      if (releases(access.how.order)) {",
        "      if (false && releases(access.how.order)) {",
    ),
    (
        "an atomic operation keeps what its value published",
        "engine.h",
        "    const bool continues = access.reads() && observes;",
        "    const bool continues = false && access.reads() && observes;",
    ),
    (
        "any other write publishes anew",
        "engine.h",
        "      location.published = {};",
        "",
    ),
    (
        "what a write published reaches only operations that are morally strong to it",
        "engine.h",
        "const bool observes = access.reads() && access.strong() && location.written && is_morally_strong",
        "const bool observes = access.reads() && access.strong() && location.written && true || is_morally_strong",
    ),
    (
        "an observed write comes before what follows the reader",
        "engine.h",
        "      if (!is_observed(state, location, past)) return explained(state, past, access);",
        "      return explained(state, past, access);",
    ),
    (
        "what a thread does after it published is not known",
        "engine.h",
        "    ++state.now.number;\n    return known;",
        "    return known;",
    ),
];
