"use strict";
// A page that lists others: those are shown that have all words of what is looked for.
for (const box of document.querySelectorAll("[data-search]")) {
	const pages = JSON.parse(box.querySelector("script").textContent).map((p) => ({ ...p, all: [p.title, p.text, ...p.words].join(" ").toLowerCase() }));
	const input = document.createElement("input");
	input.type = "search";
	input.placeholder = "Search runs, claims, methods, data";
	input.setAttribute("aria-label", input.placeholder);
	const status = document.createElement("p");
	status.setAttribute("role", "status");
	const list = document.createElement("ol");
	box.append(input, status, list);
	input.addEventListener("input", () => {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		const found = words.length ? pages.filter((p) => words.every((word) => p.all.includes(word))) : [];
		status.textContent = words.length ? `${found.length} of ${pages.length} runs` : "";
		list.replaceChildren(...found.map((p) => {
			const item = document.createElement("li");
			const title = document.createElement(p.link ? "a" : "span");
			if (p.link) title.href = p.link;
			title.textContent = p.title;
			item.append(title, p.text ? `: ${p.text}` : "");
			return item;
		}));
	});
}
