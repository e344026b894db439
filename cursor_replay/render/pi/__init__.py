"""pi session JSONL: the messages and calls that pi itself would have written (pi facts 1)."""
