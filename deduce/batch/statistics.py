"""What a number of wins means: confidence intervals of shares."""

from __future__ import annotations

from math import sqrt

__all__ = ["wilson"]


def wilson(share: float, trials: int, z: float = 1.96) -> tuple[float, float]:
    """Return Wilson's confidence interval for a share that was observed in some trials.

    Parameters
    ----------
    share
        The observed share, from 0 to 1. Half points are allowed: they vary less than wins and
        losses would, so the interval is then somewhat too wide, never too narrow.
    trials
        How many trials there were; without any, the interval is 0 to 1.
    z
        How many standard deviations; 1.96 gives 95 %.

    Examples
    --------
    >>> low, high = wilson(0.8, 200)
    >>> f"{low:.3f} {high:.3f}"
    '0.739 0.850'
    >>> wilson(0.5, 0)
    (0.0, 1.0)
    >>> wilson(0, 11)[0], wilson(1, 6)[1]
    (0.0, 1.0)

    Notes
    -----
    Edwin Wilson, *Probable inference, the law of succession, and statistical inference* (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    spread = z * z / trials
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / trials + spread / (4 * trials)) / (1 + spread)
    # At 0 and 1 the interval has exactly these ends, without the rounding of ``middle - half``.
    return middle - half if share > 0 else 0.0, middle + half if share < 1 else 1.0
