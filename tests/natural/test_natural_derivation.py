"""Folds derived from the source of natural code: proofs for every length, and code that gets none."""

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from axiomcheck import AXIOMS, InvalidInput, Metric, MetricError, Verdict, parse, read_witness
from axiomcheck.core.documents import document_of
from axiomcheck.core.domain import Domain, Reading, Regime, assumes_small
from axiomcheck.decide.search import Settings
from axiomcheck.derivation import agreement
from axiomcheck.derivation.agreement import agreeing_fold, check_same_scores
from axiomcheck.derivation.derive import derive
from axiomcheck.engine.run import run_matrix
from axiomcheck.engine.tasks import not_applicable
from axiomcheck.metrics.derived_fold import DerivedFold, FoldOfFunction
from axiomcheck.metrics.fold import Additive, Cascade, Novelty
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.check.derived import fold_of_function
from axiomcheck.proof.proving import prove
from axiomcheck.records.witnesses import PairWitness
from axiomcheck.replay.cells import check_minimal
from axiomcheck.sources.function_metrics import CallableMetric
from axiomcheck.sources.provenance import identity_of
from axiomcheck.sources.resolve import resolve
from axiomcheck.trials.consistency import as_searched, undeclared_cutoff
from tests.natural.corpus import CORPUS, Written
from tests.natural.planted import rows_of
from tests.support.suites import each, quality

TWINS = [written for written in CORPUS if written.twin]
LEAST_SHARE = 0.9
KINDS_OF_PROOF = ("Pri", "DeepTh", "Red", "Sat")
"""Axioms of which each is proved in a way of its own."""


def verdict_of(axiom: str, metric: Metric, reading: Reading, cutoff: int | None = None) -> Verdict | None:
    """Return the verdict of a proof for every length, or None."""
    proof = prove(AXIOMS[axiom], metric, reading, cutoff=cutoff, least_effort=True)
    return None if proof is None or proof.verdict is Verdict.BOUNDED else proof.verdict


@cache
def proofs_of_twin(twin: str, reading: Reading, several: bool) -> dict[str, Verdict]:
    metric, found = parse(twin), {}
    for name in KINDS_OF_PROOF:
        axiom = AXIOMS[name]
        if several or axiom.group != "diversity":
            verdict = verdict_of(name, metric, reading)
            if verdict is not None and not not_applicable(metric, axiom, assumes_small(axiom, reading)):
                found[name] = verdict
    return found


def missing(written: Written, regime: Regime) -> list[str]:
    """Return the axioms that the twin has proved or refuted for every length, and the function has not."""
    reading, metric = Reading(regime, written.domain), written.metric()
    cutoff = undeclared_cutoff(metric)
    expected = proofs_of_twin(written.twin, reading, written.several)
    return [name for name, verdict in expected.items() if verdict_of(name, metric, reading, cutoff) is not verdict]


@each("written", TWINS, 12, ids=lambda written: written.name)
def test_natural_code_has_the_proofs_of_its_twin(written: Written) -> None:
    assert missing(written, Regime.STATED) == []


@each("name", ["arrays.py:err_loop", "arrays.py:ndcg"], 2)
def test_so_it_has_for_all_grades(name: str) -> None:
    (written,) = [written for written in TWINS if written.name == name]
    assert missing(written, Regime.FINITE) == []


def test_derivations_of_the_corpus_are_many() -> None:
    derived = [written for written in TWINS if derive(written.metric()).metric is not None]
    assert len(derived) >= LEAST_SHARE * len(TWINS)


def written_metric(tmp_path: Path, code: str, name: str = "mine.py") -> Metric:
    file = tmp_path / name
    file.write_text(code)
    metric = resolve(f"{file}:metric")
    assert isinstance(metric, Metric)
    return metric


LOOP = "def metric(topic, ranking):\n    total, left = 0.0, 1.0\n    for i, d in enumerate(ranking, start=1):\n"

TERMS = {
    "topic.pool[d][0] // i": "//",
    "round(topic.pool[d][0], 3) / i": "round, which is not supported: omit it",
    "int(topic.pool[d][0] * 8) / i": "to int",
    "topic.pool[d][0] * len(d) / i": "document",
    "(topic.pool[d][0] > 0.5) / i": "grade",
}
UNDERIVABLE = {
    f"{LOOP}        total += {term}\n    return total\n": f"line 4 .*{why}" for term, why in TERMS.items()
} | {
    LOOP + "        total += sum(topic.pool[d]) - 0.01\n    return total / len(topic.weights)\n": "sum over aspects",
    "def metric(topic, ranking):\n"
    "    return sum(topic.pool[d][0] / i for i, d in enumerate(sorted(ranking), start=1))\n": "line 2 .*names",
    "calls = 0\ndef metric(topic, ranking):\n    global calls\n    calls += 1\n"
    "    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1)) * (calls < 3)\n": "line 3 .*global",
    "def metric(topic, ranking):\n    if not ranking:\n        return 0\n"
    "    return topic.pool[ranking[0]][0] + 0.5 * metric(topic, ranking[1:])\n": "line 4 ",
}
"""Code that looks like a sum over ranks and is none, or does something that the derivation refuses, with its line."""


@pytest.mark.parametrize(("code", "why"), list(UNDERIVABLE.items()), ids=range(len(UNDERIVABLE)))
def test_code_that_is_no_fold_has_no_derivation(code: str, why: str, tmp_path: Path) -> None:
    derivation = derive(written_metric(tmp_path, code))
    assert derivation.metric is None or derivation.metric.one_aspect_topics
    assert re.search(why, derivation.why_not), derivation.why_not


def test_code_that_its_source_does_not_tell_is_an_error(tmp_path: Path) -> None:
    code = (
        "import math\nclass Odd(float):\n    pass\ndef metric(topic, ranking):\n"
        "    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1))\n"
    )
    metric = written_metric(tmp_path, code)
    found = derive(metric).metric
    assert found is not None
    check_same_scores(metric, found)
    honest = metric.function  # type: ignore[attr-defined]
    metric.function = lambda topic, ranking: honest(topic, ranking) + (len(ranking) > 300)  # type: ignore[attr-defined]
    with pytest.raises(MetricError, match="but the sum over ranks derived from its source is"):
        check_same_scores(metric, found)


POWERS = "def metric(topic, ranking):\n    return sum({} / i for i, d in enumerate(ranking, start=1))\n"


def proof_of_pri(tmp_path: Path, gain: str) -> Verdict | None:
    return verdict_of("Pri", written_metric(tmp_path, POWERS.format(gain)), Reading(Regime.STATED, Domain.GRADED))


def test_powers_to_grades_are_proved_as_grades_in_the_same_order(tmp_path: Path) -> None:
    assert proof_of_pri(tmp_path, "(2 ** topic.pool[d][0] - 1)") is Verdict.PROVED


def test_powers_to_small_grades_are_in_no_fixed_proportions(tmp_path: Path) -> None:
    falling = "topic.pool[d][0] * (1 - topic.pool[d][0])"  # grades near 1 earn less than small ones
    assert proof_of_pri(tmp_path, falling) is Verdict.PROVED
    assert proof_of_pri(tmp_path, falling.replace("topic.pool[d][0]", "(2 ** topic.pool[d][0] - 1)")) is None


TOPICS = """def metric(topic, ranking):
    relevant = {d for d, g in topic.pool.items() if g[0] > 0}
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / min(len(relevant), 3) if relevant else 0
"""


def test_a_number_of_the_topic_decides_nothing(tmp_path: Path) -> None:
    metric = written_metric(tmp_path, TOPICS)
    assert verdict_of("Pri", metric, Reading(Regime.FINITE, Domain.GRADED)) is Verdict.PROVED
    found = derive(metric).metric
    assert found is not None
    honest = metric.function  # type: ignore[attr-defined]
    for other in (lambda topic, ranking: honest(topic, ranking) / len(ranking), lambda topic, ranking: 0.0):
        metric.function = other  # type: ignore[attr-defined]
        with pytest.raises(MetricError, match="but the sum over ranks derived from its source is"):
            check_same_scores(metric, found)


def test_the_checker_derives_again(tmp_path: Path) -> None:
    metric = written_metric(tmp_path, LOOP + "        total += topic.pool[d][0] / i\n    return total\n")
    reading = Reading(Regime.FINITE, Domain.GRADED)
    proof = prove(AXIOMS["Pri"], metric, reading)
    assert proof.verdict is Verdict.PROVED
    document = document_of(proof.certificate)
    check_certificate(document, metric)
    assert isinstance(document, dict)
    with pytest.raises(InvalidInput, match="derived is"):
        check_certificate({**document, "derived": document["derived"].replace("1 / i", "1")}, metric)
    with pytest.raises(InvalidInput, match="external code, which no lemma covers"):
        check_certificate({name: value for name, value in document.items() if name != "derived"}, metric)


def test_a_sum_of_totals_with_own_divisors_is_proved_part_by_part(tmp_path: Path) -> None:
    (metric,) = (row.metric(tmp_path) for row in rows_of("FOLLOWED") if row.name == "breadth_and_depth")
    proof = prove(AXIOMS["Pri"], metric, Reading(Regime.FINITE, Domain.GRADED), cutoff=10)
    assert proof.verdict is Verdict.PROVED
    document = document_of(proof.certificate)
    assert isinstance(document, dict)
    assert document["kind"] == "mixture"
    check_certificate(document, metric)
    with pytest.raises(InvalidInput, match="derived is"):
        check_certificate({**document, "derived": document["derived"].partition("; plus: ")[0]}, metric)
    with pytest.raises(InvalidInput, match="not known to be a mixture"):
        check_certificate({name: value for name, value in document.items() if name != "derived"}, metric)
    with pytest.raises(InvalidInput, match="has 2 with a positive share"):
        check_certificate({**document, "parts": document["parts"][:1]}, metric)


def test_the_search_compares_the_fold_with_the_function(tmp_path: Path) -> None:
    metric = written_metric(tmp_path, LOOP + "        total += topic.pool[d][0] / i\n    return total\n")
    derived = derive(metric).metric
    assert derived is not None
    searched = FoldOfFunction(metric, derived)
    pool, weights, order = np.full((4, 3, 1), 0.5), np.ones((4, 1)), np.tile(np.arange(3), (4, 1))
    scores = searched.evaluate(pool, weights, order)
    assert np.allclose(scores, metric.evaluate(pool, weights, order))
    honest = metric.function  # type: ignore[attr-defined]
    metric.function = lambda topic, ranking: 2 * honest(topic, ranking)  # type: ignore[attr-defined]
    with pytest.raises(MetricError, match="but the sum over ranks derived from its source is"):
        searched.evaluate(pool, weights, order)


UNDEFINED = """def metric(topic, ranking):
    relevant = {d for d, g in topic.pool.items() if g[0] > 0}
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, start=1)) / len(relevant)
"""


def test_a_function_without_a_score_where_nothing_is_relevant_has_proofs_about_other_topics(tmp_path: Path) -> None:
    """Conf has topics without a relevant document, on which the search must see the exception."""
    metric, reading = written_metric(tmp_path, UNDEFINED), Reading(Regime.FINITE, Domain.GRADED)
    assert verdict_of("Pri", metric, reading) is Verdict.PROVED
    assert "the axiom allows such topics" in str(fold_of_function(metric, AXIOMS["Conf"]))
    assert not isinstance(as_searched(metric), FoldOfFunction)
    guarded = written_metric(tmp_path, UNDEFINED.rstrip() + " if relevant else 0.0\n")
    assert not isinstance(fold_of_function(guarded, AXIOMS["Conf"]), str)
    assert isinstance(as_searched(guarded), FoldOfFunction)


def test_a_function_that_reads_one_aspect_is_searched_on_several(tmp_path: Path) -> None:
    metric = written_metric(tmp_path, "def metric(grades, weights):\n    return grades[:, :2, 0].sum(axis=1)\n")
    searched = as_searched(metric)
    assert isinstance(searched, FoldOfFunction)
    assert (searched.cutoff, searched.single_aspect) == (2, False)
    rng = np.random.default_rng(3)
    pool, weights, order = rng.random((5, 4, 3)), np.full((5, 3), 1 / 3), np.tile(np.arange(4), (5, 1))
    assert np.allclose(searched.evaluate(pool, weights, order), pool[:, :2, 0].sum(axis=1))


FIRST_ASPECT = """import numpy as np

def metric(grades, weights):
    return (grades[..., 0] / np.arange(1, grades.shape[1] + 1)).sum(axis=1)
"""


@pytest.mark.parametrize("most", [None, 2_000], ids=["as many as are asked", "planted: fewer than of the function"])
def test_a_counterexample_of_the_fold_is_read_for_the_function(
    most: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if most is not None:
        monkeypatch.setattr(FoldOfFunction, "most_examples", property(lambda fold: most, lambda fold, value: None))
    metric = written_metric(tmp_path, FIRST_ASPECT)
    assert isinstance(as_searched(metric), FoldOfFunction)
    (cell,) = run_matrix([metric], [AXIOMS["Red"]], settings=Settings(examples=4_000, proofs=False)).cells
    assert isinstance(cell.witness, PairWitness)
    assert (cell.witness.minimal is None) is (most is not None)
    assert (cell.instances > 4_000) is (most is None)
    check_minimal(read_witness(cell.witness, metric))


@each(
    ("code", "known"),
    [
        ("total += left * topic.pool[d][0] / i\n        left *= 1 - topic.pool[d][0]", Cascade),
        ("total += left * topic.pool[d][0] / i\n        left *= 1 - 0.3 * (topic.pool[d][0] > 0)", Novelty),
        ("total += 3 * topic.pool[d][0] / i", Additive),
        ("total += left * topic.pool[d][0] / i\n        left *= 1 - topic.pool[d][0] / 2", DerivedFold),
    ],
    4,
)
def test_a_step_of_the_catalogue_is_recognised(code: str, known: type, tmp_path: Path) -> None:
    metric = written_metric(tmp_path, f"{LOOP}        {code}\n    return total\n")
    found = derive(metric).metric
    assert type(found.fold()) is known
    check_same_scores(metric, found)


@each("kind", ["float", "np.float64"], 1)
def test_limits_of_floats_are_exact_constants(kind: str, tmp_path: Path) -> None:
    code = f"import numpy as np\nEPS = np.finfo({kind}).eps\n"
    code += "def metric(grades, weights):\n    return grades[..., 0].sum(axis=1)\n"
    metric = written_metric(tmp_path, code)
    assert metric.numerical(small=False) == ""
    used = written_metric(tmp_path, code.replace(".sum", " + EPS).sum").replace("grades[", "(grades["), "used.py")
    assert "large or small" in derive(used).why_not


def test_a_fold_of_fewer_ranks_than_are_asked_is_refused(tmp_path: Path) -> None:
    code = "def metric(topic, ranking):\n    return sum(topic.pool[d][0] * 0.5**i for i, d in enumerate(ranking[:5]))\n"
    metric = written_metric(tmp_path, code)
    assert isinstance(metric, CallableMetric)
    reading, longer = Reading(Regime.FINITE, Domain.GRADED), CallableMetric(metric.base, metric.canonical, cutoff=9)
    proof = prove(AXIOMS["Pri"], metric, reading, cutoff=5)
    assert proof is not None
    other = prove(AXIOMS["Pri"], longer, reading)
    assert other is None or other.verdict is Verdict.BOUNDED  # up to a length that the cutoff does not reach
    forged = {**document_of(proof.certificate), "identity": identity_of(longer)}
    with pytest.raises(InvalidInput, match="the derived fold ends at rank 5"):
        check_certificate(forged, longer)


def test_a_small_score_is_compared_by_its_own_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In floats alone, with scores beside it that are larger by many digits."""
    code = "def metric(topic, ranking):\n    return sum(topic.pool[d][0] * 0.85**i for i, d in enumerate(ranking{}))\n"
    cut = derive(written_metric(tmp_path, code.format("[:200]"), "cut.py")).metric
    assert cut.cutoff == 200
    monkeypatch.setattr(agreement, "_LATE", ())
    monkeypatch.setattr(agreement, "unreached", lambda *_: "")  # the fold is that of another file
    with pytest.raises(MetricError, match="but the sum over ranks derived from its source is"):
        check_same_scores(written_metric(tmp_path, code.format("")), cut)


def test_what_shows_after_late_first_hits_alone_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A branch that is taken at ranks above 900 only if nothing before is relevant."""
    monkeypatch.setattr(agreement, "unreached", lambda *_: "")  # the fold is that of another file
    code = "def metric(topic, ranking):\n    total, hits = 0.0, 0\n    for i, d in enumerate(ranking, 1):\n"
    code += "        g = topic.pool[d][0]\n        total += g * ({}) / i\n        hits += g > 0\n    return total\n"
    plain = derive(written_metric(tmp_path, code.format("1"), "plain.py")).metric
    assert plain is not None
    other = written_metric(tmp_path, code.format("-1 if i > 900 and hits == 0 else 1"))
    check_same_scores(other, plain)
    plain.compared = (900,)
    with pytest.raises(MetricError, match="but the sum over ranks derived from its source is"):
        check_same_scores(other, plain)


def test_a_ranking_that_cubic_code_would_score_for_minutes_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "def metric(topic, ranking):\n    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))\n"
    metric = written_metric(tmp_path, code)
    found = derive(metric).metric
    lengths: list[int] = []
    in_floats = agreement._in_floats
    monkeypatch.setattr(agreement, "_LATE", ())
    monkeypatch.setattr(
        agreement, "_in_floats", lambda *given: lengths.append(given[2].order.shape[1]) or in_floats(*given)
    )
    for power, longest in ((1, 4_200), (3, 400)):
        lengths.clear()
        monkeypatch.setattr(agreement, "process_time", lambda p=power: sum((n / 400) ** p for n in lengths))
        check_same_scores(metric, found)
        assert max(lengths) == longest


@quality
def test_a_fold_is_the_same_whatever_the_order_of_sets(tmp_path: Path) -> None:
    """A number that depends on one that its loop sets later is bounded when both are known."""
    file = tmp_path / "err.py"
    file.write_text(LATE_FACTOR, encoding="utf-8")
    asks = (
        "import sys; from axiomcheck.sources.resolve import resolve; from axiomcheck.derivation.derive import derive; "
    )
    asks += "found = derive(resolve(sys.argv[1])); print(found.metric.text if found.metric else found.why_not)"
    texts = {
        subprocess.run(
            [sys.executable, "-c", asks, f"{file}:err"],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "0125"
    }
    assert len(texts) == 1
    assert "s0 is 1, then 1 - r; s1 is 1, then s0 * s1" in texts.pop()


LATE_FACTOR = """
def err(topic, ranking):
    total, product, last = 0, 1, 0
    for i, d in enumerate(ranking):
        product = (1 - last) * product
        total += topic.pool[d][0] * product / (i + 1)
        last = topic.pool[d][0]
    return total
"""


TWICE = """
class Twice:
    def score(self, topic, ranking):
        return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:4500], 1))
    metric = score
    def score(self, topic, ranking):
        return sum(topic.pool[d][0] / i for i, d in enumerate(ranking, 1))

metric = Twice().metric
"""


def test_another_name_of_a_method_is_not_derived_as_the_method_of_its_name(tmp_path: Path) -> None:
    renamed = written_metric(tmp_path, TWICE)
    expected = "a bound method, but its object has a different attribute under the method's name"
    assert expected in derive(renamed).why_not


def test_scores_are_compared_beyond_large_numbers_in_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agreement, "unreached", lambda *_: "")  # the fold is that of another file
    code = """
def metric(topic, ranking):
    return sum(topic.pool[d][0] / i for i, d in enumerate(ranking[:{}], 1))

MOST = 4500
"""
    found = derive(written_metric(tmp_path, code.format(""), "whole.py")).metric
    assert found is not None
    assert found.large_numbers == (4500,)
    with pytest.raises(MetricError, match="derived from its source"):
        check_same_scores(written_metric(tmp_path, code.format("MOST"), "cut.py"), found)


@quality
def test_gains_and_costs_may_cancel_in_floats(tmp_path: Path) -> None:
    code = """
def metric(topic, ranking):
    score, left = 0, 1
    for i, d in enumerate(ranking):
        score += 0.98 ** i * (left * topic.pool[d][0] - 0.02)
        left *= 1 - topic.pool[d][0]
    return score
"""
    assert agreeing_fold(written_metric(tmp_path, code)).metric is not None


ANY = """
def metric(topic, ranking):
    found = 0.0
    for i, d in enumerate(ranking[:10], 1):
        if any(g > 0 for g in topic.pool[d]):
            found += 1 / i
    return found
"""


def test_code_that_is_followed_on_one_aspect_alone_has_proofs_about_one_aspect(tmp_path: Path) -> None:
    metric = written_metric(tmp_path, ANY)
    derivation = agreeing_fold(metric)
    assert derivation.metric is not None
    assert derivation.metric.text.endswith("one aspect; for topics with one aspect")
    assert "it adds a term to a sum over aspects" in derivation.why_not
    assert not isinstance(as_searched(metric), FoldOfFunction)
    reading = Reading(Regime.FINITE, Domain.GRADED)
    proof = prove(AXIOMS["DeepTh"], metric, reading)
    assert proof is not None
    document = document_of(proof.certificate)
    check_certificate(document, metric)
    with pytest.raises(InvalidInput, match="derived is"):
        check_certificate(
            {**document, "derived": document["derived"].removesuffix("; for topics with one aspect")}, metric
        )
    assert "several aspects, line 7 of mine.py: it adds a term" in str(fold_of_function(metric, AXIOMS["Red"]))
    red = prove(AXIOMS["Red"], metric, reading)
    assert red is None or red.verdict is Verdict.BOUNDED


def test_a_number_of_aspects_is_one_only_where_topics_have_one(tmp_path: Path) -> None:
    """The function doubles what several aspects count, so its cutoff and its gain differ."""
    code = "def metric(topic, ranking):\n    m = len(topic.weights)\n"
    code += "    return sum(max(topic.pool[d]) * m / i for i, d in enumerate(ranking[: 5 * m], 1))\n"
    metric = written_metric(tmp_path, code)
    found = agreeing_fold(metric).metric
    assert found is not None
    assert found.one_aspect_topics
    assert found.cutoff == 5
    searched = as_searched(metric)
    assert not isinstance(searched, FoldOfFunction)
    assert searched.cutoff is None
