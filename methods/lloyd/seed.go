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
	norm     []float64 // ‖x_i − shift‖
	distance []float64 // squared, to the nearest chosen point
	owner    []int32   // which chosen point that is
	parts    []float64 // sums of distance over chunks
	chosen   []int
}

// plusPlus chooses k points: the first uniformly, each other with probability
// proportional to its squared distance to the nearest chosen one. With more
// trials than 1, each is the best of as many such draws: the one that leaves
// the least sum of squared distances, of equals the first drawn. When all points
// coincide with chosen ones, the rest is drawn uniformly.
//
// Distances are differences; a point is not touched where the triangle
// inequality, from its nearest chosen point or from the origin, shows that the
// candidate is not nearer.
//
// Cost: a pass over x and 3nd·trials flops a centre at most.
func (p *points) plusPlus(ctx context.Context, k, trials int, rng *rand.Rand) ([]int, error) {
	s := &seeding{points: p, norm: make([]float64, p.n), distance: make([]float64, p.n), owner: make([]int32, p.n), parts: make([]float64, p.chunks())}
	for i := range s.norm {
		s.norm[i] = math.Sqrt(p.norm2[i])
		s.distance[i] = math.Inf(1)
	}
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
	distances := make([][]float64, len(candidates))
	parts := make([][]float64, len(candidates))
	gaps := make([][]float64, len(candidates))
	for t, candidate := range candidates {
		distances[t], parts[t] = s.distance, make([]float64, len(s.parts))
		if len(candidates) > 1 {
			distances[t] = make([]float64, s.n)
		}
		for _, other := range s.chosen {
			gaps[t] = append(gaps[t], squaredDistance(s.row(candidate), s.row(other)))
		}
	}
	number := int32(len(s.chosen))
	err := s.eachChunk(ctx, workers(len(s.parts)), func(_, chunk, from, to int) {
		for i := from; i < to; i++ {
			for t, candidate := range candidates {
				before := s.distance[i]
				value := before
				if !s.farther(i, candidate, gaps[t]) {
					value = min(before, squaredDistance(s.row(i), s.row(candidate)))
				}
				if len(candidates) == 1 && value < before {
					s.owner[i] = number
				}
				distances[t][i] = value
				parts[t][chunk] += value
			}
		}
	})
	best, least := 0, math.Inf(1)
	for t := range candidates {
		sum := 0.0
		for _, part := range parts[t] {
			sum += part
		}
		if sum < least {
			best, least = t, sum
		}
	}
	if len(candidates) > 1 {
		for i, value := range distances[best] {
			if value < s.distance[i] {
				s.owner[i] = number
			}
		}
	}
	s.distance, s.parts = distances[best], parts[best]
	s.chosen = append(s.chosen, candidates[best])
	return err
}

// farther says whether a candidate is certainly farther from point i than the
// nearest chosen point, of which gaps are its squared distances.
func (s *seeding) farther(i, candidate int, gaps []float64) bool {
	if len(gaps) == 0 {
		return false
	}
	room := s.distance[i] * (1 + 8*slack(s.d))
	if gaps[s.owner[i]] > 4*room {
		return true
	}
	a, b := s.norm[i], s.norm[candidate]
	apart := math.Abs(a-b) - 4*slack(s.d)*(a+b)
	return apart > 0 && apart*apart > room
}
