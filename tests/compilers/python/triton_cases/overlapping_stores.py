# verdict: race
# says: data race on global `y` in kernel `copy`
"""Each program stores one element more than its share, which is the next program's first one."""

import numpy as np
import triton
import triton.language as tl

from triton_compiler import Array, build


@triton.jit
def copy(x, y, SHARE: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    at = tl.program_id(0) * SHARE + tl.where(at <= SHARE, at, 0)
    tl.store(y + at, tl.load(x + at) + tl.program_id(0))


def case(architecture):
    x = np.arange(512, dtype=np.float32)
    arguments = {"x": Array("x", x), "y": Array("y", np.zeros_like(x))}
    return build(architecture, copy, (4,), arguments, {"SHARE": 100, "BLOCK": 128})
