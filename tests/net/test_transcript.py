"""The transcript: everything that is said, nothing that is secret, for its owner alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from fairplay.core import UsageError
from fairplay.net.transcript import Transcript, open_transcript


def noon() -> datetime:
    return datetime(2026, 11, 16, 12, tzinfo=UTC)


def written(*values: bytes, most: int = 10_000) -> tuple[list[Any], list[str]]:
    file, reports = BytesIO(), list[str]()
    transcript = Transcript(file, reports.append, most=most, now=noon)
    for value in values:
        transcript.add("received", "127.0.0.1:99", value)
    return [json.loads(line) for line in file.getvalue().splitlines()], reports


def test_a_line_has_time_direction_peer_and_value() -> None:
    assert written(b'["start",[true]]')[0] == [
        {
            "time": "2026-11-16T12:00:00.000+00:00",
            "direction": "received",
            "peer": "127.0.0.1:99",
            "value": ["start", [True]],
        }
    ]


def test_what_is_not_json_is_written_as_text() -> None:
    lines, _ = written(b"[1 2]\xff")
    assert lines[0]["text"] == "[1 2]\\xff"
    assert "value" not in lines[0]


def test_tokens_and_session_keys_are_left_out() -> None:
    lines, _ = written(b'{"type":"hello","name":"ann","token":"TOPSECRET"}', b'{"type":"joined","session":"TOPSECRET"}')
    assert "TOPSECRET" not in json.dumps(lines)
    assert lines[0]["value"] == {"type": "hello", "name": "ann", "token": "(left out)"}


def test_it_ends_where_it_would_fill_the_disk() -> None:
    lines, reports = written(*[b'"x"'] * 1_000, most=1_000)
    assert 0 < len(lines) < 20
    assert reports == ["the transcript ends here: it is full"]


def test_a_disk_that_is_full_ends_it_and_nothing_else() -> None:
    class Full(BytesIO):
        def write(self, data: Any) -> int:
            raise OSError(28, "No space left on device")

    reports: list[str] = []
    transcript = Transcript(Full(), reports.append)
    transcript.add("sent", "a:1", b"1")
    transcript.add("sent", "a:1", b"2")
    assert reports == ["the transcript ends here: [Errno 28] No space left on device"]


def test_the_file_is_new_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    with open_transcript(path, print) as transcript:
        assert transcript is not None
        transcript.add("sent", "a:1", b'"ann"')
    assert path.stat().st_mode & 0o777 == 0o600
    assert json.loads(path.read_text())["value"] == "ann"
    with pytest.raises(UsageError, match=r"--transcript: .*t\.jsonl is there already"), open_transcript(path, print):
        pass
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UsageError, match="is there already"), open_transcript(tmp_path / "link", print):
        pass
    with pytest.raises(UsageError, match="cannot be written"), open_transcript(tmp_path / "no" / "t", print):
        pass
    with open_transcript(None, print) as nothing:
        assert nothing is None
