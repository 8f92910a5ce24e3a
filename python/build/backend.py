"""The build backend of the package: maturin's, after the C library is built, which becomes a file of the package."""

import argparse
import json
import pathlib
import re
import shutil
import subprocess

import maturin
from maturin import build_sdist, get_requires_for_build_sdist, get_requires_for_build_wheel
from maturin import prepare_metadata_for_build_wheel

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

get_requires_for_build_editable = maturin.get_requires_for_build_editable
prepare_metadata_for_build_editable = maturin.prepare_metadata_for_build_editable

ROOT = pathlib.Path(__file__).resolve().parents[2]
# .gitignore names it.
PLACE = ROOT / "python" / "src" / "hirace" / "c"


def _arguments(config_settings) -> argparse.Namespace:
    """What maturin's `build-args` say about the library, such as `--profile dev` or `--zig --target TRIPLE`."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--profile", default="release")
    parser.add_argument("--target")
    parser.add_argument("--zig", action="store_true")
    # For the command, maturin evaluates it.
    parser.add_argument("--compatibility", default="")
    return parser.parse_known_args(str((config_settings or {}).get("build-args", "")).split())[0]


def _cargo_build(arguments: argparse.Namespace) -> list[str]:
    command = ["cargo", "zigbuild" if arguments.zig else "build", "--profile", arguments.profile]
    if arguments.target:
        # zig links against the glibc that the name of the wheel promises.
        glibc = re.fullmatch(r"manylinux_(\d+)_(\d+)", arguments.compatibility)
        oldest = f".{glibc[1]}.{glibc[2]}" if arguments.zig and glibc else ""
        command += ["--target", arguments.target + oldest]
    return [*command, "--package", "hirace-capi"]


def _build_library(config_settings) -> None:
    arguments = _arguments(config_settings)
    # pip shows the messages of cargo if it fails.
    subprocess.run(_cargo_build(arguments), cwd=ROOT, check=True)
    metadata = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    target = json.loads(subprocess.check_output(metadata, cwd=ROOT))["target_directory"]
    profile = "debug" if arguments.profile == "dev" else arguments.profile
    PLACE.mkdir(exist_ok=True)
    shutil.copy2(pathlib.Path(target) / (arguments.target or "") / profile / "libhirace.so", PLACE)
    shutil.copy2(ROOT / "crates" / "capi" / "include" / "hirace.h", PLACE)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
