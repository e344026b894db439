"""The chats in the IDE's ``state.vscdb``."""
