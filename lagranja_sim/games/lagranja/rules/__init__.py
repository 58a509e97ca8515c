"""The game itself: `deal` sets it up, `advance` runs it until a choice is needed, `apply` carries one out."""
