"""Playing games: many at once in compiled code, or one step by step, told in words."""
