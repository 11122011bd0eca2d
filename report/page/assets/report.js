"use strict";
// folded is a text without capitals and accents, as a filter reads it.
const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");

// tip shows and says the numbers of a mark.
const tip = (() => {
	const numbers = document.getElementById("numbers");
	const spoken = document.getElementById("spoken");
	return {
		hide: () => { numbers.hidden = true; },
		say: (text) => { spoken.textContent = text; },
		// show puts a text above a place in the window, or below it where there is no room.
		show: (text, left, above, below) => {
			numbers.textContent = text;
			numbers.hidden = false;
			const box = numbers.getBoundingClientRect();
			const most = document.documentElement.clientWidth - box.width - 4;
			numbers.style.left = `${Math.max(4, Math.min(left - box.width / 2, most)) + scrollX}px`;
			numbers.style.top = `${(above - box.height >= 0 ? above - box.height : below) + scrollY}px`;
		},
	};
})();
(() => {
	// The theme is that of the system until the reader chooses one.
	const root = document.documentElement;
	const theme = document.getElementById("theme");
	const system = matchMedia("(prefers-color-scheme: dark)");
	const stored = (value) => {
		try { // a browser may deny storage to a file
			if (value) localStorage.setItem("theme", value);
			return localStorage.getItem("theme");
		} catch {
			return null;
		}
	};
	const dark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
	const label = () => { theme.textContent = dark() ? "Light" : "Dark"; };
	const before = stored();
	if (before === "dark" || before === "light") root.dataset.theme = before;
	theme.hidden = false;
	label();
	system.addEventListener("change", label);
	theme.addEventListener("click", () => {
		root.dataset.theme = dark() ? "light" : "dark";
		stored(root.dataset.theme);
		label();
	});

	// A section opens where an address leads to it, and all of them on paper.
	const reveal = () => {
		for (let e = document.getElementById(location.hash.slice(1)); e; e = e.parentElement) {
			if (e.tagName === "DETAILS") e.open = true;
		}
	};
	reveal();
	addEventListener("hashchange", reveal);
	addEventListener("beforeprint", () => {
		for (const fold of document.querySelectorAll("details")) fold.open = true;
	});

	// Tables: sorting by a button in each header, filtering by words.
	const leading = /^\(?\s*([-+−]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:[^)]*\)(e[-+]?\d+))?/;
	const numberIn = (text) => {
		const found = leading.exec(text.replace(/^[≤≥=<>]+\s*/, ""));
		return found ? Number(found[1].replace("−", "-") + (found[2] || "")) : NaN;
	};
	const collator = new Intl.Collator("en", { numeric: true });
	const unknown = (text) => text === "" || text === "–";
	const compare = (numeric, a, b) => numeric ? a.number - b.number : collator.compare(a.text, b.text);

	for (const box of document.querySelectorAll(".table")) {
		const body = box.querySelector("tbody");
		const rows = [...body.rows];
		const headers = [...box.querySelectorAll("th")];
		const status = document.createElement("span");
		const sort = (column) => {
			const header = headers[column];
			const way = { none: "ascending", ascending: "descending" }[header.getAttribute("aria-sort") || "none"];
			for (const other of headers) other.removeAttribute("aria-sort");
			let order = rows;
			if (way) {
				header.setAttribute("aria-sort", way);
				const keys = rows.map((row, at) => {
					const text = row.cells[column].textContent.trim();
					return { row, at, text, number: numberIn(text), unknown: unknown(text) };
				});
				const numeric = keys.every((key) => key.unknown || !Number.isNaN(key.number));
				const sign = way === "ascending" ? 1 : -1;
				keys.sort((a, b) => (a.unknown - b.unknown) || (a.unknown ? 0 : sign * compare(numeric, a, b)) || a.at - b.at);
				order = keys.map((key) => key.row);
			}
			body.append(...order);
		};
		if (rows.length > 1) {
			headers.forEach((header, column) => {
				const button = document.createElement("button");
				button.type = "button";
				button.append(...header.childNodes);
				header.append(button);
				button.addEventListener("click", () => sort(column));
			});
		}
		if (box.dataset.filter === undefined) continue;
		const tools = document.createElement("div");
		tools.className = "tools";
		const name = document.createElement("label");
		const input = document.createElement("input");
		input.type = "search";
		input.placeholder = "Filter rows";
		input.setAttribute("aria-label", "Filter rows. " + box.querySelector(".scroll").getAttribute("aria-label"));
		name.append(input);
		status.setAttribute("role", "status");
		tools.append(name, status);
		box.prepend(tools);
		input.addEventListener("input", () => {
			const words = folded(input.value).split(/\s+/).filter(Boolean);
			let shown = 0;
			for (const row of rows) {
				const text = folded(row.textContent);
				row.hidden = !words.every((word) => text.includes(word));
				if (!row.hidden) shown++;
			}
			status.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
		});
	}

	// Figures that stay an SVG: the numbers of the mark under the pointer; arrow keys go
	// from mark to mark where the figure has the focus.
	const reach = 14; // pixels from a mark
	for (const figure of document.querySelectorAll("figure:not([data-explore])")) {
		const plot = figure.querySelector(".plot");
		const svg = plot.querySelector("svg");
		const marks = JSON.parse(figure.querySelector("script").textContent);
		if (!svg || !marks || marks.length === 0) continue;
		const ring = document.createElementNS("http://www.w3.org/2000/svg", "rect");
		ring.setAttribute("class", "ring");
		let current = -1;
		const scale = () => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
		const hide = () => {
			tip.hide();
			ring.remove();
		};
		const show = (index) => {
			current = index;
			const [x, y, width, height, text] = marks[index];
			const room = width + height === 0 ? 3.6 : 1;
			for (const [name, value] of Object.entries({ x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room, rx: Math.min(room, 3.6) })) {
				ring.setAttribute(name, value);
			}
			svg.append(ring);
			const box = svg.getBoundingClientRect();
			const by = scale();
			tip.show(text, box.left + (x + width / 2) * by, box.top + y * by - 8, box.top + (y + height) * by + 8);
		};
		const nearest = (event) => {
			const box = svg.getBoundingClientRect();
			const by = scale();
			const px = (event.clientX - box.left) / by;
			const py = (event.clientY - box.top) / by;
			let best = -1;
			let least = reach / by;
			let size = Infinity;
			marks.forEach(([x, y, width, height], index) => {
				const distance = Math.hypot(Math.max(x - px, 0, px - x - width), Math.max(y - py, 0, py - y - height));
				if (distance < least || (distance === least && width + height < size)) {
					[best, least, size] = [index, distance, width + height];
				}
			});
			return best;
		};
		svg.addEventListener("pointermove", (event) => {
			const index = nearest(event);
			if (index < 0) hide();
			else show(index);
		});
		svg.addEventListener("pointerleave", hide);
		plot.addEventListener("blur", hide);
		plot.addEventListener("keydown", (event) => {
			const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
			if (event.key === "Escape") hide();
			if (event.key === "Home") current = -1;
			else if (!step) return;
			event.preventDefault();
			show(current < 0 ? 0 : (current + (step || 0) + marks.length) % marks.length);
			tip.say(marks[current][4]);
		});
	}
})();
