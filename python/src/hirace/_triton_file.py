"""Kernels in files of Triton code, without running the rest of the file."""

from __future__ import annotations

import ast
import hashlib
import pathlib
from typing import Any

from hirace._errors import HiraceError
from hirace._launch import stored


def load(path: pathlib.Path, name: str | None) -> Any:
    """The kernel with this name, or the only one."""
    try:
        found = kernels(path.read_text(encoding="utf-8"), path)
    except (OSError, UnicodeDecodeError) as error:
        raise HiraceError(f"`{path}` is no file of Python code: {error}") from None
    if not found:
        raise HiraceError(f"`{path}` has no kernel: no function with `@triton.jit` that stands by itself")
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if name in found:
        return found[name]
    known = ", ".join(found)
    raise HiraceError(f"`{path}` has these kernels: {known}" + ("; `kernel` says which" if name is None else f", not `{name}`"))


def kernels(text: str, path: pathlib.Path) -> dict[str, Any]:
    """All functions with `@triton.jit`: of the file, and of the texts in it."""
    tree = ast.parse(text, str(path))
    found = _execute(tree, path)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "@triton.jit" in node.value:
            digest = hashlib.sha256(node.value.encode()).hexdigest()[:24]
            inner = stored(f"{digest}.py", node.value)
            found.update(_execute(ast.parse(node.value, str(inner)), inner))
    called = {it.id for own in found.values() for it in _names(own.parse())}
    # Functions that other kernels call are not launched.
    return {name: it for name, it in found.items() if name not in called or len(found) == 1}


def _names(tree: ast.AST) -> list[ast.Name]:
    calls = [it.func for it in ast.walk(tree) if isinstance(it, ast.Call)]
    return [it for it in calls if isinstance(it, ast.Name)]


def _is_jit(node: ast.expr) -> bool:
    target = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(target) in ("triton.jit", "jit")


def _execute(tree: ast.Module, path: pathlib.Path) -> dict[str, Any]:
    """Define the imports, the constants and the kernels of a file, whose lines stay as they are."""
    space: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            node.decorator_list = [it for it in node.decorator_list if _is_jit(it)]
            if not node.decorator_list:
                continue
        elif not isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)):
            continue
        try:
            exec(compile(ast.Module([node], []), str(path), "exec"), space)
        except Exception as error:
            if isinstance(node, ast.FunctionDef):
                raise HiraceError(f"{path}:{node.lineno}: {error}") from error
    from triton.runtime.jit import JITFunction

    return {name: it for name, it in space.items() if isinstance(it, JITFunction)}
