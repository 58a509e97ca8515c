"""Arms played on the same deals, and what differs between them."""
