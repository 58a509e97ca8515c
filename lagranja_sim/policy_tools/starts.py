"""Starting files for policies of a game that has none of its own. NAME stands for the policy's name, GAME for the game's."""

HEAD = '''"""Prefers the first of its options: a start for a policy of your own.

The line above is shown by `lagranja policies`. What does not compile is told by its line: lagranja policies check NAME
"""

PLAYS = "GAME"
WEIGHTS = {"first": (1.0, 0.0, 2.0)}  # name: (default, lowest, highest). NAME:first=2 calls the policy with another weight.

'''
SCORE = (
    HEAD
    + '''
def score(game, box, seat, option, weights, notes):
    """How good an option is for `seat`: the highest number is taken, the first of equals. Compiled, so keep to numbers, tuples and loops.

    game: what the seat may see; box: what is printed; option: option.do says what it does; notes: room of its own to the end of the game.
    """
    return weights[0] if option.do == 0 else 0.5
'''
)
CHOOSE = (
    HEAD
    + '''
def choose(game, box, seat, options, weights, notes):
    """The index of one of the options. Compiled, so keep to numbers, tuples and loops.

    game: what the seat may see; box: what is printed; options[index].do says what it does; notes: room of its own to the end of the game.
    """
    return 0 if weights[0] > 0.5 else len(options) - 1
'''
)
CLASS = (
    HEAD
    + '''
class Policy:
    """Made anew for every game; any Python, but some fifty times slower. It keeps nothing from one decision to the next but in `notes`."""

    def choose(self, game, box, seat, options, weights, notes):
        """The index of one of the options; print what you like while you look around."""
        return 0 if weights[0] > 0.5 else len(options) - 1
'''
)
STARTS = {"score": SCORE, "choose": CHOOSE, "class": CLASS}
