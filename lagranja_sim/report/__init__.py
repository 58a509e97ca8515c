"""The report: one page, its figures and its tables, from sections that are files in `reports/`."""
