// The definitions of library_access.h.
#pragma once

#include "../executor/host/host_check.h"
#include "../executor/memory/host_guard.h"
#include "../executor/runtime/stream_call.h"
#include "library_access.h"

namespace hirace::cpu {

HIRACE_RUNTIME void begin_library_access() {
  host_guard().open();
  ++acts_for_device;
}

HIRACE_RUNTIME void end_library_access() {
  --acts_for_device;
  host_guard().close();
}

HIRACE_RUNTIME void* open_library_call(const Call& call, cudaStream_t stream) {
  return RunningCall::current() == nullptr ? new RunningCall(call, stream) : nullptr;
}
HIRACE_RUNTIME void close_library_call(void* opened, cudaStream_t stream, LibraryWaits waits) {
  delete static_cast<RunningCall*>(opened);
  // A node of a graph makes nobody wait.
  if (waits == LibraryWaits::for_stream && graph_run == nullptr) host_waits_for(stream);
}

HIRACE_RUNTIME void note_unseen_writes() { recorder().note_limit(library_writes_unseen); }

HIRACE_RUNTIME cudaError_t submit_call(cudaStream_t stream, const StreamCall& call) {
  if (!is_capturing(stream)) return submit(stream, cudaGraphNodeTypeKernel, [&] { return call.run(call.object); });
  const std::shared_ptr<void> kept(call.copy(call.object), call.destroy);
  return submit(stream, cudaGraphNodeTypeKernel, [kept, run = call.run] { return run(kept.get()); });
}

}  // namespace hirace::cpu
