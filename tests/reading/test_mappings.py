"""Dict of dict and JSON."""

from __future__ import annotations

import gzip
import json

import pytest

import irbounds
from irbounds.errors import InputError

QRELS = {"301": {"d1": 2, "dé": 0, "d3": 1}, "302": {"d1": 0, "d4": 1}}
RUN = {"301": {"dé": 9.25, "d1": 3.0, "d7": -1.5}, "302": {"d4": 1e-3, "d1": 5e-324}}


def assert_both_read(qrels_source, run_source, **options):
    assert irbounds.read_qrels(qrels_source).to_dict() == QRELS
    assert irbounds.read_run(run_source, **options).to_dict() == RUN


def test_json_and_json_lines(write):
    compressed = gzip.compress(json.dumps(RUN).encode())
    assert_both_read(write("q.json", json.dumps(QRELS, indent=2)), write("r.json.gz", compressed))
    lines = "".join(json.dumps({q: docs}) + "\n" for q, docs in RUN.items())
    records = "".join(
        json.dumps({"query_id": query, "doc_id": doc, "relevance": relevance}) + "\n"
        for query, docs in QRELS.items()
        for doc, relevance in docs.items()
    )
    assert_both_read(write("q.jsonl", records), write("r.jsonl", lines))


def test_repeated_keys_of_json_are_an_error(write):
    with pytest.raises(InputError, match="document 'a' is in query '1' twice"):
        irbounds.read_run(write("r.json", '{"1": {"a": 1.0, "a": 2.0}}'))
    with pytest.raises(InputError, match="document 'a' is in query '1' twice"):
        irbounds.read_run(write("r.jsonl", '{"1": {"a": 1.0}}\n{"1": {"a": 2.0}}'))
    with pytest.raises(InputError, match="record 2: the key '1' is in one object twice"):
        irbounds.read_run(write("r.json", '{"2": {"a": 1}} {"1": {"a": 1.0}, "1": {"b": 2.0}}'))
    with pytest.raises(InputError, match="record 1: the key '1' is in one object twice"):
        irbounds.read_qrels(write("q.json", '{"1": {"a": 1}, "2": {"a": 1}, "1": {"a": 1}}'))
    for extra in ('{"k": 1, "k": 2}', '[0, {"x": [{"k": 1, "k": 1}]}]', '{"x": {"k": 1, "k": 1}}'):
        record = f'{{"qid": "1", "docno": "a", "score": 1, "extra": {extra}}}'
        with pytest.raises(InputError, match="record 2: the key 'k' is in one object twice"):
            irbounds.read_run(write("r.jsonl", f'{{"qid": "1", "docno": "b", "score": 1}}{record}'))


def test_query_on_two_lines_of_json(write):
    run = irbounds.read_run(write("r.jsonl", '{"1": {"a": 1.0}}\n{"1": {"b": 2.0}}'))
    assert run.to_dict() == {"1": {"b": 2.0, "a": 1.0}}


@pytest.mark.parametrize(
    ("text", "message"),
    [("{", "not JSON"), ('{"1": 5}', "no column"), ('{"1": {}} [1]', "JSON objects are expected")],
)
def test_json_of_another_shape(write, text, message):
    with pytest.raises(InputError, match=message):
        irbounds.read_run(write("r.json", text))


@pytest.mark.parametrize(
    ("nested", "message"),
    [
        ({"1": {"a": [2]}}, "record 1: score \\[2\\] is not a number"),
        ({"1": {"a": True}}, "record 1: score True is not a number"),
        ({"1": {"a": 10**400}}, "is infinite"),
        ({"1": {"\ud800": 1}}, "is not valid Unicode"),
        ({"1": {"": 1}}, "document id '' is neither"),
        ({"1": 5}, "query '1' must map document ids to numbers; got int"),
        ({1: {"a": 1}, "1": {"b": 2}}, "the keys 1, '1' are the id of the same query"),
    ],
)
def test_invalid_dicts(nested, message):
    with pytest.raises(InputError, match=message):
        irbounds.read_run(nested)


def test_json_too_deep_or_with_too_many_digits(write):
    with pytest.raises(InputError, match="JSON that cannot be read"):
        irbounds.read_run(write("r.json", '{"a":' * 100_000))
    with pytest.raises(InputError, match="JSON that cannot be read"):
        irbounds.read_run(write("r.json", '{"1": {"a": ' + "9" * 6000 + "}}"))
