# verdict: clean
# says: pid (1, 0, 0) idx
"""Output and assertions of a kernel."""

import numpy as np
import triton
import triton.language as tl

from triton_compiler import Array, build


@triton.jit(debug=True)
def show(x, y, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.device_assert(value >= 0, "no number is negative")
    tl.device_print("number ", value)
    tl.store(y + at, value + 1)


def case(architecture):
    x = np.arange(256, dtype=np.int32)
    arguments = {"x": Array("x", x), "y": Array("y", np.zeros_like(x), x + 1)}
    return build(architecture, show, (2,), arguments, {"BLOCK": 128})
