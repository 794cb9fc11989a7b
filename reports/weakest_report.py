"""Render the result of `axiomcheck.studies.weakest.search` as a report and as JSON.

The result lists the sets of additional assumptions that are sufficient for a metric to satisfy an axiom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import counted
from axiomcheck.core.verdict import Verdict
from axiomcheck.core.writing import json_text
from axiomcheck.records.sentences import counterexample_sentence
from axiomcheck.reports.symbols import SYMBOLS
from axiomcheck.reports.table import Report, Section
from axiomcheck.reports.words import as_sentence
from axiomcheck.studies.weakest.assumptions import ASSUMPTIONS
from axiomcheck.studies.weakest.search import SearchOutcome, Trial, Weakest


def weakest_json(found: Weakest) -> str:
    """Return the result of the search as a JSON document, whose witnesses can be checked by `axiomcheck replay`."""
    cell = found.cell
    document = {
        "schema": "axiomcheck/weakest",
        "version": 1,
        "axiom": cell.axiom,
        "metric": cell.metric,
        "reading": {"regime": found.reading.regime.value, "domain": found.reading.domain.value},
        "settings": {"seed": found.settings.seed, "examples": found.settings.examples},
        "verdict": cell.verdict.value,
        "reason": cell.reason,
        "witness": cell.witness and document_of(cell.witness),
        "offered": {name: ASSUMPTIONS[name].words for name in found.offered},
        "enough": [list(trial.assumptions) for trial in found.enough],
        "tried": [document_of(trial) for trial in found.trials],
    }
    return json_text(document)


def weakest_report(found: Weakest) -> Report:
    """Report a cell's verdict and, if it is a violation, which sets of assumptions suffice and which do not."""
    cell, reading = found.cell, found.reading
    title = f"{cell.axiom} on {cell.metric}, {reading.regime}, {reading.domain}"
    lines = [f"{title}: {SYMBOLS[cell.verdict]} {cell.verdict}", as_sentence(cell)]
    if cell.verdict is not Verdict.REFUTED:
        if cell.verdict.satisfied:
            what = "No violation was found" if cell.verdict is Verdict.HELD else "The metric satisfies the axiom"
            lines.append(f"{what}, so no assumption is needed.")
        return Report(title, lines, [])
    enough = found.enough
    if enough:
        first = Section("Enough as far as tested, weakest first", [line for trial in enough for line in _enough(trial)])
    else:
        sizes = max((len(trial.assumptions) for trial in found.trials), default=0)
        most = f", nor up to {sizes} of them together" if sizes > 1 else ""
        first = Section(f"No available assumption is enough{most}")
    alone = [trial for trial in found.having(SearchOutcome.NOT_ENOUGH) if len(trial.assumptions) == 1]
    others = Section("Not enough alone" if alone else "", [*_alone(alone), *_others(found)])
    return Report(title, lines, [first, *([others] if others.lines else [])])


def _joined(trial: Trial) -> str:
    return " + ".join(trial.assumptions)


def _enough(trial: Trial) -> list[str]:
    assert trial.verdict is not None
    words = "; ".join(ASSUMPTIONS[name].words for name in trial.assumptions)
    left = "every pattern of grades meets them"
    if trial.share is not None:
        left = f"{100 * trial.share:.3g}% of the sampled instances meet them"
    return [f"{SYMBOLS[trial.verdict]} {_joined(trial)}: {words}", f"    {trial.reason}; {left}"]


def _alone(trials: Sequence[Trial]) -> Iterator[str]:
    """Yield lines on single assumptions that are not sufficient. Those with the same counterexample share a line."""
    groups: dict[str, list[Trial]] = {}
    for trial in trials:
        groups.setdefault(repr(trial.witness), []).append(trial)
    for alike in groups.values():
        witness = alike[0].witness
        assert witness is not None
        yield f"{SYMBOLS[Verdict.REFUTED]} {', '.join(map(_joined, alike))}"
        yield f"    {counterexample_sentence(witness.axiom, witness)}"


def _others(found: Weakest) -> Iterator[str]:
    """Yield lines about insufficient sets of several assumptions, sets without instances, and undecided sets."""
    together = Counter(len(t.assumptions) for t in found.having(SearchOutcome.NOT_ENOUGH) if len(t.assumptions) > 1)
    if together:
        counts = " and ".join(f"{counted(n, 'set')} of {size}" for size, n in sorted(together.items()))
        are = "is" if together.total() == 1 else "are"
        yield f"{counts} assumptions {are} not enough either; -f json has a witness for each."
    if vacuous := found.having(SearchOutcome.VACUOUS):
        yield f"No instance meets {', '.join(map(_joined, vacuous))}."
    for trial in found.having(SearchOutcome.UNDECIDED):
        assert trial.verdict is not None
        yield f"{SYMBOLS[trial.verdict]} {_joined(trial)}: {trial.reason}"
