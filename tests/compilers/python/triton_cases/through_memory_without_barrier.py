# verdict: race
# says: data race on global `between` in kernel `turn`
"""The lanes of a program exchange numbers through global memory, without a barrier."""

import numpy as np
import triton
import triton.language as tl

from triton_compiler import Array, build


@triton.jit
def turn(x, between, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    start = tl.program_id(0) * BLOCK
    tl.store(between + start + at, tl.load(x + start + at) * 2)
    tl.store(y + start + at, tl.load(between + start + BLOCK - 1 - at))


def case(architecture):
    x = np.arange(512, dtype=np.float32)
    arguments = {
        "x": Array("x", x),
        "between": Array("between", np.zeros_like(x)),
        "y": Array("y", np.zeros_like(x)),
    }
    return build(architecture, turn, (2,), arguments, {"BLOCK": 256})
