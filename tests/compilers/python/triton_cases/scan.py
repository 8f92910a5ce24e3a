# verdict: clean
"""Running sums and running maxima of each program's numbers."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def scan(x, sums, maxima, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.store(sums + at, tl.cumsum(value, axis=0))
    tl.store(maxima + at, tl.associative_scan(value, 0, larger, reverse=True))


def case(architecture):
    x = random(1).integers(-100, 100, (2, 512)).astype(np.int32)
    maxima = np.maximum.accumulate(x[:, ::-1], axis=1)[:, ::-1]
    arguments = {
        "x": Array("x", x),
        "sums": Array("sums", np.zeros_like(x), np.cumsum(x, axis=1)),
        "maxima": Array("maxima", np.zeros_like(x), maxima),
    }
    return build(architecture, scan, (2,), arguments, {"BLOCK": 512})
