# verdict: clean
"""Atomic operations of all kinds, also those that become loops."""

import numpy as np

from cases import random
from numba_compiler import Array, build, cuda


def update(x, floats, integers, flags):
    i = cuda.grid(1)
    value = x[i]
    cuda.atomic.add(floats, 0, value)
    cuda.atomic.max(floats, 1, value)
    cuda.atomic.min(floats, 2, value)
    cuda.atomic.sub(integers, 0, 1)
    cuda.atomic.and_(integers, 1, ~(1 << (i % 16)))
    cuda.atomic.or_(integers, 2, 1 << (i % 16))
    cuda.atomic.xor(integers, 3, 3)
    cuda.atomic.inc(integers, 4, 99)
    if cuda.atomic.cas(flags, i % 8, 0, 1) == 0:
        cuda.atomic.add(integers, 5, 1)
    cuda.atomic.exch(flags, 8, 5)


def case(architecture):
    x = random(1).integers(-1000, 1000, 128).astype(np.float64)
    first = np.array([128, 0xFFFF, 0, 0, 0, 0], np.uint32)
    last = np.array([0, 0, 0xFFFF, 0, 28, 8], np.uint32)
    arguments = [
        Array("x", x),
        Array("floats", np.array([0, -1e9, 1e9]), np.array([x.sum(), x.max(), x.min()])),
        Array("integers", first, last),
        Array("flags", np.zeros(9, np.int32), np.array([1] * 8 + [5])),
    ]
    return build(architecture, update, (4,), (32,), arguments)
