# verdict: clean
"""Threads of a block exchange numbers through shared memory."""

import numpy as np
from numba import float32

from numba_compiler import Array, build, cuda


def reverse(x, y):
    tile = cuda.shared.array(64, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = x[i]
    cuda.syncthreads()
    y[i] = tile[63 - t]


def case(architecture):
    x = np.arange(128, dtype=np.float32)
    y = x.reshape(2, 64)[:, ::-1].reshape(128)
    arguments = [Array("x", x), Array("y", np.zeros_like(x), y)]
    return build(architecture, reverse, (2,), (64,), arguments)
