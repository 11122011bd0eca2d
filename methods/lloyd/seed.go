package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
)

// trials is how many candidates are drawn for each centre.
func trials(init Init, k int) int {
	if init == GreedyPlusPlus {
		return 2 + int(math.Log(float64(k)))
	}
	return 1
}

// seeding is k-means++ under way.
type seeding struct {
	*points
	distance   []float64 // squared, to the nearest chosen point, rounded by coarse
	parts      []float64 // sums of distance over chunks
	chosen     []int
	candidates *centres
	next       [][]float64 // distance with each candidate
	scratch    []*scratch
}

// plusPlus chooses k points: the first uniformly, each other with probability
// proportional to its squared distance to the nearest chosen one. With more
// trials than 1, each is the best of as many such draws: the one that leaves
// the least sum of squared distances, of equals the first drawn. When all points
// coincide with chosen ones, the rest is drawn uniformly.
//
// Squared distances come from products, rounded to 27 bits; where the error of a
// product could change these bits, differences decide: the draws are the same
// whatever computes the products.
//
// Cost: a pass over x and 2nd·trials flops a centre.
func (p *points) plusPlus(ctx context.Context, k, trials int, rng *rand.Rand) ([]int, error) {
	s := newSeeding(p, trials)
	for len(s.chosen) < k {
		draws := trials
		if len(s.chosen) == 0 {
			draws = 1
		}
		candidates := make([]int, draws)
		for t := range candidates {
			candidates[t] = s.draw(rng)
		}
		if err := s.choose(ctx, candidates); err != nil {
			return nil, err
		}
	}
	return s.chosen, nil
}

func newSeeding(p *points, trials int) *seeding {
	s := &seeding{points: p, distance: make([]float64, p.n), parts: make([]float64, p.chunks())}
	for i := range s.distance {
		s.distance[i] = math.Inf(1)
	}
	s.next = make([][]float64, trials)
	for t := range s.next {
		s.next[t] = make([]float64, p.n)
	}
	s.scratch = make([]*scratch, workers(len(s.parts)))
	for w := range s.scratch {
		s.scratch[w] = newScratch(p, trials)
	}
	return s
}

// draw returns a point drawn by squared distance.
func (s *seeding) draw(rng *rand.Rand) int {
	if len(s.chosen) == 0 {
		return rng.IntN(s.n)
	}
	return drawByWeight(s.distance, s.parts, s.chunkRows(), rng)
}

// drawByWeight returns an index drawn by weight; parts are the sums of the
// weights over runs of the given size. If all are 0, the draw is uniform.
func drawByWeight(weights, parts []float64, size int, rng *rand.Rand) int {
	total := 0.0
	for _, part := range parts {
		total += part
	}
	if total == 0 {
		return rng.IntN(len(weights))
	}
	left := rng.Float64() * total
	last := -1
	for run, part := range parts {
		if left >= part && run < len(parts)-1 {
			left -= part
			continue
		}
		for i := run * size; i < min(len(weights), (run+1)*size); i++ {
			if weights[i] == 0 {
				continue
			}
			last = i
			if left < weights[i] {
				return i
			}
			left -= weights[i]
		}
		break // only rounding leaves anything: the last with weight
	}
	for i := len(weights) - 1; last < 0; i-- {
		if weights[i] > 0 {
			last = i
		}
	}
	return last
}

// choose takes the best candidate.
func (s *seeding) choose(ctx context.Context, candidates []int) error {
	s.candidates = newCentres(len(candidates), s.d)
	parts := make([][]float64, len(candidates))
	for t, candidate := range candidates {
		s.copyRow(s.candidates.row(t), candidate)
		parts[t] = make([]float64, len(s.parts))
	}
	s.candidates.shift(s.points)
	err := s.eachChunk(ctx, len(s.scratch), func(worker, chunk, from, to int) {
		s.measure(s.scratch[worker], candidates, from, to)
		for t := range candidates {
			for _, v := range s.next[t][from:to] {
				parts[t][chunk] += v
			}
		}
	})
	best, least := 0, math.Inf(1)
	for t := range candidates {
		if after := sum(parts[t]); after < least {
			best, least = t, after
		}
	}
	s.distance, s.next[best], s.parts = s.next[best], s.distance, parts[best]
	s.chosen = append(s.chosen, candidates[best])
	return err
}

// measure finds the distances of the points [from, to) with each candidate.
func (s *seeding) measure(w *scratch, candidates []int, from, to int) {
	w.open = w.open[:0]
	for i := from; i < to; i++ {
		w.open = append(w.open, i)
	}
	size := productRows(s.d, len(s.next))
	for at := 0; at < len(w.open); at += size {
		index := w.open[at:min(len(w.open), at+size)]
		if s.d >= leastColumns {
			w.products(s.points, s.candidates, index)
		}
		for place, i := range index {
			for t := range candidates {
				value := -1.0
				if s.d >= leastColumns {
					value = s.fromProduct(i, t, w.distance[place*len(candidates)+t])
				}
				if value < 0 {
					value = coarse(s.points.distance(i, s.candidates.row(t)))
				}
				s.next[t][i] = min(s.distance[i], value)
			}
		}
	}
}

// fromProduct is the squared distance of point i to a candidate as coarse would
// round that by differences, −1 if the product cannot tell.
func (s *seeding) fromProduct(i, candidate int, product float64) float64 {
	value := s.norm2[i] + s.candidates.offset[candidate] - 2*product
	err := slack(s.d) * s.reach2(i, s.candidates)
	low := coarse(value - err)
	if value <= err || low != coarse(value+err) {
		return -1
	}
	return low
}

// coarse rounds to 27 bits.
func coarse(v float64) float64 {
	return math.Float64frombits((math.Float64bits(v) + 1<<25) &^ (1<<26 - 1))
}
