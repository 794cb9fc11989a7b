"""Print the results for functions of released packages, print a wrapper, or update the results.

``python -m research.released`` prints a page with the results. ``python -m research.released cornac:ncrr5`` prints the
wrapper of one function. ``python -m research.released --ask`` runs the functions of installed packages again, and
writes the new results and the page.
"""

from __future__ import annotations

import sys

import msgspec

from research.printing import OUTPUT
from research.released import FOUND, Found, Row, ask, recorded, rows

EXAMPLE = "cornac:ncrr5"
LEFT_OUT = (
    "Left out, as they need more than a minute to install, do not import as released, or were not tried: allRank,",
    "AutoRAG, LibRecommender, mini-rec-sys, mkpyros, RecBole, recommendation-metrics, sentence-transformers.",
)


def page() -> str:
    """Return the page of results as Markdown: instructions, then the functions by how they relate to a definition."""
    found = recorded()
    every = [(row, found[row.name]) for row in rows() if row.name in found]
    departing = [(row, one) for row, one in every if one.exact and one.departures]
    exact = [f"`{row.says}` of {row.package} {row.version}: {one.name}" for row, one in every if one == _plain(one)]
    unknown = [(row, one) for row, one in every if not one.exact]
    (example,) = (row for row in rows() if row.name == EXAMPLE)
    packages = len({row.package for row, _ in every})
    return "\n".join(
        [
            "# What released metrics really compute",
            "",
            f"{len(every)} functions of {packages} released packages, and the known definition "
            "(docs/reference/definitions.md)",
            "that each follows: on small and random topics, all of its scores are those of the definition with the",
            "departures named. Equal scores are no proof. A departure is no error by itself: many are documented, or",
            "meant. Judgments are 0 and 1, or 0 to 4 where the function takes more.",
            "",
            "## See for yourself",
            "",
            f"Install the package (`pip install {example.package}=={example.version}`), write a wrapper that calls it,",
            "and check that. The names of a row below are enough for a script of the checkout to print its wrapper:",
            "",
            f"    python -m research.released {example.name} > {example.package}_metric.py",
            f"    axiomcheck check {example.package}_metric.py:{example.function} --contract-only",
            "",
            f"`{example.package}_metric.py` is then",
            "",
            "```python",
            example.wrapper.rstrip(),
            "```",
            "",
            "`python -m research.released --ask` asks every package that is installed in the version named, and writes",
            "this page anew. A wrapper scores 0 where its package raises or divides by 0.",
            "",
            "## With departures",
            "",
            "The definition's score is that of the definition with the other departures, if there are several.",
            "",
            "| row | the package's name for it | what it computes | smallest input | its score | the definition's |",
            "| --- | --- | --- | --- | --- | --- |",
            *(_line(row, one, k) for row, one in departing for k in range(len(one.departures))),
            "",
            "## Without a known definition",
            "",
            "axiomcheck names none that has all scores of these. What they compute was read in their source.",
            "",
            *(
                f"- `{row.name}` ({row.version}), `{row.says}`: {row.truth}; axiomcheck {_near(one)}"
                for row, one in unknown
            ),
            "",
            "## Without departures",
            "",
            *(f"- {one}" for one in exact),
            "",
            *LEFT_OUT,
            "",
        ]
    )


def _near(one: Found) -> str:
    return (
        f"says {one.name}, except {', '.join(shown.says for shown in one.departures)}" if one.name else "says nothing"
    )


def _plain(one: Found) -> Found:
    return Found(one.name, True)


def _line(row: Row, found: Found, k: int) -> str:
    one = found.departures[k]
    first = (f"`{row.name}` {row.version}", f"`{row.says}`") if k == 0 else ("", "")
    name = f"{found.name}, except: " if k == 0 else "and "
    grade = {name: f"{4 * value:g}" if row.graded else f"{value:g}" for name, value in one.judged.items()}
    judged = ", ".join(f"{name}={value}" for name, value in grade.items())
    shown = f"{judged}; ranking {' '.join(one.ranking)}"
    cells = (*first, f"{name}{one.says}", shown, _number(one.score), _number(one.standard))
    return f"| {' | '.join(cells)} |"


def _number(score: float | str) -> str:
    return score if isinstance(score, str) else f"{score:.6g}"


def main() -> None:
    """Print the page or a wrapper, or update the results, depending on the command line."""
    asked = sys.argv[1:]
    if not asked:
        print(page(), end="")
    elif asked != ["--ask"]:
        print("\n\n".join(row.wrapper for row in rows() if row.name in asked), end="")
    else:
        found = recorded()
        for row in rows():
            if row.installed:
                found[row.name] = ask(row)
                print(f"{row.name}: {found[row.name].name or 'no known definition'}", file=sys.stderr)
        kept = {row.name: found[row.name] for row in rows() if row.name in found}
        FOUND.write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
        (OUTPUT / "released.md").write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
