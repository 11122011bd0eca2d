package runner

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/methods"
	"mercer/results"
	"mercer/runner/plan"
)

// points reads the points of a task's cells off its model.
func (w *groupState) points(ctx context.Context, t *task, model methods.Model) (all []rowPoints, err error) {
	defer recovered(&err)
	for i, c := range t.cells {
		if !c.Shows(w.repeat) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, labels := w.shown(t.fit)
		n, _ := x.Dims()
		k := rowPoints{id: t.rows[i].ID, points: results.Points{Input: pairsOf(x)}}
		z, err := methods.Coordinates(ctx, model, x, 2)
		if err != nil {
			return nil, err
		}
		if z != nil {
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
func (w *groupState) shown(f *plan.Fit) (*mat.Dense, []int) {
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
	s := w.sample(f)
	n, dim := s.x.Dims()
	return s.x.Slice(0, min(n, results.MaxPoints), 0, dim).(*mat.Dense), s.labels
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
