package kernel

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
)

// powerDecay is λ_i = i^(−alpha), alpha even.
type powerDecay struct{ alpha int }

func (p powerDecay) String() string   { return fmt.Sprintf("lambda_i = i^-%d", p.alpha) }
func (p powerDecay) terms() int       { return 0 }
func (p powerDecay) at(i int) float64 { return math.Pow(float64(i), -float64(p.alpha)) }

// tail is the Hurwitz zeta function ζ(rα, after+1).
func (p powerDecay) tail(r, after int) float64 {
	return mathext.Zeta(float64(r*p.alpha), float64(after+1))
}

// dimension sums the even function f(z) = 1/(1+tz^q), q = rα, over i ≥ 1 by the
// residues of π·cot(πz)·f(z) at the q roots z_j of z^q = −1/t:
//
//	1 + 2Σ_{i≥1} f(i) = (π/q) Σ_j z_j cot(πz_j).
//
// For large t, where all but the leading 1 cancels, it is the alternating series
// Σ_j (−1)^(j−1) t^(−j) ζ(jq), of at most 53 terms.
func (p powerDecay) dimension(r int, t float64) float64 {
	q := float64(r * p.alpha)
	sum := 0.0
	if t >= 2 {
		for j, scale := 1.0, 1/t; math.Abs(scale) > 0x1p-54/t; j, scale = j+1, -scale/t {
			sum += scale * mathext.Zeta(j*q, 1)
		}
		return sum
	}
	radius := math.Pow(t, -1/q)
	for j := range r * p.alpha / 2 { // the others are their conjugates
		z := cmplx.Rect(radius, math.Pi*float64(2*j+1)/q)
		cot := -1i // the limit, reached in rounding where Im z > 6
		if imag(z) < 10 {
			cot = cmplx.Cot(math.Pi * z)
		}
		sum += 2 * real(z*cot)
	}
	return (math.Pi/q*sum - 1) / 2
}

// closedUpTo is the largest exponent summed by its Bernoulli polynomial; beyond
// it the cosine series itself ends, in rounding, after some 20 terms.
const closedUpTo = 12

// cosines is, with q = rα even,
//
//	Σ i^(−q) cos(πit) = (−1)^(q/2+1) (2π)^q B_q(t/2) / (2·q!),  0 <= t <= 2,
//
// with the Bernoulli polynomial expanded about its centre 1/2, where it is even
// and its terms do not cancel.
func (p powerDecay) cosines(r int, t []float64) {
	q := r * p.alpha
	if q > closedUpTo {
		for i, v := range t {
			t[i] = shortCosineSum(q, v)
		}
		return
	}
	coefficients := centredBernoulli[q/2][:q/2+1]
	for i, v := range t {
		w := v/2 - 0.5
		w *= w
		sum := 0.0
		for j := len(coefficients) - 1; j >= 0; j-- {
			sum = sum*w + coefficients[j]
		}
		t[i] = sum
	}
}

func shortCosineSum(q int, t float64) float64 {
	sum := 0.0
	for i := lastTerm(q); i >= 1; i-- {
		sum += math.Pow(float64(i), -float64(q)) * math.Cos(math.Pi*float64(i)*t)
	}
	return sum
}

// lastTerm is an i past which the terms i^(−q) add up to less than 1e−18.
func lastTerm(q int) int { return int(math.Ceil(math.Pow(1e-18*float64(q-1), -1/float64(q-1)))) + 1 }

// centredBernoulli[h][j] is the coefficient of (t/2 − 1/2)^(2j) in
// (−1)^(h+1) (2π)^(2h) B_2h(t/2) / (2·(2h)!).
var centredBernoulli = bernoulliCoefficients()

func bernoulliCoefficients() (table [closedUpTo/2 + 1][closedUpTo/2 + 1]float64) {
	// B_0, B_2, … B_12.
	numbers := [...]float64{1, 1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730}
	for h := 1; h <= closedUpTo/2; h++ {
		q := 2 * h
		scale := math.Pow(2*math.Pi, float64(q)) / (2 * math.Gamma(float64(q+1)))
		if h%2 == 0 {
			scale = -scale
		}
		for j := 0; j <= h; j++ {
			even := q - 2*j // B_q(1/2+w) = Σ binom(q, even) B_even(1/2) w^(q−even)
			atHalf := (math.Pow(2, float64(1-even)) - 1) * numbers[even/2]
			table[h][j] = scale * binomial(q, even) * atHalf
		}
	}
	return table
}

func binomial(n, k int) float64 {
	b := 1.0
	for i := 1; i <= k; i++ {
		b = b * float64(n-k+i) / float64(i)
	}
	return b
}

// sampler draws from the zeta distribution; indices past 2^53, of probability
// under 1e−15, are not drawn.
func (p powerDecay) sampler(rng *rand.Rand) func() int {
	zipf := rand.NewZipf(rng, float64(p.alpha), 1, 1<<53-1)
	return func() int { return int(zipf.Uint64()) + 1 }
}

// exponentialDecay is λ_i = rho^i.
type exponentialDecay struct{ rho float64 }

func (e exponentialDecay) String() string   { return fmt.Sprintf("lambda_i = %.17g^i", e.rho) }
func (e exponentialDecay) terms() int       { return 0 }
func (e exponentialDecay) at(i int) float64 { return math.Pow(e.rho, float64(i)) }

func (e exponentialDecay) tail(r, after int) float64 {
	q := math.Pow(e.rho, float64(r))
	return math.Pow(q, float64(after+1)) / (1 - q)
}

// dimension takes about 40/(1−ρ) terms: the rest, where ρ^(ri) is negligible
// against t, is a geometric series.
func (e exponentialDecay) dimension(r int, t float64) float64 {
	q := math.Pow(e.rho, float64(r))
	sum := 0.0
	for i := 1; ; i++ {
		v := math.Pow(q, float64(i))
		if v <= 0x1p-54*t {
			return sum + v/(1-q)/t
		}
		sum += v / (v + t)
	}
}

// cosines is Re z/(1−z) at z = q·exp(iπt), q = ρ^r, written with 1−q and
// 1−cos(πt) = 2sin²(πt/2) because both may be small.
func (e exponentialDecay) cosines(r int, t []float64) {
	q := math.Pow(e.rho, float64(r))
	rest := 1 - q
	for i, v := range t {
		// vector.Sincos would be faster, but its rounding is not that of earlier
		// versions, and where λ_i falls so fast Nyström's results are a hundred
		// million times as sensitive.
		sin := math.Sin(math.Pi * v / 2)
		turn := 2 * sin * sin
		t[i] = q * (rest - turn) / (rest*rest + 2*q*turn)
	}
}

func (e exponentialDecay) sampler(rng *rand.Rand) func() int {
	logRho := math.Log(e.rho)
	return func() int { return 1 + int(math.Floor(math.Log(1-rng.Float64())/logRho)) }
}

// finiteDecay lists its eigenvalues.
type finiteDecay []float64

// String lists up to eight eigenvalues; a longer list is named by its hash.
func (f finiteDecay) String() string {
	if len(f) <= 8 {
		return fmt.Sprintf("lambda = %.17g", []float64(f))
	}
	hash := sha256.New()
	for _, l := range f {
		hash.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(l)))
	}
	return fmt.Sprintf("lambda = %.17g ... (%d terms, sha256 %.8x)", []float64(f[:3]), len(f), hash.Sum(nil))
}

func (f finiteDecay) terms() int { return len(f) }

func (f finiteDecay) at(i int) float64 {
	if i > len(f) {
		return 0
	}
	return f[i-1]
}

func (f finiteDecay) tail(r, after int) float64 {
	sum := 0.0
	for i := len(f); i > after; i-- {
		sum += math.Pow(f[i-1], float64(r))
	}
	return sum
}

func (f finiteDecay) dimension(r int, t float64) float64 {
	sum := 0.0
	for i := len(f); i >= 1; i-- {
		v := math.Pow(f[i-1], float64(r))
		sum += v / (v + t)
	}
	return sum
}

func (f finiteDecay) cosines(r int, t []float64) {
	for j, v := range t {
		t[j] = 0
		for i := len(f); i >= 1; i-- {
			t[j] += math.Pow(f[i-1], float64(r)) * cosine(i, v) / math.Sqrt2
		}
	}
}

// sampler inverts the cumulative sums: a table has where the search of each of many equal
// parts of [0, 1) begins, so that a draw is a step or two.
func (f finiteDecay) sampler(rng *rand.Rand) func() int {
	cumulative := floats.CumSum(make([]float64, len(f)), f)
	sum := cumulative[len(f)-1]
	parts := 1 << bits.Len(uint(len(f))) // a power of two: a part's lower end is exact
	begin := make([]int32, parts)
	for g, at := 0, 0; g < parts; g++ {
		for at < len(f)-1 && cumulative[at] < float64(g)/float64(parts)*sum {
			at++
		}
		begin[g] = int32(at)
	}
	return func() int {
		u := rng.Float64()
		i := int(begin[int(u*float64(parts))])
		for i < len(f)-1 && cumulative[i] < u*sum {
			i++
		}
		return 1 + min(i, len(f)-1)
	}
}
