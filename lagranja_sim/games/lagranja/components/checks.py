"""What a whole set of components must fulfil: every number once, abilities that fit their moment, a market with a place for every barrow.

Each check yields what is wrong. It judges lines that could be read; a line that could not has been reported already.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lagranja_sim.games.lagranja.components.effects import Effect
from lagranja_sim.games.lagranja.components.rulebook import Rules
from lagranja_sim.games.lagranja.components.start_spaces import NO_SPACE, start_spaces
from lagranja_sim.games.lagranja.components.tables import Building, Card, Roof, Space, Table, Tables
from lagranja_sim.games.lagranja.components.variants import Resolved
from lagranja_sim.games.lagranja.rules import state
from lagranja_sim.games.lagranja.rules.names import BUILDINGS, PASSIVES, WHENS
from lagranja_sim.kit.problems import no_such
from lagranja_sim.spelling import listing, near

ROOF_MOMENTS = ("action", "before_die", "on roof_bought")

Problems = Iterator[str]
Check = Callable[[Table[Any]], Problems]


# --- numbers and effects --------------------------------------------------------------------------------------------------------


def _numbers(table: Table[Any], column: str, count: int) -> Problems:
    """Every number from 1 to `count` exactly once, judged on the raw cells so that a line wrong elsewhere still counts."""
    wanted = f"expected every number from 1 to {count} once"
    lines: dict[str, int] = {}
    for line, cells in table.cells:
        number = cells.get(column, "").lstrip("0")
        if number and number in lines:
            yield table.problem(line, column, f"{number} stands in line {lines[number]} already; {wanted}")
        lines.setdefault(number, line)
    if missing := [number for number in range(1, count + 1) if str(number) not in lines]:
        yield f"{table.name}, {column}: {listing(missing, 'and')} missing; {wanted}"


def _not_passive(effect: Effect) -> Problems:
    if effect.is_passive:
        yield f"'{effect.text}' is passive; expected an effect that happens at once"


def _no_income(effect: Effect) -> Problems:
    """Income that gives income would never end."""
    if effect.has("income"):
        yield f"'{effect.text}' would lead back to itself; expected an effect without `income` in what income gives"


# --- cards ------------------------------------------------------------------------------------------------------------------------


def _passive_helper(card: Card) -> Iterator[tuple[str, str]]:
    """A passive helper is always in force: it has passives only, no cost and no uses."""
    effect = card.helper_effect
    if effect.alternatives and not effect.is_passive:
        passives = listing(PASSIVES)
        yield (
            "helper_effect",
            f"'{effect.text}' is not passive; expected signed passives, e.g. `piglets +1` ({passives}), or another moment",
        )
    if card.helper_cost.alternatives:
        yield "helper_cost", f"'{card.helper_cost.text}' does not fit; expected no cost: a passive helper is always in force"
    if card.helper_uses:
        yield "helper_uses", f"{card.helper_uses} does not fit; expected a blank: a passive helper is always in force"


def _active_helper(card: Card) -> Iterator[tuple[str, str]]:
    effect = card.helper_effect
    if effect.is_passive:
        yield "helper_effect", f"'{effect.text}' is passive; expected `passive` as helper_when, not '{card.helper_when}'"
    if not card.helper_when.kind and effect.alternatives:
        yield "helper_when", f"is empty; expected {listing(WHENS[1:-1])}, or on EVENT"
    if card.helper_when.event == "income":
        yield from (("helper_effect", text) for text in _no_income(effect))


def _card(card: Card) -> Iterator[tuple[str, str]]:
    yield from (_passive_helper if card.helper_when.kind == "passive" else _active_helper)(card)
    for check in (_not_passive, _no_income):
        yield from (("ext_income", text) for text in check(card.ext_income))


def _cards(cards: Table[Card]) -> Problems:
    yield from _numbers(cards, "card", state.CARDS)
    for line, card in cards:
        yield from (cards.problem(line, column, text) for column, text in _card(card))


# --- roofs ------------------------------------------------------------------------------------------------------------------------


def _roofs(roofs: Table[Roof]) -> Problems:
    yield from _numbers(roofs, "roof", state.ROOFS)
    for line, roof in roofs:
        if str(roof.when) not in ROOF_MOMENTS:
            yield roofs.problem(line, "when", no_such(str(roof.when), "moment of a roof", ROOF_MOMENTS))
        yield from (roofs.problem(line, "effect", text) for text in _not_passive(roof.effect))
    count = Counter(cells.get("round", "") for _, cells in roofs.cells)
    for number in range(1, state.ROUNDS + 1):
        if count[str(number)] != state.SEATS:
            yield f"{roofs.name}, round: {count[str(number)]} roofs for round {number}; expected exactly {state.SEATS} for each round"


# --- buildings ----------------------------------------------------------------------------------------------------------------------


def _buildings(buildings: Table[Building]) -> Problems:
    yield from _numbers(buildings, "number", len(BUILDINGS))
    lines: dict[str, int] = {}
    for line, building in buildings:
        if (name := building.building) in lines:
            yield buildings.problem(line, "building", f"'{name}' stands in line {lines[name]} already; expected each building once")
        lines.setdefault(building.building, line)
        yield from (buildings.problem(line, "immediate", text) for text in _not_passive(building.immediate))
        if building.permanent.when.event in ("income", "growth"):  # a variant may give the latter with the income
            yield from (buildings.problem(line, "permanent", text) for text in _no_income(building.permanent.effect))
    if buildings.complete and (missing := [name for name in BUILDINGS if name not in lines]):
        yield f"{buildings.name}, building: {listing(missing, 'and')} missing; expected each of the six buildings once"


# --- market -------------------------------------------------------------------------------------------------------------------------


def _hexes(spaces: Table[Space]) -> Problems:
    lines: dict[tuple[int, int], int] = {}
    for line, space in spaces:
        if (at := (space.q, space.r)) in lines:
            yield spaces.problem(line, "q", f"hex {at[0]},{at[1]} stands in line {lines[at]} already; expected each hex once")
        lines.setdefault(at, line)
    if len(spaces.rows) > state.MAX_SPACES:
        yield f"{spaces.name}: {len(spaces.rows)} spaces are too many; expected at most {state.MAX_SPACES}"


def _starts(spaces: Table[Space]) -> Problems:
    lines: dict[int, int] = {}
    for line, space in spaces:
        if space.start and space.value in lines:
            text = f"value {space.value} has its start space in line {lines[space.value]} already; expected one of each value at most"
            yield spaces.problem(line, "start", text)
        elif space.start:
            lines[space.value] = line


def _market(spaces: Table[Space]) -> Problems:
    yield from _hexes(spaces)
    yield from _starts(spaces)


def table_problems(tables: Tables) -> Problems:
    """What is wrong within each table."""
    checks: tuple[tuple[Table[Any], Check], ...] = (
        (tables.cards, _cards),
        (tables.roofs, _roofs),
        (tables.buildings, _buildings),
        (tables.market, _market),
    )
    for table, check in checks:
        yield from check(table) if table.readable else ()


# --- tables and rules ---------------------------------------------------------------------------------------------------------------


def _permanent_helpers(cards: Sequence[Card], resolved: Resolved) -> Problems:
    names = sorted({card.helper for card in cards})
    for name in resolved.rules.helpers.permanent:
        if name not in names:
            yield f"{resolved.where('helpers.permanent')}: '{name}' is no helper{near(name, names)}; expected names of the helper column"


def _closed_starts(spaces: Table[Space], rules: Rules) -> Problems:
    for line, space in spaces:
        closed = [n for n in rules.players if space.value in rules.begun_on(n) and not rules.is_open(space.min_players, n)]
        if space.start and closed:
            text = f"the start space of value {space.value} is closed with {listing(closed)} players; expected it to be open"
            yield spaces.problem(line, "min_players", text)


def _places_without_start(spaces: Table[Space], resolved: Resolved) -> Problems:
    """Everybody begins on a space of its own (S5)."""
    rows, rules = [space for _, space in spaces], resolved.rules
    lacking: dict[int, list[int]] = {}
    for players in rules.players:
        begun_on = zip(rules.begun_on(players), start_spaces(rows, rules, players), strict=True)
        for value in {value for value, space in begun_on if space == NO_SPACE}:
            lacking.setdefault(value, []).append(players)
    for value, numbers in sorted(lacking.items()):
        text = f"{rules.market.start} does not fit with {listing(numbers)} players; expected an open space of value {value} for each who"
        yield f"{resolved.where('market.start')}: {text} begins there, and there are too few"


def _barrows_without_space(tables: Tables, rules: Rules) -> Problems:
    """A barrow's marker needs an open space of its value (M1)."""
    open_values = {n: {space.value for _, space in tables.market if rules.is_open(space.min_players, n)} for n in rules.players}
    cells = dict(tables.cards.cells)
    for line, card in tables.cards:
        if lacking := [n for n, values in open_values.items() if card.market_value not in values]:
            values = listing(sorted(open_values[lacking[0]]))
            text = f"{card.market_value} has no open market space with {listing(lacking)} players; expected {values}"
            yield tables.cards.problem(line, "market_value" if cells[line].get("market_value") else "barrow_vp", text)


def joint_problems(tables: Tables, resolved: Resolved) -> Problems:
    """What is wrong between tables and rules, as far as complete tables let it be judged."""
    if tables.cards.complete:
        yield from _permanent_helpers([card for _, card in tables.cards], resolved)
    if tables.market.complete:
        yield from _closed_starts(tables.market, resolved.rules)
        yield from _places_without_start(tables.market, resolved)
        yield from _barrows_without_space(tables, resolved.rules)
