# verdict: clean
# architectures: 90
"""A tile that a tensor descriptor of the kernel's own describes, doubled and stored by another one."""

import numpy as np
import triton
import triton.language as tl

from cases import random
from triton_compiler import Array, build


@triton.jit
def double(x, y, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[2 * M, N], strides=[N, 1], block_shape=[M, N])
    target = tl.make_tensor_descriptor(y, shape=[2 * M, N], strides=[N, 1], block_shape=[M, N])
    row = tl.program_id(0) * M
    target.store([row, 0], source.load([row, 0]) * 2)


def case(architecture):
    x = random(1).standard_normal((64, 32)).astype(np.float16)
    arguments = {"x": Array("x", x), "y": Array("y", np.zeros_like(x), 2 * x)}
    return build(architecture, double, (2,), arguments, {"M": 32, "N": 32}, scratch=256)
