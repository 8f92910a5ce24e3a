# verdict: race
# says: data race on global `total` in kernel `add_rows`
"""Programs add a row to a sum without the lock that they have."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def add_rows(x, total, lock, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * BLOCK + at)
    tl.store(total + at, tl.load(total + at) + row)
    tl.debug_barrier()


def case(architecture):
    x = random(1).integers(-50, 50, (4, 128)).astype(np.int32)
    arguments = {
        "x": Array("x", x),
        "total": Array("total", np.zeros(128, np.int32)),
        "lock": Array("lock", np.zeros(1, np.int32)),
    }
    return build(architecture, add_rows, (4,), arguments, {"BLOCK": 128})
