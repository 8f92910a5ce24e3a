"""Checks tests/ptx/tile.ptx with the C library: LIBRARY, DIRECTORY of the PTX file."""

import concurrent.futures
import ctypes
import json
import sys

library, directory = sys.argv[1:]
hirace = ctypes.CDLL(library)
for name in ("hirace_session_new", "hirace_array_new"):
    getattr(hirace, name).restype = ctypes.c_void_p
for name in ("hirace_last_error", "hirace_session_report_json"):
    getattr(hirace, name).restype = ctypes.c_char_p

with open(f"{directory}/tile.ptx", "rb") as file:
    ptx = file.read()
three = ctypes.c_uint32 * 3


def check(kernel):
    session = hirace.hirace_session_new(ptx, ctypes.c_size_t(len(ptx)), f"{directory}/tile.ptx".encode())
    session = ctypes.c_void_p(session)
    numbers, results = ((ctypes.c_float * 128)(*range(128)), (ctypes.c_float * 128)())
    shape = (ctypes.c_uint64 * 1)(128)
    arrays = [
        hirace.hirace_array_new(session, name, b"f32", shape, ctypes.c_size_t(1), data)
        for name, data in ((b"x", numbers), (b"y", results))
    ]
    hirace.hirace_launch(session, kernel, three(2, 1, 1), three(64, 1, 1), 0, 0)
    for array in arrays:
        hirace.hirace_argument_array(session, ctypes.c_void_p(array), ctypes.c_uint64(0))
    hirace.hirace_argument_scalar(session, b"s32", ctypes.byref(ctypes.c_int32(3)))
    status = hirace.hirace_session_run(session)
    report = json.loads(hirace.hirace_session_report_json(session))
    hirace.hirace_session_free(session)
    return status, [race["code"] for race in report["races"]], list(results)


assert hirace.hirace_session_set(None, b"seed", b"1") == 2
assert hirace.hirace_last_error() == b"`session` is null"
# ctypes lets other threads run during calls: these sessions run at the same time.
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    checked = list(pool.map(check, 2 * [b"reverse", b"reverse_without_barrier"]))
for status, races, results in checked[::2]:
    assert (status, races) == (0, []), (status, races)
    assert results == [3 * (i // 64 * 64 + 63 - i % 64) for i in range(128)], results
for status, races, _ in checked[1::2]:
    assert (status, races) == (1, ["HR001"]), (status, races)
print("checked")
