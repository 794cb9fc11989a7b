"""Compare a metric's scores in this process with its scores in a fresh process, in which it has scored nothing yet.

A metric may keep state between calls, such as a cache, a counter, or the best score so far. The comparison detects
metrics whose scores do not depend on the topic and the ranking alone.
"""

from __future__ import annotations

import atexit
import contextlib
import datetime
import os
import pickle
import select
import signal
import socket
import stat
import sys
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from types import ModuleType
from typing import Any

import numpy as np

from axiomcheck.core.errors import MetricError
from axiomcheck.core.printable import printable
from axiomcheck.decide.batch import Batch, Bound, Pairs
from axiomcheck.decide.numerical import asked
from axiomcheck.metrics import Metric
from axiomcheck.sources.external_metrics import rounding_of
from axiomcheck.sources.probes import CaseBlock
from axiomcheck.sources.provenance import readable_identity

SECONDS = 60.0
"""Timeout, in seconds, for a request to a fresh process."""

FORKS = sys.platform.startswith("linux")
"""True on Linux. On other platforms, a process that has loaded numerical libraries may not survive a fork. Scores are
then not compared."""

_MARK, _MOST = 8, 2**20
"""Size in bytes of the mark that identifies a request and its answer, and maximum size in bytes of a message."""

_ANSWERED = 86
"""Exit code of a fork that has sent its answer. The code is unusual, because a metric may itself call `exit`."""


def first_pair(batch: Batch) -> Pairs:
    """Return the first pair of rankings in a batch, in floats."""
    return Pairs.floats_of(batch.pick(np.array([0])))


def scores_of_pair(pair: Pairs, metric: Metric, better_first: bool) -> tuple[float, float]:
    """Score a pair of rankings, and return the scores (worse, better).

    Args:
        pair: A single pair in floats.
        metric: Metric that scores the rankings.
        better_first: True to score the better ranking first.

    Raises:
        MetricError: The metric raised an exception, or did not return one finite number per ranking.

    """
    orders = (pair.better, pair.worse) if better_first else (pair.worse, pair.better)
    first, second = (float(asked(metric, pair.pool, pair.weights, order)[0]) for order in orders)
    return (second, first) if better_first else (first, second)


def both_ways(block: CaseBlock) -> list[Pairs]:
    """Return a pair for each ranking of a block: the ranking, as the better one, and its reverse."""
    rows = (block.rows([row]) for row in range(block.size))
    return [Pairs(one.pool, one.weights, one.order[:, ::-1], one.order, False) for one in rows]


def violates(metric: Metric, kind: str, worse: float, better: float, bound: Bound | None) -> bool:
    """Return True if two float scores agree with a claimed reversal or tie, up to rounding.

    Args:
        metric: Metric that gave the scores.
        kind: ``"reversal"`` or ``"tie"``.
        worse: Score of the worse ranking.
        better: Score of the better ranking.
        bound: Violated bound if the axiom is about a single score; else None.

    """
    if bound is not None:
        worse, better = bound.beside(worse, float(bound.number))
    near = rounding_of(metric) * max(1.0, abs(worse), abs(better))
    return not (better - worse > near or (kind == "tie" and worse - better > near))


def pairs_of_blocks(metric: Metric) -> list[Pairs]:
    """Return three pairs of rankings like those that the threshold axioms compare.

    The better ranking has a single document with the highest grade. The worse ranking has several documents with a low
    grade.
    """
    pairs = []
    for size in (2, 5, 12):
        grades = np.full((1, size + 1, 1), 1.0 if metric.binary_only else 1 / (metric.abilities.levels or 4))
        grades[0, 0] = 1.0
        top, block = np.zeros((1, 1), dtype=np.int64), np.arange(1, size + 1)[None]
        pairs.append(Pairs(grades, np.ones((1, 1)), block, top, False))
    return pairs


class FreshProcess:
    """Process that was forked from this one before a metric scored anything, and that forks again for each request.

    Args:
        metric: Metric that has scored nothing since it was loaded.

    """

    def __init__(self, metric: Metric) -> None:
        self._name, self._owner = str(metric), os.getpid()
        self._channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # about threads; this fork starts no thread
            self._process = os.fork()
        if self._process == 0:
            try:
                _close_channels_except(0, 1, 2, theirs.fileno())
                _serve(metric, theirs)
            finally:
                os._exit(0)
        theirs.close()
        self._earliest: list[tuple[Pairs, tuple[float, float]]] = []
        with contextlib.suppress(MetricError):  # the search encounters the same errors
            pairs = pairs_of_blocks(metric)
            self._earliest = list(zip(pairs, self.scores(pairs, better_first=False), strict=True))
        self._when_it_differed: str | None = None

    def is_known_to_differ(self, metric: Metric) -> bool:
        """Return True if scores were found to differ, and the metric has the same code and attributes as then."""
        return self._when_it_differed is not None and self._when_it_differed == readable_identity(metric)

    def close(self) -> None:
        """Kill the fork, even if it is working."""
        if os.getpid() != self._owner:  # this is a fork of the process that started it
            return
        self._channel.close()
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)

    def scores(
        self, pairs: Sequence[Pairs], better_first: bool, time_shown: float | None = None
    ) -> list[tuple[float, float]]:
        """Score pairs one after another in a new fork, and return the scores (worse, better) of each pair.

        Args:
            pairs: Pairs of rankings.
            better_first: True to score the better ranking of each pair first.
            time_shown: Time, in seconds since the epoch, that the clocks of the fork show at its start; None for the
                true time.

        Raises:
            MetricError: The metric raised an exception in the fork, or the fork died or exceeded the timeout.

        """
        mark, answer = os.urandom(_MARK), b""
        try:
            self._channel.send(mark + pickle.dumps((list(pairs), better_first, time_shown)))
            while answer[:_MARK] != mark:  # a fork that was killed may have left an answer
                if not select.select([self._channel], [], [], SECONDS)[0]:
                    raise MetricError(f"{self._name} took longer than {SECONDS:g} s in a separate process")
                answer = self._channel.recv(_MOST) or mark
            found = pickle.loads(answer[_MARK:])
        except (OSError, EOFError):
            raise MetricError(f"{self._name} ended the separate process in which it was to score a ranking") from None
        if isinstance(found, str):
            raise MetricError(f"in a process that has scored nothing before, {found}")
        return [(float(worse), float(better)) for worse, better in found]

    def check_scores_depend_on_nothing_earlier(self, metric: Metric, pairs: Sequence[Pairs]) -> None:
        """Check that pairs have the same scores in this process as in a fresh one, whichever ranking is scored first.

        In this process, the metric has scored many other rankings before.

        Raises:
            MetricError: A score differs. The message contains both scores.

        """
        self._compare(metric, pairs, better_first=False)
        self._compare(metric, pairs[:1], better_first=True)
        for pair, first in self._earliest[: len(pairs)]:  # the metric may keep its state in a file, which forks share
            self._compare_scores(metric, scores_of_pair(pair, metric, better_first=False), first)

    def check_scores_depend_on_no_clock(self, metric: Metric, pairs: Sequence[Pairs]) -> None:
        """Check that pairs have the same scores when clocks show a later time and the process has a different id.

        Raises:
            MetricError: A score differs. The message contains both scores.

        """
        began = time.time()  # requests may wait, so the clocks of the first one are set too
        first = self._scores_if_any(pairs, began)
        for by in SHIFTS if first else ():
            for at_first, later in zip(first, self._scores_if_any(pairs, began + by.total_seconds()), strict=False):
                for now, then in zip(at_first, later, strict=True):
                    if abs(now - then) > rounding_of(metric) * max(1.0, abs(now)):
                        raise MetricError(
                            f"{self._name}: a score depends on the time or on the process: the same ranking scores "
                            f"{now:.6g}, but {then:.6g} when clocks show a later time and the process has a "
                            "different id"
                        )

    def _scores_if_any(self, pairs: Sequence[Pairs], time_shown: float) -> list[tuple[float, float]]:
        """Return the scores of pairs, or [] if the metric fails, perhaps because other code needs the true time."""
        try:
            return self.scores(pairs, better_first=False, time_shown=time_shown)
        except MetricError:
            return []

    def check_violation(self, metric: Metric, kind: str, pair: Pairs) -> None:
        """Check that a pair of rankings also violates the axiom in a fresh process, whichever ranking is scored first.

        Args:
            metric: The metric in this process.
            kind: ``"reversal"`` or ``"tie"``.
            pair: Pair in floats. If r << 1 is assumed, only the equality of scores in both processes is checked.

        Raises:
            MetricError: The scores differ, or are clearly no violation. The message contains the scores.

        """
        for better_first in (False, True):
            for worse, better in self._compare(metric, [pair], better_first):
                if not pair.small and not violates(metric, kind, worse, better, pair.bound):
                    raise MetricError(
                        f"{self._name}: the {kind} does not occur in a process that has scored nothing before: "
                        f"the rankings score {worse:.6g} and {better:.6g} there"
                    )

    def _compare(self, metric: Metric, pairs: Sequence[Pairs], better_first: bool) -> list[tuple[float, float]]:
        """Check that pairs have the same scores in a fresh process as in this one, and return the scores."""
        found = self.scores(pairs, better_first)
        for pair, first in zip(pairs, found, strict=True):
            self._compare_scores(metric, scores_of_pair(pair, metric, better_first), first)
        return found

    def _compare_scores(self, metric: Metric, scores: tuple[float, float], first_scores: tuple[float, float]) -> None:
        for here, first in zip(scores, first_scores, strict=True):
            if abs(here - first) > rounding_of(metric) * max(1.0, abs(here)):
                self._when_it_differed = readable_identity(metric)
                raise MetricError(
                    f"{self._name}: a score depends on what was scored before it: the same ranking scores "
                    f"{first:.6g} in a process that has scored nothing yet, but {here:.6g} after other rankings"
                )


_STARTED: dict[int, FreshProcess] = {}
"""Fresh processes of all metrics that still exist, by the id of the metric."""


def fresh_process(metric: Metric) -> FreshProcess | None:
    """Return the fresh process of an external metric, which is forked at the first call for the metric.

    The result is None for metrics that compare distributions, and if `FORKS` is False.
    """
    if not FORKS or metric.partial:
        return None
    if id(metric) not in _STARTED:
        _STARTED[id(metric)] = FreshProcess(metric)
        try:
            weakref.finalize(metric, _end, id(metric))
        except TypeError:  # no weak references; the callback keeps the metric alive, so that its id is not reused
            atexit.register(lambda: _end(id(metric)))
    return _STARTED[id(metric)]


def fork_again_in_this_run(metrics: Iterable[Metric]) -> None:
    """Discard the fresh processes from earlier runs, because users may have changed a metric or its environment since.

    If a metric's scores were found to depend on earlier calls, its process is kept as long as the metric is unchanged,
    because a new process would inherit the metric's state and miss the dependence.
    """
    for metric in metrics:
        kept = _STARTED.get(id(metric))
        if kept is not None and not kept.is_known_to_differ(metric):
            _end(id(metric))


def _end(key: int) -> None:
    kept = _STARTED.pop(key, None)
    if kept is not None:
        kept.close()


def _close_channels_except(*kept: int) -> None:
    """Close inherited pipes and sockets, because a reader waits until all writers have closed the other end."""
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        with contextlib.suppress(OSError):  # the descriptor of the listing itself is already closed
            mode = os.fstat(descriptor).st_mode
            if descriptor not in kept and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
                os.close(descriptor)


def _serve(metric: Metric, channel: socket.socket) -> None:
    """Answer each request in its own fork, until the channel is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process handles Ctrl-C
    clocks = _names_of_clocks()  # once for all forks, because it reads every name of every module
    while request := channel.recv(_MOST):
        mark, child = request[:_MARK], os.fork()
        if child == 0:
            code = 1
            try:
                channel.send(mark + pickle.dumps(_answer(metric, request[_MARK:], clocks)))
                code = _ANSWERED
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != _ANSWERED:
            channel.send(mark)


def _answer(metric: Metric, request: bytes, clocks: _Clocks) -> list[tuple[float, float]] | str:
    """Return the scores of pairs, or the message of the exception that the metric raised."""
    try:
        pairs, better_first, time_shown = pickle.loads(request)
        if time_shown is not None:
            _put_clocks_forward(timedelta(seconds=time_shown - time.time()), clocks)
        return [scores_of_pair(pair, metric, better_first) for pair in pairs]
    except Exception as error:
        return printable(str(error))


SHIFTS = tuple(
    datetime.timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
    for days, hours, minutes, seconds in ((1, 1, 1, 1), (183, 12, 30, 30), (396, 6, 17, 7))
)
"""Amounts of time by which clocks are put forward. The first changes the parity of seconds, minutes, hours and
weekdays."""

_PLACES = (time, datetime, os)
_CLOCKS = ("time", "monotonic", "perf_counter", "process_time", "thread_time")
_OF_SECONDS = ("localtime", "gmtime", "ctime")


_Clocks = list[tuple[dict[str, Any], str, int]]
"""Names that refer to clocks, as (namespace, name, id of the clock)."""


def _names_of_clocks() -> _Clocks:
    """Return all global names of clocks in the clocks' own modules and in modules outside the standard library."""
    originals = {id(original) for original, _ in _changed(timedelta(0))}
    inside = {"axiomcheck", *sys.stdlib_module_names}  # both need the true time
    modules = sys.modules.copy()  # a loop over the original could fail if a finalizer imports another module
    outside = [module for name, module in modules.items() if name.partition(".")[0] not in inside]
    spaces = [vars(module) for module in (*_PLACES, *outside) if isinstance(module, ModuleType)]
    return [
        (names, name, id(value)) for names in spaces for name, value in names.copy().items() if id(value) in originals
    ]


def _put_clocks_forward(by: datetime.timedelta, clocks: _Clocks) -> None:
    """Make Python's clocks show a later time, and `os.getpid` return a different id, until this process ends.

    The id is the parent's plus the number of days in ``by``, so that `SHIFTS` give odd and even ids. Compiled code such
    as ``numpy.datetime64("now")`` still reads the true time.
    """
    later = {id(original): later for original, later in _changed(by)}
    for names, name, clock in clocks:
        names[name] = later[clock]


def _changed(by: datetime.timedelta) -> list[tuple[Any, Any]]:
    """Return pairs (original, replacement) for the functions and classes that give the time or the process id."""
    seconds, now, local, text = by.total_seconds(), time.time, time.localtime, time.strftime
    changed: list[tuple[Any, Any]] = [(os.getpid, lambda process=os.getppid() + by.days: process)]  # noqa: B008 - computed once
    for name in _CLOCKS:
        clock, exact = getattr(time, name), getattr(time, f"{name}_ns")
        changed.append((clock, lambda clock=clock: clock() + seconds))
        changed.append((exact, lambda clock=exact: clock() + int(seconds * 10**9)))
    for name in _OF_SECONDS:
        told = getattr(time, name)
        changed.append((told, lambda at=None, told=told: told(now() + seconds if at is None else at)))
    changed.append((text, lambda form, at=None: text(form, local(now() + seconds) if at is None else at)))
    when, day = datetime.datetime, datetime.date
    moments: dict[str, Callable[..., object]] = {
        "now": lambda cls, tz=None: when.now(tz) + by,
        "utcnow": lambda cls: when.now(datetime.UTC).replace(tzinfo=None) + by,
        "today": lambda cls: when.now() + by,
    }
    days: dict[str, Callable[..., object]] = {"today": lambda cls: (when.now() + by).date()}
    return [*changed, (when, _like(when, moments)), (day, _like(day, days))]


def _like(real: type, methods: dict[str, Callable[..., object]]) -> type:
    """Return a subclass with some class methods replaced. `isinstance` accepts the instances of the original class."""

    class Instances(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real)

    return Instances(real.__name__, (real,), {name: classmethod(method) for name, method in methods.items()})
