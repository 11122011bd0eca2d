package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/report/reporttest"
	"mercer/results"
)

// heatmapOf is a heat map of a run with the fixed verdicts.
func heatmapOf(p configs.Plot, run results.Run) heatmap {
	h, _ := readHeatmap(p, run, reporttest.FixedVerdicts())
	return h
}

func readHeatmap(p configs.Plot, run results.Run, verdicts []claims.Verdict) (heatmap, *plotReader) {
	r := newReader(p, run)
	return r.heatmap(verdicts), r
}

// fieldAt is the field of a place; false where there is none.
func (p heatPanel) fieldAt(x, y string) (field, bool) {
	i := slices.IndexFunc(p.fields, func(f field) bool { return f.x == x && f.y == y })
	if i < 0 {
		return field{}, false
	}
	return p.fields[i], true
}

// Each field has the median of its cell's repeats; a skipped cell has none, and a failed
// repeat does not count.
func TestHeatmapOfAMetric(t *testing.T) {
	h, r := readHeatmap(plotOf(t, "heat"), reporttest.FixedRun(), nil)
	if r.trouble != "" || len(h.panels) != 3 {
		t.Fatalf("%q, %d panels", r.trouble, len(h.panels))
	}
	fields := 0
	for k, method := range []string{"ekpca", "nystrom", "rff"} {
		p := h.panels[k]
		if p.name != "method "+method || !slices.Equal(p.xs, []string{"250", "500", "1000"}) || !slices.Equal(p.ys, []string{"0.5", "0.75"}) {
			t.Errorf("panel %q over %v and %v", p.name, p.xs, p.ys)
		}
		for _, n := range []int{250, 500, 1000} {
			for _, theta := range []float64{0.5, 0.75} {
				f, ok := p.fieldAt(fmt.Sprint(n), fmt.Sprint(theta))
				if method == "rff" && n == 250 && theta == 0.75 {
					if ok {
						t.Error("a skipped cell has a field")
					}
					continue
				}
				var values []float64
				for repeat := range 4 {
					if one := reporttest.FixedRow(method, theta, n, repeat); one.Status == results.OK {
						values = append(values, one.Metrics.Value("recon_h"))
					}
				}
				slices.Sort(values)
				middle := len(values) / 2
				want := values[middle]
				if len(values)%2 == 0 {
					want = (values[middle-1] + values[middle]) / 2
				}
				near(t, "median", f.value, want)
				if f.count != len(values) {
					t.Errorf("%d repeats, want %d", f.count, len(values))
				}
				fields++
			}
		}
	}
	if fields != 17 {
		t.Errorf("%d fields", fields)
	}
	c := h.chart()
	readings := c.Readings()
	if len(readings) != 17 || !strings.HasPrefix(readings[0].Text, "method ekpca\nn = 250, theta = 0.5\nmedian of recon_h = 0.0912") {
		t.Errorf("%d readings, the first is %q", len(readings), readings[0].Text)
	}
	if c.Bar == nil || c.BarLabel != "median of recon_h" || len(legendOf(c)) != 0 {
		t.Errorf("bar %+v, legend %v", c.Bar, legendOf(c))
	}
	// theta rises upwards, n to the right
	if low, high := readings[0], readings[1]; high.Y >= low.Y || readings[2].X <= low.X {
		t.Errorf("fields lie at %+v", readings[:3])
	}
}

// A cell none of whose repeats has a value looks different from a missing one.
func TestHeatmapOfFailures(t *testing.T) {
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "nystrom" && numberOf(r, "n") == 500 {
			run.Rows[i].Status = results.Failed
		}
	}
	h, _ := readHeatmap(plotOf(t, "heat"), run, nil)
	if f, ok := h.panels[1].fieldAt("500", "0.5"); !ok || f.state != valueless || f.count != 0 {
		t.Errorf("%+v, %v", f, ok)
	}
	if legend := legendOf(h.chart()); len(legend) != 1 || legend[0] != "no value" {
		t.Errorf("legend %+v", legend)
	}
}

// A heat map of a bound shows each of its ratios, and where its theorem does not apply.
func TestHeatmapOfABound(t *testing.T) {
	for of, want := range map[string]float64{configs.MeasuredOverBound: 0.01, configs.BoundOverTrivial: 0.5, configs.BestOverProven: 0.0125} {
		p := plotOf(t, "tight")
		p.Of.Text = of
		h, r := readHeatmap(p, reporttest.FixedRun(), reporttest.FixedVerdicts())
		if r.trouble != "" || len(h.panels) != 1 || len(h.panels[0].fields) != 6 {
			t.Fatalf("%s: %q, %+v", of, r.trouble, h.panels)
		}
		f, _ := h.panels[0].fieldAt("500", "0.5")
		near(t, of, f.value, want)
		for place, want := range map[string]fieldState{"250 0.5": notApplicable, "250 0.75": notApplicable, "500 0.75": valued, "1000 0.75": valueless} {
			x, y, _ := strings.Cut(place, " ")
			if f, _ := h.panels[0].fieldAt(x, y); f.state != want {
				t.Errorf("%s at %s: %s, want %s", of, place, f.state, want)
			}
		}
		legend := legendOf(h.chart())
		if !slices.Equal(legend, []string{"the theorem does not apply", "no value"}) {
			t.Errorf("legend %q", legend)
		}
	}
}

// What cannot be drawn says why.
func TestHeatmapTroubles(t *testing.T) {
	tight, heat := plotOf(t, "tight"), plotOf(t, "heat")
	with := func(p configs.Plot, change func(*configs.Plot)) configs.Plot {
		change(&p)
		return p
	}
	never := reporttest.FixedVerdicts()
	for i := range never {
		never[i].Bounds = slices.Clone(never[i].Bounds)
		for k := range never[i].Bounds {
			never[i].Bounds[k].Applies = false
		}
	}
	for name, tt := range map[string]struct {
		plot     configs.Plot
		verdicts []claims.Verdict
		want     string
	}{
		"no verdict":     {tight, nil, "no verdict on claim thm-4.1-iii"},
		"nothing picked": {with(tight, func(p *configs.Plot) { p.Where = configs.Conditions{"n": {Value: []string{"7"}}} }), reporttest.FixedVerdicts(), "no record of this run is picked"},
		"no method":      {with(tight, func(p *configs.Plot) { p.Where = configs.Conditions{"method": {Value: []string{"rff"}}} }), reporttest.FixedVerdicts(), "gives no number here"},
		"never applies":  {tight, never, "nyk-4.1-iii applies to no cell"},
		"several cells":  {with(heat, func(p *configs.Plot) { p.Y.Text = "method" }), nil, "ekpca at n = 250 and method = ekpca has 2 different cells, which differ in theta, m; fix them under where, or make one the facet"},
		"no such metric": {with(heat, func(p *configs.Plot) { p.Of = configs.NewQuantity("no_such") }), nil, "no field has a value"},
	} {
		if _, r := readHeatmap(tt.plot, reporttest.FixedRun(), tt.verdicts); !strings.Contains(r.trouble, tt.want) {
			t.Errorf("%s: %q lacks %q", name, r.trouble, tt.want)
		}
	}
}

// Cells that differ in what their method does not use share a field, and a facet and
// names as rows have their places.
func TestHeatmapPlaces(t *testing.T) {
	run := reporttest.FixedRun()
	for i, r := range run.Rows {
		if r.Method() == "ekpca" {
			run.Rows[i].At = r.At.Without("theta", "m")
		}
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool { return strings.HasPrefix(r.ID, "ekpca0.75") })
	p := plotOf(t, "heat")
	p.Y.Text, p.Where = "method", configs.Conditions{"method": {Value: []string{"ekpca"}}}
	if h, r := readHeatmap(p, run, nil); r.trouble != "" || len(h.panels[0].fields) != 3 {
		t.Errorf("%q, %+v", r.trouble, h.panels)
	}
	p.Where, p.Facet = nil, configs.Word{Value: "theta"}
	h, r := readHeatmap(p, run, nil)
	if r.trouble != "" || len(h.panels) != 2 || h.panels[0].name != "theta = 0.5" || !slices.Equal(h.panels[1].ys, []string{"ekpca", "nystrom", "rff"}) {
		t.Fatalf("%q, %+v", r.trouble, h.panels)
	}
	if got := h.chart().Panels[0].Y.Names; !slices.Equal(got, []string{"ekpca", "nystrom", "rff"}) {
		t.Errorf("names from the top are %q", got)
	}
}

func TestHeatmapScale(t *testing.T) {
	scaled := func(change func(*configs.Plot), values ...float64) *heatField {
		h := heatmap{Plot: configs.Plot{Kind: "heatmap", Of: configs.Quantity{Text: "x"}}}
		if change != nil {
			change(&h.Plot)
		}
		p := heatPanel{fields: []field{{value: 1e9, state: notApplicable}}}
		for _, v := range values {
			p.fields = append(p.fields, field{value: v, state: valued})
		}
		h.panels = []heatPanel{p}
		return h.colours()
	}
	linear := func(p *configs.Plot) { p.Axes.Color = "linear" }
	logs := func(p *configs.Plot) { p.Axes.Color = "log" }
	trivial := func(p *configs.Plot) { p.Of.Text = configs.BoundOverTrivial }
	for name, tt := range map[string]struct {
		scale *heatField
		low   float64
		high  float64
		log   bool
	}{
		"decades":        {scaled(nil, 0.01, 1), 0.01, 1, true},
		"a factor of 2":  {scaled(nil, 1, 2), 1, 2, false},
		"signs":          {scaled(nil, -1, 100), -1, 100, false},
		"asked linear":   {scaled(linear, 0.01, 1), 0.01, 1, false},
		"asked log":      {scaled(logs, 1, 2), 1, 2, true},
		"around trivial": {scaled(trivial, 0.5, 8), 0.125, 8, true},
		"all below":      {scaled(trivial, 0.01, 0.5), 0.01, 100, true},
		"one value":      {scaled(nil, 2), 1.8, 2.2, false},
	} {
		if s := tt.scale; s.log != tt.log || math.Abs(s.low/tt.low-1) > 1e-9 || math.Abs(s.high/tt.high-1) > 1e-9 {
			t.Errorf("%s: %v, log is %v; want %v to %v, %v", name, []float64{s.low, s.high}, s.log, tt.low, tt.high, tt.log)
		}
	}
	near(t, "the middle of a log scale", scaled(nil, 1, 100).share(10), 0.5)
}

// A log scale that is asked for has no colour for what is not positive, and says so.
func TestHeatmapWithoutLogarithm(t *testing.T) {
	p := plotOf(t, "heat")
	p.Of, p.Axes.Color = configs.NewQuantity("recon_h - 0.05"), "log"
	h, r := readHeatmap(p, reporttest.FixedRun(), nil)
	if f, _ := h.panels[0].fieldAt("1000", "0.75"); f.state != valueless || f.value >= 0 {
		t.Errorf("%+v", f)
	}
	if len(r.notes) != 1 || !strings.Contains(r.notes[0], "a log scale has no colour for it: ") {
		t.Errorf("notes %q", r.notes)
	}
	checkDrawing(t, "a heat map with gaps", h.chart())
}

// Numbers are printed where all of them fit, in an ink that can be read on their colour.
func TestHeatmapNumbers(t *testing.T) {
	inks := func(columns int, value float64) (count int) {
		h := heatmap{Plot: configs.Plot{Kind: "heatmap", X: configs.Quantity{Text: "n"}, Y: configs.Quantity{Text: "m"}, Of: configs.Quantity{Text: "x"}}}
		p := heatPanel{ys: []string{"1"}}
		for i := range columns {
			p.xs = append(p.xs, fmt.Sprint(i))
			p.fields = append(p.fields, field{x: fmt.Sprint(i), y: "1", value: value * float64(i+1), count: 1, state: valued})
		}
		h.panels = []heatPanel{p}
		svg, err := h.chart().Svg()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(svg), "#010101") + strings.Count(string(svg), "#FEFEFE")
	}
	for _, tt := range []struct {
		columns int
		value   float64
		want    int
	}{{5, 0.12, 5}, {8, 1.2e-7, 8}, {40, 0.12, 0}} {
		if got := inks(tt.columns, tt.value); got != tt.want {
			t.Errorf("%d columns: %d numbers, want %d", tt.columns, got, tt.want)
		}
	}
	for v, want := range map[float64]string{0: "0", 0.0341: "0.034", -0.5: "−0.5", 12345: "1.2e4", 9999: "1e4", 0.0009996: "0.001", 3.14159e-5: "3.1e−5", 1e-100: "1e−100", 9870: "9900"} {
		if got := shortNumber(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}
