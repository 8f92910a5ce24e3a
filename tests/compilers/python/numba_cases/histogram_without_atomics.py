# verdict: race
# says: data race on global
"""Threads of several blocks count without atomic operations."""

import numpy as np

from cases import random
from numba_compiler import Array, build, cuda


def histogram(x, bins):
    i = cuda.grid(1)
    if i < x.size:
        bins[x[i]] += 1


def case(architecture):
    x = random(1).integers(0, 8, 100).astype(np.int32)
    arguments = [Array("x", x), Array("bins", np.zeros(8, np.int32))]
    return build(architecture, histogram, (2,), (64,), arguments)
