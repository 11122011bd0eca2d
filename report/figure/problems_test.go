package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/report/reporttest"
	"mercer/results"
)

// contestRun has a record for each value of three methods on some problems: two repeats,
// whose mean is the value.
func contestRun(values [][]float64) results.Run {
	methods := []string{"ekpca", "nystrom", "rff"}
	run := reporttest.FixedRun()
	run.Rows = nil
	for problem, row := range values {
		for i, value := range row {
			for repeat, factor := range []float64{0.5, 1.5} {
				r := reporttest.FixedRow(methods[i], 0.5, 500, repeat)
				r.At = r.At.With("dataset", configs.TextOf(fmt.Sprintf("p%02d", problem)))
				r.ID = fmt.Sprint(problem, i, repeat)
				r.Status = results.OK
				r.Metrics.Set("recon_h", value*factor)
				if math.IsNaN(value) {
					r.Status = results.Failed
				}
				run.Rows = append(run.Rows, r)
			}
		}
	}
	return run
}

func contestPlot() configs.Plot {
	return configs.Plot{ID: "c", Kind: "ranks", Y: configs.NewQuantity("recon_h")}
}

func rankedOf(values [][]float64) (ranked, *plotReader) {
	r := newReader(contestPlot(), contestRun(values))
	return r.ranked(), r
}

// A method that is first on each of twelve problems by a hair, and two that take turns: the
// first differs from both, these from each other do not. p is 2/2^12 for the first, by Holm
// thrice that.
func TestRanks(t *testing.T) {
	values := make([][]float64, 12)
	for i := range values {
		size := math.Pow(10, float64(i-6))
		values[i] = []float64{size, size * (1.01 + 0.001*float64(i)), size * (1.01 + 0.001*float64(11-i))}
	}
	d, r := rankedOf(append(values, []float64{1, 2, math.NaN()}))
	if r.trouble != "" || len(d.tests) != 1 {
		t.Fatalf("%q: %+v", r.trouble, d)
	}
	got := d.tests[0]
	if got.mean[0] != 1 || got.mean[1] != 2.5 || got.mean[2] != 2.5 || got.chi2 != 18 || math.Abs(got.p-math.Exp(-9)) > 1e-12 {
		t.Errorf("ranks %v, χ² = %g, p = %g", got.mean, got.chi2, got.p)
	}
	if first := got.pairs[0]; first.p != 2/4096.0 || first.adjusted != 6/4096.0 {
		t.Errorf("pairs %+v", got.pairs)
	}
	if fmt.Sprint(got.cliques) != "[[1 2]]" {
		t.Errorf("joined: %v", got.cliques)
	}
	if notes := strings.Join(r.notes, " "); !strings.Contains(notes, "Left out, since some method has no value: p12") {
		t.Errorf("notes %q", notes)
	}
	checkDrawing(t, "ranks", d.chart())
	// With five problems no p is small enough, and the caption says so: 3·2/2^5.
	few, _ := rankedOf(values[:5])
	if fmt.Sprint(few.tests[0].cliques) != "[[0 1 2]]" || !strings.Contains(strings.Join(few.caption(LabelsOf(reporttest.Empty())), " "), "With 5 problems no difference") {
		t.Errorf("five problems: %v, %q", few.tests[0].cliques, few.caption(LabelsOf(reporttest.Empty())))
	}
}

// The largest sets without a pair that is apart.
func TestCliques(t *testing.T) {
	apart := func(pairs ...[2]int) [][]bool {
		out := make([][]bool, 4)
		for i := range out {
			out[i] = make([]bool, 4)
		}
		for _, p := range pairs {
			out[p[0]][p[1]], out[p[1]][p[0]] = true, true
		}
		return out
	}
	for _, tt := range []struct {
		apart [][]bool
		want  string
	}{
		{apart(), "[[0 1 2 3]]"},
		{apart([2]int{0, 3}), "[[0 1 2] [1 2 3]]"},
		{apart([2]int{0, 1}, [2]int{0, 2}, [2]int{0, 3}), "[[1 2 3]]"},
		{apart([2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}), "[[0 2] [0 3] [1 3]]"},
	} {
		if got := fmt.Sprint(cliques(tt.apart)); got != tt.want {
			t.Errorf("joined: %s, want %s", got, tt.want)
		}
	}
}

// What cannot be compared is said, with the way out.
func TestContestTrouble(t *testing.T) {
	trouble := func(change func(*configs.Plot, *results.Run)) string {
		p, run := contestPlot(), contestRun([][]float64{{1, 2, 3}, {2, 3, 1}})
		change(&p, &run)
		r := newReader(p, run)
		r.ranked()
		return r.trouble
	}
	for want, change := range map[string]func(*configs.Plot, *results.Run){
		"":               func(*configs.Plot, *results.Run) {},
		"write 1 - rand": func(p *configs.Plot, _ *results.Run) { p.Y = configs.NewQuantity("rand") },
		"nothing to compare it with": func(p *configs.Plot, _ *results.Run) {
			p.Where = configs.Conditions{"method": {Value: []string{"rff"}}}
		},
		"rff has 2 different cells, which differ in theta, m on dataset p00, kernel series; fix them under where": func(_ *configs.Plot, run *results.Run) {
			r := run.Rows[4]
			r.At, r.ID = r.At.With("theta", configs.NumberOf(0.75)).With("m", configs.NumberOf(9)), "another"
			run.Rows = append(run.Rows, r)
		},
		"ranks need two problems": func(_ *configs.Plot, run *results.Run) { run.Rows = run.Rows[:6] },
		"nystrom has two methods with this label": func(_ *configs.Plot, run *results.Run) {
			reporttest.Label(run, map[string]string{"rff": "features", "nystrom": "features"})
		},
	} {
		if got := trouble(change); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("trouble %q, want %q", got, want)
		}
	}
	r := newReader(contestPlot(), func() results.Run {
		run := contestRun([][]float64{{1, 2, 3}, {2, 3, 1}})
		reporttest.Label(&run, map[string]string{"rff": "features", "nystrom": "features"})
		run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool {
			return (r.Method() == "rff") == (r.Dataset() == "p00") && r.Method() != "ekpca"
		})
		return run
	}())
	if d := r.ranked(); len(d.solvers) != 2 || len(d.panels[0].problems) != 2 {
		t.Errorf("two methods of one label: %q, %+v", r.trouble, d)
	}
}
