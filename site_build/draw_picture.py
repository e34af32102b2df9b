"""Draw the README's picture: what ``irbounds demo`` shows on a terminal, as SVG.

The command is run for real, in a terminal of its own; nothing is typed in by hand.
"""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).parents[1] / "docs" / "images" / "demo.svg"
COLUMNS = 92


def capture_terminal_output(directory: str, *command: str) -> str:
    """Return the terminal output of a command; its files are written to the directory."""
    primary, secondary = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=secondary,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=directory,
    )
    os.close(secondary)
    pieces = []
    while True:
        try:
            piece = os.read(primary, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    process.wait()
    return b"".join(pieces).decode().replace("\r\n", "\n")


def draw() -> None:
    """Write the picture without the web fonts that rich links to."""
    console = Console(record=True, width=COLUMNS, file=StringIO())
    console.print("[bold green]$[/bold green] irbounds demo")
    with tempfile.TemporaryDirectory() as directory:
        seen = capture_terminal_output(directory, sys.executable, "-m", "irbounds", "demo")
    console.print(Text.from_ansi(seen))
    drawn = console.export_svg(title="irbounds")
    TARGET.parent.mkdir(exist_ok=True)
    drawn = re.sub(r"@font-face\s*\{.*?\}\s*", "", drawn, flags=re.DOTALL)
    TARGET.write_text(drawn.replace("Fira Code, monospace", "monospace"))


if __name__ == "__main__":
    draw()
