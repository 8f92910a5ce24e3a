"""How launches are checked."""

from __future__ import annotations

import operator
import os
import pathlib
import re
from dataclasses import dataclass, replace
from typing import Any

from hirace._errors import HiraceError

# Arguments of the command that change what it prints.
TAKEN = ("-h", "--help", "--version", "-V", "--format", "--output", "-o", "--log-file")

# Compute capabilities that Triton and Numba can compile for, and whose PTX hirace runs.
ARCHITECTURES = (80, 86, 87, 89, 90)


@dataclass(frozen=True)
class Settings:
    """Options of `check` and `checking`. docs/usage.md describes those of the command.

    `seed` chooses the schedule, and `explore` how many of them run. `architecture` is what Triton and Numba
    compile for, such as 80 or 90. `same_value_writes` is "race" or "benign"; None is "benign" for Triton and
    what `hirace.toml` says for others. `autotune` is "first" or "all": which configurations of a kernel with
    `@triton.autotune` run. `arguments` are further arguments of `hirace check`.
    """

    seed: int | None = None
    explore: int | None = None
    architecture: int = 80
    timeout: float | None = None
    config: str | os.PathLike[str] | None = None
    suppressions: str | os.PathLike[str] | None = None
    same_value_writes: str | None = None
    predict: bool = False
    init_check: bool = False
    autotune: str = "first"
    arguments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        _one_of("same_value_writes", self.same_value_writes, (None, "race", "benign"))
        _one_of("autotune", self.autotune, ("first", "all"))
        _one_of("architecture", self.architecture, ARCHITECTURES)
        for name in ("predict", "init_check"):
            _one_of(name, getattr(self, name), (False, True))
        _number("seed", self.seed, 0)
        _number("explore", self.explore, 1)
        if self.timeout is not None and not (_is_number(self.timeout) and self.timeout > 0):
            raise ValueError(f"`timeout` is a number of seconds above 0, not {self.timeout!r}")
        if isinstance(self.arguments, str):
            raise TypeError("`arguments` is a list of texts, not one text")
        for it in self.arguments:
            if it.split("=")[0] in TAKEN:
                raise ValueError(f"`arguments` has {it}, and the report is what `check` returns")
        for name in ("config", "suppressions"):
            if not isinstance(getattr(self, name), (str, os.PathLike, type(None))):
                raise TypeError(f"`{name}` is the path of a file, not {getattr(self, name)!r}")
        if self.seed is not None and self.explore is not None:
            raise ValueError("give `seed` for one schedule or `explore` for several")

    def changed(self, options: dict[str, Any]) -> Settings:
        """With other options; an unknown name is an error that lists the known ones."""
        known = set(self.__dataclass_fields__)
        unknown = sorted(set(options) - known)
        if unknown:
            raise TypeError(f"unknown option `{unknown[0]}`; known are {', '.join(sorted(known))}")
        if "arguments" in options and not isinstance(options["arguments"], str):
            options = {**options, "arguments": tuple(map(str, options["arguments"]))}
        return replace(self, **options)

    def command_line(self) -> list[str]:
        line: list[str] = []
        for name in ("seed", "explore", "timeout", "suppressions"):
            value = getattr(self, name)
            if value is not None:
                line += [f"--{name}", str(value)]
        line += ["--predict"] if self.predict else []
        line += ["--init-check"] if self.init_check else []
        return [*line, *self.arguments]

    def configuration(self, default: str | None, folder: pathlib.Path) -> list[str]:
        """The arguments that select the configuration, which is written to `folder` if it is changed.

        The user's file is the nearest `hirace.toml`, as for other programs.
        """
        found = pathlib.Path(self.config) if self.config else _nearest()
        if self.config and found is not None and not found.is_file():
            raise HiraceError(f"the configuration `{found}` does not exist")
        if self.suppressions is not None and not pathlib.Path(self.suppressions).is_file():
            raise HiraceError(f"the file of suppressions `{self.suppressions}` does not exist")
        writes = self.same_value_writes or default
        text = found.read_text(encoding="utf-8") if found else ""
        has_own = re.search(r"^\s*same-value-writes\s*=", text, re.MULTILINE)
        if writes is None or (has_own and self.same_value_writes is None):
            return ["--config", str(found)] if found else []
        text = with_writes(text, writes, found.parent if found else folder)
        changed = folder / "hirace.toml"
        changed.write_text(text, encoding="utf-8")
        return ["--config", str(changed)]


def _one_of(name: str, value: Any, known: tuple[Any, ...]) -> None:
    # 1 is equal to True, and no answer to yes or no.
    if not any(value == it and isinstance(value, bool) == isinstance(it, bool) for it in known):
        *most, last = (repr(it) for it in known if it is not None)
        raise ValueError(f"`{name}` is {', '.join(most)} or {last}, not {value!r}")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _number(name: str, value: Any, least: int) -> None:
    if value is None:
        return
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or not least <= number < 2**64:
        raise ValueError(f"`{name}` is an integer from {least} on, not {value!r}")


def with_writes(text: str, writes: str, place: pathlib.Path) -> str:
    """A configuration with another value of same-value-writes. Its paths stay relative to `place`."""
    text = re.sub(r"^\s*same-value-writes\s*=.*$", "", text, flags=re.MULTILINE)
    line = f'same-value-writes = "{writes}"'
    if re.search(r"^\s*\[check\]", text, re.MULTILINE):
        text = re.sub(r"^(\s*\[check\].*)$", rf"\1\n{line}", text, count=1, flags=re.MULTILINE)
    else:
        text = f"{text}\n[check]\n{line}\n"

    def absolute(found: re.Match[str]) -> str:
        return re.sub(r'"([^"]*)"', lambda it: f'"{place.resolve() / it[1]}"', found[0])

    return re.sub(r"^\s*suppressions\s*=\s*\[[^\]]*\]", absolute, text, flags=re.MULTILINE)


def _nearest() -> pathlib.Path | None:
    here = pathlib.Path.cwd()
    return next((it / "hirace.toml" for it in (here, *here.parents) if (it / "hirace.toml").is_file()), None)
