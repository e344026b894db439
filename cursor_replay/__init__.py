"""Turn Cursor agent transcripts and SDK event dumps into replay cards."""

__version__ = "0.1.0"
