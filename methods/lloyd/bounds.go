package lloyd

import (
	"context"
	"math"
	"slices"
)

// bounds remember of each point, as of its last evaluation, an upper bound on
// the distance to its own centre and lower bounds on those to the others. The
// centres of past iterations are kept, so that what they have moved since is
// measured from there to here, not summed step by step.
//
// A point whose upper bound is below all lower ones keeps its label: by the
// triangle inequality no other centre can be nearer. Every bound is widened by
// more than its rounding, so that this holds of computed distances too.
//
// Reference: Elkan, Using the triangle inequality to accelerate k-means, ICML
// 2003; Hamerly, Making k-means even faster, SDM 2010; measuring the drift from
// the last evaluation: Newling and Fleuret, Fast k-means with accurate bounds,
// ICML 2016.
type bounds struct {
	points *points
	k      int
	widen  float64
	upper  []float64
	near   []float64 // to the nearest of the other centres
	stamp  []int32   // of the evaluation: which of past
	window int
	past   [][]float64 // centres since the first stamp; the last are those now
	drift  []float64   // len(past)×k: how far each centre has moved since
	most   []drifts
}

// drifts are the largest drift since a stamp, whose it is, and the next.
type drifts struct {
	first, second float64
	whose         int
}

const (
	historyFloats = 1 << 23 // 64 MB of past centres at most
	mostHistory   = 32
	historyShare  = 256 // measuring the drifts is at most about this share of an assignment
)

// newBounds is nil where there is no other centre.
func newBounds(p *points, k int) *bounds {
	if k == 1 {
		return nil
	}
	b := &bounds{points: p, k: k, widen: 4 * slack(p.d)}
	b.window = max(2, min(mostHistory, historyFloats/(k*p.d), p.n/historyShare))
	b.upper, b.near, b.stamp = make([]float64, p.n), make([]float64, p.n), make([]int32, p.n)
	for i := range b.upper {
		b.forget(i)
	}
	b.drift, b.most = make([]float64, b.window*k), make([]drifts, b.window)
	return b
}

// forget makes point i be evaluated next time.
func (b *bounds) forget(i int) { b.upper[i] = math.Inf(1) }

// holds says whether point i certainly keeps its label.
func (b *bounds) holds(i, label int) bool {
	t := int(b.stamp[i])
	drift := b.drift[t*b.k:][:b.k]
	upper := b.upper[i] + drift[label]
	moved := b.most[t].first
	if b.most[t].whose == label {
		moved = b.most[t].second
	}
	return upper < b.near[i]-moved
}

// record keeps bounds on the squared distances to the own and to the next centre.
func (b *bounds) record(i int, atMost, atLeast float64) {
	b.stamp[i] = int32(len(b.past) - 1)
	b.upper[i] = math.Sqrt(max(0, atMost)) * (1 + b.widen)
	b.near[i] = math.Sqrt(max(0, atLeast)) * (1 - b.widen)
}

// advance takes over the centres of the next assignment.
func (b *bounds) advance(ctx context.Context, labels []int) error {
	if len(b.past) == b.window {
		if err := b.fold(ctx, labels); err != nil {
			return err
		}
	}
	b.past = append(b.past, slices.Clone(b.points.now.data))
	return b.measure(ctx)
}

// measure computes drifts. Cost: len(past)·k·d differences.
func (b *bounds) measure(ctx context.Context) error {
	now := b.points.now
	return parallel(ctx, len(b.past), workers(len(b.past)), func(_, task int) {
		then := b.past[task]
		b.most[task] = drifts{whose: -1}
		most := &b.most[task]
		for j := range b.k {
			moved := math.Sqrt(SquaredDistance(now.row(j), then[j*now.d:][:now.d])) * (1 + b.widen)
			b.drift[task*b.k+j] = moved
			if moved > most.first {
				most.first, most.second, most.whose = moved, most.first, j
			} else {
				most.second = max(most.second, moved)
			}
		}
	})
}

// fold brings all bounds up to the centres now and forgets the past ones.
func (b *bounds) fold(ctx context.Context, labels []int) error {
	const rows = 4096
	tasks := (len(labels) + rows - 1) / rows
	err := parallel(ctx, tasks, workers(tasks), func(_, task int) {
		for i := task * rows; i < min(len(labels), (task+1)*rows); i++ {
			b.foldPoint(i, labels[i])
		}
	})
	last := len(b.past) - 1
	b.past[0] = b.past[last]
	b.past = b.past[:1]
	return err
}

// foldPoint makes the bounds of point i those as of the centres now.
func (b *bounds) foldPoint(i, label int) {
	t := int(b.stamp[i])
	drift := b.drift[t*b.k:][:b.k]
	moved := b.most[t].first
	if b.most[t].whose == label {
		moved = b.most[t].second
	}
	b.upper[i] = (b.upper[i] + drift[label]) * (1 + 0x1p-50)
	b.near[i] = (b.near[i] - moved) - 0x1p-50*(math.Abs(b.near[i])+moved)
	b.stamp[i] = 0
}
