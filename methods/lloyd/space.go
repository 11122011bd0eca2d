package lloyd

import (
	"context"
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/counts"
)

// A space holds items and the centres of k clusters. It knows distances and means; what
// k-means does with them is the business of run.
type space interface {
	all() *items
	// toItems returns what writes the squared distances of items [from, to) to each chosen
	// item into distance, for draws: 0 where they are rounding.
	toItems(chosen []int) func(worker, from, to int, distance [][]float64)
	// toItem returns what gives the squared distance of an item to one.
	toItem(b int) func(a int) float64
	// seed makes items the centres.
	seed(ctx context.Context, chosen []int) error
	// nearest finds the nearest centre of each item in index, and calls found once for each, in
	// this order.
	nearest(worker int, index []int, found func(item int, near nearest))
	// follow takes in which of the items [from, to) have changed their label since it was last
	// called.
	follow(worker, from, to int, labels []int)
	// distance is the squared distance of an item to a centre.
	distance(item, centre int) float64
	// means makes the centres the means of clusters and returns the sum of their squared
	// shifts. The centre of a cluster without points stays, or is none.
	means(ctx context.Context, c *clusters) (shift float64, err error)
	// variance is what Options.Tol multiplies, known after the first means.
	variance() float64
	// cost is the sum of squared distances of all points to their centres.
	cost(ctx context.Context, c *clusters) (float64, error)
	// centres are k×d; nil for centres that have no coordinates.
	centres() *mat.Dense
}

// items are what is clustered: item i stands for weights[i] points in one place.
type items struct {
	n        int
	weights  []float64 // nil for one point each
	total    float64   // points of all
	chunk    int       // how many items are a task
	rounding float64   // a squared distance that is not above it is 0
	gang     int       // goroutines that share the chunks: each has things of its own, made once
}

func newItems(n int, weights []float64, chunk int) items {
	if n == 0 {
		panic("lloyd: no data")
	}
	s := items{n: n, weights: weights, total: float64(n), chunk: chunk}
	if weights != nil {
		if len(weights) != n {
			panic(fmt.Sprintf("lloyd: %d weights of %d items", len(weights), n))
		}
		s.total = floats.Sum(weights)
	}
	s.gang = workers(s.chunks())
	return s
}

func (s *items) all() *items { return s }

func (s *items) weight(i int) float64 {
	if s.weights == nil {
		return 1
	}
	return s.weights[i]
}

// largestWeight is of an item.
func (s *items) largestWeight() float64 {
	if s.weights == nil {
		return 1
	}
	return floats.Max(s.weights)
}

// uniform is the item of a point drawn uniformly.
func (s *items) uniform(rng *rand.Rand) int {
	if s.weights == nil {
		return rng.IntN(s.n)
	}
	sums := floats.CumSum(make([]float64, s.n), s.weights)
	return counts.At(sums, rng.IntN(int(s.total)))
}

func (s *items) chunks() int { return (s.n + s.chunk - 1) / s.chunk }

func (s *items) workers() int { return s.gang }

// eachChunk calls do for each chunk of items [from, to).
func (s *items) eachChunk(ctx context.Context, do func(worker, chunk, from, to int)) error {
	return parallel(ctx, s.chunks(), s.workers(), func(worker, chunk int) {
		do(worker, chunk, chunk*s.chunk, min(s.n, (chunk+1)*s.chunk))
	})
}

// clusters say which points belong together.
type clusters struct {
	labels []int     // of the items, −1 before the first assignment
	alone  []move    // of items that stand for several points: one that went to an empty cluster
	count  []float64 // points of each cluster
}

// move is a point of an item that goes from one cluster to another.
type move struct{ item, from, to int }

// member is an item of which a cluster has so many points.
type member struct {
	item, cluster int
	weight        float64
}

// members are in the order of items.
func (c *clusters) members(s *items) []member {
	of := make([]member, 0, s.n+len(c.alone))
	for i, label := range c.labels {
		of = append(of, member{i, label, s.weight(i)})
		for _, m := range c.alone {
			if own := len(of) - 1; m.item == i {
				of[own].weight--
				of = append(of, of[own])
				of[own] = member{i, m.to, 1}
			}
		}
	}
	return of
}

// nearest is what an evaluation finds.
type nearest struct {
	label         int
	tie           bool
	first, second float64 // squared distances to the nearest centre and to the next
	err           float64 // bound on the absolute error of all squared distances
}
