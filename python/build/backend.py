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


def _build_library() -> None:
    # pip shows the messages of cargo if it fails.
    subprocess.run(["cargo", "build", "--release", "--package", "hirace-capi"], cwd=ROOT, check=True)
    metadata = ["cargo", "metadata", "--format-version", "1", "--no-deps"]
    target = json.loads(subprocess.check_output(metadata, cwd=ROOT))["target_directory"]
    PLACE.mkdir(exist_ok=True)
    shutil.copy2(pathlib.Path(target) / "release" / "libhirace.so", PLACE)
    shutil.copy2(ROOT / "crates" / "capi" / "include" / "hirace.h", PLACE)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _build_library()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)
