package views

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"mercer/configs"
	"mercer/internal/claims"
	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/report/format"
	"mercer/results"
)

// Advice is which approximation to take for a file of points, and with how many landmarks or
// features: the answers to targets that find the least m, with what a fit costs there. Its table
// has a row for each method.
type Advice struct {
	Table      `json:"-"`
	Points     int             `json:"points"`  // of the file; where some are held out, those that are left
	Sample     int             `json:"sample"`  // the largest that was measured
	Statement  configs.Target  `json:"-"`       // that the first target asks for
	Best       *Advised        `json:"best"`    // the fastest that is known to do, or one that takes little longer and stands before it; nil where none is
	Plain      *Advised        `json:"plain"`   // uniform landmarks, where these are known to do and are not the best
	Tied       []string        `json:"tied"`    // methods that may be as fast as it, or faster
	Bandwidths []claims.Answer `json:"-"`       // of one method, for several kernels
	Unknown    []string        `json:"unknown"` // why nothing is known of a method at all points
	Open       bool            `json:"open"`    // the search has not ended

	// As scikit-learn takes them; Kernel and Gamma are "" for a kernel that it does not have.
	Kernel  string `json:"kernel"`
	Gamma   string `json:"gamma"`
	Scaled  bool   `json:"scaled"` // coordinates are standardised
	Classes bool   `json:"-"`      // that a regression predicts
	Ell, K  string `json:"-"`
}

// little is how much longer a method may take than the fastest and be advised in its place: those
// that come first are simpler to use.
const little = 1.1

// Advised is a method with the m that it needs.
type Advised struct {
	Label      string  `json:"method"`
	Landmarks  string  `json:"landmarks"`       // their rule; "" of random features
	Components int     `json:"components"`      // the least m that is known to do at At points
	At         int     `json:"at"`              // all points, or the largest sample where nothing is known of them
	Alpha      float64 `json:"alpha,omitempty"` // of a ridge regression in scikit-learn, ridge·n

	// Median seconds of a fit and of embedding the sample: at the largest m that is known not to do, and
	// at the least that does, which the code has.
	tooFew, enough float64
}

// Forms of the kernels that scikit-learn has. The number is gamma, of a Laplace kernel 1/gamma.
var (
	gaussian = regexp.MustCompile(`^gaussian exp\(-([^*]+)\*d\^2\)$`)
	laplace  = regexp.MustCompile(`^laplace exp\(-\|d\|_1/([^)]+)\)$`)
)

// Advice is that of a run on one file whose targets all find m over n, and that measures time; nil
// for another one.
func (r *Report) Advice() *Advice {
	if r.advice == nil {
		r.advice = r.newAdvice()
	}
	return r.advice
}

func (r *Report) newAdvice() *Advice {
	spec := r.Run.Spec
	other := func(t configs.Target) bool { return t.Find.Value != "m" || t.Over.Value != "n" || len(t.By()) > 0 }
	_, timed := r.Run.Catalog.Metrics["time_total"]
	if len(r.Answers) == 0 || !timed || slices.ContainsFunc(spec.Targets, other) || len(spec.Datasets) != 1 || spec.Datasets[0].Use.Value != "csv" {
		return nil
	}
	file := spec.Datasets[0]
	a := &Advice{
		Points: int(r.Run.Catalog.Constants(file.ID)["N"]), Statement: spec.Targets[0],
		Scaled: file.Params.Text("standardize") == "true", Classes: file.Params.Text("response") == "",
	}
	a.Columns = columns("Method", ">Needed", ">Error", ">Within", ">Time", ">Memory")
	if spec.Targets[0].SuchThat.Ratio != nil {
		a.Columns[2].Head.Text = "Ratio"
	}
	a.setKernel(r.Run)

	var known, others []Advised
	for _, t := range spec.Targets {
		own := lists.Where(r.Answers, func(answer claims.Answer) bool { return answer.Target == t.ID })
		slices.SortStableFunc(own, func(x, y claims.Answer) int { return cmp.Compare(x.At, y.At) })
		for _, answer := range own {
			a.Open = a.Open || answer.Open
		}
		if byKernel := lists.By(own, func(answer claims.Answer) string { return answer.Group.Text("kernel") }); len(byKernel) > 1 {
			for _, answers := range byKernel {
				a.Bandwidths = append(a.Bandwidths, answers[len(answers)-1])
			}
			continue
		}
		at := int(own[len(own)-1].At)
		a.Sample = max(a.Sample, at)
		switch advised := r.advise(a, t, own); {
		case at == a.Sample && advised.Components > 0:
			known = append(known, advised)
		case at == a.Sample:
			others = append(others, advised)
		case advised.Components > 0:
			a.Unknown = append(a.Unknown, fmt.Sprintf("%s: the time at n = %d is not compared with those at n = %d", advised.Label, at, a.Sample))
		}
	}
	ofAll := lists.Where(known, func(k Advised) bool { return k.At == a.Points })
	if len(ofAll) > 0 {
		known = ofAll
	}
	if len(known) > 0 {
		least := slices.Min(lists.Map(known, func(k Advised) float64 { return k.enough }))
		best := known[slices.IndexFunc(known, func(k Advised) bool { return k.enough <= little*least })]
		a.Best = &best
		for _, k := range slices.Concat(known, others) {
			if k.Label == best.Label {
				continue
			}
			if k.tooFew > 0 && k.tooFew <= best.enough {
				a.Tied = append(a.Tied, k.Label)
			}
			if k.Landmarks == "uniform" && k.Components > 0 {
				a.Plain = &k
			}
		}
	}
	return a
}

// setKernel says how scikit-learn has the first kernel, and which sizes the methods have.
func (a *Advice) setKernel(run results.Run) {
	at := slices.IndexFunc(run.Rows, func(row results.Row) bool { return row.Kernel() == run.Spec.Kernels[0].ID && row.Population != "" })
	if at < 0 {
		return
	}
	row := run.Rows[at]
	a.Ell, a.K = sizeOf(row.At, "ell"), sizeOf(row.At, "k")

	text := run.Catalog.Populations[row.Population].Kernel
	if found := gaussian.FindStringSubmatch(text); found != nil {
		a.Kernel, a.Gamma = "rbf", short(found[1])
	}
	if found := laplace.FindStringSubmatch(text); found != nil {
		sigma, _ := strconv.ParseFloat(found[1], 64)
		a.Kernel, a.Gamma = "laplacian", plain.Six(1/sigma)
	}
}

// sizeOf is a size at a key; "" where it has none.
func sizeOf(at results.Key, name string) string {
	if v, has := at.Number(name); has {
		return plain.Six(v)
	}
	return ""
}

// advise adds the row of a method by its answers for one kernel, over n.
func (r *Report) advise(a *Advice, t configs.Target, answers []claims.Answer) Advised {
	last := answers[len(answers)-1]
	id, methods := t.Methods()[0], r.Run.Spec.Methods
	method := methods[slices.IndexFunc(methods, func(c configs.Component) bool { return c.ID == id })]
	advised := Advised{Label: r.Names.Value(results.Key{}.With("method", configs.TextOf(id)), "method")}
	ridge, _ := strconv.ParseFloat(method.Params.Text("ridge"), 64)
	if method.Params.Text("features") == "" {
		advised.Landmarks = cmp.Or(method.Params.Text("landmarks"), "uniform")
	}

	needs := last
	if int(last.At) < a.Points {
		beyond, err := claims.Extrapolate(answers, float64(a.Points))
		switch {
		case err == nil:
			needs = beyond
		case last.Holds != nil:
			a.Unknown = append(a.Unknown, advised.Label+": "+err.Error())
			needs.Holds = nil
		}
	}
	text := needs.Interval()
	if needs.Holds == nil && needs.At < float64(a.Points) {
		text = last.Interval() + ", n = " + plain.Six(last.At)
	}
	row := Row(advised.Label, strings.ReplaceAll(text, "<=", "≤"), "", "", "", "")
	if shown := cmp.Or(last.Holds, last.Fails); shown != nil {
		at := func(m float64) results.Key {
			return last.Group.With("method", configs.TextOf(id)).With("n", configs.NumberOf(last.At)).With("m", configs.NumberOf(m))
		}
		advised.enough = r.seconds(at(*shown))
		advised.tooFew = r.seconds(at(*cmp.Or(last.Fails, shown)))
		row = append(row[:2], r.costs(advised.enough, t, at(*shown))...)
	}
	a.Rows = append(a.Rows, row)
	if last.Holds != nil && advised.enough > 0 {
		advised.At, advised.Components = a.Points, int(math.Ceil(*cmp.Or(needs.Holds, last.Holds)))
		if needs.Holds == nil {
			advised.At = int(last.At)
		}
		advised.Alpha = ridge * float64(a.Points)
	}
	return advised
}

// cell is the cell of the run that has the columns of a key; one without rows where there is none.
func (r *Report) cell(at results.Key) results.Group {
	for _, c := range r.cells() {
		if c.At.Only(at.Names()...) == at {
			return c
		}
	}
	return results.Group{At: at}
}

// seconds are the median of those of a fit and of embedding the sample, which a draw that waited
// for another program does not move; 0 where none is measured.
func (r *Report) seconds(at results.Key) float64 {
	times := cellOf(r.cell(at), func(row *results.Row) (float64, bool) {
		fit, ok := ofMetric("time_total")(row)
		return fit + row.Metrics["time_transform"], ok
	}).inOrder()
	if len(times) == 0 {
		return 0
	}
	return results.Median(times)
}

// costs are the error and the costs of a method at a place, as cells of a table. Of a ratio the
// error is that to the method below the line, repeat by repeat.
func (r *Report) costs(seconds float64, t configs.Target, at results.Key) []Cell {
	rows := r.cell(at)
	claim := t.Claim()
	_, kind := claim.Kind()
	inside := inside(claim)
	metric := kind.Quantity().Text
	errors := cellOf(rows, ofMetric(metric))
	if claim.Ratio != nil {
		exact := cellOf(r.cell(at.Without("m").With("method", configs.TextOf(claim.Ratio.To.Value))), ofMetric(metric))
		for repeat, v := range errors.values {
			if below, has := exact.values[repeat]; has && below > 0 {
				errors.values[repeat] = v / below
			} else {
				delete(errors.values, repeat)
			}
		}
	}
	if len(errors.values) == 0 || seconds == 0 {
		return Row("", "", "", "")
	}
	good := lists.Where(errors.inOrder(), inside)
	memory, unit := "", r.Run.Catalog.Metrics["model_size"].Unit
	if m := cellOf(rows, ofMetric("model_size")).inOrder(); len(m) > 0 {
		memory = plain.Six(format.RoundedTo(stat.Mean(m, nil)/1e6, 3)) + " M" + unit
	}
	return Row(plain.Six(format.RoundedTo(stat.Mean(errors.inOrder(), nil), 3)), fmt.Sprintf("%d of %d", len(good), len(errors.values)), plain.Six(format.RoundedTo(seconds, 2))+" s", memory)
}

// inside says which values a target's statement allows.
func inside(c configs.Claim) func(float64) bool {
	var most, least *configs.Value
	if c.Ratio != nil {
		most, least = c.Ratio.AtMost, c.Ratio.AtLeast
	} else {
		most, least = c.Value.AtMost, c.Value.AtLeast
	}
	limit, err := results.Constants{}.Eval(cmp.Or(most, least))
	return func(v float64) bool { return err == nil && (most != nil && v <= limit || least != nil && v >= limit) }
}
