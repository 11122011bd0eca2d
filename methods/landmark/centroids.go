package landmark

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/methods/lloyd"
)

// centroids are the centres of a few iterations of Lloyd in input space, from
// k-means++ there. Centres without points, where there are fewer distinct points
// than m, are left out.
//
// Reference: Zhang, Tsang & Kwok, Improved Nyström low-rank approximation and
// error analysis, ICML 2008.
func (p *problem) centroids() (Set, error) {
	o := lloyd.DefaultOptions()
	o.MaxIter = p.Iterations
	clusters, err := lloyd.Cluster(p.ctx, p.x, p.times, p.m, o, p.rng)
	if err != nil {
		return Set{}, err
	}
	used := make([]bool, p.m)
	for _, label := range clusters.Labels {
		used[label] = true
	}
	_, d := p.x.Dims()
	set, count := Set{Points: mat.NewDense(p.m, d, nil)}, 0
	for j, u := range used {
		if u {
			set.Points.SetRow(count, clusters.Centers.RawRowView(j))
			count++
		}
	}
	if count < p.m {
		set.Points = set.Points.Slice(0, count, 0, d).(*mat.Dense)
		set.Warnings = append(set.Warnings, fmt.Sprintf("%d landmarks for m = %d: the other clusters are empty", count, p.m))
	}
	return set, nil
}
