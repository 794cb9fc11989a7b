"""Write the texts of a witness's folder: judgments, two runs, a README and the commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from axiomcheck.core.documents import document_of
from axiomcheck.core.printable import printable
from axiomcheck.core.writing import json_text
from axiomcheck.metrics import Metric
from axiomcheck.records.sentences import decimal
from axiomcheck.records.witnesses import AnyWitness, ThresholdWitness
from axiomcheck.reports.bundle.calls import ToolCall, reason_without, tool_call
from axiomcheck.reports.bundle.instance import LARGEST_N, ScoredInstance, scored_instances
from axiomcheck.reports.bundle.trec import TrecFiles, aspects_form
from axiomcheck.reports.table import as_markdown
from axiomcheck.sources.names import read_name
from axiomcheck.sources.provenance import is_genuine
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
        """What is typed in the folder: for the worse run, then for the better one."""
        return () if self.call is None else self.call.commands


def bundle_of(witness: AnyWitness, metric: Metric | None = None) -> Bundle:
    """The bundle of a witness.

    Args:
        witness: a record; it is not checked here (see `axiomcheck.decide.threshold_witness.read_any_witness`).
        metric: that it is of; left out, the metric that it names, which is not loaded from a file or module: its scores
            are then those of the record.

    Raises:
        InvalidInput: the witness is no instance of its axiom, or names no metric.
        InternalDisagreement: it shows at no concrete grades; or what is said of a tool contradicts the scores.

    """
    if metric is None and not read_name(witness.metric).loads_code:
        metric = resolve(witness.metric)
    preferred: ScoredInstance | None = None
    if metric is not None:
        for shown in scored_instances(witness, metric):
            preferred = preferred or shown
            call = tool_call(metric, shown)
            if call is not None:
                return _Texts(witness, metric, shown, call, "").bundle()
    if preferred is None:
        preferred = next(scored_instances(witness, metric))
    reason = _reason(metric, preferred)
    return _Texts(witness, metric, preferred, None, reason).bundle()


def _reason(metric: Metric | None, shown: ScoredInstance) -> str:
    if metric is None or not is_genuine(metric):
        return "The metric is none of axiomcheck's catalogue, so that nothing is known of its like in other tools."
    return reason_without(metric, shown)


@dataclass(frozen=True)
class _Texts:
    """What the templates are filled with."""

    witness: AnyWitness
    metric: Metric | None
    shown: ScoredInstance
    call: ToolCall | None
    reason: str

    def bundle(self) -> Bundle:
        """The files."""
        forms = self._forms()
        files = {"README.md": self._readme(forms)}
        for form in forms:
            files |= form.files
        files["witness.json"] = json_text(document_of(self.witness))
        return Bundle(files, self.call, self.shown.worse, self.shown.better, self.reason)

    def _forms(self) -> list[TrecFiles]:
        plain = aspects_form(self.shown.instance)
        return [plain, *([self.call.files] if self.call and self.call.files.names != plain.names else [])]

    @property
    def _name(self) -> str:
        return printable(self.witness.metric, _LONGEST_NAME)

    @property
    def _title(self) -> str:
        verb = "leaves rankings incomparable under" if self.shown.kind == "incomparable" else "violates"
        return f"{self._name} {verb} {self.shown.axiom.name}"

    @property
    def _outcome(self) -> str:
        shown, witness = self.shown, self.witness
        did = {
            "tie": "both score the same",
            "reversal": "worse scores above better",
            "incomparable": "neither is ahead of the other",
        }[shown.kind]
        if isinstance(witness, ThresholdWitness):
            at = "every large n" if shown.axiom.winner == "top" else "some n"  # type: ignore[attr-defined]
            return f"So at {at} better has to score above worse. Here {did}."
        wanted = "above" if shown.axiom.strict else "no less than"
        return f"So better has to score {wanted} worse. Instead {did}."

    @property
    def _notes(self) -> list[str]:
        shown, witness = self.shown, self.witness
        notes = []
        if shown.eps is not None:
            notes.append(
                "The axiom assumes r << 1: it speaks of grades that are all multiplied by eps, for every small "
                f"eps. Here eps = {shown.eps}."
            )
        if isinstance(witness, ThresholdWitness):
            nearest = f" From n = 2 to {LARGEST_N} it is here that the {shown.n} come nearest to the one on top."
            notes.append(
                "This is one instance of an argument about every n, and alone it refutes nothing."
                + (nearest if shown.is_nearest else "")
                + f" The argument: {witness.argument}."
            )
        if shown.unit:
            notes.append(f"The scores are coefficients of {shown.unit}: the metric was not loaded to score the files.")
        return notes

    def _readme(self, forms: Sequence[TrecFiles]) -> str:
        shown, topic = self.shown, self.shown.instance.topic
        worse, better = shown.instance.worse, shown.instance.better
        ranked = {*worse, *better}
        ranks = []
        for k in range(shown.longest):
            sides = [(r[k], _row(topic.pool[r[k]])) if k < len(r) else ("", "") for r in (worse, better)]
            ranks.append((k + 1, *sides[0], *sides[1]))
        return str(
            _template("README.md.j2").render(
                title=self._title,
                sentence=shown.sentence,
                symbols=shown.axiom.symbols,
                outcome=self._outcome,
                weights=[str(weight) for weight in topic.weights],
                ranks=ranks,
                unseen="; ".join(f"{name} {_row(grades)}" for name, grades in topic.pool.items() if name not in ranked),
                notes=self._notes,
                worse=_both(shown.worse),
                better=_both(shown.better),
                call=self.call,
                needs=", ".join(filter(None, ["ir-measures", _needed(self.call)])) if self.call else "",
                reason=self.reason,
                listed=self._listed(forms),
            )
        )

    def _listed(self, forms: Sequence[TrecFiles]) -> list[tuple[str, str]]:
        plain, *others = forms
        qrels, worse, better = plain.names
        several = len(self.shown.instance.topic.weights) > 1
        listed = [
            (qrels, f"judgments, as {'topic aspect' if several else 'topic 0'} document grade; {plain.says}"),
            (worse, "the ranking that has to be behind"),
            (better, "the ranking that has to be ahead"),
        ]
        for form in others:
            for name in form.names:
                if name not in dict(listed):
                    what = (
                        f"judgments for the command; {form.says}"
                        if name.endswith(".qrels")
                        else "the ranking for each topic"
                    )
                    listed.append((name, what))
        return [
            *listed,
            ("witness.json", "the witness; axiomcheck replay witness.json confirms it"),
        ]


def _row(grades: Sequence[Fraction]) -> str:
    return ", ".join(map(str, grades))


def _both(score: str) -> tuple[str, str]:
    """A score as it is, and as a decimal number."""
    return (score, "") if not score[:1].strip("-").isdigit() else (score, decimal(score, _DIGITS))


_NEEDS = {
    **dict.fromkeys(("BPM", "INSQ", "INST", "NERR8", "NERR9", "NERR10", "NERR11", "RBP", "SDCG"), "cwl_eval"),
    **dict.fromkeys(("AP_IA", "ERR_IA", "NRBP", "P_IA", "StRecall", "alpha_DCG", "alpha_nDCG"), "pyndeval"),
    **dict.fromkeys(("nERR_IA", "nNRBP"), "pyndeval"),
    "ERR": "gdeval",
}
"""Measure -> the provider that ir_measures picks, where that is not part of every installation."""

_DISTRIBUTIONS = {"cwl_eval": "cwl-eval", "gdeval": "Perl", "pytrec_eval": ""}
"""Provider -> what has to be installed for it, where that is called otherwise."""


def _needed(call: ToolCall) -> str:
    """What has to be there for a call besides ir_measures; empty if nothing."""
    provider = call.provider or _NEEDS.get(re.split("[(@]", call.measure)[0], "")
    return _DISTRIBUTIONS.get(provider, provider)


@cache
def _template(name: str) -> Any:
    """A template of this folder; jinja2 takes its time to be imported."""
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
