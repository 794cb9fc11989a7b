"""Collect all data that a page shows about a cell, and render matrices as pages with every cell in full."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from axiomcheck.axioms import Axiom, about_blocks, about_pairs, find_axiom
from axiomcheck.core.documents import difference, document_of
from axiomcheck.core.errors import AxiomcheckError, InvalidInput
from axiomcheck.core.writing import unique_names
from axiomcheck.decide.witness import read_any_witness, rebuilt
from axiomcheck.records.cells import Cell, Ledger, joined
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.html.page import render_page
from axiomcheck.reports.layout import Layout
from axiomcheck.reports.proof_report import ArgumentCase, ArgumentPart, argument
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.witness import ToldWitness, told_threshold, told_witness
from axiomcheck.sources.names import catalogue_metric, read_name

_MOST_STEPS = 400
"""Maximum number of steps in an argument on a page; longer arguments are cut off after their first cases."""


@dataclass(frozen=True)
class ShownCell:
    """A cell of the matrix as a page shows it in full.

    Args:
        id: Name of the cell's section.
        ledger: Ledger of the cell.
        cell: Cell with its verdict and evidence.
        witness: Counterexample, or an argument for all large n; None if there is none.
        argument: Argument of the certificate, step by step.
        left_out: Number of cases omitted at the end of the argument.

    """

    id: str
    ledger: Ledger
    cell: Cell
    witness: ToldWitness | None
    argument: tuple[ArgumentPart, ...]
    left_out: int

    @property
    def axiom(self) -> Axiom:
        """Axiom of the cell."""
        return find_axiom(self.cell.axiom)

    @property
    def marks(self) -> str:
        """Footnote marks of the cell; see `Layout.marks`."""
        return Layout(self.ledger).marks(self.cell)

    @property
    def replay(self) -> str:
        """Command that replays the witness, to be completed with the name of its file.

        A metric that loads code is named with ``-m``, since `axiomcheck replay` loads only code that the user names.
        """
        name = self.cell.metric
        return "axiomcheck replay" + (f" -m {shlex.quote(name)}" if read_name(name).loads_code else "")

    @property
    def again(self) -> str:
        """Command that decides the cell again with the same settings."""
        settings = self.ledger.settings
        words = ["matrix", self.cell.metric, "-a", self.cell.axiom, *self._reading]
        words += ["--examples", str(settings.examples), "--seed", str(settings.seed)]
        words += ["--no-exhaustive"] * (not settings.exhaustive) + ["--no-proofs"] * (not settings.proofs)
        limits = [(f"--{name}", getattr(settings, name)) for name in ("budget", "until")]
        return shlex.join(["axiomcheck", *words, *(f for k, v in limits if v for f in (k, f"{v:g}s"))])

    @property
    def prove(self) -> str:
        """Command that finds and prints the proof again."""
        return shlex.join(["axiomcheck", "prove", self.cell.metric, self.cell.axiom, *self._reading, "-v"])

    @property
    def _reading(self) -> list[str]:
        return ["--regime", self.ledger.regime, "--domain", self.ledger.domain]


def identities(*ledgers: Ledger) -> list[str]:
    """Return an id for the section of each cell in the ledgers, which is also the fragment of its URL.

    The ids are unique, even if case is ignored, and depend only on the ledgers.
    """
    names = []
    for ledger in ledgers:
        for cell in ledger.cells:
            plain = re.sub(r"[^A-Za-z0-9.=-]+", "_", cell.metric).strip("_.")[:80]
            names.append(f"{ledger.regime}-{ledger.domain}-{plain or 'metric'}-{cell.axiom}")
    return list(unique_names(names, "~"))


def shown_cells(*ledgers: Ledger) -> list[ShownCell]:
    """Collect the data that a page shows about each cell.

    Witnesses of catalogue metrics are scored again, because a saved report may be wrong, and the contribution of each
    rank is computed. Code of other metrics is not run.

    Raises:
        InvalidInput: A witness is not an instance of its axiom; the message names the cell.

    """
    cells = [(ledger, cell) for ledger in ledgers for cell in ledger.cells]
    names = identities(*ledgers)
    return [_shown_cell(ledger, cell, name) for (ledger, cell), name in zip(cells, names, strict=True)]


def _shown_cell(ledger: Ledger, cell: Cell, identity: str) -> ShownCell:
    try:
        witness = None if cell.witness is None else _told(cell, cell.witness, find_axiom(cell.axiom))
    except InvalidInput as error:
        raise InvalidInput(f"{cell.metric}, {cell.axiom}: {error}") from None
    told, left_out = _shortened(argument(cell.certificate) if cell.certificate is not None else ())
    return ShownCell(identity, ledger, cell, witness, told, left_out)


def _told(cell: Cell, witness: AnyWitness, axiom: Axiom) -> ToldWitness:
    """Describe a counterexample as a page shows it, with a remark unless it was scored again and confirmed.

    Raises:
        InvalidInput: The witness is not an instance of its axiom.

    """
    metric, doubt = catalogue_metric(cell.metric), ""
    try:
        if metric is not None:
            read_any_witness(witness, metric)
    except AxiomcheckError as error:  # a witness of another metric may fail in any way
        doubt = str(error).removeprefix("witness: ")
    if isinstance(witness, ThresholdWitness):
        assert about_blocks(axiom)  # other axioms have no witnesses of this kind
        told = told_threshold(witness, axiom)
    else:
        assert about_pairs(axiom)
        binary = axiom.binary or (cell.pairs is not None and cell.pairs.binary)
        told = told_witness(witness, rebuilt(witness, axiom, binary), None if doubt else metric, curves=True)
    return replace(told, doubt=doubt, unscored=metric is None)


def _shortened(parts: Sequence[ArgumentPart]) -> tuple[tuple[ArgumentPart, ...], int]:
    """Omit cases of an argument beyond `_MOST_STEPS` steps, and return the rest and the number of omitted cases."""
    told, left_out, steps = [], 0, 0
    for part in parts:
        cases: list[ArgumentCase] = []
        for case in part.cases:
            steps += len(case.lines)
            if steps <= _MOST_STEPS or not cases:
                cases.append(case)
            else:
                left_out += 1
        told.append(replace(part, cases=tuple(cases)))
    return tuple(told), left_out


def matrix_page(ledgers: Sequence[Ledger]) -> str:
    """Return the matrices of one or several readings as one page, with every cell in full.

    Raises:
        InvalidInput: Two ledgers have different settings, or cannot be joined (see `axiomcheck.records.cells.joined`).

    """
    together = joined(ledgers)
    for other in together[:-1]:
        ledger = together[-1]
        apart = difference(document_of(ledger.settings), document_of(other.settings), ("settings",))
        if apart is not None:
            raise InvalidInput(
                f"the reports for {ledger.regime}, {ledger.domain} and for {other.regime}, {other.domain} cannot be "
                f"shown on one page: {apart}; create them with the same settings"
            )
    layouts, cells = [Layout(ledger) for ledger in together], shown_cells(*together)
    return render_page(
        "matrix.html.j2",
        styles=("matrix.css", "cell.css", "plots.css"),
        scripts=("matrix.js", "copy.js"),
        layouts=layouts,
        families=list(dict.fromkeys(name for layout in layouts for name in layout.families(layout.axioms))),
        verdicts=[verdict for verdict in SYMBOLS if any(shown.cell.verdict is verdict for shown in cells)],
        claims=any(shown.cell.published for shown in cells),
        short=lambda published: "y/n" if published == "contradictory" else published,
        addresses={
            (shown.ledger.regime, shown.ledger.domain, shown.cell.metric, shown.cell.axiom): f"#{shown.id}"
            for shown in cells
        },
        cells=cells,
    )
