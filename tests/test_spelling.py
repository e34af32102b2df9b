"""The spell check of the pages: what counts as a word."""

from __future__ import annotations

import shutil

import pytest
from site_build.check_words import find_unknown, list_words

TEXT = """\
# A heading

Prose about `recal_l` and [recall](recal.md), trec_eval's P@10 and nDCG of irbounds.
<!-- recal -->

```text
recal
```

The colour's end
"""


def test_only_prose_is_checked():
    lines, words = zip(*list_words(TEXT), strict=True)
    assert words == (
        *("heading", "Prose", "about", "and", "recall", "and", "irbounds"),
        *("The", "colour", "end"),
    )
    assert lines[-1] == 10


@pytest.mark.skipif(shutil.which("hunspell") is None, reason="needs hunspell")
def test_unknown_words_are_found():
    assert find_unknown({"colour", "recal", "irbounds"}, {"irbounds"}) == {"recal"}
    assert find_unknown({"color"}, set()) == {"color"}
