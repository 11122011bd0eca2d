"use strict";
// Figures whose numbers are in the page are drawn anew by uPlot when they come near the
// window: lines are hidden and shown by the buttons of the legend, the pointer zooms and
// reads, and so do keys. On paper and without this script the figure stays an SVG.
(() => {
	const pixels = 4 / 3; // of a point
	const reach = 18; // pixels from a mark that is read
	const variables = { "#000000": "--ink", "#555555": "--quiet", "#BD1F01": "--red", "#832DB6": "--purple" };
	const probe = document.createElement("span");
	probe.hidden = true;
	document.body.append(probe);
	// colour is that of a series, or of a variable of the style sheet under the theme.
	const colour = (name) => {
		const variable = name.startsWith("--") ? name : variables[name];
		if (!variable) return name;
		probe.style.color = `var(${variable})`;
		return getComputedStyle(probe).color;
	};
	const make = (tag, attributes, ...children) => {
		const e = document.createElement(tag);
		for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
		e.append(...children);
		return e;
	};

	// Marks: outlines around 0, 0 for a radius, and whether they are filled.
	const circle = (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
	const square = (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`;
	const triangle = (r) => `M0 ${-1.25 * r}L${1.1 * r} ${0.75 * r}H${-1.1 * r}Z`;
	const shapes = {
		circle: [circle, true], ring: [circle, false], square: [square, true], box: [square, false],
		pyramid: [triangle, true], triangle: [triangle, false], plus: [(r) => `M${-r} 0H${r}M0 ${-r}V${r}`, false],
	};

	// flat is a text where nothing can be raised or sunk, see rich.
	const flat = (text) => text.replace(/\uE000([^\uE001]*)\uE001/g, "^($1)").replace(/\uE002([^\uE001]*)\uE001/g, "_$1");

	// Numbers of an axis.
	const digits = "⁰¹²³⁴⁵⁶⁷⁸⁹";
	const label = (v) => {
		const size = Math.abs(v);
		if (v === 0 || (size >= 1e-3 && size < 1e5)) return String(Number(v.toPrecision(6))).replace("-", "−");
		const [front, power] = v.toExponential(3).split("e");
		const up = String(Math.abs(power)).replace(/\d/g, (d) => digits[d]);
		const factor = Number(front);
		return `${factor === 1 ? "" : `${factor}×`.replace("-", "−")}10${power < 0 ? "⁻" : ""}${up}`;
	};
	const linear = (low, high, most) => {
		const rough = (high - low) / most;
		const power = 10 ** Math.floor(Math.log10(rough));
		const step = power * [1, 2, 5, 10].find((s) => s * power >= rough * (1 - 1e-9));
		const list = [];
		for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) + step * 1e-9; k++) list.push(Number((k * step).toPrecision(12)));
		return list;
	};
	const logarithmic = (low, high, most) => {
		let list = [];
		for (const factors of [[1], [1, 3], [1, 2, 5], [1, 2, 3, 5, 7]]) {
			list = [];
			for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
				for (const f of factors) {
					const v = Number(`${f}e${power}`);
					if (v >= low && v <= high) list.push(v);
				}
			}
			if (list.length >= 3) break;
		}
		if (list.length < 3) return linear(low, high, most);
		const each = Math.ceil(list.length / most);
		return list.filter((_, i) => i % each === 0);
	};

	// scaled turns an axis of a figure, and what the reader made of it, into functions.
	const scaled = (axis, log) => {
		const to = log ? Math.log10 : (v) => v;
		const from = log ? (v) => 10 ** v : (v) => v;
		return {
			log, to, from,
			has: (v) => v !== null && v !== undefined && (!log || v > 0),
			ticks: (low, high, most) => {
				const inside = (axis.at || []).filter((v) => v >= low && v <= high);
				const length = to(high) - to(low);
				const roomy = inside.every((v, i) => label(v).length < 7 && (i === 0 || to(v) - to(inside[i - 1]) > length / (most + 1)));
				return inside.length > 1 && roomy ? inside : (log ? logarithmic : linear)(low, high, most);
			},
			// zoomed is a range stretched by a factor about a place, or moved by a part of itself.
			zoomed: ([low, high], factor, about, by) => {
				const [a, b] = [to(low), to(high)];
				const c = about === undefined ? (a + b) / 2 : to(about);
				const shift = by * (b - a);
				return [from(c - (c - a) * factor + shift), from(c + (b - c) * factor + shift)];
			},
			// around is the range of values with room at its ends.
			around: (values) => {
				const shown = values.filter((v) => v !== null && v !== undefined && (!log || v > 0)).map(to);
				if (shown.length === 0) return axis.span;
				const [a, b] = [Math.min(...shown), Math.max(...shown)];
				const by = b > a ? 0.06 * (b - a) : log ? 0.1 : Math.abs(a) * 0.1 || 1;
				return [from(a - by), from(b + by)];
			},
		};
	};

	// panel draws one pair of axes in a box, with the ranges of all panels that have the
	// same; shown says whether a layer is.
	const panel = (box, data, peers, logs, shown, name, hidden) => {
		const axes = { x: scaled(data.x, logs.x), y: scaled(data.y, logs.y) };
		const layers = data.layers.map((l) => ({ ...l, points: l.points || [] }));
		const beyond = (axis) => axis.span[1] + 10 * (axis.span[1] - axis.span[0]);
		const lines = layers.filter((l) => l.form === "line");
		const ring = make("div", { class: "point", hidden: "" });
		let current = null;
		let started = false; // uPlot asks for the range of x at each zoom too

		const home = (at) => {
			const seen = peers.filter(shown);
			if (logs[at] === data[at].log && seen.length === peers.length) return data[at].span;
			const firm = seen.filter((l) => !l.near);
			const of = at === "x" ? [0, 2, 3] : [1, 4, 5];
			return axes[at].around((firm.length > 0 ? firm : seen).flatMap((l) => (l.points || []).flatMap((p) => of.map((i) => p[i]))));
		};

		// uPlot joins series over one row of x; an x that a line has twice is in it twice.
		const table = () => {
			const rows = new Map();
			lines.forEach((l, i) => {
				const times = new Map();
				for (const p of l.points) {
					const x = p[0] ?? beyond(data.x);
					const time = times.get(x) || 0;
					times.set(x, time + 1);
					const y = p[1] ?? beyond(data.y);
					if (!axes.x.has(x) || !axes.y.has(y)) continue;
					const key = `${x} ${time}`;
					if (!rows.has(key)) rows.set(key, { x, time, y: lines.map(() => null) });
					rows.get(key).y[i] = y;
				}
			});
			const list = [...rows.values()].sort((a, b) => a.x - b.x || a.time - b.time);
			return list.length === 0 ? [[data.x.span[0]], ...lines.map(() => [null])] : [list.map((r) => r.x), ...lines.map((_, i) => list.map((r) => r.y[i]))];
		};

		const place = (u, at, v, end) => (axes[at].has(v) ? u.valToPos(v, at, true) : end);
		const forms = {
			band: (u, ctx, l, edge) => {
				const inside = l.points.filter((p) => axes.x.has(p[0]) && (p[4] ?? null) !== null && axes.y.has(p[5]));
				const path = new Path2D();
				for (const p of inside) path.lineTo(place(u, "x", p[0]), place(u, "y", p[5], edge.top));
				for (const p of inside.reverse()) path.lineTo(place(u, "x", p[0]), place(u, "y", p[4], edge.bottom));
				ctx.globalAlpha = 0.18;
				ctx.fill(path);
				ctx.globalAlpha = 1;
			},
			rules: (u, ctx, l, edge) => {
				for (const [x, y] of l.points) {
					ctx.beginPath();
					if (axes.x.has(x)) [edge.top, edge.bottom].forEach((to) => ctx.lineTo(place(u, "x", x), to));
					else if (axes.y.has(y)) [edge.left, edge.right].forEach((to) => ctx.lineTo(to, place(u, "y", y)));
					ctx.stroke();
				}
			},
			bars: (u, ctx, l, edge) => {
				for (const [x, y, left = null, right = null, low = null, high = null] of l.points) {
					if (!axes.x.has(x) || !axes.y.has(y)) continue;
					const at = [place(u, "x", x), place(u, "y", y)];
					const bar = new Path2D();
					const cap = 2.3 * devicePixelRatio;
					if (low !== null || high !== null) {
						const [a, b] = [place(u, "y", low, edge.bottom), place(u, "y", high, edge.top)];
						bar.moveTo(at[0], a);
						bar.lineTo(at[0], b);
						for (const end of [a, b]) { bar.moveTo(at[0] - cap, end); bar.lineTo(at[0] + cap, end); }
					}
					if (left !== null || right !== null) {
						const [a, b] = [place(u, "x", left, edge.left), place(u, "x", right, edge.right)];
						bar.moveTo(a, at[1]);
						bar.lineTo(b, at[1]);
						for (const end of [a, b]) { bar.moveTo(end, at[1] - cap); bar.lineTo(end, at[1] + cap); }
					}
					ctx.stroke(bar);
				}
			},
			marks: (u, ctx, l) => {
				const [outline, filled] = shapes[l.shape] || shapes.circle;
				const path = new Path2D(outline(l.radius * pixels * devicePixelRatio));
				for (const [x, y] of l.points) {
					if (!axes.x.has(x) || !axes.y.has(y)) continue;
					ctx.save();
					ctx.translate(place(u, "x", x), place(u, "y", y));
					if (filled) ctx.fill(path);
					else ctx.stroke(path);
					ctx.restore();
				}
			},
		};
		const draw = (u, ...which) => {
			const { left, top, width, height } = u.bbox;
			const edge = { left, top, right: left + width, bottom: top + height };
			u.ctx.save();
			u.ctx.beginPath();
			u.ctx.rect(left, top, width, height);
			u.ctx.clip();
			for (const l of layers) {
				if (!which.includes(l.form) || !shown(l)) continue;
				u.ctx.strokeStyle = u.ctx.fillStyle = colour(l.colour);
				u.ctx.lineWidth = (l.width || 0.9) * pixels * devicePixelRatio;
				u.ctx.setLineDash((l.dashes || []).map((d) => d * pixels * devicePixelRatio));
				forms[l.form](u, u.ctx, l, edge);
			}
			u.ctx.restore();
		};

		const axis = (at, more) => ({
			stroke: () => colour("--ink"), font: "12px system-ui, sans-serif", gap: 4,
			grid: { stroke: () => colour("--line"), width: 1 }, ticks: { stroke: () => colour("--line"), width: 1, size: 4 },
			splits: (u, _, low, high) => axes[at].ticks(low, high, Math.max(2, Math.floor((at === "x" ? u.bbox.width / 70 : u.bbox.height / 36) / devicePixelRatio))),
			filter: (_, list) => list, values: (_, list) => list.map(label), ...more,
		});
		const size = () => {
			const width = Math.max(box.clientWidth, 160);
			return { width, height: Math.round(Math.min(Math.max(0.62 * width, 220), 400)) };
		};
		const u = new uPlot({
			...size(), padding: [10, 14, 0, 0], legend: { show: false },
			scales: { x: { time: false, auto: false, distr: logs.x ? 3 : 1, range: (_, low, high) => (started ? [low, high] : home("x")) }, y: { auto: false, distr: logs.y ? 3 : 1, range: () => home("y") } },
			series: [{}, ...lines.map((l) => ({
				stroke: () => colour(l.colour), width: l.width * pixels, dash: (l.dashes || []).map((d) => d * pixels), spanGaps: true, points: { show: false }, show: shown(l),
			}))],
			axes: [axis("x", { size: 28 }), axis("y", { size: (_, list) => 16 + 6.6 * Math.max(2, ...(list || []).map((text) => text.length)) })],
			cursor: {
				points: { show: false }, drag: { x: true, y: true, uni: 24 },
				bind: { dblclick: () => () => { reset(); return null; } },
			},
			hooks: { ready: [() => { started = true; }], drawAxes: [(u) => draw(u, "band", "rules")], draw: [(u) => draw(u, "bars", "marks")], setScale: [(u) => {
				box.dataset.view = ["x", "y"].map((at) => `${u.scales[at].min} ${u.scales[at].max}`).join(" ");
				hide();
			}] },
		}, table(), box);
		box.setAttribute("aria-label", `${name}${data.title ? `, ${flat(data.title)}` : ""}; arrow keys read its points, + and − zoom, shift with arrows moves, 0 resets`);

		u.over.append(ring);
		const range = (at) => [u.scales[at].min, u.scales[at].max];
		const set = (x, y) => u.batch(() => {
			u.setScale("x", { min: x[0], max: x[1] });
			u.setScale("y", { min: y[0], max: y[1] });
		});
		const reset = () => set(home("x"), home("y"));
		const zoom = (factor, byX, byY) => set(axes.x.zoomed(range("x"), factor, current?.[0], byX), axes.y.zoomed(range("y"), factor, current?.[1], byY));

		function hide() {
			tip.hide();
			ring.hidden = true;
		}
		const read = (p, aloud) => {
			current = p;
			const [x, y] = [u.valToPos(p[0], "x"), u.valToPos(p[1], "y")];
			ring.style.left = `${x}px`;
			ring.style.top = `${y}px`;
			ring.hidden = false;
			const over = u.over.getBoundingClientRect();
			tip.show(p[6], over.left + x, over.top + y - 8, over.top + y + 8);
			if (aloud) tip.say(p[6]);
		};
		// readable are the points on the screen that have numbers, by layer.
		const readable = () => {
			const within = (at, v) => axes[at].has(v) && v >= u.scales[at].min && v <= u.scales[at].max;
			return layers.filter(shown).map((l) => l.points.filter((p) => p[6] && within("x", p[0]) && within("y", p[1])).sort((a, b) => a[0] - b[0])).filter((list) => list.length > 0);
		};
		u.over.addEventListener("pointermove", (event) => {
			if (event.buttons) return hide();
			const over = u.over.getBoundingClientRect();
			let [best, least] = [null, reach];
			for (const p of readable().flat()) {
				const far = Math.hypot(u.valToPos(p[0], "x") - event.clientX + over.left, u.valToPos(p[1], "y") - event.clientY + over.top);
				if (far < least) [best, least] = [p, far];
			}
			if (best) read(best, false);
			else hide();
		});
		u.over.addEventListener("pointerleave", hide);
		const blur = () => hide();
		const step = (key) => {
			const lists = readable();
			if (lists.length === 0) return;
			let row = lists.findIndex((list) => list.includes(current));
			if (row < 0 || key === "Home") return read(lists[0][0], true);
			let at = lists[row].indexOf(current);
			const way = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[key];
			if (key === "ArrowRight" || key === "ArrowLeft") {
				at = (at + way + lists[row].length) % lists[row].length;
			} else {
				const x = axes.x.to(current[0]);
				row = (row + way + lists.length) % lists.length;
				const far = lists[row].map((p) => Math.abs(axes.x.to(p[0]) - x));
				at = far.indexOf(Math.min(...far));
			}
			read(lists[row][at], true);
		};
		const keys = (event) => {
			if (event.ctrlKey || event.altKey || event.metaKey) return;
			const move = event.shiftKey && { ArrowRight: [0.2, 0], ArrowLeft: [-0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] }[event.key];
			if (move) zoom(1, ...move);
			else if (event.key === "+" || event.key === "=") zoom(0.7, 0, 0);
			else if (event.key === "-") zoom(1 / 0.7, 0, 0);
			else if (event.key === "0") reset();
			else if (event.key === "Escape") hide();
			else if (event.key === "Home" || event.key.startsWith("Arrow")) step(event.key);
			else return;
			event.preventDefault();
		};
		box.addEventListener("keydown", keys);
		box.addEventListener("blur", blur);
		const sizes = new ResizeObserver(() => {
			if (box.clientWidth > 0 && size().width !== u.width) u.setSize(size());
		});
		sizes.observe(box);
		hidden.push(() => {
			sizes.disconnect();
			box.removeEventListener("keydown", keys);
			box.removeEventListener("blur", blur);
			hide();
			u.destroy();
		});
		return {
			redraw: () => u.redraw(false),
			reset,
			toggle: () => {
				lines.forEach((l, i) => u.setSeries(i + 1, { show: shown(l) }));
				reset();
			},
		};
	};

	const icon = (layers) => {
		const ns = "http://www.w3.org/2000/svg";
		const svg = document.createElementNS(ns, "svg");
		for (const [name, value] of Object.entries({ viewBox: "0 0 18 10", width: 27, height: 15, "aria-hidden": "true" })) svg.setAttribute(name, value);
		for (const l of layers) {
			const path = document.createElementNS(ns, "path");
			const [outline, filled] = shapes[l.shape] || [];
			const given = l.form === "marks" ? { d: outline(l.radius), transform: "translate(9 5)", fill: filled ? l.colour : "none", stroke: filled ? "none" : l.colour }
				: l.form === "band" ? { d: "M0 2H18V8H0Z", fill: l.colour, "fill-opacity": 0.18, stroke: l.width ? l.colour : "none", "stroke-width": l.width || 0 }
				: l.form === "bars" ? { d: "M9 1V9M7.5 1H10.5M7.5 9H10.5", fill: "none", stroke: l.colour }
				: { d: "M0 5H18", fill: "none", stroke: l.colour, "stroke-width": l.width, "stroke-dasharray": (l.dashes || []).join(" ") };
			for (const [name, value] of Object.entries(given)) path.setAttribute(name, value);
			svg.append(path);
		}
		return svg;
	};

	const redraws = [];
	const explore = (figure) => {
		const data = JSON.parse(figure.querySelector("script").textContent);
		const name = figure.querySelector(".plot").getAttribute("aria-label").replace(/; arrow keys.*/, "");
		const on = data.keys.map(() => true);
		const logs = { x: data.panels[0].x.log, y: data.panels[0].y.log };
		const shown = (l) => (l.keys || []).every((k) => on[k]);
		let facet = -1;
		let views = [];
		let hidden = [];
		const panels = make("div", { class: "panels" });
		const build = () => {
			for (const end of hidden) end();
			[hidden, views] = [[], []];
			panels.replaceChildren();
			data.panels.forEach((p, i) => {
				if (facet >= 0 && facet !== i) return;
				const box = make("div", { class: "axes", tabindex: 0, role: "img" });
				const parts = [make("p", { class: "y" }, ...rich(p.y.label)), box, make("p", { class: "x" }, ...rich(p.x.label))];
				if (p.title) parts.unshift(make("p", { class: "title" }, ...rich(p.title)));
				panels.append(make("div", {}, ...parts));
				const same = data.panels.filter((q) => ["x", "y"].every((at) => String(q[at].span) === String(p[at].span)));
				views.push(panel(box, p, same.flatMap((q) => q.layers), logs, shown, name, hidden));
			});
		};
		const used = new Set(data.panels.flatMap((p) => p.layers.flatMap((l) => l.keys || [])));
		const keys = make("div", { class: "keys", role: "group", "aria-label": "Legend: what is shown" });
		data.keys.forEach((key, i) => {
			const held = key.text.replace(/ ([=≈±≤≥]) /g, "\u00a0$1\u00a0"); // lines break elsewhere
			const parts = [icon(key.icon), make("span", {}, ...rich(held))];
			if (!used.has(i)) return keys.append(make("span", { class: "key" }, ...parts));
			const button = make("button", { type: "button", class: "key", "aria-pressed": "true" }, ...parts);
			button.addEventListener("click", () => {
				on[i] = !on[i];
				button.setAttribute("aria-pressed", String(on[i]));
				for (const v of views) v.toggle();
			});
			keys.append(button);
		});
		const tools = make("div", { class: "tools" });
		if (data.panels.length > 1) {
			const select = make("select", { "aria-label": "Panel" }, make("option", { value: -1 }, "all panels"), ...data.panels.map((p, i) => make("option", { value: i }, flat(p.title))));
			select.addEventListener("change", () => { facet = Number(select.value); build(); });
			tools.append(select);
		}
		for (const at of ["x", "y"]) {
			const button = make("button", { type: "button", "aria-pressed": String(logs[at]) }, `log ${at}`);
			button.addEventListener("click", () => {
				logs[at] = !logs[at];
				button.setAttribute("aria-pressed", String(logs[at]));
				build();
			});
			tools.append(button);
		}
		const reset = make("button", { type: "button" }, "Reset zoom");
		reset.addEventListener("click", () => { for (const v of views) v.reset(); });
		tools.append(reset);
		figure.querySelector(".plot").after(make("div", { class: "explore" }, keys, panels, tools));
		figure.classList.add("explored");
		build();
		redraws.push(() => { for (const v of views) v.redraw(); });
	};
	// rich is a text with its raised and sunk parts, which figures keep between two marks.
	const rich = (text) => text.split(/([\uE000\uE002][^\uE001]*)\uE001/).map((part, i) => (i % 2 ? make(part[0] === "\uE000" ? "sup" : "sub", {}, part.slice(1)) : part));

	const near = new IntersectionObserver((entries) => {
		for (const e of entries) {
			if (!e.isIntersecting) continue;
			near.unobserve(e.target);
			explore(e.target);
		}
	}, { rootMargin: "400px" });
	for (const figure of document.querySelectorAll("figure[data-explore]")) near.observe(figure);
	const repaint = () => { for (const redraw of redraws) redraw(); };
	new MutationObserver(repaint).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
})();
