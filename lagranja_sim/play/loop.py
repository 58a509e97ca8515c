"""Playing games of any kind: the loop that asks policies, carries their choices out and has the game note what happens; and single steps of it.

What is called here and defined elsewhere (`deal`, `advance`, `hide`, `note_choice`, ...) is a game's own: `bind` puts it in and compiles.
A policy is one of two function pointers, `choose` (an index) or `score` (of one option; the best is taken, the first of equals).
"""

from typing import Any, NamedTuple

import numpy as np

from lagranja_sim.chance import POLICY, mixed
from lagranja_sim.kit.outcomes import ROUND_SCORED, TOO_MANY_DECISIONS

MAX_DECISIONS = 50_000  # a game has some hundreds
OWN, SHOWN = 0, 1  # the loop's memory, and what policies are handed; SHOWN + seat of boxes and lists of options
_BOUND: Any = None
UNDER_WAY, FAULT = 0, 1  # places in the state of `play`
SEATS, OPTION_SIZE = 0, 0  # the game's own, as all of the next line
deal = advance = to_move = apply = hide = note_over = _BOUND


class Memory(NamedTuple):
    """What games are played in."""

    games: Any  # one record: the game itself
    views: Any  # one: what the policy that is asked may see of it
    boxes: Any  # OWN, and one for each seat to look at
    options: Any  # the same of lists of options ...
    option_words: Any  # ... and as words of eight bytes
    weights: Any  # OWN and SHOWN, by policy
    notes: Any  # a record a seat, and an empty one


class Seating(NamedTuple):
    """Who plays, by policy; policy p has seat (p + rotation) % players."""

    choosers: Any
    scorers: Any
    is_scorer: Any


class Span(NamedTuple):
    """Which games: `count` from number `first` on."""

    seed: Any
    first: Any
    count: Any
    players: Any


class Output(NamedTuple):
    """What becomes of them."""

    logs: Any  # one record
    rows: Any  # the game's named tuple of row arrays; empty where a table is not wanted
    limits: Any  # rows used of each table beyond which another game might not find room
    state: Any  # the game UNDER_WAY, and whether a policy did in it what it may not


# --- what a game need not note ----------------------------------------------------------------------------------------------------------


def note_dealt(game, box, log, rows):
    """A game begins."""


def note_choice(game, box, seat, option, log, rows):
    """An option is about to be carried out."""


def note_moved(game, box, seat, log, rows):
    """It has been carried out, up to the next choice."""


def note_scored(game, box, log, rows):
    """A round has been scored."""


# --- asking a policy -------------------------------------------------------------------------------------------------------------------


def best_option(memory, score, policy, seat, count):
    """The first of the options shown with the highest score; or -1 - i if the score of option i is nothing that can be the highest.

    That is NaN or infinity. Minus infinity says "never"; where all options are scored so, i is 0.
    """
    view, box, notes, weights = memory.views[0], memory.boxes[SHOWN + seat], memory.notes[seat], memory.weights[SHOWN, policy]
    best, best_score = -1, -np.inf
    for index in range(count):
        option_score = score(view, box, seat, memory.options[SHOWN + seat, index], weights, notes)
        if not option_score <= best_score:
            if not option_score < np.inf:
                return -1 - index
            best, best_score = index, option_score
    return best


def show_options(option_words, count, seat):
    """The options listed, and nothing of lists of others, to where a seat may look; words of memory are copied quickest."""
    whole, rest = count * OPTION_SIZE // 8, count * OPTION_SIZE % 8
    for word in range(whole):
        option_words[SHOWN + seat, word] = option_words[OWN, word]
    if rest > 0:  # what follows in the last word may be another seat's
        option_words[SHOWN + seat, whole] = option_words[OWN, whole] & np.uint64((1 << (8 * rest)) - 1)


def policy_luck(seed, number, seat, decision):
    """The stream of a policy that randomizes: named by game, seat and decision."""
    return mixed(mixed(np.uint64(seed), POLICY, number), seat, decision)


def show(memory, count, seat, luck):
    """Lay out what a seat may see of the game and its options, with its luck; the decision is counted."""
    game = memory.games[0]
    hide(memory.views, game, seat)
    show_options(memory.option_words, count, seat)
    memory.views[0].luck = luck
    game.decisions += 1
    if game.decisions > MAX_DECISIONS:
        game.error = TOO_MANY_DECISIONS


def chosen_option(memory, choose, policy, seat, count):
    """The index of one of the options shown."""
    options, weights = memory.options[SHOWN + seat, :count], memory.weights[SHOWN, policy]
    return choose(memory.views[0], memory.boxes[SHOWN + seat], seat, options, weights, memory.notes[seat])


def answer(memory, seating, policy, seat, count):
    """The index that a policy answers with; negative or too large if it does what it may not."""
    if seating.is_scorer[policy]:
        return best_option(memory, seating.scorers[policy], policy, seat, count)
    return chosen_option(memory, seating.choosers[policy], policy, seat, count)


# --- the loop --------------------------------------------------------------------------------------------------------------------------


def has_room(log, limits):
    """Whether each table is sure to hold the rows of another game."""
    for table in range(len(limits)):
        if log.rows_used[table] > limits[table]:
            return False
    return True


def begin(memory, span, output, number):
    """Deal game `number`; policies begin it with notes as new."""
    log = output.logs[0]
    output.state[UNDER_WAY] = number
    log.number, log.rotation = number, number % span.players
    for seat in range(span.players):
        memory.notes[seat] = memory.notes[SEATS]
    deal(memory.games[0], memory.boxes[OWN], span.seed, number // span.players, span.players)
    note_dealt(memory.games[0], memory.boxes[OWN], log, output.rows)


def choice(memory, seating, span, log, asked, listed):
    """The index that the policy whose turn it is answers with; 0 where there is nothing to choose. `asked` counts the decisions of each seat."""
    if listed == 1:
        return 0
    seat = to_move(memory.games[0])
    show(memory, listed, seat, policy_luck(span.seed, log.number, seat, asked[seat]))
    asked[seat] += 1
    return answer(memory, seating, (seat + span.players - log.rotation) % span.players, seat, listed)


def play(memory, seating, span, output):
    """Play the games of a span; returns how many were played.

    It stops early where a table might not hold another game, or at a game that went wrong, whose record is left in games[0]. One function
    down to the moves, for one that calls another with all the rules in it takes as long to compile as that does.
    """
    game, box, listing, log, rows = memory.games[0], memory.boxes[OWN], memory.options[OWN], output.logs[0], output.rows
    asked = np.zeros(SEATS, np.int64)
    for played in range(span.count):
        if not has_room(log, output.limits):
            return played
        asked[:] = 0
        begin(memory, span, output, span.first + played)
        listed = advance(game, box, listing)
        while listed != 0 and game.error == 0:
            if listed == ROUND_SCORED:
                note_scored(game, box, log, rows)
                listed = advance(game, box, listing)
                continue
            seat, chosen = to_move(game), choice(memory, seating, span, log, asked, listed)
            if chosen < 0 or chosen >= listed:
                output.state[FAULT] = 1
                return played
            note_choice(game, box, seat, listing[chosen], log, rows)
            apply(game, box, listing[chosen])
            listed = advance(game, box, listing)
            note_moved(game, box, seat, log, rows)
        if game.error != 0:
            return played
        note_over(game, box, log, rows)
    return span.count


# --- single steps, for Python ----------------------------------------------------------------------------------------------------------
# Compiled functions take arrays from Python quickly and single records slowly, so these work on the first record of each array.


def deal_in(games, boxes, seed, block, players):
    """Set up games[0]."""
    deal(games[0], boxes[0], seed, block, players)


def advance_in(games, boxes, options):
    """Run games[0] to its next choice: what `advance` returns, and the seat that has to choose."""
    listed = advance(games[0], boxes[0], options)
    return listed, to_move(games[0])


def move_in(games, boxes, options, chosen):
    """Carry out an option in games[0] and run on to the next choice, in one call: from Python a call costs more than a move."""
    apply(games[0], boxes[0], options[chosen])
    return advance_in(games, boxes, options)


def show_in(memory, count, seed, number, seat, asked):
    """Lay out what a seat may see at its decision number `asked`."""
    show(memory, count, seat, policy_luck(seed, number, seat, asked))


def ask_chooser(memory, choose, policy, seat, count):
    """A compiled policy's choice on what its seat sees."""
    return chosen_option(memory, choose, policy, seat, count)


def ask_scorer(memory, score, policy, seat, count):
    """The option that a compiled policy scores highest."""
    return best_option(memory, score, policy, seat, count)


def note_dealt_in(memory, output):
    """What is noted when the game has been dealt."""
    note_dealt(memory.games[0], memory.boxes[OWN], output.logs[0], output.rows)


def note_choice_in(memory, output, seat, chosen):
    """What is noted when an option has been chosen."""
    note_choice(memory.games[0], memory.boxes[OWN], seat, memory.options[OWN, chosen], output.logs[0], output.rows)


def note_moved_in(memory, output, seat):
    """What is noted when it has been carried out."""
    note_moved(memory.games[0], memory.boxes[OWN], seat, output.logs[0], output.rows)


def note_scored_in(memory, output):
    """What is noted when a round has been scored."""
    note_scored(memory.games[0], memory.boxes[OWN], output.logs[0], output.rows)


def note_over_in(memory, output):
    """What is noted when the game is over."""
    note_over(memory.games[0], memory.boxes[OWN], output.logs[0], output.rows)


# --- policies that fill the places of function pointers not in use -----------------------------------------------------------------------


def choose_first(game, box, seat, options, weights, notes):
    """The first option."""
    return 0


def score_nothing(game, box, seat, option, weights, notes):
    """Every option is worth as much."""
    return 0.0
