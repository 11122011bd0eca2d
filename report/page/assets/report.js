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

// read shows the numbers of the mark of a figure under the pointer, and by arrow keys from mark to
// mark where the figure has the focus. place gives a mark's text and its rectangle in the window;
// more takes the other keys, with the mark that is shown.
const read = (figure, area, marks, place, more) => {
	const reach = 18; // pixels from a mark
	const ring = document.getElementById("ring");
	let current = null;
	const hide = () => {
		tip.hide();
		ring.hidden = true;
	};
	const show = (mark) => {
		current = mark;
		const { left, top, width, height, text } = place(mark);
		const room = width + height === 0 ? 6 : 1;
		ring.hidden = false;
		Object.assign(ring.style, { left: `${left + scrollX - room}px`, top: `${top + scrollY - room}px`, width: `${width + 2 * room}px`, height: `${height + 2 * room}px`, borderRadius: `${Math.min(room, 6)}px` });
		tip.show(text, left + width / 2, top - 8, top + height + 8);
	};
	area.addEventListener("pointermove", (event) => {
		let [best, least] = [null, reach];
		for (const mark of event.buttons ? [] : marks()) {
			const { left, top, width, height } = place(mark);
			const far = Math.hypot(Math.max(left - event.clientX, 0, event.clientX - left - width), Math.max(top - event.clientY, 0, event.clientY - top - height));
			if (far < least) [best, least] = [mark, far];
		}
		if (best) show(best);
		else hide();
	});
	area.addEventListener("pointerleave", hide);
	figure.addEventListener("blur", hide);
	figure.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey) return;
		const list = marks();
		const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -list.indexOf(current) }[event.key];
		if (event.key === "Escape" || more(event, current)) {
			hide();
		} else if (step !== undefined && list.length > 0) {
			show(list[list.includes(current) ? (list.indexOf(current) + step + list.length) % list.length : 0]);
			tip.say(place(current).text);
		} else {
			return;
		}
		event.preventDefault();
	});
};

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
	const leading = /^[≤≥=<>]*\s*\(?([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:[^)]*\)(e[-+]?\d+))?/;
	const numberIn = (text) => {
		const found = leading.exec(text.replaceAll("−", "-"));
		return found ? Number(found[1] + (found[2] || "")) : NaN;
	};
	const collator = new Intl.Collator("en", { numeric: true });
	const filterable = 8; // rows from which on a table has a filter
	const unknown = (text) => text === "" || text === "–";
	const compare = (numeric, a, b) => numeric ? a.number - b.number : collator.compare(a.text, b.text);

	for (const box of document.querySelectorAll(".table")) {
		const body = box.querySelector("tbody");
		const rows = [...body.rows];
		const headers = [...box.querySelectorAll("th")];
		const heads = headers.map((header) => header.textContent);
		const keysOf = (column) => rows.map((row, at) => {
			const text = row.cells[column].textContent.trim();
			return { row, at, text, number: numberIn(text), unknown: unknown(text) };
		});
		// On a narrow screen a row is a card: its method, or its text in the first column of texts, and
		// below it the other values, each with the head of its column.
		box.classList.add("cards");
		const texts = heads.findIndex((_, column) => keysOf(column).every((key) => !key.unknown && Number.isNaN(key.number)));
		const named = heads.includes("Method") ? heads.indexOf("Method") : texts;
		for (const header of headers) header.scope = "col";
		for (const row of rows) {
			[...row.cells].forEach((cell, i) => { cell.dataset.head = unknown(cell.textContent) ? "" : heads[i]; });
			row.cells[named]?.classList.add("name");
		}
		const status = document.createElement("span");
		const sort = (column) => {
			const header = headers[column];
			const way = { none: "ascending", ascending: "descending" }[header.getAttribute("aria-sort") || "none"];
			for (const other of headers) other.removeAttribute("aria-sort");
			let order = rows;
			if (way) {
				header.setAttribute("aria-sort", way);
				const keys = keysOf(column);
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
		if (rows.length < filterable) continue;
		const tools = document.createElement("div");
		tools.className = "tools";
		const name = document.createElement("label");
		const input = document.createElement("input");
		input.type = "search";
		input.placeholder = "Filter rows";
		input.setAttribute("aria-label", "Filter rows");
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
})();
