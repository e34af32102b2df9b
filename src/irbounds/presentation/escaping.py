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

#: characters that join others, as in emoji, and are harmless
JOINERS = frozenset("\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}")
#: properties of every JavaScript object: Vega looks categories up in objects and would find these
PROPERTIES = frozenset(
    (
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"),
        *("toLocaleString", "toString", "valueOf", "__proto__"),
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__"),
    )
)
MARK = "\N{ZERO WIDTH SPACE}"  # makes a name different from a property


def make_printable(text: str) -> str:
    """Return text for a terminal or a table: control characters and line ends are escaped."""
    if text.isprintable():
        return text
    return "".join(c if _is_visible(c) else ascii(c)[1:-1] for c in text)


def make_drawable(text: str) -> str:
    """Return text for a figure: printable, and a JavaScript property gets an invisible mark.

    Everything that is compared with names in a figure must pass through this function too.
    """
    return f"{text}{MARK}" if text in PROPERTIES else make_printable(text)


def _is_visible(character: str) -> bool:
    return (
        character.isprintable()
        or character in JOINERS
        or unicodedata.category(character) == "Zs"  # other kinds of space
    )


#: characters that begin a formula in a spreadsheet
FORMULA = tuple("=+-@\t\r")

MARKDOWN = re.compile(
    r"[\\|*`\[\]~$]"  # markup at any position
    r"|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])"  # emphasis, except between letters
    r"|<(?=[A-Za-z/!?])"  # a tag, except before a number
    r"|&(?=#?\w+;)"  # a character by its name
)
#: characters that no backslash escapes; GitHub reads a formula between two dollars without tags
ENTITIES = {"<": "&lt;", "&": "&amp;", "$": r"<span>\$</span>"}
LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: rf"\{character}" for character in "&%$#_{}"},
    **{character: f"${character}$" for character in "<>|"},
    # after the end of a row LaTeX reads these as its options
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
#: the first of two characters that LaTeX would join to a dash or a quotation mark
LIGATURES = re.compile(r"([-'`])(?=\1)|[!?](?=`)")
#: combining accents, and the LaTeX commands that write them
ACCENTS = {
    **{"\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u"},
    **{"\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0327": "c"},
}
GREEK = re.compile(
    "GREEK (SMALL|CAPITAL) LETTER (ALPHA|BETA|GAMMA|DELTA|EPSILON|ZETA|ETA|THETA|IOTA|KAPPA|LAMDA|"
    "MU|NU|XI|OMICRON|PI|RHO|SIGMA|TAU|UPSILON|PHI|CHI|PSI|OMEGA)"
)
#: capitals without a LaTeX command, which look like Latin ones
LATIN_CAPITALS = {
    **{"ALPHA": "A", "BETA": "B", "EPSILON": "E", "ZETA": "Z", "ETA": "H", "IOTA": "I"},
    **{"KAPPA": "K", "MU": "M", "NU": "N", "OMICRON": "O", "RHO": "P", "TAU": "T", "CHI": "X"},
}
#: small letters with other names in LaTeX than in Unicode
SMALL = {"LAMDA": "lambda", "OMICRON": "o"}


def escape_markdown(text: str) -> str:
    """Return text as a cell or a title of a Markdown table."""
    one_line = make_printable(" ".join(text.splitlines()))
    return MARKDOWN.sub(lambda match: ENTITIES.get(match[0], f"\\{match[0]}"), one_line)


def escape_latex(text: str) -> str:
    """Return text as a cell or a caption of a LaTeX table."""
    apart = LIGATURES.sub("\\g<0>\N{ZERO WIDTH SPACE}", unicodedata.normalize("NFC", text))
    return "".join(map(_latex_character, apart))


def escape_latex_number(text: str) -> str:
    """Return a number as a cell of a LaTeX table, with a minus instead of a hyphen."""
    if re.match(r"-[\d.]", text):
        return f"$-${escape_latex(text[1:])}"
    return escape_latex(text)


def _latex_character(character: str) -> str:
    if character in LATEX:
        return LATEX[character]
    if character.isascii():
        return character if character.isprintable() else " "
    return (
        _write_greek(character) or _write_accent(character) or rf"\texttt{{U+{ord(character):04X}}}"
    )


def _write_greek(character: str) -> str:
    match = GREEK.fullmatch(unicodedata.name(character, ""))
    if match is None:
        return ""
    size, letter = match.groups()
    if size == "SMALL":
        known = SMALL.get(letter, letter.lower())
        return f"${known}$" if known == "o" else rf"$\{known}$"
    if letter in LATIN_CAPITALS:
        return rf"$\mathrm{{{LATIN_CAPITALS[letter]}}}$"
    return rf"$\{SMALL.get(letter, letter.lower()).capitalize()}$"


def _write_accent(character: str) -> str:
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) != 1 or marks[0] not in ACCENTS or not (letter.isascii() and letter.isalpha()):
        return ""
    return rf"\{ACCENTS[marks[0]]}{{{letter}}}"


def escape_formula(text: str) -> str:
    """Return text for a spreadsheet, with an apostrophe where it would be run as a formula.

    A number stays a number, and a single dash (no value) a dash.
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
