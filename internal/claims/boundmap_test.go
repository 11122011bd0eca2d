package claims

import (
	"math"
	"slices"
	"testing"

	"mercer/internal/facts"
	"mercer/internal/lists"
	"mercer/results"
)

// All cells are told, with those that the theorem does not apply to.
func TestBoundCells(t *testing.T) {
	run := toyRun(60, 0.3, stream(3), 100, 200, 400) // needs n >= 150
	v := oneIn(t, boundClaim("toy", nil), run, toyWorld(1))
	if len(v.Bounds) != 3 {
		t.Fatalf("%d cells", len(v.Bounds))
	}
	for _, c := range v.Bounds {
		rows := lists.Where(run.Rows, func(r results.Row) bool { return r.At == c.At })
		n, _ := c.At.Number("n")
		if len(rows) != 60 || c.Applies != (n >= 150) {
			t.Errorf("n = %g: %d repeats, applies is %v", n, len(rows), c.Applies)
		}
		if !c.Applies {
			if c.Tightness != nil || c.Trivial != nil {
				t.Errorf("n = %g: numbers where the theorem does not apply", n)
			}
			continue
		}
		bound := 1.959963984540054 / math.Sqrt(n)
		var ratios []float64
		for _, r := range rows {
			ratios = append(ratios, r.Metrics["x"]/bound)
		}
		slices.Sort(ratios)
		if want := (ratios[29] + ratios[30]) / 2; math.Abs(*c.Tightness-want) > 1e-12 {
			t.Errorf("n = %g: tightness %v, want %v", n, *c.Tightness, want)
		}
	}
}

// Vacuous cells are told too, which the verdict leaves out where others are informative,
// each with its bound/trivial.
func TestVacuousBoundCells(t *testing.T) {
	v := oneIn(t, boundClaim("worth", nil), toyRun(80, 0.3, stream(3), 200, 400), worthWorld()) // trivial is 0.1
	if len(v.Cells) != 1 || len(v.Bounds) != 2 {
		t.Fatalf("%d cells are judged and %d told", len(v.Cells), len(v.Bounds))
	}
	for i, want := range []float64{1.959963984540054 / math.Sqrt(200) / 0.1, 1.959963984540054 / math.Sqrt(400) / 0.1} {
		if got := v.Bounds[i].Trivial; got == nil || math.Abs(*got-want) > 1e-12 {
			t.Errorf("bound/trivial is %v, want %v", got, want)
		}
	}
}

// A cell has no numbers where the theorem does not apply in some of its repeats.
func TestBoundCellsByRepeat(t *testing.T) {
	world := toyWorld(1)
	world.Population = func(_ string, repeat int) *facts.Population {
		return facts.Of(facts.Facts{Kappa: 1 + float64(repeat%2)}) // n >= 150 or 300 is needed
	}
	v := oneIn(t, boundClaim("toy", nil), toyRun(60, 0.3, stream(3), 200, 400), world)
	if c := v.Bounds[0]; c.Applies || c.Tightness != nil {
		t.Errorf("%+v", c)
	}
	if c := v.Bounds[1]; !c.Applies || c.Tightness == nil {
		t.Errorf("%+v", c)
	}
}
