"""The registry of data sets: contents, authors, licences and addresses of files.

Every address has a commit, so that its bytes cannot change, and every file has the SHA-256 of these
bytes. Data sets that must not be fetched automatically are listed too, with empty addresses and
instructions to get them by hand.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..errors import ParameterError

RAW_BASE = "https://raw.githubusercontent.com"


@dataclass(frozen=True)
class DataFile:
    """One file: its path in the data directory, address, checksum and size.

    ``url``, ``sha256`` and ``size`` (bytes) are those of the plain, uncompressed original. They are
    empty for a file that a person has to get by hand.
    """

    path: str
    url: str = ""
    sha256: str = ""
    size: int = 0

    @property
    def name(self) -> str:
        """The last part of ``path``."""
        return PurePosixPath(self.path).name


@dataclass(frozen=True)
class DataSet:
    """A named collection of files with its licence and the work to cite."""

    name: str
    title: str
    files: tuple[DataFile, ...]
    licence: str
    citation: str
    homepage: str
    by_hand: str = ""  # instructions to get the files; empty if irbounds can fetch them

    @property
    def fetchable(self) -> bool:
        """Whether irbounds may download the files itself."""
        return not self.by_hand

    @property
    def size(self) -> int:
        """The bytes of all files, uncompressed; 0 if they have to be got by hand."""
        return sum(file.size for file in self.files)

    @property
    def directory(self) -> str:
        """The directory of the files, under the data directory."""
        return str(PurePosixPath(self.files[0].path).parent)

    @property
    def notice(self) -> str:
        """The title, homepage, licence and citation, shown before the first download."""
        return (
            f"{self.name}: {self.title}\n"
            f"  from:    {self.homepage}\n"
            f"  licence: {self.licence}\n"
            f"  cite:    {self.citation}"
        )


def find_dataset(name: str) -> DataSet:
    """Return the data set of a name.

    Parameters
    ----------
    name
        A key of ``DATASETS``.

    Returns
    -------
    DataSet
        Its files, licence and citation.

    Raises
    ------
    ParameterError
        When there is none; the message lists the names and suggests the nearest.

    Examples
    --------
    >>> find_dataset("robust2004").licence
    'CC BY-SA 4.0'
    """
    if name in DATASETS:
        return DATASETS[name]
    raise ParameterError(f"unknown data set {_list_expected(DATASETS, name)}")


def find_file(dataset: DataSet, file: str) -> DataFile:
    """Return the file of ``dataset`` with this name, or with this path under the data directory."""
    for known in dataset.files:
        if file in (known.name, known.path):
            return known
    names = [known.name for known in dataset.files]
    raise ParameterError(f"{dataset.name}: unknown file {_list_expected(names, file)}")


def _list_expected(names: Iterable[str], received: str) -> str:
    names = list(names)
    # a low cutoff, since a poor suggestion is better than none
    nearest = difflib.get_close_matches(received.lower(), names, n=1, cutoff=0.4)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return f"{received!r}: expected one of {', '.join(names)}{hint}"


_SIGIR2018 = (
    f"{RAW_BASE}/julian-urbano/sigir2018-simulation/7515622336f0c1f0bf0718fc3e3e228c24e6152b/data"
)
_SIGIR2019 = (
    f"{RAW_BASE}/julian-urbano/sigir2019-statistical/dc9f891cfed783daf0d655316a7d69906010bfed/data"
)
_CLEF_TAR = f"{RAW_BASE}/CLEF-TAR/tar/dbc13d02bb3e2f8ebc90e62ff47f5eb591e5ca20/2017-TAR"
# The upstream names follow from those of the local copies: waterloo-A-rank-normal.run here is
# A-rank-normal.txt there.
_WATERLOO = f"{_CLEF_TAR}/participant-runs/Waterloo"

_URBANO_2018 = (
    "J. Urbano and T. Nagler, Stochastic Simulation of Test Collections: Evaluation Scores, "
    "SIGIR 2018"
)
_URBANO_2019 = (
    "J. Urbano, H. Lima and A. Hanjalic, Statistical Significance Testing in Information "
    "Retrieval: An Empirical Analysis of Type I, Type II and Type III Errors, SIGIR 2019"
)
# The scores are anonymised and published with the permission of the organisers of TREC.
_SCORES_LICENCE = "CC BY-SA 4.0"

_ROBUST2004 = DataSet(
    name="robust2004",
    title="TREC 2004 Robust: AP and P@10 of 110 anonymised systems on 249 topics",
    files=(
        DataFile(
            "scores/robust2004_ap.csv",
            f"{_SIGIR2018}/robust2004_ap.csv",
            "303105d5eede2769c1755d1d058b3833fc68257c50eaf052268b9459ed69ee2f",
            188_908,
        ),
        DataFile(
            "scores/robust2004_p10.csv",
            f"{_SIGIR2018}/robust2004_p10.csv",
            "c6a45467462a7508cc57991c3c40e258ea98ab3f5ccac0b32fb4b9aae99a61e7",
            102_186,
        ),
    ),
    licence=_SCORES_LICENCE,
    citation=_URBANO_2018,
    homepage="https://github.com/julian-urbano/sigir2018-simulation",
)

_ADHOC3 = DataSet(
    name="adhoc3",
    title="TREC-3 ad hoc: AP of 40 anonymised systems on 50 topics",
    # No checksum: a table that a person exports need not agree byte for byte.
    files=(DataFile("scores/adhoc3_ap.csv"),),
    licence="MIT",
    citation=(
        "J. Urbano, M. Marrero and D. Martin, On the Measurement of Test Collection Reliability, "
        "SIGIR 2013"
    ),
    homepage="https://github.com/julian-urbano/gt4ireval",
    by_hand=(
        "it cannot be fetched automatically, because its source is a file of R: load "
        "data/adhoc3.rda of the repository julian-urbano/gt4ireval on GitHub in R and write it "
        "with write.csv(adhoc3, 'adhoc3_ap.csv', row.names = FALSE)"
    ),
)

_ADHOC6 = DataSet(
    name="adhoc6",
    title="TREC-6 ad hoc: AP of 74 anonymised systems on 50 topics",
    files=(
        DataFile(
            "scores/adhoc6_ap.csv",
            f"{_SIGIR2019}/adhoc6_ap.csv",
            "f36f78a6d247f938d951af12ec43ddcffb7dedb0f805d167accd69d3c1b55659",
            24_773,
        ),
    ),
    licence=_SCORES_LICENCE,
    citation=_URBANO_2019,
    homepage="https://github.com/julian-urbano/sigir2019-statistical",
)

_ADHOC8 = DataSet(
    name="adhoc8",
    title="TREC-8 ad hoc: AP, P@10 and RR of 129 anonymised systems on 50 topics",
    files=(
        DataFile(
            "scores/adhoc8_ap.csv",
            f"{_SIGIR2019}/adhoc8_ap.csv",
            "1462159b10ec9631b8cdce8a6a38f1563def528921b5fa5799b78490fea51d7e",
            44_297,
        ),
        DataFile(
            "scores/adhoc8_p10.csv",
            f"{_SIGIR2019}/adhoc8_p10.csv",
            "ada066e56f5c06cf3cab3915d7854b1df67a38d0229d183120fe9d15dd3e14e6",
            23_594,
        ),
        DataFile(
            "scores/adhoc8_rr.csv",
            f"{_SIGIR2019}/adhoc8_rr.csv",
            "8e28b9de69d77360642a400a5377141a009ec35198a3dabbab8c3cd1335c9860",
            24_639,
        ),
    ),
    licence=_SCORES_LICENCE,
    citation=_URBANO_2019,
    homepage="https://github.com/julian-urbano/sigir2019-statistical",
)

_WEB2012 = DataSet(
    name="web2012",
    title="TREC 2012 Web: nDCG@20 of 48 anonymised systems on 50 topics",
    files=(
        DataFile(
            "scores/web2012_ndcg20.csv",
            f"{_SIGIR2018}/web2012_ndcg20.csv",
            "deac36cb8baadb6e2555989ee710f5bc29e2b694bf89d2019c9500308349d4a0",
            16_864,
        ),
    ),
    licence=_SCORES_LICENCE,
    citation=_URBANO_2018,
    homepage="https://github.com/julian-urbano/sigir2018-simulation",
)

_CLEF_TAR2017 = DataSet(
    name="clef-tar2017",
    title="CLEF TAR 2017: 30 review topics, all 117,562 documents judged, 3 Waterloo runs",
    files=(
        DataFile(
            "clef-tar2017/qrel_abs_test.txt",
            f"{_CLEF_TAR}/testing/qrels/qrel_abs_test.txt",
            "00ab98d18905ccb6b36daf2a6d275750953dcc94fdfe1e59a4223b5f807ab7e9",
            3_879_546,
        ),
        DataFile(
            "clef-tar2017/waterloo-A-rank-normal.run",
            f"{_WATERLOO}/A-rank-normal.txt",
            "17f3b92cd6398e6c90aa39c402515a2d1f9f1c75b83869a7926eb5da4a6089c8",
            4_030_996,
        ),
        DataFile(
            "clef-tar2017/waterloo-A-thresh-normal.run",
            f"{_WATERLOO}/A-thresh-normal.txt",
            "55819f295b66f850e75c08909d4687f4762cbfc745bb56cbeeca1b2d4cd812ab",
            2_995_658,
        ),
        DataFile(
            "clef-tar2017/waterloo-B-thresh-normal.run",
            f"{_WATERLOO}/B-thresh-normal.txt",
            "49bbcb2ee0e151617701679c2e2f47c265ed088694087aa11510d5270f52b49e",
            2_060_619,
        ),
    ),
    licence="MIT",
    citation=(
        "E. Kanoulas, D. Li, L. Azzopardi and R. Spijker, CLEF 2017 Technologically Assisted "
        "Reviews in Empirical Medicine Overview, CLEF 2017 Working Notes"
    ),
    homepage="https://github.com/CLEF-TAR/tar",
)

_ROBUST03_RUNS = (
    *("InexpC2", "MU03rob01", "NLPR03vb10", "SABIR03BASE", "Sel50", "THUIRr0301", "UAmsT03RDesc"),
    *("UIUC03Rd1", "aplrob03a", "fub03IeOLKe3", "humR03dc", "oce03noXbmD", "pircRBa1", "uic0301"),
)

_ROBUST03 = DataSet(
    name="robust03",
    title="TREC 2003 Robust: 14 submitted runs and the judgments of 100 topics",
    # No checksums: a person may hold the same runs from elsewhere, with other line ends.
    files=(
        DataFile("robust03/qrels.txt"),
        *(DataFile(f"robust03/{run}.run") for run in _ROBUST03_RUNS),
    ),
    licence="the runs belong to the TREC participants; do not redistribute",
    citation="E. M. Voorhees, Overview of the TREC 2003 Robust Retrieval Track, TREC 2003",
    homepage="https://github.com/joaopalotti/trectools",
    by_hand=(
        "it cannot be fetched automatically, because the runs belong to the TREC participants and "
        "may not be redistributed: find the runs and judgments in the example directory of the "
        "repository joaopalotti/trectools on GitHub"
    ),
)

_LEGAL09 = DataSet(
    name="legal09",
    title="TREC 2009 Legal Track, Interactive Task: the strata of 7 topics, published estimates",
    # No checksums: typed from a paper, these files need not agree byte for byte.
    files=(
        DataFile("legal09/legal09_strata.csv"),
        DataFile("legal09/legal09_published.csv"),
        DataFile("legal09/legal09_yield.csv"),
    ),
    licence="numbers from a publication (facts); cite the paper",
    citation=(
        "B. Hedin, S. Tomlinson, J. R. Baron and D. W. Oard, Overview of the TREC 2009 Legal "
        "Track, TREC 2009"
    ),
    homepage="https://trec.nist.gov/data/legal09.html",
    by_hand=(
        "it cannot be fetched automatically, because its numbers are printed in a paper: type "
        "them from the track overview (Hedin et al. 2009), the strata from Appendix A, Tables "
        "15-21, the published estimates and intervals from Tables 5 and 6"
    ),
)

DATASETS: dict[str, DataSet] = {
    dataset.name: dataset
    for dataset in (
        *(_ROBUST2004, _ADHOC3, _ADHOC6, _ADHOC8, _WEB2012),
        *(_CLEF_TAR2017, _ROBUST03, _LEGAL09),
    )
}
