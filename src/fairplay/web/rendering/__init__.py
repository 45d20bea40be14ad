"""Pages as they are sent: templates, styles of drawings, and our own files under addresses that name their content."""
