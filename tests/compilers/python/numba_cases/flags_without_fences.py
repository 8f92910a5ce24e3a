# verdict: race
# says: data race on global
"""A block passes a number to another one without a fence."""

import numpy as np

from numba_compiler import Array, build, cuda


def passed(data, flag, out):
    if cuda.blockIdx.x == 0:
        data[0] = 42
        cuda.atomic.exch(flag, 0, 1)
    else:
        while cuda.atomic.cas(flag, 0, 1, 1) == 0:
            pass
        out[0] = data[0]


def case(architecture):
    one = np.zeros(1, np.int32)
    arguments = [Array("data", one), Array("flag", one), Array("out", one)]
    return build(architecture, passed, (2,), (1,), arguments)
