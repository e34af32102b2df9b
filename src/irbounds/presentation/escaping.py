r"""Text that shows any name as it is: on terminals, in figures, Markdown, LaTeX and spreadsheets.

A run may be called ``<script>``, ``a|b``, ``100%_\`` or ``\x1b[2J``, which clears the screen of a
terminal, or contain the character that reverses the direction of writing. Such a name must not
control a terminal, break a line, a table or a figure, or be read as markup. Characters that cannot
be seen are written as Python escapes.

LaTeX as ``pdflatex`` reads it has few characters beyond ASCII. Accents and Greek are written as
commands, characters without a command by their code point, so that a table always compiles. CSV and
JSON are for programs and keep names unchanged.
"""

from __future__ import annotations

import re
import unicodedata

#: what joins letters and parts of emoji, and does no harm
JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
#: what every object of JavaScript has: Vega looks categories up in objects, and finds these there
PROPERTIES = frozenset(
    (
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf", "__proto__"),
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    )
)
APART = "\N{ZERO WIDTH SPACE}"


def make_printable(text: str) -> str:
    """Text for a terminal or a table: control characters, line ends and the like spelt out."""
    if text.isprintable():
        return text
    return "".join(c if _is_shown(c) else ascii(c)[1:-1] for c in text)


def make_drawable(text: str) -> str:
    """Text for a figure: the same, and a property of JavaScript has a mark that is not seen.

    Whatever is compared with names in a figure has to go through this, too.
    """
    return f"{text}{APART}" if text in PROPERTIES else make_printable(text)


def _is_shown(character: str) -> bool:
    return (
        character.isprintable()
        or character in JOINERS
        or unicodedata.category(character) == "Zs"  # other blanks than the usual one
    )


#: what begins a formula for a spreadsheet
FORMULA = tuple("=+-@\t\r")

MARKDOWN = re.compile(
    r"[\\|*`\[\]~$]"  # means something wherever it stands
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis; not so between letters
    r"|<(?=[A-Za-z/!?])"  # a tag; not so before a number
    r"|&(?=#?\w+;)"  # a character by its name
)
#: what no backslash makes plain; between two dollars GitHub sees a formula unless there are tags
MEANT = {"<": "&lt;", "&": "&amp;", "$": r"<span>\$</span>"}
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: rf"\{character}" for character in "&%$#_{}"},
    **{character: f"${character}$" for character in "<>|"},
    # after the end of a row these would be read as its options
    **{character: f"{{{character}}}" for character in "[]*"},
    '"': "''{}",
    "\N{ZERO WIDTH SPACE}": "{}",
    "\N{PLUS-MINUS SIGN}": r"$\pm$",
    "\N{MULTIPLICATION SIGN}": r"$\times$",
    "\N{LESS-THAN OR EQUAL TO}": r"$\le$",
    "\N{GREATER-THAN OR EQUAL TO}": r"$\ge$",
    "\N{ALMOST EQUAL TO}": r"$\approx$",
    "\N{RIGHTWARDS ARROW}": r"$\to$",
    "\N{UPWARDS ARROW}": r"$\uparrow$",
    "\N{DOWNWARDS ARROW}": r"$\downarrow$",
    "\N{INFINITY}": r"$\infty$",
    "\N{MINUS SIGN}": "$-$",
    "\N{MIDDLE DOT}": r"$\cdot$",
    "\N{EN DASH}": r"\textendash{}",
    "\N{EM DASH}": r"\textemdash{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\dots{}",
    "\N{LEFT SINGLE QUOTATION MARK}": "`{}",
    "\N{RIGHT SINGLE QUOTATION MARK}": "'{}",
    "\N{LEFT DOUBLE QUOTATION MARK}": "``{}",
    "\N{RIGHT DOUBLE QUOTATION MARK}": "''{}",
    "\N{NO-BREAK SPACE}": "~",
    "\N{SECTION SIGN}": r"\S{}",
    "\N{GREEK SMALL LETTER FINAL SIGMA}": r"$\varsigma$",
    **{"ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "ø": r"\o{}", "Ø": r"\O{}"},
    **{"œ": r"\oe{}", "Œ": r"\OE{}", "ł": r"\l{}", "Ł": r"\L{}"},
}
#: two characters that LaTeX would join to a dash or a quotation mark: the first of them
LIGATURES = re.compile(r"([-'`])(?=\1)|[!?](?=`)")
#: marks that a letter is taken apart into, and the commands that put them on again
ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u"},
    **{"\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"},
}
GREEK = re.compile(
    "GREEK (SMALL|CAPITAL) LETTER (ALPHA|BETA|GAMMA|DELTA|EPSILON|ZETA|ETA|THETA|IOTA|KAPPA|LAMDA|"
    "MU|NU|XI|OMICRON|PI|RHO|SIGMA|TAU|UPSILON|PHI|CHI|PSI|OMEGA)"
)
#: capitals that look like Latin ones, for which LaTeX has no command
LATIN_CAPITALS = {
    **{"ALPHA": "A", "BETA": "B", "EPSILON": "E", "ZETA": "Z", "ETA": "H", "IOTA": "I"},
    **{"KAPPA": "K", "MU": "M", "NU": "N", "OMICRON": "O", "RHO": "P", "TAU": "T", "CHI": "X"},
}
#: small letters that LaTeX calls otherwise than Unicode
SMALL = {"LAMDA": "lambda", "OMICRON": "o"}


def escape_markdown(text: str) -> str:
    """A cell or a title of a Markdown table."""
    one_line = make_printable(" ".join(text.splitlines()))
    return MARKDOWN.sub(lambda found: MEANT.get(found[0], f"\\{found[0]}"), one_line)


def escape_latex(text: str) -> str:
    """A cell or a caption of a LaTeX table."""
    apart = LIGATURES.sub("\\g<0>\N{ZERO WIDTH SPACE}", unicodedata.normalize("NFC", text))
    return "".join(map(_latex_character, apart))


def escape_latex_number(text: str) -> str:
    """The same of a number, which has a minus where a name has a hyphen."""
    if re.match(r"-[\d.]", text):
        return f"$-${escape_latex(text[1:])}"
    return escape_latex(text)


def _latex_character(character: str) -> str:
    if character in LATEX:
        return LATEX[character]
    if character.isascii():
        return character if character.isprintable() else " "
    return _greek(character) or _accented(character) or rf"\texttt{{U+{ord(character):04X}}}"


def _greek(character: str) -> str:
    found = GREEK.fullmatch(unicodedata.name(character, ""))
    if found is None:
        return ""
    size, letter = found.groups()
    if size == "SMALL":
        known = SMALL.get(letter, letter.lower())
        return f"${known}$" if known == "o" else rf"$\{known}$"
    if letter in LATIN_CAPITALS:
        return rf"$\mathrm{{{LATIN_CAPITALS[letter]}}}$"
    return rf"$\{SMALL.get(letter, letter.lower()).capitalize()}$"


def _accented(character: str) -> str:
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) != 1 or marks[0] not in ACCENTS or not (letter.isascii() and letter.isalpha()):
        return ""
    return rf"\{ACCENTS[marks[0]]}{{{letter}}}"


def escape_formula(text: str) -> str:
    """Return text as a spreadsheet shows it; what it would run as a formula gets an apostrophe.

    A number stays a number, and a dash alone (no value) a dash.
    """
    if not text.startswith(FORMULA) or text == "-" or _is_number(text):
        return text
    return f"'{text}"


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True
