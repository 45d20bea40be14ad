"""Results as tables, charts, CSV and HTML, for the terminal, the pages of the server and files."""
