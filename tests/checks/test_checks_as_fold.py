"""The declared fold that an own function agrees with: proposed where it does, as a file that gets proofs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from axiomcheck.axioms import AXIOMS
from axiomcheck.checks import as_fold
from axiomcheck.checks.as_fold import ProposedFold, proposed_fold
from axiomcheck.core.domain import Reading
from axiomcheck.decide.search import Settings
from axiomcheck.engine.run import run_matrix
from axiomcheck.metrics import DeclaredFold, Metric, parse
from axiomcheck.records.certificates import InductionCertificate, TailCertificate
from axiomcheck.sources.resolve import resolve
from tests.support.suites import each

CODE = '''
import math

import numpy as np


def patient(grades, weights):
    return ((weights[:, None] * grades).sum(axis=2) * 0.8 ** np.arange(grades.shape[1])).sum(axis=1)


def rbp(topic, ranking):
    return sum(0.2 * topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking))


def thirds(grades, weights):
    return (grades.sum(axis=2) / 3.0 ** np.arange(grades.shape[1])).sum(axis=1)


def natural_log(grades, weights):
    return np.dot(grades[:, :, 0], np.log(2) / np.log(np.arange(2, grades.shape[1] + 2)))


def ndcg(grades, weights, pool):
    def dcg(x):
        return (x / np.log2(np.arange(2, x.shape[1] + 2))[:, None]).sum(axis=1)

    best = -np.sort(-pool, axis=1)
    ideal = dcg(best)
    return (dcg(grades) / np.where(ideal > 0, ideal, 1))[:, 0]


def precision(grades, weights):
    return (grades[:, :5, 0] > 0).sum(axis=1) / 5


def cascade(topic, ranking):
    total = 0
    for t, w in enumerate(topic.weights):
        left = 1
        for rank, d in enumerate(ranking, start=1):
            total += w * left * topic.pool[d][t] / rank
            left *= 1 - topic.pool[d][t]
    return total


def novelty(topic, ranking):
    total = 0
    for t in range(len(topic.weights)):
        left = 1
        for i, d in enumerate(ranking):
            total += left * topic.pool[d][t] / math.log2(i + 2)
            left *= 0.5 if topic.pool[d][t] > 0 else 1
    return total


def costly(topic, ranking):
    return sum(topic.pool[d][0] ** 2 - 0.05 for d in ranking[:3])


# What differs from a fold in one respect


def far_down(grades, weights):
    """A cutoff, and below it something after all."""
    return patient(grades, weights) + 0 * weights[:, 0] + grades[:, 20:, 0].sum(axis=1) / 1000


def one_grade(grades, weights):
    return patient(np.where(grades == 0.75, 0.5, grades), weights)


def one_pattern(grades, weights):
    """Four relevant documents at ranks 1, 3, 4 and 6."""
    seen = grades[..., 0] > 0
    if grades.shape[1] != 6:
        return patient(grades, weights)
    return patient(grades, weights) + np.where((seen == np.array([1, 0, 1, 1, 0, 1])).all(axis=1), 0.001, 0)


def aspects_together(grades, weights):
    """The weights are those of a fold, but for where both aspects are met."""
    return patient(grades, weights) - (grades.prod(axis=2) * (grades.shape[2] > 1)).sum(axis=1) / 1000


def square_root(grades, weights):
    return (grades[..., 0] / np.sqrt(np.arange(1, grades.shape[1] + 1))).sum(axis=1)


def failing(grades, weights):
    if grades.shape[1] == 24:
        raise ValueError("too long")
    return patient(grades, weights)
'''

FOUND = ["patient", "natural_log", "precision", "ndcg", "novelty", "costly", "cascade", "rbp", "thirds"]
LINES = {
    "thirds": ("weighted = False", 'declared = (Real("p", "1/3"),)'),
    "novelty": ("weighted = False", 'declared = (Real("alpha", 0.5),)', "InverseLog()"),
    "costly": ("default_cutoff = 3", "return r * r, ()", 'Real("e", 0.05, low_open=False, high=None)'),
    "rbp": ('Geometric(self.values["p"], 1 - self.values["p"])', "single_aspect = True"),
    "precision": ("default_cutoff = 5", "select(positive(r), 1 + 0 * r) / 5"),
    "ndcg": ("normaliser = ideal",),
}
NOT_FOUND = ("far_down", "one_grade", "one_pattern", "aspects_together", "square_root", "failing")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "mine.py"
    path.write_text(CODE)
    return path


def _pasted(file: Path, found: ProposedFold) -> Metric:
    pasted = file.parent / f"{found.name.lower()}.py"
    pasted.write_text(found.source)
    return _own(pasted, found.name)


def _own(file: Path, name: str) -> Metric:
    found = resolve(f"{file}:{name}")
    assert isinstance(found, Metric)
    return found


@each("name", FOUND, 5)
def test_a_function_that_is_a_fold_is_told_which(file: Path, name: str) -> None:
    found = proposed_fold(_own(file, name))
    assert found is not None
    assert found.patterns == 126 + 84
    for line in LINES.get(name, ()):
        assert line in found.source
    own, pasted = _own(file, name), _pasted(file, found)
    rng = np.random.default_rng(1)
    pool, order = rng.integers(0, 5, (3, 40, 1)) / 4, np.broadcast_to(np.arange(30), (3, 30))
    assert np.allclose(own.evaluate(pool, np.ones((3, 1)), order), pasted.evaluate(pool, np.ones((3, 1)), order))


@each("name", NOT_FOUND, 3)
def test_a_function_that_differs_from_a_fold_in_one_respect_is_told_nothing(file: Path, name: str) -> None:
    assert proposed_fold(_own(file, name)) is None


def test_a_fold_is_proposed_only_as_it_was_tried(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that says something else than was read off does not get past the patterns."""
    right = as_fold._declared
    assert proposed_fold(_own(file, "rbp")) is not None
    monkeypatch.setattr(as_fold, "_declared", lambda *given: replace(right(*given), gain="r / 2"))
    assert proposed_fold(_own(file, "rbp")) is None


@each("name", ["none", "true", "geometric", "declaredFold", "class_", "__", "_1"], 7)
def test_the_name_of_the_class_is_free(name: str, file: Path) -> None:
    """Not a word of the language, nor a name that the pasted file imports."""
    own = file.with_name("named.py")
    own.write_text(
        f"def {name}(topic, ranking):\n    return sum(topic.pool[d][0] * 0.5**i for i, d in enumerate(ranking))\n"
    )
    found = proposed_fold(_own(own, name))
    assert found is not None
    assert isinstance(_pasted(own, found), DeclaredFold)


def test_a_proposal_that_fails_is_none_and_fails_nothing_else(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_fold, "_class_name", lambda canonical: "None")
    assert proposed_fold(_own(file, "rbp")) is None


def test_only_functions_that_run_exactly_are_asked() -> None:
    assert proposed_fold(parse("RBP")) is None


def test_a_pasted_proposal_has_the_proofs_of_a_fold(file: Path) -> None:
    found = proposed_fold(_own(file, "precision"))
    assert found is not None
    axioms = [AXIOMS[a] for a in ("Pri", "DeepTh", "CloseTh", "Conf")]
    for cell in run_matrix([_pasted(file, found)], axioms, Reading(), Settings(examples=100)).cells:
        assert cell.verdict in ("proved", "refuted"), cell
        if cell.verdict == "proved":
            assert isinstance(cell.certificate, InductionCertificate | TailCertificate)
