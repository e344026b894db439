"""The report on calls without an outcome, for a terminal, for an issue tracker, and as JSON."""
