"""What was played, how to repeat it, and how far its components can be trusted."""

from __future__ import annotations

import polars as pl

from lagranja_sim.report.section import ReportData, Section, Table
from lagranja_sim.wording import counted

TITLE = "What was run"
QUESTION = "Which games are these, how are they repeated, and which of their components were found in no document?"
ORDER = 10
NEEDS: list[str] = []
MIN_GAMES = 1


def build(data: ReportData) -> Section:
    """Tables of facts; there is nothing to estimate."""
    tables = [_facts(data), _policies(data), _versions(data)]
    caveats = []
    try:
        tables.insert(1, _sources(data))
        caveats = _caveats(data)
    except ValueError as error:  # the file of a variant or of components is gone
        caveats.append(f"The components of the run could not be loaded, so their sources are not listed: {error}")
    return Section(TITLE, QUESTION, tables=tables, text=_text(data), caveats=caveats)


def _text(data: ReportData) -> list[str]:
    runs = ", ".join(f"`{run.manifest.get('command') or 'unknown'}`" for run in data.runs)
    again = " and ".join(f"`lagranja run {run.folder.url} --out AGAIN`" for run in data.runs)
    block = f"{data.players} games" if data.players > 1 else "one game"
    return [
        f"{data.games:,} games of {counted(data.players, 'player')} in {data.blocks:,} blocks: a block is one deal (deck, dice, roofs, blocked "
        "buildings), "
        f"played in {block} so that each policy has each seat once. The block is the unit of every interval on this page.",
        f"Played by {runs}. {again} plays the same games again, with the resolved experiment in the run's manifest.",
    ]


def _facts(data: ReportData) -> Table:
    experiment, manifest = data.experiment, data.manifest
    hashes = manifest.get("hashes", {})
    rows = {
        "experiment": experiment["name"],
        "games": f"{data.games:,}",
        "variant": data.variant,
        "changes on top": _listed(experiment.get("overrides") or {}),
        "seed": ", ".join(str(run.experiment["seed"]) for run in data.runs),
        "tables kept": ", ".join(data.tables),
        "hash of the rules": hashes.get("rules", "unknown"),
        "hash of the components": hashes.get("components", "unknown"),
        "played": ", ".join(run.manifest["time"]["started"] for run in data.runs),
        "wall time": f"{sum(run.manifest['time']['wall_seconds'] for run in data.runs):,.1f} s",
        "processor": manifest.get("machine", {}).get("processor", "unknown"),
    }
    return _pairs("facts", "The run", rows)


def _listed(values: dict[str, object]) -> str:
    return ", ".join(f"{key} = {value}" for key, value in values.items()) or "none"


def _pairs(name: str, caption: str, rows: dict[str, str]) -> Table:
    return Table(name, caption, pl.DataFrame({"what": list(rows), "value": [str(value) for value in rows.values()]}))


def _sources(data: ReportData) -> Table:
    counts = data.components.sources()
    frame = pl.DataFrame(
        {
            "part": [count.part for count in counts],
            "documented": [count.documented for count in counts],
            "partly": [count.partly for count in counts],
            "reconstructed": [count.reconstructed for count in counts],
            "share reconstructed": [count.reconstructed / max(1, sum(count[1:])) for count in counts],
            "what rests on it": [data.rules.measures.rests_on.get(count.part, "") for count in counts],
        }
    )
    caption = "Where the component data come from: values by part; reconstructed ones were found in no document and fill gaps plausibly"
    return Table("sources", caption, frame, {"share reconstructed": ".0%"})


def _policies(data: ReportData) -> Table:
    about, hashes = data.manifest.get("policies", {}), data.manifest.get("hashes", {}).get("policies", {})
    rows = [(name, str(facts.get("about", "")), _listed(facts.get("weights", {})), hashes.get(name, "")) for name, facts in about.items()]
    return Table("policies", "Who played", pl.DataFrame(rows, ["policy", "about", "weights", "hash"], orient="row"))


def _versions(data: ReportData) -> Table:
    return _pairs("versions", "Versions", data.manifest.get("versions", {}))


def _caveats(data: ReportData) -> list[str]:
    share = data.manifest.get("components", {}).get("reconstructed_share", data.components.reconstructed_share())
    caveats = [
        f"{share:.0%} of all component values are reconstructed. What depends on single cards, roofs or market spaces says more about "
        "these data "
        "than about the printed game; what depends on the rules and on the structure of the boards is on firmer ground."
    ]
    if data.components.hash != data.manifest.get("hashes", {}).get("components"):
        caveats.append(
            "The components have changed since the run was played: names and sources are the present ones, the games were played with the "
            "former ones."
        )
    return caveats
