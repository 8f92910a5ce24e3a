// The definitions of capture.h.
#pragma once

#include <cstdio>

#include "capture.h"
#include "graph_run.h"
#include "stream.inl.h"

HIRACE_RUNTIME cudaError_t cudaStreamBeginCapture(cudaStream_t given, cudaStreamCaptureMode mode) {
  const cudaStream_t stream = hirace::cpu::meant(given);
  if (hirace::cpu::is_legacy(stream)) return hirace::cpu::set_error(cudaErrorStreamCaptureUnsupported);
  if (stream->capture != nullptr) return hirace::cpu::set_error(cudaErrorIllegalState);
  static std::atomic<unsigned long long> captures{0};
  auto capture = std::make_shared<hirace::cpu::Capture>();
  capture->graph = new CUgraph_st;
  capture->origin = stream;
  capture->mode = mode;
  capture->id = ++captures;
  capture->streams = {stream};
  stream->capture = capture;
  stream->last.clear();
  ++hirace::cpu::captures_under_way;
  hirace::cpu::own_captures.push_back(capture);
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaStreamEndCapture(cudaStream_t given, cudaGraph_t* graph) {
  const cudaStream_t stream = hirace::cpu::meant(given);
  if (graph == nullptr || hirace::cpu::is_legacy(stream)) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *graph = nullptr;
  const std::shared_ptr<hirace::cpu::Capture> capture = stream->capture;
  if (capture == nullptr) return hirace::cpu::set_error(cudaErrorIllegalState);
  if (capture->origin != stream) return hirace::cpu::set_error(cudaErrorStreamCaptureUnmatched);
  // The origin must wait for the last work of every other stream.
  bool joined = true;
  for (const cudaStream_t other : capture->streams) {
    for (const cudaGraphNode_t node : other->last) {
      if (other == stream) continue;
      std::vector<cudaGraphNode_t> reached = stream->last;
      for (std::size_t i = 0; i < reached.size(); ++i) {
        for (const cudaGraphNode_t before : reached[i]->after) {
          if (std::find(reached.begin(), reached.end(), before) == reached.end()) reached.push_back(before);
        }
      }
      joined = joined && std::find(reached.begin(), reached.end(), node) != reached.end();
    }
  }
  for (const cudaStream_t each : capture->streams) {
    each->capture = nullptr;
    if (each != stream) each->last.clear();
  }
  stream->last.clear();
  --hirace::cpu::captures_under_way;
  if (!capture->valid || !joined) {
    delete capture->graph;
    return hirace::cpu::set_error(capture->valid ? cudaErrorStreamCaptureUnjoined : cudaErrorStreamCaptureInvalidated);
  }
  *graph = capture->graph;
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaStreamIsCapturing(cudaStream_t given, cudaStreamCaptureStatus* status) {
  const cudaStream_t stream = hirace::cpu::meant(given);
  if (status == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *status = !hirace::cpu::is_capturing(stream) ? cudaStreamCaptureStatusNone
            : stream->capture->valid           ? cudaStreamCaptureStatusActive
                                               : cudaStreamCaptureStatusInvalidated;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaStreamGetCaptureInfo(cudaStream_t given, cudaStreamCaptureStatus* status, unsigned long long* id,
                                                    cudaGraph_t* graph, const cudaGraphNode_t** dependencies, std::size_t* count) {
  const cudaStream_t stream = hirace::cpu::meant(given);
  if (const cudaError_t error = cudaStreamIsCapturing(stream, status)) return error;
  if (*status != cudaStreamCaptureStatusActive) return cudaSuccess;
  if (id != nullptr) *id = stream->capture->id;
  if (graph != nullptr) *graph = stream->capture->graph;
  if (dependencies != nullptr) *dependencies = stream->last.data();
  if (count != nullptr) *count = stream->last.size();
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  if (mode == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  std::swap(*mode, hirace::cpu::capture_mode);
  return cudaSuccess;
}

HIRACE_RUNTIME cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  if (graph == nullptr || flags != 0) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *graph = new CUgraph_st;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  if (graph == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  delete graph;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphClone(cudaGraph_t* copy, cudaGraph_t graph) {
  if (copy == nullptr || graph == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *copy = hirace::cpu::clone(*graph).release();
  return cudaSuccess;
}

namespace hirace::cpu {

// Executables live as long as programs or child nodes refer to them.
inline cudaError_t instantiate_into(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  if (executable == nullptr || graph == nullptr) return set_error(cudaErrorInvalidValue);
  if ((flags & cudaGraphInstantiateFlagDeviceLaunch) != 0) {
    std::fputs("hirace: cudaGraphInstantiate: graph launches by kernels are not supported; launch the graph from the host\n", stderr);
    return set_error(cudaErrorNotSupported);
  }
  const std::shared_ptr<CUgraphExec_st> made = instantiate(*graph);
  if (made == nullptr) return set_error(cudaErrorInvalidValue);
  made->flags = flags;
  *executable = new CUgraphExec_st(*made);
  return cudaSuccess;
}

}  // namespace hirace::cpu

HIRACE_RUNTIME cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return hirace::cpu::instantiate_into(executable, graph, flags);
}
HIRACE_RUNTIME cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return hirace::cpu::instantiate_into(executable, graph, flags);
}
HIRACE_RUNTIME cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                                std::size_t log_bytes) {
  if (error_node != nullptr) *error_node = nullptr;
  if (log != nullptr && log_bytes != 0) log[0] = '\0';
  return hirace::cpu::instantiate_into(executable, graph, 0);
}
HIRACE_RUNTIME cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  if (executable == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  delete executable;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  if (executable == nullptr || flags == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *flags = executable->flags;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t) {
  return executable != nullptr ? cudaSuccess : hirace::cpu::set_error(cudaErrorInvalidValue);
}
HIRACE_RUNTIME cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  if (executable == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  if (hirace::cpu::is_capturing(stream)) {
    const CUgraphExec_st copy = *executable;
    return hirace::cpu::add_to_capture(stream, cudaGraphNodeTypeGraph,
                                       hirace::cpu::Work([copy] { return hirace::cpu::run_graph(copy, hirace::cpu::graph_run->stream); }));
  }
  return hirace::cpu::set_error(
      hirace::cpu::submit(stream, cudaGraphNodeTypeGraph, [&] { return hirace::cpu::run_graph(*executable, stream); }));
}
HIRACE_RUNTIME cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  if (executable == nullptr || graph == nullptr || info == nullptr) return hirace::cpu::set_error(cudaErrorInvalidValue);
  *info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  const std::vector<cudaGraphNode_t> order = hirace::cpu::ordered_nodes(*graph);
  if (order.size() != executable->nodes.size() || order.size() != graph->nodes.size()) {
    info->result = cudaGraphExecUpdateErrorTopologyChanged;
  }
  for (std::size_t i = 0; info->result == cudaGraphExecUpdateSuccess && i < order.size(); ++i) {
    if (order[i]->type == executable->nodes[i].type) continue;
    *info = {cudaGraphExecUpdateErrorNodeTypeChanged, order[i], nullptr};
  }
  if (info->result != cudaGraphExecUpdateSuccess) return hirace::cpu::set_error(cudaErrorGraphExecUpdateFailure);
  for (std::size_t i = 0; i < order.size(); ++i) executable->nodes[i].work = order[i]->work;
  return cudaSuccess;
}
HIRACE_RUNTIME cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                               cudaGraphExecUpdateResult* result) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.errorNode;
  if (result != nullptr) *result = info.result;
  return error;
}
