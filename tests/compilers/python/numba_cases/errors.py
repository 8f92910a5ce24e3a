# verdict: clean
"""Code with checks for errors that a launch reports, as `debug=True` adds it."""

import numpy as np

from numba_compiler import Array, build, cuda


def divide(x, y, z):
    i = cuda.grid(1)
    z[i] = x[i] // y[i]


def case(architecture):
    x = np.arange(64, dtype=np.int32)
    y = np.arange(1, 65, dtype=np.int32) // 3 + 1
    arguments = [Array("x", x), Array("y", y), Array("z", np.zeros_like(x, np.int64), x // y)]
    return build(architecture, divide, (2,), (32,), arguments, debug=True)
