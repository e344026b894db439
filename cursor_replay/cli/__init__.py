"""The command line: options, reading and writing, exit codes. One command a file."""
