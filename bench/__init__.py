"""What is measured, beside what."""
