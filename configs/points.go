package configs

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"mercer/internal/lists"
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
	for _, factor := range g.Factors {
		count *= float64(len(factor[0].Values))
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
	texts  map[string][]string // of each text variable, what its values stand for
	values []float64           // those of a point one after another, 8 bytes each
}

// Len is the number of points.
func (p *Points) Len() int {
	if p == nil || len(p.names) == 0 {
		return 0
	}
	return len(p.values) / len(p.names)
}

// At is a copy of point i.
func (p *Points) At(i int) Env {
	point := make(Env, len(p.names))
	for k, name := range p.names {
		x := p.values[i*len(p.names)+k]
		if texts := p.texts[name]; texts != nil {
			point[name] = TextOf(texts[int(x)])
		} else {
			point[name] = NumberOf(x)
		}
	}
	return point
}

// Project groups the points by the values of some of the variables: of[i] is the group of
// point i, and first[g] the first point of group g. Names that are no variables do not matter.
func (p *Points) Project(names []string) (of []int32, first []int) {
	var columns []int
	for k, name := range p.names {
		if slices.Contains(names, name) {
			columns = append(columns, k)
		}
	}
	groups := map[string]int32{}
	of = make([]int32, p.Len())
	for i := range of {
		key := keyOf(lists.Map(columns, func(k int) float64 { return p.values[i*len(p.names)+k] }))
		g, known := groups[key]
		if !known {
			g, first = int32(len(first)), append(first, i)
			groups[key] = g
		}
		of[i] = g
	}
	return of, first
}

// keyOf is a text that is equal for equal numbers.
func keyOf(values []float64) string {
	key := make([]byte, 0, 8*len(values))
	for _, x := range values {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	return string(key)
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
	return g.PointsOf(nil, func(Env) (map[string]float64, error) { return constants, nil })
}

// PointsOf is Points for a data set whose parameters use grid variables, and whose constants
// may therefore depend on them: constants is called once for each distinct set of values of the
// variables uses, with these values. What uses depend on cannot depend on constants. Points at
// which they are a Problem are left out; beside the error stand the others.
func (g Grid) PointsOf(uses []string, constants func(Env) (map[string]float64, error)) (*Points, error) {
	if err := g.checkSize(); err != nil {
		return nil, err
	}
	order, early, err := g.order(uses)
	if err != nil {
		return nil, err
	}
	e := &expansion{Points: Points{names: g.Names(), texts: map[string][]string{}}, grid: g, early: early,
		uses: uses, constants: constants, known: map[string]Env{}, seen: map[string]bool{}, wrong: map[Value]bool{}}
	for _, name := range order {
		e.slots = append(e.slots, e.slot(name))
	}
	for _, s := range e.slots[:early] {
		for _, v := range s.expressions() {
			e.problems.Add(v.Check(e.names))
		}
	}
	choice := make([]int, len(g.Factors))
	for more := len(e.problems) == 0; more; more = e.advance(choice) {
		if err := e.visit(choice); err != nil {
			return nil, err
		}
	}
	if len(e.problems) == 0 && len(e.values) == 0 {
		e.problems.Add(Errorf(g.Pos, "every point of the grid is skipped; loosen skip or change the values"))
	}
	return &Points{e.names, e.texts, slices.Clone(e.values)}, e.problems.Err()
}

// expansion is a grid whose points are being listed.
type expansion struct {
	Points
	grid      Grid
	slots     []slot // each after those it depends on
	early     int    // how many of them come before the constants
	uses      []string
	constants func(Env) (map[string]float64, error)
	known     map[string]Env // the constants, by the values of uses
	seen      map[string]bool
	wrong     map[Value]bool // values that are no sizes
	problems  Problems
}

// slot is a variable and the factor with which it moves.
type slot struct {
	Variable
	factor int
}

func (e *expansion) slot(name string) slot {
	for i, factor := range e.grid.Factors {
		for _, v := range factor {
			if v.Name == name {
				return slot{v, i}
			}
		}
	}
	panic("configs: the grid has no variable " + name)
}

// advance steps the choice like an odometer; false after the last one.
func (e *expansion) advance(choice []int) bool {
	for i := len(choice) - 1; i >= 0; i-- {
		choice[i]++
		if choice[i] < len(e.grid.Factors[i][0].Values) {
			return true
		}
		choice[i] = 0
	}
	return false
}

// visit evaluates one combination and keeps its point unless it is skipped,
// has been seen, or has a size that is none.
func (e *expansion) visit(choice []int) error {
	env := Env{}
	for i := range len(e.slots) + 1 {
		if i == e.early {
			constants, err := e.constantsAt(env)
			if constants == nil {
				return err
			}
			env = constants.With(env)
		}
		if i == len(e.slots) {
			break
		}
		s := e.slots[i]
		v := s.Values[choice[s.factor]]
		if s.Text {
			env[s.Name] = TextOf(v.Text)
			continue
		}
		x, err := v.eval(env)
		if err != nil {
			return err
		}
		if sizes.Is(s.Name) {
			x = nearWhole(x)
		}
		env[s.Name] = NumberOf(x)
	}
	for _, condition := range e.grid.Skip {
		if skipped, err := condition.Match(env); err != nil || skipped {
			return err
		}
	}
	good := true
	for _, s := range e.slots {
		v := s.Values[choice[s.factor]]
		if why := noSize(s.Name, v, env[s.Name].Number, env); why != "" {
			if !e.wrong[v] {
				e.problems.Add(Errorf(v.Pos, "%s", why))
			}
			good, e.wrong[v] = false, true
		}
	}
	if good {
		e.keep(env)
	}
	return nil
}

// constantsAt are the constants at the values of the early variables. All expressions are
// checked against the names of new ones. They are nil where they are an error, or a problem
// that is noted.
func (e *expansion) constantsAt(env Env) (Env, error) {
	at := Env{}
	for _, name := range e.uses {
		if value, variable := env[name]; variable {
			at[name] = value
		}
	}
	key := fmt.Sprint(at)
	if known, ok := e.known[key]; ok {
		return known, nil
	}
	values, err := e.constants(at)
	if HasPlace(err) {
		e.problems.Add(err)
		e.known[key] = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var p Problems
	for _, v := range e.grid.expressions() {
		p.Add(v.Check(union(e.names, Numbers(values).names())))
	}
	if len(p) > 0 {
		return nil, p.Err()
	}
	e.known[key] = Numbers(values)
	return e.known[key], nil
}

// keep adds a point unless an equal one is there.
func (e *expansion) keep(env Env) {
	point := make([]float64, len(e.names))
	for k, name := range e.names {
		value := env[name]
		point[k] = value.Number
		if value.Kind == Text {
			i := slices.Index(e.texts[name], value.Text)
			if i < 0 {
				i, e.texts[name] = len(e.texts[name]), append(e.texts[name], value.Text)
			}
			point[k] = float64(i)
		}
	}
	if key := keyOf(point); !e.seen[key] {
		e.seen[key] = true
		e.values = append(e.values, point...)
	}
}
