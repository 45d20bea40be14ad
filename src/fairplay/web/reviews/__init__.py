"""Reviews of finished matches on the page."""
