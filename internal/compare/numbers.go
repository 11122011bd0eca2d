package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"mercer/internal/plain"
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
	// shownDrifts is how many metrics of an experiment have a finding of their own.
	shownDrifts = 10
)

// sameArithmetic says whether both sides round alike. Another processor may, with
// a BLAS of the same name: large products are split by the number of cores.
func sameArithmetic(p Pair) bool {
	return p.Base.Manifest.Versions["blas"] == p.New.Manifest.Versions["blas"] && sameMachine(p.Base.Manifest.Machine, p.New.Manifest.Machine)
}

// numbers holds rows of the same id to the tolerance of each metric.
func (e *Experiment) numbers(p Pair, cells []match, o Options) {
	n := Numbers{Drifts: []Drifted{}}
	for _, g := range grouped(cells) {
		for _, name := range metricsOf(g, isNumber) {
			n.compareMetric(g, name, p.New.Catalog.Metrics[name], o.Thresholds, sameArithmetic(p))
		}
	}
	slices.SortStableFunc(n.Drifts, func(a, b Drifted) int { return cmp.Compare(b.Relative, a.Relative) })
	e.Numbers = n
	e.driftFindings(p)
}

// compareMetric compares one metric of a group, to its tolerance.
func (n *Numbers) compareMetric(g []match, name string, metric results.MetricInfo, o Thresholds, exact bool) {
	tolerance := o.Elsewhere
	if exact {
		tolerance = o.Drift
	}
	if metric.Cancels {
		tolerance *= canceled
	}
	floor := floorShare * largest(g, name)
	d := Drifted{Group: groupOf(g[0].cell), Metric: name, Tolerance: tolerance}
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
			d.Of++
			difference, size := math.Abs(x-b), math.Max(math.Abs(b), math.Abs(x))
			switch {
			case difference == 0:
				n.Identical++
			case difference <= tolerance*(size+floor):
				n.Within++
				n.Largest = math.Max(n.Largest, difference/(size+floor))
			default:
				d.Count++
				if relative := difference / size; relative > d.Relative {
					d.Cell, d.Repeat, d.Base, d.New, d.Relative = m.cell, repeat, b, x, relative
				}
			}
		}
	}
	n.Compared += d.Of
	if d.Count == 0 {
		return
	}
	d.Tipped = metric.Steps && !exact && float64(d.Count) <= math.Max(1, tippedShare*float64(d.Of))
	if d.Tipped {
		n.Tipped += d.Count
	} else {
		n.Drifted += d.Count
	}
	if s := pooled(cells, true); len(s.base) > 0 {
		d.Change = s.change()
	}
	d.Worse = direction(metric.Better, d.Change)
	n.Drifts = append(n.Drifts, d)
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
				size = math.Max(size, math.Max(math.Abs(r.Metrics.Value(name)), math.Abs(r.Metrics.Value(scale))))
			}
		}
	}
	return size
}

// direction is what an increase of a metric is, or a decrease.
func direction(better string, change float64) string {
	switch {
	case better == "" || change == 0:
		return ""
	case (change > 0) == (better == "less"):
		return "worse"
	}
	return "better"
}

func (e *Experiment) driftFindings(p Pair) {
	shown := 0
	for _, d := range e.Numbers.Drifts {
		where := fmt.Sprintf("%s repeat %d", words(d.Cell), d.Repeat)
		text := fmt.Sprintf("%d of %d numbers with the same seeds differ by more than %.0e", d.Count, d.Of, d.Tolerance)
		if d.Worse != "" {
			text += fmt.Sprintf("; on average %s (%s)", percent(d.Change), d.Worse)
		}
		text += fmt.Sprintf("; the largest difference is %s → %s", number(d.Base), number(d.New))
		if d.Base != 0 {
			text += fmt.Sprintf(" (%s)", percent((d.New-d.Base)/math.Abs(d.Base)))
		}
		if d.Tipped {
			e.add(Finding{Severity: Warning, Kind: Drift, Where: where, Metric: d.Metric,
				Text: text + "; another machine or BLAS rounds otherwise, which may tip a clustering or a rank in a few rows"})
			continue
		}
		if shown++; shown > shownDrifts {
			continue
		}
		e.add(Finding{Severity: Regression, Kind: Drift, Where: where, Metric: d.Metric, Text: text,
			Do: "results changed although nothing that enters the id of a row did: find out why; if intended, raise the version of the method (methods/registry.go), or results.Measuring where measures or data changed, and run make reference"})
	}
	if shown > shownDrifts {
		e.add(Finding{Severity: Regression, Kind: Drift, Text: fmt.Sprintf("%s drifted, by less; --format json lists them all", plain.Count(shown-shownDrifts, "more metric", "more metrics"))})
	}
	if n := e.Numbers; sameArithmetic(p) && n.Within > 0 && n.Drifted == 0 {
		e.add(Finding{Severity: Note, Kind: Drift,
			Text: fmt.Sprintf("%d of %d numbers are not identical bit for bit, although machine and BLAS are the same; the largest relative difference is %.1e", n.Within, n.Compared, n.Largest)})
	}
}

// number writes a value with six digits.
func number(v float64) string { return fmt.Sprintf("%.6g", v) }
