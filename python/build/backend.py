"""The build backend of the package: maturin's, after the C library is built, which becomes a file of the package."""

import json
import pathlib
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


def _profile(config_settings) -> str:
    """The profile that maturin's `build-args` name, such as `--profile dev`."""
    arguments = str((config_settings or {}).get("build-args", "")).split()
    return arguments[arguments.index("--profile") + 1] if "--profile" in arguments else "release"


def _build_library(config_settings) -> None:
    profile = _profile(config_settings)
    # pip shows the messages of cargo if it fails.
    subprocess.run(["cargo", "build", "--profile", profile, "--package", "hirace-capi"], cwd=ROOT, check=True)
    metadata = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    target = json.loads(subprocess.check_output(metadata, cwd=ROOT))["target_directory"]
    folder = "debug" if profile == "dev" else profile
    PLACE.mkdir(exist_ok=True)
    shutil.copy2(pathlib.Path(target) / folder / "libhirace.so", PLACE)
    shutil.copy2(ROOT / "crates" / "capi" / "include" / "hirace.h", PLACE)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library(config_settings)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library(config_settings)
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
