package lloyd

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// space is where points that stand for several are clustered.
type space interface {
	// between is the squared distance of rows a and b, 0 where it is rounding.
	between(a, b int) float64
	// seed makes the rows chosen the centres.
	seed(chosen []int)
	// move makes the centres the means of clusters, in which row i has the weight
	// w[j][i] in cluster j, of sum total[j], and returns the sum of squared shifts.
	move(weights [][]float64, total []float64) float64
	// to is the squared distance of row i to centre j, +Inf where there is none.
	to(i, j int) float64
	// room is how much farther than the nearest centre another may be to count as
	// near, and large what is more than rounding of a squared distance.
	room() (near, large float64)
	// variance is what Options.Tol multiplies.
	variance(times []float64) float64
	// result fills in centres and cost.
	result(r *Result, weights [][]float64, total, times []float64)
}

// countedPoints are points with coordinates.
type countedPoints struct {
	x       *mat.Dense
	centres *mat.Dense // k×d
}

// between rounds as seeds do, so that these are the same.
func (s *countedPoints) between(a, b int) float64 {
	return coarse(SquaredDistance(s.x.RawRowView(a), s.x.RawRowView(b)))
}

func (s *countedPoints) seed(chosen []int) {
	_, d := s.x.Dims()
	s.centres = mat.NewDense(len(chosen), d, nil)
	for j, i := range chosen {
		s.centres.SetRow(j, s.x.RawRowView(i))
	}
}

func (s *countedPoints) move(weights [][]float64, total []float64) float64 {
	shift := 0.0
	_, d := s.x.Dims()
	for j, of := range weights {
		if total[j] == 0 {
			continue
		}
		mean := make([]float64, d)
		for i, w := range of {
			if w != 0 {
				floats.AddScaled(mean, w/total[j], s.x.RawRowView(i))
			}
		}
		shift += SquaredDistance(mean, s.centres.RawRowView(j))
		s.centres.SetRow(j, mean)
	}
	return shift
}

func (s *countedPoints) to(i, j int) float64 {
	return SquaredDistance(s.x.RawRowView(i), s.centres.RawRowView(j))
}

func (*countedPoints) room() (near, large float64) { return 0, 0 }

// variance is the mean over the columns.
func (s *countedPoints) variance(times []float64) float64 {
	_, d := s.x.Dims()
	n, mean, sum := floats.Sum(times), make([]float64, d), 0.0
	for i, c := range times {
		floats.AddScaled(mean, c/n, s.x.RawRowView(i))
	}
	for i, c := range times {
		sum += c * SquaredDistance(s.x.RawRowView(i), mean)
	}
	return sum / n / float64(d)
}

func (s *countedPoints) result(r *Result, weights [][]float64, _, times []float64) {
	r.Centers = mat.DenseCopyOf(s.centres)
	for j, of := range weights {
		for i, w := range of {
			if w != 0 {
				r.Cost += times[i] * s.to(i, j)
			}
		}
	}
}

// countedGram are points by their kernel matrix.
type countedGram struct {
	*gramMatrix
	sums   *mat.Dense // k×u, ⟨c_j, φ(x_i)⟩
	square []float64  // ‖c_j‖², +Inf where there is no centre
}

func (s *countedGram) between(a, b int) float64 { return s.squaredDistance(a, b) }

// seed leaves the second of two equal rows without a centre.
func (s *countedGram) seed(chosen []int) {
	s.sums, s.square = mat.NewDense(len(chosen), s.n, nil), make([]float64, len(chosen))
	seen := map[int]bool{}
	for j, i := range chosen {
		s.square[j] = math.Inf(1)
		if seen[i] {
			continue
		}
		seen[i] = true
		s.square[j] = s.diagonal[i]
		for r := range s.n {
			s.sums.Set(j, r, s.at(r, i))
		}
	}
}

func (s *countedGram) move(weights [][]float64, total []float64) float64 {
	shift := 0.0
	for j, of := range weights {
		was, before := s.square[j], mat.Row(nil, j, s.sums)
		s.mean(j, of, total[j])
		if total[j] > 0 && !math.IsInf(was, 1) {
			cross := 0.0
			for i, w := range of {
				cross += w / total[j] * before[i]
			}
			shift += max(0, was+s.square[j]-2*cross)
		}
	}
	return shift
}

// mean makes centre j the mean of points.
func (s *countedGram) mean(j int, weights []float64, total float64) {
	sums := s.sums.RawRowView(j)
	clear(sums)
	s.square[j] = math.Inf(1)
	if total == 0 {
		return
	}
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for r := range i {
			sums[r] += w * s.at(r, i)
		}
		floats.AddScaled(sums[i:], w, s.row(i))
	}
	floats.Scale(1/total, sums)
	s.square[j] = floats.Dot(sums, weights) / total
}

func (s *countedGram) to(i, j int) float64 {
	return s.square[j] - 2*s.sums.At(j, i) + s.diagonal[i]
}

func (s *countedGram) room() (near, large float64) { return 0x1p-49 * s.size, 0x1p-48 * s.size }

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
func (s *countedGram) result(r *Result, weights [][]float64, total, times []float64) {
	for j, of := range weights {
		if total[j] == 0 {
			continue
		}
		s.mean(j, of, total[j])
		for i, w := range of {
			if w != 0 {
				r.Cost += w * max(0, s.to(i, j))
			}
		}
	}
}
