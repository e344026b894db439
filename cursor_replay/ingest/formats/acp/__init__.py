"""Dumps of the Agent Client Protocol."""
