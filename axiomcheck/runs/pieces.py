"""Long work in pieces: shared out among processes, kept as it is finished, and not done twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from axiomcheck.ledger import LedgerFile
from axiomcheck.processes.workers import Work, results

Listener = Callable[[int, int], None]
"""Is told how many pieces of how many are finished."""


def finish(
    work: Work,
    common: Any,
    pieces: Sequence[Any],
    keys: Sequence[str],
    *,
    kind: str,
    jobs: int = 1,
    kept: LedgerFile | None = None,
    listen: Listener | None = None,
) -> list[Any]:
    """The results of all pieces, in their order whatever the order they were finished in.

    Args:
        work: a function of a module: (common, piece) -> a result that JSON can hold; it depends on nothing else.
        common: what it gets besides the piece, sent to every worker once.
        pieces: the pieces.
        keys: of each, `axiomcheck.ledger.key_of` all that its result depends on.
        kind: what the results are called where they are kept.
        jobs: worker processes; one is this process.
        kept: where finished results are looked for first, and put as they come.
        listen: is told of progress.

    Raises:
        OverLimit: a worker was killed; what was finished is kept.

    """
    out = [None if kept is None else kept.get(key) for key in keys]
    missing = [number for number, result in enumerate(out) if result is None]
    done = len(pieces) - len(missing)
    if listen is not None:
        listen(done, len(pieces))
    for number, result in results(work, common, [pieces[number] for number in missing], jobs):
        out[missing[number]] = result
        if kept is not None:
            kept.put(keys[missing[number]], result, about={"kind": kind})
        done += 1
        if listen is not None:
            listen(done, len(pieces))
    return out
