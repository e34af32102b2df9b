"""What a measure is: its parameters, its names, and the operations on it.

A class of this package is a measure without its parameters; an object of the class has them. What
can be computed of a measure are its methods:

- ``score``: the value of each query of a judged run.
- ``image_form``: what the kernels need to compute it on images of the corpus.
- ``expected`` and ``variance``: mean and variance over all orders of the documents of a population.
- ``expected_over_ties``: the mean over all orders of documents with equal scores.

A class that lacks an operation leaves the method of ``Measure`` in place, which raises
``MeasureError``. ``registry.py`` lists the classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from ..errors import MeasureError
from .judged_runs import Floats, Ints, JudgedRun, TiedRun
from .populations import Numbers, Population

NO_CUTOFF = 2**62
#: what a kernel computes of a ranking, and what it divides the result by
ImageKind = Literal["discounted", "average precision", "reciprocal rank", "R-precision", "ERR"]
Base = Literal["constant", "relevant", "ideal"]


@dataclass(frozen=True, kw_only=True)
class Description:
    """The names of a measure, and properties that do not depend on its parameters."""

    #: the name up to the parameters, in ir_measures' spelling
    stem: str
    #: a few words for the list of measures; None for the title that ir_measures has
    text: str | None = None
    #: names that tools have for it, each with the same measure in our spelling; ``k`` is a number.
    #: Listed are names with one meaning whose tool computes the same values as irbounds, which
    #: tests/measurement/test_names.py checks
    trec_eval: Mapping[str, str] = field(default_factory=dict)
    ranx: Mapping[str, str] = field(default_factory=dict)
    #: other names in ir_measures' spelling, which score tables may have
    aliases: tuple[str, ...] = ()
    #: the lowest and the highest value; None where they are not known
    bounds: tuple[float, float] | None = (0.0, 1.0)
    #: without a cutoff it depends on every relevant document, however deep in the list
    is_of_whole_list: bool = False
    #: types of the parameters, only for a measure that ir_measures does not define
    own_parameters: Mapping[str, type] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ImageScale:
    """What the form of a measure on images may depend on besides its parameters."""

    #: the grade of each level of relevance, ascending
    grades: Ints
    max_grade: int
    #: the number of ranks that a ranking of an image may have
    n_ranks: int

    def lowest_level(self, rel: int) -> int:
        """Return the lowest level of grade ``rel`` or higher."""
        return int(np.searchsorted(self.grades, rel))


@dataclass(frozen=True, eq=False, kw_only=True)
class ImageForm:
    """A measure as the kernels compute it on images of the corpus."""

    kind: ImageKind
    #: the lowest level that is relevant
    lowest_level: int = 0
    cutoff: int = NO_CUTOFF
    base: Base = "constant"
    constant: float = 1.0
    #: the weight of each rank, for the kind "discounted"
    weights: Floats = field(default_factory=lambda: np.zeros(0))
    #: per level: the gain, or the probability of stopping for the kind "ERR"
    gains: Floats = field(default_factory=lambda: np.zeros(0))


@dataclass(frozen=True, kw_only=True)
class Measure:
    """A measure with its parameters."""

    description: ClassVar[Description]
    #: whether a provider of ir_measures computes it
    is_external: ClassVar[bool] = False
    #: whether ``score`` makes a table with a column per relevant document of the largest query
    scores_in_table: ClassVar[bool] = False

    #: with its parameters, in ir_measures' spelling
    name: str
    #: the last rank that counts; None without a cutoff
    cutoff: int | None = None

    @property
    def is_of_whole_list(self) -> bool:
        """Whether it depends on every relevant document, however deep in the list."""
        return self.cutoff is None and self.description.is_of_whole_list

    @property
    def reach(self) -> float:
        """The last rank that can count, infinite where there is none."""
        return float(self.cutoff or np.inf)

    @property
    def relevant_grade(self) -> int:
        """The lowest grade that is relevant."""
        return 1

    @property
    def gaining_grade(self) -> int:
        """The lowest grade that can raise the score."""
        return self.relevant_grade

    def score(self, run: JudgedRun) -> Floats:
        """Return the value of each query; 0 without relevant or without retrieved documents."""
        raise NotImplementedError

    def image_form(self, scale: ImageScale) -> ImageForm:
        """Return what the kernels need to compute the measure on images of the corpus."""
        raise self._error_of_missing("image_form")

    def expected(self, population: Population) -> Numbers:
        """Return the mean score over all orders of the documents, exactly.

        One number per query; a float if the population is that of one query.
        """
        self.check_chance()
        mean = self._expected(population)
        # rounding may leave the range from 0 to 1 by the last digit
        if np.ndim(mean):
            return np.clip(mean, 0.0, 1.0)
        return min(max(0.0, float(mean)), 1.0)

    def variance(self, population: Population) -> Numbers:
        """Return the variance over all orders of the documents; NaN where there is no formula."""
        self.check_chance()
        variance = self._variance(population)
        return variance if np.ndim(variance) else float(variance)

    def expected_over_ties(self, run: TiedRun) -> Floats:
        """Return the mean score over all orders of documents with equal scores, exactly.

        Documents that are not tied are computed as in ``score``, so that a run without ties gets
        the same bits. Documents without a judgment count as not relevant.
        """
        raise self._error_of_missing("expected_over_ties")

    def check_chance(self) -> None:
        """Raise ``MeasureError`` unless ``expected`` can be computed."""
        if not self.has_chance_level():
            raise self._error_of_missing("_expected")
        self._check_grades("in a random ranking")

    def check_images(self) -> None:
        """Raise ``MeasureError`` unless the measure can be computed on images of the corpus."""
        if not self.has_image_form():
            raise self._error_of_missing("image_form")
        self._check_grades("on images of the corpus")

    @classmethod
    def has_chance_level(cls) -> bool:
        """Return whether there is a formula for the mean over random rankings."""
        return cls._has("_expected")

    @classmethod
    def has_image_form(cls) -> bool:
        """Return whether images of the corpus can be scored."""
        return cls._has("image_form")

    @classmethod
    def has_expected_over_ties(cls) -> bool:
        """Return whether there is a formula for the mean over the orders of ties."""
        return cls._has("expected_over_ties")

    @classmethod
    def _has(cls, operation: str) -> bool:
        """Return whether the class implements an operation, given by the name of its method."""
        return getattr(cls, operation) is not getattr(Measure, operation)

    def _expected(self, population: Population) -> Numbers:
        raise NotImplementedError

    def _variance(self, population: Population) -> Numbers:
        return np.where(np.greater(population.n_relevant(), 0), np.nan, 0.0)

    def _check_grades(self, where: str) -> None:
        """Raise ``MeasureError`` if documents that are not relevant could gain something."""

    def _error_of_missing(self, operation: str) -> MeasureError:
        from .registry import MEASURES

        able = ", ".join(known.description.stem for known in MEASURES if known._has(operation))
        return MeasureError(
            f"{self.name} {_MISSING[operation]}: {able}, with their cutoffs and parameters"
        )


_MISSING = {
    "_expected": "has no formula for its chance level; these have one",
    "image_form": "cannot be computed on images of the corpus; these can",
    "expected_over_ties": "has no mean over the orders of ties; these have one",
}


@dataclass(frozen=True, kw_only=True)
class BinaryMeasure(Measure):
    """A measure for which documents are relevant, from a grade on, or not."""

    rel: int = 1

    @property
    def relevant_grade(self) -> int:
        """The lowest grade that is relevant."""
        return self.rel

    def _check_grades(self, where: str) -> None:
        if self.rel < 1:
            raise MeasureError(f"{self.name}: rel must be at least 1 {where}")


def ratio(above: float | Floats, below: float | Ints | Floats) -> Floats:
    """Return the quotient, 0 where the divisor is not above 0."""
    quotient: Floats = np.zeros(np.shape(above))
    np.divide(above, below, out=quotient, where=np.greater(below, 0))
    return quotient
