"""`axiomcheck.region`: find the parameter values for which a metric satisfies axioms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias, TypedDict, Unpack

from msgspec import Meta

from axiomcheck.api.asked import (
    AxiomLike,
    MetricLike,
    axioms_of,
    cell_named,
    loaded_metric_of,
    nothing,
    processes,
)
from axiomcheck.api.options import (
    Default,
    DomainName,
    Examples,
    Jobs,
    Option,
    RegimeName,
    Seed,
    checked,
    reading_of,
    settings_of,
    with_options,
)
from axiomcheck.api.results import Result, Rows, Writers
from axiomcheck.axioms import AXIOMS, Axiom
from axiomcheck.core.domain import Number, assumes_small
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.printable import shown
from axiomcheck.core.writing import json_text
from axiomcheck.decide.budgets import REPEATED
from axiomcheck.engine.events import Listener, Progress
from axiomcheck.engine.memory import Memory, Remembered
from axiomcheck.engine.places import Machine
from axiomcheck.ledger.file import ledger_of_user
from axiomcheck.metrics import Metric
from axiomcheck.reports.region_report import regions_csv, regions_json, regions_report
from axiomcheck.reports.table import Report
from axiomcheck.studies.region.axes import Axis, axis_of, read_axis
from axiomcheck.studies.region.decide import regions_of
from axiomcheck.studies.region.result import Region

Over: TypeAlias = Mapping[str, tuple[Number, Number] | tuple[Number, Number, int]] | str | Iterable[str]
"""Name -> (low, high) or (low, high, count); or strings such as ``"p=0.5:0.99"``, as on the command line."""


@dataclass(frozen=True, repr=False)
class RegionResult(Result):
    """Verdicts on axioms over parameter ranges.

    Args:
        regions: One region per axiom: intervals, rectangles or grid settings, each with its verdict and evidence.
        remembered: Number of grid settings whose cells were loaded from the ledger.

    """

    draws = True
    regions: tuple[Region, ...]
    remembered: int = 0

    @property
    def interrupted(self) -> bool:  # type: ignore[override]
        """True if Ctrl-C ended the work. The remaining settings are undecided."""
        return any(region.interrupted for region in self.regions)

    @property
    def region(self) -> Region:
        """The single region, for a result with one axiom.

        Raises:
            InvalidInput: The result has several axioms, and therefore several regions.

        """
        if len(self.regions) > 1:
            names = ", ".join(region.axiom for region in self.regions)
            raise InvalidInput(f"there are several regions ({names}); use `regions` instead of `region`")
        return self.regions[0]

    @property
    def decided(self) -> bool:
        """True if every region is decided everywhere."""
        return all(region.decided for region in self.regions)

    @property
    def shares(self) -> dict[str, float]:
        """Share of the parameter range, from 0 to 1, by verdict; only for a result with one axiom."""
        return {verdict.value: float(share) for verdict, share in self.region.shares().items() if share}

    def report(self) -> Report:
        """Return a report that describes the regions in words. HTML pages also show maps, reasons and witnesses."""
        return regions_report(self.regions)

    def rows(self) -> Rows:
        """Return one row per interval or box, with its endpoints as floats."""
        names = [axis.name for axis in self.regions[0].axes]
        rows: list[Sequence[object]] = []
        for region in self.regions:
            for finding, box in region.boxes():
                ends = [float(end) for name in names for end in box[name]]
                rows.append([region.axiom, *ends, finding.verdict.value, finding.how])
        return ["axiom", *(f"{name} {end}" for name in names for end in ("low", "high")), "verdict", "certified"], rows

    def writers(self) -> Writers:
        """Map ``json`` to a function that returns the regions, and ``csv`` to one that returns the grid settings."""
        return {
            "json": lambda: json_text(regions_json(self.regions)),
            "csv": lambda: regions_csv(self.regions),
        }


class RegionOptions(TypedDict, total=False):
    """Options of ``axiomcheck region``."""

    regime: RegimeName
    domain: DomainName
    depth: Annotated[
        int | None,
        Option(
            "Maximum number of times that a range is halved. Default: 8, or 7 for two ranges.",
            kind=Annotated[int, Meta(ge=0, le=12)] | None,
            metavar="N",
        ),
    ]
    examples: Annotated[Examples, Default(REPEATED)]
    seed: Seed
    jobs: Jobs


@with_options(RegionOptions)
def region(
    metric: MetricLike,
    axioms: AxiomLike | Iterable[AxiomLike] | None = None,
    *,
    over: Over,
    listen: Listener = nothing,
    **options: Unpack[RegionOptions],
) -> RegionResult:
    """Find the parameter values for which a metric satisfies axioms, as ``axiomcheck region`` does.

    For DeepTh and CloseTh over one or two ranges without a count, the boundaries of regions are exact. Otherwise the
    axioms are decided for each setting of a grid.

    Args:
        metric: Catalogue metric, or your own class or function with parameters.
        axioms: One or several of the ten axioms. None means all ten.
        over: Parameters to vary with their ranges: ``{"p": (0.5, 0.99)}``, or ``{"p": (0.5, 0.99, 50)}`` for fifty
            values. Names are parameters of the metric, ``"k"`` (the cutoff) or ``"rc"`` (the grade of relevant
            documents, in the finite regime). A float is read as its decimal text, so that 0.1 is 1/10.
        **options: see `Option`.
        listen: Callback for each event of `axiomcheck.engine.events`.

    Raises:
        InvalidInput: A metric, axiom, range or option is invalid; the message says what is expected.

    """
    asked = checked("region", RegionOptions, options, listen)
    reading = reading_of(asked)
    if isinstance(axioms, str | Axiom):
        measured, only = cell_named(metric, axioms, loaded_metric_of)
        wanted = [only]
    else:
        measured, wanted = loaded_metric_of(metric), axioms_of(axioms)
    for one in wanted:
        if one.name not in AXIOMS:
            raise InvalidInput(f"{one.name}: regions exist only for the ten axioms; expected {', '.join(AXIOMS)}")
    axes = {one: _axes(over, one, measured, assumes_small(one, reading)) for one in wanted}
    ledger = ledger_of_user()
    with nullcontext() if ledger is None else closing(ledger):
        memory = Memory() if ledger is None else Remembered(ledger)
        found = regions_of(
            *(measured, axes, reading, settings_of(asked), asked["depth"]),
            *(Machine(processes(asked["jobs"], [measured])), memory),
            lambda share, doing: listen(Progress(share, doing)),
        )
    return RegionResult(found, memory.found)


def _axes(over: Over, axiom: Axiom, metric: Metric, small: bool) -> list[Axis]:
    if not isinstance(over, Mapping):
        return [read_axis(text, axiom, metric, small) for text in _texts(over)]
    found = []
    for name, ends in over.items():
        low, high, count = _ends(name, ends)
        found.append(axis_of(name, low, high, axiom, metric, small, f"over {name}={shown(ends)}", count))
    return found


def _texts(over: Any) -> list[str]:
    texts = [over] if isinstance(over, str) else list(over) if isinstance(over, Iterable) else [over]
    if not all(isinstance(text, str) for text in texts):
        raise InvalidInput(
            f"region: over is {shown(over)}; expected ranges of parameters, as in {{'p': (0.5, 0.99)}} or 'p=0.5:0.99'"
        )
    return texts


def _ends(name: str, ends: Any) -> tuple[Number, Number, int | None]:
    try:
        low, high, *counts = ends
    except (TypeError, ValueError):
        counts = [None, None]
    if len(counts) > 1 or not all(isinstance(count, int) and not isinstance(count, bool) for count in counts):
        raise InvalidInput(
            f"over {name}={shown(ends)}: expected (low, high) or (low, high, count), such as (0.5, 0.99, 50)"
        )
    return low, high, counts[0] if counts else None
