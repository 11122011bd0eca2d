package runner

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/plain"
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
		k := rowPoints{id: t.rows[i].ID, points: results.Points{Input: pairsOf(x)}}
		z, err := methods.Coordinates(ctx, model, x, 2)
		if err != nil {
			return nil, err
		}
		if z != nil {
			k.points.Image = pairsOf(z)
		}
		if labels != nil {
			k.points.Class = labels[:len(k.points.Input)]
		}
		for _, pair := range slices.Concat(k.points.Input, k.points.Image) {
			if !plain.Finite(pair[0]) || !plain.Finite(pair[1]) {
				return nil, errors.New("a coordinate of the points to be drawn is not finite")
			}
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

// pairsOf are the first two columns, to six digits; 0 where there is no second one.
func pairsOf(a *mat.Dense) [][2]float64 {
	n, d := a.Dims()
	pairs := make([][2]float64, n)
	for i := range n {
		for j := range min(d, 2) {
			pairs[i][j], _ = strconv.ParseFloat(strconv.FormatFloat(a.At(i, j), 'g', 6, 64), 64)
		}
	}
	return pairs
}
