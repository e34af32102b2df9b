"""Check the spelling of the pages: British English by hunspell, and our own list of words.

``make spelling`` prints each unknown word with its file and line. Code, links, terms in backquotes
and generated pages are left out. ``site_build/words.txt`` has the words that the dictionary lacks:
those of the field and names; every one of them is used.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = Path(__file__).parent / "words.txt"
PLACES = ("*.md", "docs/**/*.md")
#: parts of Markdown that are not prose
NOT_PROSE = re.compile(
    r"^```.*?^```$|<!--.*?-->|`[^`\n]+`|\]\([^)\s]+\)|\{[^}\n]*\}|https?://\S+|<[^>\n]+>",
    re.MULTILINE | re.DOTALL,
)
WORD = re.compile(r"[A-Za-zÀ-ž]+(?:['\u2019][A-Za-z]+)*")


def list_words(text: str) -> list[tuple[int, str]]:
    """Return the words of prose with their lines; names with a capital inside are left out."""
    prose = NOT_PROSE.sub(lambda part: re.sub(r"[^\n]", " ", part[0]), text)
    return [
        (number, re.sub(r"['\u2019]s$", "", word[0]))
        for number, line in enumerate(prose.splitlines(), 1)
        for word in WORD.finditer(line)
        if _is_word(word[0], line[: word.start()][-1:], line[word.end() :][:1])
    ]


def _is_word(word: str, before: str, after: str) -> bool:
    """Return whether a word is one, not a part of an identifier or the name of a file."""
    has_capitals = word[1:] != word[1:].lower()
    is_part = before in ("_", ".", "@") or (after and after in "_0123456789@")
    return len(word) > 2 and not has_capitals and not is_part


def find_unknown(words: set[str], own: set[str]) -> set[str]:
    """Return the words that neither hunspell nor our list knows."""
    left = sorted(word for word in words if word not in own and word.lower() not in own)
    done = subprocess.run(
        ["hunspell", "-d", "en_GB", "-i", "utf-8", "-l"],
        input="\n".join(left),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return set(done.stdout.split())


def main() -> int:
    """Print the unknown words, and those of our list that no page uses."""
    if shutil.which("hunspell") is None:
        print(
            "spelling needs hunspell and its dictionary en_GB: apt install hunspell hunspell-en-gb"
        )
        return 2
    own = set(WORDS.read_text(encoding="utf-8").split())
    paths = sorted(path for place in PLACES for path in ROOT.glob(place))
    words = {path: list_words(path.read_text(encoding="utf-8")) for path in paths}
    used = {word for lines in words.values() for _, word in lines}
    unknown = find_unknown(used, own)
    for path, lines in words.items():
        for number, word in lines:
            if word in unknown:
                print(f"{path.relative_to(ROOT)}:{number}: {word}")
    unused = own - used - {word.lower() for word in used}
    for word in sorted(unused):
        print(f"{WORDS.relative_to(ROOT)}: {word} is not used")
    return int(bool(unknown or unused))


if __name__ == "__main__":
    sys.exit(main())
