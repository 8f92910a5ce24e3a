// How far searches in the causality graph go, and how much of it is kept. Tests compile the engine with
// small numbers, so that small programs reach what is rare otherwise.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hirace::cpu::order {

#if defined(HIRACE_SHORT_SEARCHES)
constexpr int last_path_nodes = 1;
constexpr std::size_t close_nodes = 0;
constexpr std::uint32_t many_owners = 2;
constexpr int max_index_depth = 2;
constexpr std::size_t few_indices = 2;
constexpr std::size_t few_superseded = 2;
constexpr std::size_t few_unsettled = 1;
#else
// Of what was learned last.
constexpr int last_path_nodes = 128;
// Around a node.
constexpr std::size_t close_nodes = 16;
// So many threads know of a node, for example since a barrier, that its index stays with it.
constexpr std::uint32_t many_owners = 8;
// Indices that ask others, which ask others.
constexpr int max_index_depth = 16;
// Each index may grow by all that its thread learns.
constexpr std::size_t few_indices = 16;
// Operations of a location that are kept though later ones have observed them.
constexpr std::size_t few_superseded = 8;
// Accesses of a location that a write which races may follow, and that are kept a while longer.
constexpr std::size_t few_unsettled = 8;
#endif

#if defined(HIRACE_FEW_NODES)
constexpr std::size_t max_nodes = 0;
#else
// Some two hundred megabytes.
constexpr std::size_t max_nodes = std::size_t{1} << 21;
#endif

}  // namespace hirace::cpu::order
