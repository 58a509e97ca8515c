"""Tests of the rules core, one file a chapter of the rules digest; each test is named after the rule it shows."""
