"""Pages of the Python reference: one per public function or class, one per public module.

Signatures and docstrings are those of the running package, since a command's docstring is put
together from its options.
"""

from __future__ import annotations

import ast
import dataclasses
import doctest
import inspect
import re
from collections.abc import Iterator
from functools import cache, cached_property
from types import ModuleType
from typing import Any

import irbounds
import irbounds.results
from irbounds.cli.app import VERBS

PLACE = "reference/api"
COMMANDS = "Commands"
FUNCTIONS = "Functions on tables and counts"
CLASSES = "Classes"
MODULES = "Modules"
NO_PAGE = ("__version__",)
HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.MULTILINE)
#: sections whose items are a name and an indented text
NAMED = ("Parameters", "Attributes", "Other Parameters", "Raises", "Warns")
WIDTH = 88  # of a signature on one line
#: names that examples use besides the public ones
IMPORTS = {
    "irbounds": "import irbounds",
    "json": "import json",
    "np": "import numpy as np",
    "Path": "from pathlib import Path",
}
#: base classes whose methods are described once
SHARED = (irbounds.results.Result, irbounds.results.Results)


def names_by_heading() -> dict[str, list[str]]:
    """Return the public names by the headings of the index."""
    commands = {name.replace("-", "_") for name in VERBS}
    groups: dict[str, list[str]] = {name: [] for name in (COMMANDS, FUNCTIONS, CLASSES, MODULES)}
    for name in irbounds.__all__:
        value = getattr(irbounds, name)
        if name in NO_PAGE:
            continue
        if isinstance(value, ModuleType):
            groups[MODULES].append(name)
        elif isinstance(value, type):
            groups[CLASSES].append(name)
        else:
            groups[COMMANDS if name in commands else FUNCTIONS].append(name)
    return groups


def api_pages() -> dict[str, str]:
    """Return the text of every page by its place."""
    groups = names_by_heading()
    pages = {f"{PLACE}/index.md": _index(groups)}
    for heading, names in groups.items():
        for name in names:
            text = _module_page(name) if heading == MODULES else _name_page(name)
            pages[f"{PLACE}/{name}.md"] = text
    return pages


def api_navigation() -> list[Any]:
    """Return the entries of the navigation."""
    return [
        f"{PLACE}/index.md",
        *(
            {heading: [{name: f"{PLACE}/{name}.md"} for name in names]}
            for heading, names in names_by_heading().items()
        ),
    ]


@cache
def places() -> dict[str, str]:
    """Return where each public name is described: page and anchor by name and by full name."""
    known: dict[str, str] = {}
    groups = names_by_heading()
    for module in groups[MODULES]:
        for name in getattr(irbounds, module).__all__:
            known.setdefault(name, f"{module}.md#{name.lower()}")
            known[f"irbounds.{module}.{name}"] = f"{module}.md#{name.lower()}"
    for heading in (COMMANDS, FUNCTIONS, CLASSES):
        for name in groups[heading]:
            known[name] = known[f"irbounds.{name}"] = f"{name}.md"
    for module in groups[MODULES]:
        known[f"irbounds.{module}"] = f"{module}.md"
    return known


def _index(groups: dict[str, list[str]]) -> str:
    parts = [
        "# Python reference\n",
        "Every public name with its signature, made from the code. A command and its function have "
        "the same options ([Command line](../cli.md)). `help(irbounds.compare)` shows the same "
        "text.\n",
    ]
    for heading, names in groups.items():
        parts += [f"## {heading}\n", "| name | what it does |", "| --- | --- |"]
        parts += [f"| [`irbounds.{name}`]({name}.md) | {_summary(name)} |" for name in names]
        parts.append("")
    return "\n".join(parts)


def _summary(name: str) -> str:
    text = (inspect.getdoc(getattr(irbounds, name)) or "").partition("\n\n")[0]
    return " ".join(text.split()).replace("``", "`").replace("|", "\\|")


def _name_page(name: str) -> str:
    parts = _describe(getattr(irbounds, name), name, f"irbounds.{name}", level=1)
    return "\n".join(parts) + "\n"


def _module_page(name: str) -> str:
    """Return the page of a module: its names, those with a page of their own as links."""
    module = getattr(irbounds, name)
    parts = [f"# irbounds.{name}\n", *_markdown(inspect.getdoc(module) or "")]
    rest = []
    for public in module.__all__:
        value = getattr(module, public)
        if getattr(irbounds, public, None) is value:
            parts.append(f"- [`irbounds.{public}`]({public}.md)")
        elif not callable(value):
            rest += [f"\n## {public}\n", f"A {type(value).__name__}.\n"]
        else:
            rest += ["", *_describe(value, public, public, level=2)]
    return "\n".join([*parts, *rest]) + "\n"


def _describe(value: Any, name: str, title: str, level: int) -> list[str]:
    """Return heading, signature and description of a function or class."""
    anchor = f" {{#{name.lower()}}}" if level > 1 else ""
    lines = [f"{'#' * level} {title}{anchor}\n"]
    if isinstance(value, type):
        return [*lines, *_docstring(value), *_members(value, level + 1)]
    return [*lines, "```python", signature_text(name, value), "```\n", *_docstring(value)]


def signature_text(name: str, value: Any) -> str:
    """Return the signature of a function, one parameter per line where it is long."""
    try:
        signature = inspect.signature(value)
    except ValueError:
        return f"{name}(...)"
    parameters = [_parameter(p) for p in signature.parameters.values() if p.name != "self"]
    kinds = [p.kind for p in signature.parameters.values() if p.name != "self"]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        parameters.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    result = signature.return_annotation
    arrow = "" if result is inspect.Signature.empty else f" -> {_annotation(result)}"
    line = f"{name}({', '.join(parameters)}){arrow}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {word}," for word in parameters), f"){arrow}"])


def _parameter(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    text = stars.get(parameter.kind, "") + parameter.name
    has_type = parameter.annotation is not inspect.Parameter.empty
    if has_type:
        text += f": {_annotation(parameter.annotation)}"
    if parameter.default is not inspect.Parameter.empty:
        text += f"{' = ' if has_type else '='}{_default(parameter.default)}"
    return text


def _annotation(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    return re.sub(r"\b(?:irbounds|typing|collections\.abc|pathlib)\.(?:\w+\.)*", "", text)


def _default(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 40 and " at 0x" not in text else "..."


def _members(value: type, level: int) -> Iterator[str]:
    """Yield the fields, properties and methods of a class that are its own or our own."""
    if dataclasses.is_dataclass(value):
        fields = [field for field in dataclasses.fields(value) if not field.name.startswith("_")]
        if fields:
            yield from ("| field | type | |", "| --- | --- | --- |", *map(_field_row, fields), "")
    bases = [base for base in SHARED if issubclass(value, base) and value is not base]
    if bases:
        links = " and ".join(f"[`{b.__name__}`]({places()[b.__name__]})" for b in bases)
        yield f"Also has the methods of {links}.\n"
    shared = set().union(*(vars(base) for base in bases))
    members = _public_members(value)
    for name, member in sorted(members.items()):
        if name in shared and name not in vars(value):
            continue
        head = f"{'#' * level} {name} {{#{value.__name__.lower()}.{name.lower()}}}\n"
        if isinstance(member, property | cached_property):
            yield from (head, *_docstring(member))
        else:
            text = signature_text(name, getattr(value, name))
            yield from (head, "```python", text, "```\n", *_docstring(getattr(value, name)))


def _field_row(field: Any) -> str:
    """Return name and type of a field, and the note that tables show below its column."""
    text = _annotation(field.type)
    note = re.search(r"note='([^']*)'", text)
    kind = re.sub(r"^Annotated\[(.+?), \w+\(.*\)\]", r"\1", text).replace("|", "\\|")
    kind = {"Key": "str"}.get(kind, kind)
    return f"| `{field.name}` | `{kind}` | {note[1] if note else ''} |"


def _public_members(value: type) -> dict[str, Any]:
    """Return properties and methods with a docstring, also those of our base classes."""
    kinds = (property, cached_property, classmethod, staticmethod)
    members: dict[str, Any] = {}
    for base in reversed(value.__mro__):
        if not base.__module__.startswith("irbounds"):
            continue
        for name, member in vars(base).items():
            is_ours = inspect.isfunction(member) or isinstance(member, kinds)
            if is_ours and not name.startswith("_") and inspect.getdoc(member):
                members[name] = member
    return members


def _docstring(value: Any) -> list[str]:
    """Return a docstring as Markdown, its sections with their items."""
    text = inspect.getdoc(value) or ""
    parts = HEADING.split(text)
    lines = _markdown(parts[0])
    for heading, body in zip(parts[1::2], parts[2::2], strict=True):
        lines += [f"**{heading}**\n", *_section(heading, body)]
    return lines


def _section(heading: str, body: str) -> list[str]:
    if heading == "Examples":
        return _markdown("\n".join([*_imports(body), body.strip("\n")]))
    if heading not in (*NAMED, "Returns", "Yields"):
        return _markdown(body)
    lines: list[str] = []
    for item in re.split(r"\n(?=\S)", body.strip("\n")):
        name, _, text = item.partition("\n")
        lines += [_name_of(heading, name), ""]
        lines += [f"    {line}" if line else "" for line in _markdown(inspect.cleandoc(text))]
    return _define(lines)


def _imports(examples: str) -> list[str]:
    """Return the imports that examples need outside of their module, with prompts."""
    code = "".join(example.source for example in doctest.DocTestParser().get_examples(examples))
    nodes = [*ast.walk(ast.parse(code))]
    names = [node for node in nodes if isinstance(node, ast.Name)]
    imports = [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {alias.asname or alias.name for node in imports for alias in node.names}
    lines = map(_import_of, sorted(read - bound))
    return [f">>> {line}" for line in sorted(dict.fromkeys(filter(None, lines)))]


def _import_of(name: str) -> str:
    """Return the line that imports a public name or one of ``IMPORTS``; empty for other names."""
    if name in IMPORTS:
        return IMPORTS[name]
    modules = [key.rpartition(".")[0] for key in places() if key.endswith(f".{name}")]
    return f"from {min(modules, key=len)} import {name}" if modules else ""


def _define(lines: list[str]) -> list[str]:
    """Return items as a definition list: a name, then its text after a colon."""
    defined: list[str] = []
    is_first = False
    for line in lines:
        if line and not line.startswith("    "):
            is_first = True
        elif line and is_first:
            line, is_first = f":   {line[4:]}", False
            if defined and not defined[-1]:
                defined.pop()
        defined.append(line)
    return defined


def _name_of(heading: str, name: str) -> str:
    if heading in ("Parameters", "Other Parameters", "Attributes"):
        names, colon, kind = name.partition(" : ")
        return ", ".join(f"`{word}`" for word in names.split(", ")) + (
            f" ({kind})" if colon else ""
        )
    return _link_names(f"``{name}``") if re.fullmatch(r"[\w.]+", name) else _link_words(name)


def _link_words(text: str) -> str:
    return re.sub(
        r"\b\w+\b",
        lambda word: (
            f"[{word[0]}]({places()[word[0]]})"
            if word[0][0].isupper() and word[0] in places()
            else word[0]
        ),
        text,
    )


def _markdown(text: str) -> list[str]:
    """Return text as lines of Markdown: code in single quotes, examples as blocks."""
    lines: list[str] = []
    is_example = False
    for line in text.strip("\n").split("\n"):
        begins = line.startswith(">>> ")
        if begins and not is_example:
            lines += ["```pycon"]
        if is_example and not line:
            lines += ["```"]
        is_example = begins or (is_example and bool(line))
        lines.append(line if is_example else _link_names(line))
    if is_example:
        lines.append("```")
    return [*lines, ""]


def _link_names(line: str) -> str:
    """Return a line with code in single backquotes, public names as links."""

    def link(match: re.Match[str]) -> str:
        name = match[1]
        target = places().get(name) if name.startswith("irbounds.") or name[:1].isupper() else None
        return f"[`{name}`]({target})" if target else f"`{name}`"

    return re.sub(r"``(.+?)``", link, line)
