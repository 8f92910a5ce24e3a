"""`hirace.check` and `hirace.checking` with kernels of every kind that need no other library."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import hirace

REVERSE = """
__global__ void reverse(const float* x, float* y, int barrier) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = x[t];
  if (barrier) __syncthreads();
  y[t] = s[63 - t];
}
"""
REVERSE_LINE = pathlib.Path(__file__).read_text().splitlines().index('REVERSE = """') + 1
X = np.zeros(64, np.float32)
FILL = "template <class T> __global__ void fill(T* x) { *x = 1; }"


def run(barrier, **options):
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    report = hirace.check(REVERSE, grid=1, block=64, args=(x, y, barrier), **options)
    return report, x, y


def test_a_race_in_cuda_text():
    report, _, _ = run(0)
    (race,) = report.races
    assert race.code == "HR001" and race.variable == "s"
    # In this file, after `REVERSE = """`.
    assert {it.file for it in race.accesses} == {__file__}
    assert sorted(it.line for it in race.accesses) == [REVERSE_LINE + 4, REVERSE_LINE + 6]
    assert "test_api.py" in str(report) and "s[t] = x[t];" in str(report) and "hirace fix" not in str(report)
    assert not report and "HR001" in str(report)
    with pytest.raises(hirace.RaceError) as caught:
        report.raise_if_found()
    assert caught.value.report is report


def test_the_place_of_a_text_that_is_part_of_a_literal():
    total = np.zeros(1, np.float32)

    def place(text):
        (race,) = hirace.check(text, grid=1, block=64, args=(total,)).races
        access = race.accesses[0]
        line = pathlib.Path(access.file).read_text().splitlines()[access.line - 1]
        return access.file, line[access.column - 1 :][: len("*total += 1")]

    literal = """
        __global__ void count(float* total) {
          *total += 1;
        }
    """
    assert place(textwrap.dedent(literal)) == (__file__, "*total += 1")
    assert place(literal.strip()) == (__file__, "*total += 1")
    assert place("__global__ void count(float* total) { *total += 1; }") == (__file__, "*total += 1")
    # The file has no such text.
    file, text = place(literal.replace("count", "count_" + "all"))
    assert file.endswith(".cu") and text == "*total += 1"


def test_arguments_by_name_and_a_text_with_a_program():
    text = """
        #include <cooperative_groups.h>
        __global__ void shift(float* x, const float* nothing, int n, float add = 2) {
          const float value = x[(blockIdx.x * blockDim.x + threadIdx.x + 1) % n];
          cooperative_groups::this_grid().sync();
          x[blockIdx.x * blockDim.x + threadIdx.x] = nothing == nullptr ? value + add : 0;
        }
        int main() { return 0; }
    """
    x = np.arange(64, dtype=np.float32)
    report = hirace.check(text, grid=2, block=32, args={"n": 64, "nothing": None, "x": x, "add": 0.5}, cooperative=True)
    assert report
    np.testing.assert_array_equal(x, (np.arange(64) + 1) % 64 + np.float32(0.5))


PTX = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry last(.param .u64 y, .param .u32 n)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [y];
  ld.param.u32 %r0, [n];
  st.global.u32 [%rd0], %r0;
  ret;
}
"""


def test_arguments_of_ptx_by_name():
    y = np.zeros(1, np.uint32)
    assert hirace.check(PTX, grid=1, block=1, args={"n": 7, "y": y})
    assert y[0] == 7


def test_threads_have_their_own_reports():
    text = "__global__ void set(int* x) {{ x[{index}] = 1; }}"
    x = np.zeros(4, np.int32)
    with hirace.checking() as outer, concurrent.futures.ThreadPoolExecutor(2) as pool:
        checks = [pool.submit(hirace.check, text.format(index=it), grid=1, block=2, args=(x,)) for it in ("0", "threadIdx.x")]
        racy, correct = (it.result() for it in checks)
    assert len(racy.races) == 1 and not correct.races
    assert outer.launches == 0


def test_a_launch_without_accesses_is_no_failure():
    text = "__global__ void set(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }"
    report = hirace.check(text, grid=1, block=4, args=(np.zeros(0, np.int32), 0))
    assert report and report.launches == 1
    assert report.notes == ["nothing monitored: no kernel accessed memory that is checked"]
    assert "note: nothing monitored" in str(report) and report.to_json()["status"] == "clean"


@pytest.mark.parametrize(
    "text",
    [
        """
#define KERNEL extern "C" \\
  __global__ void __launch_bounds__(128)
KERNEL set(unsigned long long* x, unsigned long long value) { x[threadIdx.x] = value; }
""",
        """
namespace outer {
namespace { struct Unused {}; }
namespace inner::most {
__global__ void set(unsigned long long* x, unsigned long long value) { x[threadIdx.x] = value; }
}
}
""",
        """
.version 8.0
.target sm_80
.address_size 64
.visible .entry set(.param .u64 x, // where (all of it)
  .param .u64 value)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [x];
  ld.param.u64 %rd1, [value];
  st.global.u64 [%rd0], %rd1;
  ret;
}
""",
    ],
)
def test_heads_of_kernels_and_large_numbers(text):
    x = np.zeros(1, np.uint64)
    assert hirace.check(text, grid=1, block=1, args=(x, 2**64 - 1))
    assert x[0] == 2**64 - 1


@pytest.mark.parametrize(("variable", "module"), [("TRITON_INTERPRET", "triton"), ("NUMBA_ENABLE_CUDASIM", "numba.cuda")])
def test_simulators_are_errors(variable, module):
    pytest.importorskip(module)
    program = f"import hirace\nwith hirace.checking():\n    import {module}\n"
    done = subprocess.run([sys.executable, "-c", program], env={**os.environ, variable: "1"}, capture_output=True, text=True)
    assert done.returncode == 1 and f"HiraceError: {variable} is set" in done.stderr


def test_tasks_have_their_own_reports():
    pytest.importorskip("numba.cuda")
    from numba import cuda

    @cuda.jit
    def last(x, step):
        x[cuda.grid(1) * step] = cuda.grid(1)

    async def task(step):
        with hirace.checking() as report:
            await asyncio.sleep(0.01 * step)
            last[1, 4](np.zeros(8, np.int32), step)
            await asyncio.sleep(0)
        return report

    async def all_tasks():
        return await asyncio.gather(task(1), task(0), task(2))

    reports = asyncio.run(all_tasks())
    assert [(len(it.races), it.launches) for it in reports] == [(0, 1), (1, 1), (0, 1)]


def test_a_race_on_an_array_that_cannot_be_written():
    x = np.zeros(64, np.float32)
    x.flags.writeable = False
    with pytest.raises(hirace.CheckError, match="`y`, which is a read-only array") as caught:
        hirace.check(REVERSE, grid=1, block=64, args=(X + 1, x, 0))
    assert caught.value.report.races


def test_a_launch_that_fails_says_why():
    with pytest.raises(hirace.CheckError, match="the launch failed: too many blocks in cooperative launch"):
        hirace.check(REVERSE, grid=100000, block=64, args=(X, X, 0), cooperative=True)


def test_several_reports_have_one_summary():
    with hirace.checking() as report:
        pass
    for barrier in (0, 1, 0):
        report._extend(run(barrier)[0])
    text = str(report)
    assert text.count("hirace: ") == 1 and text.endswith(f"hirace: 1 race; 3 kernel launches and {report.accesses} accesses checked")


def test_a_kernel_that_does_not_end_has_its_line():
    text = "__global__ void wait(volatile int* x) { while (x[0] == 0) x[1] = 1; }"
    with pytest.raises(hirace.CheckError, match=r"(?s)was\s.*stopped.*test_api.py") as caught:
        hirace.check(text, grid=1, block=1, args=(np.zeros(2, np.int32),), timeout=5)
    assert "hirace: could not check" in str(caught.value)


def test_a_compilers_message_has_the_line_of_the_literal():
    with pytest.raises(hirace.CheckError) as caught:
        hirace.check("__global__ void k(int* x) { x[0] = what; }", grid=1, block=1, args=(np.zeros(1, np.int32),))
    line = next(n for n, it in enumerate(pathlib.Path(__file__).read_text().splitlines(), 1) if "x[0] = what" in it)
    assert f"{__file__}:{line}: error" in str(caught.value)


def test_a_correct_kernel_writes_its_results_back():
    report, x, y = run(1)
    assert report and report.launches == 1
    np.testing.assert_array_equal(y, x[::-1])


def test_a_run_is_repeated_by_its_seed():
    first, second = (run(0, seed=5)[0].races[0].accesses for _ in range(2))
    assert [it.thread for it in first] == [it.thread for it in second]


def test_reports_in_other_formats(tmp_path):
    report, _, _ = run(0)
    assert report.to_json(tmp_path / "r.json")["status"] == "races"
    assert "<html" in report.to_html(tmp_path / "r.html")
    assert json.loads(report.to_sarif())["version"] == "2.1.0"
    assert {it.name for it in tmp_path.iterdir()} == {"r.json", "r.html"}
    assert "<iframe" in report._repr_html_()


def test_a_launch_file_of_ptx(tmp_path):
    ptx = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry last(.param .u64 y)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd0, [y];
  mov.u32 %r0, %tid.x;
  st.global.u32 [%rd0], %r0;
  ret;
}
"""
    y = np.zeros(1, np.uint32)
    report = hirace.check(ptx, grid=1, block=2, args=(y,))
    (race,) = report.races
    assert race.code == "HR006" and race.variable == "y"
    line = pathlib.Path(__file__).read_text().splitlines()[(race.accesses[0].line or 0) - 1]
    assert race.accesses[0].file == __file__ and line == "  st.global.u32 [%rd0], %r0;"


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: hirace.check(REVERSE, args=()), TypeError, "needs `grid` and `block`"),
        (lambda: run(0, sed=1), TypeError, "unknown option `sed`"),
        (lambda: run(0, seed=1, explore=2), ValueError, "`seed` for one schedule or `explore` for several"),
        (lambda: hirace.check("not CUDA", grid=1, block=1, args=()), TypeError, "the text has no kernel"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(object(), 0, 0)), TypeError, "object"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(), name="sum"), TypeError, "has no kernel `sum`; it has reverse"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X)), TypeError, "has 3 parameters, and 2 arguments"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X, 2**40)), TypeError, "`barrier` is `int`, and 1099"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X, 1.5)), TypeError, "1.5 is no integer"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X, X)), TypeError, "an array is given"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, 3, 0)), TypeError, "and 3 is no array"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args={"x": X, "y": X, "b": 0}), TypeError, "no parameter `b`"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args={"x": X, "y": X}), TypeError, "`barrier` of kernel"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X.astype(float), X, 0)), TypeError, "`x` is `float\\*`, and the elements of the array are float64"),
        (lambda: hirace.check(REVERSE, grid=1.5, block=64, args=(X, X, 0)), TypeError, "`grid` is an integer or a tuple"),
        (lambda: hirace.check(REVERSE, grid=1, block=2000, args=(X, X, 0)), ValueError, "`block` is 2000, and x can be 1 to 1024"),
        (lambda: hirace.check(REVERSE, grid=1, block=(64, 32), args=(X, X, 0)), ValueError, "2048 threads"),
        (lambda: hirace.check(PTX, grid=1, block=1, args=(X,)), TypeError, "kernel `last` has 2 parameters, and 1 is given"),
        (lambda: hirace.check(PTX, grid=1, block=1, args={"y": X, "m": 1}), TypeError, "no parameter `m`; it has y, n"),
        (lambda: hirace.check(PTX, grid=1, block=1, args=(X, X)), TypeError, "`n` is `.u32`, and an array is given"),
        (lambda: hirace.check(PTX, grid=1, block=1, args=(X, 2**33)), TypeError, "does not fit"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, [1], 0)), TypeError, "`y` is `float\\*`, and .1. is no array"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X.astype(object), 0)), TypeError, "the argument `y`: an array of Python objects"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X, 0), shared=-1), ValueError, "`shared` is -1"),
        (lambda: hirace.check(REVERSE, grid=1, block=64, args=(X, X, 0), cooperative=1), TypeError, "`cooperative` is False or True"),
        (lambda: hirace.check(PTX, grid=1, block=1, args=(X, 1.5)), TypeError, "1.5 is no integer"),
        (lambda: run(0, architecture=70), ValueError, "`architecture` is 80, 86, 87, 89 or 90, not 70"),
        (lambda: run(0, predict="yes"), ValueError, "`predict` is False or True"),
        (lambda: run(0, explore=0), ValueError, "`explore` is an integer from 1 on"),
        (lambda: run(0, timeout=-1), ValueError, "`timeout` is a number of seconds above 0"),
        (lambda: run(0, arguments="--check-all"), TypeError, "`arguments` is a list"),
        (lambda: run(0, arguments=["--help"]), ValueError, "`arguments` has --help"),
        (lambda: run(0, suppressions=["x"]), TypeError, "`suppressions` is the path of a file"),
        (lambda: run(0, suppressions="missing"), hirace.HiraceError, "`missing` does not exist"),
        (lambda: hirace.check(FILL, grid=1, block=1, args=(X,)), TypeError, "`fill` is a template"),
    ],
)
def test_mistakes(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_faults_are_in_the_report():
    text = "__global__ void beyond(int* x) { x[threadIdx.x] = 1; }"
    report = hirace.check(text, grid=1, block=8, args=(np.zeros(4, np.int32),))
    (fault,) = report.faults
    line = pathlib.Path(__file__).read_text().splitlines()[(fault.line or 0) - 1]
    assert fault.code == "HF001" and fault.file == __file__ and line.strip().startswith('text = "__global__ void beyond')
