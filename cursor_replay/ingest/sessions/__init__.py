"""The sessions on this machine: where they are, what is known of each, which one is meant."""
