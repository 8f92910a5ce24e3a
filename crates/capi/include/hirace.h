/*
 * hirace.h: the C library of hirace, a data-race checker for CUDA programs. C11 and C++.
 *
 * A session checks the kernels of one PTX file:
 *
 *     hirace_session *session = hirace_session_new(ptx, strlen(ptx), "kernel.ptx");
 *     hirace_array *x = hirace_array_new(session, "x", "f32", (uint64_t[]){128}, 1, data);
 *     hirace_launch(session, "scale", (uint32_t[]){2, 1, 1}, (uint32_t[]){64, 1, 1}, 0, 0);
 *     hirace_argument_array(session, x, 0);
 *     hirace_argument_scalar(session, "f32", &factor);
 *     if (hirace_session_run(session) == HIRACE_FINDINGS) puts(hirace_session_report_text(session));
 *     hirace_session_free(session);
 *
 * It does what `hirace check kernel.ptx --launch launch.toml` does: the PTX is translated to C++, compiled with the
 * C++ compiler of the machine, and run on the CPU executor. No GPU is used. examples/c/check_ptx.c is a whole program.
 *
 * Errors. A function that returns `int` returns HIRACE_ERROR, and one that returns a pointer returns NULL;
 * hirace_last_error() then has a text. A session in which a call failed cannot run any more, so that an overlooked
 * error is not a check of something else. Null pointers, wrong sizes and handles of another session are errors;
 * a session that was freed, or memory that is too short, is undefined behaviour, as everywhere in C.
 *
 * Ownership. The library copies what it is given: the PTX, strings, sizes, scalars. The only exception is the memory
 * of arrays, see hirace_array_new(). What it returns belongs to the session, or to the library, and is never freed by
 * the caller; the session is freed with hirace_session_free().
 *
 * Threads. Sessions are independent: different threads may use different ones at the same time. Calls with the same
 * session wait for one another, but what a launch and its arguments mean depends on the order of the calls, so one
 * thread at a time should use it.
 *
 * Processes. Kernels run in a child process: a fault, an endless loop or an exhausted memory there ends that process
 * only. The process that uses the library must not ignore SIGCHLD. The library installs no signal handlers, and
 * writes nothing to standard output or standard error.
 *
 * Environment. CXX names the C++ compiler [c++, g++ or clang++], HIRACE_CACHE the directory of the cache, TMPDIR that
 * of temporary files, which include the arrays. HIRACE_OPTIONS and a hirace.toml that is not named are not read.
 * The command `hirace` is not needed.
 *
 * Strings are UTF-8.
 */
#ifndef HIRACE_H
#define HIRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this interface. It rises with each change; docs/c-library.md says what may change. */
#define HIRACE_API_VERSION 2

/* What functions return. For hirace_session_run() they are the exit statuses of `hirace check`. */
enum {
  HIRACE_OK = 0,       /* done; from hirace_session_run(): checked, and nothing found */
  HIRACE_FINDINGS = 1, /* races or faults found; only from hirace_session_run() */
  HIRACE_ERROR = 2     /* not done, or could not check; see hirace_last_error() */
};

/* Flags of hirace_launch(). */
enum {
  HIRACE_COOPERATIVE = 1 /* all blocks run together, as barriers of the grid need it */
};

/* A check: PTX, options, arrays and launches; later a report. */
typedef struct hirace_session hirace_session;

/* An array of a session, in device memory. It lives as long as the session. */
typedef struct hirace_array hirace_array;

/* The HIRACE_API_VERSION of the library that the program has loaded. A program needs one that is not below its own. */
uint32_t hirace_api_version(void);

/* The version of hirace, such as "0.1.0". It is valid for ever. */
const char *hirace_version(void);

/* The text of the last error in this thread, never NULL; empty if there was none. A call that succeeds does not change
 * it, so look at it only after a failure. It is valid until the next error in this thread. A mistake in a text has
 * its place: "kernel.ptx:12:3: ...". */
const char *hirace_last_error(void);

/* Reads PTX: `length` bytes at `ptx`, without a terminating zero. `name` is its file name in messages and reports; NULL
 * means "kernel.ptx". Sources that `.loc` refers to are looked for at their paths, and beside this file.
 *
 * Returns a session, to be freed with hirace_session_free(); or NULL, with the line of the mistake. Instructions that
 * hirace cannot translate are an error of hirace_session_run(), which lists all of them. */
hirace_session *hirace_session_new(const char *ptx, size_t length, const char *name);

/* Sets an option. A later value replaces an earlier one. `key` is
 *
 * - an option of `hirace check`, without the dashes and with the same values:
 *     seed             seed of the schedule, 0 to 2^32 - 1 [0]
 *     seeds            schedules of seeds A to B: "A..B"
 *     explore          number of schedules [1]
 *     explore-depth    greatest depth of races that other seeds than 0 search for, 1 to 100 [3]
 *     block-order      "natural", "reverse" or "random" [natural for seed 0, else random]
 *     jobs             worker threads, 1 to 1024 [one per core]
 *     engine           "auto", "machine" or "order" [auto]
 *     predict          "true": look for races that only another schedule would show [false]
 *     init-check       "true": reads of memory that nothing has written are errors [false]
 *     timeout          seconds that each schedule may run [no limit]; then the result is HIRACE_ERROR
 *     strict           "true": possible races and warnings are findings [false]
 *     no-cache         "true": compile again [false]
 *     config           a file like hirace.toml, whose keys the other options override
 * - or a key of hirace.toml after its section, such as "check.same-value-writes" or "monitor.kernels". Values are
 *   written as in the file: "benign", "8", "[\"a*\", \"b\"]"; texts need no quotes.
 *
 * `seed`, `seeds` and `explore` choose the schedules; the last of them counts. */
int hirace_session_set(hirace_session *session, const char *key, const char *value);

/* Adds an array in device memory. It starts with the values at `data`, and after the run `data` has its last values.
 *
 * `type` is the type of its elements: "s8" "s16" "s32" "s64" "u8" "u16" "u32" "u64" "f16" "bf16" "f32" "f64".
 * `shape` has the sizes of its `dimensions` dimensions in elements, in row-major order; without dimensions it has one
 * element. `data` has the product of them, in the representation of the machine, of any alignment; it may be NULL if
 * that is zero. `name` is its name in reports; NULL means "array N", counted from 1.
 *
 * The memory at `data` remains the caller's. It is read and written by hirace_session_run() only, must be valid until
 * then, and must not be used by other threads meanwhile. It is written only if the program reached its end: after a
 * time limit, for example, all arrays of the session keep their values. If several schedules run, the values are those
 * of the first.
 *
 * Returns NULL on errors. */
hirace_array *hirace_array_new(hirace_session *session, const char *name, const char *type, const uint64_t *shape,
                               size_t dimensions, void *data);

/* The same for memory to which nothing is written back. Kernels may write to the array, which is a copy. */
hirace_array *hirace_array_new_const(hirace_session *session, const char *name, const char *type, const uint64_t *shape,
                                     size_t dimensions, const void *data);

/* Adds a launch. The launches of a session run one after the other, and share its arrays and the variables of the PTX.
 *
 * `kernel` is its symbol, or its name in the source if that is unique. `grid` has three numbers of blocks, `block`
 * three numbers of threads, all at least 1. `dynamic_shared` is in bytes. `flags` is 0 or HIRACE_COOPERATIVE.
 *
 * The arguments follow, one call for each parameter, in order: hirace_argument_array(), hirace_argument_scalar() or
 * hirace_argument_bytes(). They belong to the launch that was added last. Too few are an error of the next
 * hirace_launch() or of hirace_session_run(). */
int hirace_launch(hirace_session *session, const char *kernel, const uint32_t grid[3], const uint32_t block[3],
                  uint32_t dynamic_shared, uint32_t flags);

/* Gives the last launch clusters of `cluster` blocks: three numbers that divide those of the grid. Without this call they
 * are what the kernel requires (`.reqnctapercluster`), or one block. Since version 2. */
int hirace_launch_cluster(hirace_session *session, const uint32_t cluster[3]);

/* Says where the last launch is in the caller's source. Reports name this place for the launch, and for arrays that it
 * passes first. Without this call it is line N of a file "<launch>" for launch N, counted from 1. */
int hirace_launch_at(hirace_session *session, const char *file, uint32_t line);

/* The place of this line. */
#define HIRACE_LAUNCH_HERE(session) hirace_launch_at((session), __FILE__, __LINE__)

/* Passes a pointer to an array, `offset` bytes from its start. */
int hirace_argument_array(hirace_session *session, const hirace_array *array, uint64_t offset);

/* Passes the number at `value`, of a type as for hirace_array_new(). `f16` and `bf16` are two bytes. */
int hirace_argument_scalar(hirace_session *session, const char *type, const void *value);

/* Passes any value: the `size` bytes at `data`, which the parameter must have. This is for structures; they cannot
 * contain pointers to arrays. */
int hirace_argument_bytes(hirace_session *session, const void *data, size_t size);

/* Checks: translates, compiles, runs all launches in a child process, and copies arrays back. It blocks until the end,
 * for seconds if the program is not in the cache. Call it once.
 *
 * Returns HIRACE_OK if nothing was found, HIRACE_FINDINGS if there are races or faults, also if the program failed
 * after them, and HIRACE_ERROR if it is unknown. The session has a report in all three cases. */
int hirace_session_run(hirace_session *session);

/* The report as JSON, as docs/report.schema.json describes it. NULL before the run. It is valid until the session is
 * freed, as are the next two. */
const char *hirace_session_report_json(hirace_session *session);

/* The report for people, without colours. NULL before the run. */
const char *hirace_session_report_text(hirace_session *session);

/* What kernels printed in the first schedule, and messages of the program about launches that failed. NULL before the
 * run. */
const char *hirace_session_output(hirace_session *session);

/* Frees a session and everything that it returned, and removes its temporary files. NULL is allowed. */
void hirace_session_free(hirace_session *session);

#ifdef __cplusplus
}
#endif

#endif
