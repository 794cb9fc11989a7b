"use strict";
(function () {
  const main = document.querySelector("main");
  const one = (id) => document.getElementById(id);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const count = one("count");
  const views = all(".view");

  const value = (id) => (one(id) ? one(id).value : "");
  const current = () => views.find((view) => !view.hidden) || views[0];

  // Hide the rows of other families, the cells without the selected verdict or finding, and rows without such cells.
  function filter() {
    const reading = value("reading") || views[0].dataset.reading;
    const family = value("family");
    const verdict = value("verdict");
    main.dataset.show = value("show") || "found";
    const findings = main.dataset.show === "differences" || Boolean(one("findings") && one("findings").checked);
    for (const view of views) view.hidden = view.dataset.reading !== reading;
    let cells = 0;
    let rows = 0;
    for (const body of all("tbody", current())) {
      let left = 0;
      for (const row of all("tr:not(.family)", body)) {
        let wanted = 0;
        for (const cell of all("td[data-verdict]", row)) {
          const fits = (!verdict || cell.dataset.verdict === verdict) && (!findings || "finding" in cell.dataset);
          cell.classList.toggle("out", !fits);
          wanted += fits;
        }
        row.hidden = !wanted || Boolean(family && body.dataset.family !== family);
        if (!row.hidden) {
          cells += wanted;
          left += 1;
        }
      }
      body.hidden = !left;
      rows += left;
    }
    count.textContent = cells + (cells === 1 ? " cell, " : " cells, ") + rows + " " + (count.dataset.row || "metric") + (rows === 1 ? "" : "s");
    rove();
  }

  // Only one cell of the table is in the tab order; arrow keys move the focus to other cells.
  function links(view) {
    return all("tbody:not([hidden]) tr:not(.family):not([hidden])", view).map((row) =>
      all("td", row).map((cell) => shown(cell.querySelector("a")))
    );
  }
  function shown(link) {
    return link && getComputedStyle(link).visibility === "visible" ? link : null;
  }
  function rove() {
    for (const link of all(".matrix td a")) link.tabIndex = -1;
    const first = links(current()).flat().find(Boolean);
    if (first) first.tabIndex = 0;
  }
  function go(link) {
    for (const other of all(".matrix td a[tabindex='0']")) other.tabIndex = -1;
    link.tabIndex = 0;
    link.focus();
  }
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opened()) {
      close();
      return;
    }
    const link = event.target.closest && event.target.closest(".matrix td a");
    if (!link || event.ctrlKey || event.altKey || event.metaKey) return;
    const grid = links(current());
    let y = grid.findIndex((row) => row.includes(link));
    let x = y < 0 ? -1 : grid[y].indexOf(link);
    if (x < 0) return;
    let next = null;
    if (event.key in steps) {
      const [down, right] = steps[event.key];
      do {
        y += down;
        x += right;
        next = grid[y] && x < grid[y].length && x >= 0 ? grid[y][x] : null;
      } while (!next && grid[y] && x >= 0 && x < grid[y].length);
    } else if (event.key === "Home" || event.key === "End") {
      const row = grid[y].filter(Boolean);
      next = event.key === "Home" ? row[0] : row[row.length - 1];
    } else {
      return;
    }
    event.preventDefault();
    if (next) go(next);
  });

  // The page's address opens a cell, so that links to cells work. Closing a cell returns the focus to its link.
  function opened() {
    const name = decodeURIComponent(location.hash.slice(1));
    return all(".cell").find((section) => section.id === name) || null;
  }
  function linkOf(section) {
    return all(".matrix td a").find((link) => link.getAttribute("href") === "#" + section.id);
  }
  function close() {
    const link = linkOf(opened());
    const box = link && link.closest(".scroll");
    const kept = [scrollX, scrollY, box && box.scrollLeft, box && box.scrollTop];
    location.hash = "#controls";
    scrollTo(kept[0], kept[1]);
    if (!link) return;
    go(link);
    box.scrollTo(kept[2], kept[3]);
  }
  function showOpened() {
    const section = opened();
    if (!section) return;
    section.focus({ preventScroll: true });
    section.scrollTop = 0;
  }
  for (const link of all(".cell .close")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      close();
    });
  }

  one("controls").addEventListener("submit", (event) => event.preventDefault());
  one("controls").addEventListener("change", filter);
  addEventListener("hashchange", showOpened);

  // The page's address may name a cell of another reading than the first.
  const asked = opened() && linkOf(opened());
  if (asked && one("reading")) one("reading").value = asked.closest(".view").dataset.reading;
  filter();
  showOpened();
})();
