"""Drawing maps of Trains click by click."""
