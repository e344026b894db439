"""Scrubbed copies: the format of the original, without its secrets.

Owns how a file of any size is read in parts, what of it stays the same bytes, and what is told of
what was masked. Which files there are and where copies go is the business of ``cli.copying``.
"""
