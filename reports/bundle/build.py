"""Build the files of a bundle: judgments, two runs, and a README with the commands."""

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
"""Maximum number of characters shown of a metric's name."""

_DIGITS = 10


@dataclass(frozen=True)
class Bundle:
    """Files of the folder that shows a witness in another tool.

    Args:
        files: File name -> content.
        call: Call of ir_measures that prints the two scores; None if it has no such measure.
        worse, better: Scores of the two rankings by the metric, exact or certified.
        reason: Reason why there is no call; empty if there is one.

    """

    files: dict[str, str]
    call: ToolCall | None
    worse: str
    better: str
    reason: str

    @property
    def commands(self) -> tuple[str, ...]:
        """Commands to be typed in the folder, for the worse run and for the better run."""
        return () if self.call is None else self.call.commands


def bundle_of(witness: AnyWitness, metric: Metric | None = None) -> Bundle:
    """Return the bundle of a witness.

    Args:
        witness: Record of the witness, which is not checked here (see `axiomcheck.decide.witness.read_any_witness`).
        metric: Metric of the witness. If it is omitted, the metric is resolved by its name, but not loaded from a file
            or module. The scores of a metric that is not loaded are those of the record.

    Raises:
        InvalidInput: The witness is not an instance of its axiom, or names no metric.
        InternalDisagreement: The violation cannot be shown at concrete grades.

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
    """Return the README of a bundle in Markdown."""
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
    """Return a sentence with the required and the actual order of the rankings."""
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
    """Return further notes on the instance."""
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
    """Return a score as it is given and as a decimal number; the latter is empty for a distribution."""
    return (score, "") if not score[:1].strip("-").isdigit() else (score, decimal(score, _DIGITS))


@cache
def _template(name: str) -> Any:
    """Return a template of this folder; jinja2 is imported here because its import is slow."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent, encoding="utf-8"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # templates escape Markdown with the filter md
    )
    environment.filters["md"] = as_markdown
    return environment.get_template(name)
