package methods

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/cost"
	"mercer/internal/linalg"
)

// center is how a covariance is estimated: "u" centres and divides by n−1, "v"
// centres and divides by n, "none" does not centre and divides by n.
type center string

func checkCenter(name string) (center, error) {
	switch name {
	case "u", "v", "none":
		return center(name), nil
	}
	return "", fmt.Errorf("center %q: must be u (divide by n-1), v (divide by n) or none (uncentred)", name)
}

func (c center) centred() bool { return c != "none" }

func (c center) divisor(n int) float64 {
	if c == "u" {
		return float64(n - 1)
	}
	return float64(n)
}

// maxRank is the largest rank of the estimate from n points.
func (c center) maxRank(n int) int {
	if c.centred() {
		return n - 1
	}
	return n
}

// A sample of n points has an n×p matrix Z of feature coordinates. For n ≥ p, methods add
// up its p×p moment by blocks of rows; for n < p they keep Z and take the n×n matrix ZZᵀ.

// covarianceCost is that of the ell leading pairs of the covariance of n rows of p
// coordinates, with these rows or blocks of them.
func covarianceCost(n, p, ell float64) cost.Cost {
	if n < p {
		return linalg.TopOfRowsCost(n, p, min(n, ell)).Plus(cost.Numbers(n * p))
	}
	moment := cost.Cost{Flops: n * p * p}.Plus(cost.Symmetric(p)).Plus(cost.Numbers(rowsPerBlock * p))
	return moment.Plus(linalg.TopCost(p, ell))
}

// secondMoment accumulates Σ_j c_j b_j b_jᵀ and Σ_j c_j b_j over blocks of rows b_j of
// length r that stand for c_j points, in O(r²) memory. For a centred estimate the first row is taken off
// all rows before, so that no large mean cancels in the end.
type secondMoment struct {
	center  center
	n       int
	origin  []float64 // the first row; nil before it, and for an uncentred estimate
	sum     []float64 // of rows less origin
	sq      *mat.SymDense
	squares float64 // Σ_j c_j ‖b_j‖²
}

func newSecondMoment(c center, r int) *secondMoment {
	return &secondMoment{center: c, sum: make([]float64, r), sq: mat.NewSymDense(r, nil)}
}

// add takes a block of rows, which it overwrites, and how many points each is.
func (s *secondMoment) add(rows *mat.Dense, times weights) {
	n, _ := rows.Dims()
	if s.center.centred() && s.origin == nil {
		s.origin = append([]float64{}, rows.RawRowView(0)...)
	}
	s.squares += sumOfSquares(rows, times)
	for i := range n {
		row := rows.RawRowView(i)
		if s.origin != nil {
			floats.Sub(row, s.origin)
		}
		floats.AddScaled(s.sum, times.at(i), row)
		floats.Scale(math.Sqrt(times.at(i)), row)
	}
	s.n += int(times.total(n))
	linalg.SyrkUpper(blas.Trans, 1, rows, s.sq)
}

// sumOfSquares is Σ_j c_j ‖b_j‖², in the order of the rows.
func sumOfSquares(rows *mat.Dense, times weights) (sum float64) {
	n, _ := rows.Dims()
	squares := make([]float64, n)
	for i := range squares {
		row := rows.RawRowView(i)
		squares[i] = floats.Dot(row, row)
	}
	if times == nil {
		return floats.Sum(squares)
	}
	return floats.Dot(times, squares)
}

// covariance turns the sums into the estimate, in place, and returns it with the
// mean (zeros for an uncentred one).
func (s *secondMoment) covariance() (*mat.SymDense, []float64) {
	mean := make([]float64, len(s.sum))
	if s.center.centred() {
		floats.AddScaled(mean, 1/float64(s.n), s.sum)
		s.sq.SymRankOne(s.sq, -float64(s.n), mat.NewVecDense(len(mean), mean))
		floats.Add(mean, s.origin)
	}
	s.sq.ScaleSym(1/s.center.divisor(s.n), s.sq)
	return s.sq, mean
}

// components are the top eigenvectors of the covariance (r×kept, kept ≤ ell) and
// what the model says of them. Cost: O(r²·ell) flops.
func (s *secondMoment) components(ell int) (*mat.Dense, Spectrum, error) {
	size := s.squares / float64(s.n)
	covariance, mean := s.covariance()
	vectors, spectrum, err := pairs(linalg.Symmetric(covariance), ell, len(mean), size)
	if err == nil {
		spectrum.centreOn(vectors, mean)
	}
	return vectors, spectrum, err
}

// rowComponents is secondMoment.components for Z, which it overwrites. As there, the first
// row is taken off before the mean, so that equal rows leave nothing.
func rowComponents(z *mat.Dense, times weights, c center, ell int) (*mat.Dense, Spectrum, error) {
	n, p := z.Dims()
	total := times.total(n)
	origin, mean := make([]float64, p), make([]float64, p)
	if c.centred() {
		copy(origin, z.RawRowView(0))
		for i := range n {
			floats.Sub(z.RawRowView(i), origin)
			floats.AddScaled(mean, 1/total*times.at(i), z.RawRowView(i))
		}
	}
	size := sumOfSquares(z, times) / total
	linalg.SubtractRow(z, mean)
	times.over(z, c.divisor(int(total)))

	asked := min(ell, n)
	top, err := linalg.TopOfRows(z, asked, linalg.DefaultTopOptions(asked))
	if err != nil {
		return nil, Spectrum{}, err
	}
	spectrum, err := spectrumOf(top, n, size)
	if err != nil {
		return nil, Spectrum{}, err
	}
	floats.Add(mean, origin)
	vectors := leading(top.Vectors, len(spectrum.Values))
	spectrum.centreOn(vectors, mean)
	return vectors, spectrum, nil
}

// centreOn sets the centre to that of the mean in the coordinates of the vectors.
func (s *Spectrum) centreOn(vectors *mat.Dense, mean []float64) {
	s.Center = make([]float64, len(s.Values))
	for i := range s.Center {
		s.Center[i] = mat.Dot(vectors.ColView(i), mat.NewVecDense(len(mean), mean))
	}
}
