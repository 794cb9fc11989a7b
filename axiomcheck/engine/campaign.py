"""Campaigns: runs that go on, as long as there is time, with those of their cells of which least is known.

The run itself is an ordinary one. Then further blocks come a wave at a time, for the cells whose evidence is weakest:
those that only a search speaks for before those with a proof of some sizes, and among these the ones with the fewest
instances. A block that has come to its end counts, and one that the end of the time finds at work does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from axiomcheck.core.counting import counted
from axiomcheck.decide.marks import of_few
from axiomcheck.decide.search import BLOCK
from axiomcheck.engine.budget import Deadline
from axiomcheck.engine.events import Event, Listener, Progress, Said
from axiomcheck.engine.places import Place
from axiomcheck.engine.run import Key, MatrixRun
from axiomcheck.engine.tasks import Foreign
from axiomcheck.records.cells import Cell

_AT_LEAST = 2
"""Tasks of a wave per process, so that none is left with the last one for long."""

_GROWTH = 4
"""Of a cell that had n blocks a wave has n / 4 more, so that there are not thousands of waves to tell of."""


class TimeUp(Exception):
    """Ends the work of a campaign."""


def in_time(listen: Listener, until: Deadline) -> Listener:
    """Tells a listener what there is, and of progress how much of the time is over."""

    def heard(event: Event) -> None:
        if isinstance(event, Progress):
            event = replace(event, share=1 - until.left() / until.seconds)
        listen(event)

    return heard


class Campaign:
    """What comes after an ordinary run.

    Args:
        run: it, which says what is open, and listens.
        until: when the campaign ends.
        own: the place for the catalogue's metrics and metric objects; None where there are none.
        foreign: the place for the others, likewise.

    """

    def __init__(self, run: MatrixRun, until: Deadline, own: Place | None, foreign: Place | None) -> None:
        self.run, self.until = run, until
        self._own, self._foreign = own, foreign
        self._listen = run.listen
        self._waves = 0

    def go_on(self) -> None:
        """Has blocks decided until nothing is open; whatever ends it, what was found is then in the run.

        Raises:
            TimeUp: the time is up. Places may still be at work, at what does not count any more.

        """
        self.run.listen = self._hear
        try:
            while self.run.open:
                self._wave()
        finally:
            self.run.listen = self._listen
            for key in list(self.run.open):
                self.run.close(key)

    def _places(self) -> list[tuple[Place, bool]]:
        """Where cells are decided, and whether these are those of metrics from outside."""
        return [(place, foreign) for place, foreign in ((self._own, False), (self._foreign, True)) if place is not None]

    def _close_settled(self, by: str) -> None:
        for key, search in list(self.run.open.items()):
            if not search.is_open:
                cell = self.run.close(key)
                self._listen(Said(f"{by}: {cell.metric} on {cell.axiom}: {cell.verdict}, {cell.reason}"))

    def _hear(self, event: Event) -> None:
        self._listen(event)
        if isinstance(event, Progress):
            self._check_time()

    def _check_time(self) -> None:
        if not self.until.left():
            raise TimeUp

    def _wave(self) -> None:
        """One more block, or several, for each of the weakest cells."""
        self._check_time()
        self._waves += 1
        keys = weakest({key: search.cell for key, search in self.run.open.items()})
        for place, foreign in self._places():
            here = [key for key in keys if isinstance(self.run.metric_of(key), Foreign) is foreign]
            if here:
                self._search(here, place)
        self._close_settled(f"wave {self._waves}")
        if self.run.open:
            cells = [search.cell for search in self.run.open.values()]
            self._listen(Said(f"wave {self._waves}: {standing(cells)}"))

    def _search(self, keys: Sequence[Key], place: Place) -> None:
        least = -(-_AT_LEAST * place.jobs // len(keys))
        wanted: dict[Key, list[tuple[int, int]]] = {}
        for key in keys:
            search = self.run.open[key]
            examples = BLOCK
            if of_few(search.cell.marks):  # as its first block had, by which the size of what it enumerated went
                examples = min(BLOCK, self.run.settings.examples)
            count = max(least, search.next // _GROWTH)
            wanted[key] = [(search.next + number, examples) for number in range(count)]
        self.run.search_further(wanted, self.run.open, place, lambda key: None)
        for key, blocks in wanted.items():
            search = self.run.open[key]
            if search.is_open and search.next <= blocks[-1][0]:
                del self.run.open[key]  # a worker died of one of them, again and again, which is the cell's error


def weakest(cells: Mapping[Key, Cell]) -> list[Key]:
    """Which of some cells the next wave is for: the weakest, and those that would be weaker than that after it."""
    least = min(map(_strength, cells.values()))
    return [key for key, cell in cells.items() if _strength(cell) < (least[0], least[1] + BLOCK)]


def standing(cells: Sequence[Cell]) -> str:
    """How much is known of the weakest of some cells."""
    cell = min(cells, key=_strength)
    share = f", so that what 1 in {cell.pairs.one_in:,} random ones violates is found with 99 %" if cell.pairs else ""
    return (
        f"{counted(len(cells), 'cell')} open; least is known of {cell.metric} on {cell.axiom}: {cell.verdict}, "
        f"{counted(cell.instances, 'distinct instance')} at least{share}"
    )


def _strength(cell: Cell) -> tuple[bool, int]:
    return cell.certificate is not None, cell.instances
