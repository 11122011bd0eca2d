package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/results"
)

// readHeatmap draws a heat map of a run with verdicts.
func readHeatmap(p configs.Plot, run results.Run, verdicts []claims.Verdict) plotted {
	r := newReader(p, run, LabelsOf(run))
	c, says := r.draw(verdicts)
	return plotted{r, c, says}
}

// field is a row of the table of a heat map.
type field struct {
	value float64
	count int
	state fieldState
}

// fieldAt is the field of a place in a panel; false where there is none.
func (d plotted) fieldAt(panel int, x, y string) (field, bool) {
	for _, row := range d.table {
		if row[1] == d.Panels[panel].at.String() && row[2] == d.X.Text+"="+x && row[3] == d.Y.Text+"="+y {
			value, _ := strconv.ParseFloat(row[4], 64)
			count, _ := strconv.Atoi(row[5])
			return field{value, count, fieldState(row[6])}, true
		}
	}
	return field{}, false
}

// Each field has the median of its cell's repeats; a skipped cell has none, and a failed
// repeat does not count.
func TestHeatmapOfAMetric(t *testing.T) {
	h := readHeatmap(plotOf(t, "heat"), fixedRun(), nil)
	if h.trouble != "" || len(h.Panels) != 3 {
		t.Fatalf("%q, %d panels", h.trouble, len(h.Panels))
	}
	fields := 0
	for k, method := range []string{"ekpca", "nystrom", "rff"} {
		p := h.Panels[k]
		if p.Title != "method "+method || !slices.Equal(p.X.Names, []string{"250", "500", "1000"}) || !slices.Equal(p.Y.Names, []string{"0.75", "0.5"}) {
			t.Errorf("panel %q over %v and %v", p.Title, p.X.Names, p.Y.Names)
		}
		for _, n := range []int{250, 500, 1000} {
			for _, theta := range []float64{0.5, 0.75} {
				f, ok := h.fieldAt(k, fmt.Sprint(n), fmt.Sprint(theta))
				if method == "rff" && n == 250 && theta == 0.75 {
					if ok {
						t.Error("a skipped cell has a field")
					}
					continue
				}
				var values []float64
				for repeat := range 4 {
					if one := fixedRow(method, theta, n, repeat); one.Status == results.OK {
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
	c := h.Chart
	if c.Bar == nil || c.Bar.Label != "median of recon_h" || len(legendOf(c)) != 0 {
		t.Errorf("bar %+v, legend %v", c.Bar, legendOf(c))
	}
	// theta rises upwards, n to the right
	f, _ := h.fieldAt(0, "1000", "0.75")
	if columns, rows := h.Panels[0].fields.Dims(); columns != 3 || rows != 2 || h.Panels[0].fields.values[2][1] != f.value {
		t.Errorf("fields %v; want %g on top at the right", h.Panels[0].fields.values, f.value)
	}
}

// A cell none of whose repeats has a value looks different from a missing one.
func TestHeatmapOfFailures(t *testing.T) {
	run := fixedRun()
	for i, r := range run.Rows {
		if r.Method() == "nystrom" && numberOf(r, "n") == 500 {
			run.Rows[i].Status = results.Failed
		}
	}
	h := readHeatmap(plotOf(t, "heat"), run, nil)
	if f, ok := h.fieldAt(1, "500", "0.5"); !ok || f.state != valueless || f.count != 0 {
		t.Errorf("%+v, %v", f, ok)
	}
	if legend := legendOf(h.Chart); len(legend) != 1 || legend[0] != "no value" {
		t.Errorf("legend %+v", legend)
	}
}

// A heat map of a bound shows each of its ratios, and where its theorem does not apply.
func TestHeatmapOfABound(t *testing.T) {
	for of, want := range map[string]float64{configs.MeasuredOverBound: 0.01, configs.BoundOverTrivial: 0.5} {
		p := plotOf(t, "tight")
		p.Of.Text = of
		h := readHeatmap(p, fixedRun(), fixedVerdicts())
		if h.trouble != "" || len(h.Panels) != 1 || len(h.table) != 7 {
			t.Fatalf("%s: %q, %+v", of, h.trouble, h.table)
		}
		f, _ := h.fieldAt(0, "500", "0.5")
		near(t, of, f.value, want)
		for place, want := range map[string]fieldState{"250 0.5": notApplicable, "250 0.75": notApplicable, "500 0.75": valued, "1000 0.75": valueless} {
			x, y, _ := strings.Cut(place, " ")
			if f, _ := h.fieldAt(0, x, y); f.state != want {
				t.Errorf("%s at %s: %s, want %s", of, place, f.state, want)
			}
		}
		legend := legendOf(h.Chart)
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
	never := fixedVerdicts()
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
		"nothing picked": {with(tight, func(p *configs.Plot) { p.Where = configs.Conditions{"n": {Value: []string{"7"}}} }), fixedVerdicts(), "no row of this run is picked"},
		"no method":      {with(tight, func(p *configs.Plot) { p.Where = configs.Conditions{"method": {Value: []string{"rff"}}} }), fixedVerdicts(), "gives no number here"},
		"never applies":  {tight, never, "nyk-4.1-iii applies to no cell"},
		"several cells":  {with(heat, func(p *configs.Plot) { p.Y.Text = "method" }), nil, "2 different cells are at n=250, ekpca; fix under where in what they differ, theta and m"},
		"no such metric": {with(heat, func(p *configs.Plot) { p.Of = configs.NewQuantity("no_such") }), nil, "no field has a value"},
	} {
		if r := readHeatmap(tt.plot, fixedRun(), tt.verdicts); !strings.Contains(r.trouble, tt.want) {
			t.Errorf("%s: %q lacks %q", name, r.trouble, tt.want)
		}
	}
}

// Cells that differ in what their method does not use share a field, and a facet and
// names as rows have their places.
func TestHeatmapPlaces(t *testing.T) {
	run := fixedRun()
	for i, r := range run.Rows {
		if r.Method() == "ekpca" {
			run.Rows[i].At = r.At.Without("theta", "m")
		}
	}
	run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool { return strings.HasPrefix(r.ID, "ekpca0.75") })
	p := plotOf(t, "heat")
	p.Y.Text, p.Where = "method", configs.Conditions{"method": {Value: []string{"ekpca"}}}
	if h := readHeatmap(p, run, nil); h.trouble != "" || len(h.table) != 4 {
		t.Errorf("%q, %+v", h.trouble, h.table)
	}
	p.Where, p.Facet = nil, configs.Word{Value: "theta"}
	h := readHeatmap(p, run, nil)
	if h.trouble != "" || len(h.Panels) != 2 || h.Panels[0].Title != "theta = 0.5" {
		t.Fatalf("%q, %+v", h.trouble, h.Panels)
	}
	if got := h.Panels[1].Y.Names; !slices.Equal(got, []string{"ekpca", "nystrom", "rff"}) {
		t.Errorf("names from the top are %q", got)
	}
}

func TestHeatmapScale(t *testing.T) {
	scaled := func(change func(*configs.Plot), values ...float64) *colours {
		p := configs.Plot{Kind: "heatmap", Of: configs.Quantity{Text: "x"}}
		if change != nil {
			change(&p)
		}
		return (&reader{Plot: p}).scale([]Panel{{fields: fields{values: [][]float64{values}}}})
	}
	linear := func(p *configs.Plot) { p.Axes.Color = "linear" }
	logs := func(p *configs.Plot) { p.Axes.Color = "log" }
	trivial := func(p *configs.Plot) { p.Of.Text = configs.BoundOverTrivial }
	for name, tt := range map[string]struct {
		scale *colours
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
		if s := tt.scale; s.Log != tt.log || math.Abs(s.Span[0]/tt.low-1) > 1e-9 || math.Abs(s.Span[1]/tt.high-1) > 1e-9 {
			t.Errorf("%s: %v, log is %v; want %v to %v, %v", name, s.Span, s.Log, tt.low, tt.high, tt.log)
		}
	}
	if c := scaled(nil, 1, 100); c.of(10) != c.palette.Colors()[shades/2] {
		t.Error("10 is not in the middle of a log scale from 1 to 100")
	}
}

// A log scale that is asked for has no colour for what is not positive, and says so.
func TestHeatmapWithoutLogarithm(t *testing.T) {
	p := plotOf(t, "heat")
	p.Of, p.Axes.Color = configs.NewQuantity("recon_h - 0.05"), "log"
	h := readHeatmap(p, fixedRun(), nil)
	if f, _ := h.fieldAt(0, "1000", "0.75"); f.state != valueless || f.value >= 0 {
		t.Errorf("%+v", f)
	}
	if notes := strings.Join(h.notes, " "); !strings.Contains(notes, "a log scale has no place for it: ") {
		t.Errorf("notes %q", notes)
	}
	checkDrawing(t, "a heat map with gaps", h.Chart)
}

// Numbers are printed where all of them fit, in an ink that can be read on their colour.
func TestHeatmapNumbers(t *testing.T) {
	inks := func(columns int, value float64) (count int) {
		r := &reader{Plot: configs.Plot{Of: configs.Quantity{Text: "x"}}}
		p := Panel{Y: Axis{Names: []string{"1"}}}
		for i := range columns {
			p.X.Names = append(p.X.Names, fmt.Sprint(i))
			p.fields.values = append(p.fields.values, []float64{value * float64(i+1)})
		}
		c := newChart("", []Panel{p})
		c.Bar = r.scale(c.Panels)
		c.Panels[0].fields.scale = c.Bar
		svg, err := c.Svg()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(svg), "#010101") + strings.Count(string(svg), "#FEFEFE")
	}
	for _, tt := range []struct {
		columns int
		value   float64
		want    int
	}{{5, 0.12, 5}, {40, 0.12, 0}, {8, 1.2e-7, 0}} {
		if got := inks(tt.columns, tt.value); got != tt.want {
			t.Errorf("%d columns: %d numbers, want %d", tt.columns, got, tt.want)
		}
	}
}
