# verdict: clean
"""`tl.histogram`, which counts in shared memory."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def histogram(x, bins, BLOCK: tl.constexpr, BINS: tl.constexpr):
    value = tl.load(x + tl.arange(0, BLOCK))
    tl.store(bins + tl.arange(0, BINS), tl.histogram(value, BINS))


def case(architecture):
    x = random(1).integers(0, 32, 512).astype(np.int32)
    last = np.bincount(x, minlength=32).astype(np.int32)
    arguments = {"x": Array("x", x), "bins": Array("bins", np.zeros(32, np.int32), last)}
    return build(architecture, histogram, (1,), arguments, {"BLOCK": 512, "BINS": 32})
