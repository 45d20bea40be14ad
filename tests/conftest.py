"""Settings for every test: Hypothesis draws the same examples on CI, and fewer of them than a deep run."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("usual", deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", deadline=None, max_examples=2_000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
