"""Divide the time budget of a run: determine the size and the timeout of each cell's next block.

Every cell of an external metric is first searched on few instances. If that is fast enough, one block with as many
instances as without a time limit follows. Otherwise, several smaller blocks add instances to the answer. A block that
does not finish in time is discarded as a whole. The speed of the machine thus affects only the number of instances,
which the evidence reports.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from axiomcheck.core.errors import OverLimit
from axiomcheck.core.verdict import Failure, Verdict
from axiomcheck.decide.search import BLOCK, Settings, limited_to
from axiomcheck.engine.blocks import Block
from axiomcheck.engine.external import Measured, seconds_of_calls
from axiomcheck.engine.tasks import Deadline, Found, Key
from axiomcheck.metrics import Metric
from axiomcheck.records.cells import Cell

FEWEST = 15
"""Number of instances of each kind in the first block of a cell, unless the metric is slow."""

FIRST_LOOK = 2
"""Number of instances in the first block of a metric that is too slow for more. The next block replaces this one."""

_CALLS_OF_ONE, _SECONDS_OF_ONE = 10, 5e-5
"""Largest number of rankings that are scored per example, and the additional time per example in seconds."""

_BESIDES = 3
"""Number of examples that take as long as checking that scores are repeatable."""

_EXAMPLES_OF_THRESHOLD = 100
"""Number of examples that take as long as deciding a threshold axiom."""

_QUICK, _QUICK_FOLD = 3.0, 0.4
"""Seconds that a block with all instances takes: for a catalogue metric, and for a function that is a fold."""

_LATE = 4
"""A block is discarded once it has taken this multiple of its share of the time."""

_CAREFUL = 0.75
"""Fraction of a block's time share to fill with examples. The rest is a reserve, as a late block is discarded."""

_CONTRACT_CALLS = 6_000
"""Upper bound on the calls that the contract checks make to a metric that scores one ranking per call."""

_FEW_CASES = 500
"""Limit on the number of contract check cases if time is short, set as a metric's `most_examples`."""


@dataclass
class _Pace:
    """Sizes and durations of a cell's blocks so far, used to estimate those of the next block.

    Args:
        tried: Number of examples in the blocks that make up the answer.
        few: Number of examples in the last block.
        begins: Duration of the first block in seconds. Most of it is not spent on the search.
        of_one: Estimated time for one more example, in seconds.
        lost: Timeout, in seconds, of a discarded block; 0 if none was discarded.
        why: Reason for discarding that block.

    """

    tried: int = 0
    few: int = 0
    begins: float = 0.0
    of_one: float = _SECONDS_OF_ONE
    lost: float = 0.0
    why: str = "no time was left for it"


class Budget:
    """Time limit of a run, and the division of the remaining time among the open cells.

    Args:
        deadline: End of the whole run.
        settings: Settings with the maximum number of examples per cell.
        places: Number of blocks that are searched at the same time.
        limit: Maximum duration of one block, in seconds.

    Attributes:
        measured: Measured speeds of external metrics by name. All other metrics come from the catalogue and are fast.

    """

    def __init__(self, deadline: Deadline, settings: Settings, places: int, limit: float) -> None:
        self._deadline, self._places, self._limit = deadline, places, limit
        self._examples = settings.examples
        self.measured: dict[str, Measured] = {}
        self._paces: dict[Key, _Pace] = defaultdict(_Pace)
        self._first_looks: dict[str, int] = {}

    def block(self, key: Key, answer: Cell | None, is_added: bool, peers: int) -> Block | None:
        """Return the next block of a cell, or None if there is no time for a block that adds evidence.

        Args:
            key: Key of the cell.
            answer: Cell with the evidence so far.
            is_added: Whether the block adds to the answer; otherwise it replaces the blocks before it.
            peers: Number of cells, including this one, that share the time because they have the same amount of
                evidence.

        """
        left = self._deadline.left_for_work()
        if not left:
            return None
        pace, most, whole = self._paces[key], self._most(key), min(self._examples, BLOCK)
        share = min(left, left * self._places / peers)
        seconds = min(left, self._limit, _LATE * share)
        if answer is None:
            seconds = min(self._limit, max(seconds, 2 * pace.lost))
            if seconds > left:
                return None
            known = self.measured.get(key[0])
            is_quick = share > (_QUICK if known is None else _QUICK_FOLD if known.is_fold else left)
            is_whole = not pace.lost and (is_quick or most <= FEWEST)
            few = max(FIRST_LOOK, min(FEWEST, int(share / self._seconds_of_one(key)) // 2 - _BESIDES))
            few = self._first_looks.setdefault(key[0], few)
            return Block(whole, seconds=seconds) if is_whole else Block(few, few, seconds)
        size = int((_CAREFUL * share - pace.begins) / pace.of_one)
        # Threshold axioms do not depend on examples.
        needed = 2 * max(pace.begins, pace.lost) + _EXAMPLES_OF_THRESHOLD * self._seconds_of_one(key)
        if pace.tried <= FEWEST and (size >= most or (not answer.pairs and needed < left)):
            return Block(whole, seconds=min(left, self._limit, max(seconds, needed)))
        is_first_look = pace.few < FEWEST or answer.verdict is Verdict.UNDECIDED
        if not is_added and not (answer.pairs and is_first_look):
            return None
        least = min(most - pace.tried, max(FEWEST, pace.tried // 2 if is_added else 2 * pace.few))
        needed = pace.begins + least * pace.of_one
        if least <= 0 or needed > _CAREFUL * left:
            return None
        size = min(max(least, size), most - pace.tried, BLOCK)
        return Block(size, size, min(left, self._limit, max(seconds, needed / _CAREFUL)))

    def _most(self, key: Key) -> int:
        """Return the maximum number of examples for a cell, which may be lower for a slow metric."""
        known = self.measured.get(key[0])
        slowest = known.most_examples if known is not None else None
        return self._examples if slowest is None else min(self._examples, slowest)

    def _seconds_of_one(self, key: Key) -> float:
        """Return the estimated seconds per example of a cell."""
        known = self.measured.get(key[0])
        return _SECONDS_OF_ONE + _CALLS_OF_ONE * known.seconds if known else _QUICK / BLOCK

    def counts(self, found: Found) -> bool:
        """Record the outcome and duration of a block, and return whether the next block can add instances to it.

        Returns:
            False if the next block must replace this one instead.

        """
        pace, cell, task = self._paces[found.key], found.cell, found.task
        pace.few = task.few or self._most(found.key)
        if cell.failure is Failure.LIMIT:
            pace.lost, pace.why = task.seconds or 0.0, cell.reason
            pace.of_one *= 4
            return False
        if not pace.begins:
            pace.begins = found.seconds
            pace.of_one = self._seconds_of_one(found.key)
        else:
            pace.of_one = max(_SECONDS_OF_ONE / 10, (found.seconds - pace.begins) / max(1, pace.few))
        begins = task.few is not None and not task.block
        if begins and (pace.few < FEWEST or not cell.pairs or not cell.verdict.satisfied):
            return False
        pace.tried = pace.few + (pace.tried if task.block else 0)
        return True

    def has_more(self, key: Key) -> bool:
        """Return whether a cell may be tested on more examples than it has been so far."""
        return self._paces[key].tried < self._most(key)

    def no_answer(self, key: Key) -> OverLimit:
        """Return the error that explains why a cell has no answer."""
        return OverLimit(f"no answer within the budget of {self._deadline.seconds:g} s: {self._paces[key].why}")


def cut_short(cell: Cell) -> bool:
    """Return whether a cell was tested on fewer instances than usual, or has no answer, because of a time limit."""
    return cell.few or cell.failure is Failure.LIMIT


def for_contract(metric: Metric, seconds: float | None) -> Metric:
    """Return a metric for the contract checks, limited to fewer cases if `seconds` is too short for all of them."""
    if seconds is None or seconds_of_calls(metric) * _CONTRACT_CALLS < seconds:
        return metric
    return limited_to(metric, _FEW_CASES)
