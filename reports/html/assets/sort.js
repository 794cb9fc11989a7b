(function () {
  // Turn headings with data-sort ("number" or "text") into buttons that sort the rows of their table: numbers in
  // descending order, texts from A to Z, and reversed when pressed again. Cells without a value stay last.
  const said = document.createElement("p");
  said.className = "hidden";
  said.setAttribute("role", "status");
  document.body.append(said);

  const valueOf = (row, column, kind) => {
    const cell = row.cells[column];
    const text = cell.dataset.value ?? cell.textContent.trim();
    return kind === "number" ? (text === "" ? NaN : Number(text)) : text;
  };
  const compare = (one, other, kind) =>
    kind === "number" ? one - other : one.localeCompare(other, "en", { numeric: true });

  const sort = (table, heading, headings) => {
    const kind = heading.dataset.sort;
    const before = heading.getAttribute("aria-sort");
    const down = before === "none" ? kind === "number" : before === "ascending";
    for (const each of headings) each.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [valueOf(row, heading.cellIndex, kind), row]);
    keyed.sort(([one], [other]) => {
      const missing = Number(Number.isNaN(one)) - Number(Number.isNaN(other));
      return missing || (Number.isNaN(one) ? 0 : down ? compare(other, one, kind) : compare(one, other, kind));
    });
    body.append(...keyed.map(([, row]) => row));
    said.textContent = `Sorted by ${heading.textContent.trim()}, ${down ? "descending" : "ascending"}`;
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    const headings = [...table.querySelectorAll("thead th[data-sort]")];
    for (const heading of headings) {
      heading.setAttribute("aria-sort", "none");
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => sort(table, heading, headings));
    }
  }
})();
