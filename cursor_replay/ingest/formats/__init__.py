"""One wire format a module: its records and its decoder."""
