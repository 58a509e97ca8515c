"""Extensions and income: a farm that pays each round, more cards in the hand, more deliveries to buy."""

BASE = "balanced"
WEIGHTS = {
    "extension": 3.0,
    "payment": 0.3,
    "helper": 1.0,
    "stream": 1.0,
}
