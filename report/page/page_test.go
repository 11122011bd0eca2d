package page

import (
	"fmt"
	"html"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mercer/report/figure"
	"mercer/report/reporttest"
)

func TestEscape(t *testing.T) {
	for in, want := range map[string]string{
		"recon_h_floor":     "recon_h_floor",
		"_emphasis_":        `\_emphasis\_`,
		"a|b\nc":            `a\|b c`,
		"<b>&amp;":          `\<b>\&amp;`,
		"n^2 ~ $x$":         `n^2 \~ \$x\$`,
		"bad \xff byte":     "bad � byte",
		"esc \x1b[0m":       `esc �[0m`,
		"p < 0.01 <= 1":     "p < 0.01 <= 1",
		"[x](javascript:y)": `\[x\](javascript:y)`,
		"AT&T & co":         `AT\&T & co`,
		"# no heading":      `\# no heading`,
		"- no list":         `\- no list`,
		"-0.5 is less":      "-0.5 is less",
	} {
		if got := markdownText(Escape(in)); got != want {
			t.Errorf("%q: %q; want %q", in, got, want)
		}
	}
	if got := markdownText(Code("a`b")); got != "a\\`b" {
		t.Errorf("%q", got)
	}
	if got := markdownText(Code("recon_h")); got != "`recon_h`" {
		t.Errorf("%q", got)
	}
}

// A page that can be explored has uPlot with its licence, whole; one without figures has
// neither. Both have one style and one script, which their policy names.
// Powers and indices are raised and sunk in HTML, where no code is.
func TestScripts(t *testing.T) {
	for in, want := range map[string]string{
		"as n^(-θ(1-1/α)) log n":   "as n<sup>−θ(1−1/α)</sup> log n",
		"from 10^3 to 10^14":       "from 10<sup>3</sup> to 10<sup>14</sup>",
		"W(C, μ_test), recon_h":    "W(C, μ<sub>test</sub>), recon_h",
		"m^(a<b)":                  "m<sup>a&lt;b</sup>",
		"<sup>":                    "&lt;sup&gt;",
		Code("n^2") + " = n^2":     "<code>n^2</code> = n<sup>2</sup>",
		Strong("Answer: m^0.5."):   "<strong>Answer: m<sup>0.5</sup>.</strong>",
		Outcome("holds") + " n^-1": `<span class="outcome" data-outcome="holds">holds</span> n<sup>−1</sup>`,
	} {
		if got := string(htmlText(in)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestUPlot(t *testing.T) {
	verdicts := reporttest.FixedVerdicts()
	single, _ := figure.OfClaim(verdicts[0].Claim, verdicts[:1], map[string]bool{}, figure.LabelsOf(reporttest.Empty()))
	for explored, figures := range map[bool][]figure.Figure{true: single, false: nil} {
		var p Page
		p.Heading(1, "title")
		for _, f := range figures {
			p.Figure(f)
		}
		text, err := p.Html(nil)
		if err != nil {
			t.Fatal(err)
		}
		page := string(text)
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
