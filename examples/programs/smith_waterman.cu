/* Local alignment of pairs of sequences (Smith and Waterman, affine gaps): one block per pair,
 * along the anti-diagonals of the matrix, three of which are kept in shared memory.
 *
 *   smith_waterman [PAIRS [LENGTH [SEED]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda_runtime.h>

#define LETTERS 4
#define GAP_OPEN 5
#define GAP_EXTEND 1
#define MAX_LENGTH 512
#define NONE (-30000)

#define SAFE(x)                                                                  \
  do {                                                                           \
    cudaError_t e = (x);                                                         \
    if (e != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e)); \
      exit(2);                                                                   \
    }                                                                            \
  } while (0)

/* One pair: where its sequences begin in the text, and how long they are. */
struct pair {
  int query, subject;
  short query_length, subject_length;
};

struct best {
  int score;
  int end; /* query position * MAX_LENGTH + subject position */
};

__constant__ signed char substitution[LETTERS][LETTERS];
static const signed char host_substitution[LETTERS][LETTERS] = {
    {3, -2, -1, -2}, {-2, 3, -2, -1}, {-1, -2, 3, -2}, {-2, -1, -2, 3}};

/* The better of two: the higher score, or the earlier end if scores are equal. */
__host__ __device__ static inline struct best better(struct best a, struct best b) {
  if (a.score != b.score) return a.score > b.score ? a : b;
  return a.end < b.end ? a : b;
}

__global__ void align(const char *text, const struct pair *pairs, struct best *results) {
  /* Of diagonal d: h[d % 3], by query position. e and f: best with a gap in one sequence. */
  extern __shared__ short memory[];
  __shared__ struct best found[32];
  const struct pair p = pairs[blockIdx.x];
  const int rows = p.query_length, columns = p.subject_length, width = rows + 1;
  short *h = memory, *e = memory + 3 * width, *f = memory + 5 * width;

  for (int i = threadIdx.x; i < 3 * width; i += blockDim.x) h[i] = 0;
  for (int i = threadIdx.x; i < 2 * width; i += blockDim.x) e[i] = f[i] = NONE;
  __syncthreads();

  struct best mine = {0, 0};
  for (int d = 2; d <= rows + columns; d++) {
    short *h0 = h + d % 3 * width;
    const short *h1 = h + (d + 2) % 3 * width, *h2 = h + (d + 1) % 3 * width;
    short *e0 = e + d % 2 * width, *f0 = f + d % 2 * width;
    const short *e1 = e + (d + 1) % 2 * width, *f1 = f + (d + 1) % 2 * width;
    int first = d - columns > 1 ? d - columns : 1, last = d - 1 < rows ? d - 1 : rows;
    for (int i = first + threadIdx.x; i <= last; i += blockDim.x) {
      const int j = d - i;
      /* Cells of row 0 and column 0 are 0 and have no gaps. */
      const int left = j > 1 ? h1[i] : 0, up = i > 1 ? h1[i - 1] : 0, corner = i > 1 && j > 1 ? h2[i - 1] : 0;
      const int gap_left = max(left - GAP_OPEN, j > 1 ? e1[i] - GAP_EXTEND : NONE);
      const int gap_up = max(up - GAP_OPEN, i > 1 ? f1[i - 1] - GAP_EXTEND : NONE);
      int score = corner + substitution[(int)text[p.query + i - 1]][(int)text[p.subject + j - 1]];
      score = max(max(score, 0), max(gap_left, gap_up));
      h0[i] = (short)score;
      e0[i] = (short)gap_left;
      f0[i] = (short)gap_up;
      struct best here = {score, (i - 1) * MAX_LENGTH + j - 1};
      if (score > 0) mine = better(mine, here);
    }
#ifndef RACE
    __syncthreads();
#endif
  }

  /* The best of the block: the best of each warp, then the best of these. */
  for (int pass = 0; pass < 2; pass++) {
    for (int offset = 16; offset > 0; offset >>= 1) {
      struct best other;
      other.score = __shfl_down_sync(0xffffffff, mine.score, offset);
      other.end = __shfl_down_sync(0xffffffff, mine.end, offset);
      mine = better(mine, other);
    }
    if (pass == 0) {
      if ((threadIdx.x & 31) == 0) found[threadIdx.x >> 5] = mine;
      __syncthreads();
      if (threadIdx.x >= 32) return;
      struct best nothing = {0, 0};
      mine = threadIdx.x < blockDim.x / 32 ? found[threadIdx.x] : nothing;
    }
  }
  if (threadIdx.x == 0) results[blockIdx.x] = mine;
}

static struct best align_on_host(const char *query, int rows, const char *subject, int columns) {
  static int h[MAX_LENGTH + 1][MAX_LENGTH + 1], e[MAX_LENGTH + 1][MAX_LENGTH + 1], f[MAX_LENGTH + 1][MAX_LENGTH + 1];
  struct best result = {0, 0};
  for (int i = 0; i <= rows; i++)
    for (int j = 0; j <= columns; j++) {
      h[i][j] = 0;
      e[i][j] = f[i][j] = NONE;
      if (i == 0 || j == 0) continue;
      e[i][j] = max(h[i][j - 1] - GAP_OPEN, e[i][j - 1] - GAP_EXTEND);
      f[i][j] = max(h[i - 1][j] - GAP_OPEN, f[i - 1][j] - GAP_EXTEND);
      int score = h[i - 1][j - 1] + host_substitution[(int)query[i - 1]][(int)subject[j - 1]];
      h[i][j] = max(max(score, 0), max(e[i][j], f[i][j]));
      struct best here = {h[i][j], (i - 1) * MAX_LENGTH + j - 1};
      if (h[i][j] > 0) result = better(result, here);
    }
  return result;
}

int main(int argc, char **argv) {
  int pairs = argc > 1 ? atoi(argv[1]) : 6, length = argc > 2 ? atoi(argv[2]) : 100;
  srand(argc > 3 ? atoi(argv[3]) : 1);
  if (pairs < 1 || length < 4 || length > MAX_LENGTH) {
    fprintf(stderr, "usage: %s [PAIRS [LENGTH [SEED]]], lengths 4 to %d\n", argv[0], MAX_LENGTH);
    return 2;
  }

  char *text = (char *)malloc(2 * pairs * length);
  struct pair *list = (struct pair *)malloc(pairs * sizeof *list);
  int at = 0;
  for (int p = 0; p < pairs; p++) {
    struct pair *pair = &list[p];
    pair->query_length = (short)(length - rand() % (length / 4));
    pair->subject_length = (short)(length - rand() % (length / 4));
    pair->query = at;
    pair->subject = at + pair->query_length;
    at = pair->subject + pair->subject_length;
    for (int i = pair->query; i < at; i++) text[i] = (char)(rand() % LETTERS);
    /* A part of the query, slightly changed, so that there is something to find. */
    int common = length / 2;
    for (int i = 0; i < common; i++)
      if (rand() % 8 != 0) text[pair->subject + length / 8 + i] = text[pair->query + i];
  }

  char *d_text;
  struct pair *d_list;
  struct best *d_results, *results = (struct best *)calloc(pairs, sizeof *results);
  SAFE(cudaMalloc((void **)&d_text, at));
  SAFE(cudaMalloc((void **)&d_list, pairs * sizeof *list));
  SAFE(cudaMalloc((void **)&d_results, pairs * sizeof *results));
  SAFE(cudaMemcpy(d_text, text, at, cudaMemcpyHostToDevice));
  SAFE(cudaMemcpy(d_list, list, pairs * sizeof *list, cudaMemcpyHostToDevice));
  SAFE(cudaMemcpyToSymbol(substitution, host_substitution, sizeof host_substitution));
  size_t bytes = 7 * (length + 1) * sizeof(short);
  SAFE(cudaFuncSetAttribute(align, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
  align<<<pairs, 64, bytes>>>(d_text, d_list, d_results);
  SAFE(cudaGetLastError());
  SAFE(cudaMemcpy(results, d_results, pairs * sizeof *results, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int p = 0; p < pairs; p++) {
    struct best expected =
        align_on_host(text + list[p].query, list[p].query_length, text + list[p].subject, list[p].subject_length);
    if (results[p].score != expected.score || results[p].end != expected.end) {
      printf("smith_waterman: pair %d has score %d, not %d, FAILED\n", p, results[p].score, expected.score);
      wrong = 1;
    }
  }
  SAFE(cudaFree(d_text));
  SAFE(cudaFree(d_list));
  SAFE(cudaFree(d_results));
  free(text);
  free(list);
  free(results);
  if (wrong) return 1;
  printf("smith_waterman: %d pairs, passed\n", pairs);
  return 0;
}
