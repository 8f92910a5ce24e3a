# verdict: clean
"""Functions that a kernel calls: several results, arrays, and one that is not inlined."""

import numpy as np

from numba_compiler import Array, Scalar, build, cuda


@cuda.jit(device=True, inline=False)
def split(value, by):
    return value // by, value % by


@cuda.jit(device=True, inline=False)
def sum_of(values, start, count):
    total = 0.0
    for i in range(start, start + count):
        total += values[i]
    return total


def kernel(x, y, count):
    i = cuda.grid(1)
    if i < y.size:
        row, column = split(i, count)
        y[i] = sum_of(x, row * count, column + 1)


def case(architecture):
    x = np.arange(96, dtype=np.float64)
    last = np.cumsum(x.reshape(12, 8), axis=1).reshape(96)
    arguments = [Array("x", x), Array("y", np.zeros_like(x), last), Scalar("s32", 8)]
    return build(architecture, kernel, (2,), (64,), arguments)
