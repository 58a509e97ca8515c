"""Any kind of act first, then any option of it, so that rare acts are as common as buying and selling."""

import random


class Policy:
    def choose(self, game, box, seat, options, weights, notes):
        chances = random.Random(int(game.luck))
        acts = options["do"].tolist()
        act = chances.choice(sorted(set(acts)))
        return chances.choice([index for index, each in enumerate(acts) if each == act])
