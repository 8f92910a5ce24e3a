/* What the tests of the C library do with it; C11 and C++11. `cases CASE DIRECTORY` runs one case with the PTX of
 * DIRECTORY, and prints what the test looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hirace.h"

static char directory[1024];

static char *content(const char *name, size_t *length) {
  char path[2048];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "rb");
  char *text = (char *)malloc(1 << 20);
  if (file == NULL || text == NULL) {
    perror(path);
    exit(9);
  }
  *length = fread(text, 1, 1 << 20, file);
  fclose(file);
  return text;
}

static hirace_session *session_of(const char *file) {
  size_t length;
  char path[2048];
  char *ptx = content(file, &length);
  snprintf(path, sizeof path, "%s/%s", directory, file);
  hirace_session *session = hirace_session_new(ptx, length, path);
  /* The library has a copy. */
  memset(ptx, '?', length);
  free(ptx);
  if (session == NULL) {
    printf("no session: %s\n", hirace_last_error());
    exit(9);
  }
  return session;
}

static float in[128], out[128];
static const uint64_t shape[1] = {128};
static const uint32_t one[3] = {1, 1, 1}, two[3] = {2, 1, 1}, threads[3] = {64, 1, 1};

static void fill(void) {
  for (int i = 0; i < 128; ++i) {
    in[i] = (float)i;
    out[i] = -1;
  }
}

/* Adds KERNEL(from, to, 3): `reverse`, or its twin without a barrier. */
static void reverse_of(hirace_session *session, const char *kernel, const hirace_array *from, const hirace_array *to) {
  const int32_t factor = 3;
  hirace_launch(session, kernel, two, threads, 0, 0);
  hirace_argument_array(session, from, 0);
  hirace_argument_array(session, to, 0);
  hirace_argument_scalar(session, "s32", &factor);
}

/* The same for `in` and `out`. */
static void reverse(hirace_session *session, const char *kernel) {
  fill();
  hirace_array *from = hirace_array_new_const(session, "x", "f32", shape, 1, in);
  hirace_array *to = hirace_array_new(session, "y", "f32", shape, 1, out);
  reverse_of(session, kernel, from, to);
  hirace_launch_at(session, "caller.jl", 12);
}

static int wrong_results(void) {
  int wrong = 0;
  for (int i = 0; i < 128; ++i) wrong += out[i] != 3 * in[i / 64 * 64 + 63 - i % 64];
  return wrong;
}

/* Runs a session, prints the status and the JSON, and frees it. */
static void finish(hirace_session *session) {
  const int status = hirace_session_run(session);
  printf("status %d\n", status);
  if (status == HIRACE_ERROR) printf("error: %s\n", hirace_last_error());
  printf("output: %s.\n", hirace_session_output(session));
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum += (float)i * out[i];
  printf("wrong %d\nresults %g\n", wrong_results(), (double)sum);
  printf("json\n%s\n", hirace_session_report_json(session));
  hirace_session_free(session);
}

static void checked(const char *kernel, const char *key, const char *value) {
  hirace_session *session = session_of("tile.ptx");
  if (key != NULL) hirace_session_set(session, key, value);
  reverse(session, kernel);
  finish(session);
}

/* The first kernel writes an array that the second one reads. The third launch adds to the same element. */
static void several(void) {
  float sum = 0;
  const int32_t n = 128;
  hirace_session *session = session_of("tile.ptx");
  reverse(session, "reverse");
  hirace_array *to = hirace_array_new(session, NULL, "f32", NULL, 0, &sum);
  hirace_array *between = hirace_array_new(session, "z", "f32", shape, 1, in);
  const int32_t factor = 2, half = 64;
  hirace_launch(session, "reverse", two, threads, 0, HIRACE_COOPERATIVE);
  hirace_argument_array(session, between, 0);
  hirace_argument_array(session, between, 0);
  hirace_argument_scalar(session, "s32", &factor);
  hirace_launch(session, "sum", one, threads, 0, 0);
  hirace_argument_array(session, between, 0);
  hirace_argument_array(session, to, 0);
  hirace_argument_scalar(session, "s32", &n);
  /* Only the second half. */
  hirace_launch(session, "_Z3sumPKfPfi", one, threads, 0, 0);
  hirace_argument_array(session, between, 64 * sizeof(float));
  hirace_argument_array(session, to, 0);
  hirace_argument_scalar(session, "s32", &half);
  const int status = hirace_session_run(session);
  printf("status %d\n%s", status, status == HIRACE_ERROR ? hirace_last_error() : "");
  printf("sum %g\nlast %g\n", sum, in[127]);
  hirace_session_free(session);
}

/* An array that is too small for what the kernel reads. */
static void bounds(void) {
  const uint64_t fewer[2] = {10, 10};
  hirace_session *session = session_of("tile.ptx");
  fill();
  hirace_array *from = hirace_array_new_const(session, "x", "f32", fewer, 2, in);
  hirace_array *to = hirace_array_new(session, "y", "f32", shape, 1, out);
  reverse_of(session, "reverse", from, to);
  finish(session);
}

/* Two blocks exchange their values: the launch makes them a cluster. */
static void clusters(void) {
  hirace_session *session = session_of("pair.ptx");
  fill();
  hirace_array *from = hirace_array_new_const(session, "x", "f32", shape, 1, in);
  hirace_array *to = hirace_array_new(session, "y", "f32", shape, 1, out);
  hirace_launch(session, "given_at_launch", two, threads, 0, 0);
  hirace_launch_cluster(session, two);
  hirace_argument_array(session, from, 0);
  hirace_argument_array(session, to, 0);
  const int status = hirace_session_run(session);
  printf("status %d\n%s", status, status == HIRACE_ERROR ? hirace_last_error() : "");
  printf("out %g %g\n", (double)out[0], (double)out[127]);
  hirace_session_free(session);
}

static void structures(void) {
  /* 1, 2, 0.5, 4 in 16-bit floats. */
  uint16_t values[4] = {0x3c00, 0x4000, 0x3800, 0x4400}, results[4] = {0, 0, 0, 0};
  /* 1, not a number, 2. */
  const uint16_t p[3] = {0x3c00, 0x7e01, 0x4000};
  const uint64_t four[1] = {4};
  const uint32_t block[3] = {4, 1, 1};
  hirace_session *session = session_of("own.ptx");
  hirace_array *from = hirace_array_new(session, "x", "f16", four, 1, values);
  hirace_array *to = hirace_array_new(session, "y", "f16", four, 1, results);
  hirace_launch(session, "by_value", one, block, 0, 0);
  hirace_argument_array(session, from, 0);
  hirace_argument_array(session, to, 0);
  hirace_argument_bytes(session, p, sizeof p);
  const int status = hirace_session_run(session);
  printf("status %d\n%s", status, status == HIRACE_ERROR ? hirace_last_error() : "");
  printf("%04x %04x %04x %04x\n", results[0], results[1], results[2], results[3]);
  hirace_session_free(session);
}

static void without_arguments(const char *file, const char *kernel, const uint32_t *block) {
  hirace_session *session = session_of(file);
  hirace_session_set(session, "timeout", "1");
  /* It must not be written back: the program does not reach its end. */
  float kept = 7;
  hirace_array_new(session, NULL, "f32", NULL, 0, &kept);
  hirace_launch(session, kernel, one, block, 0, 0);
  finish(session);
  printf("kept %g\n", kept);
}

/* A kernel writes to an array that is not written back. */
static void constant(void) {
  hirace_session *session = session_of("tile.ptx");
  fill();
  hirace_array *from = hirace_array_new(session, "x", "f32", shape, 1, in);
  hirace_array *to = hirace_array_new_const(session, "y", "f32", shape, 1, out);
  reverse_of(session, "reverse", from, to);
  printf("status %d\n", hirace_session_run(session));
  printf("in %g out %g\n", (double)in[127], (double)out[127]);
  hirace_session_free(session);
}

static int failures;

/* A call that must fail, with an error that says this. */
static void fails(int failed, const char *says) {
  const char *text = hirace_last_error();
  if (failed && strstr(text, says) != NULL) return;
  printf("%s, and said `%s` instead of `%s`\n", failed ? "failed" : "did not fail", text, says);
  ++failures;
}

static void mistakes(void) {
  float value = 1;
  const int32_t number = 1;
  const uint64_t huge[2] = {UINT64_MAX, 16};
  const uint32_t none[3] = {0, 1, 1}, many[3] = {1, 1, 65};
  /* Each has one mistake, as nothing else counts after it. */
  hirace_session *s[32];
  for (int i = 0; i < 32; ++i) s[i] = session_of("tile.ptx");

  fails(hirace_session_new(NULL, 3, NULL) == NULL, "`ptx` is null");
  fails(hirace_session_new("\xff", 1, "a.ptx") == NULL, "`a.ptx` is not UTF-8");
  fails(hirace_session_new("a\0b", 3, "a.ptx") == NULL, "`a.ptx` is a binary file: byte 1 is NUL");
  fails(hirace_session_new(".version 8.0\n.entry k()\n{ add.s32 }", 35, "a.ptx") == NULL, "a.ptx:3:11: expected `;`");
  fails(hirace_session_set(NULL, "seed", "1"), "`session` is null");
  fails(hirace_session_set(s[0], NULL, "1"), "`key` is null");
  fails(hirace_session_set(s[1], "seed", NULL), "`value` is null");
  fails(hirace_session_set(s[2], "seed", "x"), "`seed` is a number below 2^32, not `x`");
  fails(hirace_session_set(s[3], "sead", "1"), "no option `sead`; known are seed, ");
  fails(hirace_array_new(s[4], "x", "f33", shape, 1, in) == NULL, "unknown type `f33`; known are s8, ");
  fails(hirace_array_new(s[5], "x", NULL, shape, 1, in) == NULL, "`type` is null");
  fails(hirace_array_new(s[6], "x", "f32", NULL, 1, in) == NULL, "`shape` is null");
  fails(hirace_array_new(s[7], "x", "f32", shape, 1, NULL) == NULL, "`data` is null");
  fails(hirace_array_new(s[8], "x", "f32", huge, 2, in) == NULL, "the array is too large");
  fails(hirace_array_new(s[9], "x", "f32", shape, (size_t)-1, in) == NULL, "`dimensions` is at most 64");
  fails(hirace_launch(s[10], "revers", one, threads, 0, 0), "no kernel `revers`; the file has: reverse, ");
  fails(hirace_launch(s[11], NULL, one, threads, 0, 0), "`kernel` is null");
  fails(hirace_launch(s[12], "reverse", NULL, threads, 0, 0), "`grid` is null");
  fails(hirace_launch(s[13], "reverse", none, threads, 0, 0), "`grid`: expected a number from 1 to ");
  fails(hirace_launch(s[14], "reverse", one, many, 0, 0), "`block`: expected a number from 1 to 64");
  fails(hirace_launch(s[15], "reverse", one, threads, 0, 6), "`flags` has unknown bits: 0x6");
  fails(hirace_argument_scalar(s[16], "s32", &number), "there is no launch");
  fails(hirace_launch_at(s[17], "a.c", 1), "there is no launch");
  fails(hirace_launch_cluster(s[30], one), "there is no launch");
  hirace_launch(s[31], "reverse", one, threads, 0, 0);
  fails(hirace_launch_cluster(s[31], two), "`cluster`: a grid of 1 x 1 x 1 blocks has no clusters of 2 x 1 x 1");

  hirace_array *other = hirace_array_new(s[18], "x", "f32", NULL, 0, &value);
  hirace_launch(s[19], "reverse", one, threads, 0, 0);
  fails(hirace_argument_array(s[19], other, 0), "`array` is no array of this session");
  hirace_launch(s[20], "reverse", one, threads, 0, 0);
  fails(hirace_argument_array(s[20], NULL, 0), "`array` is no array of this session");
  hirace_launch(s[18], "reverse", one, threads, 0, 0);
  fails(hirace_argument_array(s[18], other, 5), "the array has 4 bytes, so no offset of 5");
  hirace_launch(s[21], "count", one, threads, 0, 0);
  fails(hirace_argument_scalar(s[21], "s64", huge), "parameter 0 of the kernel has 4 bytes, but the argument has 8");
  hirace_launch(s[22], "count", one, threads, 0, 0);
  fails(hirace_argument_scalar(s[22], "s32", NULL), "`value` is null");
  hirace_launch(s[23], "count", one, threads, 0, 0);
  hirace_argument_scalar(s[23], "s32", &number);
  fails(hirace_argument_scalar(s[23], "s32", &number), "the kernel has 1 parameters, but there are 2 arguments");
  hirace_launch(s[24], "count", one, threads, 0, 0);
  fails(hirace_launch(s[24], "count", one, threads, 0, 0), "launch 1, of `_Z5counti`: the kernel has 1 parameters, but there are 0");
  hirace_launch(s[25], "count", one, threads, 0, 0);
  fails(hirace_argument_bytes(s[25], &number, 3), "parameter 0 of the kernel has 4 bytes, but the argument has 3");
  fails(hirace_session_run(s[26]) == HIRACE_ERROR, "there is no launch");
  hirace_launch(s[27], "count", one, threads, 0, 0);
  fails(hirace_session_run(s[27]) == HIRACE_ERROR, "launch 1, of `_Z5counti`: the kernel has 1 parameters");
  hirace_launch(s[28], "count", one, threads, 0, 0);
  fails(hirace_launch_at(s[28], "a.c", 0), "lines are counted from 1");
  fails(hirace_session_report_json(s[29]) == NULL, "the session has not run");
  fails(hirace_session_report_text(NULL) == NULL, "`session` is null");

  /* After an overlooked error, nothing is checked; a report says so. */
  fails(hirace_session_run(s[3]) == HIRACE_ERROR, "an earlier call failed: no option `sead`");
  if (strstr(hirace_session_report_json(s[3]), "an earlier call failed: no option `sead`") == NULL) ++failures;
  fails(hirace_session_run(s[3]) == HIRACE_ERROR, "the session has run; make a new one");
  fails(hirace_session_set(s[3], "seed", "1"), "the session has run; make a new one");
  fails(hirace_array_new(s[3], "x", "f32", shape, 1, in) == NULL, "the session has run; make a new one");
  fails(hirace_launch(s[3], "count", one, threads, 0, 0), "the session has run; make a new one");

  for (int i = 0; i < 32; ++i) hirace_session_free(s[i]);
  hirace_session_free(NULL);
  printf("failures %d\n", failures);
}

static void versions(void) {
  printf("api %d %u\nversion %s\nerror `%s`\n", HIRACE_API_VERSION, (unsigned)hirace_api_version(), hirace_version(),
         hirace_last_error());
}

int main(int argc, char **argv) {
  const char *name = argc == 3 ? argv[1] : "";
  const uint32_t too_many[3] = {1024, 2, 1};
  snprintf(directory, sizeof directory, "%s", argc == 3 ? argv[2] : "");
  if (strcmp(name, "correct") == 0) checked("reverse", NULL, NULL);
  else if (strcmp(name, "racy") == 0) checked("reverse_without_barrier", NULL, NULL);
  else if (strcmp(name, "explored") == 0) checked("reverse", "explore", "3");
  else if (strcmp(name, "racy-explored") == 0) checked("reverse_without_barrier", "explore", "9");
  else if (strcmp(name, "seeded") == 0) checked("reverse_without_barrier", "seed", "7");
  else if (strcmp(name, "excluded") == 0) checked("reverse_without_barrier", "monitor.exclude-variables", "[\"s\"]");
  else if (strcmp(name, "several") == 0) several();
  else if (strcmp(name, "constant") == 0) constant();
  else if (strcmp(name, "bounds") == 0) bounds();
  else if (strcmp(name, "clusters") == 0) clusters();
  else if (strcmp(name, "structures") == 0) structures();
  else if (strcmp(name, "spin") == 0) without_arguments("own.ptx", "spin", threads);
  else if (strcmp(name, "shape") == 0) without_arguments("own.ptx", "spin", too_many);
  else if (strcmp(name, "refused") == 0) without_arguments("refused.ptx", "refused", threads);
  else if (strcmp(name, "mistakes") == 0) mistakes();
  else if (strcmp(name, "versions") == 0) versions();
  else return 9;
  return 0;
}
