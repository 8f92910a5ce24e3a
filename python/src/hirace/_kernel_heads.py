"""The heads of kernels in CUDA C++, as far as a mistake in a launch can be named before anything is compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from hirace._arrays import View

_ATTRIBUTES = r"(?:\s*__\w+__\s*(?:\((?:[^()]|\([^()]*\))*\))?)*"
_HEAD = re.compile(rf"__global__{_ATTRIBUTES}\s+(?:static\s+|inline\s+)*void{_ATTRIBUTES}\s+(\w+)\s*\(")

# Bits, and whether there is a sign.
_INTEGERS = {
    "char": (8, True),
    "signed char": (8, True),
    "unsigned char": (8, False),
    "short": (16, True),
    "unsigned short": (16, False),
    "int": (32, True),
    "unsigned": (32, False),
    "unsigned int": (32, False),
    "long": (64, True),
    "unsigned long": (64, False),
    "long long": (64, True),
    "unsigned long long": (64, False),
    "size_t": (64, False),
    **{f"{sign}int{bits}_t": (bits, not sign) for sign in ("", "u") for bits in (8, 16, 32, 64)},
}
_OTHERS = {"float": (32, True), "double": (64, True), "bool": (8, False)}
_NUMBERS = {*_INTEGERS, *_OTHERS}


@dataclass(frozen=True)
class Parameter:
    name: str
    type: str
    has_default: bool

    @property
    def is_pointer(self) -> bool:
        return self.type.endswith(("*", "]"))

    @property
    def element(self) -> str:
        """What a pointer points to."""
        return self.type.removesuffix("[]").removesuffix("*")


@dataclass(frozen=True)
class Kernel:
    """A kernel; its parameters are None if they were not understood."""

    name: str
    parameters: tuple[Parameter, ...] | None
    template: str
    namespace: str = ""


def kernels(text: str) -> dict[str, Kernel]:
    """The kernels that a text defines or declares, by name."""
    plain = _without_macros(re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL))
    found: dict[str, Kernel] = {}
    for match in _HEAD.finditer(plain):
        name = match[1]
        before = plain[: match.start()]
        kernel = Kernel(name, _parameters(plain, match.end()), _template(before), _namespace(before))
        # Of overloads, and of what a condition chooses between, nothing is known.
        same = name not in found or found[name].parameters == kernel.parameters
        found[name] = kernel if same else Kernel(name, None, kernel.template, kernel.namespace)
    return found


_DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)


def _without_macros(text: str) -> str:
    """The text without directives, in which macros for the heads of kernels are expanded."""
    for directive in _DIRECTIVE.findall(text):
        definition = re.match(r"\s*#\s*define\s+(\w+)[ \t]+(.*__global__.*)", directive, re.DOTALL)
        if definition is not None:
            head = definition[2].replace("\\\n", " ")
            text = head.join(re.split(rf"\b{definition[1]}\b", text))
    return _DIRECTIVE.sub("", text)


def _namespace(before: str) -> str:
    """The namespaces around the place where a text ends, as `a::b::`; those without a name are left out."""
    open_blocks: list[str] = []
    for block in re.finditer(r"(?:\bnamespace\s+([\w:]*)\s*)?\{|\}", before):
        if block[0] != "}":
            open_blocks.append(block[1] or "")
        elif open_blocks:
            open_blocks.pop()
    return "".join(f"{it}::" for it in open_blocks if it)


def _template(before: str) -> str:
    """The parameters of the template whose head ends a text; empty if there is none."""
    found = re.search(r"\btemplate\s*<([^;{}]*)>\s*(?:extern\s+\"C\"\s*)?(?:static\s+|inline\s+)*$", before)
    return found[1] if found is not None else ""


def _parameters(text: str, start: int) -> tuple[Parameter, ...] | None:
    depth, parts, last = 0, [], start
    for at in range(start, len(text)):
        letter = text[at]
        if letter == ")" and depth == 0:
            parts.append(text[last:at])
            break
        if letter == "," and depth == 0:
            parts.append(text[last:at])
            last = at + 1
        depth += (letter in "([{<") - (letter in ")]}>")
    else:
        return None
    if not "".join(parts).strip() or "".join(parts).strip() == "void":
        return ()
    parameters = [_parameter(it) for it in parts]
    return tuple(it for it in parameters if it is not None) if None not in parameters else None


def _parameter(text: str) -> Parameter | None:
    declaration, equals, _ = text.partition("=")
    declaration = re.sub(r"\b(?:const|volatile|restrict|__restrict__|__restrict|__grid_constant__)\b", " ", declaration)
    found = re.fullmatch(r"\s*(.*?[\w>*&\]])\s*(?<![\w])(\w+)\s*((?:\[[^\]]*\]\s*)*)", declaration.strip(), re.DOTALL)
    if found is None or "(" in declaration or "#" in declaration or "..." in declaration:
        return None
    kind = re.sub(r"\s*([*&])\s*", r"\1", " ".join(found[1].split()))
    return Parameter(found[2], kind + ("[]" if found[3] else ""), bool(equals))


def choose(text: str, name: str | None) -> tuple[str, Kernel | None]:
    """The name of the kernel to launch, and its head if the text has it."""
    known = kernels(text)
    if name is None:
        if not known:
            raise TypeError("the text has no kernel: no function with `__global__`")
        if len(known) != 1:
            raise TypeError(f"the text has {len(known)} kernels; `name` says which: {', '.join(known)}")
        name = next(iter(known))
        name = known[name].namespace + name
    kernel = known.get(name.partition("<")[0].strip().rpartition("::")[2])
    if kernel is None and known and '#include "' not in text:
        raise TypeError(f"the text has no kernel `{name}`; it has {', '.join(known)}")
    if kernel is not None and kernel.template and "<" not in name and "=" not in kernel.template:
        raise TypeError(f"`{name}` is a template; `name` says which instance, as in `{name}<float>`")
    return name, kernel


def ordered(kernel: Kernel | None, given: Any) -> list[Any]:
    """The arguments in the order of the parameters; says what is missing, or too much."""
    parameters = kernel.parameters if kernel is not None else None
    if kernel is None or parameters is None:
        return list(given.values()) if isinstance(given, Mapping) else list(given)
    names = [it.name for it in parameters]
    if isinstance(given, Mapping):
        for it in given:
            if it not in names:
                raise TypeError(f"kernel `{kernel.name}` has no parameter `{it}`; it has {', '.join(names) or 'none'}")
        values = [given[it] for it in names if it in given]
        missing = [it.name for it in parameters if it.name not in given and not it.has_default]
        if missing:
            raise TypeError(f"the argument `{missing[0]}` of kernel `{kernel.name}` is missing")
    else:
        values = list(given)
    least = sum(not it.has_default for it in parameters)
    if not least <= len(values) <= len(parameters):
        count = f"{len(parameters)} parameter{'' if len(parameters) == 1 else 's'}"
        given_count = "1 argument is" if len(values) == 1 else f"{len(values)} arguments are"
        raise TypeError(f"kernel `{kernel.name}` has {count}, and {given_count} given")
    return values


def names(kernel: Kernel | None, count: int) -> list[str]:
    """The names of the parameters, as messages call the arguments."""
    known = [it.name for it in (kernel and kernel.parameters) or ()]
    return (known + [f"argument {it}" for it in range(len(known), count)])[:count]


def check_types(kernel: Kernel | None, values: list[Any], views: list[View | None]) -> None:
    """Says which argument cannot be meant for its parameter, where the type of that is plain."""
    for parameter, value, view in zip((kernel and kernel.parameters) or (), values, views):
        mismatch = f"the parameter `{parameter.name}` is `{parameter.type}`, and "
        if isinstance(value, np.void) and not parameter.is_pointer:
            raise TypeError(f"{mismatch}a structure cannot be passed by value; let the kernel take a pointer to it")
        if parameter.is_pointer and view is None and value is not None:
            raise TypeError(f"{mismatch}{value!r} is no array")
        if parameter.is_pointer and view is not None and not _has_elements(view.dtype, parameter.element):
            raise TypeError(f"{mismatch}the elements of the array are {view.dtype}; `array.view(…)` gives them another type")
        if parameter.type not in _NUMBERS:
            continue
        if view is not None:
            raise TypeError(f"{mismatch}an array is given")
        if parameter.type not in _INTEGERS or isinstance(value, (bool, np.bool_)):
            continue
        bits, signed = _INTEGERS[parameter.type]
        if isinstance(value, (float, np.floating)) and not float(value).is_integer():
            raise TypeError(f"{mismatch}{value!r} is no integer")
        # C++ programs pass -1 to unsigned parameters, too.
        if not -(2 ** (bits - 1)) <= value < 2 ** (bits - signed):
            raise TypeError(f"{mismatch}{value!r} does not fit")


def _has_elements(dtype: np.dtype[Any], element: str) -> bool:
    """Whether an array may have these elements; its bytes may be those of any type, as of a structure."""
    if dtype.itemsize == 1 or dtype.kind == "V" or element not in _NUMBERS:
        return True
    bits, _ = _INTEGERS.get(element, _OTHERS.get(element, (0, False)))
    return dtype.itemsize * 8 == bits and (dtype.kind == "f") == (element in ("float", "double"))
