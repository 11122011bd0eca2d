//go:build system

package report

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"mercer/configs"
	"mercer/report/format"
	"mercer/report/reporttest"
)

// painted counts the points of the canvas of the figure in hand whose colour is near one.
func painted(b *browser, red, green, blue int) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf(`(() => {
		const canvas = figure.querySelector("canvas");
		const copy = document.createElement("canvas");
		[copy.width, copy.height] = [canvas.width, canvas.height];
		const ctx = copy.getContext("2d", { willReadFrequently: true });
		ctx.drawImage(canvas, 0, 0);
		const data = ctx.getImageData(0, 0, canvas.width, canvas.height).data;
		let n = 0;
		for (let i = 0; i < data.length; i += 4) {
			if (data[i + 3] > 250 && Math.abs(data[i] - %d) + Math.abs(data[i + 1] - %d) + Math.abs(data[i + 2] - %d) < 12) n++;
		}
		return n;
	})()`, red, green, blue))
}

// view is what the first panel of the figure in hand shows: the ends of x and of y.
func view(b *browser) [4]float64 {
	b.t.Helper()
	var v [4]float64
	text := eval[string](b, `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(figure.querySelector(".axes").dataset.view))))`, chromedp.EvalAwaitPromise)
	if _, err := fmt.Sscan(text, &v[0], &v[1], &v[2], &v[3]); err != nil {
		b.t.Fatalf("the view is %q: %v", text, err)
	}
	return v
}

// openFixed shows the page of the fixed report with its figures drawn, and takes the one of
// plot rates in hand.
func openFixed(t *testing.T) *browser {
	t.Helper()
	b := newBrowser(t)
	b.open(fixedPage(t), 1280, "light")
	b.unfold()
	b.focusFigure("reconstruction error R over repeats against n", ".u-legend th")
	return b
}

// The legend hides and shows what it names, by pointer and by key, in all panels.
func TestToggleInBrowser(t *testing.T) {
	b := openFixed(t)
	const state = `[...figure.querySelectorAll(".u-legend th[role=button]")].map((k) => k.textContent.trim() + " " + k.ariaPressed).join(", ")`
	if got, want := eval[string](b, state), "● empirical KPCA, θ=0.5 true, □ empirical KPCA, θ=0.75 true, ▲ Nyström, θ=0.5 true, ○ Nyström, θ=0.75 true, ■ random features, θ=0.5 true, △ random features, θ=0.75 true, paper true, + a point true, floor true, Cor 4.2 true"; got != want {
		t.Errorf("the legend is %q; want %q", got, want)
	}
	before, other := painted(b, 0x3F, 0x90, 0xDA), painted(b, 0xE7, 0x63, 0x00)
	if before < 50 || other < 50 {
		t.Fatalf("%d and %d points of two lines are few", before, other)
	}
	b.press(kb.Enter) // the first button has the focus
	view(b)
	if now := painted(b, 0x3F, 0x90, 0xDA); now != 0 {
		t.Errorf("%d points of a hidden line", now)
	}
	if now := painted(b, 0xE7, 0x63, 0x00); now < 50 {
		t.Errorf("%d points of a line beside the hidden one", now)
	}
	at := eval[[]float64](b, `(() => { const r = figure.querySelector(".u-legend .u-label").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
	view(b)
	if now := painted(b, 0x3F, 0x90, 0xDA); now != before {
		t.Errorf("%d points of the line that is shown again; want %d", now, before)
	}
	if pressed := eval[string](b, `figure.querySelector(".u-legend th").ariaPressed`); pressed != "true" {
		t.Errorf("the button of a line that is shown has aria-pressed %q", pressed)
	}
	b.quiet()
}

// The pointer zooms by a drag, keys by + and −, and both go back.
func TestZoomInBrowser(t *testing.T) {
	b := openFixed(t)
	home := view(b)
	over := eval[[]float64](b, `(() => { const r = figure.querySelector(".u-over").getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; })()`)
	at := func(x, y float64) (float64, float64) { return over[0] + x*over[2], over[1] + y*over[3] }
	drag := func(fromX, fromY, toX, toY float64) {
		x, y := at(fromX, fromY)
		toX, toY = at(toX, toY)
		b.do(chromedp.MouseEvent("mouseMoved", x, y), chromedp.MouseEvent("mousePressed", x, y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
			chromedp.MouseEvent("mouseMoved", (x+toX)/2, (y+toY)/2, chromedp.ButtonLeft), chromedp.MouseEvent("mouseMoved", toX, toY, chromedp.ButtonLeft),
			chromedp.MouseEvent("mouseReleased", toX, toY, chromedp.ButtonLeft, chromedp.ClickCount(1)))
	}
	drag(0.25, 0.25, 0.75, 0.75)
	zoomed := view(b)
	// A drag over half of each axis leaves half of its decades, up to the 5 % of a pixel or two.
	for i, name := range []string{"x", "y"} {
		part := math.Log(zoomed[2*i+1]/zoomed[2*i]) / math.Log(home[2*i+1]/home[2*i])
		if math.Abs(part-0.5) > 0.05 {
			t.Errorf("a drag over half of %s shows %.3g of it", name, part)
		}
	}
	b.focusFigure("reconstruction error R over repeats against n", ".axes")
	b.press("0")
	if got := view(b); got != home {
		t.Errorf("0 goes back to %v; want %v", got, home)
	}
	b.press("+")
	near := view(b)
	if !(near[0] > home[0] && near[1] < home[1] && near[2] > home[2] && near[3] < home[3]) {
		t.Errorf("+ leads from %v to %v", home, near)
	}
	b.press("-")
	far := view(b)
	for i := range far { // the factors are inverse, up to rounding
		if math.Abs(far[i]/home[i]-1) > 1e-9 {
			t.Errorf("− leads from %v to %v; want %v", near, far, home)
		}
	}
	b.press("+", "+", "0")
	if got := view(b); got != home {
		t.Errorf("0 goes back to %v; want %v", got, home)
	}
	b.quiet()
}

// The numbers of a point are read at the pointer and by arrow keys: those of the verdict
// that was drawn, to six digits.
func TestReadingInBrowser(t *testing.T) {
	b := openFixed(t)
	p := reporttest.FixedVerdicts()[0].Points[1]
	b.focusFigure("log-log: cor-4.2-iii", ".axes")
	six := func(v float64) string { return format.Value(format.RoundedTo(v, 6)) }
	want := []string{"n = 500", "reconstruction error R = " + six(p.Y) + " [" + six(p.Low) + ", " + six(p.High) + "]"}
	read := func(by string) {
		t.Helper()
		text := b.shownNumbers()
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s reads %q, which lacks %q", by, text, part)
			}
		}
	}
	b.press(kb.ArrowRight, kb.ArrowRight)
	read("a key")
	if said := eval[string](b, `document.getElementById("spoken").textContent`); said != b.shownNumbers() {
		t.Errorf("what is said is %q, what is shown %q", said, b.shownNumbers())
	}
	at := eval[[]float64](b, `(() => { const r = document.getElementById("ring").getBoundingClientRect(); return [r.left + r.width / 2, r.top + r.height / 2]; })()`)
	b.press(kb.Escape)
	if text := b.shownNumbers(); text != "" {
		t.Errorf("%q stays after Escape", text)
	}
	b.do(chromedp.MouseEvent("mouseMoved", at[0]+3, at[1]-2))
	read("the pointer")
	b.do(chromedp.MouseEvent("mouseMoved", 2, 2))
	if text := b.shownNumbers(); text != "" {
		t.Errorf("%q stays when the pointer has left", text)
	}
	b.quiet()
}

// An axis is drawn linear by keys alone.
func TestAxesInBrowser(t *testing.T) {
	b := openFixed(t)
	if n := eval[int](b, `figure.querySelectorAll(".axes").length`); n != 1 {
		t.Fatalf("%d panels; want 1", n)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`[...figure.querySelectorAll(".tools button")].at(-1).focus()`))
	b.press(" ")
	if got := eval[string](b, `document.activeElement.textContent + " " + document.activeElement.ariaPressed`); got != "log y false" {
		t.Errorf("what has the focus is %q", got)
	}
	home := view(b)
	b.do(chromedp.Evaluate[chromedp.Void](`figure.querySelector(".axes").focus()`))
	b.press("+")
	near := view(b)
	// A zoom keeps 0.7 of an axis: of its difference where it is linear, of its decades
	// where it is not, up to rounding.
	x := math.Log(near[1]/near[0]) / math.Log(home[1]/home[0])
	y := (near[3] - near[2]) / (home[3] - home[2])
	if math.Abs(x-0.7) > 1e-6 || math.Abs(y-0.7) > 1e-6 {
		t.Errorf("a zoom keeps %v of log x and %v of linear y; want 0.7", x, y)
	}
	b.quiet()
}

// An axis with a value that has no logarithm has no button to make it log.
func TestAxesOfNegativesInBrowser(t *testing.T) {
	b := newBrowser(t)
	for at, want := range map[int]string{0: "log x true", 3: ""} { // lines of methods over n; methods in rows, without a legend
		plot := reporttest.FixedPlots()[at]
		plot.Title, plot.Y, plot.Axes.Y, plot.Marks = "negatives", configs.NewQuantity("recon_h - 0.08"), "linear", nil
		plot.Where = configs.Conditions{"n": {Value: []string{"500"}}, "theta": {Value: []string{"0.5"}}}
		files, err := Write(t.TempDir(), reporttest.FixedRun(), nil, []configs.Plot{plot}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.open(files.Page, 1280, "light")
		b.unfold()
		b.focusFigure(plot.Title, ".axes")
		if got := eval[string](b, `[...figure.querySelectorAll(".tools button")].map((e) => e.textContent + " " + e.ariaPressed).join()`); got != want {
			t.Errorf("plot %d has the buttons %q; want %q", at, got, want)
		}
	}
	b.quiet()
}

// The page of a run of many records opens in two seconds, by what the browser measures from
// the start of its navigation. The test leaves five times as long, for machines in use.
func TestLargePageInBrowser(t *testing.T) {
	page := reportLarge(t, largeRun(t, *largeRecords/10000)).Page
	b := newBrowser(t)
	b.open(page, 1280, "light")
	ms := eval[float64](b, `performance.getEntriesByType("navigation")[0].loadEventEnd`)
	t.Logf("the page of %d records opens in %.0f ms", *largeRecords, ms)
	if limit := 10 * time.Second; !(ms > 0 && ms < float64(limit.Milliseconds())) {
		t.Errorf("%.0f ms", ms)
	}
	b.explore()
	if n := eval[int](b, `document.querySelectorAll("figure.explored").length`); n == 0 {
		t.Error("no figure of the first screen can be explored")
	}
	b.quiet()
}
