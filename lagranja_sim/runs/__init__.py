"""Runs: experiments, played in parallel, written to parquet, and read again."""
