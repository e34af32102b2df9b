"""The source tree: where modules and their tests are, and the words of names and texts."""

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "irbounds"
MODULES = sorted(SOURCE.rglob("*.py"))
#: directories of tests that concern no single module
CROSS_CUTTING = {"browser", "examples", "faults", "fuzz", "reference", "validity"}
ARCHITECTURE = (ROOT / "docs" / "design" / "architecture.md").read_text()

#: words that have a plainer or more exact one, in texts and names
UNWANTED_WORDS = re.compile(
    r"\b(folders?|whole numbers?|cautions?|wish(es)?|loud(ness)?|promises?|promised)\b",
    re.IGNORECASE,
)
#: names of variables that do not tell what they hold
UNWANTED_VARIABLES = {"found", "said", "told", "given", "shown", "asked", "one"}


def texts_of(path):
    """Yield line and text of comments and strings, and of names that are assigned or defined."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        middle = getattr(tokenize, "FSTRING_MIDDLE", None)
        if token.type in (tokenize.COMMENT, tokenize.STRING, tokenize.NAME, middle):
            yield token.start[0], token.string.replace("_", " ")


def variables_of(path):
    """Yield line and name of what is assigned, looped over or taken as an argument."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg


#: first words of a docstring that names something instead of saying what a function does
NO_VERB = re.compile(r"(What|How|Whether|Of|Which|Where|Who|If|As|The|An?|Each|Every|All|No)\b")


def docstrings_without_verb(path):
    """Yield line and first line of docstrings of functions, except those of properties."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            is_property = any("property" in ast.unparse(name) for name in node.decorator_list)
            docstring = ast.get_docstring(node) or ""
            if NO_VERB.match(docstring) and not is_property:
                yield node.lineno, docstring.splitlines()[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_plain_words(path):
    words = [
        f"{path}:{line}: {match[0]}"
        for line, text in texts_of(path)
        for match in UNWANTED_WORDS.finditer(text)
    ]
    variables = [
        f"{path}:{line}: {name}"
        for line, name in variables_of(path)
        if name.strip("_") in UNWANTED_VARIABLES or re.match("_?(MOST|LEAST)_", name)
    ]
    docstrings = [f"{path}:{line}: {text}" for line, text in docstrings_without_verb(path)]
    assert not words + variables + docstrings


def test_unwanted_words_are_seen(tmp_path):
    path = tmp_path / "module.py"
    path.write_text(
        'found = "a folder"  # no whole number\n'
        "for one in MOST_FILES: pass\n"
        'def f():\n    """What it returns."""\n'
    )
    words = [match[0] for _, text in texts_of(path) for match in UNWANTED_WORDS.finditer(text)]
    assert words == ["folder", "whole number"]
    assert {name for _, name in variables_of(path)} == {"found", "one"}
    assert list(docstrings_without_verb(path)) == [(3, "What it returns.")]


def test_tests_are_at_the_path_of_their_module():
    """``tests/a/test_b.py`` and ``test_b_and_more.py`` are about ``src/irbounds/a/b.py``."""
    misplaced = []
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        directory = path.parent.relative_to(ROOT / "tests")
        if not directory.parts or directory.parts[0] in CROSS_CUTTING:
            continue
        name = path.stem.removeprefix("test_")
        modules = [module.stem.strip("_") for module in (SOURCE / directory).glob("*.py")]
        if not any(name == module or name.startswith(f"{module}_") for module in modules):
            misplaced.append(str(path.relative_to(ROOT)))
    assert not misplaced


def test_no_file_name_occurs_often():
    names = Counter(
        path.name for path in MODULES if path.name not in ("__init__.py", "_kernels.py")
    )
    assert not [name for name, count in names.items() if count > 2]


def test_architecture_names_every_package_and_only_files_that_exist():
    packages = [path.parent.name for path in SOURCE.glob("*/__init__.py")]
    assert not [package for package in packages if f"`{package}" not in ARCHITECTURE]
    paths = re.findall(r"`((?:tests/)?[a-z_]+/[a-z_/]*(?:\.py)?)`", ARCHITECTURE)
    assert len(paths) > 20
    assert not [
        path for path in paths if not (ROOT / path).exists() and not (SOURCE / path).exists()
    ]
