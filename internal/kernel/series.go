package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/linalg"
	"mercer/internal/linalg/vector"
)

// Series is the kernel on the real line (points n×1)
//
//	k(x,y) = Σ_i λ_i e_i(x) e_i(y),  e_i(x) = √2 cos(πix),  i = 1, 2, …
//
// Under X ~ U[0,1] its covariance operator has eigenvalues λ_i and
// eigenfunctions √λ_i e_i, and the mean embedding is 0. Its iterated kernels
// Σ λ_i^r e_i e_i are series kernels too: see Iterated.
type Series struct {
	decay decay
	power int // r
}

// decay is a sequence λ_1 ≥ λ_2 ≥ … > 0 (or a finite one) with the sums a
// population needs.
type decay interface {
	fmt.Stringer
	// at is λ_i, i from 1.
	at(i int) float64
	// tail is Σ_{i>after} λ_i^r.
	tail(r, after int) float64
	// dimension is Σ λ_i^r/(λ_i^r + t) for t > 0.
	dimension(r int, t float64) float64
	// cosines puts Σ λ_i^r cos(πit) in the place of each t, which are in [0,2].
	cosines(r int, t []float64)
	// sampler draws i with probability λ_i/Σλ.
	sampler(rng *rand.Rand) func() int
	// terms is the number of eigenvalues, 0 for infinitely many.
	terms() int
}

// NewPowerSeries has λ_i = i^(−alpha) in closed form by Bernoulli polynomials;
// alpha must be even. Other powers: NewFiniteSeries with truncated eigenvalues.
func NewPowerSeries(alpha int) (*Series, error) {
	if alpha < 2 || alpha%2 != 0 {
		return nil, fmt.Errorf("series kernel: power %d has no closed form: take an even power, or truncate with terms", alpha)
	}
	return &Series{decay: powerDecay{alpha: alpha}, power: 1}, nil
}

// NewExponentialSeries has λ_i = rho^i, 0 < rho < 1, in closed form.
func NewExponentialSeries(rho float64) (*Series, error) {
	if !(rho > 0 && rho < 1) {
		return nil, fmt.Errorf("series kernel: exponential decay %v: must lie strictly between 0 and 1", rho)
	}
	return &Series{decay: exponentialDecay{rho: rho}, power: 1}, nil
}

// NewFiniteSeries has the given eigenvalues, which must be positive and not
// rise.
func NewFiniteSeries(lambda []float64) (*Series, error) {
	if len(lambda) == 0 {
		return nil, fmt.Errorf("series kernel: no eigenvalues")
	}
	for i, l := range lambda {
		if !(l > 0) || math.IsInf(l, 1) || i > 0 && l > lambda[i-1] {
			return nil, fmt.Errorf("series kernel: eigenvalue %d is %v: eigenvalues must be positive, finite and none above the one before", i+1, l)
		}
	}
	return &Series{decay: finiteDecay(slices.Clone(lambda)), power: 1}, nil
}

func (s *Series) String() string {
	if s.power == 1 {
		return "series " + s.decay.String()
	}
	return fmt.Sprintf("series (%s)^%d", s.decay, s.power)
}

// Iterated is the kernel Σ λ_i^r e_i e_i: for r = 2, ⟨k(·,x), Σ k(·,y)⟩; for
// r = 3, ⟨k(·,x), Σ² k(·,y)⟩.
func (s *Series) Iterated(r int) *Series { return &Series{decay: s.decay, power: s.power * r} }

// Eigenvalue is λ_i (to the kernel's power), i from 1; 0 past the last of a
// finite series.
func (s *Series) Eigenvalue(i int) float64 { return math.Pow(s.decay.at(i), float64(s.power)) }

// Terms is the number of eigenvalues, 0 for infinitely many.
func (s *Series) Terms() int { return s.decay.terms() }

// PowerSum is Σ_{i>after} λ_i^r: PowerSum(1, 0) = tr Σ, PowerSum(1, ℓ) the floor
// of R, PowerSum(2, ℓ) that of T.
func (s *Series) PowerSum(r, after int) float64 { return s.decay.tail(r*s.power, after) }

// EffectiveDimension is N(t) = Σ λ_i/(λ_i+t) for t > 0, to rounding.
func (s *Series) EffectiveDimension(t float64) float64 { return s.decay.dimension(s.power, t) }

// Eigenfunction is e_i(x) = √2 cos(πix). The product i·x is carried exactly, so
// that the phase is right for the large i that Mercer features may draw.
func (s *Series) Eigenfunction(i int, x float64) float64 { return cosine(i, x) }

func cosine(i int, x float64) float64 { return math.Sqrt2 * math.Cos(phase(i, x)) }

// phase is πix less a multiple of 2π.
func phase(i int, x float64) float64 {
	f := float64(i)
	high := f * x
	low := math.FMA(f, x, -high)
	return math.Pi * (high - 2*math.Floor(high/2) + low)
}

// Eigenfunctions is the n×count matrix of e_i(x_j), i = 1 … count, for points x
// (n×1).
func (s *Series) Eigenfunctions(x *mat.Dense, count int) *mat.Dense {
	n, _ := x.Dims()
	values := mat.NewDense(n, count, nil)
	sines := make([]float64, count)
	g, grid := s.decay.(*gridDecay)
	for j := range n {
		row, at := values.RawRowView(j), x.At(j, 0)
		if grid && g.eigenfunctions(row, at) {
			continue
		}
		for i := range row {
			row[i] = phase(i+1, at)
		}
		vector.Sincos(sines, row, row)
		floats.Scale(math.Sqrt2, row)
	}
	return values
}

// Bound is κ = k(0,0) = 2 Σλ_i.
func (s *Series) Bound() float64 { return 2 * s.decay.tail(s.power, 0) }

// At is g(x−y) + g(x+y) with g(t) = Σ λ_i cos(πit), even and of period 2.
func (s *Series) At(x, y []float64) float64 {
	var value, room [1]float64
	s.fill(value[:], room[:], x[0], y)
	return value[0]
}

// fill computes the kernel of x and each y, with room for as many numbers.
func (s *Series) fill(values, room []float64, x float64, y []float64) {
	for i, v := range y {
		less, more := math.Abs(x-v), math.Abs(x+v)
		if less > 2 || more > 2 {
			less, more = wrapped(less), wrapped(more)
		}
		values[i], room[i] = less, more
	}
	s.decay.cosines(s.power, values)
	s.decay.cosines(s.power, room)
	floats.Add(values, room)
}

// wrapped takes t ≥ 0 to [0,2]; it changes none that a pair of points in [0,1] gives.
func wrapped(t float64) float64 {
	if t > 2 {
		return math.Mod(t, 2)
	}
	return t
}

func (s *Series) against(y *mat.Dense) filler {
	m, d := y.Dims()
	if d != 1 {
		panic(fmt.Sprintf("kernel: %s is a kernel on the line, not in dimension %d", s, d))
	}
	finite, ok := s.decay.(finiteDecay)
	g, grid := s.decay.(*gridDecay)
	if grid && !g.holds(y) {
		finite, ok = g.finiteDecay, true
	}
	if !ok {
		points := mat.Col(nil, 0, y)
		lookUp := func([]float64, float64, int) bool { return false }
		if grid {
			lookUp = g.lookUp(s.power, y)
		}
		return func(dst, x *mat.Dense, from int) {
			n, columns := dst.Dims()
			room := make([]float64, columns)
			for i := range n {
				if lookUp(dst.RawRowView(i), x.At(i, 0), from) {
					continue
				}
				s.fill(dst.RawRowView(i), room, x.At(i, 0), points[from:])
			}
		}
	}
	right := s.Eigenfunctions(y, len(finite))
	s.weigh(right)
	return func(dst, x *mat.Dense, from int) {
		dst.Mul(s.Eigenfunctions(x, len(finite)), linalg.Rows(right, from, m).T())
	}
}

// Beyond is the kernel Σ_{i>count} λ_i e_i e_i that the leading eigenfunctions leave.
// Values are differences, right to the rounding of the whole kernel's; a quadratic
// form of many of them has no large terms left that cancel.
func (s *Series) Beyond(count int) Kernel { return beyond{s, count} }

type beyond struct {
	whole *Series
	count int
}

func (b beyond) String() string { return fmt.Sprintf("%s beyond %d terms", b.whole, b.count) }

func (b beyond) At(x, y []float64) float64 {
	v := b.whole.At(x, y)
	for i := 1; i <= b.count; i++ {
		v -= b.whole.Eigenvalue(i) * b.whole.Eigenfunction(i, x[0]) * b.whole.Eigenfunction(i, y[0])
	}
	return v
}

// Bound is where all cosines are 1.
func (b beyond) Bound() float64 { return 2 * b.whole.PowerSum(1, b.count) }

func (b beyond) against(y *mat.Dense) filler {
	whole, m := b.whole.against(y), y.RawMatrix().Rows
	right := b.whole.Eigenfunctions(y, b.count)
	b.whole.weigh(right)
	return func(dst, x *mat.Dense, from int) {
		whole(dst, x, from)
		left := b.whole.Eigenfunctions(x, b.count)
		linalg.Gemm(blas.NoTrans, blas.Trans, -1, left.RawMatrix(), linalg.Rows(right, from, m).RawMatrix(), 1, dst.RawMatrix())
	}
}

// weigh multiplies column i−1 by λ_i.
func (s *Series) weigh(eigenfunctions *mat.Dense) {
	n, count := eigenfunctions.Dims()
	lambda := make([]float64, count)
	for i := range lambda {
		lambda[i] = s.Eigenvalue(i + 1)
	}
	for i := range n {
		floats.Mul(eigenfunctions.RawRowView(i), lambda)
	}
}

func (s *Series) indexSampler(rng *rand.Rand) func() int {
	if s.power != 1 {
		panic("kernel: Mercer features of an iterated series kernel")
	}
	return s.decay.sampler(rng)
}
