"""Write the cases of a compiler to a folder.

usage: write.py triton|numba ARCHITECTURE FOLDER NAME ...

ARCHITECTURE is 80 or 90. Each NAME becomes a folder with `kernel.ptx` and `launch.toml`.
"""

import importlib
import pathlib
import sys


def main() -> None:
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    compiler, architecture, folder, *names = sys.argv[1:]
    for name in names:
        module = importlib.import_module(f"{compiler}_cases.{name}")
        case = module.case(int(architecture))
        case.write(pathlib.Path(folder) / name)


if __name__ == "__main__":
    main()
