"""The options that several verbs share, each declared once: one name, one meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from ..errors import ParameterError, quote_several, show_name
from ..validation import (
    Alternative,
    DuplicateRule,
    MeanMethod,
    OrderRule,
    QueryRule,
    TieRule,
    check_bounds,
    check_level,
    check_positive,
)
from .request import Option, read_integer

MAX_NAME = 1000  # characters of a file's name in a message


def writable(extensions: Sequence[str] = ()) -> Callable[[str, Any], Path]:
    """Return a check of a file to write: its extension and its directory."""

    def check(name: str, value: Any) -> Path:
        path = Path(value)
        if str(value) == "-":
            hint = "standard output is the default" if name == "output" else "give a file"
            raise ParameterError(f"{name} -: {hint}")
        if extensions and path.suffix.lower() not in extensions:
            text = show_name(str(path), MAX_NAME)
            raise ParameterError(f"{name} {text}: use an extension of {', '.join(extensions)}")
        check_place(name, path)
        return path

    return check


def check_place(name: str, path: Path) -> None:
    """Raise ``ParameterError`` if a path cannot be written, such as without its directory."""
    text = show_name(str(path), MAX_NAME)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass
    except OSError as error:  # a link to itself, a name that is too long
        raise ParameterError(f"{name} {text}: {error.strerror}") from None
    except ValueError:  # a zero byte, half of a pair of surrogates
        raise ParameterError(f"{name} {text}: no file can have this name") from None
    if not path.parent.is_dir():
        parent = show_name(str(path.parent), MAX_NAME)
        raise ParameterError(f"{name} {text}: there is no directory {parent}")
    if path.is_dir():
        raise ParameterError(f"{name} {text}: this is a directory; give a file")


DEFAULT_MEASURES = ("AP", "nDCG@10")

#: measures that a shell completes
COMMON_MEASURES = (
    *("AP", "nDCG@10", "nDCG", "P@5", "P@10", "R@100", "R@1000", "RR", "RR@10", "Rprec"),
    *("Success@1", "Success@5", "RBP(p=0.8)", "ERR@20", "nERR@20", "INSQ", "Bpref", "Judged@10"),
)

# ---- input ----


def _measures(name: str, value: Any) -> tuple[Any, ...]:
    from ..measurement.names import split_names

    parts = [split_names(name) if isinstance(name, str) else [name] for name in value]
    names = tuple(name for part in parts for name in part)
    if not names:  # commas only
        raise ParameterError(f"{name} must name a measure, as in AP; got {quote_several(value)}")
    return names


Qrels = Annotated[
    Any,
    Option(
        "Judgments: a file, or - for standard input.",
        "In Python also a frame, a dict of dicts or ``Qrels``.",
        metavar="QRELS",
        panel="Input",
        file="read",
        is_argument=True,
    ),
]
Runs = Annotated[
    Any,
    Option(
        "Runs: files, directories or patterns, or -.",
        "A directory means all runs in it. In Python also frames, dicts or ``Run`` objects, "
        "one or several; a mapping names them.",
        metavar="RUN",
        panel="Input",
        file="read",
        is_argument=True,
        is_repeated=True,
    ),
]
Dataset = Annotated[
    str | None,
    Option(
        "Judgments of ir_datasets, in place of QRELS.",
        "The id of a data set, such as beir/nfcorpus/test; all arguments are runs then. Needs "
        "irbounds[datasets]. ir_datasets keeps what it downloads in ~/.ir_datasets or in "
        "IR_DATASETS_HOME.",
        metavar="ID",
        panel="Input",
    ),
]
Measures = Annotated[
    Sequence[str] | str | None,
    Option(
        "Measures; irbounds measures lists them.",
        "Names of trec_eval and ranx are understood. With scores: the measures to "
        "take, or what a wide table holds.",
        metavar="NAME,...",
        panel="Input",
        short="-m",
        check=_measures,
        completions=lambda: COMMON_MEASURES,
        default="AP,nDCG@10",
    ),
]
Scores = Annotated[
    Any,
    Option(
        "Scores per query, in place of QRELS and RUN.",
        "A file without others is taken for scores too. NAME=FILE gives the "
        "measure of a wide table, or the one to take. In Python also a ``ScoreTable``, "
        "a frame, or a dict of systems to scores.",
        metavar="FILE",
        panel="Input",
        file="read",
        is_repeated=True,
    ),
]
Queries = Annotated[
    QueryRule,
    Option(
        "Queries: all, or those common to every system.",
        "all: every judged query, 0 where a run lacks it; in a table of scores a missing score is "
        "an error. common: only queries that every system has.",
        panel="Input",
    ),
]
Ties = Annotated[
    TieRule,
    Option(
        "Order of ties.",
        "trec: by id as trec_eval does; expected: the mean over all orders; worst and best: the "
        "extremes.",
        panel="Input",
    ),
]
Duplicates = Annotated[
    DuplicateRule,
    Option(
        "A document twice in a query: an error, or keep the first.",
        "first keeps the best-ranked entry.",
        panel="Advanced",
    ),
]
Order = Annotated[
    OrderRule, Option("Order a run by its scores or by its rank column.", panel="Advanced")
]
Float32 = Annotated[
    bool, Option("Round scores to single precision, as trec_eval 9 does.", panel="Advanced")
]
DEPTH = Option(
    "Documents per query in a run; the rest is left out.",
    metavar="K",
    panel="Advanced",
    minimum=1,
)
Depth = Annotated[int | None, DEPTH]
TaskSplit = Annotated[
    str | None,
    Option(
        "Split of MTEB to read.",
        "Needed for predictions of several splits. Results are averaged over all splits by "
        "default, as mteb does.",
        metavar="NAME",
        panel="Advanced",
    ),
]
CORPUS_SIZE = Option("Number of documents in the corpus.", metavar="D", panel="Input", minimum=1)
CorpusSize = Annotated[int | None, CORPUS_SIZE]
CorpusList = Annotated[
    Any,
    Option(
        "File of all document ids, in place of --corpus-size.",
        "One id per line. In Python also an iterable of ids.",
        metavar="FILE",
        panel="Input",
        file="read",
    ),
]
Baseline = Annotated[
    str | None,
    Option(
        "System that all others are compared with.",
        "By default all pairs are compared, or each system with the best one where a table has "
        "room for one comparison only.",
        metavar="NAME",
    ),
]
System = Annotated[
    str | None,
    Option("System whose results are shown.", metavar="NAME"),
]
N_DOCUMENTS = Option("Number of documents.", metavar="N", panel="Input", minimum=1)
N_RELEVANT = Option("Number of relevant documents.", metavar="R", panel="Input", minimum=0)
SEGMENT = "N SAMPLED RELEVANT"
ALL = "all"


def is_all(value: Any) -> bool:
    """Return whether a value is the word for a segment that was read in full."""
    return isinstance(value, str) and value.strip().lower() == ALL


def _segment(name: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the counts of a segment; ``all`` means that every document was sampled."""
    size, sampled, relevant = values
    counts = size, size if is_all(sampled) else sampled, relevant
    return tuple(read_integer(name, count) if isinstance(count, str) else count for count in counts)


RETRIEVED = Option(
    "Retrieved set: documents, sampled ones, relevant ones.",
    "The documents in it, those drawn from it at random, and the relevant ones among these. "
    "SAMPLED may be the word all: every document was read.",
    metavar=SEGMENT,
    panel="Input",
    check=_segment,
)
Retrieved = Annotated[tuple[Any, Any, Any] | None, RETRIEVED]
Unretrieved = Annotated[
    tuple[Any, Any, Any] | None,
    Option(
        "The same counts of the rest of the corpus.",
        metavar=SEGMENT,
        panel="Input",
        check=_segment,
    ),
]
RETRIEVED_IDS = Option(
    "Retrieved documents, one id per line.",
    metavar="FILE",
    panel="Input",
    file="read",
)
RETRIEVED_SAMPLE = Option("Documents assessed in the retrieved set.", minimum=1)

# ---- method ----


def _level(name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(check_level(name, level) for level in value)
    return check_level(name, value)


POSITIVE = check_positive


def _bounds(name: str, value: Any) -> Any:
    return check_bounds(value)


def _prior_variance(name: str, value: Any) -> Any:
    from ..intervals.variance_prior import parse_prior_variance

    return parse_prior_variance(name, value)


LEVEL = Option("Confidence level of intervals, a fraction.", metavar="X", check=_level, commas=True)
ConfidenceLevel = Annotated[float, LEVEL]
ALTERNATIVE = Option("Limits: two-sided, less (upper only), greater (lower only).")
AlternativeSide = Annotated[Alternative, ALTERNATIVE]
METHOD = Option(
    "Method.",
    "Several, where a verb takes them, are shown side by side.",
    metavar="NAME",
    commas=True,
)
Method = Annotated[
    Sequence[MeanMethod] | MeanMethod | None,
    replace(
        METHOD,
        more="By default moderated-wilson where the bounds of the measure are known, "
        "clopper-pearson for Success@k and P@1, else student-t. Several are shown side by "
        "side.",
    ),
]
Resamples = Annotated[
    int, Option("Random resamples, where a method draws.", metavar="N", minimum=1)
]
N_SYSTEMS = Option("Number of systems.", panel="Input", minimum=1)
N_QUERIES = Option("Number of queries.", metavar="N", minimum=2)
Draws = Annotated[int, Option("Random draws of monte-carlo.", metavar="N", minimum=1)]
Images = Annotated[
    int, Option("Number of corpus images, each a resample of all documents.", minimum=2)
]
SEED = Option(
    "Seed of random numbers.",
    "The same seed gives the same digits, on any number of threads.",
    minimum=0,
)
Seed = Annotated[int, SEED]
Bounds = Annotated[
    tuple[float, float] | None,
    Option(
        "Lowest and highest possible score of the measure.",
        "Known for the usual measures. Intervals of most methods stay between them.",
        metavar="LOW,HIGH",
        panel="Advanced",
        commas=True,
        check=_bounds,
    ),
]
PriorVariance = Annotated[
    Any,
    Option(
        "Prior variance for moderated methods: a number or scores.",
        "The variance of scores relative to m (1 - m), the largest variance of scores between 0 "
        "and 1 with the mean m: a number above 0 and at most 1, or a file of reference scores to "
        "take it from. By default that of the measure in public collections.",
        metavar="C|FILE",
        panel="Advanced",
        check=_prior_variance,
        default="of the measure",
    ),
]
Power = Annotated[
    float,
    Option("Chance of detecting a difference that exists.", metavar="P", check=_level),
]
POPULATION = Option("Documents to draw from at random.", panel="Input")
Prior = Annotated[
    Any,
    Option(
        "Prior: 0.5, uniform, most-conservative or ALPHA,BETA.",
        "For beta-binomial and monte-carlo.",
        metavar="PRIOR",
        default="0.5",
    ),
]

# ---- output ----

PerQuery = Annotated[bool, Option("Show every query in place of the means.", panel="Output")]


def check_corpus(corpus_size: int | None, corpus: Any) -> None:
    """Raise ``ParameterError`` where both the size and the list of the corpus are given."""
    if corpus_size is not None and corpus is not None:
        raise ParameterError(
            f"corpus takes the place of corpus_size; give one of them, not {corpus_size} too"
        )
