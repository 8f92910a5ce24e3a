"""How launches are checked."""

from __future__ import annotations

import os
import pathlib
import re
from dataclasses import dataclass, replace
from typing import Any

from hirace._errors import HiraceError



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
        if self.same_value_writes not in (None, "race", "benign"):
            raise ValueError('same_value_writes is "race" or "benign"')
        if self.autotune not in ("first", "all"):
            raise ValueError('autotune is "first" or "all"')
        if self.seed is not None and self.explore is not None:
            raise ValueError("give `seed` for one schedule or `explore` for several")

    def changed(self, options: dict[str, Any]) -> Settings:
        """With other options; an unknown name is an error that lists the known ones."""
        known = set(self.__dataclass_fields__)
        unknown = sorted(set(options) - known)
        if unknown:
            raise TypeError(f"unknown option `{unknown[0]}`; known are {', '.join(sorted(known))}")
        if "arguments" in options:
            options["arguments"] = tuple(map(str, options["arguments"]))
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
        writes = self.same_value_writes or default
        text = found.read_text(encoding="utf-8") if found else ""
        has_own = re.search(r"^\s*same-value-writes\s*=", text, re.MULTILINE)
        if writes is None or (has_own and self.same_value_writes is None):
            return ["--config", str(found)] if found else []
        text = with_writes(text, writes, found.parent if found else folder)
        changed = folder / "hirace.toml"
        changed.write_text(text, encoding="utf-8")
        return ["--config", str(changed)]


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
