"""Players on the other side of a wire."""
