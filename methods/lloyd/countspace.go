package lloyd

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
)

// space is where points that stand for several are clustered.
type space interface {
	// between is the squared distance of rows a and b, 0 where it is rounding.
	between(a, b int) float64
	// distances are those of all rows to row b.
	distances(dst []float64, b int)
	// seed makes the rows chosen the centres.
	seed(chosen []int)
	// move makes the centres the means of clusters by their members, of weights that add
	// up to total[j] in cluster j, and returns the sum of squared shifts.
	move(weights [][]member, total []float64) float64
	// nearest gives rows from on, one for each element of labels, the nearest centre, of
	// equals the lowest, and says where there are equals.
	nearest(from int, labels []int, ties []bool)
	// to is the squared distance of row i to centre j, +Inf where there is none.
	to(i, j int) float64
	// large is what is more than rounding of a squared distance.
	large() float64
	// variance is what Options.Tol multiplies.
	variance(times []float64) float64
	// result fills in centres and cost.
	result(r *Result, weights [][]member, total, times []float64)
}

// countedPoints are points with coordinates.
type countedPoints struct {
	*points
	centres *centres
}

// between rounds as seeds do, so that these are the same.
func (s *countedPoints) between(a, b int) float64 {
	return coarse(SquaredDistance(s.row(a, nil), s.row(b, nil)))
}

func (s *countedPoints) distances(dst []float64, b int) {
	y := s.row(b, nil)
	if s.d == 1 { // a call for each would take most of the time
		for i := range dst {
			d := s.raw.Data[i*s.raw.Stride] - y[0]
			dst[i] = coarse(d * d)
		}
		return
	}
	for i := range dst {
		dst[i] = coarse(SquaredDistance(s.row(i, nil), y))
	}
}

func (s *countedPoints) seed(chosen []int) {
	s.centres = newCentres(len(chosen), s.d)
	for j, i := range chosen {
		copy(s.centres.row(j), s.row(i, nil))
	}
	s.centres.shift(s.points)
}

func (s *countedPoints) move(weights [][]member, total []float64) float64 {
	shift := 0.0
	for j, of := range weights {
		if total[j] == 0 {
			continue
		}
		mean := make([]float64, s.d)
		for _, m := range of {
			floats.AddScaled(mean, m.weight/total[j], s.row(m.row, nil))
		}
		shift += SquaredDistance(mean, s.centres.row(j))
		copy(s.centres.row(j), mean)
	}
	s.centres.shift(s.points)
	return shift
}

func (s *countedPoints) nearest(from int, labels []int, ties []bool) {
	index := make([]int, len(labels))
	for place := range index {
		index[place] = from + place
	}
	work := &scratch{distance: make([]float64, len(index)*s.centres.k)}
	work.evaluate(s.points, s.centres, index, func(place int, near nearest) {
		labels[place], ties[place] = near.label, near.tie
	})
}

func (s *countedPoints) to(i, j int) float64 {
	return SquaredDistance(s.row(i, nil), s.centres.row(j))
}

func (*countedPoints) large() float64 { return 0 }

// variance is the mean over the columns.
func (s *countedPoints) variance(times []float64) float64 {
	n, mean, sum := floats.Sum(times), make([]float64, s.d), 0.0
	for i, c := range times {
		floats.AddScaled(mean, c/n, s.row(i, nil))
	}
	for i, c := range times {
		sum += c * SquaredDistance(s.row(i, nil), mean)
	}
	return sum / n / float64(s.d)
}

func (s *countedPoints) result(r *Result, weights [][]member, _, times []float64) {
	r.Centers = mat.NewDense(s.centres.k, s.d, slices.Clone(s.centres.data))
	for j, of := range weights {
		for _, m := range of {
			r.Cost += times[m.row] * s.to(m.row, j)
		}
	}
}

// countedGram are points by their kernel matrix.
type countedGram struct {
	*gramMatrix
	gram    linalg.Operator
	sums    *mat.Dense // u×k, ⟨φ(x_i), c_j⟩
	square  []float64  // ‖c_j‖², +Inf where there is no centre
	weights *mat.Dense // u×k, of clusters
	product *mat.Dense // u×k, the Gram matrix times weights
	changed int        // rows that product has been brought up to date for
}

func (s *countedGram) between(a, b int) float64 { return s.squaredDistance(a, b) }

func (s *countedGram) distances(dst []float64, b int) {
	for i := range dst {
		dst[i] = s.squaredDistance(i, b)
	}
}

// seed leaves the second of two equal rows without a centre.
func (s *countedGram) seed(chosen []int) {
	s.sums, s.square = mat.NewDense(s.n, len(chosen), nil), make([]float64, len(chosen))
	seen := map[int]bool{}
	for j, i := range chosen {
		s.square[j] = math.Inf(1)
		if seen[i] {
			continue
		}
		seen[i] = true
		s.square[j] = s.diagonal[i]
		for r := range s.n {
			s.sums.Set(r, j, s.at(r, i))
		}
	}
}

func (s *countedGram) move(weights [][]member, total []float64) float64 {
	before, were := s.sums, s.square
	s.means(weights, total)
	shift := 0.0
	for j, of := range weights {
		if total[j] == 0 || math.IsInf(were[j], 1) {
			continue
		}
		cross := 0.0
		for _, m := range of {
			cross += m.weight / total[j] * before.At(m.row, j)
		}
		shift += max(0, were[j]+s.square[j]-2*cross)
	}
	return shift
}

// means makes the centres the means of clusters.
func (s *countedGram) means(weights [][]member, total []float64) {
	k := len(weights)
	of := mat.NewDense(s.n, k, nil)
	for j, members := range weights {
		for _, m := range members {
			of.Set(m.row, j, m.weight)
		}
	}
	s.multiply(of)
	s.sums, s.square = mat.DenseCopyOf(s.product), make([]float64, k)
	for i := range s.n {
		sums := s.sums.RawRowView(i)
		for j, w := range of.RawRowView(i) {
			if total[j] > 0 {
				sums[j] /= total[j]
				s.square[j] += w * sums[j]
			}
		}
	}
	for j := range s.square {
		if s.square[j] /= total[j]; total[j] == 0 {
			s.square[j] = math.Inf(1)
		}
	}
}

// multiply makes product the Gram matrix times weights (u×k): anew, or from the last by
// the rows that changed, 2u flops each, as long as all of these together since then are
// few, so that rounding stays that of a product.
func (s *countedGram) multiply(weights *mat.Dense) {
	last := s.weights
	s.weights = weights
	if last == nil {
		s.renew()
		return
	}
	type change struct {
		row, cluster int
		by           float64
	}
	var changes []change
	for i := range s.n {
		now, was := weights.RawRowView(i), last.RawRowView(i)
		if slices.Equal(now, was) {
			continue
		}
		s.changed++
		for j, w := range now {
			if w != was[j] {
				changes = append(changes, change{i, j, w - was[j]})
			}
		}
	}
	if 8*s.changed > s.n {
		s.renew()
		return
	}
	for i := range s.n {
		sums := s.product.RawRowView(i)
		for _, c := range changes {
			sums[c.cluster] += c.by * s.at(i, c.row)
		}
	}
}

func (s *countedGram) renew() {
	_, k := s.weights.Dims()
	s.product, s.changed = mat.NewDense(s.n, k, nil), 0
	s.gram.Apply(s.product, s.weights)
}

// nearest counts a centre as near whose distance is the least up to rounding.
func (s *countedGram) nearest(from int, labels []int, ties []bool) {
	for place := range labels {
		i, least := from+place, math.Inf(1)
		for j := range s.square {
			least = min(least, s.to(i, j))
		}
		labels[place] = -1
		for j := range s.square {
			switch near := s.to(i, j) <= least+0x1p-49*s.size; {
			case near && labels[place] < 0:
				labels[place] = j
			case near:
				ties[place] = true
			}
		}
	}
}

func (s *countedGram) to(i, j int) float64 {
	return s.square[j] - 2*s.sums.At(i, j) + s.diagonal[i]
}

func (s *countedGram) large() float64 { return 0x1p-48 * s.size }

// variance is that of all coordinates over their number, that of the points.
func (s *countedGram) variance(times []float64) float64 {
	n, trace, all := floats.Sum(times), 0.0, 0.0
	for i, c := range times {
		trace += c * s.diagonal[i]
		row := s.row(i)
		all += c * c * row[0]
		for r, v := range row[1:] {
			all += 2 * c * times[i+1+r] * v
		}
	}
	return max(0, trace/n-all/n/n) / n
}

// result is the cost of the clusters' means.
func (s *countedGram) result(r *Result, weights [][]member, total, times []float64) {
	s.means(weights, total)
	for j, of := range weights {
		for _, m := range of {
			r.Cost += m.weight * max(0, s.to(m.row, j))
		}
	}
}
