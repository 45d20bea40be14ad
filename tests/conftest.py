"""Settings for every test; puts the toy games beside the real ones, so that the laws hold them too."""

import os
from pathlib import Path

from hypothesis import HealthCheck, settings

import fairplay.games

fairplay.games.__path__.append(str(Path(__file__).parent / "toys"))

quiet = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow, HealthCheck.differing_executors]}
settings.register_profile("usual", max_examples=40, **quiet)
settings.register_profile("deep", max_examples=2_000, **quiet)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "usual"))
