"""Labyrinth as people see it: pictures, clicks in them, and the editor of boards."""
