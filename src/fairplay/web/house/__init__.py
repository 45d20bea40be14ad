"""House players of the web server, which think in processes of their own."""
