/* Checks two kernels of tests/ptx/tile.ptx for data races with the C library of hirace: one that is correct, and its
 * twin without a barrier.
 *
 *     cargo build --release -p hirace-capi
 *     cc -std=c11 -Icrates/capi/include examples/c/check_ptx.c -o check_ptx \
 *       -Ltarget/release -lhirace -Wl,-rpath,"$PWD/target/release"
 *     ./check_ptx tests/ptx/tile.ptx
 *
 * The exit status is 0 if the first kernel is clean and computes what it should, and the second one races. */
#include <stdio.h>
#include <stdlib.h>

#include "hirace.h"

enum { COUNT = 128, BLOCK = 64 };

/* The content of a file, to be freed; exits if there is none. */
static char *content(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  long size = -1;
  if (file != NULL && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  char *text = size < 0 ? NULL : malloc((size_t)size + 1);
  if (text == NULL || fseek(file, 0, SEEK_SET) != 0) {
    perror(path);
    exit(2);
  }
  *length = fread(text, 1, (size_t)size, file);
  fclose(file);
  return text;
}

/* Runs `kernel(in, out, factor)`, and prints the report unless it is clean. */
static int check(const char *ptx, size_t length, const char *name, const char *kernel, const float *in, float *out) {
  const uint64_t shape[] = {COUNT};
  const uint32_t grid[3] = {COUNT / BLOCK, 1, 1}, block[3] = {BLOCK, 1, 1};
  const int32_t factor = 3;

  hirace_session *session = hirace_session_new(ptx, length, name);
  if (session == NULL) {
    fprintf(stderr, "%s\n", hirace_last_error());
    return HIRACE_ERROR;
  }
  hirace_array *given = hirace_array_new_const(session, "in", "f32", shape, 1, in);
  hirace_array *wanted = hirace_array_new(session, "out", "f32", shape, 1, out);
  hirace_session_set(session, "timeout", "60");
  hirace_launch(session, kernel, grid, block, 0, 0);
  HIRACE_LAUNCH_HERE(session);
  hirace_argument_array(session, given, 0);
  hirace_argument_array(session, wanted, 0);
  hirace_argument_scalar(session, "s32", &factor);
  /* If one of these calls has failed, the next one does not run the session, and says why. */
  const int found = hirace_session_run(session);
  if (found == HIRACE_ERROR) fprintf(stderr, "%s: %s\n", kernel, hirace_last_error());
  if (found == HIRACE_FINDINGS) fputs(hirace_session_report_text(session), stdout);
  /* Programs read hirace_session_report_json(session) instead. */
  hirace_session_free(session);
  return found;
}

int main(int argc, char **argv) {
  if (argc != 2 || hirace_api_version() < HIRACE_API_VERSION) {
    fprintf(stderr, "usage: %s tile.ptx, with hirace %s\n", argv[0], hirace_version());
    return 2;
  }
  size_t length;
  char *ptx = content(argv[1], &length);
  float in[COUNT], out[COUNT] = {0};
  for (int i = 0; i < COUNT; ++i) in[i] = (float)i;

  const int correct = check(ptx, length, argv[1], "reverse", in, out);
  int wrong = 0;
  for (int i = 0; i < COUNT; ++i) wrong += out[i] != 3 * in[i / BLOCK * BLOCK + BLOCK - 1 - i % BLOCK];
  printf("reverse: status %d, %d wrong results\n", correct, wrong);

  const int racy = check(ptx, length, argv[1], "reverse_without_barrier", in, out);
  printf("reverse_without_barrier: status %d\n", racy);
  free(ptx);
  return correct == HIRACE_OK && wrong == 0 && racy == HIRACE_FINDINGS ? 0 : 1;
}
