# verdict: clean
"""Dropout with Triton's random numbers: each element stays, and is doubled, or becomes zero."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, Scalar, build

ROUND = [(0xD2511F53, 0x9E3779B9), (0xCD9E8D57, 0xBB67AE85)]


@triton.jit
def dropout(x, y, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at)
    tl.store(y + at, tl.where(tl.rand(seed, at) > 0.5, value * 2, 0.0))


def philox(seed, counters):
    """The first word of Philox 4x32 with ten rounds."""
    c = [counters.astype(np.uint64), *(np.zeros(counters.size, np.uint64) for _ in range(3))]
    keys = [seed & 0xFFFFFFFF, seed >> 32]
    for _ in range(10):
        first, second = c[0] * np.uint64(ROUND[0][0]), c[2] * np.uint64(ROUND[1][0])
        low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
        c = [second >> high ^ c[1] ^ np.uint64(keys[0]), second & low, first >> high ^ c[3] ^ np.uint64(keys[1]), first & low]
        keys = [key + step & 0xFFFFFFFF for key, (_, step) in zip(keys, ROUND)]
    return c[0].astype(np.uint32)


def case(architecture):
    x = random(1).standard_normal(512, dtype=np.float32)
    words = philox(7, np.arange(512)).astype(np.int32)
    numbers = np.where(words < 0, -words - 1, words) * 4.6566127342e-10
    arguments = {
        "x": Array("x", x),
        "y": Array("y", np.zeros_like(x), np.where(numbers > 0.5, 2 * x, 0)),
        "seed": Scalar("s32", 7),
    }
    return build(architecture, dropout, (2,), arguments, {"BLOCK": 256})
