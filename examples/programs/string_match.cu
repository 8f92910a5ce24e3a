// Finds all places of several short patterns in a text, exactly.
//
//   string_match [length of the text] [seed]
//
// The patterns are in constant memory. A block keeps its part of the text, and as much of
// the next part as a pattern can reach, in shared memory. A rolling hash selects the places
// to compare. Matches are listed in the order of the text: the lanes of a
// warp get their positions from a ballot, warps from a sum in shared memory, and a first pass
// counts the matches of each block.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define TRY(call)                                                                               \
  do {                                                                                          \
    cudaError_t result = call;                                                                  \
    if (result != cudaSuccess) {                                                                \
      fprintf(stderr, "string_match: line %d: %s\n", __LINE__, cudaGetErrorString(result));     \
      exit(EXIT_FAILURE);                                                                       \
    }                                                                                           \
  } while (false)

constexpr int kBlock = 128;
constexpr int kMaxPattern = 16;
constexpr int kMaxPatterns = 8;
constexpr unsigned kBase = 257;

struct PatternSet {
  int count;
  int length[kMaxPatterns];
  unsigned hash[kMaxPatterns];
  unsigned char text[kMaxPatterns][kMaxPattern];
};

struct Match {
  int position;
  int pattern;

  bool operator==(const Match& other) const { return position == other.position && pattern == other.pattern; }
};

__constant__ PatternSet c_patterns;

__host__ __device__ constexpr unsigned append(unsigned hash, unsigned char c) { return hash * kBase + c; }

// The part of a text that a block searches.
struct Window {
  unsigned char bytes[kBlock + kMaxPattern];

  __device__ void load(const unsigned char* __restrict__ text, int length) {
    const int first = blockIdx.x * kBlock;
    for (int i = threadIdx.x; i < kBlock + kMaxPattern; i += kBlock) {
      bytes[i] = first + i < length ? text[first + i] : 0;
    }
  }

  // One bit for each pattern that begins at the calling thread's position.
  __device__ unsigned matches(int length) const {
    const int t = threadIdx.x;
    const int left = length - (blockIdx.x * kBlock + t);
    unsigned found = 0;
    unsigned hash = 0;
    for (int n = 1; n <= kMaxPattern && n <= left; ++n) {
      hash = append(hash, bytes[t + n - 1]);
      for (int p = 0; p < c_patterns.count; ++p) {
        if (c_patterns.length[p] == n && c_patterns.hash[p] == hash && equal(p, n)) found |= 1u << p;
      }
    }
    return found;
  }

 private:
  __device__ bool equal(int p, int n) const {
    for (int i = 0; i < n; ++i) {
      if (bytes[threadIdx.x + i] != c_patterns.text[p][i]) return false;
    }
    return true;
  }
};

__global__ void count_matches(const unsigned char* __restrict__ text, int length, int* block_counts) {
  __shared__ Window window;
  window.load(text, length);
#ifndef RACE
  __syncthreads();
#endif
  // Patterns that begin at the same position are counted one by one.
  int total = 0;
  const unsigned mine = window.matches(length);
  for (int p = 0; p < c_patterns.count; ++p) total += __syncthreads_count(mine >> p & 1);
  if (threadIdx.x == 0) block_counts[blockIdx.x] = total;
}

// Exclusive sums of the counts, by one block; the total comes last.
__global__ void sum_counts(int* counts, int n) {
  __shared__ int s_parts[kBlock];
  const int per_thread = (n + kBlock - 1) / kBlock;
  const int begin = min(n, static_cast<int>(threadIdx.x) * per_thread);
  const int end = min(n, begin + per_thread);
  int sum = 0;
  for (int i = begin; i < end; ++i) sum += counts[i];
  s_parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    int before = 0;
    for (int& part : s_parts) {
      const int own = part;
      part = before;
      before += own;
    }
    counts[n] = before;
  }
  __syncthreads();
  int before = s_parts[threadIdx.x];
  for (int i = begin; i < end; ++i) {
    const int own = counts[i];
    counts[i] = before;
    before += own;
  }
}

__global__ void list_matches(const unsigned char* __restrict__ text, int length, const int* __restrict__ block_begin,
                             Match* list) {
  __shared__ Window window;
  __shared__ int s_warp[kBlock / 32 + 1];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;
  window.load(text, length);
  __syncthreads();
  const unsigned mine = window.matches(length);

  int before_in_warp = 0, in_warp = 0;
  for (int p = 0; p < c_patterns.count; ++p) {
    const unsigned vote = __ballot_sync(0xffffffff, mine >> p & 1);
    before_in_warp += __popc(vote & ((1u << lane) - 1));
    in_warp += __popc(vote);
  }
  if (lane == 0) s_warp[warp + 1] = in_warp;
  if (threadIdx.x == 0) s_warp[0] = block_begin[blockIdx.x];
  __syncthreads();
  int place = before_in_warp;
  for (int w = 0; w <= warp; ++w) place += s_warp[w];
  for (int p = 0; p < c_patterns.count; ++p) {
    if (mine >> p & 1) list[place++] = Match{static_cast<int>(blockIdx.x) * kBlock + static_cast<int>(threadIdx.x), p};
  }
}

static PatternSet pattern_set(const std::vector<std::string>& patterns) {
  PatternSet set{};
  for (const std::string& pattern : patterns) {
    const int p = set.count++;
    set.length[p] = static_cast<int>(pattern.size());
    for (const char c : pattern) set.hash[p] = append(set.hash[p], static_cast<unsigned char>(c));
    memcpy(set.text[p], pattern.data(), pattern.size());
  }
  return set;
}

static std::string random_text(int length, unsigned seed, const std::vector<std::string>& patterns) {
  std::string text(length, '\0');
  unsigned state = seed;
  auto next = [&state](unsigned n) {
    state = state * 1103515245u + 12345u;
    return (state >> 16) % n;
  };
  for (char& c : text) c = "acgt"[next(4)];
  for (int i = 0; i < length / 200; ++i) {
    const std::string& pattern = patterns[next(patterns.size())];
    const unsigned at = (next(32768) << 15 | next(32768)) % length;
    if (at + pattern.size() <= text.size()) text.replace(at, pattern.size(), pattern);
  }
  return text;
}

int main(int argc, char** argv) {
  const int length = argc > 1 ? atoi(argv[1]) : 20000;
  const unsigned seed = argc > 2 ? atoi(argv[2]) : 1;
  if (length < 1) {
    fprintf(stderr, "usage: %s [length of the text] [seed]\n", argv[0]);
    return EXIT_FAILURE;
  }
  const std::vector<std::string> patterns{"gattaca", "acgt", "aa", "tttttt", "cagcagcag", "gat", "ttaccaggatacagat"};
  const std::string text = random_text(length, seed, patterns);
  const PatternSet set = pattern_set(patterns);

  const int blocks = (length + kBlock - 1) / kBlock;
  unsigned char* d_text;
  int* d_counts;
  Match* d_list;
  TRY(cudaMalloc(&d_text, length));
  TRY(cudaMalloc(&d_counts, (blocks + 1) * sizeof(int)));
  TRY(cudaMemcpy(d_text, text.data(), length, cudaMemcpyHostToDevice));
  TRY(cudaMemcpyToSymbol(c_patterns, &set, sizeof set));

  cudaEvent_t events[2];
  for (cudaEvent_t& event : events) TRY(cudaEventCreate(&event));
  TRY(cudaEventRecord(events[0]));
  count_matches<<<blocks, kBlock>>>(d_text, length, d_counts);
  sum_counts<<<1, kBlock>>>(d_counts, blocks);
  TRY(cudaGetLastError());
  int total = 0;
  TRY(cudaMemcpy(&total, d_counts + blocks, sizeof total, cudaMemcpyDeviceToHost));
  TRY(cudaMalloc(&d_list, std::max(total, 1) * sizeof(Match)));
  list_matches<<<blocks, kBlock>>>(d_text, length, d_counts, d_list);
  TRY(cudaGetLastError());
  TRY(cudaEventRecord(events[1]));
  TRY(cudaEventSynchronize(events[1]));
  float ms;
  TRY(cudaEventElapsedTime(&ms, events[0], events[1]));
  std::vector<Match> found(total);
  TRY(cudaMemcpy(found.data(), d_list, total * sizeof(Match), cudaMemcpyDeviceToHost));
  printf("%d matches in %d characters, %.2f ms\n", total, length, ms);

  std::vector<Match> expected;
  for (int p = 0; p < set.count; ++p) {
    for (size_t at = text.find(patterns[p]); at != std::string::npos; at = text.find(patterns[p], at + 1)) {
      expected.push_back({static_cast<int>(at), p});
    }
  }
  // Within a warp the lanes come in order, and so do the patterns at one position.
  std::sort(expected.begin(), expected.end(), [](const Match& a, const Match& b) {
    return a.position != b.position ? a.position < b.position : a.pattern < b.pattern;
  });
  for (cudaEvent_t& event : events) TRY(cudaEventDestroy(event));
  TRY(cudaFree(d_text));
  TRY(cudaFree(d_counts));
  TRY(cudaFree(d_list));
  if (found != expected) {
    printf("string_match: FAILED, %zu matches expected\n", expected.size());
    return EXIT_FAILURE;
  }
  printf("string_match: OK\n");
  return EXIT_SUCCESS;
}
