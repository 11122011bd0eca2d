package lloyd

import "context"

// assign gives every point its nearest centre and brings the sums up to date.
// It returns how many labels changed.
func (r *run) assign(ctx context.Context) (changed int, err error) {
	err = r.eachChunk(ctx, len(r.scratch), func(worker, _, from, to int) {
		s := r.scratch[worker]
		s.open = s.open[:0]
		for i := from; i < to; i++ {
			if r.bounds == nil || r.labels[i] < 0 || !r.bounds.holds(i, r.labels[i]) {
				s.open = append(s.open, i)
			}
		}
		size := productRows(r.d, r.k)
		for at := 0; at < len(s.open); at += size {
			r.evaluate(s, at, min(len(s.open), at+size))
		}
		for j := range r.k {
			s.delta.add(j, r.points, s.gained[j], 1)
			s.delta.add(j, r.points, s.lost[j], -1)
			s.gained[j], s.lost[j] = s.gained[j][:0], s.lost[j][:0]
		}
	})
	r.result.Ties = 0
	for _, s := range r.scratch {
		if s.counts.changed > 0 {
			r.sums.absorb(s.delta)
		}
		changed += s.counts.changed
		r.result.Ties += s.counts.ties
		r.result.Evaluated += s.counts.evaluated
		s.counts = counts{}
	}
	return changed, err
}

// setLabel gives point i its label.
func (r *run) setLabel(s *scratch, i, label int) {
	old := r.labels[i]
	if old == label {
		return
	}
	s.counts.changed++
	r.labels[i] = label
	s.gained[label] = append(s.gained[label], i)
	if old >= 0 {
		s.lost[old] = append(s.lost[old], i)
	}
}

// evaluate finds the labels of the open points [from, to) by all coordinates.
func (r *run) evaluate(s *scratch, from, to int) {
	index := s.open[from:to]
	s.evaluate(r.points, r.now, index, func(place int, near nearest) {
		i := index[place]
		if near.tie {
			s.counts.ties++
		}
		r.setLabel(s, i, near.label)
		if r.bounds != nil {
			r.bounds.record(i, near.first+near.err, near.second-near.err)
		}
	})
	s.counts.evaluated += len(index)
}

// ownDistances are the squared distances of the points to their centres.
func (r *run) ownDistances(ctx context.Context) ([]float64, error) {
	out := make([]float64, r.n)
	err := r.eachChunk(ctx, len(r.scratch), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			out[i] = r.distance(i, r.now.row(r.labels[i]))
		}
	})
	return out, err
}

// cost is Σ_i ‖x_i − c_{label i}‖² by differences: sums of chunks, added in order.
func (p *points) cost(ctx context.Context, labels []int, c *centres) (float64, error) {
	parts := make([]float64, p.chunks())
	err := p.eachChunk(ctx, workers(len(parts)), func(_, chunk, from, to int) {
		for i := from; i < to; i++ {
			parts[chunk] += p.distance(i, c.row(labels[i]))
		}
	})
	total := 0.0
	for _, part := range parts {
		total += part
	}
	return total, err
}
