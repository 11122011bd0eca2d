package data

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/methods/exec"
)

// ExecOptions are the parameters of a program that draws points.
type ExecOptions struct {
	exec.Options
	Dim        int              `yaml:"dim" required:"true" min:"1" doc:"coordinates of a point"`
	Classes    int              `yaml:"classes" min:"0" doc:"the program gives labels too, from 0 to classes - 1"`
	Response   bool             `yaml:"response" doc:"the program gives responses too"`
	Draws      int              `yaml:"draws" min:"0" doc:"points that the program always draws, of which samples are the first ones; 0 (default) draws as many as are needed, and checks once a run that the first half of them are what it draws of half as many"`
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
	if k := o.Population.Kind; k == "self" || k == "test" {
		return fmt.Errorf("population: %s, but a program draws points and has no fixed ones; take {held_out: N}", k)
	}
	return o.Check()
}

// Open runs nothing: the program is asked in each repeat. Bandwidth rules have no points to ask.
func (o *ExecOptions) Open(Context) (Dataset, error) {
	identity, err := json.Marshal(o)
	constants, describe := map[string]float64{"D": float64(o.Dim)}, fmt.Sprintf("exec %q in R^%d", o.Command, o.Dim)
	if o.Population.Kind == "held_out" {
		describe += fmt.Sprintf("; population: %d points drawn in each repeat", o.Population.HeldOut)
	}
	if o.Classes > 0 {
		constants["classes"] = float64(o.Classes)
	}
	return &execDataset{options: o, about: about{
		describe: describe, hash: string(identity),
		constants: constants, support: Support{Points: o.Population.HeldOut},
	}}, err
}

type execDataset struct {
	about
	options *ExecOptions

	mu     sync.Mutex
	nested error // why samples are not the first points of larger ones
	known  bool  // whether they are
}

// Draw begins one repeat. Where the program fails, its draws panic with an exec.Failed.
func (d *execDataset) Draw(streams Streams) (Draw, error) {
	draw := &execDraw{responses: map[string]*mat.Dense{}}
	draw.freshDraw = freshDraw{streams: streams, dataset: &freshDataset{d.about, func(streams Streams, purpose string, n int) (Rows, []int) {
		x, labels, err := d.points(streams, purpose, n, draw.responses)
		if err != nil {
			panic(exec.Failed{Err: err})
		}
		return RowsOf(x), labels
	}}}
	return draw, nil
}

type execDraw struct {
	freshDraw
	responses map[string]*mat.Dense // by purpose, of all points drawn
}

// Responses are those that came with the points, which must have been drawn.
func (d *execDraw) Responses(n int) Responses {
	y := d.responses[sampled]
	if y == nil {
		return Responses{}
	}
	d.HeldOut()
	return Responses{y.Slice(0, n, 0, 1).(*mat.Dense), d.responses[heldOut], 1}
}

// points are the first n points of a purpose, with their classes; responses keeps their responses.
func (d *execDataset) points(streams Streams, purpose string, n int, responses map[string]*mat.Dense) (*mat.Dense, []int, error) {
	count := n
	if purpose == sampled && d.options.Draws > 0 {
		if count = d.options.Draws; n > count {
			return nil, nil, fmt.Errorf("n = %d points of a program that draws %d: raise draws", n, count)
		}
	}
	x, labels, y, err := d.ask(streams, purpose, count)
	if err == nil && purpose == sampled && d.options.Draws == 0 && n > 1 {
		err = d.checkNested(streams, x, labels, y)
	}
	if err != nil {
		return nil, nil, err
	}
	if y != nil {
		responses[purpose] = y
	}
	return x.Slice(0, n, 0, d.options.Dim).(*mat.Dense), labels[:min(n, len(labels))], nil
}

// checkNested asks for the first half of a sample, once.
func (d *execDataset) checkNested(streams Streams, x *mat.Dense, labels []int, y *mat.Dense) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known {
		return d.nested
	}
	all, _ := x.Dims()
	half := all / 2
	first, classes, values, err := d.ask(streams, sampled, half)
	if err != nil {
		return err
	}
	d.known = true
	if !mat.Equal(first, x.Slice(0, half, 0, d.options.Dim)) || !slices.Equal(classes, labels[:min(half, len(labels))]) || y != nil && !mat.Equal(values, y.Slice(0, half, 0, 1)) {
		d.nested = fmt.Errorf("the first %d of %d points are not those of a sample of %d: draw all of one point after another, or say with draws how many are drawn at once", half, all, half)
	}
	return d.nested
}

// ask has the program draw n points for a purpose.
func (d *execDataset) ask(streams Streams, purpose string, n int) (x *mat.Dense, labels []int, y *mat.Dense, err error) {
	o := d.options
	got, err := o.Call(context.Background(), exec.Request{
		Call: "data", Part: purpose, N: n, Dim: o.Dim, Fit: &exec.Fit{Seed: streams.rand(purpose).Int32(), Threads: 1},
	}, nil, "points", "labels", "responses")
	if err == nil {
		x, err = got.Array("points", n, o.Dim)
	}
	if err == nil && o.Classes > 0 {
		labels, err = got.Integers("labels", n, o.Classes)
	}
	if err == nil && o.Response {
		y, err = got.Array("responses", n, 1)
	}
	if err == nil && (o.Classes == 0 && got.Arrays["labels"] != nil || !o.Response && got.Arrays["responses"] != nil) {
		err = errors.New("answer: labels need the key classes, and responses response: true")
	}
	if err != nil {
		err = fmt.Errorf("%d points: %w", n, err)
	}
	return x, labels, y, err
}
