package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// instance is a kernel with its definition, written afresh.
type instance struct {
	entry      string // name in the Registry
	kernel     Kernel
	definition func(x, y []float64) float64
	// size bounds the terms that the kernel's value is a difference of: errors
	// are relative to it.
	size func(x, y []float64) float64
}

func one(_, _ []float64) float64 { return 1 }

// instances has every kernel that takes points of any dimension, at bandwidth
// sigma.
func instances(sigma float64) []instance {
	list := []instance{
		{"gaussian", NewGaussian(1 / (2 * sigma * sigma)), func(x, y []float64) float64 {
			return math.Exp(-math.Pow(euclidean(x, y)/sigma, 2) / 2)
		}, one},
		{"laplace", Laplace{Sigma: sigma}, func(x, y []float64) float64 {
			product := 1.0
			for j := range x {
				product *= math.Exp(-math.Abs(x[j]-y[j]) / sigma)
			}
			return product
		}, one},
		{"cauchy", Cauchy{Sigma: sigma}, func(x, y []float64) float64 {
			product := 1.0
			for j := range x {
				product /= 1 + math.Pow((x[j]-y[j])/sigma, 2)
			}
			return product
		}, one},
		{"rational-quadratic", RationalQuadratic{Alpha: 0.7, Sigma: sigma}, func(x, y []float64) float64 {
			return math.Pow(1+math.Pow(euclidean(x, y)/sigma, 2)/1.4, -0.7)
		}, one},
		{"chi2", absolute{Chi2{Gamma: 1 / sigma}}, func(x, y []float64) float64 {
			product := 1.0
			for j := range x {
				u, v := math.Abs(x[j]), math.Abs(y[j])
				if u > 0 || v > 0 {
					product *= math.Exp(-(u - v) * (u - v) / (u + v) / sigma)
				}
			}
			return product
		}, one},
		{"intersection", absolute{Intersection{}}, func(x, y []float64) float64 {
			sum := 0.0
			for j := range x {
				u, v := math.Abs(x[j]), math.Abs(y[j])
				sum += (u + v - math.Abs(u-v)) / 2
			}
			return sum
		}, func(x, y []float64) float64 { return math.Sqrt(inner(x, x)) + math.Sqrt(inner(y, y)) }},
		{"arc-cosine", ArcCosine{Order: 0, Depth: 1}, func(x, y []float64) float64 { return 1 - angleOf(x, y)/math.Pi }, one},
		{"arc-cosine", ArcCosine{Order: 1, Depth: 1}, arcCosine(1), lengths},
		{"arc-cosine", ArcCosine{Order: 1, Depth: 3}, arcCosine(3), lengths},
		{"ntk", NTK{1}, tangent(1), func(x, y []float64) float64 { return 2 * lengths(x, y) }},
		{"ntk", NTK{3}, tangent(3), func(x, y []float64) float64 { return 4 * lengths(x, y) }},
		{"periodic", Periodic{Period: 3, Sigma: sigma}, func(x, y []float64) float64 {
			product := 1.0
			for j := range x {
				sin := math.Sin(math.Pi * math.Mod(x[j]-y[j], 3) / 3)
				product *= math.Exp(-2 * math.Pow(sin/sigma, 2))
			}
			return product
		}, one},
		{"cosine", Cosine{}, func(x, y []float64) float64 { return math.Cos(angleOf(x, y)) }, one},
		{"polynomial", Polynomial{Degree: 3, Gamma: 1 / (sigma * sigma), Offset: 0.5}, func(x, y []float64) float64 {
			return math.Pow(inner(x, y)/(sigma*sigma)+0.5, 3)
		}, func(x, y []float64) float64 {
			return math.Pow(math.Sqrt(inner(x, x)*inner(y, y))/(sigma*sigma)+0.5, 3)
		}},
		{"linear", Polynomial{Degree: 1, Gamma: 1}, inner, lengths},
	}
	mixed := Sum{[]Kernel{list[0].kernel, list[1].kernel, Cosine{}}}
	scaled := Scaled{2.5, Product{[]Kernel{mixed, list[2].kernel}}}
	definition := func(x, y []float64) float64 {
		return list[0].definition(x, y) + list[1].definition(x, y) + math.Cos(angleOf(x, y))
	}
	three := func(_, _ []float64) float64 { return 3 }
	list = append(list, instance{"sum", mixed, definition, three},
		instance{"product", scaled.Of, func(x, y []float64) float64 { return definition(x, y) * list[2].definition(x, y) }, three},
		instance{"power", Power{3, mixed}, func(x, y []float64) float64 { return math.Pow(definition(x, y), 3) }, func(_, _ []float64) float64 { return 27 }},
		instance{"normalise", Normalised{mixed}, func(x, y []float64) float64 {
			return definition(x, y) / math.Sqrt(definition(x, x)*definition(y, y))
		}, one},
		instance{"scale", scaled, func(x, y []float64) float64 { return 2.5 * definition(x, y) * list[2].definition(x, y) }, three})
	for half, profile := range map[int]func(r float64) float64{
		1: func(r float64) float64 { return math.Exp(-r) },
		3: func(r float64) float64 { return math.Exp(-r) + r*math.Exp(-r) },
		5: func(r float64) float64 { return math.Exp(-r) + r*math.Exp(-r) + r*r*math.Exp(-r)/3 },
	} {
		list = append(list, instance{"matern", Matern{Half: half, Sigma: sigma}, func(x, y []float64) float64 {
			return profile(math.Sqrt(float64(half)) * euclidean(x, y) / sigma)
		}, one})
	}
	return list
}

// euclidean is ‖x−y‖ by math.Hypot, which neither cancels nor overflows.
func euclidean(x, y []float64) float64 {
	norm := 0.0
	for j := range x {
		norm = math.Hypot(norm, x[j]-y[j])
	}
	return norm
}

func inner(x, y []float64) float64 {
	sum := 0.0
	for j := range x {
		sum += x[j] * y[j]
	}
	return sum
}

// layouts are the clouds of points that kernel matrices are tried on. In all of
// them points 1 and n−1 are duplicates, and 0 and 2 lie 1e-6 apart.
var layouts = []struct {
	name string
	move func(rng *rand.Rand, i int, row []float64)
}{
	{"about the origin", func(*rand.Rand, int, []float64) {}},
	{"mean 1e6", func(_ *rand.Rand, _ int, row []float64) {
		for j := range row {
			row[j] += 1e6
		}
	}},
	{"one outlier at 1e8", func(_ *rand.Rand, i int, row []float64) {
		if i == 5 {
			row[0] = 1e8
		}
	}},
	{"tight clusters far apart", func(rng *rand.Rand, i int, row []float64) {
		for j := range row {
			row[j] = 1e-3*row[j] + 1e3*float64(i%4)
		}
	}},
	{"a third zeros, the rest about 1000", func(rng *rand.Rand, _ int, row []float64) {
		for j := range row {
			if row[j] += 1000; j > 0 && rng.Float64() < 1./3 {
				row[j] = 0
			}
		}
	}},
}

func layout(name string, seed uint64, n, d int) *mat.Dense {
	rng := newRand(seed)
	x := normalPoints(rng, n, d)
	for _, l := range layouts {
		for i := range n {
			if l.name == name {
				l.move(rng, i, x.RawRowView(i))
			}
		}
	}
	if n > 5 {
		copy(x.RawRowView(n-1), x.RawRowView(1))
		copy(x.RawRowView(2), x.RawRowView(0))
		x.Set(2, 0, x.At(2, 0)+1e-6)
	}
	return x
}

// matrixTolerance bounds the error of an entry, relative to the kernel's size.
// A squared distance that comes out of a matrix product is off by at most
// D·2^−52·(‖x‖²+‖y‖²); the product is used where that sum is less than 1000
// times the distance itself, so that at D = 784 the distance is off by at most
// 2e-10 of itself, and no kernel here moves by more than half of that
// (x·exp(−x) < 1/2).
const matrixTolerance = 1e-10

func TestMatricesAgreeWithTheDefinition(t *testing.T) {
	sizes := []struct{ n, d int }{{1, 1}, {1, 8}, {257, 1}, {257, 3}, {256, 7}, {257, 8}, {520, 20}, {60, 784}}
	for _, l := range layouts {
		for _, size := range sizes {
			x := layout(l.name, 11, size.n, size.d)
			for _, sigma := range []float64{1e-6, 0.3, math.Sqrt(float64(size.d)), 1e6} {
				for _, k := range instances(sigma) {
					t.Run(fmt.Sprintf("%s/n=%d/D=%d/%s", l.name, size.n, size.d, k.kernel), func(t *testing.T) {
						checkMatrices(t, k, x)
					})
				}
			}
		}
	}
}

// checkMatrices compares Gram and Cross with At and with the definition: on the
// diagonal, the first and last rows of each block, and random pairs.
func checkMatrices(t *testing.T, k instance, x *mat.Dense) {
	t.Helper()
	n, _ := x.Dims()
	gram, cross := Gram(k.kernel, x), Cross(k.kernel, x, x)
	rng := newRand(12)
	pairs := [][2]int{{0, 0}, {n - 1, n - 1}, {0, min(2, n-1)}, {min(1, n-1), n - 1}}
	for range 150 {
		pairs = append(pairs, [2]int{rng.IntN(n), rng.IntN(n)})
		edge := min((1+rng.IntN(3))*blockRows(n, n)-rng.IntN(2), n-1)
		pairs = append(pairs, [2]int{edge, rng.IntN(n)})
	}
	worst, where := 0.0, ""
	note := func(what string, i, j int, got, want float64) {
		size := k.size(x.RawRowView(i), x.RawRowView(j))
		if e := math.Abs(got-want) / size; !(e <= worst) {
			worst, where = e, fmt.Sprintf("%s(%d, %d) = %v, want %v", what, i, j, got, want)
		}
	}
	for _, p := range pairs {
		i, j := p[0], p[1]
		want := k.definition(x.RawRowView(i), x.RawRowView(j))
		note("At", i, j, k.kernel.At(x.RawRowView(i), x.RawRowView(j)), want)
		note("Gram", i, j, gram.At(i, j), want)
		note("Cross", i, j, cross.At(i, j), want)
	}
	if !(worst <= matrixTolerance) {
		t.Errorf("error %.2g of %s", worst, where)
	}
	checkDiagonal(t, k.kernel, x, gram)
	if bound := k.kernel.Bound(); !math.IsInf(bound, 1) && gram.At(0, 0) != bound {
		t.Errorf("k(x,x) = %v, Bound %v", gram.At(0, 0), bound)
	}
}

func checkDiagonal(t *testing.T, k Kernel, x *mat.Dense, gram *mat.SymDense) {
	t.Helper()
	n, _ := x.Dims()
	for i := range n {
		v := k.At(x.RawRowView(i), x.RawRowView(i))
		if at := k.At(x.RawRowView(i), x.RawRowView(i)); gram.At(i, i) != at || v != at {
			t.Fatalf("%s: diagonal entry %d is %v in the Gram matrix, %v in Diagonal, At gives %v", k, i, gram.At(i, i), v, at)
		}
	}
}

// A kernel matrix is positive semidefinite; its computed eigenvalues are off by
// at most the norm of the entries' errors, under 1e-13·n for points whose
// distances do not cancel, and by rounding of the solver, n·2^−52·λ_1.
func TestGramIsPositiveSemidefinite(t *testing.T) {
	const n, d = 150, 8
	for _, l := range layouts {
		x := layout(l.name, 13, n, d)
		for _, sigma := range []float64{1e-6, 0.3, 3, 1e6} {
			for _, k := range instances(sigma) {
				checkPSD(t, fmt.Sprintf("%s, %s", l.name, k.kernel), Gram(k.kernel, x))
			}
		}
	}
	line := uniformPoints(newRand(14), n)
	for _, s := range seriesInstances() {
		gram := Gram(s, line)
		checkDiagonal(t, s, line, gram)
		checkPSD(t, s.String(), gram)
	}
}

func checkPSD(t *testing.T, name string, gram *mat.SymDense) {
	t.Helper()
	var solver mat.EigenSym
	if !solver.Factorize(gram, false) {
		t.Errorf("%s: no eigenvalues", name)
		return
	}
	values := solver.Values(nil)
	n := float64(len(values))
	if least, most := values[0], values[len(values)-1]; !(least >= -1e-13*n*math.Max(most/n, 1)) && !(least >= -1e-14*n*most) {
		t.Errorf("%s: eigenvalues from %.3g to %.3g", name, least, most)
	}
}

func TestEveryRegisteredKernelIsTested(t *testing.T) {
	tested := map[string]bool{"series": true, "exec": true, "sigmoid": true} // in tests of their own, and refused
	for _, k := range instances(1) {
		tested[k.entry] = true
	}
	for name := range Registry {
		if !tested[name] {
			t.Errorf("kernel %q of the Registry is in no test here: add it to instances", name)
		}
	}
}

func TestCrossOfTwoClouds(t *testing.T) {
	for _, d := range []int{3, 8, 20} {
		rng := newRand(15)
		x, y := normalPoints(rng, 300, d), normalPoints(rng, 70, d)
		y.Apply(func(_, _ int, v float64) float64 { return v + 1000 }, y)
		copy(x.RawRowView(299), y.RawRowView(3))
		for _, k := range instances(500 * math.Sqrt(float64(d))) {
			cross := Cross(k.kernel, x, y)
			for i := range 300 {
				for j := range 70 {
					want := k.definition(x.RawRowView(i), y.RawRowView(j))
					if e := math.Abs(cross.At(i, j) - want); !(e <= matrixTolerance*k.size(x.RawRowView(i), y.RawRowView(j))) {
						t.Fatalf("%s, D = %d: entry (%d, %d) is %v, want %v", k.kernel, d, i, j, cross.At(i, j), want)
					}
				}
			}
		}
	}
}

func TestKernelsStayFiniteAtTheExtremes(t *testing.T) {
	x, y := []float64{0, 0}, []float64{1e150, -1e150}
	for _, sigma := range []float64{1e-100, 1e100} {
		for _, k := range instances(sigma) {
			if math.IsInf(k.kernel.Bound(), 1) {
				continue // overflow is their value
			}
			if v := k.kernel.At(x, y); !(math.Abs(v) <= k.kernel.Bound()) {
				t.Errorf("%s of points 1e150 apart is %v", k.kernel, v)
			}
		}
	}
}

// Two kernels with the same name must be the same function, since names enter
// record keys.
func TestNamesTellKernelsApart(t *testing.T) {
	long := []float64{9, 8, 7, 6, 5, 4, 3, 2, 1}
	longer := append(append([]float64{}, long...), 0.5)
	changed := append([]float64{}, long...)
	changed[8] = math.Nextafter(1, 0)
	kernels := []Kernel{
		Gaussian{Gamma: 1}, Gaussian{Gamma: 2}, NewGaussian(math.Nextafter(1, 2)), Laplace{1}, Laplace{2}, Cauchy{1}, Cauchy{2},
		Sum{[]Kernel{Laplace{1}}}, Sum{[]Kernel{Laplace{1}, Laplace{2}}}, Product{[]Kernel{Laplace{1}, Laplace{2}}}, Scaled{1, Laplace{1}}, Scaled{2, Laplace{1}},
		Power{1, Laplace{1}}, Power{2, Laplace{1}}, Normalised{Laplace{1}},
		ARD{Laplace{1}, []float64{1, 2}}, ARD{Laplace{1}, []float64{2, 1}}, ARD{Cauchy{1}, []float64{1, 2}}, ARD{Cauchy{1}, []float64{1, math.Nextafter(2, 3)}},
		Periodic{1, 1}, Periodic{2, 1}, Periodic{1, 2}, Cosine{}, ArcCosine{0, 1}, ArcCosine{1, 1}, ArcCosine{1, 2}, NTK{1}, NTK{2}, Chi2{1}, Chi2{2}, Intersection{}, RationalQuadratic{1, 1}, RationalQuadratic{2, 1}, RationalQuadratic{1, 2},
		Matern{1, 1}, Matern{3, 1}, Matern{3, 2}, Polynomial{1, 1, 0}, Polynomial{2, 1, 0}, Polynomial{2, 2, 0}, Polynomial{2, 1, 1},
		must(NewPowerSeries(2)), must(NewPowerSeries(4)), must(NewPowerSeries(2)).Iterated(2), must(NewPowerSeries(2)).Iterated(3),
		must(NewExponentialSeries(0.5)), must(NewExponentialSeries(0.25)), must(NewExponentialSeries(0.5)).Iterated(3),
		must(NewFiniteSeries([]float64{1})), must(NewFiniteSeries([]float64{1, 1})),
		must(NewFiniteSeries(long)), must(NewFiniteSeries(longer)), must(NewFiniteSeries(changed)),
	}
	seen := map[string]int{}
	for i, k := range kernels {
		if j, ok := seen[k.String()]; ok || k.String() == "" {
			t.Errorf("kernels %d and %d are both named %q", j, i, k)
		}
		seen[k.String()] = i
	}
}

func TestShapesThatDoNotFitPanic(t *testing.T) {
	rng := newRand(16)
	x2, x3, x8, x9 := normalPoints(rng, 4, 2), normalPoints(rng, 4, 3), normalPoints(rng, 4, 8), normalPoints(rng, 4, 9)
	g := NewGaussian(1)
	series := must(NewPowerSeries(2))
	mustPanic(t, "Cross of different widths, direct", func() { Cross(g, x2, x3) })
	mustPanic(t, "Cross of different widths, by matrix product", func() { Cross(g, x8, x9) })
	mustPanic(t, "CrossTo of another shape", func() { CrossTo(mat.NewDense(4, 5, nil), g, x2, x2) })
	mustPanic(t, "Expansion at points of another dimension", func() {
		Expansion{g, x2, mat.NewDense(4, 1, nil)}.Eval(x3)
	})
	mustPanic(t, "Expansion at points of lower dimension", func() {
		Expansion{Polynomial{1, 1, 0}, x3, mat.NewDense(4, 1, nil)}.Eval(x2)
	})
	mustPanic(t, "Expansion with coefficients for other points", func() {
		Expansion{g, x2, mat.NewDense(3, 1, nil)}.Eval(x2)
	})
	fourier := NewFourier(g, 5, 2, rng)
	mustPanic(t, "Fourier features of points of another dimension", func() { fourier.Transform(mat.NewDense(4, 10, nil), x3) })
	mustPanic(t, "Fourier features into another shape", func() { fourier.Transform(mat.NewDense(4, 5, nil), x2) })
	mustPanic(t, "Mercer features of points in the plane", func() {
		NewMercer(series, 3, rng).Transform(mat.NewDense(4, 3, nil), x2)
	})
	mustPanic(t, "a series kernel in the plane", func() { Gram(series, x2) })
	mustPanic(t, "a finite series kernel in the plane", func() { Gram(must(NewFiniteSeries([]float64{1, 0.5})), x2) })
	mustPanic(t, "a Gaussian of gamma 0", func() { NewGaussian(0) })
	mustPanic(t, "a Gaussian of gamma NaN", func() { NewGaussian(math.NaN()) })
	mustPanic(t, "Mercer features of an iterated kernel", func() { NewMercer(series.Iterated(2), 3, rng) })
}
