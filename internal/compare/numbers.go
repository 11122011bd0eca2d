package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/results"
)

const (
	// canceled is how much more a metric may differ that is a small difference of
	// large numbers: between OpenBLAS and the program's own kernels such numbers differ
	// by up to 2e-9 of the largest of their kind, others by at most 1e-10 of that or by
	// 3e-8 of themselves.
	canceled = 10
	// floorShare is what share of a metric's largest value in a group counts for
	// the rounding of each: numbers near 0 are differences of larger ones.
	floorShare = 0.01
	// tippedShare is the share of a group's numbers that rounding may tip on
	// another machine or BLAS; one is always allowed. Between OpenBLAS and the
	// program's own kernels 1 number of 60 was tipped at most.
	tippedShare = 0.05
)

// Numbers sums up what was to be the same: metrics of rows of the same id.
type Numbers struct {
	Compared  int     `json:"compared"`
	Identical int     `json:"identical"` // bit for bit
	Within    int     `json:"within"`    // not identical, within the tolerance
	Tipped    int     `json:"tipped"`    // beyond it, as rounding elsewhere may tip a clustering or a rank
	Drifted   int     `json:"drifted"`   // beyond it
	Largest   float64 `json:"largest"`   // relative difference of those within
}

// drifted are the numbers of a metric of a group that are beyond the tolerance.
type drifted struct {
	metric    string
	better    string // "less", "more", or ""
	tolerance float64
	count, of int
	tipped    bool // few, of a metric that rounding may tip
	change    float64
	// The largest difference:
	cell      results.Key
	repeat    int
	base, new float64
	relative  float64
}

// sameArithmetic says whether both sides round alike. Another processor may, with
// a BLAS of the same name: large products are split by the number of cores.
func sameArithmetic(p Pair) bool {
	return p.Base.Manifest.Versions["blas"] == p.New.Manifest.Versions["blas"] && sameMachine(p.Base.Manifest.Machine, p.New.Manifest.Machine)
}

// numbers holds rows of the same id to the tolerance of each metric.
func (e *Experiment) numbers(p Pair, cells []match, o Thresholds) {
	tolerance, exact := o.Elsewhere, sameArithmetic(p)
	if exact {
		tolerance = o.Drift
	}
	var all []drifted
	for _, g := range grouped(cells) {
		for _, name := range metricsOf(g, isNumber) {
			d := e.Numbers.hold(g, name, p.New.Catalog.Metrics[name], tolerance, exact)
			if d.count > 0 {
				all = append(all, d)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b drifted) int { return cmp.Compare(b.relative, a.relative) })
	for _, d := range all {
		e.add(d.finding())
	}
}

// hold compares one metric of a group, to its tolerance.
func (n *Numbers) hold(g []match, name string, metric results.MetricInfo, tolerance float64, exact bool) drifted {
	if metric.Cancels {
		tolerance *= canceled
	}
	floor := floorShare * largest(g, name)
	d := drifted{metric: name, better: metric.Better, tolerance: tolerance}
	var cells []values
	for _, m := range g {
		v, ok := valuesOf(m, name)
		if !ok {
			continue
		}
		cells = append(cells, v)
		for _, repeat := range m.repeats() {
			b, inBase := v.base[repeat]
			x, inNew := v.new[repeat]
			if !inBase || !inNew {
				continue
			}
			d.of++
			difference, size := math.Abs(x-b), math.Max(math.Abs(b), math.Abs(x))
			switch {
			case difference == 0:
				n.Identical++
			case difference <= tolerance*(size+floor):
				n.Within++
				n.Largest = math.Max(n.Largest, difference/(size+floor))
			default:
				d.count++
				if relative := difference / size; relative > d.relative {
					d.cell, d.repeat, d.base, d.new, d.relative = m.cell, repeat, b, x, relative
				}
			}
		}
	}

	n.Compared += d.of
	if d.tipped = metric.Steps && !exact && float64(d.count) <= math.Max(1, tippedShare*float64(d.of)); d.tipped {
		n.Tipped += d.count
	} else {
		n.Drifted += d.count
	}
	if d.count > 0 {
		if s := pooled(cells, true); len(s.base) > 0 {
			d.change = s.change()
		}
	}
	return d
}

// largest is the largest absolute value of a metric in a group, of eigenvalues that of all.
func largest(g []match, name string) float64 {
	scale := name
	if strings.HasPrefix(name, "eigenvalue_") {
		scale = "eigenvalue_1"
	}
	size := 0.0
	for _, m := range g {
		for _, side := range []map[int]*results.Row{m.base, m.new} {
			for _, r := range side {
				size = math.Max(size, math.Max(math.Abs(r.Metrics[name]), math.Abs(r.Metrics[scale])))
			}
		}
	}
	return size
}

// finding is a regression, or a warning where rounding may have tipped few numbers.
func (d drifted) finding() Finding {
	text := fmt.Sprintf("%d of %d numbers with the same seeds differ by more than %.0e; on average %s; the largest difference is %.6g → %.6g",
		d.count, d.of, d.tolerance, turned(d.change, d.better), d.base, d.new)
	f := Finding{Severity: Regression, Kind: Drift, Where: fmt.Sprintf("%s repeat %d", words(d.cell), d.repeat), Metric: d.metric, Text: text,
		Do: "results changed although nothing that enters the id of a row did: find out why; if intended, raise the version of the method, or results.Measuring where measures or data changed, and " + renewal}
	if d.tipped {
		f.Severity, f.Do = Warning, "another machine or BLAS rounds otherwise, which may tip a clustering or a rank in a few rows"
	}
	return f
}

// turned writes a relative change of a metric of which less or more may be better: "+1 %
// (worse)".
func turned(change float64, better string) string {
	switch {
	case better == "" || change == 0:
		return percent(change)
	case (change > 0) == (better == "less"):
		return percent(change) + " (worse)"
	}
	return percent(change) + " (better)"
}

// percent writes a relative change: "+1.0 %".
func percent(x float64) string {
	switch a := math.Abs(100 * x); {
	case a == 0:
		return "0 %"
	case a < 0.095:
		return fmt.Sprintf("%+.1g %%", 100*x)
	case a < 99.5:
		return fmt.Sprintf("%+.2g %%", 100*x)
	}
	return fmt.Sprintf("%+.0f %%", 100*x)
}
