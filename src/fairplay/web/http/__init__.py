"""HTTP as every page and endpoint needs it: limits, errors, descriptions.  Nothing here knows of matches."""
