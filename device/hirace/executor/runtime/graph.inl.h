// The definitions of graph.h.
#pragma once

#include <algorithm>
#include <memory>

#include "../scheduler/launcher.h"
#include "capture.inl.h"
#include "copy3d.inl.h"
#include "graph.h"
#include "kernel_registry.inl.h"

namespace hirace::cpu {

// The parameters of a kernel node, with copies of the arguments.
struct KernelNode {
  cudaKernelNodeParams given;
  Work work;                     // launches it
  std::shared_ptr<void> bound;   // the kernel with its arguments
  std::vector<void*> addresses;  // of each argument
};

inline cudaError_t plan_kernel(const cudaKernelNodeParams* given, const char* caller, std::shared_ptr<KernelNode>& plan) {
  if (given == nullptr || given->func == nullptr) return set_error(cudaErrorInvalidValue);
  if (given->extra != nullptr) return not_supported("cudaKernelNodeParams::extra", "pass the arguments in kernelParams");
  const KnownKernel* const kernel = kernel_registry().find(given->func, caller);
  if (kernel == nullptr) return set_error(cudaErrorInvalidDeviceFunction);
  const LaunchInfo info = at_call(kernel->info);
  if (const cudaError_t error = launcher().check(info, given->gridDim, given->blockDim, given->sharedMemBytes, dim3())) {
    return set_error(error);
  }
  const LaunchShape shape{given->gridDim, given->blockDim, given->sharedMemBytes, nullptr, false};
  const std::shared_ptr<void> bound(kernel->type.bind(given->func, given->kernelParams), kernel->type.destroy);
  const Work work(KernelWork{info, shape, kernel->type.run, bound});
  plan = std::make_shared<KernelNode>(KernelNode{*given, work, bound, std::vector<void*>(kernel->type.parameters)});
  kernel->type.addresses(bound.get(), plan->addresses.data());
  plan->given.kernelParams = plan->addresses.data();
  return cudaSuccess;
}

// Elements of one, two or four bytes, each set to the low bytes of the value.
inline cudaError_t fill_elements(const cudaMemsetParams& p) {
  if (p.width == 0 || p.height == 0) return cudaSuccess;
  if (!is_device_range(p.dst, span(p.pitch, p.width * p.elementSize, p.height))) return set_error(cudaErrorInvalidValue);
  for (std::size_t y = 0; y < p.height; ++y) {
    char* const row = static_cast<char*>(p.dst) + y * p.pitch;
    for (std::size_t x = 0; x < p.width; ++x) copy_bytes(row + x * p.elementSize, &p.value, p.elementSize);
  }
  return cudaSuccess;
}
inline cudaError_t plan_fill(const Call& call, const cudaMemsetParams* given, Work& work) {
  const bool valid = given != nullptr && given->dst != nullptr &&
                     (given->elementSize == 1 || given->elementSize == 2 || given->elementSize == 4);
  if (!valid) return set_error(cudaErrorInvalidValue);
  const cudaMemsetParams parameters = *given;
  work = Work(work_of(call, nullptr, [parameters] { return fill_elements(parameters); }));
  return cudaSuccess;
}
inline cudaError_t plan_copy(const Call& call, const cudaMemcpy3DParms* given, Work& work) {
  if (given == nullptr) return set_error(cudaErrorInvalidValue);
  Copy3D plan;
  if (const cudaError_t error = plan_copy(*given, plan)) return error;
  work = Work(work_of(call, nullptr, plan));
  return cudaSuccess;
}
inline cudaError_t plan_copy(const Call& call, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Work& work) {
  if (const cudaError_t error = check_copy(to, bytes, from, bytes, kind)) return error;
  work = Work(work_of(call, nullptr, [=] { return copy_now(to, from, bytes, kind); }));
  return cudaSuccess;
}
inline cudaError_t plan_host(const cudaHostNodeParams* given, Work& work) {
  if (given == nullptr || given->fn == nullptr) return set_error(cudaErrorInvalidValue);
  const cudaHostNodeParams parameters = *given;
  work = Work([parameters] {
    run_host_function(nullptr, [&] { parameters.fn(parameters.userData); });
    return cudaSuccess;
  });
  return cudaSuccess;
}

inline cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                            cudaGraphNodeType type, Work work) {
  if (node == nullptr || graph == nullptr || (after == nullptr && count != 0)) return set_error(cudaErrorInvalidValue);
  *node = graph->add(type, std::move(work), count != 0 ? std::vector<cudaGraphNode_t>(after, after + count) : std::vector<cudaGraphNode_t>());
  return cudaSuccess;
}

// Null if the node is not one of the instantiated ones.
inline CUgraphExec_st::Node* node_in(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type) {
  if (executable == nullptr) return nullptr;
  for (CUgraphExec_st::Node& each : executable->nodes) {
    if (each.original == node && each.type == type) return &each;
  }
  return nullptr;
}

template <class T>
void copy_out(const std::vector<T>& values, T* out, std::size_t* count) {
  if (out != nullptr) std::copy_n(values.begin(), std::min(*count, values.size()), out);
  *count = values.size();
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                  std::size_t count, const cudaKernelNodeParams* parameters) {
  std::shared_ptr<hirace::cpu::KernelNode> plan;
  if (const cudaError_t error = hirace::cpu::plan_kernel(parameters, "cudaGraphAddKernelNode", plan)) return error;
  if (const cudaError_t error = hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeKernel, plan->work)) return error;
  (*node)->parameters = plan;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* parameters) {
  if (node == nullptr || parameters == nullptr || node->type != cudaGraphNodeTypeKernel) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (node->parameters == nullptr) {
    return hirace::cpu::not_supported("cudaGraphKernelNodeGetParams of a kernel that was captured",
                                      "save the parameters when the kernel is launched");
  }
  *parameters = static_cast<hirace::cpu::KernelNode*>(node->parameters.get())->given;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  if (node == nullptr || node->type != cudaGraphNodeTypeKernel) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::shared_ptr<hirace::cpu::KernelNode> plan;
  if (const cudaError_t error = hirace::cpu::plan_kernel(parameters, "cudaGraphKernelNodeSetParams", plan)) return error;
  node->work = plan->work;
  node->parameters = plan;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                            const cudaKernelNodeParams* parameters) {
  CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, cudaGraphNodeTypeKernel);
  if (found == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::shared_ptr<hirace::cpu::KernelNode> plan;
  if (const cudaError_t error = hirace::cpu::plan_kernel(parameters, "cudaGraphExecKernelNodeSetParams", plan)) return error;
  found->work = plan->work;
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                  std::size_t count, const cudaMemcpy3DParms* parameters) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphAddMemcpyNode");
  hirace::cpu::Work work;
  if (const cudaError_t error = hirace::cpu::plan_copy(call, parameters, work)) return error;
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, work);
}
HIRACE_RUNTIME cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                            const cudaMemcpy3DParms* parameters) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphExecMemcpyNodeSetParams");
  CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, cudaGraphNodeTypeMemcpy);
  return found != nullptr ? hirace::cpu::plan_copy(call, parameters, found->work) : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                    std::size_t count, void* to, const void* from, std::size_t bytes,
                                                    cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphAddMemcpyNode1D");
  hirace::cpu::Work work;
  if (const cudaError_t error = hirace::cpu::plan_copy(call, to, from, bytes, kind, work)) return error;
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, work);
}
HIRACE_RUNTIME cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                                              const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphExecMemcpyNodeSetParams1D");
  CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, cudaGraphNodeTypeMemcpy);
  if (found == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return hirace::cpu::plan_copy(call, to, from, bytes, kind, found->work);
}
HIRACE_RUNTIME cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                  std::size_t count, const cudaMemsetParams* parameters) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphAddMemsetNode");
  hirace::cpu::Work work;
  if (const cudaError_t error = hirace::cpu::plan_fill(call, parameters, work)) return error;
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeMemset, work);
}
HIRACE_RUNTIME cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                            const cudaMemsetParams* parameters) {
  const hirace::cpu::Call call = hirace::cpu::call_of("cudaGraphExecMemsetNodeSetParams");
  CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, cudaGraphNodeTypeMemset);
  return found != nullptr ? hirace::cpu::plan_fill(call, parameters, found->work) : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                std::size_t count, const cudaHostNodeParams* parameters) {
  hirace::cpu::Work work;
  if (const cudaError_t error = hirace::cpu::plan_host(parameters, work)) return error;
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeHost, work);
}
HIRACE_RUNTIME cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                          const cudaHostNodeParams* parameters) {
  CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, cudaGraphNodeTypeHost);
  return found != nullptr ? hirace::cpu::plan_host(parameters, found->work) : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                 std::size_t count) {
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeEmpty, hirace::cpu::Work());
}
HIRACE_RUNTIME cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                       std::size_t count, cudaEvent_t event) {
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeEventRecord,
                               hirace::cpu::Work([event] { return hirace::cpu::record_now(event, nullptr); }));
}
HIRACE_RUNTIME cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                     std::size_t count, cudaEvent_t event) {
  if (event == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeWaitEvent, hirace::cpu::Work([event] {
                                 hirace::cpu::graph_run->clock.join(event->clock);
                                 return cudaSuccess;
                               }));
}
HIRACE_RUNTIME cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                                      std::size_t count, cudaGraph_t child) {
  const std::shared_ptr<CUgraphExec_st> made = child != nullptr ? hirace::cpu::instantiate(*child) : nullptr;
  if (made == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  return hirace::cpu::add_node(node, graph, after, count, cudaGraphNodeTypeGraph,
                               hirace::cpu::Work([made] { return hirace::cpu::run_graph(*made, hirace::cpu::graph_run->stream); }));
}

HIRACE_RUNTIME cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                    std::size_t count) {
  if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return hirace::cpu::set_error(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                                       std::size_t count) {
  if (graph == nullptr || (count != 0 && (from == nullptr || to == nullptr))) return hirace::cpu::set_error(cudaErrorInvalidValue);
  for (std::size_t i = 0; i < count; ++i) {
    auto& after = to[i]->after;
    after.erase(std::remove(after.begin(), after.end(), from[i]), after.end());
  }
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  if (node == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  auto& nodes = node->graph->nodes;
  for (const auto& other : nodes) {
    auto& after = other->after;
    after.erase(std::remove(after.begin(), after.end(), node), after.end());
  }
  nodes.erase(std::find_if(nodes.begin(), nodes.end(), [node](const auto& each) { return each.get() == node; }));
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr || count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> all;
  for (const auto& node : graph->nodes) all.push_back(node.get());
  hirace::cpu::copy_out(all, nodes, count);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  if (graph == nullptr || count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> roots;
  for (const auto& node : graph->nodes) {
    if (node->after.empty()) roots.push_back(node.get());
  }
  hirace::cpu::copy_out(roots, nodes, count);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  if (graph == nullptr || count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::vector<cudaGraphNode_t> starts, ends;
  for (const auto& node : graph->nodes) {
    for (const cudaGraphNode_t before : node->after) {
      starts.push_back(before);
      ends.push_back(node.get());
    }
  }
  std::size_t same = *count;
  hirace::cpu::copy_out(starts, from, &same);
  hirace::cpu::copy_out(ends, to, count);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* nodes, std::size_t* count) {
  if (node == nullptr || count == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  hirace::cpu::copy_out(node->after, nodes, count);
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (node == nullptr || type == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *type = node->type;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original, cudaGraph_t copy) {
  if (node == nullptr || copy == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  for (const auto& each : copy->nodes) {
    if (each->original != original) continue;
    *node = each.get();
    return cudaSuccess;
  }
  return hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int enabled) {
  for (const cudaGraphNodeType type : {cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset}) {
    CUgraphExec_st::Node* const found = hirace::cpu::node_in(executable, node, type);
    if (found == nullptr) continue;
    found->enabled = enabled != 0;
    return cudaSuccess;
  }
  return hirace::cpu::set_error(cudaErrorInvalidValue);
}
