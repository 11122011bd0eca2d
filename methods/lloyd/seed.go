package lloyd

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
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
	space
	*items
	chosen   []int
	distance []float64   // squared, of each item to the nearest chosen one
	mass     []float64   // distance times weight
	parts    []float64   // sums of mass over chunks
	next     [][]float64 // distance with each candidate
}

// plusPlus chooses k items: the first as that of a uniform point, each other with
// probability proportional to its points' squared distance to the nearest chosen one. With
// more trials than 1, each is the best of as many such draws: the one that leaves
// the least sum of squared distances, of equals the first drawn. When all points
// coincide with chosen ones, the rest is drawn uniformly.
//
// Cost: a pass over x and 2nd·trials flops a centre.
func plusPlus(ctx context.Context, space space, k, trials int, rng *rand.Rand) ([]int, error) {
	s := newSeeding(space, trials)
	err := s.choose(ctx, []int{s.uniform(rng)})
	for err == nil && len(s.chosen) < k {
		candidates := make([]int, trials)
		for t := range candidates {
			candidates[t] = s.draw(rng)
		}
		err = s.choose(ctx, candidates)
	}
	return s.chosen, err
}

func newSeeding(space space, trials int) *seeding {
	s := &seeding{space: space, items: space.all(), next: make([][]float64, trials)}
	s.distance = slices.Repeat([]float64{math.Inf(1)}, s.n)
	for t := range s.next {
		s.next[t] = make([]float64, s.n)
	}
	return s
}

// draw returns an item drawn by mass.
func (s *seeding) draw(rng *rand.Rand) int {
	total := sum(s.parts)
	if total == 0 {
		return s.uniform(rng)
	}
	left := rng.Float64() * total
	last := -1
	for chunk, part := range s.parts {
		if left >= part && chunk < len(s.parts)-1 {
			left -= part
			continue
		}
		for i := chunk * s.chunk; i < min(s.n, (chunk+1)*s.chunk); i++ {
			if s.mass[i] == 0 {
				continue
			}
			last = i
			if left < s.mass[i] {
				return i
			}
			left -= s.mass[i]
		}
		break // only rounding leaves anything: the last with mass
	}
	for i := s.n - 1; last < 0; i-- {
		if s.mass[i] > 0 {
			last = i
		}
	}
	return last
}

// choose takes the best candidate.
func (s *seeding) choose(ctx context.Context, candidates []int) error {
	parts := make([][]float64, len(candidates))
	for t := range parts {
		parts[t] = make([]float64, s.chunks())
	}
	measure := s.toItems(candidates)
	err := s.eachChunk(ctx, func(worker, chunk, from, to int) {
		measure(worker, from, to, s.next[:len(candidates)])
		for t := range candidates {
			parts[t][chunk] = s.nearer(s.next[t], from, to)
		}
	})
	best, least := 0, math.Inf(1)
	for t := range candidates {
		if after := sum(parts[t]); after < least {
			best, least = t, after
		}
	}
	s.distance, s.next[best], s.parts = s.next[best], s.distance, parts[best]
	s.mass = s.distance
	if s.weights != nil {
		s.mass = floats.MulTo(make([]float64, s.n), s.weights, s.distance)
	}
	s.chosen = append(s.chosen, candidates[best])
	return err
}

// nearer lowers distances to a candidate to those to the chosen items, and returns the sum
// of the points' [from, to).
func (s *seeding) nearer(distance []float64, from, to int) (all float64) {
	for i := from; i < to; i++ {
		distance[i] = min(distance[i], s.distance[i])
		all += s.weight(i) * distance[i]
	}
	return all
}

func sum(values []float64) float64 {
	total := 0.0
	for _, v := range values {
		total += v
	}
	return total
}
