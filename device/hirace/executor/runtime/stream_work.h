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
extern "C" __attribute__((weak)) char __start_hirace_thread_streams[];
extern "C" __attribute__((weak)) char __stop_hirace_thread_streams[];
extern "C" __attribute__((weak)) char __start_hirace_triggers[];
extern "C" __attribute__((weak)) char __stop_hirace_triggers[];

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
  std::uint64_t serial = 0;           // of one that a kernel has created
};

struct CUevent_st {
  std::chrono::steady_clock::time_point time;
  bool recorded;
  unsigned int flags;
  // Recorded in a captured stream: a position in the graph instead of a point in time.
  std::weak_ptr<hirace::cpu::Capture> capture;
  std::vector<cudaGraphNode_t> last;
  hirace::cpu::LaunchClock clock = {};
  std::vector<hirace::cpu::GridId> launches = {};  // recorded by a kernel: what it launched into the stream last
};

namespace hirace::cpu {

inline CUstream_st legacy_stream{cudaStreamDefault, 0, nullptr, {}};
inline thread_local CUstream_st per_thread_stream{cudaStreamDefault, 0, nullptr, {}};

// Whether the program was compiled for per-thread default streams.
inline bool has_thread_streams() {
  return &__start_hirace_thread_streams[0] != &__stop_hirace_thread_streams[0];
}

// The stream that a program means; null for the legacy stream.
inline cudaStream_t meant(cudaStream_t stream) {
  return stream == nullptr && has_thread_streams() ? &per_thread_stream : stream == &legacy_stream ? nullptr : stream;
}

inline bool is_legacy(cudaStream_t stream) { return meant(stream) == nullptr; }

// See expect_other_streams().
inline std::atomic<bool> found_other_streams{false};

// Whether work of other streams can overlap with that of the default stream.
inline bool has_other_streams() {
  return &__start_hirace_streams[0] != &__stop_hirace_streams[0] || found_other_streams.load(std::memory_order_relaxed);
}

// Whether kernels of the program trigger the launch after theirs.
inline bool has_triggers() {
  return &__start_hirace_triggers[0] != &__stop_hirace_triggers[0];
}

// Captures in progress, in all host threads; most programs have none.
inline std::atomic<unsigned> captures_under_way{0};
// The captures of this host thread, and the mode that restricts its own calls meanwhile.
inline thread_local std::vector<std::weak_ptr<Capture>> own_captures;
inline thread_local cudaStreamCaptureMode capture_mode = cudaStreamCaptureModeGlobal;

inline bool is_capturing(cudaStream_t stream) { return meant(stream) != nullptr && meant(stream)->capture != nullptr; }

inline cudaError_t invalidate(cudaStream_t stream, cudaError_t error) {
  meant(stream)->capture->valid = false;
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

inline cudaError_t add_to_capture(cudaStream_t given, cudaGraphNodeType type, Work work) {
  const cudaStream_t stream = meant(given);
  if (!stream->capture->valid) return set_error(cudaErrorStreamCaptureInvalidated);
  const cudaGraphNode_t node = stream->capture->graph->add(type, std::move(work), std::move(stream->last));
  stream->last = {node};
  return cudaSuccess;
}

// The number of a stream in stream_order().
inline std::uint32_t number_of(cudaStream_t given) {
  const cudaStream_t stream = meant(given);
  if (stream == nullptr) return StreamOrder::legacy;
  // The per-thread default stream.
  if (stream->number == 0) stream->number = stream_order().add_stream(stream->flags != cudaStreamNonBlocking);
  return stream->number;
}

// A running graph, at one of its nodes.
struct GraphRun {
  cudaStream_t stream;
  bool parallel;  // the graph does not put all of its nodes in order
  LaunchClock clock;
  // Of the node's only dependency, if that is a kernel that has triggered the next one: the clock at which it began.
  const LaunchClock* triggered_at = nullptr;
  bool joins = false;  // the node has several dependencies
};
inline thread_local GraphRun* graph_run = nullptr;

// The clock of the next work in a stream, or in the current node of a running graph.
inline LaunchClock clock_in(cudaStream_t stream) {
  return graph_run != nullptr ? graph_run->clock : stream_order().now_in(number_of(stream));
}

// The last launches of the running kernel into a stream, and what its next launch there comes after besides
// (scheduler/device_launch.h).
std::vector<GridId> last_launches(cudaStream_t stream);
void wait_for_launches(cudaStream_t stream, const std::vector<GridId>& launches);

// Work in a stream that is not a launch is also ordered with the legacy stream.
inline void take_turn(cudaStream_t stream) { static_cast<void>(clock_in(stream)); }

// The host waits for the work of a stream, or of the current node of a running graph.
inline void host_waits_for(cudaStream_t stream) { stream_order().host_waits_for(clock_in(stream)); }

// Held by whatever accesses device memory in a stream: one launch or call at a time.
inline std::recursive_mutex launches_and_calls;

// Called before the first work of the process.
inline bool expect_overlaps() {
  if (has_other_streams()) stream_order().expect_nonblocking();
  if (has_triggers()) stream_order().expect_triggers();
  return true;
}

// Work begins; see StreamOrder::begin.
inline std::uint32_t place_in_order(cudaStream_t stream, std::uint32_t kernel, WorkKind work, bool early = false) {
  note_host_thread();
  static const bool expected = expect_overlaps();
  static_cast<void>(expected);
  if (stream_order().overlaps_unseen()) recorder().note_limit(streams_created_late);
  const bool watched = work == WorkKind::kernel && watches_host();
  if (graph_run == nullptr) return stream_order().begin(number_of(stream), {}, false, kernel, work, early, watched);
  const StreamOrder::InGraph node{&graph_run->clock, graph_run->triggered_at};
  return stream_order().begin(number_of(graph_run->stream), node, graph_run->parallel, kernel, work, early, watched);
}

// The number of a copy or a fill that the host may overlap with.
inline std::uint32_t place_transfer(cudaStream_t stream) {
  if (graph_run == nullptr) return stream_order().begin_transfer(number_of(stream), nullptr, false);
  return stream_order().begin_transfer(number_of(graph_run->stream), &graph_run->clock, graph_run->parallel);
}

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

// Runs `work` in a stream, or stores a copy of it.
template <class Function>
cudaError_t submit(cudaStream_t stream, cudaGraphNodeType type, const Function& work) {
  if (is_capturing(stream)) return add_to_capture(stream, type, Work(work));
  if (is_legacy(stream)) {
    if (const cudaError_t error = check_no_capture(cudaErrorStreamCaptureImplicit)) return error;
  }
  const TransferInStream in_stream(stream);
  const cudaError_t error = work();
  take_turn(stream);
  return error;
}

}  // namespace hirace::cpu
