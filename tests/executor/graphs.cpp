//! run -> 0
// Captured streams, graphs built node by node, and calls that a capture forbids.
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

#include "check.h"

#define OK(call) CHECK((call) == cudaSuccess)
#define ERROR_IS(call, error) CHECK((call) == error && cudaGetLastError() == error)

// The instrumenter's output for `add<<<1, 32, 0, stream>>>(data, value)`.
__global__ void add(int* data, int value) { data[threadIdx.x] += value; }
constexpr hirace::LaunchInfo add_info{"add", 0, true, 3, 0u, ~0u};
void launch_add(int* data, int value, cudaStream_t stream) {
  hirace::cpu::launch(add_info, 1, 32, 0, stream, [=, a0 = data, a1 = value] { add(a0, a1); });
}

void test_capture() {
  int* data = managed<int>(32);
  cudaStream_t stream = nullptr;
  OK(cudaStreamCreate(&stream));
  int host[32], calls = 0;
  std::memset(host, 0, sizeof host);
  cudaStreamCaptureStatus status;
  cudaGraph_t graph = nullptr;
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  OK(cudaStreamIsCapturing(stream, &status));
  CHECK(status == cudaStreamCaptureStatusActive);
  launch_add(data, 1, stream);
  launch_add(data, 2, stream);
  OK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, [](void* count) { ++*static_cast<int*>(count); }, &calls));
  CHECK(data[0] == 0 && calls == 0);
  OK(cudaStreamEndCapture(stream, &graph));
  std::size_t nodes = 0, edges = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  CHECK(nodes == 4 && edges == 3);
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0));
  OK(cudaGraphDestroy(graph));
  for (int i = 0; i < 5; ++i) OK(cudaGraphLaunch(executable, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(data[31] == 15 && host[31] == 15 && calls == 5);

  // A graph of the same shape with other parameters replaces it.
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  launch_add(data, 100, stream);
  launch_add(data, 200, stream);
  OK(cudaMemcpyAsync(host, data, sizeof host, cudaMemcpyDeviceToHost, stream));
  OK(cudaLaunchHostFunc(stream, [](void* count) { ++*static_cast<int*>(count); }, &calls));
  OK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExecUpdateResultInfo info;
  OK(cudaGraphExecUpdate(executable, graph, &info));
  OK(cudaGraphLaunch(executable, stream));
  CHECK(data[31] == 315 && host[31] == 315);
  OK(cudaGraphDestroy(graph));
  OK(cudaGraphCreate(&graph, 0));
  ERROR_IS(cudaGraphExecUpdate(executable, graph, &info), cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(data));
}

// Work forks to a second stream and joins the first again.
void test_fork() {
  int* data = managed<int>(64);
  cudaStream_t main_stream = nullptr, side = nullptr;
  cudaEvent_t forked = nullptr, joined = nullptr;
  OK(cudaStreamCreate(&main_stream));
  OK(cudaStreamCreate(&side));
  OK(cudaEventCreate(&forked));
  OK(cudaEventCreate(&joined));
  cudaGraph_t graph = nullptr;
  const auto capture = [&](bool join) {
    OK(cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeGlobal));
    launch_add(data, 1, main_stream);
    OK(cudaEventRecord(forked, main_stream));
    OK(cudaStreamWaitEvent(side, forked, 0));
    launch_add(data, 2, main_stream);
    launch_add(data + 32, 3, side);
    OK(cudaEventRecord(joined, side));
    if (join) OK(cudaStreamWaitEvent(main_stream, joined, 0));
    launch_add(data, 4, main_stream);
    return cudaStreamEndCapture(main_stream, &graph);
  };
  ERROR_IS(capture(false), cudaErrorStreamCaptureUnjoined);
  OK(capture(true));
  std::size_t nodes = 0, edges = 0, roots = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, &edges));
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(nodes == 4 && edges == 4 && roots == 1);
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, main_stream));
  CHECK(data[0] == 7 && data[32] == 3);
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(side));
  OK(cudaStreamDestroy(main_stream));
  OK(cudaFree(data));
}

void test_what_a_capture_forbids() {
  int* data = managed<int>(32);
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  OK(cudaStreamCreate(&stream));
  ERROR_IS(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  ERROR_IS(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_add(data, 1, stream);
  ERROR_IS(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  ERROR_IS(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  CHECK(graph == nullptr && data[0] == 0);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  launch_add(data, 1, nullptr);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureImplicit && data[0] == 0);
  ERROR_IS(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  OK(cudaMemset(data, 0, 4));
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphDestroy(graph));
  OK(cudaStreamDestroy(stream));
  OK(cudaFree(data));
}

void test_nodes() {
  int* data = managed<int>(32);
  int out[32], value = 10;
  std::vector<int> order;
  void* arguments[] = {&data, &value};
  cudaGraph_t graph = nullptr;
  OK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams fill{};
  fill.dst = data;
  fill.elementSize = 4;
  fill.value = 5;
  fill.width = 32;
  fill.height = 1;
  cudaGraphNode_t filled = nullptr, added = nullptr, copied = nullptr, said = nullptr;
  OK(cudaGraphAddMemsetNode(&filled, graph, nullptr, 0, &fill));
  cudaKernelNodeParams kernel{};
  kernel.func = hirace::cpu::kernel_address(add_info, add);
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  OK(cudaGraphAddKernelNode(&added, graph, &filled, 1, &kernel));
  // Copied when the node is created.
  value = 1000;
  OK(cudaGraphAddMemcpyNode1D(&copied, graph, nullptr, 0, out, data, sizeof out, cudaMemcpyDeviceToHost));
  OK(cudaGraphAddDependencies(graph, &added, &copied, 1));
  cudaHostNodeParams call{[](void* list) { static_cast<std::vector<int>*>(list)->push_back(1); }, &order};
  OK(cudaGraphAddHostNode(&said, graph, &copied, 1, &call));
  cudaGraphExec_t executable = nullptr;
  OK(cudaGraphInstantiate(&executable, graph, 0));
  OK(cudaGraphLaunch(executable, nullptr));
  CHECK(out[31] == 15 && order.size() == 1);
  kernel.kernelParams = arguments;
  OK(cudaGraphExecKernelNodeSetParams(executable, added, &kernel));
  OK(cudaGraphLaunch(executable, nullptr));
  CHECK(out[31] == 1005 && order.size() == 2);
  OK(cudaGraphNodeSetEnabled(executable, added, 0));
  OK(cudaGraphLaunch(executable, nullptr));
  CHECK(out[31] == 5);
  cudaKernelNodeParams got{};
  OK(cudaGraphKernelNodeGetParams(added, &got));
  CHECK(got.func == kernel.func && *static_cast<int*>(got.kernelParams[1]) == 10);
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(said, &type));
  CHECK(type == cudaGraphNodeTypeHost);
  // A cycle is not allowed; a child graph is a node.
  OK(cudaGraphAddDependencies(graph, &said, &filled, 1));
  cudaGraphExec_t circle = nullptr;
  ERROR_IS(cudaGraphInstantiate(&circle, graph, 0), cudaErrorInvalidValue);
  OK(cudaGraphRemoveDependencies(graph, &said, &filled, 1));
  cudaGraph_t outer = nullptr;
  cudaGraphNode_t child = nullptr;
  OK(cudaGraphCreate(&outer, 0));
  OK(cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, graph));
  OK(cudaGraphInstantiate(&circle, outer, 0));
  OK(cudaGraphLaunch(circle, nullptr));
  CHECK(out[31] == 15 && order.size() == 4);
  OK(cudaGraphExecDestroy(circle));
  OK(cudaGraphExecDestroy(executable));
  OK(cudaGraphDestroy(outer));
  OK(cudaGraphDestroy(graph));
  OK(cudaFree(data));
}

int main() {
  test_capture();
  test_fork();
  test_what_a_capture_forbids();
  test_nodes();
}
