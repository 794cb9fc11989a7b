"""Reports: matrices in all formats, tables for the terminal, and results of studies."""
