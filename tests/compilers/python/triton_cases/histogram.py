# verdict: clean
"""A histogram of all programs in global memory, by atomic additions."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build


@triton.jit
def histogram(x, bins, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    value = tl.load(x + at, mask=inside, other=0)
    tl.atomic_add(bins + value, 1, mask=inside)


def case(architecture):
    x = random(1).integers(0, 16, 1000).astype(np.int32)
    last = np.bincount(x, minlength=16).astype(np.int32)
    arguments = {
        "x": Array("x", x),
        "bins": Array("bins", np.zeros(16, np.int32), last),
        "count": Scalar("s32", 1000),
    }
    return build(architecture, histogram, (4,), arguments, {"BLOCK": 256})
