"""Write the matrix as a LaTeX table that uses booktabs. Its symbols are macros, which a paper can redefine."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from axiomcheck.axioms import find_axiom
from axiomcheck.core.printable import escaped, in_units, printable
from axiomcheck.core.verdict import Verdict
from axiomcheck.records.cells import Cell, Ledger
from axiomcheck.reports.bibliography import (
    AXIOMS_PAPER,
    Reference,
    references,
    references_of_axiom,
    references_of_metric,
)
from axiomcheck.reports.html.page import environment
from axiomcheck.reports.layout import Layout, caption
from axiomcheck.reports.symbols import BINARY_MARK, FINDING_MARK

_MACROS: dict[Verdict, str] = {
    Verdict.PROVED: "axproved",
    Verdict.BOUNDED: "axbounded",
    Verdict.HELD: "axheld",
    Verdict.REFUTED: "axrefuted",
    Verdict.INCOMPARABLE: "axincomparable",
    Verdict.NOT_APPLICABLE: "axnotapplicable",
    Verdict.UNDECIDED: "axundecided",
    Verdict.ERROR: "axerror",
}
_MARKS = {FINDING_MARK: r"\axfinding", BINARY_MARK: r"\axbinary"}
_SIZES = ((28, r"\small"), (40, r"\footnotesize"))
"""Maximum number of table lines that fit on a page in each font size; longer tables use ``scriptsize``."""

_LONG_NAME, _LONG_WORD, _LONGEST_NAME = 50, 25, 200
"""Lengths above which a name may break into lines, a word may be broken, and a name is truncated."""

_BREAK = r"\allowbreak{}"


def to_latex(ledger: Ledger) -> str:
    """Return the matrix of a ledger as a LaTeX table across the page, with a caption and a legend of its symbols."""
    layout = Layout(ledger)
    lines = sum(bool(family) + len(metrics) for family, metrics in layout.blocks.items())
    latex = environment().overlay("<%", "%>", "<<", ">>", "<#", "#>")  # LaTeX itself has braces
    return latex.get_template("matrix.tex.j2").render(
        layout=layout,
        caption=_caption(ledger),
        size=next((size for most, size in _SIZES if lines <= most), r"\scriptsize"),
        heading=_heading(layout),
        family_name=as_latex,
        name=lambda metric: _name(layout.names[metric]) + _cited(metric),
        entry=lambda metric, axiom: _entry(layout, layout.cell(metric, axiom)),
        below=[*_legend(layout), *_sources_lines(ledger)],
    )


def bibliography_of(ledger: Ledger) -> str:
    """Return BibTeX entries for the papers that the table's metrics and axioms name as sources."""
    found = [one for metric in ledger.metrics for one in references_of_metric(metric)]
    found += [one for axiom in ledger.axioms for one in references_of_axiom(axiom)]
    found += [references()[AXIOMS_PAPER]] if ledger.findings else []  # the published claim is cited
    return to_bibtex(found)


def to_bibtex(papers: Iterable[Reference]) -> str:
    """Return BibTeX entries without duplicates, sorted by their keys."""
    return "\n".join(map(_bibtex_entry, sorted({one.key: one for one in papers}.values(), key=lambda one: one.key)))


def _bibtex_entry(paper: Reference) -> str:
    lines = [f"@{paper.kind}{{{paper.key},"]
    for name, value in paper.fields.items():
        text = value if name in ("pages", "doi") else as_latex(value)
        lines.append(f"  {name} = {{{f'{{{text}}}' if name == 'title' else text}}},")  # braces keep a title's capitals
    return "\n".join([*lines, "}"]) + "\n"


def _caption(ledger: Ledger) -> str:
    from importlib.metadata import version

    said = as_latex(caption(ledger)).replace(as_latex("r << 1"), r"$r \ll 1$")
    sources = list(_sources(ledger))
    cited = _axcite(sources[0]) if len(sources) == 1 and not isinstance(sources[0], str) else ""
    return f"Which axioms{cited} evaluation metrics satisfy. {said}; axiomcheck {as_latex(version('axiomcheck'))}."


def _sources(ledger: Ledger) -> dict[tuple[str, ...] | str, list[str]]:
    """Group the axioms by source. A key is a tuple of citation keys, or the ``source`` text if it cites no paper."""
    found: dict[tuple[str, ...] | str, list[str]] = {}
    for axiom in ledger.axioms:
        keys = tuple(sorted(one.key for one in references_of_axiom(axiom)))
        found.setdefault(keys or find_axiom(axiom).source, []).append(axiom)
    return found


def _sources_lines(ledger: Ledger) -> list[str]:
    """Return a list with one line on the axioms' sources; empty if the caption already cites the only source."""
    sources = _sources(ledger)
    if len(sources) <= 1 and not any(isinstance(source, str) for source in sources):
        return []
    told = []
    for source, axioms in sources.items():
        cited = f" ({as_latex(printable(source, _LONGEST_NAME))})" if isinstance(source, str) else _axcite(source)
        told.append(f"{as_latex(', '.join(axioms))}{cited}")
    return [f"Axioms: {'; '.join(told)}."]


def _axcite(keys: Sequence[str]) -> str:
    return rf"\axcite{{{','.join(keys)}}}"


def _heading(layout: Layout) -> list[str]:
    spans, rules, first = [], [], 2
    for heading, names in layout.groups.items():
        spans.append(rf"\multicolumn{{{len(names)}}}{{c}}{{{as_latex(heading)}}}")
        rules.append(rf"\cmidrule(lr){{{first}-{first + len(names) - 1}}}")
        first += len(names)
    head = ["Metric", *map(as_latex, layout.axioms)]
    return [f"{' & '.join(['', *spans])} \\\\", "".join(rules), f"{' & '.join(head)} \\\\"]


def _cited(metric: str) -> str:
    """Return the LaTeX citation of a metric's papers. The axioms' paper is cited only if there is no other."""
    keys = [one.key for one in references_of_metric(metric)]
    others = [key for key in keys if key != AXIOMS_PAPER]
    return _axcite(others or keys) if keys else ""


def _name(metric: str) -> str:
    if len(escaped(metric).encode("ascii", "backslashreplace")) <= _LONG_NAME:
        return as_latex(metric)
    return rf"\parbox[t]{{.3\textwidth}}{{\raggedright {_breakable(metric)}}}"


def _breakable(metric: str) -> str:
    """Escape a metric's name for LaTeX, and allow line breaks between words and inside long words."""
    words = printable(metric, _LONGEST_NAME).split()
    return " ".join(as_latex(word) if len(word) <= _LONG_WORD else _BREAK.join(map(as_latex, word)) for word in words)


def _entry(layout: Layout, cell: Cell | None) -> str:
    if cell is None:
        return ""
    marks = "".join(_MARKS[mark] for mark in layout.marks(cell))
    return rf"\{_MACROS[cell.verdict]}{{}}" + (rf"\axmarks{{{marks}}}" if marks else "")


def _legend(layout: Layout) -> list[str]:
    cited = _axcite([AXIOMS_PAPER])
    lines = [f"In full: {'; '.join(map(_breakable, layout.in_full))}."] if layout.in_full else []
    for verdict, symbol, words in layout.legend():
        if symbol == FINDING_MARK:
            lines.append(rf"\axfinding{{}} a finding: contradicts the published claim{cited}")
        else:
            macro = _MARKS[symbol] if verdict is None else rf"\{_MACROS[verdict]}"
            lines.append(f"{macro}{{}} {as_latex(escaped(words))}")
    return lines


_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",  # a command in German documents
    "`": r"{}\char96{}",  # forms a ligature with a preceding ? or !
    "[": "{[}",  # after the end of a row, it would be read as an argument, and so would a star
    "]": "{]}",
    "*": "{*}",
    "×": r"\ensuremath{\times}",
    "–": "--",
    "—": "---",
    "ß": r"{\ss}",
    "æ": r"{\ae}",
    "Æ": r"{\AE}",
    "œ": r"{\oe}",
    "Œ": r"{\OE}",
    "ø": r"{\o}",
    "Ø": r"{\O}",
    "ł": r"{\l}",
    "Ł": r"{\L}",
    "ı": r"{\i}",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
}
_LETTERS = "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
_COMMANDS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = {letter: f"\\ensuremath{{\\{name}}}" for letter, name in zip(_LETTERS, _COMMANDS.split(), strict=True)}
_LIGATING = "-',"


def as_latex(text: str) -> str:
    r"""Escape text as one line of LaTeX, for pdflatex as well as for engines that read Unicode.

    Accented letters become commands, and Greek letters become math. Other characters beyond ASCII become the ``\uXXXX``
    escapes of their UTF-16 units, since fonts may lack them. No part of the text acts as a command.
    """
    out: list[str] = []
    last = ""
    for character in unicodedata.normalize("NFC", " ".join(text.split())):
        if character == last and character in _LIGATING:
            out.append("{}")
        out.append(_set(character))
        last = character
    return "".join(out)


def _set(character: str) -> str:
    if character in _SPECIAL or character in _GREEK:
        return _SPECIAL.get(character) or _GREEK[character]
    if " " <= character <= "~":
        return character
    letter, *marks = list(unicodedata.normalize("NFD", character))
    if len(marks) == 1 and marks[0] in _ACCENTS and letter.isascii() and letter.isalpha():
        dotless = {"i": r"\i", "j": r"\j"}.get(letter, letter) if marks[0] != "\u0327" else letter
        return f"{{\\{_ACCENTS[marks[0]]}{{{dotless}}}}}"
    return r"\textbackslash{}".join(in_units(character).split("\\"))
