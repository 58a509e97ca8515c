"""Extensions and income: a farm that pays each round, more cards in the hand, more deliveries to buy, a helper now and then."""

BASE = "balanced"
WEIGHTS = {
    "extension": 3.0,
    "payment": 0.2,
    "stream": 0.8,
}
