"""Bytes to events: lines, formats, detection, sources."""
