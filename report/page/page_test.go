package page

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/figure"
	"mercer/results"
)

// hostile are texts that try to be markup.
var hostile = []string{"recon_h_floor", "_emphasis_", "a|b c", "<b>&amp;", "n^2 ~ $x$", "p < 0.01 <= 1", "[x](javascript:y)", "a [x][y]: z", "[x]: javascript:y",
	"![x](u)", "AT&T & co", "# no heading", "> no quote", "a\\", "`code", "<!-- no comment", "<https://x.org>", "-0.5 is less", "**", "| :-- |"}

func TestCode(t *testing.T) {
	for in, want := range map[string]string{"a`b": "a\\`b", "recon_h": "`recon_h`", "": ""} {
		if got := Code(in); got != want {
			t.Errorf("code %q: %q; want %q", in, got, want)
		}
	}
}

func pageOf(t *testing.T, markdown string, figures ...figure.Figure) string {
	t.Helper()
	text, err := Html("title", []byte(markdown), figures, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// body is what Markdown is in the page.
func body(t *testing.T, markdown string) string {
	t.Helper()
	_, rest, _ := strings.Cut(pageOf(t, markdown), `tabindex="-1">`)
	inside, _, _ := strings.Cut(rest, "</main>")
	return strings.TrimSpace(inside)
}

// A hostile text stands in the page as it is, in a paragraph, an item and a cell.
func TestHostileTexts(t *testing.T) {
	for _, in := range hostile {
		for form, frame := range map[string]string{"%\n": "<p>%</p>", "- %\n": "<li>%</li>", "| a |\n| :-- |\n| % |\n": `<td align="left">%</td>`} {
			got := body(t, strings.ReplaceAll(form, "%", Escape(in)))
			if !strings.Contains(got, strings.ReplaceAll(frame, "%", html.EscapeString(in))) {
				t.Errorf("%q in %q:\n%s", in, form, got)
			}
		}
	}
	for _, raw := range []string{"a <script>x</script>", "<script>x</script>", "[a](javascript:x)", "![a](https://x.org/a.png)"} {
		if got := body(t, raw); strings.Contains(got, "<script") || strings.Contains(got, "javascript") || strings.Contains(got, "<img") {
			t.Errorf("%q became %s", raw, got)
		}
	}
}

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		Code("n^2") + " = n^2":    "<code>n^2</code> = n^2",
		"**Answer: m^0.5.**":      "<strong>Answer: m^0.5.</strong>",
		"So " + Outcome("holds"):  `So <span class="outcome" data-outcome="holds">holds</span>`,
		"[Numbers](tables/a.csv)": `<a href="tables/a.csv">Numbers</a>`,
	} {
		if got := body(t, in); !strings.Contains(got, "<p>"+want+"</p>") {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
	}
}

// Sections fold, a few open, and each heading has an id of its own.
func TestSections(t *testing.T) {
	got := body(t, "# T\n\n## Verdicts\n\n## A\n\n## A\n\ntext\n\n## Caveats\n")
	for _, want := range []string{`<div class="lead"><h1 id="t">T</h1>`, `<details class="section" open><summary><h2 id="verdicts">Verdicts</h2></summary>`, `<details class="section"><summary><h2 id="a-1">A</h2></summary>`, "</details>\n<details class=\"section\" open><summary><h2 id=\"caveats\">"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A page that can be explored has uPlot with its licence, whole; one without figures has neither.
// Both have one style and one script, which their policy names.
func TestUPlot(t *testing.T) {
	slope := claims.Verdict{Claim: "rate", Kind: "slope", Of: "recon_h", Over: "n", Outcome: claims.Holds, Estimate: -0.5, Target: -0.5, Points: []claims.Point{{X: 1, Y: 4, Fit: 4, Theory: 4}, {X: 4, Y: 2, Fit: 2, Theory: 2}}}
	single := figure.OfClaim("rate", []claims.Verdict{slope}, map[string]bool{}, figure.LabelsOf(results.Run{Spec: &configs.Spec{}}))
	for explored, figures := range map[bool][]figure.Figure{true: single, false: nil} {
		markdown := "# title\n"
		for _, f := range figures {
			markdown += "\n![x](" + f.Path + ")\n"
		}
		page := pageOf(t, markdown, figures...)
		for _, part := range []string{asset(uPlotAssets + "uPlot.iife.min.js"), asset(uPlotAssets + "LICENSE"), asset(uPlotAssets + "uPlot.min.css")} {
			if strings.Contains(page, part) != explored {
				t.Errorf("explored is %v: the page has %.60q: %v", explored, part, !explored)
			}
		}
		for tag, kind := range map[string]string{"style": "style-src", "script": "script-src"} {
			_, rest, _ := strings.Cut(page, "<"+tag+">")
			inside, _, _ := strings.Cut(rest, "</"+tag+">")
			if want := kind + " '" + digest(inside) + "'"; !strings.Contains(html.UnescapeString(page), want) {
				t.Errorf("the policy does not have %s", want)
			}
		}
	}
}

// TestSeriesOnDarkPages: a colour of a series has a contrast of 3 to dark paper, or the style
// sheet and the figures that are explored have another one for it there.
func TestSeriesOnDarkPages(t *testing.T) {
	luminance := func(colour string) (sum float64) {
		for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
			v, err := strconv.ParseUint(colour[1+2*i:3+2*i], 16, 8)
			if err != nil {
				t.Fatal(err)
			}
			sum += weight * math.Pow((float64(v)/255+0.055)/1.055, 2.4)
		}
		return sum
	}
	readable := func(colour string) bool { return luminance(colour)+0.05 >= 3*(luminance("#16181c")+0.05) }
	style := asset("report.css")
	for _, colour := range figure.Palette {
		rule := regexp.MustCompile(`svg \[stroke="` + colour + `"\] \{ stroke: var\((--[a-z]+)\); \}`).FindStringSubmatch(style)
		if rule == nil {
			if !readable(colour) {
				t.Errorf("%s is hard to see on dark paper", colour)
			}
			continue
		}
		dark := regexp.MustCompile(rule[1] + `: light-dark\(#[0-9a-f]{6}, (#[0-9a-f]{6})\)`).FindStringSubmatch(style)
		if dark == nil || !readable(dark[1]) || !strings.Contains(asset("chart.js"), fmt.Sprintf("%q: %q", colour, rule[1])) {
			t.Errorf("%s has %v on dark paper", colour, dark)
		}
	}
}
