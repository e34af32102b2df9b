"""Options of ``irbounds plan recall``."""

from __future__ import annotations

from typing import Annotated

import typer

from .options import Alternative

GUESS = "{}: a number, a range as in {}, or values with weights as in {}."
#: a range and values with weights, as each option would have them
EXAMPLE_GUESSES = {
    "--yield": ("2000..8000", "2000:1,8000:3"),
    "--prevalence": ("0.01..0.05", "0.01:1,0.05:3"),
    "--recall": ("0.3..0.8", "0.5:1,0.8:2"),
}
Count = int | None
Share = float | None

Population = Annotated[int, typer.Option(metavar="N", help="Documents in the corpus.")]
RetrievedSize = Annotated[int, typer.Option(metavar="N", help="Documents in the retrieved set.")]
YieldGuess = Annotated[
    str | None,
    typer.Option(
        "--yield",
        metavar="GUESS",
        help=GUESS.format("Relevant documents", *EXAMPLE_GUESSES["--yield"]),
    ),
]
PrevalenceGuess = Annotated[
    str | None,
    typer.Option(
        metavar="GUESS",
        help=GUESS.format("In place of --yield, their share", *EXAMPLE_GUESSES["--prevalence"]),
    ),
]
RecallGuess = Annotated[
    str | None,
    typer.Option(
        metavar="GUESS",
        help=GUESS.format("The share of them that is retrieved", *EXAMPLE_GUESSES["--recall"]),
    ),
]
Budget = Annotated[
    Count, typer.Option(metavar="N", help="Assessments in total; the best split is found.")
]
Split = Annotated[
    Share,
    typer.Option(metavar="SHARE", help="A given share of them for the retrieved set."),
]
RetrievedSample = Annotated[
    Count, typer.Option(metavar="N", help="In place of a budget: assessments in the set.")
]
UnretrievedSample = Annotated[
    Count, typer.Option(metavar="N", help="In place of a budget: assessments outside of it.")
]
Width = Annotated[
    Share, typer.Option(metavar="W", help="Find the smallest budget for this expected width.")
]
RecallAtLeast = Annotated[
    Share,
    typer.Option(
        metavar="X",
        help="Find the smallest budget with which the interval's lower end reaches this; with "
        "a budget, say how likely that is.",
    ),
]
Assurance = Annotated[
    Share,
    typer.Option(metavar="P", help="The chance of reaching --recall-at-least. Default: 0.8."),
]
Budgets = Annotated[
    str | None,
    typer.Option(metavar="N,N...", help="Instead of a plan: what these budgets promise."),
]
PilotRetrieved = Annotated[
    tuple[int, int] | None,
    typer.Option(
        metavar="N R",
        help="A pilot in place of guesses: assessed and relevant in the retrieved set. Its "
        "assessments count towards the budget.",
    ),
]
PilotUnretrieved = Annotated[
    tuple[int, int] | None,
    typer.Option(metavar="N R", help="The same outside of the retrieved set."),
]
PilotShare = Annotated[
    Share,
    typer.Option(metavar="SHARE", help="What would a pilot of this share of the budget gain?"),
]
PlanMethod = Annotated[
    str,
    typer.Option(metavar="NAME", help="beta-binomial, normal, laplace or agresti-coull."),
]
PlanPrior = Annotated[
    str | None,
    typer.Option(
        metavar="PRIOR",
        help="Of beta-binomial: 0.5 (default), uniform, most-conservative or ALPHA,BETA.",
    ),
]
PlanAlternative = Annotated[
    Alternative | None,
    typer.Option(
        help="Two-sided, or one-sided: less bounds from above, greater from below. Default: "
        "two-sided, or greater with --recall-at-least."
    ),
]
PlanCapAtOne = Annotated[
    bool,
    typer.Option(
        "--cap-at-one/--no-cap-at-one",
        help="Raise the upper end to 1 where the unretrieved sample holds nothing relevant.",
    ),
]
