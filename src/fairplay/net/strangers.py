"""Who is at the other end: whose an address of the internet is, and what is kept of a secret."""

from hashlib import sha256
from ipaddress import IPv6Address, ip_address

_IPV6_NETWORK = 64
"""Bits of an IPv6 address that say whose it is; one customer has all addresses that begin with them."""


def address_group(address: str) -> str:
    """What limits are counted by: an IPv4 address, or the network of an IPv6 address."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return address
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> (128 - _IPV6_NETWORK) << (128 - _IPV6_NETWORK)))


def hash_secret(secret: str) -> str:
    """What is kept of a secret: enough to know it again, not enough to use it."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
