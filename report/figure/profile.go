package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
)

// profile is a plot of performance profiles: of each solver the share of the problems on
// which its mean is within a factor of the least mean there, against the factor.
//
// Reference: Dolan & Moré, Benchmarking optimization software with performance profiles,
// Mathematical Programming 91 (2002).
type profile struct{ contest }

// profile reads a contest. Factors need positive means: problems with others are left out.
func (r *plotReader) profile() profile {
	d := profile{r.contest()}
	for i := range d.panels {
		p := &d.panels[i]
		for k := len(p.problems) - 1; k >= 0; k-- {
			if slices.ContainsFunc(p.means[k], func(mean float64) bool { return mean <= 0 }) {
				r.note("Left out, since some mean is not positive: %s.", p.problem(k))
				p.problems, p.means = slices.Delete(p.problems, k, k+1), slices.Delete(p.means, k, k+1)
			}
		}
	}
	d.panels = slices.DeleteFunc(d.panels, func(p contestPanel) bool { return len(p.problems) == 0 })
	if len(d.panels) == 0 {
		r.trouble = cmp.Or(r.trouble, "no problem has means that are all positive")
	}
	return d
}

// factor is a solver's mean on a problem over the least there; +Inf where it has none.
func (p contestPanel) factor(problem, solver int) float64 {
	least := math.Inf(1)
	for _, mean := range p.means[problem] {
		if mean < least {
			least = mean
		}
	}
	if own := p.means[problem][solver]; !math.IsNaN(own) {
		return own / least
	}
	return math.Inf(1)
}

// farFactor ends the axis: what is farther from the best says that a method fails there, and
// one such problem would leave no room for the others.
const farFactor = 100

// far is the largest factor that the axis shows.
func (d profile) far() float64 {
	far := 1.1
	for _, p := range d.panels {
		for k := range p.problems {
			for i := range d.solvers {
				if f := p.factor(k, i); !math.IsInf(f, 1) {
					far = max(far, f)
				}
			}
		}
	}
	return min(far, farFactor)
}

// steps are the profile of a solver: it rises at each of its factors, and goes on level.
func (d profile) steps(p contestPanel, solver int, far float64) (line, marked []point) {
	var factors []float64
	for k := range p.problems {
		if f := p.factor(k, solver); f <= far {
			factors = append(factors, f)
		}
	}
	slices.Sort(factors)
	share := 0.0
	line = []point{{x: exactly(1), y: exactly(0)}}
	for i, f := range factors {
		line = append(line, point{x: exactly(f), y: exactly(share)})
		share = float64(i+1) / float64(len(p.problems))
		if i+1 < len(factors) && factors[i+1] == f {
			continue
		}
		text := lines(d.solvers[solver], p.name, fmt.Sprintf("within a factor of %s on %d of %s", format.Value(f), i+1, plain.Count(len(p.problems), "problem")))
		at := point{exactly(f), exactly(share), text}
		line, marked = append(line, at), append(marked, at)
	}
	return append(line, point{x: exactly(math.Inf(1)), y: exactly(share)}), marked
}

func (d profile) chart() chart {
	var panels []panel
	far := d.far()
	by := math.Pow(far, 0.03)
	for _, p := range d.panels {
		drawn := panel{title: p.name, x: axis{label: "factor from the least " + plain.Text(d.Y.Text), log: true, span: span{1 / by, far * by}, most: 6},
			y: axis{label: "share of problems", span: span{-0.02, 1.05}, most: 6}}
		for i, solver := range d.solvers {
			look, dashes := seriesLook(d.looks[i])
			line, marked := d.steps(p, i, far)
			drawn.layers = append(drawn.layers, all([]layer{{points: line, look: look, width: lineWidth, dashes: dashes}, markLayer(look, marked)}, solver)...)
		}
		panels = append(panels, drawn)
	}
	scale(panels, pageWidth)
	var legend []entry
	for i, solver := range d.solvers {
		look, dashes := seriesLook(d.looks[i])
		legend = append(legend, entry{solver, []layer{{look: look, width: lineWidth, dashes: dashes}, markLayer(look, nil)}})
	}
	return sizedChart(d.Size, cmp.Or(d.Title, d.ID), panels, legend)
}

func (d profile) caption(l Labels) []string {
	caption := []string{
		fmt.Sprintf("Performance profiles: the share of %s (%s) on which the mean of %s over %s is within a factor of the least of all methods there. Higher is better; at factor 1, how often a method is the best.",
			d.problemCount(), problemText, l.named(d.Y.Text), d.repeats()),
		fmt.Sprintf("The axis ends at %s at the latest.", format.Number(farFactor)),
		"A profile depends on the methods that it is drawn with: without the best one, the order of the others may change.",
	}
	for _, p := range d.panels {
		for i, solver := range d.solvers {
			if none := slices.DeleteFunc(p.column(i), plain.Finite); len(none) > 0 {
				caption = append(caption, fmt.Sprintf("%s has no value on %s of %d, which count as never reached.", solver, strconv.Itoa(len(none)), len(p.problems)))
			}
		}
	}
	return slices.Compact(caption)
}

// problemText says what a problem is.
const problemText = "each a data set with a kernel; its repeats are averaged first"

// column are the means of a solver.
func (p contestPanel) column(solver int) []float64 {
	return lists.Map(p.means, func(row []float64) float64 { return row[solver] })
}

// numbers has a row for each problem and solver: the mean and its factor.
func (d profile) numbers() [][]string {
	return append([][]string{contestHeader}, d.meanRows("factor", contestPanel.factor)...)
}
