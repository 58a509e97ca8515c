"""Estimates as columns of a table: a figure and both ends of its interval, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from lagranja_sim.stats.blocks import Estimates


def names_of(name: str) -> list[str]:
    """The columns of a figure: `name`, `name, low`, `name, high`."""
    return [name, f"{name}, low", f"{name}, high"]


def columns(name: str) -> list[pl.Expr]:
    """These columns from a frame of estimates."""
    return [pl.col(field).alias(column) for field, column in zip(("mean", "low", "high"), names_of(name), strict=True)]


def formats(spec: str, *names: str) -> dict[str, str]:
    """How the columns of figures are written."""
    return dict.fromkeys((column for name in names for column in names_of(name)), spec)


def side_by_side(frames: Mapping[str, pl.DataFrame], by: Sequence[str]) -> pl.DataFrame:
    """Frames of estimates of the same groups as one table, each under its name."""
    first, *others = [frame.select(*by, *columns(name)) for name, frame in frames.items()]
    for other in others:
        first = first.join(other, on=list(by), how="left", maintain_order="left")
    return first


def beside(frames: Mapping[str, Estimates]) -> pl.DataFrame:
    """Estimates in arrays of one axis as one table, each under its name, without columns that say what the rows are."""
    return pl.concat([estimates.frame().select(columns(name)) for name, estimates in frames.items()], how="horizontal")
