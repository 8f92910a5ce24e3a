// Running graphs: the order of their nodes, and the state of an instantiated graph.
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
    std::vector<std::size_t> after;  // its dependencies, by index
  };
  std::vector<Node> nodes;  // in topological order
  bool parallel = false;    // some nodes are unordered, so a GPU may overlap them
  unsigned long long flags = 0;
  // The clock after its last run, shared by all copies: its runs are ordered one after the other.
  std::shared_ptr<hirace::cpu::LaunchClock> finished = std::make_shared<hirace::cpu::LaunchClock>();
};

namespace hirace::cpu {

// The nodes in topological order, otherwise in the order they were added; fewer if the edges form a cycle.
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

// Whether edges alone order each node after the one before it.
inline bool is_chain(const std::vector<cudaGraphNode_t>& order) {
  for (std::size_t i = 1; i < order.size(); ++i) {
    const auto& after = order[i]->after;
    if (std::find(after.begin(), after.end(), order[i - 1]) == after.end()) return false;
  }
  return true;
}

// Null if the graph has a cycle.
inline std::shared_ptr<CUgraphExec_st> instantiate(const CUgraph_st& graph) {
  const std::vector<cudaGraphNode_t> order = ordered_nodes(graph);
  if (order.size() != graph.nodes.size()) return nullptr;
  auto executable = std::make_shared<CUgraphExec_st>();
  executable->parallel = !is_chain(order);
  std::map<cudaGraphNode_t, std::size_t> places;
  for (const cudaGraphNode_t node : order) {
    std::vector<std::size_t> after;
    for (const cudaGraphNode_t before : node->after) after.push_back(places[before]);
    places[node] = executable->nodes.size();
    executable->nodes.push_back({node, node->type, node->work, node->enabled, after});
  }
  return executable;
}

inline cudaError_t run_graph(const CUgraphExec_st& executable, cudaStream_t stream) {
  GraphRun* const outer = graph_run;
  LaunchClock begin = clock_in(stream);
  begin.join(*executable.finished);
  LaunchClock end = begin;
  struct Run {
    LaunchClock began, ended;
    bool triggered;  // the nodes after it
  };
  std::vector<Run> runs;  // of the nodes
  GraphRun run{stream, executable.parallel || (outer != nullptr && outer->parallel), {}};
  graph_run = &run;
  cudaError_t first = cudaSuccess;
  for (const CUgraphExec_st::Node& node : executable.nodes) {
    run.clock = begin;
    for (const std::size_t before : node.after) run.clock.join(runs[before].ended);
    run.joins = node.after.size() > 1;
    const Run* const only = node.after.size() == 1 ? &runs[node.after[0]] : nullptr;
    run.triggered_at = only != nullptr && only->triggered ? &only->began : nullptr;
    const LaunchClock began = run.clock;
    const TransferInStream in_stream(stream);
    const cudaError_t error = node.enabled ? node.work() : cudaSuccess;
    if (first == cudaSuccess) first = error;
    runs.push_back({began, run.clock, node.type == cudaGraphNodeTypeKernel && node.enabled && current_launch.triggers});
    end.join(run.clock);
  }
  graph_run = outer;
  *executable.finished = end;
  if (outer != nullptr) {
    outer->clock = end;
  } else {
    stream_order().wait_in(number_of(stream), end);
  }
  return first;
}

// A copy of the nodes and edges; nodes remember their originals.
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
