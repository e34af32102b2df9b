"""The files that the replications read, and where they come from.

A file is searched in the data directory, plain or compressed. A public file that is not there is
downloaded into the user's cache, and its SHA-256 is checked. The other files have to be got by
hand. Please cite the source of the data that you use; docs/how-to/data-sets.md lists the licences.
"""

from __future__ import annotations

from pathlib import Path

from irbounds.errors import InputError

COMPRESSIONS = ("", ".gz", ".bz2", ".xz", ".zst")
GITHUB = "https://raw.githubusercontent.com"
URBANO_2018 = "julian-urbano/sigir2018-simulation/7515622336f0c1f0bf0718fc3e3e228c24e6152b/data"
URBANO_2019 = "julian-urbano/sigir2019-statistical/dc9f891cfed783daf0d655316a7d69906010bfed/data"
CLEF_TAR = "CLEF-TAR/tar/dbc13d02bb3e2f8ebc90e62ff47f5eb591e5ca20/2017-TAR"
WATERLOO = f"{CLEF_TAR}/participant-runs/Waterloo"

#: files that can be downloaded: the path on GitHub, and the SHA-256
DOWNLOADS = {
    "scores/robust2004_ap.csv": (
        f"{URBANO_2018}/robust2004_ap.csv",
        "303105d5eede2769c1755d1d058b3833fc68257c50eaf052268b9459ed69ee2f",
    ),
    "scores/adhoc8_ap.csv": (
        f"{URBANO_2019}/adhoc8_ap.csv",
        "1462159b10ec9631b8cdce8a6a38f1563def528921b5fa5799b78490fea51d7e",
    ),
    "clef-tar2017/qrel_abs_test.txt": (
        f"{CLEF_TAR}/testing/qrels/qrel_abs_test.txt",
        "00ab98d18905ccb6b36daf2a6d275750953dcc94fdfe1e59a4223b5f807ab7e9",
    ),
    "clef-tar2017/waterloo-A-rank-normal.run": (
        f"{WATERLOO}/A-rank-normal.txt",
        "17f3b92cd6398e6c90aa39c402515a2d1f9f1c75b83869a7926eb5da4a6089c8",
    ),
    "clef-tar2017/waterloo-A-thresh-normal.run": (
        f"{WATERLOO}/A-thresh-normal.txt",
        "55819f295b66f850e75c08909d4687f4762cbfc745bb56cbeeca1b2d4cd812ab",
    ),
    "clef-tar2017/waterloo-B-thresh-normal.run": (
        f"{WATERLOO}/B-thresh-normal.txt",
        "49bbcb2ee0e151617701679c2e2f47c265ed088694087aa11510d5270f52b49e",
    ),
}


def find_file(data: Path, path: str) -> Path:
    """Return a file of the data directory, such as ``scores/robust2004_ap.csv``, or download it.

    The directory may also contain the file itself, without the subdirectory.

    Raises
    ------
    InputError
        When the file is not there and cannot be downloaded.
    """
    for place in (data / path, data / Path(path).name):
        for extension in COMPRESSIONS:
            file = place.with_name(place.name + extension)
            if file.is_file():
                return file
    missing = f"{data}: no {path} here, plain or compressed"
    if path not in DOWNLOADS:
        raise InputError(f"{missing}; docs/how-to/data-sets.md says how to get it")
    address, sha256 = DOWNLOADS[path]
    try:
        import pooch

        cache = Path(pooch.os_cache("irbounds")) / path
        return Path(
            pooch.retrieve(f"{GITHUB}/{address}", sha256, fname=cache.name, path=cache.parent)
        )
    except (ImportError, OSError, ValueError) as error:
        reason = type(error).__name__
        raise InputError(f"{missing}; {GITHUB}/{address} failed: {reason}") from error
