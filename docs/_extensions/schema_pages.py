"""Write the JSON Schemas of axiomcheck's documents as files, and a page about them."""

from __future__ import annotations

import json

from pages import Pages

from axiomcheck.reports.documents import SCHEMAS, schema


def write(pages: Pages) -> None:
    """Write a file for each schema, and a page about them."""
    schemas = {name: schema(name) for name in SCHEMAS}
    for name, found in schemas.items():
        pages.write(f"files/schemas/{name}.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    pages.fill("schemas.md", "schemas.md.j2", schemas=schemas)
