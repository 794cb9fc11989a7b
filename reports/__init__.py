"""Render results as terminal tables, Markdown, HTML, LaTeX, CSV, JSON and pictures."""
