package lloyd

import (
	"context"
	"math"
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
	each    bool // a lower bound for each centre
	k, d    int
	widen   float64
	upper   []float64
	near    []float64 // to the nearest of the other centres
	lower   []float32 // n×k, with each; +Inf to the own one
	stamp   []int32   // of the evaluation: which of past
	window  int
	past    [][]float64 // centres since the first stamp; the last are those now
	drift   []float64   // len(past)×k: how far each centre has moved since
	most    []drifts
	halfGap []float64 // half the distance to the nearest other centre; nil where it costs too much
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
	// roundDown is more than the rounding of a conversion to float32.
	roundDown = 1 - 0x1p-22
)

func newBounds(kind Bounds, n, k, d int) *bounds {
	if kind == Auto {
		kind = chooseBounds(n, k, d)
	}
	if kind == None || k == 1 {
		return nil
	}
	b := &bounds{each: kind == Elkan && k > 2, k: k, d: d, widen: 4 * slack(d)}
	b.window = max(2, min(mostHistory, historyFloats/(k*d), n/historyShare))
	b.upper, b.near, b.stamp = make([]float64, n), make([]float64, n), make([]int32, n)
	for i := range b.upper {
		b.forget(i)
	}
	if b.each {
		b.lower = make([]float32, n*k)
	}
	b.drift, b.most = make([]float64, b.window*k), make([]drifts, b.window)
	if k*halfGapShare <= n {
		b.halfGap = make([]float64, k)
	}
	return b
}

// forget makes point i be evaluated next time.
func (b *bounds) forget(i int) { b.upper[i] = math.Inf(1) }

// holds says whether point i certainly keeps its label.
func (b *bounds) holds(i, label int) bool {
	t := int(b.stamp[i])
	drift := b.drift[t*b.k:][:b.k]
	upper := b.upper[i] + drift[label]
	if b.halfGap != nil && upper < b.halfGap[label] {
		return true
	}
	moved := b.most[t].first
	if b.most[t].whose == label {
		moved = b.most[t].second
	}
	if upper < b.near[i]-moved {
		return true
	}
	if !b.each || math.IsInf(upper, 1) {
		return false
	}
	for j, l := range b.lower[i*b.k:][:b.k] {
		if upper >= float64(l)-drift[j] {
			return false
		}
	}
	return true
}

// record keeps what an evaluation found, with the squared distances.
func (b *bounds) record(i int, near nearest, distance []float64) {
	b.stamp[i] = int32(len(b.past) - 1)
	b.upper[i] = math.Sqrt(max(0, near.first+near.err)) * (1 + b.widen)
	b.near[i] = math.Sqrt(max(0, near.second-near.err)) * (1 - b.widen)
	if !b.each {
		return
	}
	narrow := (1 - b.widen) * roundDown
	lower := b.lower[i*b.k:][:len(distance)]
	for j, value := range distance {
		lower[j] = float32(math.Sqrt(max(0, value-near.err)) * narrow)
	}
	lower[near.label] = float32(math.Inf(1))
}

// advance takes over new centres: those of the next assignment.
func (b *bounds) advance(ctx context.Context, now *centres, labels []int) error {
	if len(b.past) == b.window {
		if err := b.fold(ctx, labels); err != nil {
			return err
		}
	}
	b.past = append(b.past, append([]float64(nil), now.data...))
	return b.measure(ctx, now)
}

// measure computes drifts and gaps. Cost: len(past)·k·d + k²·d/2 differences.
func (b *bounds) measure(ctx context.Context, now *centres) error {
	gaps := 0
	if b.halfGap != nil {
		gaps = b.k
	}
	tasks := len(b.past) + gaps
	return parallel(ctx, tasks, workers(tasks), func(_, task int) {
		if j := task - len(b.past); j >= 0 {
			gap := math.Inf(1)
			for other := range b.k {
				if other != j {
					gap = min(gap, squaredDistance(now.row(j), now.row(other)))
				}
			}
			b.halfGap[j] = math.Sqrt(gap) / 2 * (1 - b.widen)
			return
		}
		b.most[task] = drifts{whose: -1}
		most := &b.most[task]
		for j := range b.k {
			moved := math.Sqrt(squaredDistance(now.row(j), b.past[task][j*b.d:][:b.d])) * (1 + b.widen)
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
			b.foldPoint(i, labels[i], 0)
		}
	})
	last := len(b.past) - 1
	b.past[0] = b.past[last]
	b.past = b.past[:1]
	return err
}

// foldPoint makes the bounds of point i those as of the centres now, and stamps
// them so.
func (b *bounds) foldPoint(i, label int, stamp int32) {
	t := int(b.stamp[i])
	drift := b.drift[t*b.k:][:b.k]
	moved := b.most[t].first
	if b.most[t].whose == label {
		moved = b.most[t].second
	}
	b.upper[i] = (b.upper[i] + drift[label]) * (1 + 0x1p-50)
	b.near[i] = (b.near[i] - moved) - 0x1p-50*(math.Abs(b.near[i])+moved)
	if b.each {
		lower := b.lower[i*b.k:][:b.k]
		for j, l := range lower {
			value := float64(l) - drift[j]
			lower[j] = float32(value - 0x1p-22*(math.Abs(value)+drift[j]))
		}
		lower[label] = float32(math.Inf(1))
	}
	b.stamp[i] = stamp
}
