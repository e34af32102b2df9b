"""Every error and warning that irbounds raises on purpose.

A message names the file and line, or the parameter, then the rule, then the value received, in one
line. The command line prints that line and exits with status 2.
"""

from __future__ import annotations

__all__ = [
    "CheckpointError",
    "DataError",
    "DegenerateSampleWarning",
    "ExecutionError",
    "FetchError",
    "InputError",
    "IrboundsError",
    "MeasureError",
    "ParameterError",
]


class IrboundsError(Exception):
    """Root of the tree: catch this to catch everything irbounds raises."""


class InputError(IrboundsError):
    """A file or a frame cannot be read as what it was said to be."""


class ParameterError(IrboundsError, ValueError):
    """An argument is outside its documented range."""


class MeasureError(ParameterError):
    """A measure is unknown, or cannot be computed here."""


class DataError(IrboundsError):
    """Inputs that are well formed each, but do not fit together."""


class FetchError(IrboundsError):
    """A data set could not be fetched or did not match its checksum."""


class ExecutionError(IrboundsError):
    """Work could not be done where it was to be done."""


class CheckpointError(IrboundsError):
    """A folder holds finished blocks of other work, or something else."""


class DegenerateSampleWarning(UserWarning):
    """A sample is too small or too even for the interval that was asked for."""
