"""Parameters of a function that a derivation leaves open: proofs for every value, and code that gets none."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import axiomcheck
from axiomcheck import AXIOMS, InvalidInput, Metric, MetricError, Reading, Verdict
from axiomcheck.core.documents import document_of
from axiomcheck.derivation import agreement
from axiomcheck.derivation.agreement import agreeing_fold, check_same_scores
from axiomcheck.derivation.constants import Floating
from axiomcheck.derivation.derive import derive, is_fold_at, open_names
from axiomcheck.metrics.derived_fold import DerivedMetric
from axiomcheck.numbers.open_numbers import UnknownValue, open_numbers
from axiomcheck.proof.check import check_certificate
from axiomcheck.proof.check.header import left_open
from axiomcheck.proof.proving import prove
from axiomcheck.records.certificates import proof_sentence
from axiomcheck.sources.function_metrics import FunctionMetric
from axiomcheck.sources.resolve import resolve
from tests.natural.corpus import CORPUS
from tests.support.suites import each, quality

VALUES = [Fraction(x) for x in ("1/2", "1/10", "1/20", "3/10", "2/3", "4/5", "99/100")]
HEAD = """
import math
import numpy as np

TABLE = {0.5: 1.0}
SEEN = {}


def metric(grades, weights, p=0.8, q=0.3):
    x, ranks = grades[..., 0], np.arange(1, grades.shape[1] + 1)
"""


def metric_of(tmp_path: Path, body: str, head: str = HEAD) -> Metric:
    file = tmp_path / "mine.py"
    file.write_text(head + "".join(f"    {line}\n" for line in body.splitlines()))
    metric = resolve(f"{file}:metric")
    assert isinstance(metric, Metric)
    return metric


SUM = "return (x * s**ranks).sum(axis=1)"

MISLEADING = {
    "another value at one half": f"s = 0.1 if p == 0.5 else p\n{SUM}",
    "a branch at one half": f"s = p\nif p == 0.5:\n    s = 0.1\n{SUM}",
    "a choice of numpy": f"s = np.where(p == 0.5, 0.1, p)\n{SUM}",
    "a product with a truth value": f"s = p * (1 - 0.5 * (p == 0.5))\n{SUM}",
    "a truth value as an index": f"s = (p, 0.1)[p == 0.5]\n{SUM}",
    "a table": f"s = TABLE.get(p, p)\n{SUM}",
    "a table of texts": f"s = {{'0.5': 0.1}}.get(str(p), p)\n{SUM}",
    "membership": f"s = 0.1 if p in (0.5, 0.25) else p\n{SUM}",
    "closeness": f"s = 0.1 if math.isclose(p, 0.5) else p\n{SUM}",
    "a small distance": f"s = 0.1 if abs(p - 0.5) < 1e-9 else p\n{SUM}",
    "not a difference": f"s = 0.1 if not p - 0.5 else p\n{SUM}",
    "a loop that stops": f"s = p\nfor step in (1, 2):\n    if p - 0.5 == 0:\n        break\n    s = p\n{SUM}",
    "below a tenth": f"s = 0.5 if p < 0.1 else p\n{SUM}",
    "compared with another parameter": f"s = p if p < q else q\n{SUM}",
    "compared with a rank": "return (x * (ranks > 1 / p)).sum(axis=1)",
    "compared with a grade": "return (x * (x > p)).sum(axis=1)",
    "the larger one of numpy": f"s = np.maximum(p, 0.1)\n{SUM}",
    "the smaller one of two": f"s = min([p, 0.1])\n{SUM}",
    "sorted": f"s = sorted((p, 0.1))[0]\n{SUM}",
    "clipped": f"s = np.clip(p, 0.1, 0.9)\n{SUM}",
    "rounded": f"s = round(p, 1)\n{SUM}",
    "rounded by numpy": f"s = np.round(p, 1)\n{SUM}",
    "cut off": f"s = int(p * 10) / 10\n{SUM}",
    "a remainder": f"s = p % 0.1\n{SUM}",
    "a text": f"s = 0.1 if f'{{p}}' == '0.5' else p\n{SUM}",
    "a text of a tuple": f"s = 0.1 if str((p,)) == '(0.5,)' else p\n{SUM}",
    "a text by an operator": f"s = 0.1 if '%s' % (p,) == '0.5' else p\n{SUM}",
    "a whole quotient": f"s = p // 0.1 / 10\n{SUM}",
    "a text by a method": f"s = 0.1 if '{{}}'.format(p) == '0.5' else p\n{SUM}",
    "digits": f"s = 0.1 if p.as_integer_ratio() == (1, 2) else p\n{SUM}",
    "its type": f"s = p if isinstance(p, float) else 0.1\n{SUM}",
    "a cache": f"SEEN[p] = p\ns = SEEN[p] * (len(SEEN) < 3)\n{SUM}",
    "an exponent of a rank": "return (x / ranks**p).sum(axis=1)",
    "a root": f"s = p**0.5\n{SUM}",
    "a logarithm": "return (x / np.log2(ranks + 1) * -math.log(p)).sum(axis=1)",
    "a base": "return (x / (np.log(ranks + 1) / np.log(1 + p))).sum(axis=1)",
    "a shift of a logarithm": "return (x / np.log2(ranks + 1 + p)).sum(axis=1)",
    "a shape": "return (x * np.ones(math.ceil(p))).sum(axis=1)",
    "a length": "return grades[:, : int(10 * p), 0].sum(axis=1)",
    "a divisor that may be 0": "return x.sum(axis=1) / (p - 0.5)",
    "a sign that changes": "return (x * (p - 0.5)).sum(axis=1)",
    "a base above 1": "return (x * (2 * p) ** ranks).sum(axis=1)",
    "a base below 0": "return (x * (p - 1) ** ranks).sum(axis=1)",
}
"""Code that does something else for some values of p than for others, or does what no rule covers for all values."""


ALONE = {
    *("a branch at one half", "a loop that stops", "a shape", "a whole quotient"),
    *("an exponent of a rank", "a logarithm", "digits", "the larger one of numpy"),
}
"""Cases that run code which others do not."""


@each("case", list(MISLEADING), 40, besides=ALONE)
def test_what_depends_on_the_value_is_not_left_open(case: str, tmp_path: Path) -> None:
    metric = metric_of(tmp_path, MISLEADING[case])
    assert "p" in open_names(metric)
    for names in (["p"], ["p", "q"]):
        assert derive(metric, names).metric is None
    proof = prove(AXIOMS["Pri"], metric, Reading(), least_effort=True)
    assert proof is None or "p" not in left_open(proof.certificate)


FOLLOWED = {
    "a power": ("return (x * p**ranks).sum(axis=1)", "(p) ** (i - 1) times (p) * r"),
    "both parameters": ("return ((1 - q) * x * p ** (ranks - 1)).sum(axis=1)", "(p) ** (i - 1) times (1 - q) * r"),
    "a running product": (
        "return (x * np.cumprod(np.full(x.shape, p), axis=1)).sum(axis=1) / p",
        "(p) ** (i - 1) times r",
    ),
    "a quotient": ("return (x / ranks).sum(axis=1) / (1 + p * q)", "times (1) / (p * q + 1) * r"),
    "a guard": (
        f"if not 0 < p < 1:\n    raise ValueError('p')\nassert p > 0\ns = p if p else 0.1\n{SUM}",
        "(p) ** (i - 1) times (p) * r",
    ),
    "a choice on grades": (
        "return (x * np.where(x > 0, 1 - p, q) / ranks).sum(axis=1)",
        "1 / i times (1 - p) * r",
    ),
    "a helper": (
        "def step(left, r):\n    return left * (1 - p * r)\ntotal, left = 0.0, 1.0\nfor i in range(x.shape[1]):\n"
        "    total = total + left * x[:, i] / (i + 1)\n    left = step(left, x[:, i])\nreturn total",
        "s0 is 1, then (-p) * r * s0 + s0",
    ),
    "a cost": ("return (x * p**ranks).sum(axis=1) - q * (p ** np.arange(1, x.shape[1] + 1)).sum()", "cost (p * q)"),
    "a normaliser": (
        "best = -np.sort(-pool[..., 0], axis=1)\ntop = (best * p ** np.arange(1, best.shape[1] + 1)).sum(axis=1)\n"
        "total = (x * p**ranks).sum(axis=1)\n"
        "return np.divide(total, top, out=np.zeros_like(total), where=top > 0)",
        "divided by the total of the best order",
    ),
}
"""Code with the fold that it is for all p and q, in part."""


@each("case", list(FOLLOWED), 12)
def test_parameters_stay_open(case: str, tmp_path: Path) -> None:
    body, text = FOLLOWED[case]
    head = HEAD.replace("weights, p", "weights, pool, p") if "pool" in body else HEAD
    metric = metric_of(tmp_path, body, head)
    assert isinstance(metric, FunctionMetric)
    derivation = agreeing_fold(metric, ["p", "q"])
    assert derivation.metric is not None, derivation.why_not
    assert text in derivation.metric.text
    check_same_scores(metric, derivation.metric)
    assert all(is_fold_at(derivation.metric, metric.beside({"p": p, "q": Fraction(3, 7)})) for p in VALUES)


RBP = "return ((1 - p) * x * p ** (ranks - 1)).sum(axis=1)"


def proof_of(metric: Metric, axiom: str) -> dict[str, Any]:
    proof = prove(AXIOMS[axiom], metric, Reading(), least_effort=True)
    document = document_of(proof.certificate)
    assert isinstance(document, dict)
    return {**document, "sentence": proof_sentence(proof.certificate)}


@each(
    ("axiom", "sentence"),
    [
        ("Pri", "proved for rankings of every length and every p, q between 0 and 1, by induction"),
        ("Deep", "proved for rankings of every length and every p, q between 0 and 1, by induction"),
        ("DeepTh", "proved for every n and every p, q between 0 and 1, by the geometric lemma"),
        ("CloseTh", "proved for every n and every q between 0 and 1, by the witness lemma"),
    ],
    4,
)
def test_proofs_are_for_every_value_where_they_are(axiom: str, sentence: str, tmp_path: Path) -> None:
    document = proof_of(metric_of(tmp_path, RBP), axiom)
    assert document["sentence"] == sentence


def test_parameters_of_which_one_is_compared(tmp_path: Path) -> None:
    metric = metric_of(tmp_path, f"s = p if q < 0.5 else 0.1\n{SUM}")
    assert proof_of(metric, "Pri")["parameters"] == ["p"]


@each("value", ["1", "0", "3/2"], 1)
def test_other_values_are_not_left_open(value: str, tmp_path: Path) -> None:
    metric = metric_of(tmp_path, RBP)(p=Fraction(value))
    assert open_names(metric) == ["q"]
    assert "has no parameters p" in derive(metric, ["p"]).why_not


def test_objects_are_made_at_values(tmp_path: Path) -> None:
    code = "class metric:\n    def __init__(self, p=0.8):\n        self.p = 0.1 if p == 0.5 else p\n"
    code += "    def __call__(self, topic, ranking):\n"
    code += "        return sum(topic.pool[d][0] * self.p**i for i, d in enumerate(ranking))\n"
    metric = metric_of(tmp_path, "", code)
    assert open_names(metric) == []
    assert proof_of(metric, "Pri")["parameters"] == []


def test_the_checker_derives_with_the_same_parameters_open(tmp_path: Path) -> None:
    metric = metric_of(tmp_path, RBP)
    document = proof_of(metric, "Pri")
    del document["sentence"]
    check_certificate(document, metric)
    closed = derive(metric).metric
    for forged, why in (
        ({"parameters": []}, "derived is"),
        ({"parameters": ["q"]}, "derived is"),
        ({"derived": closed.text}, "derived is"),
        ({"parameters": ["p", "q", "s"]}, "has no parameters"),
    ):
        with pytest.raises(InvalidInput, match=why):
            check_certificate({**document, **forged}, metric)


CARELESS = ["another value at one half", "below a tenth", "rounded"]
"""Code that is p to the power of the rank at p = 0.8."""


@each("case", CARELESS, 3)
def test_scores_at_other_values_catch_a_careless_derivation(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agreement, "unreached", lambda *_: "")  # the fold is that of another file
    honest = derive(metric_of(tmp_path, f"s = p\n{SUM}"), ["p"]).metric
    assert honest is not None
    body = MISLEADING[case].replace("s = 0.5 if p < 0.1", "s = 0.04 if p < 0.1")
    code = HEAD + "".join(f"    {line}\n" for line in body.splitlines())
    (tmp_path / "other.py").write_text(code)
    metric = resolve(f"{tmp_path / 'other.py'}:metric")
    check_same_scores(metric, honest.closed(metric.values))
    with pytest.raises(MetricError, match=r"differ from those of the sum over ranks derived from its source"):
        check_same_scores(metric, honest)


@quality
def test_values_at_which_floats_lose_gains_are_no_error(tmp_path: Path) -> None:
    """At p = 1/20, floats lose a gain of p ** 10 beside one of 1; at the function's own value they do not."""
    body = "return ((x > 0) * p ** (10 * (ranks - 1))).sum(axis=1)"
    metric = metric_of(tmp_path, body, HEAD.replace("p=0.8", "p=0.99"))
    assert agreeing_fold(metric).metric is not None
    assert "(p=0.05" in agreeing_fold(metric, ["p"]).why_not
    assert proof_of(metric, "DeepTh")["scope"]["parameters"] == ["q"]


def test_powers_that_underflow_for_small_values_are_not_left_open(tmp_path: Path) -> None:
    body = "return (x * (p**60 * p**60 * p**10) / ranks).sum(axis=1)"
    metric = metric_of(tmp_path, body, HEAD.replace("p=0.8", "p=0.99"))
    assert derive(metric).metric is not None
    assert "a power of a parameter" in derive(metric, ["p"]).why_not


@pytest.mark.parametrize("name", ["i", "r", "hit", "s0", "s12", "\u03b2"])
def test_names_that_the_text_of_a_sum_has_for_others_are_not_left_open(name: str, tmp_path: Path) -> None:
    metric = metric_of(tmp_path, f"return (x * {name}**ranks).sum(axis=1)", HEAD.replace("q=0.3", f"{name}=0.3"))
    assert open_names(metric) == ["p"]


def test_a_whole_number_may_be_written_as_a_float(tmp_path: Path) -> None:
    metric = metric_of(tmp_path, f"s = p if p < 1.0 else 0.1\n{SUM}")
    assert derive(metric, ["p"]).metric is not None


def test_answers_of_open_numbers_are_right_for_all_values() -> None:
    p, q = open_numbers(["p", "q"]).values()
    numbers = [p, 1 - p, p * q, p / (1 + q), (1 - p) ** 2, 1 / p, p + q, p - q, 2 * p - 1, p * p - p + 1, p**3 - 2]
    others = [Fraction(0), Fraction(1), Floating("0.5", 0.5)]
    points = [{"p": Fraction(a, 8), "q": Fraction(b, 8)} for a in range(1, 8) for b in range(1, 8)]
    values = {id(n): [n.at(point) for point in points] for n in numbers} | {id(n): [Fraction(n)] * 49 for n in others}
    decided = 0
    for one in numbers:
        for two in numbers + others:
            for compare in ("__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"):
                try:
                    answer = getattr(one, compare)(two)
                except UnknownValue:
                    continue
                decided += 1
                for x, y in zip(values[id(one)], values[id(two)], strict=True):
                    assert getattr(x, compare)(y) is answer
    assert decided > 200


def test_regions_have_the_ends_of_the_twin(tmp_path: Path) -> None:
    metric = metric_of(tmp_path, RBP)
    found = axiomcheck.region(metric, "CloseTh", over="p=0:1").region
    twin = axiomcheck.region("RBP", "CloseTh", over="p=0:1").region
    assert [piece.low for piece in found.parts[0].pieces][1:] == [piece.low for piece in twin.parts[0].pieces][1:]
    assert found.parts[0].pieces[0].high.polynomial == "p**3 + p**2 - 1"
    assert found.axes[0].text == "p in (0, 1)"


@quality
def test_ranges_beyond_0_or_1_are_decided_at_settings(tmp_path: Path) -> None:
    found = axiomcheck.region(metric_of(tmp_path, RBP), "CloseTh", over="p=0.5:1.5:2", examples=5).region
    assert found.grid is not None


@quality
def test_a_proof_is_carried_to_settings_at_which_the_source_is_that_fold(tmp_path: Path) -> None:
    found = axiomcheck.region(metric_of(tmp_path, RBP), "Pri", over="p=0:1:4", examples=5).region
    texts = [finding.how for finding in found.grid.findings]
    assert sum("every p, q between 0 and 1" in text for text in texts) == 1
    verdicts = [found.grid.finding(number).verdict for number in range(4)]
    assert verdicts[1:-1] == [Verdict.PROVED] * 2
    metric = metric_of(tmp_path, MISLEADING["below a tenth"])
    misleading = axiomcheck.region(metric, "Pri", over="p=0.02:0.98:2", examples=5).region
    assert not any("every p" in finding.how for finding in misleading.grid.findings)


def test_functions_of_the_corpus_are_the_same_fold_at_other_values() -> None:
    followed = 0
    for metric in (written.metric() for written in CORPUS):
        names = open_names(metric)
        found: DerivedMetric | None = derive(metric, names).metric if names else None
        if found is not None:
            assert all(is_fold_at(found, metric.beside(dict.fromkeys(names, p))) for p in VALUES), metric.name
            followed += 1
    assert followed


CREATED = """
import functools, itertools
import numpy as np

made = itertools.count()

def tick(): pass
tick.times = 0

def ticked():
    tick.times += 1
    return tick.times

@functools.lru_cache
def cached(x): return x

def misses():
    cached(object())
    return cached.cache_info().misses

class metric:
    def __init__(self):
        self.p = 0.5 if COUNT < 20000 else 2.0
    def __call__(self, grades, weights):
        return (grades[:, :, 0] * self.p ** np.arange(grades.shape[1])).sum(axis=1)
"""


@pytest.mark.parametrize("count", ["next(made)", "ticked()", "misses()"])
def test_an_object_that_depends_on_how_many_were_created_has_no_fold(count: str, tmp_path: Path) -> None:
    """Each call creates an object, so that ``__init__`` is a part of the metric's code."""
    file = tmp_path / "created.py"
    file.write_text(CREATED.replace("COUNT", "0"), encoding="utf-8")
    assert derive(resolve(f"{file}:metric")).metric is not None
    file.write_text(CREATED.replace("COUNT", count), encoding="utf-8")
    assert derive(resolve(f"{file}:metric")).metric is None


CHANGED_BY_ITS_TYPE = """
class Meta(type):
    def __call__(cls):
        made = super().__call__()
        made.p = 2.0
        return made

class metric(metaclass=Meta):
    def __init__(self):
        self.p = 0.5
    def __call__(self, topic, ranking):
        return sum(topic.pool[d][0] * self.p**i for i, d in enumerate(ranking))
"""


@pytest.mark.parametrize("base", ["metaclass=Meta", "dict"])
def test_a_class_that_is_not_created_by_its_own_code_alone_has_no_fold(base: str, tmp_path: Path) -> None:
    file = tmp_path / "typed.py"
    file.write_text(CHANGED_BY_ITS_TYPE.replace("metaclass=Meta", ""), encoding="utf-8")
    assert derive(resolve(f"{file}:metric")).metric is not None
    file.write_text(CHANGED_BY_ITS_TYPE.replace("metaclass=Meta", base), encoding="utf-8")
    assert derive(resolve(f"{file}:metric")).metric is None


KEPT_IN_THE_OBJECT = """
ALL = []

class Sum:
    top = 1
    def __call__(self, topic, ranking):
        BEFORE
        self.gains = [topic.pool[d][0] * self.top for d in ranking]
        return sum(self.gain(i) * self.discount(i) for i in range(len(self.gains)))
    def gain(self, place):
        return self.gains[place]

class metric(Sum):
    def __init__(self, p=0.8):
        self.p, self.gains = p, []
    def discount(self, place):
        return (1 - self.p) * self.p**place
"""


@pytest.mark.parametrize(
    "before", ["ALL.append(self)", "ALL.append(self.gain)", "self.again = [self]", "self.top = [1]"]
)
def test_a_class_may_set_attributes_when_it_is_called_if_nothing_else_refers_to_the_object(
    before: str, tmp_path: Path
) -> None:
    """Each call creates an object, so that no call reads what an earlier one has set."""
    file = tmp_path / "kept.py"
    file.write_text(KEPT_IN_THE_OBJECT.replace("BEFORE", "pass"), encoding="utf-8")
    metric = resolve(f"{file}:metric")
    found = derive(metric).metric
    assert found is not None
    check_same_scores(metric, found)
    file.write_text(KEPT_IN_THE_OBJECT.replace("BEFORE", before), encoding="utf-8")
    assert derive(resolve(f"{file}:metric")).metric is None
    file.write_text(KEPT_IN_THE_OBJECT.replace("BEFORE", "pass") + "one = metric()\n", encoding="utf-8")
    assert "outside __init__" in derive(resolve(f"{file}:one")).why_not


CARRIED = """
class metric:
    kept = 1.0
    depth = 10**4
    count = 0

    def __call__(self, topic, ranking):
        total = 0.0
        for i, d in enumerate(ranking, 1):
            STEP
        return total
"""

STEPS = {
    "total += topic.pool[d][0] * self.kept; self.kept *= 0.8": "(4/5) ** (i - 1)",
    "total += topic.pool[d][0] * self.kept / i; self.kept *= 1 - topic.pool[d][0] / 2": "r * s0; s0 is 1",
    "self.count += topic.pool[d][0] > 0; total += (topic.pool[d][0] > 0) * self.count / i": "hit",
}


@pytest.mark.parametrize("step", STEPS)
def test_loops_carry_an_attribute_that_was_a_constant_of_the_class(step: str, tmp_path: Path) -> None:
    file = tmp_path / "carried.py"
    file.write_text(CARRIED.replace("STEP", step), encoding="utf-8")
    metric = resolve(f"{file}:metric")
    found = derive(metric).metric
    assert found is not None
    assert STEPS[step] in found.text
    check_same_scores(metric, found)


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ("total += topic.pool[d][0] / i * (self.count < self.depth); self.count += 1", "cutoff above rank 1,000"),
        ("total += self.gain(topic.pool[d][0]); self.gain = abs", "gain, which the class defines"),
    ],
)
def test_loops_do_not_lose_an_attribute_that_hides_a_member_of_the_class(step: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "hidden.py"
    gain = "\n    def gain(self, grade):\n        return grade / 2\n"
    file.write_text(CARRIED.replace("STEP", step) + gain, encoding="utf-8")
    assert why in derive(resolve(f"{file}:metric")).why_not
