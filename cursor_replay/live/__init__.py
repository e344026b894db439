"""What runs inside or beside a living pi: the display extension that the package ships."""
