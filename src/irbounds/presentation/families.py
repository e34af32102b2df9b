from .words import by_measure as by_measure
