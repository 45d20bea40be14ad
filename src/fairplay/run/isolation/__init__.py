"""Programs in processes of their own, in a sandbox with hard limits."""
