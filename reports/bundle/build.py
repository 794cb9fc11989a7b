"""Write the texts of a witness's folder: judgments, two runs, a README and the commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import printable
from axiomcheck.core.writing import json_text
from axiomcheck.metrics import Metric
from axiomcheck.records.sentences import decimal
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.bundle.instance import ScoredInstance, scored_instance
from axiomcheck.reports.bundle.tools import ToolCall, TrecFiles, aspects_form, tool_call
from axiomcheck.reports.table import as_markdown
from axiomcheck.sources.names import read_name
from axiomcheck.sources.resolve import resolve

_LONGEST_NAME = 200
"""Characters of a metric's name that are shown."""

_DIGITS = 10


@dataclass(frozen=True)
class Bundle:
    """A witness's folder.

    Args:
        files: name -> content.
        call: of ir_measures, which shows the two scores; None where it has no such measure.
        worse, better: the scores that the metric gives the two rankings, exact or certified.
        reason: why there is no call; empty where there is one.

    """

    files: dict[str, str]
    call: ToolCall | None
    worse: str
    better: str
    reason: str

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that are typed in the folder: for the worse run, then for the better one."""
        return () if self.call is None else self.call.commands


def bundle_of(witness: AnyWitness, metric: Metric | None = None) -> Bundle:
    """Return the bundle of a witness.

    Args:
        witness: a record; it is not checked here (see `axiomcheck.decide.witness.read_any_witness`).
        metric: that it is of; left out, the metric that it names, which is not loaded from a file or module: its scores
            are then those of the record.

    Raises:
        InvalidInput: the witness is no instance of its axiom, or names no metric.
        InternalDisagreement: it shows at no concrete grades.

    """
    if metric is None and not read_name(witness.metric).loads_code:
        metric = resolve(witness.metric)
    shown = scored_instance(witness, metric)
    found: ToolCall | str = "The metric was not loaded, so that nothing is known of its like in other tools."
    if metric is not None:
        found = tool_call(metric, shown)
    call, reason = (found, "") if isinstance(found, ToolCall) else (None, found)
    forms = [aspects_form(shown.instance)]
    if call is not None and call.files.names != forms[0].names:
        forms.append(call.files)
    files = {"README.md": _readme(witness, shown, call, reason, forms)}
    for form in forms:
        files |= form.contents(shown.instance)
    files["witness.json"] = json_text(document_of(witness))
    return Bundle(files, call, shown.worse, shown.better, reason)


def _readme(
    witness: AnyWitness, shown: ScoredInstance, call: ToolCall | None, reason: str, forms: Sequence[TrecFiles]
) -> str:
    """Return the page of a bundle, in Markdown."""
    topic, worse, better = shown.instance.topic, shown.instance.worse, shown.instance.better
    grades = {name: ", ".join(map(str, values)) for name, values in topic.pool.items()}
    ranks = [
        (rank, *(each for name in pair for each in (name, grades.get(name, ""))))
        for rank, pair in enumerate(zip_longest(worse, better, fillvalue=""), start=1)
    ]
    verb = "leaves rankings incomparable under" if shown.kind == "incomparable" else "violates"
    return str(
        _template("README.md.j2").render(
            title=f"{printable(witness.metric, _LONGEST_NAME)} {verb} {shown.axiom.name}",
            sentence=shown.sentence,
            symbols=shown.axiom.symbols,
            outcome=_outcome(witness, shown),
            weights=[str(weight) for weight in topic.weights],
            ranks=ranks,
            unseen="; ".join(f"{name} {grades[name]}" for name in topic.pool if name not in {*worse, *better}),
            notes=_notes(witness, shown),
            worse=_both(shown.worse),
            better=_both(shown.better),
            call=call,
            reason=reason,
            plain=forms[0],
            others=forms[1:],
        )
    )


def _outcome(witness: AnyWitness, shown: ScoredInstance) -> str:
    """Say what had to be, and what is."""
    did = {
        "tie": "both score the same",
        "reversal": "worse scores above better",
        "incomparable": "neither is ahead of the other",
    }[shown.kind]
    if isinstance(witness, ThresholdWitness):
        at = "every large n" if getattr(shown.axiom, "winner", "") == "top" else "some n"
        return f"So at {at} better has to score above worse. Here {did}."
    wanted = "above" if shown.axiom.strict else "no less than"
    return f"So better has to score {wanted} worse. Instead {did}."


def _notes(witness: AnyWitness, shown: ScoredInstance) -> list[str]:
    """Say what else is to be known of the instance."""
    notes = []
    if shown.eps is not None:
        notes.append(
            "The axiom assumes r << 1: it speaks of grades that are all multiplied by eps, for every small "
            f"eps. Here eps = {shown.eps}."
        )
    if isinstance(witness, ThresholdWitness):
        notes.append(
            "This is one instance of an argument about every n, and alone it refutes nothing. "
            f"The argument: {witness.argument}."
        )
    if shown.unit:
        notes.append(f"The scores are coefficients of {shown.unit}: the metric was not loaded to score the files.")
    return notes


def _both(score: str) -> tuple[str, str]:
    """Return a score as it is, and as a decimal number."""
    return (score, "") if not score[:1].strip("-").isdigit() else (score, decimal(score, _DIGITS))


@cache
def _template(name: str) -> Any:
    """Return a template of this folder; jinja2 takes its time to be imported."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # markdown, for which there is the filter
    )
    environment.filters["md"] = as_markdown
    return environment.get_template(name)
