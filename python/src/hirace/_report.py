"""Reports, as the command writes them in JSON (docs/report.schema.json)."""

from __future__ import annotations

import html
import json
import os
import pathlib
from dataclasses import dataclass, field, fields
from typing import Any

from hirace import _command
from hirace._errors import CheckError, RaceError

Index = tuple[int, int, int]


@dataclass(frozen=True)
class Access:
    """One of the two accesses of a race; what is not known is None."""

    role: str
    access: str
    file: str | None
    line: int | None
    column: int | None
    text: str | None
    function: str | None
    variable: str | None
    block: Index | None
    thread: Index | None
    size: int | None

    @classmethod
    def of(cls, data: dict[str, Any]) -> Access:
        values: dict[str, Any] = {it.name: data.get(it.name) for it in fields(cls)}
        for key in ("block", "thread"):
            values[key] = tuple(values[key]) if values[key] else None
        return cls(**values)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file else "a place that was not recorded"
        return f"{self.access} at {place}"


@dataclass(frozen=True)
class Race:
    """A race; `accesses` has the earlier access and the one that raced with it."""

    code: str
    title: str
    kernel: str
    variable: str | None
    space: str
    certainty: str
    occurrences: int
    fingerprint: str
    reason: str
    help: str
    accesses: tuple[Access, Access]
    data: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Race:
        keys = ("code", "title", "kernel", "space", "certainty", "occurrences", "fingerprint", "reason")
        first, second = (Access.of(it) for it in data["accesses"])
        return cls(
            **{key: data[key] for key in keys},
            variable=data.get("variable"),
            help=data.get("help") or "",
            accesses=(first, second),
            data=data,
        )

    @property
    def possible(self) -> bool:
        """Whether the race is only possible: docs/usage.md#possible-races."""
        return self.certainty == "possible"

    def __str__(self) -> str:
        name = f" on `{self.variable}`" if self.variable else ""
        first, second = self.accesses
        return f"{self.code}: data race{name} in kernel `{self.kernel}`: {first}, {second}"


@dataclass(frozen=True)
class Fault:
    """An error other than a race, such as an access out of bounds."""

    code: str
    title: str
    kernel: str | None
    file: str | None
    line: int | None
    block: Index | None
    thread: Index | None
    ended: bool
    warning: bool
    fingerprint: str
    data: dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, data: dict[str, Any]) -> Fault:
        index = {key: tuple(data[key]) if data.get(key) else None for key in ("block", "thread")}
        return cls(
            code=data["code"],
            title=data.get("title") or "",
            kernel=data.get("kernel"),
            file=data.get("file"),
            line=data.get("line"),
            **index,
            ended=bool(data.get("ended")),
            warning=data.get("severity") == "warning",
            fingerprint=data.get("fingerprint", ""),
            data=data,
        )

    def __str__(self) -> str:
        place = f" at {self.file}:{self.line}" if self.file else ""
        return f"{self.code}: {self.title}{place}"


class Report:
    """What the checks of some launches found. Launches that are checked later may be added to it."""

    def __init__(self) -> None:
        self._parts: list[dict[str, Any]] = []
        self._texts: list[str] = []
        self._own_notes: list[str] = []
        self.output = ""

    def _add(self, data: dict[str, Any], text: str, output: str = "") -> None:
        self._parts.append(data)
        self._texts.append(text)
        self.output += output

    def _note(self, text: str) -> None:
        if text not in self._own_notes:
            self._own_notes.append(text)

    def _to_data(self) -> dict[str, Any]:
        return {"parts": self._parts, "texts": self._texts, "notes": self._own_notes, "output": self.output}

    @classmethod
    def _of_data(cls, data: dict[str, Any]) -> Report:
        made = cls()
        made._parts, made._texts = data["parts"], data["texts"]
        made._own_notes, made.output = data["notes"], data["output"]
        return made

    def _extend(self, other: Report) -> None:
        self._parts += other._parts
        self._texts += other._texts
        for it in other._own_notes:
            self._note(it)
        self.output += other.output

    @property
    def races(self) -> list[Race]:
        """The races, each pair of lines of a kernel once."""
        return list({it.fingerprint: it for it in map(Race.of, self._all("races"))}.values())

    @property
    def faults(self) -> list[Fault]:
        return list({it.fingerprint: it for it in map(Fault.of, self._all("faults"))}.values())

    @property
    def launches(self) -> int:
        """How many launches of kernels were checked."""
        return sum(it["summary"]["launches"] for it in self._parts)

    @property
    def accesses(self) -> int:
        return sum(it["summary"]["accesses"] for it in self._parts)

    @property
    def notes(self) -> list[str]:
        """Limits of the answer: what was not checked, or not followed."""
        lines = [str(it) for it in self._all("notes")]
        lines += [_named(it, "not monitored") for it in self._all("not_monitored")]
        lines += [_named(it, "not modelled") for it in self._all("not_modelled")]
        return list(dict.fromkeys(lines + self._own_notes))

    @property
    def status(self) -> str:
        """`races`, `faults`, `clean` and the like, as in JSON; the worst of all launches."""
        found = [it["status"] for it in self._parts]
        return next((it for it in found if it != "clean"), "clean")

    @property
    def failure(self) -> str | None:
        """Why a launch has no verdict."""
        reasons = [it["failure"]["message"] for it in self._parts if it.get("failure")]
        return reasons[0] if reasons else None

    def is_clean(self, allow_possible: bool = True) -> bool:
        """Whether nothing was found; possible races and warnings count if they are not allowed."""
        races = [it for it in self.races if not (it.possible and allow_possible)]
        faults = [it for it in self.faults if not (it.warning and allow_possible)]
        return not races and not faults and self.failure is None

    def __bool__(self) -> bool:
        """False if something was found, so that `assert hirace.check(…)` is a test."""
        return self.is_clean()

    def raise_if_found(self, allow_possible: bool = True) -> Report:
        """Raise RaceError or CheckError unless nothing was found; returns the report."""
        if self.is_clean(allow_possible):
            return self
        if self.failure is not None and not self.races and not self.faults:
            raise CheckError(self.failure, self)
        raise RaceError(self)

    def __str__(self) -> str:
        notes = [f"note: {it}" for it in self._own_notes]
        if len(self._texts) == 1:
            # The command's own summary is its last line.
            *lines, summary = self._texts[0].rstrip("\n").splitlines() or [self.summary()]
            return "\n".join([*lines, *notes, summary])
        found = [_without_summary(text) for text, it in zip(self._texts, self._parts) if it["status"] != "clean"]
        return "\n".join([*dict.fromkeys(found), *notes, self.summary()])

    def summary(self) -> str:
        """One line."""
        races, faults = len(self.races), len(self.faults)
        counts = [count(races, "race")] if races else []
        counts += [count(faults, "fault")] if faults else []
        nothing = "no race found" if self.failure is None else "could not check"
        what = " and ".join(counts) or nothing
        return f"hirace: {what}; {count(self.launches, 'kernel launch', 'es')} and {count(self.accesses, 'access', 'es')} checked"

    def __repr__(self) -> str:
        return f"<{self.summary()}>"

    def to_json(self, path: str | os.PathLike[str] | None = None) -> dict[str, Any]:
        """The report as the command writes it; `path` is written if it is given."""
        data: dict[str, Any] = json.loads(self._converted("json"))
        if path is not None:
            pathlib.Path(path).write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
        return data

    def to_html(self, path: str | os.PathLike[str] | None = None) -> str:
        """One page with the source; `path` is written if it is given."""
        return self._write(path, "html")

    def to_sarif(self, path: str | os.PathLike[str] | None = None) -> str:
        return self._write(path, "sarif")

    def to_junit(self, path: str | os.PathLike[str] | None = None) -> str:
        return self._write(path, "junit")

    def _write(self, path: str | os.PathLike[str] | None, form: str) -> str:
        text = self._converted(form)
        if path is not None:
            pathlib.Path(path).write_text(text, encoding="utf-8")
        return text

    def _converted(self, form: str) -> str:
        if not self._parts:
            raise CheckError("no launch was checked, so there is no report", self)
        parts = [dict(it) for it in self._parts]
        parts[0]["notes"] = [*(parts[0].get("notes") or []), *self._own_notes]
        return convert([json.dumps(it) for it in parts], form)

    def _repr_html_(self) -> str:
        """For notebooks: the page, in a frame of its own."""
        if not self._parts:
            return html.escape(self.summary())
        page = html.escape(self.to_html(), quote=True)
        return f'<iframe srcdoc="{page}" style="width:100%;height:32em;border:0"></iframe>'

    def _all(self, key: str) -> list[Any]:
        return [entry for it in self._parts for entry in it.get(key) or []]


def convert(reports: list[str], form: str) -> str:
    """One report of several, in another format."""
    if len(reports) == 1:
        done = _command.run(["report", "-", "--format", form], reports[0])
    else:
        done = _merged(reports, form)
    if done.returncode != 0:
        raise CheckError(done.stderr.strip() or "hirace could not convert the report")
    return done.stdout


def _merged(reports: list[str], form: str) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="hirace-") as folder:
        files = []
        for number, text in enumerate(reports):
            files.append(str(pathlib.Path(folder) / f"{number}.json"))
            pathlib.Path(files[-1]).write_text(text, encoding="utf-8")
        return _command.run(["report", "--merge", *files, "--format", form])


def _without_summary(text: str) -> str:
    lines = text.rstrip("\n").splitlines()
    return "\n".join(it for it in lines if not it.startswith("hirace: ")) + "\n"


def count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number} {noun}{'' if number == 1 else plural}"


def _named(entry: Any, what: str) -> str:
    if not isinstance(entry, dict):
        return f"{what}: {entry}"
    place = f"{entry.get('file')}:{entry.get('line')}: " if entry.get("file") else ""
    reason = entry.get("reason") or entry.get("construct") or ""
    return f"{place}{what}: {reason}"
