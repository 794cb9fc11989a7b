"""Use ir_measures to compute measures that axiomcheck does not implement, such as Bpref and Judged@k.

These measures depend on which documents were judged, or are for comparison with other tools, so they are not checked
against axioms. ir_measures receives every ranking in the order of the tie-breaking rule, with numbers instead of names.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import Any

import numpy as np

from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import not_installed
from axiomcheck.core.typing import Reals
from axiomcheck.metrics.catalogue import RUN_MEASURES
from axiomcheck.metrics.spelling import Spelling
from axiomcheck.runs.trec.lines import source_name
from axiomcheck.runs.trec.qrels import Qrels
from axiomcheck.runs.trec.rankings import OrderedDocuments
from axiomcheck.runs.trec.table import ABSENT

_LARGEST_GRADE = 127
"""Largest grade that trec_eval accepts. It computes most of these measures."""


@dataclass(frozen=True)
class LibraryMeasure:
    """Measure that ir_measures computes.

    Args:
        parsed: The ir_measures object for the measure.
        counts_relevant: True for NumRelRet, which is NumRet for relevant documents only. Its name states no minimum
            relevant grade.

    """

    parsed: Any
    counts_relevant: bool = False

    @property
    def _depends_on_relevance(self) -> bool:
        """True if the measure depends on which documents are relevant, as NumRet does if it counts relevant ones."""
        counts_all = self.parsed.NAME == "NumRet" and not self.counts_relevant and "rel" not in self.parsed.params
        return "rel" in self.parsed.SUPPORTED_PARAMS and not counts_all

    @property
    def takes_level(self) -> bool:
        """True if the measure uses a minimum relevant grade that its name does not state."""
        return self._depends_on_relevance and "rel" not in self.parsed.params

    def level(self, default: int) -> int:
        """Return the minimum relevant grade in the measure's name, or ``default`` if the name does not state one."""
        return int(self.parsed.params.get("rel", default))

    def at_level(self, level: int) -> Any:
        """Return the measure's ir_measures object, with a minimum relevant grade if its name does not state one."""
        return self.parsed(rel=level) if (level > 1 or self.counts_relevant) and self.takes_level else self.parsed

    def mapped_level(self, default: int) -> int:
        """Return the lowest grade that must be mapped to 1, because NumRel supports only level 1; 0 for no mapping."""
        return default if self.parsed.NAME == "NumRel" and self.takes_level and default > 1 else 0

    def mean(self, values: Reals) -> float:
        """Aggregate the scores of all topics as ir_measures does: the mean, or the sum for counts such as NumRet."""
        aggregator = self.parsed.aggregator()
        for value in values.tolist():
            aggregator.add(value)
        return float(aggregator.result())

    def applies_to_aspects(self) -> bool:
        """Return True if the measure ignores grades, and so applies to topics with several aspects as well."""
        return not self._depends_on_relevance

    def __str__(self) -> str:
        text = "NumRelRet" if self.counts_relevant else str(self.parsed)
        if "rel" not in self.parsed.params or "rel=" in text:
            return text
        # ir_measures omits its default level, which is stated here, as other measures may have another level
        name, at, cutoff = text.partition("@")
        return (f"{name[:-1]}, rel=1)" if name.endswith(")") else f"{name}(rel=1)") + at + cutoff


def library_measure(said: Spelling) -> LibraryMeasure | None:
    """Parse a measure's name with ir_measures; return None if the name is not in `RUN_MEASURES`.

    Raises:
        InvalidInput: ir_measures is not installed, or does not support the parameter or cutoff.

    """
    name = next((name for name in RUN_MEASURES if name.casefold() == said.name.casefold()), None)
    if name is None:
        return None
    rest = said.text[len(said.name) :]
    relevant = name == "NumRelRet" and not rest
    text = "NumRet" if relevant else name + rest
    try:
        parsed = _ir_measures(text).parse_measure(text)
        _ir_measures(text).DefaultPipeline.evaluator([parsed], [])
    except InvalidInput:
        raise
    except Exception:  # errors of various types, including syntax errors
        wanted = "expected valid parameters and cutoff, as in R(rel=2)@10, and pytrec_eval installed"
        raise InvalidInput(f"ir_measures cannot parse or compute {text}; {wanted}") from None
    return LibraryMeasure(parsed, relevant)


def _ir_measures(subject: str) -> ModuleType:
    try:
        return importlib.import_module("ir_measures")
    except ImportError:
        raise not_installed(subject, "ir_measures", "ir-measures") from None


def library_scores(measures: Sequence[LibraryMeasure], level: int, qrels: Qrels, retrieved: OrderedDocuments) -> Reals:
    """Return the scores of a run on every judged topic, shape (measures, judged topics).

    The score is 0 where the run has no documents.

    Args:
        measures: One or more measures.
        level: Minimum relevant grade, for measures that do not set one.
        qrels: Judgments.
        retrieved: Documents that the run retrieved.

    Raises:
        InvalidInput: trec_eval does not accept a grade, or ir_measures fails.

    """
    if qrels.highest > _LARGEST_GRADE:
        wanted = f"expected at most {_LARGEST_GRADE} for {measures[0]}, which trec_eval computes"
        raise InvalidInput(f"{source_name(qrels.source)} has a grade of {qrels.highest}; {wanted}")
    library = _ir_measures(str(measures[0]))
    # All topics use the same numbers as document names, since creating new strings would take most of the time.
    order, bounds = np.argsort(qrels.document_topics, kind="stable"), np.cumsum([0, *qrels.judged])
    numbered = np.empty(len(order), dtype=np.intp)
    numbered[order] = np.arange(len(order)) - bounds[qrels.document_topics[order]]
    most, deepest = int(qrels.judged.max()), int(retrieved.positions.max(initial=-1)) + 1
    names = np.array(list(map(str, range(most + deepest))), dtype=object)
    grades, judged_names = np.maximum(qrels.largest_grades, -1)[order].tolist(), names[:most].tolist()
    judged = {
        str(topic): dict(zip(judged_names, grades[start:end], strict=False))
        for topic, (start, end) in enumerate(pairwise(bounds.tolist()))
    }
    for own in judged.values():  # pytrec_eval crashes on a topic with negative judgments only
        if max(own.values()) < 0:
            own["never retrieved"] = 0
    absent = retrieved.documents == ABSENT
    ranked_names = names[np.where(absent, most + retrieved.positions, numbered[retrieved.documents])].tolist()
    scores = [-float(position) for position in range(deepest)]
    ranked = {
        str(place): dict(zip(ranked_names[start:end], scores, strict=False))
        for place, (start, end) in zip(retrieved.places.tolist(), pairwise(retrieved.bounds.tolist()), strict=True)
        if place != ABSENT and start < end
    }
    # level at which judgments become 0 or 1 (0: unchanged) -> measure -> its rows in the result
    numbers: dict[int, dict[Any, list[int]]] = {}
    for number, measure in enumerate(measures):
        mapped = measure.mapped_level(level)
        asked = measure.parsed if mapped else measure.at_level(level)
        numbers.setdefault(mapped, {}).setdefault(asked, []).append(number)
    found = np.zeros((len(measures), len(qrels.topics)))
    try:
        for mapped, places in numbers.items():
            qrels_of_level = judged
            if mapped:
                qrels_of_level = {t: {d: int(grade >= mapped) for d, grade in own.items()} for t, own in judged.items()}
            for row in library.iter_calc(list(places), qrels_of_level, ranked):
                found[places[row.measure], int(row.query_id)] = row.value
    except Exception as error:
        raise InvalidInput(f"ir_measures raised {type(error).__name__}: {error}") from None
    return found
