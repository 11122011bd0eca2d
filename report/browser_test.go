//go:build system

package report

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/format"
	"mercer/report/page"
	"mercer/report/reporttest"
	"mercer/results"
)

var screenshots = flag.String("screenshots", "", "folder to keep screenshots of the report in")

// browser is a tab of a headless Chromium with what went wrong in it.
type browser struct {
	t        *testing.T
	ctx      context.Context
	mu       sync.Mutex
	problems []string
	requests []string
}

// newBrowser starts Chromium; without one the test is skipped.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil && path == "" {
			path = found
		}
	}
	if path == "" {
		t.Skip("NOT TESTED: the HTML report in a browser: install chromium (apt-get install chromium)")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("hide-scrollbars", true), chromedp.Flag("force-device-scale-factor", "1"))
	allocated, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(allocated)
	t.Cleanup(closeTab)
	b := &browser{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("%s does not start: %v", path, err)
	}
	if err := chromedp.Listen(ctx, b.heard); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{enable(ctx, network.Enable, network.EnableParams{}), enable(ctx, log.Enable, cdp.Empty{}), enable(ctx, runtime.Enable, cdp.Empty{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b
}

// enable asks for the events of a part of the protocol.
func enable[P, R any](ctx context.Context, command cdp.Command[P, R], params P) error {
	_, err := chromedp.Call(ctx, command, params)
	return err
}

// heard notes errors, warnings and requests.
func (b *browser) heard(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem := "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			problem += " " + e.ExceptionDetails.Exception.Description
		}
		b.problems = append(b.problems, problem)
	case *runtime.EventConsoleAPICalled:
		b.problems = append(b.problems, fmt.Sprintf("console.%s", e.Type))
	case *log.EventEntryAdded:
		b.problems = append(b.problems, fmt.Sprintf("%s: %s", e.Entry.Level, e.Entry.Text))
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

// do runs steps; each page has half a minute.
func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// get runs an action that has a value.
func get[T any](b *browser, action chromedp.Action[T]) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

func eval[T any](b *browser, script string, options ...chromedp.EvaluateOption) T {
	b.t.Helper()
	return get(b, chromedp.Evaluate[T](script, options...))
}

// open shows a page at a width, light or dark.
func (b *browser) open(path string, width int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900), b.scheme(scheme), chromedp.Navigate("file://"+path))
}

// unfold shows all sections, and all figures that are drawn when they are near.
func (b *browser) unfold() {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach((fold) => { fold.open = true; })`))
	b.explore()
}

// explore has all figures drawn that are shown and can be explored.
func (b *browser) explore() {
	b.t.Helper()
	const script = `(async () => {
		const waiting = () => [...document.querySelectorAll("figure[data-explore]:not(.explored)")].filter((f) => f.checkVisibility());
		for (let tries = 0; waiting().length > 0 && tries < 500; tries++) {
			waiting()[0].scrollIntoView();
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
		scrollTo(0, 0);
		return waiting().length;
	})()`
	if left := get(b, chromedp.Evaluate[int](script, chromedp.EvalAwaitPromise)); left > 0 {
		b.t.Errorf("%d figures are not drawn", left)
	}
}

func (b *browser) scheme(name string) chromedp.Action[chromedp.Void] {
	return b.media(emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
}

func (b *browser) media(media emulation.SetEmulatedMediaParams) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, media)
		return err
	})
}

// quiet fails on errors in the console and on any request but for files.
func (b *browser) quiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, problem := range b.problems {
		b.t.Errorf("the browser says: %s", problem)
	}
	for _, url := range b.requests {
		if !strings.HasPrefix(url, "file:///") {
			b.t.Errorf("the page asks for %s", url)
		}
	}
	if len(b.requests) == 0 {
		b.t.Error("no request was seen, not even that of the page")
	}
}

func (b *browser) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

// keep writes a screenshot where the flag asks for it.
func keep(t *testing.T, name string, shot []byte) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	if err := writeFile(*screenshots, name, shot); err != nil {
		t.Fatal(err)
	}
}

// fixedPage writes the fixed report with all its plots and gives its page.
func fixedPage(t *testing.T) string {
	t.Helper()
	files, err := Write(t.TempDir(), reporttest.FixedRun(), reporttest.FixedVerdicts(), reporttest.FixedPlots(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return files.Page
}

// pageOf writes a page of Markdown.
func pageOf(t *testing.T, markdown string) string {
	t.Helper()
	text, err := page.Html("title", []byte(markdown), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := writeFile(dir, "index.html", text); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "index.html")
}

// hostilePage writes a report all of whose texts try to break out of their place.
func hostilePage(t *testing.T) string {
	t.Helper()
	nasty := "</script><script>window.broken=1</script><img src=x onerror='window.broken=1'>\"'>`${window.broken=1}`{{.}}<!--\u2028]]>\\"
	run := reporttest.FixedRun()
	m, spec := &run.Manifest, run.Spec
	spec.Title, spec.Question, spec.Source, m.Command, m.Commit, m.Filter, spec.Name, m.Profile = nasty, nasty, nasty, nasty, nasty, nasty, nasty, nasty
	m.Machine.CPU, m.Versions = nasty, map[string]string{nasty: nasty}
	run.Catalog.Populations = map[string]results.Population{"p": {Dataset: nasty, Describe: nasty, Kernel: nasty, Fingerprint: nasty}}
	run.Warnings = []string{nasty}
	for i := range run.Rows {
		r := &run.Rows[i]
		r.At, r.Warnings, r.Reason = r.At.With("method", configs.TextOf(r.Method()+nasty)), []string{nasty}, nasty
		for _, name := range []string{"recon_h", "time_total"} {
			if v, ok := r.Metrics[name]; ok {
				info := run.Catalog.Metrics[name]
				info.Unit = nasty
				run.Catalog.Metrics[name], run.Catalog.Metrics[name+nasty] = info, info
				r.Metrics.Set(name+nasty, v)
			}
		}
	}
	verdicts := reporttest.FixedVerdicts()
	for i := range verdicts {
		v := &verdicts[i]
		v.Claim, v.Says, v.Source, v.Reason, v.Settle, v.Notes, v.Of, v.Over = v.Claim+nasty, nasty, nasty, nasty, nasty, []string{nasty}, nasty, nasty
		v.Outcome = claims.Outcome(strings.TrimSpace(string(v.Outcome) + map[bool]string{true: nasty}[i == 0]))
		v.Group = v.Group.Join(reporttest.At(nasty, nasty))
	}
	plots := reporttest.FixedPlots()
	for i := range plots {
		p := &plots[i]
		p.Title, p.ID, p.Where = nasty, p.ID+nasty, nil
	}
	files, err := Write(t.TempDir(), run, verdicts, plots, nil)
	if err != nil {
		t.Fatal(err)
	}
	return files.Page
}

// The page in a browser: it loads without an error and asks for nothing, and can
// be used by keys alone.
func TestPageInBrowser(t *testing.T) {
	b := newBrowser(t)
	page := fixedPage(t)
	b.open(page, 1280, "light")
	steps := []struct {
		name  string
		check func(*testing.T, *browser)
	}{
		{"skip link", checkSkipLink}, {"headings", checkHeadings}, {"sorting", checkSorting}, {"filter", checkFilter},
		{"theme", checkTheme},
	}
	b.unfold()
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) { step.check(t, b) })
	}
	b.open(hostilePage(t), 400, "dark")
	if eval[bool](b, `window.broken !== undefined`) {
		t.Error("a text of the run was executed")
	}
	if got := eval[int](b, `document.querySelectorAll("img, main script:not([type])").length`); got != 0 {
		t.Errorf("%d elements came out of texts", got)
	}
	if got, want := eval[string](b, `document.querySelector("h1").textContent`), "<script>window.broken=1</script>"; !strings.Contains(got, want) {
		t.Errorf("the title reads %q", got)
	}
	b.unfold()
	checkLayout(t, b, 400)
	b.quiet()
	const blocked = `new Promise((resolve) => {
		document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective));
		new Image().src = "http://127.0.0.1:9/x.png";
		setTimeout(() => resolve("nothing"), 5000);
	})`
	if directive := get(b, chromedp.Evaluate[string](blocked, chromedp.EvalAwaitPromise)); directive != "img-src" {
		t.Errorf("a request to the network is stopped by %s", directive)
	}
}

func checkSkipLink(t *testing.T, b *browser) {
	b.press(kb.Tab)
	if got := eval[string](b, `document.activeElement.className`); got != "skip" {
		t.Errorf("the first key reaches %q", got)
	}
	if outline := eval[string](b, `getComputedStyle(document.activeElement).outlineStyle`); outline != "solid" {
		t.Errorf("what has the focus has the outline %s", outline)
	}
	b.press(kb.Enter)
	if got := eval[string](b, `location.hash + document.activeElement.id`); got != "#mainmain" {
		t.Errorf("the skip link leads to %q", got)
	}
}

func checkHeadings(t *testing.T, b *browser) {
	levels := eval[[]int](b, `[...document.querySelectorAll("h1,h2,h3,h4")].map((h) => Number(h.tagName[1]))`)
	for i, level := range levels {
		if (i == 0) != (level == 1) || i > 0 && level > levels[i-1]+1 {
			t.Errorf("heading %d has level %d after %v", i, level, levels[:i])
		}
	}
	for _, missing := range []string{
		`[...document.querySelectorAll("[role=img], [role=region], input")].filter((e) => !e.getAttribute("aria-label")).length`,
		`document.querySelectorAll("th:not([scope], [role])").length`,
		`document.querySelectorAll("[id]").length - new Set([...document.querySelectorAll("[id]")].map((e) => e.id)).size`,
	} {
		if n := eval[int](b, missing); n != 0 {
			t.Errorf("%s is %d", missing, n)
		}
	}
}

// column is the texts of a column of the table that has the focus.
func column(b *browser) []string {
	return eval[[]string](b, `(() => {
		const th = document.activeElement.closest("th");
		return [...th.closest("table").tBodies[0].rows].map((row) => row.cells[th.cellIndex].textContent);
	})()`)
}

// Tables are sorted by the button in a header, by numbers where they are numbers
// and with what is not known last; a third time restores the order.
func checkSorting(t *testing.T, b *browser) {
	focus := func(section, header string) {
		b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
			const heading = [...document.querySelectorAll("h2, h3")].find((h) => h.textContent.startsWith(%q));
			let at = heading.closest("summary") || heading;
			while (!at.classList.contains("table")) at = at.nextElementSibling;
			[...at.querySelectorAll("th button")].find((b) => b.textContent === %q).focus();
		})()`, section, header)))
	}
	for _, test := range []struct{ section, header, first, last, lastDown string }{
		{"recon_h", "recon_h", "0.02744 ± 0.00082", "0.1088 ± 0.0016", "0.02744 ± 0.00082"},
		{"eigenvalue_5", "n", "250", "1000", "250"},
		{"Verdicts", "Estimate [interval]", "−0.360 [−0.372, −0.348]", "–", "–"},
		{"Verdicts", "Verdict", "holds", "violated", "holds"},
	} {
		focus(test.section, test.header)
		before := column(b)
		b.press(kb.Enter)
		up := column(b)
		if up[0] != test.first || up[len(up)-1] != test.last {
			t.Errorf("%s by %s: %q; want %s first and %s last", test.section, test.header, up, test.first, test.last)
		}
		if way := eval[string](b, `document.activeElement.closest("th").ariaSort`); way != "ascending" {
			t.Errorf("%s by %s is sorted %q", test.section, test.header, way)
		}
		b.press(" ")
		if down := column(b); down[len(down)-1] != test.lastDown || slices.Equal(down, up) {
			t.Errorf("%s by %s downwards: %q; want %s last", test.section, test.header, down, test.lastDown)
		}
		b.press(kb.Enter)
		if after := column(b); !slices.Equal(after, before) {
			t.Errorf("%s by %s: %q in place of the order of the report %q", test.section, test.header, after, before)
		}
	}
}

// Numbers in every form that reports write are sorted by size.
func TestSortingOfNumbersInBrowser(t *testing.T) {
	sorted := []string{
		format.Interval(-0.36, -0.372, -0.348), format.PlusMinus(-2e-5, 3e-6), "= " + format.Minus("-1e-07"),
		format.PlusMinus(5e-6, 1e-7), format.Interval(2e-4, 0, 5.5e-4), format.PlusMinus(9e-4, 6.4e-4) + " (3)",
		"≤ 0.08 %", "8 < m ≤ 16", format.Number(2.5e+20), format.None,
	}
	rows := slices.Clone(sorted[:len(sorted)-1])
	slices.Reverse(rows)
	b := newBrowser(t)
	b.open(pageOf(t, "| Number |\n| --: |\n| –\n| "+strings.Join(rows, "\n| ")+"\n"), 1280, "light")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("th button").focus()`))
	b.press(kb.Enter)
	if got := column(b); !slices.Equal(got, sorted) {
		t.Errorf("sorted: %q\n want: %q", got, sorted)
	}
	b.quiet()
}

func checkFilter(t *testing.T, b *browser) {
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input[type=search]").focus()`))
	b.press("n", "y", "s", " ", "0", ".", "7", "5")
	const shown = `[...document.activeElement.closest(".table").querySelectorAll("tbody tr")].filter((r) => r.offsetHeight > 0).length`
	if n := eval[int](b, shown); n != 1 {
		t.Errorf("%d verdicts are of nystrom at 0.75; want 1", n)
	}
	if text := eval[string](b, `document.activeElement.closest(".tools").querySelector("[role=status]").textContent`); text != "1 of 9 rows" {
		t.Errorf("the filter says %q", text)
	}
	b.press(slices.Repeat([]string{kb.Backspace}, 8)...)
	if n := eval[int](b, shown); n != 9 {
		t.Errorf("%d rows without a filter; want 9", n)
	}
}

// focusFigure gives the focus to the figure of a name, and its place on the screen.
func (b *browser) focusFigure(name, part string) {
	b.t.Helper()
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		window.figure = [...document.querySelectorAll("figure")].find((f) => f.querySelector(".plot").ariaLabel.includes(%q));
		figure.scrollIntoView({ block: "center" });
		figure.querySelector(%q).focus();
	})()`, name, part)))
}

// shownNumbers are those of a mark that the page shows; "" where it shows none.
func (b *browser) shownNumbers() string {
	b.t.Helper()
	return eval[string](b, `document.getElementById("numbers").hidden ? "" : document.getElementById("numbers").textContent`)
}

func checkTheme(t *testing.T, b *browser) {
	const paper = `getComputedStyle(document.body).backgroundColor`
	light := eval[string](b, paper)
	b.do(chromedp.Evaluate[chromedp.Void](`document.getElementById("theme").focus()`))
	b.press(kb.Enter)
	dark := eval[string](b, paper)
	if light == dark || light != "rgb(255, 255, 255)" {
		t.Errorf("the button turns %s to %s", light, dark)
	}
	b.press(kb.Enter)
	if again := eval[string](b, paper); again != light {
		t.Errorf("the button turns %s to %s and then to %s", light, dark, again)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`delete document.documentElement.dataset.theme`), b.scheme("dark"))
	if system := eval[string](b, paper); system != dark {
		t.Errorf("a dark system has %s; want %s", system, dark)
	}
	b.do(b.scheme("light"))
}

// contrasts are the texts of a page whose contrast with what is behind them is
// below 4.5, with the number of all texts before them. Signs and hints of the style
// sheet count too, and letters of figures, as their fill, on the
// field of a heat map that they lie on.
const contrasts = `(() => {
	const channels = (text) => text.match(/[\d.]+/g).map(Number);
	const luminance = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
		.reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
	const behind = (element) => {
		for (let e = element; e; e = e.parentElement) {
			const colour = channels(getComputedStyle(e).backgroundColor);
			if (colour.length === 3 || colour[3] === 1) return colour;
		}
		return [255, 255, 255];
	};
	const bad = [];
	let seen = 0;
	const check = (element, colour, on) => {
		seen++;
		const [a, b] = [luminance(channels(colour)), luminance(on || behind(element))].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		if (ratio < 4.5) bad.push(ratio.toFixed(2) + " " + (element.textContent.trim().slice(0, 40) || element.outerHTML.slice(0, 60)));
	};
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const element = walker.currentNode.parentElement;
		if (walker.currentNode.textContent.trim() && element.offsetHeight > 0 && !element.closest("script, svg")) check(element, getComputedStyle(element).color);
	}
	for (const button of document.querySelectorAll("th button")) check(button, getComputedStyle(button, "::after").color);
	for (const input of document.querySelectorAll("input")) check(input, getComputedStyle(input, "::placeholder").color);
	const field = (letter) => {
		if (letter.getAttribute("fill") !== "#010101" && letter.getAttribute("fill") !== "#FEFEFE") return undefined;
		const l = letter.getBoundingClientRect();
		const under = [...letter.closest("svg").querySelectorAll("path")].filter((path) => {
			const r = path.getBoundingClientRect();
			return path.getAttribute("fill") && r.left <= l.left && r.right >= l.right && r.top <= l.top && r.bottom >= l.bottom;
		});
		return channels(getComputedStyle(under.at(-1)).fill);
	};
	for (const letter of document.querySelectorAll("svg text")) check(letter.closest(".plot"), getComputedStyle(letter).fill, field(letter));
	return [String(seen), ...bad];
})()`

// Text is legible in both themes, and so are the numbers under the pointer.
func TestContrast(t *testing.T) {
	b := newBrowser(t)
	page := fixedPage(t)
	for _, scheme := range []string{"light", "dark"} {
		b.open(page, 1280, scheme)
		b.unfold()
		b.focusFigure("", ".axes")
		b.press(kb.ArrowRight)
		b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("input").value = "nystrom"; document.querySelector("input").dispatchEvent(new Event("input"))`))
		found := eval[[]string](b, contrasts)
		if seen := found[0]; len(seen) < 3 {
			t.Errorf("%s: %s texts are few", scheme, seen)
		}
		for _, bad := range found[1:] {
			t.Errorf("%s: contrast %s", scheme, bad)
		}
	}
	b.quiet()
}

// blockBox is where a block of the page lies.
type blockBox struct {
	Kind                     string
	Left, Top, Right, Bottom float64
}

const blockBoxes = `[...document.querySelectorAll("main > *")].map((e) => {
	const r = e.getBoundingClientRect();
	return { Kind: e.tagName.toLowerCase() + (e.className ? "." + e.className.replace(" ", ".") : ""),
		Left: r.left, Top: r.top + scrollY, Right: r.right, Bottom: r.bottom + scrollY };
})`

// checkLayout fails where the page is wider than the window, a block leaves it or
// lies on another, or a text is wider than its place.
func checkLayout(t *testing.T, b *browser, width int64) {
	t.Helper()
	if got := eval[int64](b, `document.documentElement.scrollWidth`); got > width {
		t.Errorf("the page is %d pixels wide in a window of %d", got, width)
	}
	boxes := eval[[]blockBox](b, blockBoxes)
	for i, box := range boxes {
		if box.Left < 0 || box.Right > float64(width) || box.Bottom <= box.Top {
			t.Errorf("%s %d lies at %+v in a window of %d", box.Kind, i, box, width)
		}
		if i > 0 && box.Top < boxes[i-1].Bottom-0.5 {
			t.Errorf("%s %d at %+v lies on what is before it at %+v", box.Kind, i, box, boxes[i-1])
		}
	}
	wide := eval[[]string](b, `[...document.querySelectorAll("th, td, h1, h2, h3, p, li, label, button")].filter((e) => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map((e) => e.tagName + " " + e.textContent.slice(0, 60))`)
	for _, text := range wide {
		t.Errorf("wider than its place at %d: %s", width, text)
	}
	if got := eval[int](b, `[...document.querySelectorAll("header, .tools, thead tr")].filter((parent) => {
		const boxes = [...parent.children].map((e) => e.getBoundingClientRect()).filter((r) => r.width > 0);
		return boxes.some((r, i) => boxes.slice(i + 1).some((s) => r.left < s.right - 0.5 && s.left < r.right - 0.5 && r.top < s.bottom - 0.5 && s.top < r.bottom - 0.5));
	}).length`); got != 0 {
		t.Errorf("in %d rows parts lie on each other at %d", got, width)
	}
}

// The page has its layout at 1280 and 400 pixels, light and dark.
func TestScreenshots(t *testing.T) {
	b := newBrowser(t)
	page := fixedPage(t)
	for _, width := range []int64{1280, 400} {
		for _, scheme := range []string{"light", "dark"} {
			b.open(page, width, scheme)
			b.unfold()
			checkLayout(t, b, width)
			keep(t, fmt.Sprintf("fixed-%d-%s.png", width, scheme), get(b, chromedp.FullScreenshot(100)))
		}
	}
	b.quiet()
}

// The first screen has the question, counts of verdicts and a figure, and the page is short until
// its sections are unfolded; an address inside one opens it.
func TestFirstScreen(t *testing.T) {
	b := newBrowser(t)
	page := fixedPage(t)
	b.open(page, 1280, "light")
	const height = `document.documentElement.scrollHeight`
	folded := eval[int](b, height)
	if seen := eval[string](b, `[...document.querySelectorAll(".lead > p > strong, .lead .outcome, .lead figure")].filter((e) => { const r = e.getBoundingClientRect(); return r.height > 0 && r.bottom <= innerHeight; }).map((e) => e.textContent.slice(0, 9) || e.tagName).join(" ")`); !strings.HasPrefix(seen, "Question: violated ") {
		t.Errorf("the first screen shows %q", seen)
	}
	if n := eval[int](b, `[...document.querySelectorAll(".lead figure")].filter((e) => e.getBoundingClientRect().bottom <= innerHeight).length`); n != 1 {
		t.Errorf("%d figures on the first screen; want 1", n)
	}
	b.unfold()
	if all := eval[int](b, height); 4*folded > all {
		t.Errorf("%d pixels folded, %d unfolded", folded, all)
	}
	// The page of nystrom-kpca-rates had 27,756 pixels before its sections were folded.
	text, _ := results.ReferenceVerdicts("nystrom-kpca-rates")
	var verdicts []claims.Verdict
	if err := json.Unmarshal(text, &verdicts); err != nil || len(verdicts) < 10 {
		t.Fatalf("%d verdicts of nystrom-kpca-rates: %v", len(verdicts), err)
	}
	full, err := Write(t.TempDir(), reporttest.FixedRun(), verdicts, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	b.open(full.Page, 1280, "light")
	if got := eval[int](b, height); got < 900 || got > 27756/4 {
		t.Errorf("the folded page of nystrom-kpca-rates has %d pixels", got)
	}
	if wider := eval[int](b, `[...document.querySelectorAll(".lead figure.wide")].map((e) => e.offsetWidth - e.nextElementSibling.offsetWidth)[0]`); wider > 0 {
		t.Errorf("the figure is %d pixels wider than the text below it", wider)
	}
	b.open(pageOf(t, "# T\n\n## Checks\n\n## Least values\n\n## Best within a budget\n\n## Figures\n"), 1280, "light")
	if open := eval[string](b, `[...document.querySelectorAll("details[open]")].map((e) => e.textContent.trim()).join()`); open != "Least values,Best within a budget" {
		t.Errorf("without claims %q begin open", open)
	}
	b.open(page, 1280, "light")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach((fold) => { fold.open = false; }); location.hash = "#provenance"`))
	b.open(page+"#provenance", 1280, "light") // the event comes before this
	if open := eval[string](b, `[...document.querySelectorAll("details[open]")].map((e) => e.querySelector("h2").textContent).join()`); !strings.Contains(open, "Provenance") {
		t.Errorf("the address of a section opens %q", open)
	}
	b.quiet()
}

// On a phone the verdicts are on the screen, left of what must be scrolled to.
func TestVerdictsOnANarrowScreen(t *testing.T) {
	b := newBrowser(t)
	b.open(fixedPage(t), 400, "light")
	b.unfold()
	hidden := eval[[]string](b, `[...document.querySelectorAll("td .outcome")].filter((e) => e.getBoundingClientRect().right > innerWidth).map((e) => e.closest("tr").textContent)`)
	for _, row := range hidden {
		t.Errorf("the verdict is off the screen: %s", row)
	}
	// The numbers beside a verdict are on the screen too, each with its column's name.
	beside := eval[[]string](b, `[...document.querySelectorAll(".cards td:not(.name)")].filter((e) => e.offsetHeight > 0 && (e.getBoundingClientRect().right > innerWidth || !getComputedStyle(e, "::before").content.includes(":"))).map((e) => e.textContent)`)
	for _, cell := range beside {
		t.Errorf("a cell beside a verdict is off the screen or has no name: %s", cell)
	}
	if n := eval[int](b, `document.querySelectorAll("td .outcome").length`); n < 8 {
		t.Errorf("%d verdicts in tables; want those of 8 verdicts and of cells", n)
	}
	b.quiet()
}

// On a phone a row is a card: below its method or its first text, each value that is known has a label.
func TestCardsInBrowser(t *testing.T) {
	b := newBrowser(t)
	for _, test := range []struct{ markdown, card string }{
		{"| Data | m | Method | Error |\n| :-- | --: | :-- | --: |\n| sphere | – | K-JL | 0.1 |", "K-JL\nData: sphere\nError: 0.1"},
		{"| d | m | Target | At |\n| :-- | --: | :-- | :-- |\n| – | 1 | uniform | n = 9 |\n| 7 | 1 | uniform | n = 8 |", "uniform\nm: 1\nAt: n = 9"},
		{"| m | Error |\n| --: | --: |\n| 25 | −0.1 |", "m: 25\nError: −0.1"},
	} {
		b.open(pageOf(t, test.markdown), 400, "light")
		const card = `[...document.querySelector("tbody tr").cells].filter((e) => e.offsetHeight > 0).sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
			.map((e) => (getComputedStyle(e, "::before").content === "none" ? "" : e.dataset.head + ": ") + e.textContent).join("\n")`
		if got := eval[string](b, card); got != test.card {
			t.Errorf("the card of\n%s\n is %q; want %q", test.markdown, got, test.card)
		}
	}
	b.quiet()
}

// Print has all sections, light and without controls.
func TestPrint(t *testing.T) {
	b := newBrowser(t)
	b.open(fixedPage(t), 1280, "dark")
	pdf := get(b, chromedp.PrintToPDF(chromedp.PDFPaper(chromedp.PaperA4), chromedp.PDFOutlineAndTagged()))
	keep(t, "fixed.pdf", pdf)
	if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
		t.Fatalf("no PDF: %q", pdf[:min(20, len(pdf))])
	}
	b.do(b.media(emulation.SetEmulatedMediaParams{Media: "print"}))
	shown := eval[[]string](b, `[...document.querySelectorAll("h2")].filter((h) => h.offsetHeight > 0).map((h) => h.textContent)`)
	for _, want := range []string{"Verdicts", "Figures", "Claim cor-4.2-iii: inconclusive", "Measurements", "Failed, skipped and missing", "Caveats", "Provenance"} {
		if !slices.Contains(shown, want) {
			t.Errorf("print lacks %s", want)
		}
	}
	if paper := eval[string](b, `getComputedStyle(document.documentElement).colorScheme`); paper != "light" {
		t.Errorf("print is %s", paper)
	}
	if n := eval[int](b, `[...document.querySelectorAll("button, input")].filter((e) => !e.closest("th") && e.offsetHeight > 0).length`); n != 0 {
		t.Errorf("print shows %d controls", n)
	}
	b.quiet()
}

var shoot = flag.String("shoot", "", "pages to take screenshots of, with commas between them")

// TestShoot takes screenshots of real reports, to look at, where -shoot and
// -screenshots are given.
func TestShoot(t *testing.T) {
	if *shoot == "" || *screenshots == "" {
		return
	}
	b := newBrowser(t)
	for _, page := range strings.Split(*shoot, ",") {
		name := strings.ReplaceAll(strings.Trim(filepath.Dir(page), "/"), "/", "-")
		for _, width := range []int64{1280, 400} {
			for _, scheme := range []string{"light", "dark"} {
				b.open(page, width, scheme)
				b.explore()
				checkLayout(t, b, width)
				keep(t, fmt.Sprintf("%s-%d-%s.png", name, width, scheme), get(b, chromedp.FullScreenshot(100)))
			}
		}
	}
	b.quiet()
}
