# verdict: race
# says: data race on shared
"""Threads of a block exchange numbers without a barrier."""

import numpy as np
from numba import float32

from numba_compiler import Array, build, cuda


def reverse(x, y):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i]
    y[i] = tile[63 - t]


def case(architecture):
    x = np.arange(128, dtype=np.float32)
    arguments = [Array("x", x), Array("y", np.zeros_like(x))]
    return build(architecture, reverse, (2,), (64,), arguments)
