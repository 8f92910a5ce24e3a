# verdict: clean
"""The largest number of each row and its place; minima, products and 64-bit quotients."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def search(x, most, place, quotient, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    value = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    largest, at = tl.max(value, axis=0, return_indices=True)
    tl.store(most + row, largest)
    tl.store(place + row, at)
    least = tl.min(value, axis=0)
    tl.store(quotient + row, (largest.to(tl.int64) * 1000003) // (least.to(tl.int64) + 1000))


def case(architecture):
    x = random(1).integers(-500, 500, (4, 256)).astype(np.int32)
    most, least = x.max(axis=1).astype(np.int64), x.min(axis=1).astype(np.int64)
    arguments = {
        "x": Array("x", x),
        "most": Array("most", np.zeros(4, np.int32), most),
        "place": Array("place", np.zeros(4, np.int32), x.argmax(axis=1)),
        "quotient": Array("quotient", np.zeros(4, np.int64), most * 1000003 // (least + 1000)),
    }
    return build(architecture, search, (4,), arguments, {"BLOCK": 256})
