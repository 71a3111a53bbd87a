"use strict";
(() => {
	const el = (tag, cls, text) => {
		const e = document.createElement(tag);
		if (cls) e.className = cls;
		if (text !== undefined) e.textContent = text;
		return e;
	};

	// Buttons that copy a text.
	document.addEventListener("click", ev => {
		const b = ev.target.closest("button.copy");
		if (!b) return;
		const text = b.dataset.text;
		const done = () => { const was = b.textContent; b.textContent = "copied"; setTimeout(() => { b.textContent = was; }, 1200); };
		if (navigator.clipboard && window.isSecureContext) { navigator.clipboard.writeText(text).then(done, () => {}); return; }
		const area = el("textarea");
		area.value = text;
		document.body.append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
		done();
	});

	// A cell of the matrix leaves the races of its pair, and the name of a program those of the program.
	const races = Array.from(document.querySelectorAll("details.race"));
	const bar = document.getElementById("filter");
	const buttons = Array.from(document.querySelectorAll(".matrix .racy button, button.program"));
	const filter = button => {
		const of = button && (button.dataset.program !== undefined
			? { name: button.textContent, has: r => (r.dataset.programs || "").split(" ").includes(button.dataset.program) }
			: { name: button.dataset.pair.split("\t").join(" and "), has: r => JSON.parse(r.dataset.pairs || "[]").includes(button.dataset.pair) });
		let shown = 0;
		for (const r of races) {
			r.hidden = of !== null && !of.has(r);
			if (!r.hidden) shown++;
		}
		for (const b of buttons) b.setAttribute("aria-pressed", String(b === button));
		if (!bar) return;
		bar.hidden = of === null;
		if (of) {
			bar.querySelector("span").textContent = shown + (shown === 1 ? " race of " : " races of ") + of.name;
			bar.scrollIntoView({ block: "start" });
		}
	};
	for (const b of buttons) {
		b.addEventListener("click", () => filter(b.getAttribute("aria-pressed") === "true" ? null : b));
	}
	if (bar) bar.querySelector("button").addEventListener("click", () => filter(null));

	// The link to a race opens it.
	const open = () => {
		const e = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
		if (e && e.tagName === "DETAILS") { filter(null); e.open = true; e.scrollIntoView(); }
	};
	addEventListener("hashchange", open);
	open();

	// Executions: a lane a thread, time going down.
	const colors = ["#1a7f37", "#0b57a4", "#b35900", "#8250df", "#b00020", "#00707a", "#7a6a00"];
	let active = null;
	const runs = Array.from(document.querySelectorAll(".run"), build);
	if (runs.length) active = runs[0];

	function build(box) {
		const x = JSON.parse(box.querySelector("script").textContent);
		const locks = [];
		const colorOf = name => {
			const bare = name.replace(/ \(shared\)$/, "");
			if (!locks.includes(bare)) locks.push(bare);
			return colors[locks.indexOf(bare) % colors.length];
		};
		const lanes = box.querySelector(".lanes"), panel = box.querySelector(".panel");
		lanes.style.setProperty("--n", x.threads.length);
		const heads = el("div", "heads");
		for (const t of x.threads) heads.append(el("div", "", t));
		lanes.append(heads);
		const held = x.threads.map(() => []);
		const rows = [];
		let lines = x.threads.map(() => "");
		x.steps.forEach((s, i) => {
			if (s.before) lanes.append(el("div", "switch" + (s.preempted ? " pre" : ""), s.before));
			held[s.lane] = s.locks || [];
			const row = el("div", "row" + (s.last ? " last" : ""));
			row.dataset.step = i;
			x.threads.forEach((_, t) => {
				const cell = el("div");
				const bars = el("div", "bars");
				for (const l of held[t]) {
					const b = el("b");
					b.title = l;
					b.style.setProperty("--lock", colorOf(l));
					bars.append(b);
				}
				cell.append(bars);
				if (t === s.lane) {
					const text = el("div", "text");
					if (s.line && lines[t] !== s.line) { lines[t] = s.line; text.append(el("span", "src", s.line)); }
					text.append(s.text || "");
					cell.append(text);
				}
				row.append(cell);
			});
			lanes.append(row);
			rows.push(row);
		});
		const run = { box, x, rows, at: -1 };
		const counter = box.querySelector(".count");
		const go = n => {
			if (!rows.length) return;
			n = Math.max(0, Math.min(rows.length - 1, n));
			if (run.at >= 0) rows[run.at].removeAttribute("aria-current");
			run.at = n;
			const row = rows[n];
			row.setAttribute("aria-current", "step");
			const top = row.offsetTop, height = heads.offsetHeight;
			if (top - height < lanes.scrollTop) lanes.scrollTop = top - height;
			else if (top + row.offsetHeight > lanes.scrollTop + lanes.clientHeight) lanes.scrollTop = top + row.offsetHeight - lanes.clientHeight;
			const lane = row.children[x.steps[n].lane];
			if (lane.offsetLeft < lanes.scrollLeft || lane.offsetLeft + lane.offsetWidth > lanes.scrollLeft + lanes.clientWidth) lanes.scrollLeft = lane.offsetLeft;
			counter.textContent = "step " + (n + 1) + " of " + rows.length;
			show(n);
		};
		function show(n) {
			const s = x.steps[n];
			panel.replaceChildren();
			const head = el("p");
			head.append(el("strong", "", x.threads[s.lane]), (s.func ? " in " + s.func : "") + ": " + (s.text || "goes on"));
			panel.append(head);
			const src = s.at && document.getElementById(s.at);
			if (src) panel.append(src.content.cloneNode(true));
			const values = new Map();
			for (let i = 0; i <= n; i++) {
				for (const part of (x.steps[i].text || "").split(", ")) {
					const m = /^(.+?) (?::=|is) (.+)$/.exec(part);
					if (m) { values.delete(m[1]); values.set(m[1], [m[2], i]); }
				}
			}
			const now = x.threads.map(() => []);
			for (let i = 0; i <= n; i++) now[x.steps[i].lane] = x.steps[i].locks || [];
			now.forEach((ls, t) => {
				for (const l of ls) {
					const p = el("p"), dot = el("span", "dot");
					dot.style.background = colorOf(l);
					p.append(dot, x.threads[t] + " holds " + l);
					panel.append(p);
				}
			});
			if (!values.size) return;
			const table = el("table");
			for (const [name, [v, i]] of Array.from(values).reverse()) {
				const tr = el("tr", i === n ? "new" : "");
				tr.append(el("td", "", name), el("td", "", v));
				table.append(tr);
			}
			panel.append(table);
		}
		lanes.addEventListener("click", ev => {
			const row = ev.target.closest(".row");
			if (row) { active = run; go(Number(row.dataset.step)); }
		});
		box.addEventListener("focusin", () => { active = run; });
		for (const b of box.querySelectorAll(".bar button[data-go]")) {
			b.addEventListener("click", () => { active = run; go(run.at + Number(b.dataset.go)); });
		}
		run.go = go;
		go(0);
		return run;
	}

	// j and k step anywhere; the arrow keys where an execution has the focus.
	document.addEventListener("keydown", ev => {
		if (!active || ev.ctrlKey || ev.altKey || ev.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(ev.target.tagName)) return;
		const focused = ev.target.closest && ev.target.closest(".run");
		const keys = { j: 1, n: 1, k: -1, p: -1 };
		if (focused) Object.assign(keys, { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1, Home: -1e9, End: 1e9 });
		if (!(ev.key in keys)) return;
		ev.preventDefault();
		active.go(active.at + keys[ev.key]);
	});
})();
