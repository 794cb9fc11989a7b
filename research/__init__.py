"""Scripts that answer fixed questions about papers, axioms and proofs, with their committed output.

``python -m research.claims``, ``research.independence`` and ``research.solver`` each print an answer, which is kept in
`output/`. Tests run the scripts and compare the output. The scripts are not part of the installed package.
"""
