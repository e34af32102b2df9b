"""What seals a page of HTML: it runs its own scripts, fetches nothing, and takes no name for code.

Templates escape every string that they are given. The content security policy allows no address at
all, and of scripts and styles only those whose fingerprint is named, so that a name of a system
which got past the template would still not run.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

__all__ = ["json_for_script", "policy", "script_markup", "template_file", "templates", "vega"]


@cache
def templates() -> Environment:
    """The templates of pages, all of which escape what they are given."""
    return Environment(
        loader=PackageLoader("irbounds.presentation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def template_file(name: str) -> str:
    """A style sheet or a script that stands beside the templates."""
    return files("irbounds.presentation").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def vega() -> str:
    """All that draws figures, as one script that gives the page ``vegaEmbed`` and no other name."""
    import vl_convert

    return f"{{{vl_convert.javascript_bundle('window.vegaEmbed = vegaEmbed;')}}}"


def script_markup(code: str) -> Markup:
    """Code that no parser of HTML can take for its own end."""
    return Markup(re.sub(r"<(?=/script|script|!--)", r"\\x3c", code, flags=re.IGNORECASE))


def json_for_script(text: str) -> Markup:
    """JSON that holds no markup; of names that no Unicode text can hold, the halves as escapes."""
    return Markup(
        re.sub("[<>&\ud800-\udfff\u2028\u2029]", lambda found: f"\\u{ord(found[0]):04x}", text)
    )


def policy(scripts: Iterable[str], style: str) -> str:
    """The content security policy of a page with these scripts and this style sheet."""
    allowed = " ".join(_fingerprint(script) for script in scripts)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {allowed}",
            f"style-src {_fingerprint(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def _fingerprint(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
    return f"'sha256-{digest}'"
