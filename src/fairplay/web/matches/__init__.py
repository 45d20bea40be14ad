"""Matches on the page: tables, the matches played at them, their API and their pages."""
