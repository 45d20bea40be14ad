"""The test harness: finds ``games/<game>/harness.py`` by name and runs its programs on JSON values."""
