"""The board editor: drawings, saved boards, their API and their pages."""
