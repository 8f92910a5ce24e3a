# verdict: clean
"""Shared memory whose size the launch gives, and an array of each thread."""

import numpy as np
from numba import float64, int32

from numba_compiler import Array, build, cuda


def smooth(x, y):
    tile = cuda.shared.array(0, float64)
    near = cuda.local.array(3, float64)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t] = x[i]
    cuda.syncthreads()
    for k in range(3):
        near[k] = tile[(t + cuda.blockDim.x + k - 1) % cuda.blockDim.x]
    order = int32(0)
    if near[0] > near[2]:
        order = 2
    y[i] = near[0] + 2 * near[1] + near[2] + near[order]


def case(architecture):
    x = np.arange(96, dtype=np.float64) % 7
    rows = x.reshape(3, 32)
    before, after = np.roll(rows, 1, axis=1), np.roll(rows, -1, axis=1)
    y = (before + 2 * rows + after + np.minimum(before, after)).reshape(96)
    return build(architecture, smooth, (3,), (32,), [Array("x", x), Array("y", 0 * x, y)], shared=256)
