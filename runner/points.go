package runner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/configs"
	"mercer/methods"
	"mercer/results"
)

// maxScatter is how many results one scatter plot shows; more would be neither
// readable nor small.
const maxScatter = 24

// keepPoints marks the cells whose points a scatter plot of the spec shows: those
// that it picks, of the first repeat.
func (p *Plan) keepPoints() error {
	var problems configs.Problems
	for _, plot := range p.Spec.Plots {
		if plot.Kind != configs.PlotScatter {
			continue
		}
		shown := map[string]bool{} // cells that differ in what their method does not use are one
		for _, g := range p.Groups {
			for _, f := range g.Fits {
				if g.Repeat != 0 || f.Skip != nil {
					continue
				}
				for _, c := range f.Cells {
					if plot.Where.Match(map[string]string{"dataset": g.Dataset, "kernel": g.Kernel, "method": f.Method}, func(column string) (float64, bool) { return g.number(c, column) }) {
						if g.shown == nil {
							g.shown = map[int32]bool{}
						}
						g.shown[c.at] = true
						shown[fmt.Sprintf("%q %q %q %s", g.Dataset, g.Kernel, f.Method, p.work(f.Method, c))] = true
					}
				}
			}
		}
		if len(shown) > maxScatter {
			problems.Add(configs.Errorf(plot.Pos, "plot %q would show the points of %d results, more than %d; pick some under where", plot.ID, len(shown), maxScatter))
		}
	}
	return problems.Err()
}

// number is a cell's value in a numeric column, as claims select: that of the
// grid point, else a size that the method sets.
func (g *Group) number(c Cell, column string) (float64, bool) {
	if g.points != nil {
		if v, ok := g.points.Value(int(c.row), column); ok {
			return v, true
		}
	}
	size := c.Sizes.Get(column)
	return float64(size), size > 0
}

// kept are the points of one record, to be stored before it.
type kept struct {
	key    string
	points results.Points
}

// points reads the points of a task's cells off its model.
func (w *work) points(ctx context.Context, t *task, model methods.Model) (all []kept, err error) {
	defer recovered(&err)
	for i, c := range t.cells {
		if !w.group.Shows(c) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, labels := w.shown(t.fit)
		n, _ := x.Dims()
		k := kept{key: t.records[i].Key, points: results.Points{Input: pairsOf(x)}}
		if z := methods.Coordinates(model, x, 2); z != nil {
			k.points.Image = pairsOf(z)
		}
		if labels != nil {
			k.points.Class = labels[:n]
		}
		if clusters, ok := model.(*methods.Clustering); ok {
			k.points.Cluster = clusters.Labels[:n]
		}
		if !finitePairs(k.points.Input) || !finitePairs(k.points.Image) {
			return nil, errors.New("a coordinate of the points to be drawn is not finite")
		}
		all = append(all, k)
	}
	return all, nil
}

// shown are the points of a fit's sample that a figure can show, the first of it,
// and the sample's classes.
func (w *work) shown(f *Fit) (*mat.Dense, []int) {
	if f.Streams {
		x := mat.NewDense(min(f.Sizes.N, results.MaxPoints), w.rows.Dim(), nil)
		n, _ := x.Dims()
		idx := make([]int, n)
		for i := range idx {
			idx[i] = i
		}
		w.rows.Rows(idx, x)
		return x, w.rowLabels
	}
	x := w.first(max(1, f.Sizes.N))
	n, dim := x.Dims()
	return x.Slice(0, min(n, results.MaxPoints), 0, dim).(*mat.Dense), w.labels
}

// pairsOf are the first two columns; NaN where there is no second one.
func pairsOf(a *mat.Dense) [][2]float64 {
	n, d := a.Dims()
	pairs := make([][2]float64, n)
	for i := range n {
		pairs[i] = [2]float64{math.NaN(), math.NaN()}
		for j := range min(d, 2) {
			pairs[i][j] = a.At(i, j)
		}
	}
	return pairs
}

func finitePairs(pairs [][2]float64) bool {
	for _, p := range pairs {
		if math.IsNaN(p[0]) || math.IsInf(p[0], 0) || math.IsInf(p[1], 0) {
			return false
		}
	}
	return true
}
