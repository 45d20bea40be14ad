"""The house players of Trains."""
