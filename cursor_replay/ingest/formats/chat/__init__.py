"""The chat store of Cursor's CLI, ACP sessions and SDK agents."""
