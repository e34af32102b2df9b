"""All that is wrong with one input, or with several, said together."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import InputError, SeveralInputsError

SHOWN = 3  # problems named one by one before the rest are only counted


class Problems:
    """Collects what is wrong with an input, so that one error can name it all."""

    def __init__(self, source: str, unit: str = "line", hint: str = "") -> None:
        self.source = source
        self.unit = unit
        self.hint = hint
        self._shown: list[tuple[int, str]] = []
        self._total = 0

    def add(self, message: str, where: int | None = None) -> None:
        """Note one problem, on line (or record) ``where``."""
        if self.has_room:
            self._shown.append(
                (where or 0, f"{self.unit} {where}: {message}" if where else message)
            )
        self._total += 1

    def add_unnamed(self, count: int) -> None:
        """Count further problems of a kind whose first few were added by name."""
        self._total += count

    @property
    def has_room(self) -> bool:
        """Whether another problem would still be shown, rather than only counted."""
        return len(self._shown) < SHOWN

    def raise_if_any(self) -> None:
        """Raise one InputError that names the first few and counts the rest."""
        if not self._total:
            return
        left = self._total - len(self._shown)
        tail = f"; and {left:,} more" if left else ""
        named = "; ".join(message for _, message in sorted(self._shown))
        raise InputError(f"{self.source}: {named}{tail}", self.hint)


def raise_together(errors: Sequence[InputError], names: Sequence[str]) -> None:
    """Raise the errors of several files as one; ``names`` are those of the files that were read."""
    if len(errors) > 1:
        raise SeveralInputsError(errors, names)
    if errors:
        raise errors[0]
