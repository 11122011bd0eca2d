package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/report/reporttest"
)

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

// A heat map of a bound shows each of its ratios, and where its theorem does not apply.
func TestHeatmapOfABound(t *testing.T) {
	for of, want := range map[string]float64{configs.MeasuredOverBound: 0.01, configs.BoundOverTrivial: 0.5} {
		p := plotOf(t, "tight")
		p.Of = of
		h := read(p, reporttest.FixedRun())
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
	with := func(change func(*configs.Plot)) configs.Plot {
		p := plotOf(t, "tight")
		change(&p)
		return p
	}
	for name, tt := range map[string]struct {
		plot configs.Plot
		want string
	}{
		"no verdict":     {with(func(p *configs.Plot) { p.Claim.Value = "other" }), "claim other gives no number here"},
		"nothing picked": {with(func(p *configs.Plot) { p.Where = configs.Conditions{"n": {Value: []string{"7"}}} }), "no row of this run is picked"},
		"no method":      {with(func(p *configs.Plot) { p.Where = configs.Conditions{"method": {Value: []string{"rff"}}} }), "gives no number here"},
		"never applies":  {with(func(p *configs.Plot) { p.Where = configs.Conditions{"n": {Value: []string{"250"}}} }), "gives no number here"},
		"several cells":  {with(func(p *configs.Plot) { p.Y.Text = "method" }), "several cells are at n=1000, nystrom, poly2, series; fix under where in what they differ"},
	} {
		if r := read(tt.plot, reporttest.FixedRun()); !strings.Contains(r.trouble, tt.want) {
			t.Errorf("%s: %q lacks %q", name, r.trouble, tt.want)
		}
	}
}

// Numbers rise upwards and to the right; colours have one reach to either side of 1, and numbers are
// printed in all fields, light on dark ones.
func TestHeatmapFields(t *testing.T) {
	h := read(plotOf(t, "tight"), reporttest.FixedRun())
	p := h.Panels[0]
	if !slices.Equal(p.X.Names, []string{"250", "500", "1000"}) || !slices.Equal(p.Y.Names, []string{"0.75", "0.5"}) || !strings.HasPrefix(p.Title, "measured/bound") {
		t.Errorf("panel %q over %v and %v", p.Title, p.X.Names, p.Y.Names)
	}
	f, _ := h.fieldAt(0, "500", "0.75")
	if columns, rows := p.fields.Dims(); columns != 3 || rows != 2 || p.fields.values[1][1] != f.value {
		t.Errorf("fields %v; want %g on top in the middle", p.fields.values, f.value)
	}
	near(t, "reach", p.fields.reach, -math.Log10(0.004)) // of the least value

	for value, want := range map[float64]string{0.01: "#FEFEFE", 1: "#010101", 0: "#010101"} {
		c := newChart("", []Panel{{X: Axis{Names: []string{"1"}}, Y: Axis{Names: []string{"1"}}, fields: &fields{[][]float64{{value}}, 2}}})
		if svg, err := c.Svg(); err != nil || strings.Count(string(svg), want) != 1 {
			t.Errorf("%g is not printed in %s: %v", value, want, err)
		}
		checkDrawing(t, "a field", c)
	}
}

// Fields are blue below 1 and red from 1 on, where a bound is broken or vacuous.
func TestFieldsAreRedFromOne(t *testing.T) {
	for v, want := range map[float64]bool{0.01: false, 0.9: false, 1 - 1e-9: false, 1: true, 1.1: true, 100: true} {
		if r, _, b, _ := (fields{reach: 2}).colour(math.Log10(v)).RGBA(); r > b != want {
			t.Errorf("%v is red: %v, want %v", v, r > b, want)
		}
	}
}
