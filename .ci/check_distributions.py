"""Check the files of a wheel and an sdist, and print their sizes.

Usage: check_distributions.py WHEEL WHEEL-BUILT-FROM-THE-SDIST SDIST
"""

from __future__ import annotations

import re
import sys
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
MAX_BYTES = 8_000_000
#: hosts of package registries; an installation uses the one that the reader has configured
REGISTRY_HOST = re.compile(rb"\b(py(pi|thonhosted)|anaconda)\.org\b")

Contents = Mapping[str, bytes]


def read_wheel(path: Path) -> Contents:
    """Return the files of a wheel by name."""
    with ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_sdist(path: Path) -> Contents:
    """Return the files of an sdist by name, without the name of its directory."""
    contents = {}
    with tarfile.open(path) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                contents[member.name.partition("/")[2]] = file.read()
    return contents


def list_files(directory: Path, pattern: str = "*") -> set[str]:
    """Return the paths of files below a directory, without those that Python writes."""
    paths = (path.relative_to(directory) for path in directory.rglob(pattern) if path.is_file())
    return {path.as_posix() for path in paths if "__pycache__" not in path.parts}


def find_faults(wheel: Contents, second: Contents, sdist: Contents, root: Path) -> Iterator[str]:
    """Return what is wrong: files that are missing, differ or should not be there."""
    source = {f"irbounds/{name}" for name in list_files(root / "src" / "irbounds")}
    packaged = {name for name in wheel if ".dist-info/" not in name}
    for name in sorted(source - packaged):
        yield f"wheel: {name} is missing"
    for name in sorted(packaged - source):
        yield f"wheel: {name} is not in the source"
    for name in sorted(wheel.keys() | second.keys()):
        if wheel.get(name) != second.get(name):
            yield f"wheel: {name} differs in the wheel that is built from the sdist"
    for kind, contents in (("wheel", wheel), ("sdist", sdist)):
        for name in sorted(contents):
            if match := REGISTRY_HOST.search(contents[name]):
                yield f"{kind}: {name} names {match[0].decode()}, the host of a package registry"


def check(wheel: Path, second: Path, sdist: Path) -> int:
    """Print the sizes and all faults, and return the exit status."""
    contents = (read_wheel(wheel), read_wheel(second), read_sdist(sdist))
    faults = list(find_faults(*contents, ROOT))
    for path, files in ((wheel, contents[0]), (sdist, contents[2])):
        size = path.stat().st_size
        print(f"{path.name}: {len(files)} files, {size:,} bytes")
        if size > MAX_BYTES:
            faults.append(f"{path.name}: {size:,} bytes, more than {MAX_BYTES:,}")
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(check(*map(Path, sys.argv[1:4])))
