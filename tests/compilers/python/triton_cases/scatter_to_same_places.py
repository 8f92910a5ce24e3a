# verdict: race
# says: in kernel `permute`: unordered accesses by different blocks
# says: tl.store(y + tl.load(target + at), value)
"""Like gather_scatter, but two elements have the same target.

Triton passes the addresses on through shared memory, so the report cannot name `y` itself.
"""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def permute(x, source, target, y, turned, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + tl.load(source + at))
    tl.store(y + tl.load(target + at), value)
    tl.store(turned + at, tl.gather(value, BLOCK - 1 - tl.arange(0, BLOCK), 0))


def case(architecture):
    x = random(1).standard_normal(512, dtype=np.float32)
    source, target = random(2).integers(0, 512, 512), random(3).integers(0, 512, 512)
    arguments = {
        "x": Array("x", x),
        "source": Array("source", source.astype(np.int32)),
        "target": Array("target", target.astype(np.int32)),
        "y": Array("y", np.zeros_like(x)),
        "turned": Array("turned", np.zeros_like(x), x[source].reshape(2, 256)[:, ::-1].reshape(512)),
    }
    return build(architecture, permute, (2,), arguments, {"BLOCK": 256})
