"""P@H by simulating users: many of them browse a ranking, each as the browsing model says.

Next to it, what is known without simulation: the expectations exactly, and the distribution exactly or up to a stated
probability.
"""

from __future__ import annotations

from axiomcheck.runs.simulate.compared import RunStudy, Segment, study
from axiomcheck.runs.simulate.exact import Known, known
from axiomcheck.runs.simulate.users import Simulation, simulate

__all__ = ["Known", "RunStudy", "Segment", "Simulation", "known", "simulate", "study"]
