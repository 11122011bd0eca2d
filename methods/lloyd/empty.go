package lloyd

import "context"

// fill gives each empty cluster the point that is farthest from its own centre,
// of equals the lowest, and never the only one of its cluster. Points as near
// to one that was just given away count as near, so that equal points are not
// given twice. A cluster stays empty if no such point is left. It returns how
// many clusters were filled.
//
// Cost: nothing without empty clusters; else one pass over x for all and one
// for each.
func (r *run) fill(ctx context.Context) (filled int, err error) {
	var distance []float64
	for j := range r.k {
		if r.sums.count[j] > 0 {
			continue
		}
		if distance == nil {
			if distance, err = r.ownDistances(ctx); err != nil {
				return filled, err
			}
		}
		farthest := -1
		for i, v := range distance {
			if v > 0 && r.sums.count[r.labels[i]] > 1 && (farthest < 0 || v > distance[farthest]) {
				farthest = i
			}
		}
		if farthest < 0 {
			return filled, nil
		}
		r.sums.add(r.labels[farthest], r.points, []int{farthest}, -1)
		r.sums.add(j, r.points, []int{farthest}, 1)
		r.labels[farthest] = j
		if r.bounds != nil {
			r.bounds.forget(farthest)
		}
		filled++
		r.result.Reassigned++
		given := r.row(farthest, r.buffer())
		err = r.eachChunk(ctx, len(r.scratch), func(_, _, from, to int) {
			for i := from; i < to; i++ {
				distance[i] = min(distance[i], r.distance(i, given))
			}
		})
		if err != nil {
			return filled, err
		}
	}
	return filled, nil
}
