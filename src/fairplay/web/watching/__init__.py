"""What watchers see of a match: its moments, sent to each of them as they happen."""
