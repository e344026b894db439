"""Why started calls have no outcome: what was recorded of them, surface by surface (#52)."""
