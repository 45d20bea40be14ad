"""A real PostgreSQL in a temporary folder: one for all processes of a test run, gone when the last of them ends."""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec
import psycopg
import pytest

MISSING = "PostgreSQL IS NOT INSTALLED: the store is tested on SQLite ALONE (Debian: apt-get install postgresql)"


def programs() -> Path | None:
    """The folder of `initdb` and `pg_ctl`, the newest there is."""
    found = [*sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))]
    if (on_path := shutil.which("initdb")) and (Path(on_path).resolve().parent / "pg_ctl").exists():
        found.insert(0, Path(on_path).resolve())
    return found[-1].parent if found else None


class Server:
    """One server, reached over a socket in its folder.  It runs as somebody else where we are root: it refuses root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def made(cls) -> Server:
        """A new server, started."""
        server = cls(Path(tempfile.mkdtemp(prefix="fairplay-postgresql-")))
        if os.geteuid() == 0:
            os.chown(server.folder, cls.owner().pw_uid, cls.owner().pw_gid)
        server.call("initdb", "-A", "trust", "-U", "fairplay", "-E", "UTF8", "--no-locale", "--no-sync")
        server.start()
        return server

    @staticmethod
    def owner() -> pwd.struct_passwd:
        with suppress(KeyError):
            return pwd.getpwnam("postgres")
        return pwd.getpwnam("nobody")

    def call(self, program: str, *arguments: str) -> None:
        found = programs()
        assert found is not None, MISSING
        identity: dict[str, Any] = {}
        if os.geteuid() == 0:
            identity = {"user": self.owner().pw_uid, "group": self.owner().pw_gid, "extra_groups": []}
        command = [str(found / program), "-D", str(self.folder / "data"), *arguments]
        done = subprocess.run(command, cwd="/", capture_output=True, text=True, check=False, **identity)
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        # fsync: the tests kill programs, not the machine, so it would only cost time
        settings = f"-k {self.folder} -c listen_addresses='' -c fsync=off -c max_connections=50"
        # Its output goes to a file and not to our pipe, which would stay open as long as the server lives.
        self.call("pg_ctl", "start", "-w", "-s", "-l", str(self.folder / "log"), "-o", settings)

    @property
    def running(self) -> bool:
        return (self.folder / "data" / "postmaster.pid").exists()

    def stop(self, mode: str = "immediate") -> None:
        self.call("pg_ctl", "stop", "-w", "-s", "-m", mode)

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def url(self, database: str, user: str = "fairplay") -> str:
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement.encode())

    @contextmanager
    def database(self) -> Iterator[str]:
        """The URL of an empty database."""
        name = f"test_{token_hex(6)}"
        self.execute(f"CREATE DATABASE {name}")
        try:
            yield self.url(name)
        finally:
            self.execute(f"DROP DATABASE {name} WITH (FORCE)")


def required() -> None:
    """Skip the test where there is no PostgreSQL, or fail where there has to be one."""
    if programs() is None:
        pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)


@contextmanager
def own() -> Iterator[Server]:
    """A server that nobody else needs, and that may be stopped."""
    required()
    server = Server.made()
    try:
        yield server
    finally:
        if not server.running:
            server.start()
        server.remove()


@contextmanager
def shared(folder: Path) -> Iterator[Server]:
    """The server of all processes that name the same `folder`; the first starts it, the last removes it."""
    with users(folder) as state:
        if not state["users"]:
            state["server"] = str(Server.made().folder)
        state["users"].append(os.getpid())
        server = Server(Path(state["server"]))
    try:
        yield server
    finally:
        with users(folder) as state:
            state["users"] = [user for user in state["users"] if user != os.getpid() and alive(user)]
            if not state["users"]:
                server.remove()


@contextmanager
def users(folder: Path) -> Iterator[dict[str, Any]]:
    """Who uses the shared server, read and written under a lock."""
    with (folder / "postgresql.json").open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        state = msgspec.json.decode(file.read() or '{"users":[]}')
        yield state
        file.truncate(0)
        file.write(msgspec.json.encode(state).decode())


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
