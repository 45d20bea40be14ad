"""The steps, oldest first.  A step that has been released never changes."""
