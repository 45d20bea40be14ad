"""Commands that let players meet over a network, and what these commands share."""
