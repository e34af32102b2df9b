"""Change the HTML of a page: what its buttons copy, where its lines break, and its figures."""

from __future__ import annotations

import html
import re

#: a block of code with prompts, and its lines
SESSION = re.compile(
    r'<div class="highlight">(<pre><span></span><code>(?P<lines>(?:(?!</code>).)*?'
    r'<span class="gp">.*?)</code></pre>)</div>',
    re.DOTALL,
)
PROMPT = re.compile(r'<span class="gp">[^<]*</span>')
TAG = re.compile(r"<[^>]+>")
INLINE_CODE = re.compile(r"<code>([^<]+)</code>")
OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
FIGURE = re.compile(r'<p>(<img [^>]*?src="([^"]+\.svg)"[^>]*>)</p>')


def copied_text(lines: str) -> str:
    """Return the input of a session, from its HTML: no prompts and no output."""
    kept: list[str] = []
    is_continued = False
    for line in lines.splitlines():
        if PROMPT.match(line) or is_continued:
            kept.append(html.unescape(TAG.sub("", PROMPT.sub("", line))))
            is_continued = kept[-1].endswith("\\")
    return "\n".join(kept)


def _with_copied_text(match: re.Match[str]) -> str:
    text = html.escape(copied_text(match["lines"])).replace("\n", "&#10;")
    return f'<div class="highlight" data-copy="{text}">{match[1]}</div>'


def _with_whole_options(match: re.Match[str]) -> str:
    options = OPTION.sub(lambda option: f'<span class="option">{option[0]}</span>', match[1])
    return f"<code>{options}</code>"


def improve_html(text: str) -> str:
    """Return the HTML of a page with copied input, unbroken options and links to its figures."""
    text = SESSION.sub(_with_copied_text, text)
    text = INLINE_CODE.sub(_with_whole_options, text)
    return FIGURE.sub(r'<p><a class="figure" href="\2">\1</a></p>', text)
