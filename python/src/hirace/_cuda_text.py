"""CUDA C++ as text: a program that launches the kernel, for hirace's CUDA front end."""

from __future__ import annotations

import hashlib
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

from hirace import _arrays, _kernel_heads, _literals
from hirace._errors import CheckError, HiraceError
from hirace._launch import caller, run_command, stored
from hirace._report import Report
from hirace._settings import Settings

# The program reads the sizes of the launch and its numbers when it runs, so that it is compiled once. The
# arguments convert to the types of the parameters, which are not known here.
PROGRAM = """\
// Written by the Python package of hirace: launches `{name}`.
#define main hirace_main_of_text
#include "{file}"
#undef main
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>
namespace {{
struct Pointer {{
  void* at;
  template <class T> operator T*() const {{ return static_cast<T*>(at); }}
}};
struct Memory {{
  std::string file;
  std::vector<char> values;
  char* device = nullptr;
}};
void read(Memory& memory, std::ifstream& from) {{
  std::size_t bytes = 0;
  from >> bytes >> memory.file;
  memory.values.resize(bytes);
  std::ifstream(memory.file, std::ios::binary).read(memory.values.data(), static_cast<std::streamsize>(bytes));
  cudaMalloc(&memory.device, bytes == 0 ? 1 : bytes);
  cudaMemcpy(memory.device, memory.values.data(), bytes, cudaMemcpyHostToDevice);
}}
void write(Memory& memory) {{
  cudaMemcpy(memory.values.data(), memory.device, memory.values.size(), cudaMemcpyDeviceToHost);
  std::ofstream(memory.file + ".last", std::ios::binary).write(memory.values.data(), static_cast<std::streamsize>(memory.values.size()));
}}
Pointer pointer(std::vector<Memory>& memory, std::ifstream& from) {{
  std::size_t number = 0, offset = 0;
  from >> number >> offset;
  return Pointer{{memory[number].device + offset}};
}}
template <class T> T number(std::ifstream& from) {{
  std::string text;
  from >> text;
  return static_cast<T>(std::strtod(text.c_str(), nullptr));
}}
template <> long long number<long long>(std::ifstream& from) {{
  std::string text;
  from >> text;
  return std::strtoll(text.c_str(), nullptr, 10);
}}
template <> unsigned long long number<unsigned long long>(std::ifstream& from) {{
  std::string text;
  from >> text;
  return std::strtoull(text.c_str(), nullptr, 10);
}}
}}  // namespace
int main(int, char** arguments) {{
  std::ifstream from(arguments[1]);
  dim3 grid, block;
  std::size_t shared = 0, count = 0;
  from >> grid.x >> grid.y >> grid.z >> block.x >> block.y >> block.z >> shared >> count;
  std::vector<Memory> memory(count);
  for (Memory& it : memory) read(it, from);
{definitions}
{launch}
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {{
    std::fprintf(stderr, "the launch failed: %s\\n", cudaGetErrorString(error));
    return 1;
  }}
  error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {{
    std::fprintf(stderr, "the kernel failed: %s\\n", cudaGetErrorString(error));
    return 1;
  }}
  for (Memory& it : memory) write(it);
  return 0;
}}
"""

COOPERATIVE = """\
  cudaLaunchConfig_t configuration{{grid, block, shared}};
  cudaLaunchAttribute cooperative;
  cooperative.id = cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  configuration.attrs = &cooperative;
  configuration.numAttrs = 1;
  cudaLaunchKernelEx({arguments});"""


def text_of(kernel: Any) -> str | pathlib.Path | None:
    """CUDA C++ or PTX: a text or a file; None if the kernel is something else."""
    if isinstance(kernel, bytes):
        kernel = kernel.decode()
    if isinstance(kernel, os.PathLike):
        return _file(pathlib.Path(kernel))
    if isinstance(kernel, str):
        is_name = "\n" not in kernel and kernel.endswith((".cu", ".cuh", ".ptx"))
        return _file(pathlib.Path(kernel)) if is_name else kernel
    # cupy.RawKernel and cupy.RawModule.
    code = getattr(kernel, "code", None)
    return code if isinstance(code, str) else None


def name_of(kernel: Any) -> str | None:
    name = getattr(kernel, "name", None)
    return name if isinstance(name, str) and not isinstance(kernel, os.PathLike) else None


# Options of NVRTC that say what the text means, and those of the command. The others choose a GPU and how to optimise.
_OPTIONS = {
    "--define-macro": "-D",
    "-D": "-D",
    "--undefine-macro": "-U",
    "-U": "-U",
    "--include-path": "-I",
    "-I": "-I",
    "--std": "-std=",
    "-std": "-std=",
}


def options_of(kernel: Any) -> list[str]:
    """What the options of a cupy.RawKernel or cupy.RawModule are for `hirace check`."""
    given = getattr(kernel, "options", ()) or ()
    if not isinstance(given, (tuple, list)) or not all(isinstance(it, str) for it in given):
        raise TypeError(f"`options` of a kernel is a tuple of texts, not {given!r}")
    rest = iter(given)
    found = []
    for option in rest:
        name = next((it for it in _OPTIONS if option.startswith(it)), None)
        if name is not None:
            # The value follows at once, behind `=`, or as the next option.
            value = option[len(name) :].removeprefix("=") or next(rest, "")
            found.append(_OPTIONS[name] + value)
    return found


def _file(path: pathlib.Path) -> pathlib.Path:
    if not path.is_file():
        raise HiraceError(f"the file `{path}` does not exist")
    return path


def run(
    source: str | pathlib.Path,
    name: str | None,
    sizes: Any,
    given: Any,
    shared: int,
    cooperative: bool,
    options: list[str],
    settings: Settings,
) -> Report:
    """Check a launch of a kernel of a CUDA text or file; `options` are for the compiler."""
    text = source.read_text(encoding="utf-8") if isinstance(source, pathlib.Path) else source
    name, kernel = _kernel_heads.choose(text, name)
    values = _kernel_heads.ordered(kernel, given)
    names = _kernel_heads.names(kernel, len(values))
    views = [_arrays.view_of(*it) for it in zip(names, values)]
    _kernel_heads.check_types(kernel, values, views)
    origins = {}
    if isinstance(source, pathlib.Path):
        folder, file = source.resolve().parent, source.name
    else:
        path = stored(f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.cu", text)
        folder, file = path.parent, path.name
        literal = _literals.find(text)
        if literal is not None:
            origins[str(path)] = literal
    program = _program(name, file, list(zip(names, values, views)), cooperative)
    launcher = stored(f"launch-{hashlib.sha256(program.encode()).hexdigest()[:24]}.cu", program)
    here = caller((os.path.dirname(os.__file__) + "/unittest",))
    if here is not None:
        origins[str(launcher)] = _literals.Origin(*here, is_line=True)
    memory = _arrays.buffers([it for it in views if it is not None])
    for buffer in memory:
        buffer.name = next(it for it, view in zip(names, views) if view in buffer.views)
    with tempfile.TemporaryDirectory(prefix="hirace-") as place:
        own = pathlib.Path(place)
        (own / "values").write_text(_values(sizes, shared, memory, values, views, own), encoding="utf-8")
        config = settings.configuration(None, own)
        arguments = [str(launcher), f"-I{folder}", *options, *config, "--", str(own / "values")]
        report = run_command(arguments, settings, own, origins)
        for number, buffer in enumerate(memory):
            last = own / f"{number}.last"
            if last.exists():
                try:
                    buffer.write_back(np.fromfile(last, np.uint8))
                except ValueError as error:
                    raise CheckError(f"{error}\n{report}", report) from None
    return report


def _program(name: str, file: str, arguments: list[tuple[str, Any, Any]], cooperative: bool) -> str:
    definitions = []
    for number, (parameter, value, view) in enumerate(arguments):
        if view is not None:
            maker = "pointer(memory, from)"
        elif value is None:
            maker = "Pointer{nullptr}"
        elif isinstance(value, (bool, int, np.integer, np.bool_)):
            maker = "number<unsigned long long>(from)" if value >= 2**63 else "number<long long>(from)"
        elif isinstance(value, (float, np.floating)):
            maker = "number<double>(from)"
        else:
            raise TypeError(f"the argument `{parameter}` is neither an array nor a number, but {type(value).__name__}")
        definitions.append(f"  const auto hirace_argument_{number} = {maker};")
    # The kernel may have the name of a variable of the program.
    name = f"::{name.removeprefix('::')}"
    names = [f"hirace_argument_{it}" for it in range(len(arguments))]
    if cooperative:
        launch = COOPERATIVE.format(arguments=", ".join(["&configuration", name, *names]))
    else:
        launch = f"  {name}<<<grid, block, shared>>>({', '.join(names)});"
    return PROGRAM.format(name=name, file=file, definitions="\n".join(definitions), launch=launch)


def _values(sizes: Any, shared: int, memory: Any, values: list[Any], views: list[Any], folder: pathlib.Path) -> str:
    numbers = [(*it, 1, 1)[:3] for it in sizes]
    lines = [" ".join(map(str, it)) for it in numbers] + [str(shared), str(len(memory))]
    for number, buffer in enumerate(memory):
        buffer.bytes().tofile(folder / str(number))
        lines.append(f"{buffer.end - buffer.start} {folder / str(number)}")
    for value, view in zip(values, views):
        if view is None and value is None:
            continue
        if view is None:
            lines.append(repr(value.item() if isinstance(value, np.generic) else value).replace("True", "1").replace("False", "0"))
        else:
            number = next(n for n, it in enumerate(memory) if any(view is own for own in it.views))
            lines.append(f"{number} {view.address - memory[number].start}")
    return "\n".join(lines) + "\n"
