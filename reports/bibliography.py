"""Where metrics and axioms come from, as BibTeX: the papers that their ``source`` names.

Entries have what the papers' own pages and reference lists say, and no field beside that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from axiomcheck.axioms import find_axiom
from axiomcheck.metrics import CATALOGUE
from axiomcheck.metrics.spelling import spelled
from axiomcheck.reports.latex_text import as_latex
from axiomcheck.sources.names import Home, read_name


@dataclass(frozen=True)
class Reference:
    r"""A paper or book.

    Args:
        key: what ``\cite`` takes.
        named: how a ``source`` names it, in every way that occurs.
        kind: of the BibTeX entry.
        fields: of the BibTeX entry, as plain text.

    """

    key: str
    named: tuple[str, ...]
    kind: str
    fields: dict[str, str]


def _paper(named: str, key: str, authors: str, title: str, where: str, pages: str = "", **more: str) -> Reference:
    """A paper in proceedings, or in a journal where there is a volume; its year is the end of its name."""
    journal = "volume" in more
    fields = {"author": authors, "title": title, "journal" if journal else "booktitle": where, "year": named[-4:]}
    return Reference(key, (named,), "article" if journal else "inproceedings", fields | _given(pages=pages, **more))


def _given(**fields: str) -> dict[str, str]:
    return {name: value for name, value in fields.items() if value}


AXIOMS_PAPER = Reference(
    "amigo2018",
    ("Amigo et al. 2018", "Amigo, Spina and Carrillo-de-Albornoz, SIGIR 2018"),
    "inproceedings",
    {
        "author": "Enrique Amigó and Damiano Spina and Jorge Carrillo-de-Albornoz",
        "title": "An Axiomatic Analysis of Diversity Evaluation Metrics: Introducing the Rank-Biased Utility Metric",
        "booktitle": "SIGIR '18: The 41st International ACM SIGIR Conference on Research & Development in Information "
        "Retrieval",
        "year": "2018",
        "doi": "10.1145/3209978.3210024",
    },
)
"""The paper that the ten axioms and the published table are from."""

REFERENCES: tuple[Reference, ...] = (
    AXIOMS_PAPER,
    _paper(
        "Agrawal et al. 2009",
        "agrawal2009",
        "Rakesh Agrawal and Sreenivas Gollapudi and Alan Halverson and Samuel Ieong",
        "Diversifying Search Results",
        "Proc. WSDM",
        "5--14",
    ),
    _paper(
        "Amigo et al. 2013",
        "amigo2013",
        "Enrique Amigó and Julio Gonzalo and Felisa Verdejo",
        "A General Evaluation Measure for Document Organization Tasks",
        "Proc. SIGIR",
        "643--652",
    ),
    _paper(
        "Bailey et al. 2015",
        "bailey2015",
        "P. Bailey and A. Moffat and F. Scholer and P. Thomas",
        "User Variability and IR System Evaluation",
        "Proc. SIGIR",
        "625--634",
    ),
    _paper(
        "Chapelle et al. 2009",
        "chapelle2009",
        "Olivier Chapelle and Donald Metzler and Ya Zhang and Pierre Grinspan",
        "Expected Reciprocal Rank for Graded Relevance",
        "Proc. CIKM",
        "621--630",
    ),
    _paper(
        "Clarke et al. 2008",
        "clarke2008",
        "Charles L. A. Clarke and Maheedhar Kolla and Gordon V. Cormack and Olga Vechtomova and Azin Ashkan and "
        "Stefan Büttcher and Ian MacKinnon",
        "Novelty and Diversity in Information Retrieval Evaluation",
        "Proc. SIGIR",
        "659--666",
    ),
    _paper(
        "Clarke et al. 2009",
        "clarke2009",
        "Charles L. A. Clarke and Maheedhar Kolla and Olga Vechtomova",
        "An Effectiveness Measure for Ambiguous and Underspecified Queries",
        "Proc. ICTIR",
        "188--199",
    ),
    _paper(
        "Ferrante and Ferro 2020",
        "ferrante2020",
        "Marco Ferrante and Nicola Ferro",
        "Exploiting Stopping Time to Evaluate Accumulated Relevance",
        "The 2020 ACM SIGIR International Conference on the Theory of Information Retrieval (ICTIR '20)",
        doi="10.1145/3409256.3409832",
    ),
    _paper(
        "Jarvelin and Kekalainen 2002",
        "jarvelin2002",
        "Kalervo Järvelin and Jaana Kekäläinen",
        "Cumulated Gain-Based Evaluation of IR Techniques",
        "ACM Trans. Inf. Sys.",
        "422--446",
        volume="20",
        number="4",
    ),
    _paper(
        "Luo et al. 2013",
        "luo2013",
        "Jiyun Luo and Christopher Wing and Hui Yang and Marti Hearst",
        "The Water Filling Model and the Cube Test: Multi-dimensional Evaluation for Professional Search",
        "Proc. CIKM",
        "709--714",
    ),
    _paper(
        "Moffat and Zobel 2008",
        "moffat2008",
        "Alistair Moffat and Justin Zobel",
        "Rank-Biased Precision for Measurement of Retrieval Effectiveness",
        "ACM Trans. Inf. Sys.",
        "2:1--2:27",
        volume="27",
        number="1",
    ),
    _paper(
        "Moffat, Bailey, Scholer and Thomas 2015",
        "moffat2015",
        "Alistair Moffat and Peter Bailey and Falk Scholer and Paul Thomas",
        "INST: An Adaptive Metric for Information Retrieval Evaluation",
        "ADCS'15",
        doi="10.1145/2838931.2838938",
    ),
    _paper(
        "Sakai et al. 2010",
        "sakai2010",
        "Tetsuya Sakai and Nick Craswell and Ruihua Song and Stephen Robertson and Zhicheng Dou and Chin-Yew Lin",
        "Simple Evaluation Metrics for Diversified Search Results",
        "Proc. EVIA",
        "42--50",
    ),
    _paper(
        "Sakai and Song 2011",
        "sakai2011",
        "Tetsuya Sakai and Ruihua Song",
        "Evaluating Diversified Search Results Using Per-intent Graded Relevance",
        "Proc. SIGIR",
        "1043--1052",
    ),
    _paper(
        "van Rijsbergen 1974",
        "vanrijsbergen1974",
        "Cornelis J. van Rijsbergen",
        "Foundation of Evaluation",
        "J. Documentation",
        "365--373",
        volume="30",
        number="4",
    ),
    _paper(
        "Voorhees 1999",
        "voorhees1999",
        "Ellen M. Voorhees",
        "The TREC-8 Question Answering Track Report",
        "Proc. TREC",
        "77--82",
    ),
    Reference(
        "voorhees2005",
        ("Voorhees and Harman 2005",),
        "book",
        {
            "author": "Ellen M. Voorhees and Donna K. Harman",
            "title": "TREC: Experiment and Evaluation in Information Retrieval",
            "publisher": "MIT Press",
            "year": "2005",
        },
    ),
    _paper(
        "Yang and Lad 2009",
        "yang2009",
        "Yiming Yang and Abhimanyu Lad",
        "Modeling Expected Utility of Multi-session Information Distillation",
        "Proc. ICTIR",
        "164--175",
    ),
    _paper(
        "Zhai et al. 2003",
        "zhai2003",
        "Cheng Xiang Zhai and William W. Cohen and John Lafferty",
        "Beyond Independent Relevance: Methods and Evaluation Metrics for Subtopic Retrieval",
        "Proc. SIGIR",
        "10--17",
    ),
)


def references_in(source: str) -> list[Reference]:
    """The papers that a ``source`` names, in its order."""
    places = {
        reference.key: (min(source.find(name) for name in reference.named if name in source), reference)
        for reference in REFERENCES
        if any(name in source for name in reference.named)
    }
    return [reference for _, reference in sorted(places.values(), key=lambda place: place[0])]


def references_of_metric(name: str) -> list[Reference]:
    """The papers that a metric of the catalogue is from, by its canonical name; none of other metrics."""
    said = spelled(name) if read_name(name).home is Home.CATALOGUE else None
    metric = CATALOGUE.get(said.name) or CATALOGUE.get(f"{said.name}@{said.after}") if said else None
    return references_in(metric.source) if metric else []


def references_of_axiom(name: str) -> list[Reference]:
    """The papers that an axiom is from."""
    return references_in(find_axiom(name).source)


def to_bibtex(references: Iterable[Reference]) -> str:
    """Entries, each once, sorted by their keys."""
    return "\n".join(map(_entry, sorted({one.key: one for one in references}.values(), key=lambda one: one.key)))


def _entry(reference: Reference) -> str:
    lines = [f"@{reference.kind}{{{reference.key},"]
    for name, value in reference.fields.items():
        lines.append(f"  {name} = {{{_value(name, value)}}},")
    return "\n".join([*lines, "}"]) + "\n"


def _value(name: str, value: str) -> str:
    if name == "title":
        return f"{{{as_latex(value)}}}"  # as it is capitalised
    if name in ("pages", "doi"):
        return value
    return as_latex(value)
