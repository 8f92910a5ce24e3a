# verdict: race
# says: data race on shared
"""Like tiled_product, but the next tile is loaded while threads still use this one."""

import numpy as np
from numba import float32

from cases import random
from numba_compiler import Array, build, cuda

TILE = 8


def product(a, b, c):
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    i, j = cuda.grid(2)
    ti, tj = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for start in range(0, a.shape[1], TILE):
        left[ti, tj] = a[i, start + tj]
        right[ti, tj] = b[start + ti, j]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[ti, k] * right[k, tj]
    c[i, j] = total


def case(architecture):
    a, b = random(1).integers(-8, 8, (2, 16, 16)).astype(np.float32)
    arguments = [Array("a", a), Array("b", b), Array("c", np.zeros_like(a))]
    return build(architecture, product, (2, 2), (TILE, TILE), arguments)
