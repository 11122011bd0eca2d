package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// contest is a comparison of methods over problems.
type contest struct {
	configs.Plot
	panels  []contestPanel
	solvers []string // names of the methods, and of what By tells apart
	tally            // of repeats behind a mean
}

// contestPanel is one value of the facet.
type contestPanel struct {
	name     string
	at       results.Key
	problems []results.Key // each a data set with a kernel
	means    [][]float64   // by problem and solver, over repeats; NaN for none
}

// contest reads a comparison over problems. Methods to which the spec gives one label are
// one solver, such as random features of two kernels.
func (r *plotReader) contest() contest {
	c := contest{Plot: r.Plot}
	var err error
	if r.y, err = r.run.Quantity(r.Y); err != nil {
		r.trouble = err.Error()
	}
	if r.trouble == "" && r.run.Catalog.Metrics[r.Y.Text].Better == "more" {
		r.trouble = fmt.Sprintf("more of %s is better, and ranks take the least as the best; write 1 - %s", plain.Text(r.Y.Text), plain.Text(r.Y.Text))
	}
	if r.trouble != "" {
		return c
	}
	r.leaveOutUndefined()
	for _, s := range r.split(r.rows, r.seriesColumns()) {
		if name := short(r.solver(s.At)); !slices.Contains(c.solvers, name) {
			c.solvers = append(c.solvers, name)
		}
	}
	for _, g := range r.split(r.rows, r.columns([]string{r.Facet.Value}, r.By.Texts()...)) {
		p := contestPanel{at: g.At, name: plain.Text(format.PlainWhere(g.At))}
		for _, problem := range r.split(g.Rows, r.columns([]string{"dataset", "kernel"}, append(r.By.Texts(), r.Facet.Value)...)) {
			r.enter(&c, &p, problem)
		}
		if len(p.problems) > 0 {
			c.panels = append(c.panels, p)
		}
	}
	r.finishContest(&c)
	return c
}

// solver names what is compared, of methods with one label by the first in the spec.
func (r *plotReader) solver(at results.Key) results.Key {
	labels := r.run.Spec.Labels
	label := labels[at.Text("method")].Value
	for _, method := range r.run.Spec.Methods {
		if label != "" && labels[method.ID].Value == label {
			return at.With("method", configs.TextOf(method.ID))
		}
	}
	return at
}

// enter adds a problem with the mean of each solver to a panel.
func (r *plotReader) enter(c *contest, p *contestPanel, problem results.Group) {
	means := make([]float64, len(c.solvers))
	for i := range means {
		means[i] = math.NaN()
	}
	for _, s := range r.split(problem.Rows, r.seriesColumns()) {
		i := slices.Index(c.solvers, short(r.solver(s.At)))
		reason, _ := r.clash(s.Rows, "")
		if reason == "" && plain.Finite(means[i]) {
			reason = "two methods with this label"
		}
		if reason != "" {
			r.trouble = cmp.Or(r.trouble, fmt.Sprintf("%s has %s on %s; fix them under where, or make one the facet", c.solvers[i], reason, plain.Text(format.PlainWhere(problem.At))))
			return
		}
		var values []float64
		for _, reading := range r.y.Read(s.Rows) {
			r.readings++
			if reading.OK() {
				values = append(values, reading.Value)
			} else {
				r.lost = append(r.lost, fmt.Sprintf("%s, repeat %d (%v)", reading.Row.Method(), reading.Row.Repeat, reading.Err))
			}
		}
		if len(values) > 0 {
			means[i] = stat.Mean(values, nil)
			c.count(len(values))
		}
	}
	if slices.ContainsFunc(means, plain.Finite) {
		p.problems, p.means = append(p.problems, problem.At), append(p.means, means)
	}
}

// problem names a problem by what tells it from the others.
func (p contestPanel) problem(i int) string {
	return cmp.Or(short(format.Without(p.problems[i], format.Common(p.problems))), short(p.problems[i]))
}

// finishContest adds what a reader should know.
func (r *plotReader) finishContest(c *contest) {
	switch {
	case r.trouble != "":
	case len(c.solvers) > maxSeries:
		r.trouble = fmt.Sprintf("%d methods cannot be told apart; pick up to %d under where", len(c.solvers), maxSeries)
	case len(c.solvers) < 2:
		r.trouble = "there is one method, and nothing to compare it with"
	case len(c.panels) == 0:
		r.trouble = "no point can be drawn"
	}
	if len(r.lost) > 0 {
		r.note("%d of %d records give no value, and the means are of the others; the first is %s.", len(r.lost), r.readings, r.lost[0])
	}
}

// row begins a row of the numbers: what it is about.
func (c contest) row(p contestPanel, role string, rest ...string) []string {
	return append([]string{c.ID, role, p.at.String()}, rest...)
}

// problemCount says how many problems the panels have.
func (c contest) problemCount() string {
	least, most := math.MaxInt, 0
	for _, p := range c.panels {
		least, most = min(least, len(p.problems)), max(most, len(p.problems))
	}
	if least < most {
		return strconv.Itoa(least) + " to " + plain.Count(most, "problem")
	}
	return plain.Count(most, "problem")
}
