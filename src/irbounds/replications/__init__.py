"""Replications of five papers: their experiments, tables, figures and commands.

Nothing outside of this package imports it. The command line looks for ``COMMANDS`` by the name of
the package, and works without it where the directory is absent.
"""

#: commands by name, each with its module below ``irbounds`` and its function
COMMANDS = {
    f"study {paper}": f"replications.commands:{paper}"
    for paper in ("park2010", "park2011", "webber2013", "bestgen2015", "zobel2020")
}
