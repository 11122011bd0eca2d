package configs

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// Limits of a grid, before skip.
const (
	maxPoints = 1_000_000
	maxCoords = 10_000_000 // points times variables
)

// combinations is the number of points before equal ones are merged and skip is
// applied. A float64 does not overflow where an int does.
func (g Grid) combinations() float64 {
	count := 1.0
	for _, axis := range g.axes() {
		count *= float64(len(axis[0].Values))
	}
	return count
}

// checkSize refuses a grid that is too large to be expanded.
func (g Grid) checkSize() error {
	count, variables := g.combinations(), len(g.all())
	if count > maxPoints {
		return Errorf(g.Pos, "the grid has %s points, more than the limit of %d; use zip, fewer values, or several specs", plain.Number(count), maxPoints)
	}
	if count*float64(variables) > maxCoords {
		return Errorf(g.Pos, "the grid has %s points of %d variables, more than the limit of %d values in all; use fewer variables or values", plain.Number(count), variables, maxCoords)
	}
	return nil
}

// Points are points of a grid, each a value for every variable.
type Points struct {
	names  []string
	values []float64 // those of a point one after another, 8 bytes each
}

// Len is the number of points.
func (p *Points) Len() int {
	if p == nil || len(p.names) == 0 {
		return 0
	}
	return len(p.values) / len(p.names)
}

// At is a copy of point i.
func (p *Points) At(i int) map[string]float64 {
	point := make(map[string]float64, len(p.names))
	for k, name := range p.names {
		point[name] = p.values[i*len(p.names)+k]
	}
	return point
}

// Points lists the points of the grid, each a value for every variable:
// the product in the order written, the first variable slowest, without skipped
// points, equal points once (the first is kept). Expressions see all variables
// and the constants of a dataset; a grid variable hides a constant of the same
// name. Sizes are whole numbers from 1 on, n up to 2^53 and the others up to 1e9.
//
// The error is a Problems: an expression with an unknown name or a result that
// is not finite, a size that is not whole, more than a million points, no points at all.
//
// Cost: one evaluation an expression and point.
func (g Grid) Points(constants map[string]float64) (*Points, error) {
	e, err := newExpansion(g, constants)
	if err != nil {
		return nil, err
	}
	choice := make([]int, len(e.axes))
	for more := true; more; more = e.advance(choice) {
		if err := e.visit(choice, constants); err != nil {
			return nil, err
		}
	}
	if err := e.wrong.err(); err != nil {
		return nil, err
	}
	if len(e.values) == 0 {
		return nil, Errorf(g.Pos, "every point of the grid is skipped; loosen skip or change the values")
	}
	return &Points{names: e.names, values: slices.Clone(e.values)}, nil
}

// expansion is a grid made ready to list its points.
type expansion struct {
	axes   []Variables
	order  []slot // variables so that each comes after those it depends on
	skip   []Value
	seen   map[string]bool
	names  []string
	values []float64 // of the points so far
	wrong  sizeErrors
}

// slot is a variable and the axis on which it moves.
type slot struct {
	Variable
	axis int
}

// newExpansion takes a grid of a spec: decoding has seen to it that each axis has values,
// all its variables as many.
func newExpansion(g Grid, constants map[string]float64) (*expansion, error) {
	e := &expansion{axes: g.axes(), skip: g.Skip, names: g.Names(), seen: map[string]bool{}, wrong: sizeErrors{}}
	slots := map[string]slot{}
	for i, axis := range e.axes {
		for _, v := range axis {
			slots[v.Name] = slot{v, i}
		}
	}
	if err := g.checkSize(); err != nil {
		return nil, err
	}
	order, err := g.order()
	if err != nil {
		return nil, err
	}
	for _, name := range order {
		e.order = append(e.order, slots[name])
	}
	var p Problems
	known := slices.AppendSeq(g.Names(), maps.Keys(constants))
	for _, v := range g.expressions() {
		p.Add(v.Check(known))
	}
	return e, p.Err()
}

// advance steps the choice like an odometer; false after the last one.
func (e *expansion) advance(choice []int) bool {
	for i := len(choice) - 1; i >= 0; i-- {
		choice[i]++
		if choice[i] < len(e.axes[i][0].Values) {
			return true
		}
		choice[i] = 0
	}
	return false
}

// visit evaluates one combination and keeps its point unless it is skipped,
// has been seen, or has a size that is not whole.
func (e *expansion) visit(choice []int, constants map[string]float64) error {
	env := maps.Clone(constants)
	if env == nil {
		env = map[string]float64{}
	}
	for _, s := range e.order {
		x, err := s.Values[choice[s.axis]].Eval(env)
		if err != nil {
			return err
		}
		env[s.Name] = nearWhole(s.Name, x)
	}
	for _, condition := range e.skip {
		skipped, err := condition.EvalBool(env)
		if err != nil || skipped {
			return err
		}
	}
	good := true
	for _, s := range e.order {
		if x := env[s.Name]; sizes.Is(s.Name) && !isSize(s.Name, x) {
			e.wrong.add(s.Name, s.Values[choice[s.axis]], x, e.names, env)
			good = false
		}
	}
	if good {
		e.keep(env)
	}
	return nil
}

// keep adds a point unless an equal one is there.
func (e *expansion) keep(point map[string]float64) {
	key := make([]byte, 0, 16*len(e.names))
	for _, name := range e.names {
		key = strconv.AppendUint(key, math.Float64bits(point[name]), 36)
		key = append(key, ' ')
	}
	if !e.seen[string(key)] {
		e.seen[string(key)] = true
		for _, name := range e.names {
			e.values = append(e.values, point[name])
		}
	}
}

// sizeErrors collects, for each value, the first point where it is no size and
// the number of further ones.
type sizeErrors map[Value]*sizeError

type sizeError struct {
	msg  string
	more int
}

func (s sizeErrors) add(name string, v Value, x float64, names []string, point map[string]float64) {
	if seen, ok := s[v]; ok {
		seen.more++
		return
	}
	s[v] = &sizeError{msg: fmt.Sprintf("%s = %s is %s at %s; %s", name, v.Text, plain.Number(x), formatPoint(names, point), sizeAdvice(name, x))}
}

func (s sizeErrors) err() error {
	var p Problems
	for v, e := range s {
		if e.more > 0 {
			e.msg += fmt.Sprintf(" (and at %s)", plain.Count(e.more, "further point"))
		}
		p.Add(Errorf(v.Pos, "%s", e.msg))
	}
	return p.Err()
}
