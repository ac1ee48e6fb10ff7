// Sorting and filtering of the tables. The page is whole without it: what needs it is made or shown by it.
"use strict";
(() => {
  const collator = new Intl.Collator("en", {numeric: true, sensitivity: "base"});
  const LIMIT = 300;  // rows that are laid out at once; all of them from the button on

  // What a table is sorted and filtered by, read once and only when it is needed.
  const known = new WeakMap();
  const stateOf = (table) => {
    if (!known.has(table)) {
      const rows = [...table.tBodies[0].rows].map((row, at) => ({
        row, at,
        fits: true,
        keys: [...row.cells].map((cell) => cell.dataset.sort ?? cell.textContent),
        text: row.textContent.toLowerCase(),
        choices: [...row.cells].map((cell) => cell.dataset.choice).filter(Boolean),
      }));
      known.set(table, {rows, limit: LIMIT, more: null});
    }
    return known.get(table);
  };

  // Shows the first rows that fit, in their order; says how many there are.
  const show = (table) => {
    const state = stateOf(table);
    let fitting = 0;
    for (const entry of state.rows) {
      if (entry.row.hidden === entry.fits) entry.row.hidden = !entry.fits;
      fitting += entry.fits;
      entry.row.classList.toggle("later", entry.fits && fitting > state.limit);
    }
    const paper = table.closest(".data").querySelector(".paper");
    if (paper) {
      const most = +paper.dataset.rows;
      paper.hidden = fitting <= most;
      paper.textContent = `The first ${most} of ${fitting} rows are printed; -o csv and -o json have all.`;
    }
    if (state.more) {
      state.more.hidden = fitting <= state.limit;
      state.more.textContent = `Show all ${fitting} rows; the first ${state.limit} are shown`;
    }
    return fitting;
  };

  const makeLimit = (table) => {
    if (table.tBodies[0].rows.length <= LIMIT) return;
    const state = stateOf(table);
    const more = document.createElement("button");
    more.type = "button";
    more.className = "more";
    more.addEventListener("click", () => {
      state.limit = Infinity;
      const first = state.rows.find((entry) => entry.row.classList.contains("later"));
      show(table);
      if (!first) return;
      first.row.tabIndex = -1;
      first.row.focus();
    });
    state.more = more;
    table.closest(".scroll").after(more);
    show(table);
  };

  // What has no value stands last in both directions; equal rows stay in the order of the page.
  const comparer = (column, numeric, sign) => (a, b) => {
    const [x, y] = [a.keys[column], b.keys[column]];
    if (x === "" || y === "") return (x === "") - (y === "") || a.at - b.at;
    return sign * (numeric ? x - y : collator.compare(x, y)) || a.at - b.at;
  };

  const sortBy = (table, heads, column) => {
    const head = heads[column];
    const numeric = head.classList.contains("n");
    const was = head.getAttribute("aria-sort");
    const descending = was === "none" ? numeric : was === "ascending";
    heads.forEach((other) => other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const state = stateOf(table);
    state.rows.sort(comparer(column, numeric, descending ? -1 : 1));
    table.tBodies[0].append(...state.rows.map((entry) => entry.row));
    show(table);
  };

  const makeSortable = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, heads, column));
    });
  };

  // A choice with a key is of what the row has of that key, "=" of those that have none.
  const isChosen = (entry, {value, dataset: {key}}) =>
    value === "" || (key ? value === `=${entry.row.dataset[key] ?? ""}` : entry.choices.includes(value));

  // Every word must be somewhere in the row, and every choice hold.
  const fitting = (table, input, selects) => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = selects.filter((select) => select.value !== "");
    for (const entry of stateOf(table).rows)
      entry.fits = words.every((word) => entry.text.includes(word)) && chosen.every((select) => isChosen(entry, select));
    return show(table);
  };

  const makeNothing = (table, noun) => {
    const nothing = document.createElement("p");
    nothing.className = "empty nothing";
    nothing.textContent = `Nothing fits. Clear the filters to see all ${table.tBodies[0].rows.length} ${noun}.`;
    nothing.hidden = true;
    table.closest(".scroll").after(nothing);
    return nothing;
  };

  const makeFilter = (input) => {
    const table = document.getElementById(input.dataset.filter);
    const controls = input.closest(".controls");
    const selects = [...controls.querySelectorAll("select")];
    const clear = controls.querySelector(".clear");
    const count = controls.querySelector("output");
    const {noun} = count.dataset;
    const all = table.tBodies[0].rows.length;
    const nothing = makeNothing(table, noun);
    const isSet = () => [input, ...selects].some((field) => field.value !== "");
    const apply = () => {
      const found = fitting(table, input, selects);
      count.textContent = found === all ? `${all} ${noun}` : `${found} of ${all} ${noun} shown`;
      clear.hidden = !isSet();
      controls.classList.toggle("filtered", isSet());
      nothing.hidden = found > 0;
      table.closest(".scroll").hidden = found === 0;
    };
    input.addEventListener("input", apply);
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || input.value === "") return;
      event.preventDefault();
      input.value = "";
      apply();
    });
    selects.forEach((select) => select.addEventListener("change", apply));
    clear.addEventListener("click", () => {
      for (const field of [input, ...selects]) field.value = "";
      apply();
      input.focus();  // the button is gone
    });
    controls.hidden = false;
    if (isSet()) apply();  // what a browser kept over a reload
  };

  document.querySelectorAll("table[data-sortable]").forEach(makeSortable);
  document.querySelectorAll("table[data-sortable]").forEach(makeLimit);
  document.querySelectorAll("input[data-filter]").forEach(makeFilter);
})();
