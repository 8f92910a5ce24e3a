# verdict: clean
"""Sums by shuffles, votes, and masks of lanes."""

import numpy as np

from cases import random
from numba_compiler import Array, build, cuda


def sums(x, totals, positive):
    i = cuda.grid(1)
    value = x[i]
    by = 16
    while by > 0:
        value += cuda.shfl_down_sync(0xFFFFFFFF, value, by)
        by //= 2
    votes = cuda.ballot_sync(0xFFFFFFFF, x[i] > 0)
    if cuda.laneid == 0:
        totals[i // 32] = value
        positive[i // 32] = cuda.popc(votes)


def case(architecture):
    x = random(1).integers(-100, 100, 256).astype(np.int32)
    rows = x.reshape(8, 32)
    arguments = [
        Array("x", x),
        Array("totals", np.zeros(8, np.int32), rows.sum(axis=1)),
        Array("positive", np.zeros(8, np.int32), (rows > 0).sum(axis=1)),
    ]
    return build(architecture, sums, (2,), (128,), arguments)
