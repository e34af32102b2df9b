"""TREC text: pieces, line numbers and exact scores."""

from __future__ import annotations

import pytest

import irbounds
from irbounds.errors import InputError
from irbounds.reading import _kernels, trec


def test_line_numbers_beyond_four_billion(write, monkeypatch):
    """The first piece seems to have 2**32 lines; the lines of errors are still right."""
    split, n_calls = _kernels.split_fields, []

    def split_many(*arguments):
        n, n_lines, n_bad = split(*arguments)
        n_calls.append(n)
        return n, n_lines if len(n_calls) > 1 else 2**32, n_bad

    monkeypatch.setattr(trec, "PIECE", 8)
    monkeypatch.setattr(_kernels, "split_fields", split_many)
    with pytest.raises(InputError) as caught:
        irbounds.read_qrels(write("qrels", "q 0 a 1\nq 0 b 1\nq 0 c 1\nq 0 b 0\nq 0 a 0\n"))
    message = str(caught.value)
    assert f"line {2**32 + 3}: conflicting judgments of document 'b'" in message
    assert f"1 on line {2**32 + 1} and 0 here" in message
    assert (
        f"line {2**32 + 4}: conflicting judgments of document 'a' in query 'q': 1 on line 1"
        in message
    )
    with pytest.raises(InputError, match=f"line {2**32 + 1}: relevance 'x'"):
        n_calls.clear()
        irbounds.read_qrels(write("qrels", "q 0 a 1\nq 0 b x\n"))


@pytest.mark.parametrize("piece", [40, 1 << 20])
def test_errors_name_the_lines_of_the_file(write, monkeypatch, piece):
    """Independently of skipped lines and of the ends of pieces."""
    monkeypatch.setattr(trec, "PIECE", piece)
    text = "# a comment\n\nq 0 a 1\nq 0 b 1\n\n\nq 0 c 0\n# more\nq 0 b 2\nq 0 c 1\n"
    with pytest.raises(InputError) as caught:
        irbounds.read_qrels(write("qrels", text))
    message = str(caught.value)
    assert "line 9: conflicting judgments of document 'b'" in message
    assert "1 on line 4 and 2 here" in message
    assert "line 10: conflicting" in message
    assert "0 on line 7 and 1 here" in message


def test_lines_that_cross_pieces(write, monkeypatch):
    monkeypatch.setattr(trec, "PIECE", 7)
    qrels = "301 0 d1 2\n301 0 dé 0\n302 0 d1 0\n"
    nested = {"301": {"d1": 2, "dé": 0}, "302": {"d1": 0}}
    assert irbounds.read_qrels(write("q", qrels.rstrip("\n"))).to_dict() == nested
    run = "301\tQ0\td1\t1\t9.25\ttag\n302\tQ0\td2\t1\t5e-324\ttag\n"
    assert irbounds.read_run(write("r", run)).to_dict() == {
        "301": {"d1": 9.25},
        "302": {"d2": 5e-324},
    }
    with pytest.raises(InputError, match="line 4: 1 columns"):
        irbounds.read_qrels(write("q", qrels + "x"))


def test_scores_are_exact(write):
    values = [
        "20.979169090265216",
        "5e-324",
        "1.7976931348623157e308",
        "0.1",
        "123456789012345678901",
    ]
    text = "".join(f"1 Q0 d{k} 1 {v} t\n" for k, v in enumerate(values))
    scores = irbounds.read_run(write("r", text)).to_dict()["1"]
    assert scores == {f"d{k}": float(v) for k, v in enumerate(values)}
