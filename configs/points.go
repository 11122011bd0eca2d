package configs

import (
	"encoding/binary"
	"math"
	"slices"

	"mercer/internal/lists"
	"mercer/internal/plain"
	"mercer/internal/sizes"
)

// maxPoints is the most points of a grid, before skip.
const maxPoints = 1_000_000

// combinations is the number of points before equal ones are merged and skip is
// applied. A float64 does not overflow where an int does.
func (g Grid) combinations() float64 {
	count := 1.0
	for _, v := range g.Variables {
		count *= float64(len(v.Values))
	}
	return count
}

// checkSize refuses a grid that is too large to be expanded.
func (g Grid) checkSize() error {
	if count := g.combinations(); count > maxPoints {
		return Errorf(g.Pos, "the grid has %s points, more than the limit of %d; use fewer values, or several specs", plain.Number(count), maxPoints)
	}
	return nil
}

// Points are points of a grid, each a value for every variable.
type Points struct {
	names  []string
	values []Scalar // of one point after another
	sets   []int    // of each point
}

// Len is the number of points.
func (p *Points) Len() int {
	if p == nil {
		return 0
	}
	return len(p.sets)
}

// At is a copy of point i.
func (p *Points) At(i int) Env {
	point := make(Env, len(p.names))
	for k, name := range p.names {
		point[name] = p.values[i*len(p.names)+k]
	}
	return point
}

// Set says with which constants point i was computed: the first, the second … that there were.
func (p *Points) Set(i int) int { return p.sets[i] }

// keyOf is a text that is equal for equal values.
func keyOf(values []Scalar) string {
	var key []byte
	for _, v := range values {
		key = append(binary.LittleEndian.AppendUint64(key, math.Float64bits(v.Number)), v.Text...)
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
	err := g.checkSize()
	if err != nil {
		return nil, err
	}

	e := &expansion{grid: g, uses: uses, constants: constants,
		points: Points{names: g.Names()}, sets: map[string]*set{}, seen: map[string]bool{}, wrong: map[Value]bool{}}
	if e.early, err = g.order(uses); err != nil {
		return nil, err
	}
	if e.all, err = g.order(g.Names()); err != nil {
		return nil, err
	}

	for _, at := range e.early { // they know no constants
		for _, v := range at.expressions() {
			e.problems.Add(v.Check(e.points.names))
		}
	}
	if len(e.problems) > 0 {
		return nil, e.problems.Err()
	}

	for i := range int(g.combinations()) {
		if err := e.visit(g.choice(i)); err != nil {
			return nil, err
		}
	}
	if len(e.problems) == 0 && e.points.Len() == 0 {
		e.problems.Add(Errorf(g.Pos, "every point of the grid is skipped; loosen skip or change the values"))
	}
	return &e.points, e.problems.Err()
}

// choice is the value of each variable in the i-th combination: the last variable is fastest.
func (g Grid) choice(i int) []int {
	choice := make([]int, len(g.Variables))
	for k, v := range slices.Backward(g.Variables) {
		choice[k], i = i%len(v.Values), i/len(v.Values)
	}
	return choice
}

// expansion is a grid whose points are being listed.
type expansion struct {
	grid       Grid
	early, all []place // the variables that the constants depend on, and all, each after those it depends on
	uses       []string
	constants  func(Env) (map[string]float64, error)
	points     Points
	sets       map[string]*set // by the values of uses; nil where the constants are a problem
	found      int             // the number of sets with constants
	seen       map[string]bool
	wrong      map[Value]bool // values that are no sizes
	problems   Problems
}

// set are the points at which the variables uses have the same values.
type set struct {
	index     int
	constants Env
}

// visit evaluates one combination and keeps its point unless it is skipped,
// has been seen, or has a size that is none.
func (e *expansion) visit(choice []int) error {
	env := Env{}
	if err := evaluate(env, e.early, choice); err != nil {
		return err
	}
	set, err := e.setAt(env)
	if set == nil {
		return err
	}
	env = set.constants.With(env)
	if err := evaluate(env, e.all, choice); err != nil {
		return err
	}
	for _, condition := range e.grid.Skip {
		if skipped, err := condition.Match(env); err != nil || skipped {
			return err
		}
	}

	good := true
	for _, at := range e.all {
		v := at.Values[choice[at.index]]
		if err := checkSize(at.Name, v, env[at.Name].Number, env); err != nil {
			if !e.wrong[v] {
				e.problems.Add(err)
			}
			good, e.wrong[v] = false, true
		}
	}
	point := lists.Map(e.points.names, func(name string) Scalar { return env[name] })
	if key := keyOf(point); good && !e.seen[key] {
		e.seen[key] = true
		e.points.values, e.points.sets = append(e.points.values, point...), append(e.points.sets, set.index)
	}
	return nil
}

// evaluate adds the chosen values of variables to those of what they depend on.
func evaluate(env Env, variables []place, choice []int) error {
	for _, at := range variables {
		v := at.Values[choice[at.index]]
		if at.Text {
			env[at.Name] = TextOf(v.Text)
			continue
		}
		x, err := v.eval(env)
		if err != nil {
			return err
		}
		if sizes.Is(at.Name) {
			x = nearWhole(x)
		}
		env[at.Name] = NumberOf(x)
	}
	return nil
}

// setAt is the set at the values of the early variables. It is nil where the constants are an error, or a
// problem that is noted.
func (e *expansion) setAt(env Env) (*set, error) {
	var values []Scalar
	at := Env{}
	for _, name := range e.uses {
		if value, variable := env[name]; variable {
			at[name], values = value, append(values, value)
		}
	}
	key := keyOf(values)
	if known, ok := e.sets[key]; ok {
		return known, nil
	}

	constants, err := e.constants(at)
	if HasPlace(err) {
		e.problems.Add(err)
		e.sets[key] = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e.sets[key] = &set{e.found, Numbers(constants)}
	e.found++
	return e.sets[key], nil
}
