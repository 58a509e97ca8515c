"""What games share: records and their tables, the agenda and lists of options, components and what is wrong with them."""
