"""`python tests/coverage_by_folder.py`: how much of each folder of the package the last `make thorough` ran.

Exits with 1 where a folder has fallen below its floor, after naming the lines that were not run.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from coverage import Coverage

FLOORS = {"contest": 97, "core": 97, "games": 97, "match": 97}
"""In percent of lines and branches, by folder."""

WHOLE = 90
"""Of the whole package.  What only runs in processes of its own is not seen, so it can never be everything."""

PACKAGE = Path("src", "fairplay")
COUNTS = ("covered_lines", "num_statements", "covered_branches", "num_branches")


def main() -> int:
    files, folders, missing = measure(), defaultdict[str, Counter[str]](Counter), defaultdict[str, list[str]](list)
    for path, found in sorted(files.items()):
        inside = Path(path).relative_to(PACKAGE)
        folder = inside.parts[0] if len(inside.parts) > 1 else "."
        for name in (folder, "fairplay"):
            folders[name].update({count: found["summary"][count] for count in COUNTS})
        if found["missing_lines"]:
            missing[folder].append(f"  {path}: {', '.join(map(str, found['missing_lines']))}")
    print("\nfolder        lines  run %  floor %")
    for name, counts in sorted(folders.items(), key=lambda item: (item[0] == "fairplay", item[0])):
        floor = WHOLE if name == "fairplay" else FLOORS.get(name)
        print(f"{name:12} {counts['num_statements']:6} {percent(counts):6.1f}  {floor or ''}")
    low = [name for name, floor in (*FLOORS.items(), ("fairplay", WHOLE)) if percent(folders[name]) < floor]
    for name in low:
        print(f"\n{name} is below its floor. Not run:", *missing[name], sep="\n")
    return 1 if low else 0


def measure() -> dict[str, Any]:
    """What coverage's JSON says about each file."""
    coverage = Coverage()
    coverage.load()
    with TemporaryDirectory() as folder:
        place = Path(folder, "coverage.json")
        coverage.json_report(outfile=str(place))
        files: dict[str, Any] = json.loads(place.read_text("utf-8"))["files"]
    return files


def percent(counts: Counter[str]) -> float:
    """Lines and branches that were run, of all there are, as coverage itself counts them."""
    there = counts["num_statements"] + counts["num_branches"]
    return 100 * (counts["covered_lines"] + counts["covered_branches"]) / there if there else 100.0


if __name__ == "__main__":
    sys.exit(main())
