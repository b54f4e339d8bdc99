"""Whether work grows no faster than its input, asked on machines that are shared and noisy."""

from __future__ import annotations

import time
from typing import Callable

ATTEMPTS = 6  # one quiet moment is enough: noise only ever makes the larger input look worse
GROWTH_MAX = 10.0  # for four times the input: linear work takes 4, quadratic work 16
NOISE_SECONDS = 0.05


def grows_linearly(work: Callable[[int], object], size: int) -> bool:
    """True when four times ``size`` takes less than ten times as long, in one of several attempts."""
    return any(
        _seconds(work, 4 * size) < GROWTH_MAX * _seconds(work, size) + NOISE_SECONDS for _ in range(ATTEMPTS)
    )


def _seconds(work: Callable[[int], object], size: int) -> float:
    started = time.process_time()  # of this process alone: others do not count
    work(size)
    return time.process_time() - started
