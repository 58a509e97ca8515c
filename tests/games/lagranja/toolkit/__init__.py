"""Tests of the toolkit: tables set up by hand, and what it makes of them."""
