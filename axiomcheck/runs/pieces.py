"""Long work in pieces: shared out among processes, kept as it is finished, and not done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
    """Return the results of all pieces, in their order whatever the order they were finished in.

    Args:
        work: as `finished` takes it, and so the next six.
        common: what it gets besides the piece.
        pieces: the pieces.
        keys: of each.
        kind: what the results are called where they are kept.
        jobs: worker processes.
        kept: where finished results are looked for first.
        listen: is told of progress.

    Raises:
        OverLimit: a worker was killed; what was finished is kept.

    """
    out: list[Any] = [None] * len(pieces)
    remembered, new = 0, 0
    for number, result, known in finished(work, common, pieces, keys, kind=kind, jobs=jobs, kept=kept):
        out[number] = result
        if listen is not None and not known:
            if not new:
                listen(remembered, len(pieces))
            listen(remembered + new + 1, len(pieces))
        remembered, new = remembered + known, new + (not known)
    if listen is not None and not new:
        listen(remembered, len(pieces))
    return out


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
