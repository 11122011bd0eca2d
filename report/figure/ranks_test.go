package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"mercer/configs"
	"mercer/results"
)

// contestRun has a record for each value of three methods on some problems: two repeats,
// whose mean is the value.
func contestRun(values [][]float64) results.Run {
	methods := []string{"ekpca", "nystrom", "rff"}
	run := fixedRun()
	run.Rows = nil
	for problem, row := range values {
		for i, value := range row {
			for repeat, factor := range []float64{0.5, 1.5} {
				r := fixedRow(methods[i], 0.5, 500, repeat)
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

func rankedOf(values [][]float64) plotted { return read(contestPlot(), contestRun(values)) }

// valueOf is the value and the p of a row of the table.
func (d plotted) valueOf(role, method, other string) string {
	for _, row := range d.table {
		if row[1] == role && row[4] == method && row[5] == other {
			return strings.TrimSpace(row[7] + " " + row[8])
		}
	}
	return ""
}

// far are the methods that differ significantly from the best.
func (d plotted) far() (names []string) {
	for _, q := range d.Panels[0].Series[1].Points {
		name, _, _ := strings.Cut(q.Text, "\n")
		names = append(names, name)
	}
	return names
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
	d := rankedOf(append(values, []float64{1, 2, math.NaN()}))
	if d.trouble != "" || len(d.Panels) != 1 {
		t.Fatalf("%q: %+v", d.trouble, d)
	}
	for _, tt := range [][4]string{
		{"mean rank", "ekpca", "", "1"}, {"mean rank", "nystrom", "", "2.5"}, {"mean rank", "rff", "", "2.5"},
		{"friedman", "", "", fmt.Sprint("18 ", math.Exp(-9))},
		{"signed rank", "ekpca", "nystrom", "0.00146484375 0.00048828125"}, // 6 and 2 of 4096
	} {
		if got := d.valueOf(tt[0], tt[1], tt[2]); got[:min(len(got), 18)] != tt[3][:min(len(tt[3]), 18)] { // but for rounding
			t.Errorf("%s of %s, %s: %s; want %s", tt[0], tt[1], tt[2], got, tt[3])
		}
	}
	if got := d.far(); !slices.Equal(got, []string{"nystrom", "rff"}) {
		t.Errorf("%v differ from the best", got)
	}
	if notes := strings.Join(d.notes, " "); !strings.Contains(notes, "Left out, since some method has no value: p12") {
		t.Errorf("notes %q", notes)
	}
	checkDrawing(t, "ranks", d.Chart)
	// With five problems no p is small enough, and the caption says so: 3·2/2^5.
	few := rankedOf(values[:5])
	if says := strings.Join(few.says, " "); len(few.far()) != 0 || !strings.Contains(says, "With 5 problems no difference") {
		t.Errorf("five problems: %v, %q", few.far(), says)
	}
}

// What cannot be compared is said, with the way out.
func TestContestTrouble(t *testing.T) {
	trouble := func(change func(*configs.Plot, *results.Run)) string {
		p, run := contestPlot(), contestRun([][]float64{{1, 2, 3}, {2, 3, 1}})
		change(&p, &run)
		return read(p, run).trouble
	}
	for want, change := range map[string]func(*configs.Plot, *results.Run){
		"":               func(*configs.Plot, *results.Run) {},
		"write 1 - rand": func(p *configs.Plot, _ *results.Run) { p.Y = configs.NewQuantity("rand") },
		"nothing to compare it with": func(p *configs.Plot, _ *results.Run) {
			p.Where = configs.Conditions{"method": {Value: []string{"rff"}}}
		},
		"2 different cells are at p00, series, rff; fix under where in what they differ, theta and m": func(_ *configs.Plot, run *results.Run) {
			r := run.Rows[4]
			r.At, r.ID = r.At.With("theta", configs.NumberOf(0.75)).With("m", configs.NumberOf(9)), "another"
			run.Rows = append(run.Rows, r)
		},
		"ranks need two problems": func(_ *configs.Plot, run *results.Run) { run.Rows = run.Rows[:6] },
		"nystrom has two methods with this label": func(_ *configs.Plot, run *results.Run) {
			labelRun(run, map[string]string{"rff": "features", "nystrom": "features"})
		},
	} {
		if got := trouble(change); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("trouble %q, want %q", got, want)
		}
	}
	d := read(contestPlot(), func() results.Run {
		run := contestRun([][]float64{{1, 2, 3}, {2, 3, 1}})
		labelRun(&run, map[string]string{"rff": "features", "nystrom": "features"})
		run.Rows = slices.DeleteFunc(run.Rows, func(r results.Row) bool {
			return (r.Method() == "rff") == (r.Dataset() == "p00") && r.Method() != "ekpca"
		})
		return run
	}())
	if d.trouble != "" || len(d.Panels[0].Y.Names) != 2 || !strings.Contains(d.says[0], "over 2 problems") {
		t.Errorf("two methods of one label: %q, %q", d.trouble, d.says)
	}
}
