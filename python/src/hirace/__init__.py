"""Data races of Triton, Numba, CUDA and PTX kernels, found without a GPU.

    report = hirace.check(kernel[(64,)], x, y, n, BLOCK=1024)              # Triton
    report = hirace.check(kernel, grid=64, block=256, args=(x, y, n))      # Numba, CUDA text, PTX
    with hirace.checking() as report:                                      # all launches of some code
        user_code()

Nothing here imports Triton, Numba or PyTorch before a kernel of theirs is checked.
"""

from hirace._arrays import Tensor, empty, empty_like, tensor, zeros, zeros_like
from hirace._check import check, check_triton_file
from hirace._checking import Session, checking
from hirace._command import c_library, find_command, version
from hirace._errors import CheckError, HiraceError, RaceError
from hirace._report import Access, Fault, Race, Report

__all__ = [
    "Access",
    "CheckError",
    "Fault",
    "HiraceError",
    "Race",
    "RaceError",
    "Report",
    "Session",
    "Tensor",
    "c_library",
    "check",
    "check_triton_file",
    "checking",
    "empty",
    "empty_like",
    "find_command",
    "tensor",
    "version",
    "zeros",
    "zeros_like",
]


def load_ipython_extension(shell: object) -> None:
    """`%load_ext hirace` defines the cell magic `%%hirace`."""
    from hirace._magic import register

    register(shell)
