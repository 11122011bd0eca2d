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
	norm       []float64 // ‖x_i − shift‖
	distance   []float64 // squared, to the nearest chosen point, rounded by coarse
	owner      []int32   // which chosen point that is
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
// whatever computes the products. A point is not touched where the triangle
// inequality, from its nearest chosen point or from the origin, shows that no
// candidate is nearer.
//
// Cost: a pass over x and 2nd·trials flops a centre at most.
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
	s := &seeding{points: p, norm: make([]float64, p.n), distance: make([]float64, p.n), owner: make([]int32, p.n), parts: make([]float64, p.chunks())}
	for i := range s.norm {
		s.norm[i] = math.Sqrt(p.norm2[i])
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
	gaps, x := make([][]float64, len(candidates)), s.buffer()
	for t, candidate := range candidates {
		s.copyRow(s.candidates.row(t), candidate)
		parts[t] = make([]float64, len(s.parts))
		for _, other := range s.chosen {
			gaps[t] = append(gaps[t], SquaredDistance(s.candidates.row(t), s.row(other, x)))
		}
	}
	s.candidates.shift(s.points)
	err := s.eachChunk(ctx, len(s.scratch), func(worker, chunk, from, to int) {
		s.measure(s.scratch[worker], candidates, gaps, from, to)
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
	number := int32(len(s.chosen))
	for i, value := range s.next[best] {
		if value < s.distance[i] {
			s.owner[i] = number
		}
	}
	s.distance, s.next[best], s.parts = s.next[best], s.distance, parts[best]
	s.chosen = append(s.chosen, candidates[best])
	return err
}

// measure finds the distances of the points [from, to) with each candidate.
func (s *seeding) measure(w *scratch, candidates []int, gaps [][]float64, from, to int) {
	w.open = w.open[:0]
	for i := from; i < to; i++ {
		near := false
		for t, candidate := range candidates {
			s.next[t][i] = s.distance[i]
			near = near || !s.farther(i, candidate, gaps[t])
		}
		if near {
			w.open = append(w.open, i)
		}
	}
	if len(w.open) > (to-from)/denseShare*(denseShare-1) {
		w.all(from, to)
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
					value = coarse(SquaredDistance(s.row(i, w.x), s.candidates.row(t)))
				}
				s.next[t][i] = min(s.next[t][i], value)
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

// farther says whether a candidate is certainly farther from point i than the
// nearest chosen point, gaps being its squared distances to the chosen ones.
func (s *seeding) farther(i, candidate int, gaps []float64) bool {
	if len(gaps) == 0 {
		return false
	}
	room := s.distance[i] * (1 + 8*slack(s.d) + 0x1p-25) // of what coarse rounded
	if gaps[s.owner[i]] > 4*room {
		return true
	}
	a, b := s.norm[i], s.norm[candidate]
	apart := math.Abs(a-b) - 4*slack(s.d)*(a+b)
	return apart > 0 && apart*apart > room
}
