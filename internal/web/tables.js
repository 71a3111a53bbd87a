"use strict";
// Sorts tables, and filters the rows of those that have a form for it.
(() => {
	// What a row is sorted by in a column: the cell's data-v where it has one, else its text.
	function key(row, column, number) {
		const cell = row.cells[column];
		const value = cell.dataset.v ?? cell.textContent;
		return number ? Number(value) : value;
	}

	// Sorts the rows of a table by a head's column. Rows that are equal keep their order, in both directions, so that
	// sorting by one column and then by another sorts by both.
	function sort(table, th) {
		const column = th.cellIndex;
		const number = "number" in th.dataset;
		const sign = th.ariaSort === "ascending" ? -1 : 1;
		const body = table.tBodies[0];
		const rows = Array.from(body.rows, (row) => ({ row, key: key(row, column, number) }));
		rows.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : 0));
		for (const other of th.parentNode.cells) {
			if (other.ariaSort) {
				other.ariaSort = "none";
			}
		}
		th.ariaSort = sign > 0 ? "ascending" : "descending";
		body.append(...rows.map((r) => r.row));
	}

	for (const table of document.querySelectorAll("table.sortable")) {
		const heads = Array.from(table.tHead.rows[0].cells);
		for (const th of heads) {
			th.querySelector("button")?.addEventListener("click", () => sort(table, th));
		}
		for (const row of table.tBodies[0].rows) {
			heads.forEach((th, i) => row.cells[i].toggleAttribute("data-number", "number" in th.dataset));
		}
	}

	// A form with data-table="ID" shows the rows of a table that have all words of the field "text" and all values that
	// are chosen: the row's data-NAME is that of the field NAME, or, for "any:VALUE", its data-group is VALUE.
	for (const form of document.querySelectorAll("form.filters")) {
		const rows = Array.from(document.getElementById(form.dataset.table).tBodies[0].rows,
			(row) => ({ row, text: Array.from(row.cells).filter((c) => !("silent" in c.dataset)).map((c) => c.textContent).join(" ").toLowerCase() }));
		const matches = ({ row, text }, words, choices) =>
			choices.every(([name, value]) => (value.startsWith("any:") ? row.dataset.group === value.slice(4) : row.dataset[name] === value)) &&
			words.every((w) => text.includes(w));
		const filter = () => {
			const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
			const choices = Array.from(form.querySelectorAll("select"), (s) => [s.name, s.value]).filter(([, value]) => value !== "");
			let shown = 0;
			for (const r of rows) {
				r.row.hidden = !matches(r, words, choices);
				shown += r.row.hidden ? 0 : 1;
			}
			const noun = form.dataset.noun;
			form.querySelector("output").value = shown === rows.length ? `${shown} ${noun}` : `${shown} of ${rows.length} ${noun}`;
		};
		form.addEventListener("input", filter);
		form.addEventListener("submit", (event) => event.preventDefault());
		form.addEventListener("reset", () => setTimeout(filter)); // the fields are empty only after the event
		form.hidden = false;
		filter();
	}
})();
