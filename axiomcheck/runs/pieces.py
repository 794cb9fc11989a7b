"""Distribution of long work over processes, in pieces whose results are cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from axiomcheck.ledger import LedgerFile
from axiomcheck.processes.workers import Work, results

Result = TypeVar("Result")

Listener = Callable[[int, int], None]
"""Callback that receives the number of finished pieces and the total."""


def gathered(found: Iterator[tuple[int, Result, bool]], count: int, listen: Listener | None = None) -> list[Result]:
    """Return the results of all pieces in the order of the pieces, whatever the order in which they finish.

    Args:
        found: Iterator of `finished`.
        count: Number of pieces.
        listen: Callback for progress.

    """
    out: dict[int, Result] = {}
    new = False
    for number, result, known in found:
        if listen is not None and not known and not new:
            listen(len(out), count)
        out[number], new = result, new or not known
        if listen is not None and new:
            listen(len(out), count)
    if listen is not None and not new:
        listen(count, count)
    return [out[number] for number in range(count)]


def finished(
    work: Work,
    common: Any,
    pieces: Sequence[Any],
    keys: Sequence[str | None],
    *,
    kind: str,
    jobs: int = 1,
    kept: LedgerFile | None = None,
) -> Iterator[tuple[int, Any, bool]]:
    """Yield the index of each piece, its result, and True if it was cached.

    Cached pieces come first, then the others as they finish.

    Args:
        work: Module-level function (common, piece) -> result that JSON can represent. The result depends only on these
            arguments.
        common: Argument shared by all pieces, which is sent to every worker once.
        pieces: Pieces.
        keys: Cache key of each piece, made by `axiomcheck.ledger.key_of` from everything that its result depends on;
            None if that is unknown.
        kind: Name of the results in the cache.
        jobs: Number of worker processes; 1 for this process only.
        kept: Cache of finished results.

    Raises:
        OverLimit: A worker was killed. Finished results are kept.

    """
    missing = []
    for number, key in enumerate(keys):
        result = None if kept is None or key is None else kept.get(key)
        if result is None:
            missing.append(number)
        else:
            yield number, result, True
    for place, result in results(work, common, [pieces[number] for number in missing], jobs):
        number = missing[place]
        key = keys[number]
        if kept is not None and key is not None:
            kept.put(key, result, about={"kind": kind})
        yield number, result, False
