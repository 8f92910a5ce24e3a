# verdict: clean
"""A histogram by atomic additions in shared and in global memory."""

import numpy as np
from numba import int32

from cases import random
from numba_compiler import Array, build, cuda


def histogram(x, bins):
    own = cuda.shared.array(32, int32)
    t = cuda.threadIdx.x
    if t < 32:
        own[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(own, x[i], 1)
    cuda.syncthreads()
    if t < 32:
        cuda.atomic.add(bins, t, own[t])


def case(architecture):
    x = random(1).integers(0, 32, 1000).astype(np.int32)
    last = np.bincount(x, minlength=32).astype(np.int32)
    arguments = [Array("x", x), Array("bins", np.zeros(32, np.int32), last)]
    return build(architecture, histogram, (3,), (64,), arguments)
