"""Building of the documentation: generated pages, code on pages, and the site."""
