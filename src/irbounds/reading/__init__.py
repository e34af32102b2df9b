"""From files and frames to records: the first stage."""
