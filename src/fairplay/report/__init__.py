"""Results as tables, charts, CSV and pages."""
