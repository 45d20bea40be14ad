"""From the worths that seats can expect to the shares of the win that they can expect; also compiled."""

from typing import Any

DOUBT = 0.1
"""How wrong an expected lead may be, for each fish that is still to be collected."""


def share_win(worths: Any, out: int, doubt: float, shares: Any) -> None:
    """Write the share of the win that each seat can expect; they add up to 1.

    Of two seats the one that is `lead` ahead gets (1 + lead / (|lead| + doubt)) / 2; with more seats this is multiplied
    over all rivals, and made to add up to 1.  With no doubt the first wins, and equals share.
    out: mask of the seats that were removed; they get nothing.
    """
    total = 0.0
    for seat in range(worths.shape[0]):
        chance = 0.0 if out >> seat & 1 else 1.0
        for other in range(worths.shape[0]):
            if other != seat and not out >> other & 1:
                lead = float(worths[seat] - worths[other])
                chance *= 0.5 if lead == 0.0 else (1.0 + lead / (abs(lead) + doubt)) / 2.0
        shares[seat] = chance
        total += chance
    for seat in range(worths.shape[0]):
        shares[seat] /= total
