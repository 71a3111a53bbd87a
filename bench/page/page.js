"use strict";
// Sorts and filters the tables, and shows a run's log. All data is in the page: the rows, and the logs as JSON.
(() => {
	const byId = (id) => document.getElementById(id);

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

	const table = byId("runs");
	const form = byId("filters");
	// The rows in their first order, with the text that is searched: all cells but the links.
	const runs = Array.from(table.tBodies[0].rows, (row) => ({
		row,
		text: Array.from(row.cells).slice(0, -1).map((c) => c.textContent).join(" ").toLowerCase(),
	}));

	function matches(run, words, choices) {
		const data = run.row.dataset;
		for (const [name, value] of choices) {
			const ok = name === "category" && value.startsWith("any:") ? data.group === value.slice(4) : data[name] === value;
			if (!ok) {
				return false;
			}
		}
		return words.every((w) => run.text.includes(w));
	}

	// Shows the runs that have all words of the text and all values that are chosen.
	function filter() {
		const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
		const choices = Array.from(form.querySelectorAll("select"), (s) => [s.name, s.value]).filter(([, value]) => value !== "");
		let shown = 0;
		for (const run of runs) {
			run.row.hidden = !matches(run, words, choices);
			shown += run.row.hidden ? 0 : 1;
		}
		byId("count").value = shown === runs.length ? `${shown} runs` : `${shown} of ${runs.length} runs`;
	}

	form.addEventListener("input", filter);
	form.addEventListener("submit", (event) => event.preventDefault());
	form.addEventListener("reset", () => setTimeout(filter)); // the fields are empty only after the event
	form.hidden = false;

	// The panel with a run's log.
	const panel = byId("panel");
	let logs = null; // parsed when the first is asked for
	let current = null;

	function mark(row) {
		current?.removeAttribute("aria-current");
		row?.setAttribute("aria-current", "true");
		current = row;
	}

	function show(row) {
		logs ??= JSON.parse(byId("logs").textContent);
		const log = logs[Number(row.id.slice("run-".length))];
		const [task, property, config, expected, answer, category, , cpu, wall, memory] = Array.from(row.cells, (c) => c.textContent);
		mark(row);
		byId("panel-title").textContent = `${task} (${property}) under ${config}`;
		byId("panel-facts").textContent =
			`${answer}, expected ${expected || "nothing"}: ${category}; ${cpu} s CPU, ${wall} s wall, ${memory} MB`;
		byId("panel-links").replaceChildren(...Array.from(row.querySelectorAll("a"), (a) => a.cloneNode(true)).flatMap((a) => [a, " "]));
		byId("panel-note").textContent = log.note ?? "";
		byId("panel-note").hidden = !log.note;
		byId("panel-log").textContent = log.text;
		byId("panel-log").hidden = log.text === "";
		byId("panel-log").scrollTop = 0;
		panel.hidden = false;
		document.body.classList.add("open");
		row.scrollIntoView({ block: "nearest" });
		panel.focus({ preventScroll: true });
	}

	function close() {
		panel.hidden = true;
		document.body.classList.remove("open");
		current?.querySelector("button")?.focus({ preventScroll: true });
		mark(null);
	}

	table.tBodies[0].addEventListener("click", (event) => {
		const selecting = !getSelection().isCollapsed;
		if (!event.target.closest("a") && !selecting) {
			show(event.target.closest("tr"));
		}
	});
	byId("panel-close").addEventListener("click", close);
	document.addEventListener("keydown", (event) => {
		if (event.key === "Escape" && !panel.hidden) {
			close();
		}
	});

	// Follows the address: #run-N shows a run, #runs?NAME=VALUE&… those that have these values.
	function follow() {
		const [place, query] = location.hash.slice(1).split("?");
		const row = /^run-\d+$/.test(place) ? byId(place) : null;
		if (query !== undefined || row?.hidden) {
			form.reset();
			for (const [name, value] of new URLSearchParams(query)) {
				const field = form.elements.namedItem(name);
				if (field) {
					field.value = value;
				}
			}
			filter();
		}
		if (row) {
			show(row);
		} else if (query !== undefined) {
			byId("runs-title").scrollIntoView();
		}
	}

	addEventListener("hashchange", follow);
	// A link to the place that is in the address already makes no hashchange.
	document.addEventListener("click", (event) => {
		if (event.target.closest('a[href^="#"]')?.hash === location.hash && location.hash !== "") {
			follow();
		}
	});
	filter();
	follow();
})();
