"""Event-debug artifacts of pi-cursor-sdk: folders, and single files of them."""
