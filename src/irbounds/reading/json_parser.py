"""A parser of one large JSON object, which reads nested objects piece by piece."""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import InputError, quote
from .sources import WHITE_SPACE, Source

PIECE = 1 << 20
MAX_STRING = 1 << 20  # characters of text that may be the unfinished part of a string


class JsonParser:
    """A JSON object of nested objects, read piece by piece and never kept as text."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._place = 0
        self._n_lines = 1  # the line on which the text begins
        self._is_complete = False
        self._last = (0, 0)  # the place of the last value in the text

    def keys(self, where: str) -> Iterator[str]:
        """Yield the keys of an object; the value of each has to be read before the next key."""
        if self._next() != "{":
            raise InputError(f"{where}: an object is expected; got {self._describe_next()}")
        self._place += 1
        if self._next() == "}":
            self._place += 1
            return
        while True:
            if self._next() != '"':
                raise self._make_error("a key in quotes is expected", self._place)
            key: str = self.value()
            self._skip(":")
            yield key
            if self._next() == "}":
                self._place += 1
                return
            self._skip(",")

    def items(self, where: str) -> tuple[Sequence[str], Sequence[Any]]:
        """Return the keys of an object and their values, repeated keys too."""
        if self._next() != "{":
            raise InputError(f"{where}: an object is expected; got {self._describe_next()}")
        by_key = self.value()
        begin, end = self._last
        # a key has a colon, so as many colons as keys in the dict mean that no key is repeated
        if self._text.count(":", begin, end) == len(by_key):
            return list(by_key), list(by_key.values())
        pairs = json.JSONDecoder(object_pairs_hook=list).raw_decode(self._text, begin)[0]
        return [key for key, _ in pairs], [value for _, value in pairs]

    def value(self) -> Any:
        """Return a value that has an end of its own: a string or an object."""
        self._next()
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                # text that ends too early may go on in the next piece
                if self._is_complete or len(self._text) - error.pos > MAX_STRING:
                    raise self._make_error(error.msg, error.pos) from None
            except (RecursionError, ValueError) as error:  # nested too deep; 5,000 digits
                raise InputError(
                    f"{self._source.name}: JSON that cannot be read: {error}"
                ) from None
            else:
                self._last = self._place, end
                self._place = end
                return value
            self._read_more()

    def finish(self) -> None:
        """Raise ``InputError`` if anything follows the object; read the file to its end."""
        if self._next():
            raise self._make_error("text behind the object", self._place)

    def _next(self) -> str:
        """Return the next character that is not white space, without consuming it."""
        while True:
            while self._place < len(self._text):
                if self._text[self._place] not in WHITE_SPACE:
                    return self._text[self._place]
                self._place += 1
            if self._is_complete:
                return ""
            self._read_more()

    def _skip(self, character: str) -> None:
        if self._next() != character:
            raise self._make_error(f"{character!r} is expected", self._place)
        self._place += 1

    def _read_more(self) -> None:
        """Read the next piece; what has been parsed is dropped."""
        self._n_lines += self._text.count("\n", 0, self._place)
        rest = self._text[self._place :]
        piece = self._source.read(max(PIECE, len(rest)))
        self._is_complete = not piece
        try:
            more = self._decode(piece, final=self._is_complete)
        except UnicodeDecodeError as error:
            byte = error.object[error.start]
            raise InputError(f"{self._source.name}: not UTF-8 (byte 0x{byte:02x})") from None
        self._text, self._place = rest + more, 0

    def _make_error(self, message: str, place: int) -> InputError:
        line = self._n_lines + self._text.count("\n", 0, place)
        return InputError(f"{self._source.name}: line {line}: not JSON: {message}")

    def _describe_next(self) -> str:
        first = self._next()
        return {"[": "a list", '"': "a text", "": "the end of the file"}.get(first, quote(first))
