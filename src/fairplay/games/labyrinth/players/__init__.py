"""The house players of Labyrinth."""
