"""The first option of every list, in plain Python: an example of a policy as a class, slow but free to use anything."""


class Policy:
    def choose(self, game, box, seat, options, weights, notes):
        return 0
