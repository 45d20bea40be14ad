"""Where and how a map of Trains is drawn: its landscape, tracks and names."""
