"""Download and unpack source distributions from the package index that pip uses.

usage: fetch_sdists.py PINS DIRECTORY [NAME...]

PINS holds lines `name version sha256`, where more may follow; `#` starts a comment. Each named
distribution (all of them without names) goes to DIRECTORY/NAME, and nothing
happens where it is already there with this hash. `pip download` is no
substitute: it runs the distribution's build script to learn its metadata.
Exit status 1 and a reason on standard error where something cannot be had.
"""

import hashlib
import html.parser
import io
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import sys
import tarfile
import tempfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile

JSON = "application/vnd.pypi.simple.v1+json"
TIMEOUT = 120


def pip_setting(name: str) -> str | None:
    """Return what pip is configured to use, from its files or its environment."""
    command = [sys.executable, "-m", "pip", "config", "list"]
    listed = subprocess.run(command, capture_output=True, text=True)
    found = None
    for line in listed.stdout.splitlines():
        key, _, value = line.partition("=")
        # The environment comes last in the list and wins.
        if key in (f"global.{name}", f"install.{name}", f":env:.{name}"):
            found = value.strip("'\"")
    return found


def index_url() -> str:
    """Return the address of the simple index, pip's own default at last."""
    configured = pip_setting("index-url")
    if configured:
        return configured.rstrip("/")
    source = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"
    default = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    if default.returncode != 0:
        sys.exit("pip does not say which index it uses: set PIP_INDEX_URL")
    return default.stdout.strip().rstrip("/")


def certificates() -> ssl.SSLContext:
    """Return the trust that pip is configured with, or the system's."""
    bundle = pip_setting("cert")
    return ssl.create_default_context(cafile=bundle if bundle else None)


def get(url: str, accept: str) -> tuple[bytes, str]:
    """Return a page and its media type; an index may ask for a name and a password."""
    parts = urllib.parse.urlsplit(url)
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=certificates()))
    if parts.username:
        host = parts.netloc.rpartition("@")[2]
        url = urllib.parse.urlunsplit(parts._replace(netloc=host))
        passwords = urllib.request.HTTPPasswordMgrWithPriorAuth()
        password = urllib.parse.unquote(parts.password or "")
        passwords.add_password(None, url, parts.username, password, is_authenticated=True)
        opener.add_handler(urllib.request.HTTPBasicAuthHandler(passwords))
    request = urllib.request.Request(url, headers={"Accept": accept})
    with opener.open(request, timeout=TIMEOUT) as answer:
        return answer.read(), answer.headers.get_content_type()


class Links(html.parser.HTMLParser):
    """The links of an index page in the older HTML form."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attributes):
        if tag == "a":
            self.found.append(dict(attributes).get("href", ""))


def listing(index: str, name: str) -> dict[str, str]:
    """Return the addresses of the files of a project by their sha256."""
    page = f"{index}/{name}/"
    body, kind = get(page, f"{JSON}, text/html;q=0.1")
    if kind == JSON or kind == "application/json":
        files = json.loads(body)["files"]
        links = [(file["url"], file["hashes"].get("sha256", "")) for file in files]
    else:
        parser = Links()
        parser.feed(body.decode())
        split = (link.partition("#sha256=") for link in parser.found)
        links = [(url, digest) for url, _, digest in split]
    return {digest: urllib.parse.urljoin(page, url) for url, digest in links if digest}


def unpack(archive: bytes, file_name: str, target: pathlib.Path) -> None:
    """Unpack below `target`, which appears only when all of it is there."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as staging:
        if file_name.endswith(".zip"):
            with zipfile.ZipFile(io.BytesIO(archive)) as members:
                members.extractall(staging)
        else:
            with tarfile.open(fileobj=io.BytesIO(archive)) as members:
                # Refuses members that leave the directory.
                members.extractall(staging, filter="data")
        shutil.rmtree(target, ignore_errors=True)
        # A distribution holds one folder, named after it and its version.
        entries = list(pathlib.Path(staging).iterdir())
        top = entries[0] if len(entries) == 1 and entries[0].is_dir() else pathlib.Path(staging)
        shutil.copytree(top, target, symlinks=True)


def fetch(index: str, directory: pathlib.Path, name: str, version: str, digest: str) -> None:
    """Bring one distribution to `directory`/`name`."""
    target = directory / name
    stamp = directory / f".{name}.sha256"
    if target.is_dir() and stamp.is_file() and stamp.read_text() == digest:
        return
    print(f"downloading {name} {version}", file=sys.stderr)
    url = listing(index, name).get(digest)
    if url is None:
        sys.exit(f"the package index has no file of {name} with sha256 {digest}")
    archive, _ = get(url, "*/*")
    actual = hashlib.sha256(archive).hexdigest()
    if actual != digest:
        sys.exit(f"{name} {version}: sha256 is {actual}, not {digest}")
    stamp.unlink(missing_ok=True)
    unpack(archive, urllib.parse.urlsplit(url).path, target)
    stamp.write_text(digest)


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pins, directory, wanted = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
    lines = [line.partition("#")[0].split() for line in pins.read_text().splitlines()]
    known = {line[0]: line for line in lines if line}
    unknown = [name for name in wanted if name not in known]
    if unknown:
        sys.exit(f"no such corpus: {', '.join(unknown)}; there are {', '.join(known)}")
    index = index_url()
    for name in wanted or known:
        try:
            fetch(index, directory, *known[name][:3])
        except (OSError, urllib.error.URLError, tarfile.TarError) as error:
            sys.exit(f"{name} could not be downloaded: {error}")


if __name__ == "__main__":
    main()
