"""Limit what a user's code, such as an axiom, can do in this process while it is loaded and tried."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from axiomcheck.core.errors import InvalidInput
from axiomcheck.processes.limits import Limits

_AGAIN = 1.0
"""Seconds until code that has caught the first interruption is interrupted again."""


class _Late(BaseException):
    """Raised in supervised code when its time is up. Not a subclass of Exception, because the code may catch those."""


@contextlib.contextmanager
def supervised(what: str, limits: Limits) -> Iterator[None]:
    """Supervise a block of code. Its time is limited only in the main thread of systems that have an alarm signal.

    Args:
        what: Name of the code for messages.
        limits: Limits, of which only the time limit applies.

    Raises:
        InvalidInput: The block ran past the limit, or wrote to standard output.

    """

    def late(number: int, frame: FrameType | None) -> None:
        raise _Late

    has_alarm = threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer")
    before = signal.signal(signal.SIGALRM, late) if has_alarm else None
    try:
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            if has_alarm:
                signal.setitimer(signal.ITIMER_REAL, limits.seconds, _AGAIN)
            yield
    except _Late:
        raise InvalidInput(
            f"{what} ran past the limit of {limits.seconds:g} s ({limits.option}) when it was loaded and tried"
        ) from None
    finally:
        if has_alarm:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    if text := printed.getvalue():
        first = (text.strip() or text).splitlines()[0]
        raise InvalidInput(f"{what} wrote to standard output, which is reserved for reports: {first[:80]!r}")
