"""Results as HTML: whole pages, tables for notebooks, and the comparison of two pages."""
