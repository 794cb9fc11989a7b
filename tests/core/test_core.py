"""Topics, instances and documents: what is none is turned down, with what, where, and what was expected."""

import dataclasses
import json
import math
import re
import subprocess
import sys
import tomllib
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from msgspec import Meta

from axiomcheck.core.documents import (
    UNSET,
    Maybe,
    Record,
    difference,
    document_of,
    parse_json,
    read,
    schema_of,
)
from axiomcheck.core.domain import Instance, Topic, exact
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.packages import requirements
from axiomcheck.core.writing import json_text
from axiomcheck.sources.adapters import ADAPTERS
from tests.support.transcripts import ROOT

HALVES = ["1/2", "1/2"]


def topic(**pool: list[Any]) -> Topic:
    return Topic(HALVES, pool or {"a": [0, 1], "b": ["1/3", 0.1]})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("0.1", Fraction(1, 10)),
        ("1/3", Fraction(1, 3)),
        (1e-7, Fraction(1, 10**7)),
    ],
)
def test_numbers_are_exact(value: Any, expected: Fraction) -> None:
    assert exact(value, "it") == expected


@pytest.mark.parametrize("value", [True, None, "", "a half", "1/0", float("nan"), float("inf"), [1], {}])
def test_values_that_are_no_numbers_are_named(value: Any) -> None:
    with pytest.raises(InvalidInput, match="the grade: expected") as caught:
        exact(value, "the grade")
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("value", ["1e99999999", "1E-1000", "1e1_000_000", "0." + "3" * 400, "1/" + "3" * 400])
def test_texts_of_numbers_that_take_too_long_are_turned_down(value: str) -> None:
    with pytest.raises(InvalidInput, match="the grade: expected a number of at most 400 characters") as caught:
        exact(value, "the grade")
    assert len(str(caught.value)) < 200


def test_a_sum_of_very_many_digits_is_told() -> None:
    weights = [f"1/{10**397 + k}" for k in range(1, 30)]
    with pytest.raises(InvalidInput, match="sum to a fraction of thousands of digits"):
        Topic(weights, {})


@pytest.mark.parametrize(
    ("weights", "pool", "message"),
    [
        ([], {}, "at least one aspect"),
        (["1/2", "1/3"], {}, "sum to 1 exactly; 1/2, 1/3 sum to 5/6"),
        ([1, 0], {}, "weight of aspect 2: expected a positive number, got 0"),
        (["x"], {}, "weight of aspect 1: expected a finite number"),
        (HALVES, {"a": [1]}, "document 'a': expected 2 grades, one per aspect, got 1"),
        (HALVES, {"a": [0, "3/2"]}, "grade of document 'a' for aspect 2: expected a number in [0, 1], got 3/2"),
        (HALVES, {"a": [0, False]}, "grade of document 'a': expected a number, got False"),
    ],
)
def test_weights_and_grades_of_no_topic_are_turned_down(
    weights: list[Any], pool: dict[str, list[Any]], message: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        Topic(weights, pool)
    assert message in str(caught.value)


def test_topics_are_exact_immutable_and_hashable() -> None:
    made = Topic([0.1, "9/10"], {"a": [0.3, 1]})
    assert made.weights == (Fraction(1, 10), Fraction(9, 10))
    assert made.pool["a"] == (Fraction(3, 10), Fraction(1))
    assert hash(made) == hash(Topic(["1/10", 0.9], {"a": ["3/10", 1]}))
    assert made == Topic(["1/10", 0.9], {"a": ["3/10", 1]})
    with pytest.raises(TypeError):
        made.pool["a"] = (Fraction(0), Fraction(0))  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.weights = (Fraction(1),)  # type: ignore[misc]


@pytest.mark.parametrize(
    ("worse", "better", "message"),
    [
        (["a", "c"], ["a"], "worse ranking: document 'c' is not in the pool"),
        (["a", "a"], ["a"], "worse ranking: document 'a' is listed twice"),
    ],
)
def test_documents_of_no_ranking_are_turned_down(worse: list[str], better: list[str], message: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        Instance(topic(), worse, better)
    assert message in str(caught.value)


def test_instances_hold_what_they_were_given() -> None:
    made = Instance(topic(), ["a", "b"], ("b", "a"), small=True)
    assert (made.worse, made.better, made.small) == (("a", "b"), ("b", "a"), True)
    assert made == Instance(topic(), ("a", "b"), ["b", "a"], True)
    assert hash(made) == hash(Instance(topic(), ("a", "b"), ["b", "a"], True))
    assert Instance(topic(), [], []).worse == ()


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Leaf(Record):
    """At the end of a twig."""

    count: Annotated[int, Meta(ge=1)]
    colour: Colour
    share: Annotated[float, Meta(ge=0, le=1)] | None
    span: tuple[int, int] = (0, 0)
    note: Maybe[str] = UNSET

    def __post_init__(self) -> None:
        if self.count == 13:
            raise ValueError("count is 13; expected a luckier number")


class Tree(Record):
    schema: Literal["tests/tree"]
    leaves: tuple[Leaf, ...]
    named: dict[Annotated[str, Meta(pattern="^[a-z']+$")], tuple[Leaf, ...]]
    alive: bool


LEAF: dict[str, Any] = {"count": 1, "colour": "red", "share": 0.5, "span": [1, 2]}
TREE: dict[str, Any] = {
    "schema": "tests/tree",
    "leaves": [LEAF, LEAF | {"note": "green"}, LEAF | {"share": None}],
    "named": {"a": [LEAF], "b'": [LEAF, LEAF]},
    "alive": True,
}


def tree(**changes: Any) -> dict[str, Any]:
    return TREE | changes


def leaves(**changes: Any) -> dict[str, Any]:
    return tree(leaves=[LEAF, LEAF | changes])


def test_a_document_is_written_as_it_was_read() -> None:
    record = read(Tree, TREE, "tree")
    assert record.leaves[1].note == "green"
    assert record.leaves[0].note is UNSET
    assert json.dumps(document_of(record)) == json.dumps(TREE)
    assert read(Tree, parse_json(json_text(document_of(record))), "tree") == record


WRONG: dict[str, tuple[Any, str]] = {
    "no object": ([], "the document is []; expected an object"),
    "an entry that is not known": (tree(more=1), "more is not known; expected schema, leaves, named, alive"),
    "one that is nearly known": (leaves(colr=1), "leaves[1].colr is not known; did you mean colour?"),
    "a bool for an integer": (leaves(count=True), "leaves[1].count is True; expected an integer"),
    "too small a number": (leaves(count=0), "leaves[1].count is 0; expected an integer >= 1"),
    "too large a share": (leaves(share=1.5), "leaves[1].share is 1.5; expected a number <= 1.0"),
    "a share that is no number": (leaves(share=math.nan), "leaves[1].share is nan; expected a number"),
    "null for what is absent": (leaves(note=None), "leaves[1].note is None; expected a string"),
    "wrong below a name": (
        tree(named={"a": [LEAF], "b'": [LEAF, LEAF | {"count": "x"}]}),
        "named.b'[1].count is 'x'; expected an integer",
    ),
    "a name of another form": (tree(named={"a": [LEAF], "B 1": []}), 'named["B 1"] is not one of the expected names'),
    "entries that contradict each other": (leaves(count=13), "leaves[1].count is 13; expected a luckier number"),
}


@pytest.mark.parametrize(("document", "says"), WRONG.values(), ids=WRONG)
def test_entries_that_do_not_fit_are_refused_with_their_place(document: Any, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read(Tree, document, "tree")
    assert str(error.value).startswith(f"tree: {says}")


def test_a_part_is_named_as_it_stands_in_the_whole() -> None:
    with pytest.raises(InvalidInput, match=r"^report: cells\[3\]\.leaf\.count is 0; expected"):
        read(Leaf, LEAF | {"count": 0}, "report", ("cells", 3, "leaf"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{"a": {"b": 1, "b": 1}}', "a.b: this JSON is not accepted: the entry occurs twice"),
        ('{"a": [NaN]}', "a[0]: this JSON is not accepted: NaN is not a number"),
        ('{"a": 1e999}', "a: this JSON is not accepted: 1e999 is out of range"),
        ("[" + "1" * 401 + "]", "[0]: this JSON is not accepted: an integer of 401 digits; expected at most 400"),
        ("[" * 65 + "]" * 65, "[0][0][0]: this JSON is not accepted: objects and lists are nested more than 64 deep"),
        ("[" * 100_000, "this JSON is not accepted: objects and lists are nested more than 64 deep"),
        ('{"a": "\\ud800"}', "a: this JSON is not accepted: text with a lone surrogate"),
        ('{"\\ud800": 1}', "the document: this JSON is not accepted: a name with a lone surrogate"),
        ('{"a":\n 1,}', "line 2, column "),
    ],
)
def test_json_that_python_would_read_and_should_not_is_refused(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse_json(text)
    assert str(error.value).startswith(says)


def test_numbers_that_json_has_not_are_not_written() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"a": math.nan})


NEW_TYPES_IN_THREADS = """
import msgspec, sys, threading
from axiomcheck.core import documents

sys.setswitchinterval(1e-6)
for _ in range(100):
    kind = documents.Record
    for depth in range(12):
        fields = [("inner", tuple[kind, ...] | None, None), ("names", dict[str, list[int | str | None]] | None, None)]
        kind = msgspec.defstruct(f"Level{depth}", fields, bases=(documents.Record,), frozen=True)
    readers = [threading.Thread(target=documents.read, args=(kind, {"inner": []}, "document")) for _ in range(4)]
    for reader in readers:
        reader.start()
    for reader in readers:
        reader.join()
"""


def test_a_type_is_first_used_by_several_threads() -> None:
    # With msgspec.convert itself in place of axiomcheck's function, this process dies of a segmentation fault.
    subprocess.run([sys.executable, "-c", NEW_TYPES_IN_THREADS], check=True)


def test_the_published_schema_takes_what_is_written_and_nothing_that_is_refused_for_its_form() -> None:
    schema = schema_of([Tree], "tests/tree", 1)
    jsonschema.Draft202012Validator.check_schema(schema)
    published = jsonschema.Draft202012Validator(schema)
    assert schema["$id"] == "urn:tests:tree:1"
    assert schema["$defs"]["Leaf"]["description"] == "At the end of a twig."
    assert published.is_valid(document_of(read(Tree, TREE, "tree")))
    of_form = {
        name for name in WRONG if "contradict" not in name and "float for" not in name and "no number" not in name
    }
    assert [name for name in of_form if published.is_valid(WRONG[name][0])] == []


def test_differences_are_told_type_by_type() -> None:
    assert difference(TREE, read(Tree, TREE, "tree")) is None
    assert difference({"a": [1, True]}, {"a": [1, 1]}) == "a[1] is True; expected 1"
    assert difference({"a": 1}, {"a": 1, "b": 2}, ("x",)) == "x.b is missing; expected 2"
    assert difference({"a": 1, "b": 2}, {"a": 1}) == "b is not expected; expected a"


EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", ["plot", *ADAPTERS])
def test_an_extra_is_what_the_project_says(extra: str) -> None:
    assert requirements(extra) == EXTRAS[extra.replace("_", "-")]


def test_nothing_tells_people_to_install_a_name_that_no_index_has() -> None:
    """From an index there is no axiomcheck: it comes from a repository, a wheel, or a checkout."""
    from_index = re.compile(r"pip install[^\n`#]*?['\"\s]axiomcheck(?:\[[\w,]+\])?(?=['\"`\s])(?! @)")
    assert from_index.search("`pip install 'axiomcheck[plot]'`")
    assert from_index.search("pip install axiomcheck beside")
    assert not from_index.search("pip install 'axiomcheck[plot] @ git+https://...'")
    folders = ("axiomcheck", "axioms", "metrics", "reports", "docs")
    files = [f for folder in folders for f in (ROOT / folder).rglob("*") if f.suffix in (".py", ".md", ".j2", ".ipynb")]
    for file in [*files, *ROOT.glob("*.md"), ROOT / "action.yml"]:
        assert not from_index.search(file.read_text(encoding="utf-8")), file


def test_parametrize_without_pytest_says_that_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import axiomcheck

    monkeypatch.setitem(sys.modules, "pytest", None)
    for name in [name for name in sys.modules if name.startswith("axiomcheck.pytest_plugin")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(InvalidInput, match=r"axiomcheck\.parametrize needs pytest, .* pip install pytest"):
        axiomcheck.__getattr__("parametrize")
