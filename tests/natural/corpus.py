"""The corpus: metric functions as people write them (``written/``), with what is true of each.

What is true comes from elsewhere than the function itself: a metric of the catalogue that it equals in every score, and
the axioms that it breaks or keeps by an argument that a line of its docstring gives.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiomcheck import Domain, Metric, parse
from axiomcheck.sources.function_metrics import CallableMetric, FunctionMetric
from axiomcheck.sources.resolve import resolve

__all__ = ["CORPUS", "WRITTEN", "Written"]

WRITTEN = Path(__file__).parent / "written"

DCG = "alpha-nDCG(alpha=0)@inf"
"""DCG: the metric is not normalised, has no novelty, and is asked of one aspect."""


@dataclass(frozen=True)
class Written:
    """A function and what is true of it.

    Args:
        name: ``file.py:function``.
        twin: the metric of the catalogue whose scores it has; empty for none.
        breaks: axioms that it violates where all grades are allowed (regime ``finite``).
        keeps: axioms that it satisfies where r << 1 is assumed.
        binary: it only tests whether a grade is positive.
        several: it knows several aspects.
        exact: whether it is expected to run exactly.

    """

    name: str
    twin: str = ""
    breaks: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()
    binary: bool = False
    several: bool = False
    exact: bool = True

    @property
    def domain(self) -> Domain:
        """Return the grades that it is decided on."""
        return Domain.BINARY if self.binary else Domain.GRADED

    def metric(self) -> FunctionMetric | CallableMetric:
        """The function as a user names it, with what is declared of it."""
        return _metric(self)

    def twin_metric(self) -> Metric:
        """The metric of the catalogue."""
        return parse(self.twin)


@cache
def _metric(written: Written) -> FunctionMetric | CallableMetric:
    found = resolve(str(WRITTEN / written.name))
    assert isinstance(found, FunctionMetric | CallableMetric)
    declared: dict[str, Any] = {"single_aspect": not written.several, "binary_only": written.binary}
    return type(found)(found.function, written.name, **declared)


def _arrays(name: str, twin: str = "", **truth: Any) -> Written:
    return Written(f"arrays.py:{name}", twin, **truth)


def _rankings(name: str, twin: str = "", **truth: Any) -> Written:
    return Written(f"rankings.py:{name}", twin, **truth)


_GOOD = ("Pri", "Deep")

CORPUS: tuple[Written, ...] = (
    *(
        _arrays(name, DCG)
        for name in (
            *("dcg", "dcg_times", "dcg_natural_log", "dcg_math", "dcg_filled", "dcg_helper", "dcg_module"),
            "dcg_power",
        )
    ),
    _arrays("dcg_starting_at_one", breaks=("Pri",)),
    _arrays("dcg_unranked", breaks=("Pri", "Deep")),
    _arrays("dcg_exponential", keeps=_GOOD),
    _arrays("dcg_exponential_power", keeps=_GOOD),
    _arrays("dcg_cut", breaks=("Pri", "Deep", "Conf")),
    *(_arrays(name, "nDCG") for name in ("ndcg", "ndcg_where", "ndcg_masked")),
    _arrays("ndcg_of_itself", breaks=("AspDiv", "Conf"), several=True),
    *(_arrays(name, "RBP(p=0.8)") for name in ("rbp", "rbp_power", "rbp_cumprod", "rbp_loop")),
    _arrays("patient_rbp", "RBP(p=0.95)"),
    _arrays("rbp_off_by_one", keeps=_GOOD),
    _arrays("rbp_rising", breaks=("Pri",), keeps=("Deep",)),  # the loss is smallest at the top
    _arrays("err", "ERR@inf"),
    _arrays("err_loop", "ERR@inf"),
    _arrays("err_no_cascade", keeps=_GOOD),
    _arrays("err_ia", "ERR-IA@inf", several=True),
    _arrays("err_ia_prod", "ERR-IA@inf", several=True),
    _arrays("precision", "P@10", binary=True),
    _arrays("precision_count", "P@10", binary=True),
    _arrays("precision_mean", breaks=("Pri", "Conf"), binary=True),
    _arrays("average_precision", "AP", binary=True),
    _arrays("average_precision_retrieved", breaks=("AspDiv", "Conf"), binary=True, several=True),
    _arrays("reciprocal_rank", "RR", binary=True),
    _arrays("reciprocal_rank_nonzero", "RR", binary=True),
    _arrays("s_recall", "S-Recall@inf", binary=True, several=True),
    _arrays("nrbp", "NRBP", several=True),
    _arrays("alpha_dcg", "alpha-nDCG@inf", several=True),
    _arrays("alpha_dcg_counting_itself", breaks=("Pri",), several=True),  # half of the one above
    _arrays("gain_less_effort", breaks=("Pri", "Deep"), several=True),
    _arrays("sqrt_discount", keeps=_GOOD),
    _arrays("exponential_discount", keeps=_GOOD),
    _arrays("saturating", keeps=_GOOD),
    _arrays("thresholded", breaks=("Pri", "Deep")),
    _arrays("best_of_top", breaks=("Pri", "Deep")),
    _arrays("median_grade", breaks=("Pri", "Deep")),
    _arrays("folded", keeps=_GOOD),
    _arrays("correlated", exact=False),
    _arrays("clipped", breaks=("Pri", "Deep"), keeps=("Pri",)),
    *(_rankings(name, DCG) for name in ("dcg", "dcg_sum", "dcg_zip", "library_dcg")),
    _rankings("dcg_exponential", keeps=_GOOD),
    _rankings("dcg_off_by_one", breaks=("Pri",)),
    *(_rankings(name, "nDCG") for name in ("ndcg", "ndcg_numpy")),
    _rankings("library_ndcg", "nDCG@1000"),
    *(_rankings(name, "RBP(p=0.8)") for name in ("rbp", "rbp_decimal", "rbp_fsum")),
    _rankings("err", "ERR@inf"),
    _rankings("err_ia", "ERR-IA@inf", several=True),
    _rankings("precision", "P@10", binary=True),
    _rankings("precision_of_retrieved", breaks=("Pri", "Conf"), binary=True),
    _rankings("average_precision", "AP", binary=True),
    _rankings("reciprocal_rank", "RR", binary=True),
    _rankings("recall", breaks=("Pri", "Deep"), binary=True),
    _rankings("aspects_covered", "S-Recall@inf", binary=True, several=True),
    _rankings("alpha_gain", "alpha-nDCG@inf", several=True),
    _rankings("novelty", keeps=("Pri",), several=True),
    _rankings("gain_less_cost", breaks=("Pri", "Deep", "Conf"), several=True),
    _rankings("table_of_weights", breaks=("Pri", "Conf")),
    _rankings("half_life", keeps=_GOOD),
    _rankings("root_discount", keeps=_GOOD),
    _rankings("harmonic_mean", breaks=("Pri",)),
    _rankings("library_dcg_first_kind", breaks=("Pri",)),
    _rankings("library_apk", breaks=("Pri", "Conf"), binary=True),
    _rankings("library_bpref", breaks=("Pri",), binary=True),
    _rankings("rounded", breaks=("Conf",), exact=False),
    _rankings("hashed", breaks=("Conf",), exact=False),
    _rankings("gamma_discount", keeps=("Pri",)),
)
