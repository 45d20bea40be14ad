"""The house players of Fish."""
