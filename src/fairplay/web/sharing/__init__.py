"""Matches for other places: pictures, animations, frames for other pages, QR codes, and what links look like there."""
