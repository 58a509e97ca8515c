"""How the numbers on the page were made: units, intervals, tests, definitions, sources."""

from __future__ import annotations

import polars as pl

from lagranja_sim.report.section import ReportData, Section, Table

TITLE = "Method"
QUESTION = "What exactly is behind a number on this page?"
ORDER = 1000
NEEDS: list[str] = []
MIN_GAMES = 1


def build(data: ReportData) -> Section:
    """Words and definitions only."""
    definitions = pl.DataFrame(DEFINITIONS, ["term", "definition"], orient="row")
    sources = pl.DataFrame(SOURCES, ["for", "source"], orient="row")
    tables = [Table("definitions", "Definitions", definitions), Table("sources", "Sources", sources)]
    return Section(TITLE, QUESTION, text=[*_unit(data), *METHOD], tables=tables)


def _unit(data: ReportData) -> list[str]:
    return [
        f"Unit: the block, one deal played {data.players} times with the policies rotated through the seats. Games of a block share deck, "
        "dice, roofs and blocked buildings, so "
        f"they are not independent of each other; blocks are. There are {data.blocks:,} of them, and that number, not the {data.games:,} "
        "games, sets the width of every interval."
    ]


METHOD = (
    "Intervals hold 95 % of the time each, not all at once. A mean over rows is the sum of all over the count of all; block b moves it by "
    "u_b = (S_b - m N_b) / N (S_b, N_b: its sum and "
    "count). Its variance is B / (B - 1) x sum of u_b squared, its interval m ± t(B - 1) x standard error. Where blocks have equally many "
    "rows this is Student's t of the block means. Differences "
    "and other contrasts add up the u_b of their parts, so what parts share cancels. Of more than 20,000 blocks some are put together, "
    "whole, which keeps the intervals valid.",
    "Tests of equality of several means are Wald's: F = d' V^-1 d x (B - q) / (q (B - 1)) for the q independent differences d with "
    "covariance V, referred to F(q, B - q) (Hotelling).",
    "Adjusted values come from least squares with an intercept for each block (seats of the same deal are compared with each other) and "
    "the covariance of blocks: V = A (sum of s_b s_b') A x B / (B - 1), "
    "A the inverse of X'X, s_b = X_b' e_b.",
    "Three words are kept apart. Raw: means of groups as they came out; groups differ in more than their name. Adjusted: like is compared "
    "with like as far as the columns named reach; "
    "still an association. Effect, or causal: what chance assigned (start position, blocked buildings), or what `lagranja value` and "
    "`lagranja compare` force.",
    "Where one table tests many things, p-values are also given adjusted by Benjamini and Hochberg: of all rows with an adjusted p below "
    "0.05 at most 5 % are expected to be false. "
    "A sentence about the strongest of several compares it with the wider interval that holds for all of them at once (Bonferroni). "
    "Strength is the distance from no difference in half-widths of "
    "the interval; below 1 a sentence says that it could not be decided.",
)
DEFINITIONS = (
    ("win share", "1 for a win; k who share first place have 1/k each"),
    ("points", "victory points at the end, all sources; silver left counts only for ties"),
    ("margin", "points of the winner less those of the second; 0 in a tie on points"),
    ("start position", "place in the first turn order, from 1; drawn at random"),
    (
        "place in the order",
        "of a round: that in which cards are played and dice are taken; transport uses the new order of the siesta track, which holds for "
        "the next round too",
    ),
    ("turn to pick", "1 to N for the first dice of N players, N + 1 to 2N for the second"),
    ("face", "of the die as rolled; roof effects may make it count as another"),
    ("on offer", "at least one die of the face was left at the seat's turn; from the faces rolled less those taken earlier"),
    (
        "value of a face",
        "slope of the face taken less the mean slope of what the same policy takes where the face is on offer and passed over",
    ),
    (
        "survival",
        "S(r): share of seats that have not completed a building by the end of round r; never completed counts as censored after the last "
        "round",
    ),
    ("first completer", "the seat that completed a building before any other in its game"),
    ("against table", "points less the mean of all seats of the same game"),
    ("policy allowed for", "against table, less the policy's mean of that over all its games"),
    ("blocked", "a building with an order marker at the start; it opens when others have been completed"),
    ("lead change", "after a round the seat ahead alone is another than the one ahead alone before"),
)
SOURCES = (
    ("ratio means of clusters", "Cochran, Sampling Techniques, 3rd ed. 1977, ch. 6 and 9"),
    ("covariance of clusters", "Liang and Zeger, Biometrika 73 (1986) 13-22; Cameron and Miller, J. Human Resources 50 (2015) 317-372"),
    ("test of equality", "Hotelling, Annals of Mathematical Statistics 2 (1931) 360-378"),
    ("difference of independent figures", "Newcombe, Statistics in Medicine 17 (1998) 873-890; Zou and Donner, ibid. 27 (2008) 1693-1702"),
    ("false discovery", "Benjamini and Hochberg, J. R. Statistical Society B 57 (1995) 289-300"),
    ("survival", "Kaplan and Meier, J. American Statistical Association 53 (1958) 457-481"),
    ("colours", "Okabe and Ito, Color Universal Design, jfly.uni-koeln.de/color"),
)
