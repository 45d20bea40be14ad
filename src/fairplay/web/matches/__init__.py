"""Matches on the page: tables, live matches and replays, their API and their pages."""
