package data

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"mercer/data/files"
	"mercer/internal/kernel"
	"mercer/internal/plain"
)

// TableOptions are common to all data sets that are a table of points.
type TableOptions struct {
	Standardize bool             `yaml:"standardize" doc:"subtract from every coordinate, and from the response, its mean and divide by its standard deviation, over all points (over the training part, if there is a test part); a coordinate that is constant there becomes 0, in the test part too"`
	Sample      string           `yaml:"sample" enum:"random,first,with_replacement" doc:"random (default): without replacement, drawn in each repeat; first: the first n points; with_replacement: independent draws, of which only is kept how often each point occurs, so that n may be up to 2^53 at the cost of one sample of all points"`
	Split       *SplitOptions    `yaml:"split" doc:"divide the points in each repeat into a training part, which samples are drawn from, and a test part, the population of the errors: {mask: file.csv}, {test: 0.1} or {folds: 10}. N in expressions is the least number of training points"`
	Population  PopulationOption `yaml:"population" doc:"population of the errors: self (all points), test (the test part), {held_out: N} (N points held out in each repeat) or none (default); with held_out, floors and eigenvalues are those of the N points: the floor is lower than that of their law, 0 from ell = N on"`
}

// Validate checks the split.
func (o TableOptions) Validate() error {
	switch {
	case o.Split != nil && o.Population.Kind != "none":
		return errors.New("population: the test part of a split is the population of the errors; leave out one of population and split")
	case o.Split != nil && o.Sample == withReplacement:
		return errors.New("sample: with_replacement takes no split; take population: {held_out: N}")
	}
	return o.Split.check()
}

// Traits follow split, population and sample.
func (o TableOptions) Traits() Traits {
	t := o.Population.traits()
	if o.Split != nil {
		t.Population, t.HeldOut = true, true
		t.Fixed = o.Sample == "first" && o.Split.Column != nil
		return t
	}
	t.Fixed, t.Counts = o.Sample == "first", o.Sample == withReplacement
	return t
}

func defaultTableOptions() TableOptions {
	return TableOptions{Sample: "random", Population: PopulationOption{Kind: "none"}}
}

// tableDataset draws from a table of points.
type tableDataset struct {
	about
	name    string
	train   files.Table
	test    files.Table
	options TableOptions
	unit    float64 // of the responses, see Responses

	all    func() *mat.Dense // the points, in memory
	fixed  files.Table       // the population that all repeats share; empty for none
	shared func() *mat.Dense // its points

	mu          sync.Mutex
	populations map[string]*empiricalPopulation // the fixed one, by kernel and rank
}

func newTableDataset(name, hash string, train, test files.Table, options TableOptions, c Context) (Dataset, error) {
	unit := 1.0
	if options.Standardize {
		var constant int
		var err error
		if train, test, constant, err = standardize(c.context(), train, test); err == nil {
			unit, err = standardizeResponses(c.context(), &train, &test)
		}
		if err != nil {
			return nil, err
		}
		hash += " standardized"
		name += ", standardized"
		if constant > 0 {
			hash += fmt.Sprintf(", %d constant", constant) // which earlier versions may have scaled
			name += fmt.Sprintf(", %s set to 0", plain.Count(constant, "constant column"))
		}
	}
	d := &tableDataset{about: about{hash: hash, kernel: c.kernel}, name: name, train: train, test: test, options: options, unit: unit, populations: map[string]*empiricalPopulation{}}
	if c.kernel == nil {
		d.distances = &poolDistances{pool: train.X, streams: c.Streams, ctx: c.context()}
	}
	switch {
	case options.Population.Kind == "test" && test.Len() == 0:
		return nil, errors.New("population: test, but this data set has no test part; take self or {held_out: N}")
	case options.Population.HeldOut >= train.Len():
		return nil, fmt.Errorf("population: {held_out: %d} leaves nothing to draw from %d points", options.Population.HeldOut, train.Len())
	}
	d.all = sync.OnceValue(train.Dense)
	switch options.Population.Kind {
	case "self":
		d.fixed, d.shared = train, d.all
	case "test":
		d.fixed, d.shared = test, sync.OnceValue(test.Dense)
	}
	return d, nil
}

func (d *tableDataset) Describe() string {
	text := fmt.Sprintf("%s, %d points in R^%d", d.name, d.train.Len(), d.train.Dim())
	if k := len(d.train.Classes); k > 0 {
		text += fmt.Sprintf(", %d classes", k)
	}
	if d.train.Responses != nil {
		text += ", with responses"
	}
	switch d.options.Population.Kind {
	case "self":
		text += "; population: these points"
	case "test":
		text += fmt.Sprintf("; population: its %d test points", d.test.Len())
	}
	return text + d.options.Population.describe("points held out")
}

func (d *tableDataset) Constants() map[string]float64 {
	constants := map[string]float64{"N": float64(d.train.Len() - d.options.Population.HeldOut), "D": float64(d.train.Dim())}
	if k := len(d.train.Classes); k > 0 {
		constants["classes"] = float64(k)
	}
	return constants
}

// Support is all points, the test part, or what each repeat holds out.
func (d *tableDataset) Support() Support {
	s := Support{Points: cmp.Or(d.fixed.Len(), d.options.Population.HeldOut), Shared: d.options.Population.HeldOut == 0 && d.options.Split == nil}
	s.Resampled = s.Points > 0 && d.options.Population.Kind != "self"
	if d.options.Sample == withReplacement {
		s.Atoms = d.train.Len() - d.options.Population.HeldOut
		s.Independent = d.options.Population.Kind == "self"
	}
	return s
}

// Unchanged fails where a file that the points are read from has changed.
func (d *tableDataset) Unchanged() error {
	return errors.Join(files.Unchanged(d.train.X), files.Unchanged(d.test.X))
}

// withReplacement is the value of sample that draws counts.
const withReplacement = "with_replacement"

// Draw fixes one repeat's order of the points.
func (d *tableDataset) Draw(streams Streams) (Draw, error) {
	n, held := d.train.Len(), d.options.Population.HeldOut
	draw := &tableDraw{dataset: d, order: make([]int, n)}
	for i := range draw.order {
		draw.order[i] = i
	}
	if d.options.Sample == "random" || d.options.Sample == withReplacement && held > 0 {
		draw.order = streams.rand("sample").Perm(n)
	}
	draw.order, draw.held = draw.order[:n-held], draw.order[n-held:]
	if d.options.Sample == withReplacement {
		return d.counted(draw, streams), nil
	}
	return draw, nil
}

// counted draws counts of the points that are not held out.
func (d *tableDataset) counted(draw *tableDraw, streams Streams) Draw {
	c := &Counts{sequence: nested{streams, slices.Repeat([]float64{1}, len(draw.order))}}
	if len(draw.held) > 0 {
		table := d.train.Take(draw.order)
		c.Atoms, c.Labels = table.Dense(), table.Labels
	} else {
		c.Atoms, c.Labels = d.all(), d.train.Labels
	}
	return countedTable{countedDraw{c}, draw}
}

// countedTable is a repeat whose samples are counts.
type countedTable struct {
	countedDraw
	table *tableDraw
}

func (d countedTable) Population(k kernel.Kernel, rank int) (Population, error) {
	return d.table.Population(k, rank)
}

func (d countedTable) HeldOut() (*mat.Dense, []int) { return d.table.HeldOut() }

// Responses are those of the first n atoms.
func (d countedTable) Responses(n int) Responses { return d.table.Responses(n) }

type tableDraw struct {
	dataset *tableDataset
	order   []int      // rows of the table that samples take, in order
	held    []int      // rows held out
	points  *mat.Dense // held out; nil before they are asked for
}

func (*tableDraw) Counted() *Counts { return nil }

func (d *tableDraw) HeldOut() (*mat.Dense, []int) {
	table := d.heldOut()
	switch {
	case table.Len() == 0:
		return nil, nil
	case d.dataset.fixed.Len() > 0:
		return d.dataset.shared(), table.Labels
	}
	if d.points == nil {
		d.points = table.Dense()
	}
	return d.points, table.Labels
}

// heldOut are the points of the population; none where there is none.
func (d *tableDraw) heldOut() files.Table {
	if d.dataset.fixed.Len() > 0 {
		return d.dataset.fixed
	}
	return d.dataset.train.Take(d.held)
}

// Responses are those of the table.
func (d *tableDraw) Responses(n int) Responses {
	if d.dataset.train.Responses == nil {
		return Responses{}
	}
	y := Responses{Unit: d.dataset.unit, Sample: column(d.dataset.train.Take(d.order[:n]).Responses)}
	if held := d.heldOut(); held.Responses != nil && held.Len() > 0 {
		y.HeldOut = column(held.Responses)
	}
	return y
}

// column is a list as a matrix of one column.
func column(y []float64) *mat.Dense { return mat.NewDense(len(y), 1, y) }

func (d *tableDraw) Sample(n int) (*mat.Dense, []int, error) {
	table, err := d.first(n)
	if err != nil {
		return nil, nil, err
	}
	return table.Dense(), table.Labels, nil
}

func (d *tableDraw) Rows(n int) (Rows, []int, error) {
	table, err := d.first(n)
	return table.X, table.Labels, err
}

func (d *tableDraw) first(n int) (files.Table, error) {
	if n > len(d.order) {
		return files.Table{}, fmt.Errorf("n = %d points asked for, %d to draw from", n, len(d.order))
	}
	return d.dataset.train.Take(d.order[:n]), nil
}

func (d *tableDraw) Population(k kernel.Kernel, rank int) (Population, error) {
	if d.dataset.fixed.Len() > 0 {
		return d.dataset.fixedPopulation(k, rank), nil
	}
	points, _ := d.HeldOut()
	return populationOf(points, k, rank), nil
}

// fixedPopulation is the same for every repeat and computed once.
func (d *tableDataset) fixedPopulation(k kernel.Kernel, rank int) Population {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := fmt.Sprint(k, rank)
	if d.populations[key] == nil {
		d.populations[key] = newEmpiricalPopulation(d.shared(), k, rank)
	}
	return d.populations[key]
}

var tableConstants = []string{"N", "D", "classes"}
