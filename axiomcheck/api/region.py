"""`axiomcheck.region`: for which parameters a metric satisfies an axiom."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from axiomcheck.api.asked import AxiomLike, MetricLike, cell_named, loaded_metric_of, nothing, options_of
from axiomcheck.api.results import Result, Writers
from axiomcheck.axioms import AXIOMS
from axiomcheck.core.domain import Number, Regime, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.core.writing import json_text
from axiomcheck.engine.events import Listener, Progress
from axiomcheck.reports.pictures import FORMATS, check_drawable
from axiomcheck.reports.region_picture import region_picture
from axiomcheck.reports.region_report import region_json, region_text
from axiomcheck.studies.region import Region, axis_of, read_axis, region_of

Over: TypeAlias = Mapping[str, tuple[Number, Number]] | str | Iterable[str]
"""Name -> (low, high), or texts such as ``"p=0.5:0.99"`` as the command has them."""

DEEPEST = 12


@dataclass(frozen=True, repr=False)
class RegionResult(Result):
    """For which parameters an axiom holds.

    Args:
        region: intervals or rectangles, each with its verdict and what shows it.

    """

    region: Region

    @property
    def decided(self) -> bool:
        """Whether nothing is undecided."""
        return self.region.decided

    @property
    def shares(self) -> dict[str, float]:
        """Verdict -> its share of the whole range."""
        return {verdict: float(share) for verdict, share in self.region.shares().items()}

    def lines(self) -> list[str]:
        """The region in words."""
        return region_text(self.region).splitlines()

    def rows(self) -> tuple[Sequence[str], list[Sequence[Any]]]:
        """A row per interval or rectangle, the ends in floats."""
        names = [axis.name for axis in self.region.axes if not axis.whole]
        ends = [f"{name} {end}" for name in names for end in ("low", "high")]
        rows: list[Sequence[Any]] = []
        for part in self.region.parts:
            for piece in part.pieces:
                sides = [float(piece.low.middle), float(piece.high.middle)]
                rows.append([part.cutoff, *sides, piece.finding.verdict, piece.finding.how])
            for cell in part.cells:
                by = {name: (float(low), float(high)) for name, low, high in cell.box}
                sides = [end for name in names for end in by[name]]
                rows.append([part.cutoff, *sides, cell.finding.verdict, cell.finding.how])
        if all(axis.whole is False for axis in self.region.axes):
            return [*ends, "verdict", "certified"], [row[1:] for row in rows]
        return ["k", *ends, "verdict", "certified"], rows

    def writers(self) -> Writers:
        """The document, the text, and pictures."""
        pictures = {ending: lambda ending=ending: self.picture(ending) for ending in FORMATS}
        return {
            ".json": lambda: json_text(region_json(self.region)),
            ".txt": lambda: region_text(self.region),
            **pictures,
        }

    def _repr_html_(self) -> str:
        from axiomcheck.reports.html.results import rows_fragment

        if importlib.util.find_spec("matplotlib") is None:
            return super()._repr_html_()
        svg = self.picture().decode("utf-8")
        return rows_fragment(self._head(), (), (), svg[svg.index("<svg") :])

    def picture(self, ending: str = ".svg") -> bytes:
        """The bytes of a picture.

        Args:
            ending: ``".png"`` or ``".svg"``.

        Raises:
            InvalidInput: matplotlib is not installed, or nothing is drawn in files of that ending.

        """
        check_drawable(Path(f"picture{ending}"))
        return region_picture(self.region, ending)


def region(
    metric: MetricLike,
    axiom: AxiomLike,
    over: Over,
    *,
    regime: str = Regime.STATED,
    depth: int | None = None,
    seed: int = 0,
    listen: Listener = nothing,
) -> RegionResult:
    """Shows for which parameters a metric satisfies an axiom, as ``axiomcheck region`` does.

    Args:
        metric: of the catalogue, or a fold declared in a class.
        axiom: one of the ten.
        over: what is varied and its range, at most two: ``{"p": (0.5, 0.99)}``. A parameter of the metric, ``"k"``
            (the cutoff), or ``"rc"`` (the grade of relevant documents, in the finite regime). Floats stand for their
            decimals.
        regime: where r << 1 is assumed: ``"stated"``, ``"limit"`` or ``"finite"``.
        depth: how often each side is halved at most, where a map is bisected, 0 to 12; None is by axiom.
        seed: of the searches for counterexamples.
        listen: called with every event of `axiomcheck.engine.events`.

    Raises:
        InvalidInput: a metric, axiom, range or option that cannot be used; the message says what is expected.

    """
    asked = options_of("region", listen, regime=regime, seed=seed)
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= DEEPEST):
        raise InvalidInput(f"region: depth is {depth!r}; expected a whole number from 0 to {DEEPEST}, or None")
    measured, wanted = cell_named(metric, axiom, loaded_metric_of)
    if wanted.name not in AXIOMS:
        raise InvalidInput(f"{wanted.name}: regions are of the ten axioms only; expected {', '.join(AXIOMS)}")
    small = assumes_small(wanted, asked.reading)
    if isinstance(over, Mapping):
        axes = [
            axis_of(name, *_ends(name, ends), wanted, measured, small, f"over {name}={shown(ends)}")
            for name, ends in over.items()
        ]
    else:
        axes = [read_axis(text, wanted, measured, small) for text in _texts(over)]

    def heard(share: Fraction) -> None:
        listen(Progress(float(share), "region"))

    return RegionResult(region_of(wanted, measured, axes, asked.reading, depth, seed, heard))


def _texts(over: Any) -> list[str]:
    texts = [over] if isinstance(over, str) else list(over) if isinstance(over, Iterable) else [over]
    if not all(isinstance(text, str) for text in texts):
        raise InvalidInput(
            f"region: over is {shown(over)}; expected ranges of parameters, as in {{'p': (0.5, 0.99)}} or 'p=0.5:0.99'"
        )
    return texts


def _ends(name: str, ends: Any) -> tuple[Any, Any]:
    try:
        low, high = ends
    except (TypeError, ValueError):
        raise InvalidInput(f"over {name}={shown(ends)}: expected (low, high), such as (0.5, 0.99)") from None
    return low, high
