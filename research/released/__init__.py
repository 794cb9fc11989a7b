"""Study which known definition each metric function of released packages computes.

`rows.toml` lists the functions and how to call them. The results are in `research/output/released.json`, and a page
about them in `research/output/released.md`. Wrappers call the installed packages; none of their code is copied.
"""

from __future__ import annotations

import tempfile
import textwrap
import tomllib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from axiomcheck.checks.definitions.known import known_definition
from axiomcheck.sources.external_metrics import FloatTopic, NamedMetric
from axiomcheck.sources.resolve import resolve
from research.printing import OUTPUT

FOUND = OUTPUT / "released.json"
"""File of the results by name of row."""


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Function of a released package, with the code that calls it. The fields are explained in `rows.toml`."""

    package: str
    version: str
    function: str
    says: str
    imports: str
    call: str
    lines: str = ""
    zero: str = "not relevant or not ranking"
    graded: bool = False
    truth: str = ""

    @property
    def name(self) -> str:
        """Name of the row on the command line, such as ``cornac:ncrr5``."""
        return f"{self.package}:{self.function}"

    @property
    def installed(self) -> bool:
        """True if exactly this version of the package is installed."""
        try:
            return version(self.package) == self.version
        except PackageNotFoundError:
            return False

    @property
    def wrapper(self) -> str:
        """Source code of a module that defines the function as an axiomcheck metric, by calling the package."""
        kind = "levels=4" if self.graded else "binary_only=True"
        judgment = "round(4 * grades[0])" if self.graded else "int(grades[0] > 0)"
        zero = f"if {self.zero}:\n    return 0.0\n" if self.zero else ""
        body = f"{zero}{self.lines.strip()}\nreturn float({self.call})".replace("\n\n", "\n")
        imports = self.imports.strip()
        return (
            f"import axiomcheck\n{imports}\n\n\n"
            f"@axiomcheck.metric(single_aspect=True, {kind})\n"
            f"def {self.function}(topic, ranking):\n"
            "    ranking = list(ranking)\n"
            f"    judged = {{name: {judgment} for name, grades in topic.pool.items()}}\n"
            "    relevant = [name for name in judged if judged[name]]\n"
            "    gains = [judged[name] for name in ranking]\n"
            f"{textwrap.indent(body.strip(), '    ')}\n"
        )


class Shown(msgspec.Struct, frozen=True):
    """Departure of a function from a known definition, with the smallest input that shows it.

    Args:
        says: Description of the departure in words.
        judged: Grades of the judged documents.
        ranking: Documents in rank order.
        score: Score that the function returns.
        standard: Score by the definition, with the function's other departures applied.

    """

    says: str
    judged: dict[str, float]
    ranking: list[str]
    score: float | str
    standard: float


class Found(msgspec.Struct, frozen=True):
    """Known definition that was found for a released function.

    Args:
        name: Name of the definition; empty if none was found.
        exact: True if all scores tried equal those of the definition with the departures.
        departures: Differences between the function and the definition.

    """

    name: str = ""
    exact: bool = False
    departures: tuple[Shown, ...] = ()


def rows() -> list[Row]:
    """Return the rows of `rows.toml`."""
    text = (Path(__file__).parent / "rows.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text)["row"], list[Row])


def recorded() -> dict[str, Found]:
    """Return the committed results by name of row; empty if there is no file of results."""
    return msgspec.json.decode(FOUND.read_bytes(), type=dict[str, Found]) if FOUND.exists() else {}


def ask(row: Row) -> Found:
    """Score rankings with the installed package, and return the known definition that fits the scores.

    Raises:
        Exception: No definition was found because the wrapper raises this exception.

    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wrapper.py")
        path.write_text(row.wrapper, encoding="utf-8")
        metric = resolve(f"{path}:{row.function}")
        known = known_definition(metric)
        if known is None:
            # An exception in every call would look like a function without a known definition.
            assert isinstance(metric, NamedMetric)
            metric.score_rankings([(FloatTopic((1.0,), {"d1": (1.0,), "d2": (0.0,), "d3": (1.0,)}), ["d2", "d1"])])
            return Found()
    shown = []
    for one in known.differences:
        case = one.counterexample
        judged = {name: grade for name, (grade,) in case["topic"]["pool"].items()}
        score = case["scores"][0]
        shown.append(
            Shown(
                one.says,
                judged,
                case["rankings"][0],
                float(f"{score:.6g}") if isinstance(score, float) else score,
                float(f"{case['reference']:.6g}"),
            )
        )
    return Found(known.name, known.exact, tuple(shown))
