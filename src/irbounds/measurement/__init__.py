"""The measures, one file per family, and the data types that they compute on."""
