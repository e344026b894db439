"""Events to items: names, the tool table, the ledger and the state machine."""
