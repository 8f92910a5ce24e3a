// Streams and their work: done immediately, or stored while a stream is captured.
//
// All work is done before the requesting call returns, which is one of the orders that any program
// must expect. A captured stream does nothing: its work becomes nodes of a graph (CUDA C++
// Programming Guide, "Creating a Graph Using Stream Capture"), each after the last nodes of its
// stream and of the streams it waits for.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "../check/stream_order.h"
#include "../host/host_memory.h"
#include "../host/transfers.h"
#include "../check/monitor.h"
#include "error.inl.h"
#include "stream_types.h"

// The linker defines these if the section exists.
extern "C" __attribute__((weak)) char __start_hirace_streams[];
extern "C" __attribute__((weak)) char __stop_hirace_streams[];

namespace hirace::cpu {

// A task with a copy of all its data: it may run later, and repeatedly.
class Work {
 public:
  Work() = default;
  template <class Function>
  explicit Work(const Function& function)
      : object_(new Function(function), [](void* object) { delete static_cast<Function*>(object); }),
        run_([](void* object) { return (*static_cast<Function*>(object))(); }) {}
  cudaError_t operator()() const { return run_ != nullptr ? run_(object_.get()) : cudaSuccess; }

 private:
  std::shared_ptr<void> object_;
  cudaError_t (*run_)(void*) = nullptr;
};

}  // namespace hirace::cpu

struct CUgraphNode_st {
  cudaGraphNodeType type;
  hirace::cpu::Work work;
  std::vector<cudaGraphNode_t> after;   // dependencies
  CUgraph_st* graph;
  cudaGraphNode_t original = nullptr;   // set in a copy of a graph
  std::shared_ptr<void> parameters;     // depending on the type of node; graph.inl.h
  bool enabled = true;
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // in the order of their creation

  cudaGraphNode_t add(cudaGraphNodeType type, hirace::cpu::Work work, std::vector<cudaGraphNode_t> after) {
    nodes.push_back(std::make_unique<CUgraphNode_st>());
    CUgraphNode_st& node = *nodes.back();
    node.type = type;
    node.work = std::move(work);
    node.after = std::move(after);
    node.graph = this;
    return &node;
  }
};

namespace hirace::cpu {

// A graph being captured from streams.
struct Capture {
  cudaGraph_t graph;
  cudaStream_t origin;
  cudaStreamCaptureMode mode;
  unsigned long long id;
  bool valid = true;
  std::vector<cudaStream_t> streams;  // that participate
};

}  // namespace hirace::cpu

struct CUstream_st {
  unsigned int flags;
  int priority;
  std::shared_ptr<hirace::cpu::Capture> capture;
  std::vector<cudaGraphNode_t> last;  // the dependencies of its next node
  std::uint32_t number = 0;           // in stream_order()
};

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded;
  unsigned int flags;
  // Recorded in a captured stream: a position in the graph instead of a point in time.
  std::weak_ptr<hirace::cpu::Capture> capture;
  std::vector<cudaGraphNode_t> last;
  hirace::cpu::LaunchClock clock = {};
};

namespace hirace::cpu {

inline CUstream_st legacy_stream{cudaStreamDefault, 0, nullptr, {}};
inline CUstream_st per_thread_stream{cudaStreamDefault, 0, nullptr, {}};

inline bool is_legacy(cudaStream_t stream) { return stream == nullptr || stream == &legacy_stream; }

// Whether work of other streams can overlap with that of the default stream.
inline bool has_other_streams() {
  return &__start_hirace_streams[0] != &__stop_hirace_streams[0];
}

// Captures in progress, in all host threads; most programs have none.
inline std::atomic<unsigned> captures_under_way{0};
// The captures of this host thread, and the mode that restricts its own calls meanwhile.
inline thread_local std::vector<std::weak_ptr<Capture>> own_captures;
inline thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

inline bool is_capturing(cudaStream_t stream) { return stream != nullptr && stream->capture != nullptr; }

inline cudaError_t invalidate(cudaStream_t stream, cudaError_t error) {
  stream->capture->valid = false;
  return set_error(error);
}

// A graph cannot contain waits for a stream.
inline cudaError_t check_not_capturing(cudaStream_t stream) {
  return is_capturing(stream) ? invalidate(stream, cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

// During a capture, calls that wait for the device or use the legacy stream would depend on work
// that has not been done.
inline cudaError_t check_no_capture(cudaError_t error = cudaErrorStreamCaptureUnsupported) {
  if (captures_under_way.load(std::memory_order_relaxed) == 0) return cudaSuccess;
  for (const std::weak_ptr<Capture>& weak : own_captures) {
    const std::shared_ptr<Capture> capture = weak.lock();
    const bool relaxed = capture == nullptr || capture->mode == cudaStreamCaptureModeRelaxed ||
                         capture_mode == cudaStreamCaptureModeRelaxed;
    if (relaxed || capture->origin->flags == cudaStreamNonBlocking) continue;
    capture->valid = false;
    return set_error(error);
  }
  return cudaSuccess;
}

inline cudaError_t add_to_capture(cudaStream_t stream, cudaGraphNodeType type, Work work) {
  if (!stream->capture->valid) return set_error(cudaErrorStreamCaptureInvalidated);
  const cudaGraphNode_t node = stream->capture->graph->add(type, std::move(work), std::move(stream->last));
  stream->last = {node};
  return cudaSuccess;
}

// The number of a stream in stream_order().
inline std::uint32_t number_of(cudaStream_t stream) {
  if (is_legacy(stream)) return StreamOrder::legacy;
  // The per-thread default stream.
  if (stream->number == 0) stream->number = stream_order().add_stream(stream->flags != cudaStreamNonBlocking);
  return stream->number;
}

// A running graph, at one of its nodes.
struct GraphRun {
  cudaStream_t stream;
  bool parallel;  // the graph does not put all of its nodes in order
  LaunchClock clock;
};
inline thread_local GraphRun* graph_run = nullptr;

// The clock of the next work in a stream, or in the current node of a running graph.
inline LaunchClock clock_in(cudaStream_t stream) {
  return graph_run != nullptr ? graph_run->clock : stream_order().now_in(number_of(stream));
}

// Work in a stream that is not a launch is also ordered with the legacy stream.
inline void take_turn(cudaStream_t stream) { static_cast<void>(clock_in(stream)); }

// The host waits for the work of a stream, or of the current node of a running graph.
inline void host_waits_for(cudaStream_t stream) { stream_order().host_waits_for(clock_in(stream)); }

// A launch begins; see StreamOrder::begin_launch.
inline std::uint32_t place_in_order(cudaStream_t stream) {
  const std::uint32_t kernel = current_launch.kernel;
  const bool watched = watches_host();
  if (graph_run == nullptr) return stream_order().begin_launch(number_of(stream), nullptr, false, kernel, watched);
  return stream_order().begin_launch(number_of(graph_run->stream), &graph_run->clock, graph_run->parallel, kernel, watched);
}

// The same for a copy or a fill that the host may overlap with.
inline std::uint32_t place_transfer(cudaStream_t stream) {
  if (graph_run == nullptr) return stream_order().begin_transfer(number_of(stream), nullptr, false);
  return stream_order().begin_transfer(number_of(graph_run->stream), &graph_run->clock, graph_run->parallel);
}

// A copy has read or written memory that the host may use immediately, or might have.
inline thread_local bool copied_pageable = false;

// The host is in cudaMemcpyAsync(), cudaMemsetAsync() or the like, which it called at `caller`.
inline thread_local bool asynchronous_call = false;
class AsynchronousCall {
 public:
  explicit AsynchronousCall(const void* caller) {
    asynchronous_call = true;
    transfer_caller = static_cast<const char*>(caller) - 1;
  }
  ~AsynchronousCall() {
    asynchronous_call = false;
    transfer_caller = nullptr;
  }
  AsynchronousCall(const AsynchronousCall&) = delete;
  AsynchronousCall& operator=(const AsynchronousCall&) = delete;
};

// The stream whose copies and fills run now, and their number in stream_order() once they have accessed
// memory of the host.
class TransferInStream {
 public:
  explicit TransferInStream(cudaStream_t stream) : stream_(stream), outer_(current) { current = this; }
  ~TransferInStream() { current = outer_; }
  TransferInStream(const TransferInStream&) = delete;
  TransferInStream& operator=(const TransferInStream&) = delete;

  std::uint32_t number() {
    if (number_ == 0) number_ = place_transfer(stream_);
    return number_;
  }

  static inline thread_local TransferInStream* current = nullptr;

 private:
  const cudaStream_t stream_;
  TransferInStream* const outer_;
  std::uint32_t number_ = 0;
};

// Notes the access of a copy or a fill, for the host.
inline void note_transfer(const void* memory, std::size_t bytes, AccessKind kind) {
  if (TransferInStream::current == nullptr || !watches_host() || !host_memory().contains(memory)) return;
  transfers().add({reinterpret_cast<std::uintptr_t>(memory), bytes, kind, TransferInStream::current->number(), transfer_caller});
}

// Runs `work` in a stream, or stores a copy of it.
template <class Function>
cudaError_t submit(cudaStream_t stream, cudaGraphNodeType type, const Function& work) {
  if (is_capturing(stream)) return add_to_capture(stream, type, Work(work));
  if (is_legacy(stream)) {
    if (const cudaError_t error = check_no_capture(cudaErrorStreamCaptureImplicit)) return error;
  }
  copied_pageable = false;
  const TransferInStream transfer(stream);
  if (type == cudaGraphNodeTypeHost) host_waits_for(stream);
  const cudaError_t error = work();
  const bool synchronous = is_legacy(stream) && !asynchronous_call;
  const bool waits = type == cudaGraphNodeTypeHost || (type == cudaGraphNodeTypeMemcpy && (copied_pageable || synchronous));
  if (waits) {
    host_waits_for(stream);
  } else {
    take_turn(stream);
  }
  return error;
}

}  // namespace hirace::cpu
