"""Kernels of CuPy, which can be created without a GPU, with arrays of NumPy."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

import hirace

cupy = pytest.importorskip("cupy")

SHIFT = r"""
extern "C" __global__ void shift(float* x, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const float value = t + STEP < n ? x[t + STEP] : 0;
#ifdef BARRIER
  __syncthreads();
#endif
  if (t < n) x[t] = value * FACTOR;
}
"""

TEMPLATES = r"""
template <typename T> __global__ void increase(T* x, int n) { if (threadIdx.x < n) x[threadIdx.x] += T(1); }
template <typename T> __global__ void sum(const T* x, T* total) { *total += x[threadIdx.x]; }
"""


def test_a_raw_kernel_with_its_options():
    x = np.arange(64, dtype=np.float32)
    options = ("-DSTEP=1", "--define-macro=FACTOR=2", "-D", "BARRIER", "--std=c++17", "--use_fast_math")
    kernel = cupy.RawKernel(SHIFT, "shift", options=options)
    report = hirace.check(kernel, grid=1, block=64, args=(x, np.int32(64)))
    assert report and report.launches == 1
    np.testing.assert_array_equal(x[:63], 2 * np.arange(1, 64, dtype=np.float32))


def test_a_race_in_a_raw_kernel():
    x = np.arange(64, dtype=np.float32)
    kernel = cupy.RawKernel(SHIFT, "shift", options=("-DSTEP=1", "-DFACTOR=2"))
    report = hirace.check(kernel, grid=1, block=64, args=(x, np.int32(64)))
    codes = {it.code for it in report.races}
    assert codes and codes <= {"HR001", "HR002"}
    # The lines of the text above.
    lines = pathlib.Path(__file__).read_text().splitlines()
    found = {(it.file, lines[it.line - 1].strip()) for race in report.races for it in race.accesses}
    read = "const float value = t + STEP < n ? x[t + STEP] : 0;"
    assert found == {(__file__, read), (__file__, "if (t < n) x[t] = value * FACTOR;")}


def test_templates_of_a_raw_module():
    module = cupy.RawModule(code=TEMPLATES, options=("-std=c++17",), name_expressions=["increase<double>", "sum<int>"])
    x = np.zeros(64)
    assert hirace.check(module, name="increase<double>", grid=1, block=64, args=(x, 7))
    assert x.sum() == 7
    total = np.zeros(1, np.int32)
    report = hirace.check(module, name="sum<int>", grid=1, block=64, args=(np.ones(64, np.int32), total))
    assert "atomicAdd" in report.races[0].help


def test_a_module_with_several_kernels_needs_a_name():
    with pytest.raises(TypeError, match="has 2 kernels"):
        hirace.check(cupy.RawModule(code=TEMPLATES), grid=1, block=64, args=(np.zeros(64), 7))
