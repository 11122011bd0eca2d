package configs

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"mercer/internal/sizes"
)

// Limits of a grid, before skip.
const (
	maxPoints = 1_000_000
	maxCoords = 10_000_000 // points times variables
)

// all lists the variables in the order of the product: the first is slowest.
func (g Grid) all() []Variable {
	var all []Variable
	for _, axis := range g.axes() {
		all = append(all, axis...)
	}
	return all
}

// axes are the factors of the product in the order written: single variables,
// and zip groups whose variables advance together.
func (g Grid) axes() [][]Variable {
	var axes [][]Variable
	split := min(max(g.ZipAfter, 0), len(g.Vars))
	for _, v := range g.Vars[:split] {
		axes = append(axes, []Variable{v})
	}
	axes = append(axes, g.Zip...)
	for _, v := range g.Vars[split:] {
		axes = append(axes, []Variable{v})
	}
	return axes
}

// Names lists the grid variables in the order written.
func (g Grid) Names() []string {
	var names []string
	for _, v := range g.all() {
		names = append(names, v.Name)
	}
	return names
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

// Value is that of a variable at point i.
func (p *Points) Value(i int, name string) (float64, bool) {
	k := slices.Index(p.names, name)
	if k < 0 {
		return 0, false
	}
	return p.values[i*len(p.names)+k], true
}

// Points lists the points of the grid, each a value for every variable:
// the product in the order written, the first variable slowest, without skipped
// points, equal points once (the first is kept). Expressions see all variables
// and the constants of a dataset; a grid variable hides a constant of the same
// name. n, m, d and ell are whole numbers from 1 to 1e9.
//
// The error is a Problems: an expression with an unknown name or a result that
// is not finite, variables that depend on each other in a circle, a size that
// is not whole, more than a million points, no points at all.
//
// Cost: one evaluation an expression and point.
func (g Grid) Points(constants map[string]float64) (*Points, error) {
	e, err := newExpansion(g, slices.Sorted(maps.Keys(constants)))
	if err != nil {
		return nil, err
	}
	choice := make([]int, len(e.axes))
	for more := true; more; more = e.advance(choice) {
		if err := e.visit(choice, constants); err != nil {
			return nil, err
		}
	}
	if err := e.sizes.err(); err != nil {
		return nil, err
	}
	if len(e.values) == 0 {
		return nil, Errorf(g.Pos, "every point of the grid is skipped; loosen skip or change the values")
	}
	return &Points{names: e.names, values: slices.Clone(e.values)}, nil
}

// expansion is a grid made ready to list its points.
type expansion struct {
	axes   [][]Variable
	order  []slot // variables so that each comes after those it depends on
	skip   []*Expression
	seen   map[string]bool
	names  []string
	values []float64 // of the points so far
	sizes  sizeErrors
}

// slot is a variable with its compiled values.
type slot struct {
	name   string
	axis   int
	values []Value
	exprs  []*Expression // nil for plain numbers
}

func newExpansion(g Grid, constants []string) (*expansion, error) {
	e := &expansion{axes: g.axes(), names: g.Names(), seen: map[string]bool{}, sizes: sizeErrors{}}
	for _, axis := range e.axes {
		if len(axis) == 0 || len(axis[0].Values) == 0 {
			return nil, Errorf(g.Pos, "a grid variable has no values")
		}
		for _, v := range axis {
			if len(v.Values) != len(axis[0].Values) {
				return nil, Errorf(v.Pos, "zip group of different lengths: %s has %d values, %s has %d", axis[0].Name, len(axis[0].Values), v.Name, len(v.Values))
			}
		}
	}
	if err := g.checkSize(); err != nil {
		return nil, err
	}
	order, err := g.order()
	if err != nil {
		return nil, err
	}
	return e, e.compile(g, order, union(e.names, constants))
}

// compile compiles all expressions of the grid and collects what is wrong.
func (e *expansion) compile(g Grid, order, known []string) error {
	var p Problems
	slots := map[string]slot{}
	for i, axis := range e.axes {
		for _, v := range axis {
			s := slot{name: v.Name, axis: i, values: v.Values, exprs: make([]*Expression, len(v.Values))}
			for k, value := range v.Values {
				if _, plain := value.Number(); plain {
					continue
				}
				compiled, err := Compile(value, known)
				p.Add(err)
				s.exprs[k] = compiled
			}
			slots[v.Name] = s
		}
	}
	for _, name := range order {
		e.order = append(e.order, slots[name])
	}
	for _, condition := range g.Skip {
		compiled, err := CompileBool(condition, known)
		p.Add(err)
		e.skip = append(e.skip, compiled)
	}
	return p.Err()
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
		k := choice[s.axis]
		x, plain := s.values[k].Number()
		if !plain {
			var err error
			if x, err = s.exprs[k].Eval(env); err != nil {
				return err
			}
		}
		env[s.name] = nearWhole(s.name, x)
	}
	for _, condition := range e.skip {
		skipped, err := condition.EvalBool(env)
		if err != nil || skipped {
			return err
		}
	}
	point := make(map[string]float64, len(e.names))
	for _, name := range e.names {
		point[name] = env[name]
	}
	if e.checkSizes(choice, point) {
		e.keep(point)
	}
	return nil
}

func (e *expansion) checkSizes(choice []int, point map[string]float64) bool {
	good := true
	for _, s := range e.order {
		if x := point[s.name]; sizes.Is(s.name) && !isSize(x) {
			e.sizes.add(s.name, s.values[choice[s.axis]], x, e.names, point)
			good = false
		}
	}
	return good
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

// nearWhole rounds a size that is whole but for rounding errors.
func nearWhole(name string, x float64) float64 {
	if r := math.Round(x); sizes.Is(name) && math.Abs(x-r) <= 1e-9*max(1, math.Abs(r)) {
		return r
	}
	return x
}

func isSize(x float64) bool { return x == math.Trunc(x) && x >= 1 && x <= maxSize }

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
	s[v] = &sizeError{msg: fmt.Sprintf("%s = %s is %s at %s; %s", name, v.Text, FormatNumber(x), formatPoint(names, point), sizeAdvice(x))}
}

func (s sizeErrors) err() error {
	var p Problems
	for v, e := range s {
		if e.more > 0 {
			e.msg += fmt.Sprintf(" (so also at %d further points)", e.more)
		}
		p.Add(Errorf(v.Pos, "%s", e.msg))
	}
	return p.Err()
}

func sizeAdvice(x float64) string {
	switch {
	case x < 1:
		return "a size is at least 1; use max(1, ...) or skip such points"
	case x > maxSize:
		return "a size is at most " + FormatNumber(maxSize)
	}
	return "a size is a whole number; use ceil, floor or round"
}

// formatPoint writes a point as n = 60, m = 20.
func formatPoint(names []string, point map[string]float64) string {
	parts := make([]string, len(names))
	for i, name := range names {
		parts[i] = name + " = " + FormatNumber(point[name])
	}
	return strings.Join(parts, ", ")
}

// union is the names of both lists, each once.
func union(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
