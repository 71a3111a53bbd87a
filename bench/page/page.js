"use strict";
// Shows a run's log. All data is in the page: the rows, and the logs as JSON.
(() => {
	const byId = (id) => document.getElementById(id);

	const table = byId("runs");
	const form = byId("filters");

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
			form.dispatchEvent(new Event("input"));
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
	follow();
})();
