"""``irbounds recall --check``: compute the numbers of a record of the recall calculator again."""

from __future__ import annotations

from pathlib import Path

from ..errors import ParameterError
from ..presentation.escaping import make_printable
from ..requests.request import join
from .app import Job, options_of_command

#: options that may be given besides the record
OWN_OPTIONS = ("check_", "quiet", "verbose")


def check_record_file(job: Job, path: Path, *, is_quiet: bool) -> int:
    """Print how a record differs from what is computed now, and return the exit status."""
    from ..reports.recall_record import check_file

    others = [
        declared.typed
        for declared in options_of_command(job.verb)
        if declared.name in job.values and declared.name not in OWN_OPTIONS
    ]
    if others:
        raise ParameterError(f"--check takes everything from the record; got {join(others)} too")
    result = check_file(path)
    if not is_quiet:
        for line in result.lines():
            print(make_printable(line))
    return result.status
