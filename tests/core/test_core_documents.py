"""Documents: what is read, what is refused and how that is said, what is written, and what is published."""

import json
import math
from enum import StrEnum
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
from axiomcheck.core.errors import InvalidInput
from axiomcheck.core.writing import json_text


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
    "a missing entry": (
        {k: v for k, v in TREE.items() if k != "alive"},
        "alive is missing",
    ),
    "an entry that is not known": (tree(more=1), "more is not known; expected schema, leaves, named, alive"),
    "one that is nearly known": (leaves(colr=1), "leaves[1].colr is not known; did you mean colour?"),
    "a bool for a whole number": (leaves(count=True), "leaves[1].count is True; expected a whole number"),
    "too small a number": (leaves(count=0), "leaves[1].count is 0; expected a whole number >= 1"),
    "too large a share": (leaves(share=1.5), "leaves[1].share is 1.5; expected a number <= 1.0"),
    "a share that is no number": (leaves(share=math.nan), "leaves[1].share is nan; expected a number"),
    "null for what is absent": (leaves(note=None), "leaves[1].note is None; expected a string"),
    "another document": (tree(schema="bush"), "schema is 'bush'; expected 'tests/tree'"),
    "one too many": (leaves(span=[1, 2, 3]), "leaves[1].span is [1, 2, 3]; expected a list of length 2"),
    "wrong below a name": (
        tree(named={"a": [LEAF], "b'": [LEAF, LEAF | {"count": "x"}]}),
        "named.b'[1].count is 'x'; expected a whole number",
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
        ("[" + "1" * 401 + "]", "[0]: this JSON is not accepted: a whole number of 401 digits; expected at most 400"),
        ("[" * 100_000, "this JSON is not accepted: objects and lists are nested more than 64 deep"),
        ('{"a": "\\ud800"}', "a: this JSON is not accepted: text with half of a surrogate pair"),
        ('{"\\ud800": 1}', "the document: this JSON is not accepted: a name with half of a surrogate pair"),
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
