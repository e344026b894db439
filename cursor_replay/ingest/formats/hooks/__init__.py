"""Logs of hook payloads."""
