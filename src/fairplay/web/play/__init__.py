"""What people at a table do: click, leave, stop, ask for a hint or a rematch."""
