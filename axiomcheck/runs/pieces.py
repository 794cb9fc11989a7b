"""Long work in pieces: shared out among processes, kept as it is finished, and not done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from axiomcheck.ledger import LedgerFile
from axiomcheck.processes.workers import Work, results

Result = TypeVar("Result")

Listener = Callable[[int, int], None]
"""Is told how many pieces of how many are finished."""


def gathered(found: Iterator[tuple[int, Result, bool]], count: int, listen: Listener | None = None) -> list[Result]:
    """Return the results of all pieces, in their order whatever the order they were finished in.

    Args:
        found: of `finished`.
        count: how many there are.
        listen: is told of progress.

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
    """Yield the number of each piece, its result, and true if it was kept: those first, then the others as they come.

    Args:
        work: a function of a module: (common, piece) -> a result that JSON can hold; it depends on nothing else.
        common: what it gets besides the piece, sent to every worker once.
        pieces: the pieces.
        keys: of each, `axiomcheck.ledger.key_of` all that its result depends on; None where that is not known.
        kind: what the results are called where they are kept.
        jobs: worker processes; one is this process.
        kept: where finished results are looked for first, and put as they come.

    Raises:
        OverLimit: a worker was killed; what was finished is kept.

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
