"""Who is known to a store: accounts, the roles that they were granted, and the secrets that prove who somebody is.

There is no other way to be known.  A token is good for what its scope says:

| scope        | whoever shows it                                                     |
| ---          | ---                                                                  |
| `account`    | is the account: the secret that a browser keeps                      |
| `seat ID`    | is the account at the table ID, and nowhere else                     |
| `link`       | becomes the account, once                                            |
| `session`    | is the account, which has rights of its own, such as the owner       |
"""

import secrets
from time import time
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, select

from fairplay.store.database import Database
from fairplay.store.inserts import dialect_insert
from fairplay.store.schema import accounts, grants, tokens

OWNER = "owner"
"""The role, and the account that has it."""

EVERYWHERE = 0
"""Instead of a contest: a role that holds for all of them."""


class Token(NamedTuple):
    """What is kept of a secret."""

    hash: str
    account: str
    scope: str


class NewToken(NamedTuple):
    """A token that is to be kept, for some time or for ever."""

    hash: str
    scope: str
    seconds: float | None = None


class Accounts:
    """The accounts of a store and their tokens, of which only hashes are kept, each until its time is up."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def admit(self, name: str, *given: NewToken, account: str | None = None) -> str:
        """Keep tokens of an account, which is made if it is not there, and given an id if it has none; its id.

        EFFECT: forgets the tokens whose time is up.
        """
        id, now = account or secrets.token_hex(8), time()
        rows = [
            {"hash": token.hash, "account": id, "scope": token.scope, "expires": token.seconds and now + token.seconds}
            for token in given
        ]

        def insert(connection: Connection) -> None:
            connection.execute(tokens.delete().where(tokens.c.expires <= now))
            made = dialect_insert(connection, accounts).on_conflict_do_nothing(index_elements=["id"])
            connection.execute(made, {"id": id, "name": name, "created": now})
            if rows:
                connection.execute(
                    dialect_insert(connection, tokens).on_conflict_do_nothing(index_elements=["hash"]), rows
                )

        self._database.write(insert)
        return id

    def grant(self, account: str, role: str, contest: int = EVERYWHERE) -> None:
        """Give an account a role, which it may have already."""
        row = {"account": account, "role": role, "contest": contest}
        keys = ["account", "role", "contest"]
        self._database.write(
            lambda connection: connection.execute(
                dialect_insert(connection, grants).on_conflict_do_nothing(index_elements=keys), row
            )
        )

    def has_role(self, account: str, role: str, contest: int = EVERYWHERE) -> bool:
        """Was the account granted this role, for this contest or for all?"""
        which = (grants.c.account == account) & (grants.c.role == role) & grants.c.contest.in_({contest, EVERYWHERE})
        return bool(self._database.rows(select(grants.c.role).where(which)))

    def find_token(self, hashed: str) -> Token | None:
        """The token of this hash, if its time is not up."""
        rows = self._database.rows(select(tokens.c.hash, tokens.c.account, tokens.c.scope).where(is_valid(hashed)))
        return Token(*rows[0]) if rows else None

    def take_token(self, hashed: str, scope: str) -> bool:
        """Use a token up; False if there is none any more.  Of two who come at once, one gets it."""
        delete = tokens.delete().where(is_valid(hashed) & (tokens.c.scope == scope))
        return self._database.write(lambda connection: connection.execute(delete).rowcount) > 0


def is_valid(hashed: str) -> ColumnElement[bool]:
    """Is it this token, and its time not up?"""
    return (tokens.c.hash == hashed) & (tokens.c.expires.is_(None) | (tokens.c.expires > time()))
