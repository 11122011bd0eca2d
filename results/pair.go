package results

import (
	"maps"
	"math"
	"slices"

	"mercer/configs"
	"mercer/internal/lists"
)

// Pair is two cells of different methods that stand beside each other.
type Pair struct {
	At          Key // the columns of both but the method
	Top, Bottom []*Row
}

// Pairs puts the cells of one method beside those of another, where they agree in every
// column that both have: a method that has no m stands beside every m. A size that the spec
// gives one of the two methods by itself (m: 2*ell) is no such column, unless it gives it the other
// too. At each place that the grid skips there is no pair.
func (r *Run) Pairs(rows []*Row, top, bottom string) []Pair {
	ignored := slices.Concat([]string{"method"}, r.sizesApart(top, bottom), r.sizesApart(bottom, top))

	cells := map[string][]Group{}
	for _, cell := range Cells(rows) {
		id := cell.Rows[0].Method()
		cells[id] = append(cells[id], cell)
	}
	places := lists.Map(cells[bottom], func(b Group) Key { return b.At.Without(ignored...) })
	meeters := Meeters(places)
	var pairs []Pair
	for _, a := range cells[top] {
		for _, i := range meeters(a.At.Without(ignored...)) {
			b := cells[bottom][i]
			if at := a.At.Without(r.OwnSizes(top)...).Join(b.At.Without(r.OwnSizes(bottom)...)); !r.Sized(a.At, at) || !r.Sized(b.At, at) {
				continue
			}
			at := a.At.Without("method").Join(places[i])
			if len(at.Names()) > max(len(a.At.Names()), len(b.At.Names()))-1 && r.Skips(at) {
				continue // neither cell has all columns, so that no row shows whether the point is skipped
			}
			pairs = append(pairs, Pair{at, a.Rows, b.Rows})
		}
	}
	return pairs
}

// OwnSizes are the sizes that the spec gives a method by itself (m: 2*ell), in place of the
// grid's.
func (r *Run) OwnSizes(method string) []string { return slices.Sorted(maps.Keys(r.sizesOf(method))) }

// sizesOf are these sizes with their expressions.
func (r *Run) sizesOf(method string) map[string]configs.Value {
	for _, m := range r.Spec.Methods {
		if m.ID == method {
			return m.Sizes
		}
	}
	return nil
}

// sizesApart are the sizes that a method has by itself and another not, or by another expression.
func (r *Run) sizesApart(method, other string) []string {
	own, others := r.sizesOf(method), r.sizesOf(other)
	return slices.DeleteFunc(r.OwnSizes(method), func(size string) bool {
		v, has := others[size]
		return has && v.Text == own[size].Text
	})
}

// Sized says whether the sizes that a method has by itself are those of a cell of it at a
// place: with m: 4*m its cell at m = 100 stands where the others have m = 25. True where they
// depend on what the place has not.
func (r *Run) Sized(cell, place Key) bool {
	own := r.sizesOf(cell.Text("method"))
	if len(own) == 0 {
		return true
	}
	env := map[string]float64{}
	maps.Copy(env, r.Catalog.Constants(cell.Text("dataset")))
	maps.Copy(env, numbersOf(place))
	for name, v := range own {
		if x, err := v.Eval(env); err == nil && math.Abs(x-cell.Get(name).Number) > 1e-9*x {
			return false
		}
	}
	return true
}

// Join has the columns of both keys; where they differ k's value.
func (k Key) Join(other Key) Key {
	for name, v := range other.All() {
		if k.Get(name).Kind == configs.None {
			k = k.With(name, v)
		}
	}
	return k
}

// Skips says whether the grid skips every point at a key.
func (r *Run) Skips(at Key) bool {
	if len(r.Spec.Grid.Skip) == 0 {
		return false
	}
	env := configs.Numbers(r.Catalog.Constants(at.Text("dataset")))
	for name, v := range at.All() {
		env[name] = v
	}
	return slices.ContainsFunc(r.Spec.Grid.Skip, func(f configs.Filter) bool {
		skipped, err := f.Match(env)
		return err == nil && skipped
	})
}

// ByRepeat are the rows of a cell by their repeat.
func ByRepeat(rows []*Row) map[int]*Row {
	of := make(map[int]*Row, len(rows))
	for _, row := range rows {
		of[row.Repeat] = row
	}
	return of
}
