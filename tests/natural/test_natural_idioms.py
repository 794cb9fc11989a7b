"""Idioms of users' code that derivations follow, and code just beside them that is refused.

Eleven of forty public metrics were derived when they were first counted, before any of these rules; the forty were kept
apart until then. The rules are general; none of them knows one of the forty.
"""

from pathlib import Path

import pytest

from axiomcheck.derivation.agreement import agreeing_fold, check_same_scores
from axiomcheck.derivation.derive import derive
from axiomcheck.sources.resolve import resolve
from tests.natural.planted import Row, rows_of
from tests.support.suites import each

FOLLOWED, REFUSED = rows_of("FOLLOWED"), rows_of("REFUSED")


def name_of(row: Row) -> str:
    return row.name


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("planted")


@each("row", FOLLOWED, 1, ids=name_of)
def test_an_idiom_is_followed(row: Row, folder: Path) -> None:
    found = derive(row.metric(folder))
    assert found.metric is not None, found.why_not
    assert row.expected in found.metric.text


ALONE = ("clamped_between", "sums_by_reduce", "none_without_relevant", "breadth_and_depth")
"""Idioms whose scores run code that the scores of others do not."""


@pytest.mark.filterwarnings("ignore:invalid value")  # where nothing is relevant, some divide 0 by 0
@each("row", FOLLOWED, 96, ids=name_of, besides=[row for row in FOLLOWED if row.name in ALONE], share=30)
def test_what_is_followed_has_the_scores_of_the_code(row: Row, folder: Path) -> None:
    metric = row.metric(folder)
    found = derive(metric).metric
    assert found is not None
    check_same_scores(metric, found)


@each("row", REFUSED, 1, ids=name_of)
def test_code_beside_an_idiom_is_refused(row: Row, folder: Path) -> None:
    metric = row.metric(folder)
    found = agreeing_fold(metric)  # raises an exception if the scores for one aspect differ
    assert found.metric is None or found.metric.one_aspect_topics, found.metric.text
    assert row.expected in found.why_not or row.expected in derive(metric).why_not, found.why_not


def test_a_comparison_with_0_is_refused_at_its_own_line(tmp_path: Path) -> None:
    """Its sign is known only after the function has run, but the reason names the line of the comparison."""
    lines = (
        "def share(topic, ranking):",
        "    best, weight = 0.0, 1.0",
        "    for i, g in enumerate(sorted((x[0] for x in topic.pool.values()), reverse=True)):",
        "        if i < 5:",
        "            best += weight * g",
        "            weight *= 0.8",
        "    if best == 0:",
        "        return 0.0",
        "    return sum(topic.pool[d][0] * 0.8**i for i, d in enumerate(ranking[:5])) / best",
    )
    file = tmp_path / "share.py"
    file.write_text("\n".join(lines), encoding="utf-8")
    found = derive(resolve(f"{file}:share")).why_not
    assert found.startswith("line 7 of share.py: it compares a number that may be negative with 0"), found


SETTINGS = (
    "np.seterr(under='raise')",
    "np.seterrcall(print)",
    "warnings.simplefilter(action='error')",
    "warnings.simplefilter(mode)",
    "from warnings import simplefilter as quiet",
)


@pytest.mark.parametrize("setting", SETTINGS)
def test_a_file_that_lets_numpy_raise_where_floats_underflow_has_no_fold(setting: str, tmp_path: Path) -> None:
    """Only rankings of some thousand documents underflow, and no comparison of scores has them."""
    text = "def far(grades, weights):\n    return (grades[:, :, 0] * 0.9 ** np.arange(grades.shape[1])).sum(axis=1)\n"
    file, imports = tmp_path / "far.py", "import warnings\nimport numpy as np\n"
    file.write_text(f"{imports}def unused():\n    {setting}\n{text}", encoding="utf-8")
    assert "makes numpy or warnings raise" in derive(resolve(f"{file}:far")).why_not
    file.write_text(f"{imports}warnings.filterwarnings('ignore', 'x')\n{text}", encoding="utf-8")
    assert derive(resolve(f"{file}:far")).metric is not None
