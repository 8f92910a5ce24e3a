// Graphs that run: the order of their nodes, and what an instantiated one keeps.
#pragma once

#include <map>
#include <set>

#include "stream_work.h"

struct CUgraphExec_st {
  struct Node {
    cudaGraphNode_t original;  // in the graph that was instantiated
    cudaGraphNodeType type;
    hirace::cpu::Work work;
    bool enabled;
  };
  std::vector<Node> nodes;  // in an order that keeps every edge
  bool parallel = false;    // some nodes are in no order, so that a GPU may overlap them
  unsigned long long flags = 0;
};
typedef CUgraphExec_st* cudaGraphExec_t;

namespace hirace::cpu {

// The nodes in an order that keeps every edge, else as they were added; fewer where edges
// make a circle.
inline std::vector<cudaGraphNode_t> ordered_nodes(const CUgraph_st& graph) {
  std::vector<cudaGraphNode_t> order;
  std::set<cudaGraphNode_t> placed;
  for (bool progress = true; progress;) {
    progress = false;
    for (const auto& node : graph.nodes) {
      const bool ready = placed.count(node.get()) == 0 && std::all_of(node->after.begin(), node->after.end(), [&](cudaGraphNode_t before) {
                           return placed.count(before) != 0;
                         });
      if (!ready) continue;
      order.push_back(node.get());
      placed.insert(node.get());
      progress = true;
    }
  }
  return order;
}

// Whether each node comes after the one before it by edges alone.
inline bool is_chain(const std::vector<cudaGraphNode_t>& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& after = order[i]->after;
    if (std::find(after.begin(), after.end(), order[i - 1]) == after.end()) return false;
  }
  return true;
}

// Null where the graph has a circle.
inline std::shared_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph) {
  const std::vector<cudaGraphNode_t> order = ordered_nodes(graph);
  if (order.size() != graph.nodes.size()) return nullptr;
  auto executable = std::make_shared<CUgraphExec_st>();
  executable->parallel = !is_chain(order);
  for (const cudaGraphNode_t node : order) executable->nodes.push_back({node, node->type, node->work, node->enabled});
  return executable;
}

inline cudaError_t run_graph(const CUgraphExec_st& executable, cudaStream_t stream) {
  const cudaStream_t outer = graph_branch;
  cudaError_t first = cudaSuccess;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    if (!node.enabled) continue;
    // Only compared with others, never used as a stream.
    graph_branch = executable.parallel ? reinterpret_cast<cudaStream_t>(node.original) : stream;
    const cudaError_t error = node.work();
    if (first == cudaSuccess) first = error;
  }
  graph_branch = outer;
  return first;
}

// A copy of the nodes and edges; nodes remember what they are copies of.
inline std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto copy = std::make_unique<CUgraph_st>();
  std::map<cudaGraphNode_t, cudaGraphNode_t> copies;
  for (const auto& node : graph.nodes) {
    const cudaGraphNode_t made = copy->add(node->type, node->work, {});
    made->original = node.get();
    made->parameters = node->parameters;
    made->enabled = node->enabled;
    copies[node.get()] = made;
  }
  for (const auto& node : graph.nodes) {
    for (const cudaGraphNode_t before : node->after) copies[node.get()]->after.push_back(copies[before]);
  }
  return copy;
}

}  // namespace hirace::cpu
