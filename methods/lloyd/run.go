package lloyd

// run is one start under way.
type run struct {
	*points
	k       int
	labels  []int // −1 before the first assignment
	now     *centres
	sums    *sums
	bounds  *bounds
	scratch []*scratch
	result  Result
}

func newRun(p *points, k int, o Options) *run {
	r := &run{points: p, k: k, labels: make([]int, p.n), now: newCentres(k, p.d), sums: newSums(p.grid, k, p.d)}
	for i := range r.labels {
		r.labels[i] = -1
	}
	r.bounds = newBounds(o.Bounds, p, k)
	r.scratch = make([]*scratch, workers(r.chunks()))
	for w := range r.scratch {
		r.scratch[w] = newScratch(p, k)
	}
	return r
}
