"""Text transcripts of early 2026."""
