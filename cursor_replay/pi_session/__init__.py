"""What our program knows of pi's session file: how to write one, what pi does to a bad one."""
