"""What the Cursor SDK reports: messages, updates, steps, its local stores and cloud streams."""
