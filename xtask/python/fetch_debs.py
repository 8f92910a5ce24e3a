"""Download and unpack Debian packages with the machine's own apt.

usage: fetch_debs.py PINS DIRECTORY [NAME...]

PINS holds lines `name version sha256 suite component`, where more may follow; `#` starts a comment.
Each named package (all of them without names) is unpacked, not installed, to DIRECTORY/NAME, and
nothing happens where it is already there with this hash. The suite need not be one that the machine
installs from: apt gets lists of its own below DIRECTORY, from the same mirror and with the same keys.
Exit status 1 and a reason on standard error where something cannot be had.
"""

import hashlib
import pathlib
import shutil
import subprocess
import sys


def mirror() -> str:
    """Return the address from which the machine installs Debian packages."""
    command = ["apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    for line in listed.stdout.splitlines():
        origin, _, address = line.partition(" ")
        if origin == "Debian" and "security" not in address:
            return address
    sys.exit("apt knows no Debian mirror")


class Apt:
    """apt with sources, lists and a cache of its own."""

    def __init__(self, directory: pathlib.Path, suites: set[tuple[str, str]]):
        self.directory = directory / ".apt"
        for folder in ("lists/partial", "cache/archives/partial"):
            (self.directory / folder).mkdir(parents=True, exist_ok=True)
        address = mirror()
        keys = "/usr/share/keyrings/debian-archive-keyring.gpg"
        sources = [f"deb [signed-by={keys}] {address} {suite} {part}" for suite, part in sorted(suites)]
        (self.directory / "sources.list").write_text("\n".join(sources) + "\n")

    def run(self, arguments: list[str], folder: pathlib.Path) -> None:
        """Run apt-get in a folder."""
        options = {
            "Dir::Etc::SourceList": self.directory / "sources.list",
            "Dir::Etc::SourceParts": "-",
            "Dir::State::Lists": self.directory / "lists",
            "Dir::Cache": self.directory / "cache",
            "APT::Sandbox::User": "root",
        }
        settings = [f"--option={name}={value}" for name, value in options.items()]
        command = ["apt-get", "--quiet", *settings, *arguments]
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        if ran.returncode != 0:
            sys.exit(f"apt-get {' '.join(arguments)} failed:\n{ran.stderr}")


def fetch(apt: Apt, directory: pathlib.Path, name: str, version: str, digest: str) -> None:
    """Bring one package to `directory`/`name`."""
    print(f"downloading {name} {version}", file=sys.stderr)
    staging = directory / f".{name}"
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir()
    apt.run(["download", f"{name}={version}"], staging)
    (archive,) = staging.glob("*.deb")
    actual = hashlib.sha256(archive.read_bytes()).hexdigest()
    if actual != digest:
        sys.exit(f"{name} {version}: sha256 is {actual}, not {digest}")
    target = directory / name
    shutil.rmtree(target, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--extract", archive, target], check=True)
    shutil.rmtree(staging)
    (directory / f".{name}.sha256").write_text(digest)


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pins, directory, wanted = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    lines = [line.partition("#")[0].split() for line in pins.read_text().splitlines()]
    known = {line[0]: line for line in lines if line}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        sys.exit(f"no such package: {', '.join(unknown)}; there are {', '.join(known)}")
    directory = directory.resolve()

    def missing(name: str) -> bool:
        stamp = directory / f".{name}.sha256"
        there = (directory / name).is_dir() and stamp.is_file()
        return not there or stamp.read_text() != known[name][2]

    needed = [name for name in wanted or known if missing(name)]
    if not needed:
        return
    apt = Apt(directory, {(known[name][3], known[name][4]) for name in needed})
    apt.run(["update"], directory)
    for name in needed:
        fetch(apt, directory, *known[name][:3])


if __name__ == "__main__":
    main()
