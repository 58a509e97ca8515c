"""The abilities of helpers, roofs and permanent buildings: where each comes from, what it waits for, and whether it may act (A4, H1).

A source is a helper slot, or FROM_BUILDING plus a building, or FROM_ROOF plus a roof space.
"""

from enum import IntEnum

from lagranja_sim.compile import inlined, kernel
from lagranja_sim.games.lagranja.rules.names import Event, Phase, Reason, When
from lagranja_sim.games.lagranja.rules.paying import is_payable
from lagranja_sim.games.lagranja.rules.state import REF_BUILDING, REF_ROOF


class GreengrocerStep(IntEnum):
    """When permanent buildings with an effect on growth act (F6)."""

    GROWTH = 0
    INCOME = 1


FROM_BUILDING, FROM_ROOF = 10, 20


@kernel
def answers(ability, event, argument):
    """Whether an ability waits for this event, with this face or side."""
    if ability.when != When.ON or ability.event != event:
        return False
    return (event != Event.REVENUE and event != Event.CARD_PLAYED) or (ability.argument >> argument) & 1 == 1


@kernel
def building_answers(game, box, seat, building, event, argument):
    """The same for a permanent building; a growth effect taken before growth does not come again (F6)."""
    if not (game.players[seat].permanent >> building) & 1:
        return False
    ability = box.craft_buildings[building].permanent
    if ability.when == When.ON and ability.event == Event.GROWTH and box.farm.greengrocer_step == GreengrocerStep.INCOME:
        return event == Event.INCOME
    if event == Event.GROWTH and (game.growth_taken >> building) & 1:
        return False
    return answers(ability, event, argument)


@kernel
def source_ability(game, box, seat, source):
    """The ability behind an answer."""
    player = game.players[seat]
    if source >= FROM_ROOF:
        return box.roofs[player.roofs[source - FROM_ROOF]]
    if source >= FROM_BUILDING:
        return box.craft_buildings[source - FROM_BUILDING].permanent
    return box.cards[player.helpers[source]].helper


@kernel
def source_reason(source):
    """Why things change hands through an answer."""
    if source >= FROM_ROOF:
        return Reason.ROOF_EFFECT
    return Reason.CRAFT_PERMANENT if source >= FROM_BUILDING else Reason.HELPER


@kernel
def source_ref(game, seat, source):
    """The component behind an answer."""
    player = game.players[seat]
    if source >= FROM_ROOF:
        return REF_ROOF + int(player.roofs[source - FROM_ROOF])
    return REF_BUILDING + source - FROM_BUILDING if source >= FROM_BUILDING else int(player.helpers[source])


@kernel
def has_use_left(game, box, seat, slot):
    """H1: a helper's uses a round; 0 stands for no limit."""
    player = game.players[seat]
    uses = box.cards[player.helpers[slot]].helper.uses
    return uses == 0 or player.helper_used[slot] < uses


@kernel
def works_now(game, ability):
    """H1: whether the phase is one an ability lists. Income, even a roof's, is a step of the farm phase (F11)."""
    phase = Phase.FARM.value if ability.when == When.ON and ability.event == Event.INCOME else int(game.phase)
    return (ability.phases >> phase) & 1 == 1


@kernel
def may_act(game, box, seat, source):
    """Whether an ability's phase, uses and cost allow it now."""
    ability = source_ability(game, box, seat, source)
    if ability.effect < 0:
        return False
    if source < FROM_BUILDING and not has_use_left(game, box, seat, source):
        return False
    if (source < FROM_BUILDING or source >= FROM_ROOF) and not works_now(game, ability):
        return False
    return ability.cost < 0 or is_payable(game, box, seat, ability.cost)


@inlined
def is_spent(source):
    """Whether using it costs a use or turns a roof; craft markers are never spent."""
    return source < FROM_BUILDING or source >= FROM_ROOF
