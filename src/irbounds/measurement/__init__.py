"""The measures, one file per family, and the data types that they compute on.

To add a measure, write a class in a file of this package (``normalised_err.py`` is an example) and
add it to the list in ``registry.py``. Names, messages and the row of ``irbounds measures`` follow
from its ``Description``. Scores, images of the corpus, chance levels and means over ties follow
from the methods that it has. Tests of all measures take their cases from
``tests/measure_cases.py``.
"""
