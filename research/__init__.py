"""Scripts for questions whose answer never changes, with what they printed.

``python -m research.claims``, ``research.independence`` and ``research.solver`` each print an answer, which `output/`
keeps. Tests run the scripts and compare. None of this is part of the installed package.
"""
