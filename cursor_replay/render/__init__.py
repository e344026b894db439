"""From sealed items to what a reader sees: views, and one module a surface.

Importing this package imports no surface; ``registry`` knows where they live.
"""
