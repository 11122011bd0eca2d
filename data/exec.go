package data

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/methods/exec"
)

// ExecOptions are the parameters of a program that draws points.
type ExecOptions struct {
	exec.Options
	Dim        int              `yaml:"dim" required:"true" min:"1" doc:"coordinates of a point"`
	Classes    int              `yaml:"classes" min:"0" doc:"the program gives labels too, from 0 to classes - 1"`
	Response   bool             `yaml:"response" doc:"the program gives responses too"`
	Draws      int              `yaml:"draws" required:"true" min:"1" doc:"points that the program draws in each repeat; the sample of n is the first n of them"`
	Population PopulationOption `yaml:"population" doc:"population of the errors: {held_out: N} points drawn in each repeat, or none (default)"`
}

// Traits follow the population and what the program gives.
func (o *ExecOptions) Traits() Traits {
	t := o.Population.traits()
	t.Responses, t.Classes = o.Response, o.Classes > 1
	return t
}

// Validate checks the parameters.
func (o *ExecOptions) Validate() error {
	return cmp.Or(o.Population.drawn("a program draws points and has no fixed ones"), o.Check())
}

// Open runs nothing: the program is asked in each repeat. Bandwidth rules have no points to ask.
func (o *ExecOptions) Open(Context) (Dataset, error) {
	identity, err := json.Marshal(o)
	constants := map[string]float64{"D": float64(o.Dim)}
	if o.Classes > 0 {
		constants["classes"] = float64(o.Classes)
	}
	return execDataset{o, about{
		describe: fmt.Sprintf("exec %q, %d points in R^%d in each repeat, and %d held out", o.Command, o.Draws, o.Dim, o.Population.HeldOut),
		hash:     string(identity), constants: constants, support: Support{Points: o.Population.HeldOut},
	}}, err
}

type execDataset struct {
	options *ExecOptions
	about
}

// Draw asks for the points of a repeat.
func (d execDataset) Draw(streams Streams) (Draw, error) {
	draw := &execDraw{freshDraw: freshDraw{dataset: &freshDataset{about: d.about}}}
	var err error
	draw.x, draw.classes, draw.responses.Sample, err = d.ask(streams, sampled, d.options.Draws)
	if n := d.support.Points; err == nil && n > 0 {
		draw.held, draw.labels, draw.responses.HeldOut, err = d.ask(streams, heldOut, n)
	}
	draw.responses.Unit = 1
	return draw, err
}

// execDraw holds the points of a repeat.
type execDraw struct {
	freshDraw
	x         *mat.Dense
	classes   []int
	responses Responses
}

func (d *execDraw) Sample(n int) (*mat.Dense, []int, error) {
	draws, dim := d.x.Dims()
	if n > draws {
		return nil, nil, fmt.Errorf("n = %d points of a program that draws %d: raise draws", n, draws)
	}
	return d.x.Slice(0, n, 0, dim).(*mat.Dense), d.classes[:min(n, len(d.classes))], nil
}

func (d *execDraw) Rows(n int) (Rows, []int, error) {
	x, labels, err := d.Sample(n)
	return files.DensePool{X: x}, labels, err
}

func (d *execDraw) Responses(n int) Responses {
	r := d.responses
	if r.Sample != nil {
		r.Sample = r.Sample.Slice(0, n, 0, 1).(*mat.Dense)
	}
	return r
}

// ask has the program draw n points for a purpose, with their classes and responses.
func (d execDataset) ask(streams Streams, purpose string, n int) (x *mat.Dense, labels []int, y *mat.Dense, err error) {
	o := d.options
	takes := []string{"points"}
	if o.Classes > 0 {
		takes = append(takes, "labels")
	}
	if o.Response {
		takes = append(takes, "responses")
	}
	got, err := o.Call(context.Background(), exec.Request{
		Call: "data", Part: purpose, N: n, Dim: o.Dim, Fit: &exec.Fit{Seed: streams.rand(purpose).Int32(), Threads: 1},
	}, nil, takes...)
	var missing [3]error
	x, missing[0] = got.Array("points", n, o.Dim)
	if o.Classes > 0 {
		labels, missing[1] = got.Integers("labels", n, o.Classes)
	}
	if o.Response {
		y, missing[2] = got.Array("responses", n, 1)
	}
	if err = cmp.Or(err, errors.Join(missing[:]...)); err != nil {
		err = fmt.Errorf("%d points: %w", n, err)
	}
	return x, labels, y, err
}
