"""Scripts, payloads and the Content-Security-Policy of pages.

Templates escape every string. The policy allows no address, and only the scripts and the style
sheet whose digests it lists: a system's name that got past a template would still not run.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...atomic_write import write_atomically


@cache
def templates() -> Environment:
    """Return the templates of pages, which escape every value."""
    return Environment(
        loader=PackageLoader("irbounds.presentation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def read_template_file(name: str) -> str:
    """Return a style sheet or a script from the directory of templates."""
    return files("irbounds.presentation").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def vega_script() -> str:
    """Return Vega as one script that defines ``vegaEmbed``; built once per vl_convert version."""
    import vl_convert

    def build() -> str:
        return f"{{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}}}"

    return load_cached(f"vega-{version('vl-convert-python')}.js", build)


def load_cached(name: str, build: Callable[[], str]) -> str:
    """Return a text from the user's cache directory, or build it and try to store it there.

    The first line of the file is the digest of the rest; a damaged file is built anew.
    """
    try:
        path = _cache_directory() / name
        digest, _, content = path.read_bytes().partition(b"\n")
        if hashlib.sha256(content).hexdigest().encode() == digest:
            return content.decode()
    except (OSError, RuntimeError):  # no such file, or no home directory
        pass
    text = build()
    with suppress(OSError, RuntimeError):
        path = _cache_directory() / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with write_atomically(path) as file:
            file.write(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}".encode())
    return text


def _cache_directory() -> Path:
    variable = "LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME"
    root = os.environ.get(variable, "")
    return (Path(root) if Path(root).is_absolute() else Path.home() / ".cache") / "irbounds"


def script_markup(code: str) -> Markup:
    """Return code in which an HTML parser finds neither the end of a script nor a comment."""
    return Markup(re.sub(r"<(?=/script|script|!--)", r"\\x3c", code, flags=re.IGNORECASE))


def json_for_script(text: str) -> Markup:
    """Return JSON without markup; lone surrogates, as in names of files, are written as escapes."""
    return Markup(
        re.sub("[<>&\ud800-\udfff\u2028\u2029]", lambda match: f"\\u{ord(match[0]):04x}", text)
    )


def pack(content: Any) -> str:
    """Return the content's JSON, deflated (zlib), in base64: a payload for a page's script."""
    text = json.dumps(content, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def content_security_policy(scripts: Iterable[str], style: str) -> str:
    """Return the policy of a page with these scripts and this style sheet."""
    allowed = " ".join(map(_source, scripts))
    return (
        f"default-src 'none'; script-src {allowed}; style-src {_source(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _source(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
