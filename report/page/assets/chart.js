"use strict";
// uPlot draws the figures that have numbers in the page, from the series that the SVG shows,
// when they come near the window. Its legend hides and shows series, a drag zooms. On paper and
// without this script a figure stays an SVG.
(() => {
	const variables = { "#000000": "--ink", "#555555": "--quiet", "#BD1F01": "--red", "#832DB6": "--purple" };
	const probe = document.body.appendChild(Object.assign(document.createElement("span"), { hidden: true }));
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
	const outlines = {
		circle: (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`,
		square: (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
		triangle: (r) => `M0 ${-1.25 * r}L${1.1 * r} ${0.75 * r}H${-1.1 * r}Z`,
		plus: (r) => `M${-r} 0H${r}M0 ${-r}V${r}`,
	};
	const signs = { circle: "●○", square: "■□", triangle: "▲△", plus: "++" }; // filled and hollow
	// equation is what a reader reads of a number with its interval, to six digits.
	const equation = (label, ...values) => {
		const [v, low, high] = values.map((x) => (x === null ? null : String(Number(x.toPrecision(6)))));
		return `${label} = ${v}${low !== null && high !== null && low !== high ? ` [${low}, ${high}]` : ""}`;
	};
	const brief = (text) => (text.length > 24 ? `${text.slice(0, 12)}…${text.slice(-11)}` : text);
	// numbers writes the numbers of an axis in one form: all as powers of ten where one is too long.
	const numbers = (list) => {
		const digits = list.every((v) => !v || (Math.abs(v) >= 1e-3 && Math.abs(v) < 1e6));
		return list.map((v) => (v === null ? "" : digits || v === 0 ? String(Number(v.toPrecision(6))).replace("-", "−") : scientific(v)));
	};
	const scientific = (v) => {
		const [front, power] = v.toExponential(3).split("e").map(Number);
		return `${front === 1 ? "" : `${front}×`}10${[...String(power)].map((d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d] || "⁻").join("")}`;
	};
	const ticks = (low, high, most, log) => {
		const digits = (list) => Array.from({ length: Math.ceil(Math.log10(high / low)) + 1 }, (_, k) => list.map((d) => Number(`${d}e${Math.floor(Math.log10(low)) + k}`))).flat();
		const round = log && [[1], [1, 2, 5]].map((list) => digits(list).filter((v) => v >= low && v <= high)).find((list) => list.length > 2);
		if (round) return round.filter((_, i) => i % Math.ceil(round.length / most) === 0);
		const power = 10 ** Math.floor(Math.log10((high - low) / most));
		const step = power * [1, 2, 5, 10].find((s) => s * power * most >= high - low);
		const first = Math.ceil(low / step);
		return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
	};

	// draw draws a panel into a box. The legend has names; those in hidden are not shown.
	const draw = (box, data, names, logs, hidden, drawn) => {
		const has = (at, v) => v !== null && (!logs[at] || v > 0);
		const shown = () => data.series.filter((s) => !hidden.has(s.name));
		const span = (at) => {
			const [low, high] = data[at].span;
			const values = data.series.flatMap((s) => s.points.map((p) => p[at === "x" ? 0 : 1])).filter((v) => v > 0);
			return logs[at] && low <= 0 ? [Math.min(...values, high) / 1.2, high] : [low, high];
		};
		const paint = (u) => {
			const { ctx, bbox: { left, top, width, height } } = u;
			const pixels = (4 / 3) * devicePixelRatio;
			const place = (at, v, end) => (has(at, v) ? u.valToPos(v, at, true) : end);
			ctx.save();
			ctx.beginPath();
			ctx.rect(left, top, width, height);
			ctx.clip();
			for (const s of shown()) {
				const points = s.points.filter((p) => has("x", p[0]) && has("y", p[1])).map((p) => ({
					x: place("x", p[0]), y: place("y", p[1]),
					left: place("x", p[2], left), right: place("x", p[3]), low: place("y", p[4], top + height), high: place("y", p[5]),
				}));
				const [edge, line, marks] = [new Path2D(), new Path2D(), new Path2D()];
				for (const p of points) {
					if (s.bars && p.high !== undefined) { edge.moveTo(p.x, p.low); edge.lineTo(p.x, p.high); }
					if (s.bars && p.right !== undefined) { edge.moveTo(p.left, p.y); edge.lineTo(p.right, p.y); }
					if (s.width) line.lineTo(p.x, p.y);
					if (s.shape) marks.addPath(new Path2D(outlines[s.shape](s.radius * pixels)), { e: p.x, f: p.y });
				}
				ctx.strokeStyle = ctx.fillStyle = colour(s.colour);
				ctx.lineWidth = (s.width || 0.9) * pixels;
				ctx.setLineDash((s.dashes || []).map((d) => d * pixels));
				ctx.stroke(edge);
				ctx.stroke(line);
				ctx.setLineDash([]);
				ctx[s.hollow || s.shape === "plus" ? "stroke" : "fill"](marks);
			}
			ctx.restore();
		};
		const axis = (at, more) => {
			const { names: rows } = data[at];
			const own = rows && rows.map((_, i) => (at === "x" ? i : -i));
			const most = (u) => Math.max(2, at === "x" ? u.width / 70 : u.height / 40);
			return {
				stroke: () => colour("--ink"), font: "12px system-ui, sans-serif", gap: 4, ...more,
				splits: (u, _, low, high) => own || ticks(low, high, most(u), logs[at]), filter: (_, list) => list,
				grid: { show: !rows, stroke: () => colour("--line"), width: 1 }, ticks: { stroke: () => colour("--line"), width: 1, size: 4 },
				values: (_, list) => (rows ? list.map((v) => brief(rows[Math.abs(v)])) : numbers(list)),
			};
		};
		const size = () => {
			const width = Math.max(box.clientWidth, 160);
			return { width, height: data.y.names ? 60 + 22 * data.y.names.length : Math.round(Math.min(Math.max(0.62 * width, 220), 400)) };
		};
		let ready = false; // uPlot asks for the range of x at each zoom too
		const u = new uPlot({
			...size(), padding: [10, 14, 0, 0],
			scales: {
				x: { time: false, auto: false, distr: logs.x ? 3 : 1, range: (_, low, high) => (ready ? [low, high] : span("x")) },
				y: { auto: false, distr: logs.y ? 3 : 1, range: () => span("y") },
			},
			series: [{}, ...names.map((s) => ({
				label: `${signs[s.shape]?.[Number(!!s.hollow)] || ""} ${s.name}`, stroke: () => colour(s.colour), show: !hidden.has(s.name), paths: () => null, points: { show: false },
			}))],
			axes: [axis("x", { size: 28 }), axis("y", { size: (_, list) => 16 + 6.6 * Math.max(2, ...(list || []).map((text) => text.length)) })],
			legend: { show: drawn.length === 0, live: false, mount: (_, table) => box.closest(".explore").prepend(table), markers: { dash: (_, i) => (names[i - 1].dashes ? "dashed" : "solid") } },
			cursor: { points: { show: false }, drag: { x: true, y: true, uni: 24 }, bind: { dblclick: () => () => { reset(); return null; } } },
			hooks: {
				ready: [() => { ready = true; }], draw: [paint], setScale: [(u) => { box.dataset.view = ["x", "y"].map((at) => `${u.scales[at].min} ${u.scales[at].max}`).join(" "); }],
				setSeries: [(_, i, { show }) => {
					if (i === null || show === undefined) return;
					hidden[show ? "delete" : "add"](names[i - 1].name);
					for (const other of drawn) if (other.series[i].show !== show) other.setSeries(i, { show });
				}],
			},
		}, [span("x"), ...names.map(() => [null, null])], box);
		drawn.push(u);
		const set = (x, y) => u.batch(() => { u.setScale("x", { min: x[0], max: x[1] }); u.setScale("y", { min: y[0], max: y[1] }); });
		const reset = () => set(span("x"), span("y"));
		// zoomed is the range of an axis stretched by a factor about a point, or moved by a part of itself.
		const zoomed = (at, factor, by, point) => {
			const [to, from] = logs[at] ? [Math.log10, (v) => 10 ** v] : [(v) => v, (v) => v];
			const [low, high] = [to(u.scales[at].min), to(u.scales[at].max)];
			const about = point ? to(point[at === "x" ? 0 : 1]) : (low + high) / 2;
			return [about - (about - low) * factor, about + (high - about) * factor].map((v) => from(v + by * (high - low)));
		};
		const inside = (at, v) => has(at, v) && v >= u.scales[at].min && v <= u.scales[at].max;
		const texts = new Map(data.series.flatMap((s) => s.points.map((p) => {
			const numbers = [["x", p[0], p[2], p[3]], ["y", p[1], p[4], p[5]]].map(([at, ...values]) => (data[at].names ? data[at].names[Math.round(Math.abs(values[0]))] : equation(data[at].label, ...values)));
			return [p, [[s.name, data.title].filter(Boolean).join(", "), p[6], ...numbers].filter(Boolean).join("\n")];
		})));
		read(box, u.over, () => shown().flatMap((s) => (s.shape ? s.points : [])).filter((p) => inside("x", p[0]) && inside("y", p[1])), (p) => {
			const over = u.over.getBoundingClientRect();
			return { left: over.left + u.valToPos(p[0], "x"), top: over.top + u.valToPos(p[1], "y"), width: 0, height: 0, text: texts.get(p) };
		}, (event, current) => {
			const [x, y] = (event.shiftKey && { ArrowRight: [0.2, 0], ArrowLeft: [-0.2, 0], ArrowUp: [0, 0.2], ArrowDown: [0, -0.2] }[event.key]) || [0, 0];
			const factor = { "+": 0.7, "=": 0.7, "-": 1 / 0.7 }[event.key] || 1;
			if (event.key === "0") reset();
			else if (x || y || factor !== 1) set(zoomed("x", factor, x, current), zoomed("y", factor, y, current));
			else return false;
			return true;
		});
		new ResizeObserver(() => { if (box.isConnected && box.clientWidth > 0 && size().width !== u.width) u.setSize(size()); }).observe(box);
	};

	const builds = [];
	const explore = (figure) => {
		const { panels } = JSON.parse(figure.querySelector("script").textContent);
		const series = panels.flatMap((p) => p.series);
		for (const s of series) s.points ||= [];
		const all = series.filter((s) => s.name).sort((a, b) => (a.curve || 0) - (b.curve || 0));
		const names = all.filter((s, i) => all.findIndex((other) => other.name === s.name) === i);
		const logs = { x: panels[0].x.log, y: panels[0].y.log };
		const positive = (at) => series.every((s) => s.points.every((p) => p[at] === null || p[at] > 0));
		const scalable = ["x", "y"].filter((at, i) => !panels[0][at].names && (logs[at] || positive(i)));
		const hidden = new Set();
		const view = make("div", { class: "explore" });
		const label = (p) => `${figure.querySelector(".plot").ariaLabel} ${p.title}; arrow keys read its points, + and − zoom, shift with arrows moves, 0 resets`;
		let drawn = [];
		const build = () => {
			for (const u of drawn) u.destroy();
			drawn = [];
			const boxes = panels.map((p) => make("div", { class: "axes", tabindex: 0, role: "img", "aria-label": label(p) }));
			const parts = (p, i) => [make("p", { class: "title" }, p.title), make("p", {}, p.y.label || ""), boxes[i], make("p", { class: "x" }, p.x.label || "")];
			const tools = scalable.map((at) => make("button", { type: "button", "aria-pressed": String(logs[at]) }, `log ${at}`));
			view.replaceChildren(make("div", { class: "panels" }, ...panels.map((p, i) => make("div", {}, ...parts(p, i)))), make("div", { class: "tools" }, ...tools));
			panels.forEach((p, i) => draw(boxes[i], p, names, logs, hidden, drawn));
			for (const button of tools) {
				const at = button.textContent.at(-1);
				button.onclick = () => { logs[at] = !logs[at]; build().find((b) => b.textContent === button.textContent).focus(); };
			}
			view.querySelectorAll(".u-legend th").forEach((key, i) => {
				const press = () => { key.ariaPressed = String(!hidden.has(names[i].name)); };
				Object.assign(key, { tabIndex: 0, role: "button", onkeydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); key.click(); } } });
				key.addEventListener("click", press);
				press();
			});
			return tools;
		};
		figure.querySelector(".plot").after(view);
		figure.classList.add("explored");
		build();
		builds.push(build);
	};
	const near = new IntersectionObserver((entries) => {
		for (const e of entries.filter((e) => e.isIntersecting)) { near.unobserve(e.target); explore(e.target); }
	}, { rootMargin: "400px" });
	for (const figure of document.querySelectorAll("figure[data-explore]")) near.observe(figure);
	const rebuild = () => { for (const build of builds) build(); };
	new MutationObserver(rebuild).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", rebuild);
})();
