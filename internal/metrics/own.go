package metrics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/lists"
	"mercer/methods"
	"mercer/methods/exec"
)

// Own is a measure that a program of the user's takes (docs/exec.md).
type Own struct {
	exec.Options
	Outputs map[string]OwnOutput `yaml:"outputs" required:"true" item:"output" doc:"the numbers that the program gives, by name, each with the values that are better, as in {alignment: more}, or with {better: …, label: …}"`
}

// OwnOutput is one of its numbers.
type OwnOutput struct {
	_      struct{} `word:"better"`
	Better string   `yaml:"better" json:"-" required:"true" enum:"less,more,none" doc:"which values speak for a method; none: it describes"`
	Label  string   `yaml:"label" json:"-" doc:"what figures and headings call it"`
}

var metricPattern = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// Validate says what is wrong with the parameters.
func (o *Own) Validate() error {
	if len(o.Outputs) == 0 {
		return errors.New("outputs: name a number")
	}
	for _, name := range o.Metrics() {
		if MeasureOf(name) != "" || !metricPattern.MatchString(name) {
			return fmt.Errorf("outputs: %q: take another name, of small letters, digits and underscores, that no metric has", name)
		}
	}
	return o.Check()
}

// Metrics are the names of its outputs.
func (o *Own) Metrics() []string { return slices.Sorted(maps.Keys(o.Outputs)) }

// Evaluate asks the program about a model that was fitted at some sizes, and gives its numbers
// with caveats. A number that it leaves out has no value. It costs what the model's values at all
// points do, and as much memory.
func (o *Own) Evaluate(ctx context.Context, t Truth, m methods.Model, s methods.Sizes) (Values, []string, error) {
	arrays := map[string]mat.Matrix{}
	err := errors.Join(
		addPart(ctx, arrays, "sample.", m, s.Ell, t.X, t.Labels, t.Counts),
		addPart(ctx, arrays, "held_out.", m, s.Ell, t.HeldOut, t.HeldOutLabels, t.Masses))
	for name, y := range map[string]*mat.Dense{"sample.responses.npy": t.SampleResponses, "held_out.responses.npy": t.Responses} {
		if y != nil {
			arrays[name] = y
		}
	}
	if err != nil {
		return nil, nil, err
	}

	form, _ := kernel.FormOf(t.Kernel) // empty of one that no other program can compute
	request := exec.Request{
		Call: "measure", Arrays: slices.Sorted(maps.Keys(arrays)), N: s.N,
		Fit: &exec.Fit{M: s.M, D: s.D, Ell: s.Ell, K: s.K, Kernel: form, Seed: t.Rows().Int32(), Threads: 1},
	}
	got, err := o.Call(ctx, request, arrays, "metrics")
	if err != nil {
		return nil, nil, err
	}
	values := Values{}
	for _, name := range o.Metrics() {
		if v := got.Metrics[name]; v != nil {
			values[name] = *v
		} else {
			got.Warnings = append(got.Warnings, "no value of "+name+": the program gave none")
		}
		delete(got.Metrics, name)
	}
	for name := range got.Metrics {
		return nil, nil, fmt.Errorf("answer: metrics: %q is not among the outputs that the spec names", name)
	}
	return values, got.Warnings, nil
}

// addPart adds points, of the sample or held out, and what a model answers at them.
func addPart(ctx context.Context, into map[string]mat.Matrix, part string, m methods.Model, ell int, x *mat.Dense, labels []int, weights []float64) error {
	if x == nil {
		return nil
	}
	into[part+"X.npy"] = x
	column := func(name string, values []float64) {
		if len(values) > 0 {
			into[part+name+".npy"] = mat.NewDense(len(values), 1, values)
		}
	}
	number := func(v int) float64 { return float64(v) }
	column("labels", lists.Map(labels, number))
	column("weights", weights)
	switch m := m.(type) {
	case *methods.Regression:
		y, err := m.Predict(ctx, x)
		if err != nil {
			return err
		}
		into[part+"predictions.npy"] = y
	case *methods.Clustering:
		clusters := m.Labels
		if part != "sample." {
			var err error
			if clusters, _, err = m.Assign(ctx, x); err != nil && !errors.Is(err, methods.ErrNoCenters) {
				return err
			}
		}
		column("clusters", lists.Map(clusters, number))
	}
	if ell == 0 {
		ell = math.MaxInt
	}
	z, err := methods.Coordinates(ctx, m, x, ell)
	if z != nil && err == nil {
		into[part+"coordinates.npy"] = z
	}
	return err
}
