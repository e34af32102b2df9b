"""From records to labelled arrays: measures, packed runs, the score table."""
