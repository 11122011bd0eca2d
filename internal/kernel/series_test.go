package kernel

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
)

// seriesInstances are series kernels of every law.
func seriesInstances() []*Series {
	return []*Series{
		must(NewPowerSeries(2)), must(NewPowerSeries(4)), must(NewPowerSeries(6)), must(NewPowerSeries(8)), must(NewPowerSeries(10)),
		must(NewPowerSeries(14)), must(NewExponentialSeries(0.3)), must(NewExponentialSeries(0.9)), must(NewExponentialSeries(0.998)),
		must(NewFiniteSeries([]float64{2, 1, 1, 0.25})),
	}
}

// eigenvalueByHand is λ_i of the law whose name tells it, to the power r.
func eigenvalueByHand(s *Series, i int) float64 {
	r := float64(s.power)
	switch d := s.decay.(type) {
	case powerDecay:
		return math.Pow(float64(i), -r*float64(d.alpha))
	case exponentialDecay:
		return math.Pow(d.rho, r*float64(i))
	case finiteDecay:
		if i <= len(d) {
			return math.Pow(d[i-1], r)
		}
		return 0
	}
	panic("unknown law")
}

const directTerms = 20_000

// remainder bounds |Σ_{i>N} λ_i cos(πit)|, N = directTerms: by the integral of
// the eigenvalues, and away from t = 0 and 2 by Abel's summation, λ_{N+1} over
// sin(πt/2).
func remainder(s *Series, t float64) float64 {
	p, ok := s.decay.(powerDecay)
	if !ok {
		return 1e-15 // 0.998^20000 = 4e-18, times 500 terms
	}
	q := float64(s.power * p.alpha)
	integral := math.Pow(directTerms, 1-q) / (q - 1)
	return min(integral, math.Pow(directTerms+1, -q)/math.Abs(math.Sin(math.Pi*t/2)))
}

func TestSeriesClosedFormsAgreeWithTheCosineSum(t *testing.T) {
	var points []float64
	for i := range 5 {
		points = append(points, float64(i)/4)
	}
	points = append(points, 1e-9, 1e-3, 0.123456789, 0.5+1e-7, 1-1e-3, 1-1e-9)
	lambda, power, angle := make([]float64, directTerms), make([]float64, directTerms), make(map[float64][]float64)
	for _, x := range points {
		angle[x] = make([]float64, directTerms)
		for i := range angle[x] {
			angle[x][i] = math.Sqrt2 * math.Cos(math.Pi*math.Mod(float64(i+1)*x, 2))
		}
	}
	for _, base := range seriesInstances() {
		for i := range lambda {
			lambda[i] = eigenvalueByHand(base, i+1)
		}
		for r := 1; r <= 3; r++ {
			s := base.Iterated(r)
			for i, l := range lambda {
				power[i] = math.Pow(l, float64(r))
			}
			kappa := s.Bound()
			for a, x := range points {
				for _, y := range points[a:] {
					want := 0.0
					for i := directTerms - 1; i >= 0; i-- {
						want += power[i] * angle[x][i] * angle[y][i]
					}
					// Rounding: a few ulps of κ, the sum of the terms' sizes; each
					// phase i·x is off by i·x·2^−53, which moves term i by
					// λ_i·i·2^−51 < κ·2^−51 (and the slow 0.998 by 500 times that).
					tolerance := remainder(s, math.Abs(x-y)) + remainder(s, x+y) + 2e-15*kappa
					if e, ok := s.decay.(exponentialDecay); ok {
						tolerance += 1e-15 * kappa / (1 - e.rho)
					}
					if got := s.At([]float64{x}, []float64{y}); !(math.Abs(got-want) <= tolerance) {
						t.Errorf("%s at (%v, %v) is %v, the sum of %d terms %v: %.2g apart, tolerance %.2g", s, x, y, got, directTerms, want, math.Abs(got-want), tolerance)
					}
				}
			}
		}
	}
}

// The Bernoulli forms at the ends, against the published values of ζ: at t = 0
// the sum is ζ(q), at t = 1 it is −(1−2^(1−q))ζ(q). Both hold to rounding, so
// that this sees errors that the slow sum at q = 2 cannot.
func TestPowerSeriesAtTheEnds(t *testing.T) {
	zeta := map[int]float64{
		2:  math.Pow(math.Pi, 2) / 6,
		4:  math.Pow(math.Pi, 4) / 90,
		6:  math.Pow(math.Pi, 6) / 945,
		8:  math.Pow(math.Pi, 8) / 9450,
		10: math.Pow(math.Pi, 10) / 93555,
		12: 691 * math.Pow(math.Pi, 12) / 638512875,
		14: 2 * math.Pow(math.Pi, 14) / 18243225,
	}
	for q, z := range zeta {
		p := powerDecay{alpha: q}
		for at, want := range map[float64]float64{0: z, 2: z, 1: -(1 - math.Pow(2, float64(1-q))) * z} {
			got := []float64{at}
			if p.cosines(1, got); math.Abs(got[0]-want) > 4e-15 {
				t.Errorf("q = %d: Σ i^−q cos(πi·%v) = %v, want %v", q, at, got[0], want)
			}
		}
	}
}

// A series kernel is Σ λ_i e_i(x) e_i(y) for all real x and y, an even function
// of period 2 in each.
func TestSeriesBeyondTheUnitInterval(t *testing.T) {
	for _, s := range seriesInstances() {
		for _, p := range [][2]float64{{0.3, 0.9}, {0.8, 0.7}, {0, 1}} {
			want := s.At([]float64{p[0]}, []float64{p[1]})
			for _, q := range [][2]float64{{-p[0], p[1]}, {p[0] + 2, p[1]}, {p[0], p[1] - 4}, {2 - p[0], -p[1]}} {
				// Phases are off by 4·2^−52·π, values by that times Σ λ_i·i·π.
				if got := s.At(q[:1], q[1:]); !(math.Abs(got-want) <= 1e-11*s.Bound()) {
					t.Errorf("%s at %v is %v, at %v it is %v", s, q, got, p, want)
				}
			}
		}
	}
}

// ∫ k(x,y) e_i(y) dy = λ_i e_i(x): ties the closed form to eigenvalues and
// eigenfunctions. The kernels are smooth but for y = x, where the integral is
// cut; 60 Gauss nodes a side then leave rounding for i ≤ 12. (0.998 has a peak
// of width 0.002 that 60 nodes do not see.)
func TestSeriesSolvesItsEigenEquation(t *testing.T) {
	for _, base := range seriesInstances() {
		if e, ok := base.decay.(exponentialDecay); ok && e.rho > 0.95 {
			continue
		}
		for r := 1; r <= 3; r++ {
			s := base.Iterated(r)
			for _, x := range []float64{0, 0.21, 0.5, 0.87, 1} {
				for i := 1; i <= 12; i++ {
					integrand := func(y float64) float64 {
						return s.At([]float64{x}, []float64{y}) * s.Eigenfunction(i, y)
					}
					got := quad.Fixed(integrand, 0, x, 60, quad.Legendre{}, 0) + quad.Fixed(integrand, x, 1, 60, quad.Legendre{}, 0)
					want := eigenvalueByHand(s, i) * math.Sqrt2 * math.Cos(math.Pi*float64(i)*x)
					if !(math.Abs(got-want) <= 2e-13*s.Bound()) {
						t.Errorf("%s: (L e_%d)(%v) = %v, want %v", s, i, x, got, want)
					}
				}
			}
		}
	}
}

func TestEigenfunctionsAreOrthonormalAndOfMeanZero(t *testing.T) {
	const count, nodes = 30, 120 // 120 Gauss nodes integrate cos(60πx) to rounding
	s := must(NewPowerSeries(2))
	at, weights := make([]float64, nodes), make([]float64, nodes)
	quad.Legendre{}.FixedLocations(at, weights, 0, 1)
	values := s.Eigenfunctions(mat.NewDense(nodes, 1, at), count)
	for i := range count {
		mean := 0.0
		for a, w := range weights {
			mean += w * values.At(a, i)
		}
		if math.Abs(mean) > 1e-13 {
			t.Errorf("E e_%d = %v", i+1, mean)
		}
		for j := range count {
			product, want := 0.0, 0.0
			for a, w := range weights {
				product += w * values.At(a, i) * values.At(a, j)
			}
			if i == j {
				want = 1
			}
			if math.Abs(product-want) > 1e-13 {
				t.Errorf("⟨e_%d, e_%d⟩ = %v", i+1, j+1, product)
			}
		}
	}
}

// The phase i·x mod 2 is exact in 200 bits; rounded once and multiplied by π it
// is off by at most 2π·2^−52.
func TestEigenfunctionPhaseOfHugeIndices(t *testing.T) {
	s := must(NewPowerSeries(2))
	rng := newRand(21)
	for _, i := range []int{1, 7, 1000, 1<<31 - 1, 123_456_789_012, 1<<52 + 1, 1<<53 - 1} {
		for range 200 {
			x := rng.Float64()
			product := new(big.Float).SetPrec(200).SetInt64(int64(i))
			product.Mul(product, new(big.Float).SetPrec(200).SetFloat64(x))
			turns, _ := new(big.Float).SetPrec(200).Quo(product, big.NewFloat(2)).Int(nil)
			product.Sub(product, new(big.Float).SetPrec(200).SetInt(turns.Lsh(turns, 1)))
			phase, _ := product.Float64()
			want := math.Sqrt2 * math.Cos(math.Pi*phase)
			if got := s.Eigenfunction(i, x); !(math.Abs(got-want) <= 4e-15) {
				t.Fatalf("e_%d(%v) = %v, want %v", i, x, got, want)
			}
		}
	}
}

func TestEigenvaluesAndTheirSums(t *testing.T) {
	const terms = 60_000
	for _, base := range seriesInstances() {
		for power := 1; power <= 2; power++ {
			s := base.Iterated(power)
			for _, i := range []int{1, 2, 3, 10, 1000} {
				if got, want := s.Eigenvalue(i), eigenvalueByHand(s, i); math.Abs(got-want) > 1e-12*want {
					t.Errorf("%s: λ_%d = %v, want %v", s, i, got, want)
				}
			}
			for r := 1; r <= 2; r++ {
				for _, after := range []int{0, 1, 3, 4, 50, 10_000} {
					low := 0.0
					for i := terms; i > after; i-- {
						low += math.Pow(eigenvalueByHand(s, i), float64(r))
					}
					high := low
					if p, ok := s.decay.(powerDecay); ok { // the integral on either side
						q := float64(r * power * p.alpha)
						low += math.Pow(terms+1, 1-q) / (q - 1)
						high += math.Pow(terms, 1-q) / (q - 1)
					}
					// 6·10^4 additions in rising order, each of relative error 2^−53.
					got := s.PowerSum(r, after)
					if !(got >= low*(1-1e-11) && got <= high*(1+1e-11)) {
						t.Errorf("%s: Σ_{i>%d} λ_i^%d = %v, not in [%v, %v]", s, after, r, got, low, high)
					}
				}
			}
			if got, want := s.Bound(), s.At([]float64{0}, []float64{0}); math.Abs(got-want) > 1e-12*want {
				t.Errorf("%s: Bound %v, k(0,0) = %v", s, got, want)
			}
		}
	}
}

func TestIteratingTwiceMultipliesThePowers(t *testing.T) {
	for _, base := range seriesInstances() {
		s := base.Iterated(2).Iterated(3)
		for i := 1; i <= 4; i++ {
			if got, want := s.Eigenvalue(i), math.Pow(eigenvalueByHand(base, i), 6); math.Abs(got-want) > 1e-13*want {
				t.Errorf("%s: λ_%d = %v, want %v", s, i, got, want)
			}
		}
		x, y := []float64{0.3}, []float64{0.4}
		if got, want := s.At(x, y), base.Iterated(6).At(x, y); math.Abs(got-want) > 1e-13*s.Bound() {
			t.Errorf("%s at (%v, %v) is %v, want %v", s, x, y, got, want)
		}
	}
}

func TestTermsOfASeries(t *testing.T) {
	for _, s := range seriesInstances() {
		want := 0
		if f, ok := s.decay.(finiteDecay); ok {
			want = len(f)
		}
		if s.Terms() != want {
			t.Errorf("%s has %d terms, want %d", s, s.Terms(), want)
		}
	}
}

// The closed form of a truncated law is that of the law less its tail.
func TestTruncatedLawApproachesTheClosedForm(t *testing.T) {
	const terms = 3000
	lambda := make([]float64, terms)
	for i := range lambda {
		lambda[i] = math.Pow(float64(i+1), -4)
	}
	const n = 130
	x := uniformPoints(newRand(22), n)
	whole, cut := must(NewPowerSeries(4)), must(NewFiniteSeries(lambda))
	a, b := Cross(whole, x, x), Cross(cut, x, x)
	tolerance := 2*whole.PowerSum(1, terms) + 1e-14
	for i := range n {
		for j := range n {
			if d := math.Abs(a.At(i, j) - b.At(i, j)); !(d <= tolerance) {
				t.Fatalf("entry (%d, %d): %v and %v, %.2g apart", i, j, a.At(i, j), b.At(i, j), d)
			}
		}
	}
	checkFiniteBlocks(t, cut, x)
}

// checkFiniteBlocks compares the matrix product of a finite series with At.
func checkFiniteBlocks(t *testing.T, s *Series, x *mat.Dense) {
	t.Helper()
	gram := Gram(s, x)
	n, _ := x.Dims()
	for i := range n {
		j := (7*i + 3) % n
		if d := math.Abs(gram.At(i, j) - s.At(x.RawRowView(i), x.RawRowView(j))); d > 1e-13 {
			t.Fatalf("%s: entry (%d, %d) of the Gram matrix and At are %.2g apart", s, i, j, d)
		}
	}
}

func TestWrongEigenvaluesAreRefused(t *testing.T) {
	for name, err := range map[string]error{
		"power 3":         second(NewPowerSeries(3)),
		"power 0":         second(NewPowerSeries(0)),
		"power -2":        second(NewPowerSeries(-2)),
		"rho 0":           second(NewExponentialSeries(0)),
		"rho 1":           second(NewExponentialSeries(1)),
		"rho NaN":         second(NewExponentialSeries(math.NaN())),
		"empty list":      second(NewFiniteSeries(nil)),
		"rising list":     second(NewFiniteSeries([]float64{1, 2})),
		"zero in a list":  second(NewFiniteSeries([]float64{1, 0})),
		"negative":        second(NewFiniteSeries([]float64{-1})),
		"infinite":        second(NewFiniteSeries([]float64{math.Inf(1)})),
		"NaN at the end":  second(NewFiniteSeries([]float64{1, math.NaN()})),
		"NaN in the list": second(NewFiniteSeries([]float64{1, math.NaN(), 0.5})),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second(_ *Series, err error) error { return err }

func TestAFiniteSeriesKeepsItsEigenvalues(t *testing.T) {
	lambda := []float64{1, 0.5}
	s := must(NewFiniteSeries(lambda))
	name := fmt.Sprint(s)
	lambda[1] = 0.25
	if s.Eigenvalue(2) != 0.5 || fmt.Sprint(s) != name {
		t.Error("the series changed with the caller's slice")
	}
}

// TestBeyond: what is left of a series kernel is the difference, in every way that
// kernel values are computed, and nothing past the last term of a finite one.
func TestBeyond(t *testing.T) {
	power, err := NewPowerSeries(2)
	if err != nil {
		t.Fatal(err)
	}
	finite, err := NewFiniteSeries([]float64{1, 0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	x, y := mat.NewDense(5, 1, []float64{0, 0.1, 0.35, 0.8, 1}), mat.NewDense(3, 1, []float64{0, 0.4, 0.9})
	for _, s := range []*Series{power, power.Iterated(2), finite} {
		for _, count := range []int{1, 3} {
			rest := s.Beyond(count)
			cross := Cross(rest, x, y)
			for i := range 5 {
				for j := range 3 {
					want := s.At(x.RawRowView(i), y.RawRowView(j))
					for a := 1; a <= count; a++ {
						want -= 2 * s.Eigenvalue(a) * math.Cos(math.Pi*float64(a)*x.At(i, 0)) * math.Cos(math.Pi*float64(a)*y.At(j, 0))
					}
					if got := rest.At(x.RawRowView(i), y.RawRowView(j)); math.Abs(got-want) > 1e-14 || math.Abs(cross.At(i, j)-want) > 1e-14 {
						t.Errorf("%s at %v, %v: %v alone, %v in a matrix, want %v", rest, x.At(i, 0), y.At(j, 0), got, cross.At(i, j), want)
					}
				}
			}
			if at := rest.At([]float64{0}, []float64{0}); math.Abs(rest.Bound()-at) > 1e-14 {
				t.Errorf("%s is %v at 0, its bound %v", rest, at, rest.Bound())
			}
			if s == finite && count == 3 && mat.Max(cross) > 1e-15 {
				t.Errorf("%s is up to %v", rest, mat.Max(cross))
			}
		}
	}
}
