// A pipeline over several streams: signals are filtered in chunks, while other chunks are
// being copied.
//
//   stream_pipeline [chunks] [samples per chunk] [streams]
//
// Each chunk is copied to the device, smoothed by a filter that also needs the end of the
// chunk before, reduced to its energy, and copied back. A chunk's filter waits for an event
// after the copy of its predecessor. At the end of each chunk's work a host function records
// that it is done; the sums are added up on a stream that waits for all others.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECKED(call)                                                                          \
  do {                                                                                         \
    cudaError_t checked_ = (call);                                                             \
    if (checked_ != cudaSuccess) {                                                             \
      std::fprintf(stderr, "%s:%d: '%s' failed: %s\n", __FILE__, __LINE__, #call,              \
                   cudaGetErrorString(checked_));                                              \
      std::exit(2);                                                                            \
    }                                                                                          \
  } while (0)

namespace {

constexpr int taps = 16;
constexpr int threads = 128;

__constant__ float c_filter[taps];

// out[i] = sum of filter[k] * in[i - k]; samples before the chunk come from its predecessor.
__global__ void smooth(const float* __restrict__ in, const float* __restrict__ before, float* __restrict__ out, int n) {
  extern __shared__ float s_window[];  // taps - 1 earlier samples, then the block's
  const int first = blockIdx.x * blockDim.x;
  for (int j = threadIdx.x; j < taps - 1 + static_cast<int>(blockDim.x); j += blockDim.x) {
    const int i = first + j - (taps - 1);
    float sample = 0.0f;
    if (i >= 0 && i < n) sample = in[i];
    if (i < 0 && before != nullptr) sample = before[n + i];
    s_window[j] = sample;
  }
  __syncthreads();
  const int i = first + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < taps; ++k) sum = fmaf(c_filter[k], s_window[threadIdx.x + taps - 1 - k], sum);
  out[i] = sum;
}

template <int Threads>
__global__ void energy(const float* __restrict__ in, int n, double* result) {
  __shared__ double s_sum[Threads];
  const int t = threadIdx.x;
  double sum = 0.0;
  for (int i = blockIdx.x * Threads + t; i < n; i += gridDim.x * Threads) sum += static_cast<double>(in[i]) * in[i];
  s_sum[t] = sum;
#pragma unroll
  for (int half = Threads / 2; half >= 1; half /= 2) {
#ifdef RACE
    if (half >= 32) __syncthreads();  // as if the lanes of a warp ran in lockstep
#else
    __syncthreads();
#endif
    if (t < half) s_sum[t] += s_sum[t + half];
  }
  if (t == 0) atomicAdd(result, s_sum[0]);
}

__global__ void add_up(const double* energies, int n, double* total) {
  double sum = 0.0;
  for (int i = threadIdx.x; i < n; i += 32) sum += energies[i];
  for (int mask = 16; mask > 0; mask >>= 1) sum += __shfl_xor_sync(0xffffffff, sum, mask);
  if (threadIdx.x == 0) *total = sum;
}

std::atomic<int> chunks_done{0};

void CUDART_CB note_chunk(void* flag) {
  *static_cast<bool*>(flag) = true;
  ++chunks_done;
}

struct Stage {
  cudaStream_t stream = nullptr;
  cudaStream_t get() const { return stream; }
};

class Pipeline {
 public:
  Pipeline(int chunks, int samples, int streams) : chunks_(chunks), samples_(samples), streams_(streams), copied_(chunks), done_(chunks) {
    int least = 0, greatest = 0;
    CHECKED(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    for (Stage& stage : streams_) CHECKED(cudaStreamCreateWithPriority(&stage.stream, cudaStreamNonBlocking, least));
    CHECKED(cudaStreamCreateWithPriority(&summing_, cudaStreamNonBlocking, greatest));
    for (cudaEvent_t& event : copied_) CHECKED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    for (cudaEvent_t& event : done_) CHECKED(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    const size_t bytes = size() * sizeof(float);
    CHECKED(cudaHostAlloc(&input, bytes, cudaHostAllocWriteCombined));
    CHECKED(cudaMallocHost(&output, bytes));
    CHECKED(cudaMallocHost(&total, sizeof(double)));
    CHECKED(cudaMalloc(&device_in_, bytes));
    CHECKED(cudaMalloc(&device_out_, bytes));
    CHECKED(cudaMalloc(&energies_, (chunks_ + 1) * sizeof(double)));
  }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;
  ~Pipeline() {
    for (const Stage& stage : streams_) cudaStreamDestroy(stage.get());
    cudaStreamDestroy(summing_);
    for (cudaEvent_t event : copied_) cudaEventDestroy(event);
    for (cudaEvent_t event : done_) cudaEventDestroy(event);
    cudaFreeHost(input);
    cudaFreeHost(output);
    cudaFreeHost(total);
    cudaFree(device_in_);
    cudaFree(device_out_);
    cudaFree(energies_);
  }

  size_t size() const { return static_cast<size_t>(chunks_) * samples_; }

  void run(bool* flags) {
    CHECKED(cudaMemsetAsync(energies_, 0, (chunks_ + 1) * sizeof(double), summing_));
    cudaEvent_t cleared;
    CHECKED(cudaEventCreateWithFlags(&cleared, cudaEventDisableTiming));
    CHECKED(cudaEventRecord(cleared, summing_));
    for (int c = 0; c < chunks_; ++c) {
      const cudaStream_t stream = streams_[c % streams_.size()].get();
      float* const in = device_in_ + static_cast<size_t>(c) * samples_;
      float* const out = device_out_ + static_cast<size_t>(c) * samples_;
      const size_t bytes = samples_ * sizeof(float);
      CHECKED(cudaMemcpyAsync(in, input + static_cast<size_t>(c) * samples_, bytes, cudaMemcpyHostToDevice, stream));
      CHECKED(cudaEventRecord(copied_[c], stream));
      if (c > 0) CHECKED(cudaStreamWaitEvent(stream, copied_[c - 1], 0));
      const int blocks = (samples_ + threads - 1) / threads;
      const size_t window = (threads + taps - 1) * sizeof(float);
      smooth<<<blocks, threads, window, stream>>>(in, c > 0 ? in - samples_ : nullptr, out, samples_);
      CHECKED(cudaStreamWaitEvent(stream, cleared, 0));
      energy<threads><<<4, threads, 0, stream>>>(out, samples_, energies_ + c);
      CHECKED(cudaGetLastError());
      CHECKED(cudaMemcpyAsync(output + static_cast<size_t>(c) * samples_, out, bytes, cudaMemcpyDeviceToHost, stream));
      CHECKED(cudaLaunchHostFunc(stream, note_chunk, &flags[c]));
      CHECKED(cudaEventRecord(done_[c], stream));
    }
    for (cudaEvent_t event : done_) CHECKED(cudaStreamWaitEvent(summing_, event, 0));
    add_up<<<1, 32, 0, summing_>>>(energies_, chunks_, energies_ + chunks_);
    CHECKED(cudaGetLastError());
    CHECKED(cudaMemcpyAsync(total, energies_ + chunks_, sizeof(double), cudaMemcpyDeviceToHost, summing_));
    CHECKED(cudaStreamSynchronize(summing_));
    CHECKED(cudaEventDestroy(cleared));
    for (const Stage& stage : streams_) CHECKED(cudaStreamQuery(stage.get()));
  }

  float* input = nullptr;   // pinned
  float* output = nullptr;  // pinned
  double* total = nullptr;  // pinned

 private:
  int chunks_, samples_;
  std::vector<Stage> streams_;
  cudaStream_t summing_ = nullptr;
  std::vector<cudaEvent_t> copied_, done_;
  float *device_in_ = nullptr, *device_out_ = nullptr;
  double* energies_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  const int chunks = argc > 1 ? std::atoi(argv[1]) : 8;
  const int samples = argc > 2 ? std::atoi(argv[2]) : 2000;
  const int streams = argc > 3 ? std::atoi(argv[3]) : 3;
  if (chunks < 1 || samples < taps || streams < 1) {
    std::fprintf(stderr, "usage: stream_pipeline [chunks] [samples per chunk, at least %d] [streams]\n", taps);
    return 2;
  }
  float filter[taps];
  for (int k = 0; k < taps; ++k) filter[k] = 0.5f * (1.0f - std::cos(2.0f * 3.14159265f * (k + 0.5f) / taps)) * 2.0f / taps;
  // The copy may still run when the call returns, and the streams do not wait for the default one.
  CHECKED(cudaMemcpyToSymbol(c_filter, filter, sizeof filter));
  CHECKED(cudaDeviceSynchronize());

  Pipeline pipeline(chunks, samples, streams);
  const size_t n = pipeline.size();
  std::vector<float> signal(n);
  unsigned noise = 1;
  for (size_t i = 0; i < n; ++i) {
    noise = noise * 1664525u + 1013904223u;
    signal[i] = std::sin(0.01f * i) + (noise >> 8) * (1.0f / (1 << 24)) - 0.5f;
    pipeline.input[i] = signal[i];
  }
  std::vector<char> flags(chunks * sizeof(bool), 0);
  cudaEvent_t start, stop;
  CHECKED(cudaEventCreate(&start));
  CHECKED(cudaEventCreate(&stop));
  CHECKED(cudaEventRecord(start));
  pipeline.run(reinterpret_cast<bool*>(flags.data()));
  CHECKED(cudaEventRecord(stop));
  CHECKED(cudaEventSynchronize(stop));
  float milliseconds = 0.0f;
  CHECKED(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECKED(cudaEventDestroy(start));
  CHECKED(cudaEventDestroy(stop));
  std::printf("%zu samples in %d chunks on %d streams: %.2f ms\n", n, chunks, streams, milliseconds);

  int wrong = 0;
  double total = 0.0;
  for (size_t i = 0; i < n; ++i) {
    float sum = 0.0f;
    for (size_t k = 0; k < taps && k <= i; ++k) sum = std::fma(filter[k], signal[i - k], sum);
    total += static_cast<double>(sum) * sum;
    if (!(std::fabs(pipeline.output[i] - sum) <= 1e-5f) && wrong++ == 0) {
      std::fprintf(stderr, "sample %zu: %g, expected %g\n", i, pipeline.output[i], sum);
    }
  }
  if (!(std::fabs(*pipeline.total - total) <= 1e-5 * total)) {
    std::fprintf(stderr, "energy %.9g, expected %.9g\n", *pipeline.total, total);
    ++wrong;
  }
  if (chunks_done != chunks) {
    std::fprintf(stderr, "%d chunks were noted as done\n", chunks_done.load());
    ++wrong;
  }
  std::printf("stream_pipeline: %s\n", wrong ? "FAILED" : "OK");
  return wrong ? 1 : 0;
}
