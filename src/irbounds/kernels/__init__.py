"""Compiled loops: arrays in, arrays out.

No strings, no checks, no generators, and no imports of ours; what calls a kernel has checked its
arguments already. Importing any module in here loads numba, so the rest of the package imports
them inside the functions that need them.
"""
