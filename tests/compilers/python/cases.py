"""Kernels with their launches and results: what `hirace check` gets of each.

A case is a function that returns a `Case`. Its folder gets the compiler's PTX, a launch file, the arrays
of the arguments, and what NumPy computes as the last values of some of them.
"""

import dataclasses
import pathlib
from typing import Any, Callable

import numpy as np

# NumPy's types, as launch files name them.
TYPES = {
    "int8": "s8", "int16": "s16", "int32": "s32", "int64": "s64",
    "uint8": "u8", "uint16": "u16", "uint32": "u32", "uint64": "u64",
    "float16": "f16", "float32": "f32", "float64": "f64",
}  # fmt: skip


@dataclasses.dataclass
class Scalar:
    """A number of a type that launch files have."""

    type: str
    value: int | float


@dataclasses.dataclass
class Array:
    """An array in device memory, and its last values if they are compared."""

    name: str
    first: np.ndarray
    last: np.ndarray | None = None
    tolerance: float = 0


@dataclasses.dataclass
class Launch:
    """A launch of a kernel of the case."""

    kernel: str
    grid: tuple[int, ...]
    block: tuple[int, ...]
    arguments: list[Scalar | Array]
    shared: int = 0
    cooperative: bool = False


@dataclasses.dataclass
class Case:
    """PTX, the launches of its kernels, and what `hirace.toml` says."""

    ptx: str
    launches: list[Launch]
    configuration: str = ""

    def write(self, folder: pathlib.Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "kernel.ptx").write_text(self.ptx)
        (folder / "hirace.toml").write_text(self.configuration)
        known: set[str] = set()
        text = "".join(self._launch(it, folder, known) for it in self.launches)
        (folder / "launch.toml").write_text(text)

    def _launch(self, launch: Launch, folder: pathlib.Path, known: set[str]) -> str:
        lines = [
            "[[launch]]",
            f'kernel = "{launch.kernel}"',
            f"grid = {list(launch.grid)}",
            f"block = {list(launch.block)}",
        ]
        if launch.shared:
            lines.append(f"dynamic-shared = {launch.shared}")
        if launch.cooperative:
            lines.append("cooperative = true")
        for argument in launch.arguments:
            lines.append("[[launch.argument]]")
            lines += self._argument(argument, folder, known)
        return "\n".join(lines) + "\n"

    def _argument(self, argument: Scalar | Array, folder: pathlib.Path, known: set[str]) -> list[str]:
        if isinstance(argument, Scalar):
            return [f'type = "{argument.type}"', f"value = {argument.value}"]
        name = argument.name
        lines = [f'name = "{name}"']
        if name in known:
            return lines
        known.add(name)
        first = np.ascontiguousarray(argument.first)
        np.save(folder / f"{name}.npy", first)
        lines += [
            f'type = "{TYPES[first.dtype.name]}"',
            f"shape = {list(first.shape)}",
            f'file = "{name}.npy"',
        ]
        if argument.last is not None:
            last = np.ascontiguousarray(argument.last.astype(first.dtype))
            np.save(folder / f"{name}.last.npy", last)
            lines += [f'expect = "{name}.last.npy"', f"tolerance = {argument.tolerance}"]
        return lines


# The cases of a compiler by their names: each takes an architecture, such as 80.
Cases = dict[str, Callable[[int], Case]]


def random(seed: int) -> Any:
    """A generator of random numbers, the same in each run."""
    return np.random.default_rng(seed)
