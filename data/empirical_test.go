package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
)

// explicit is an explicit feature space: rows of psi are the features of N
// points of the population, followed by those of further points. Operators are
// those of the first N rows.
type explicit struct {
	n       int
	psi     *mat.Dense
	mean    []float64
	sigma   *mat.SymDense // covariance of the features, by naive loops
	values  []float64     // its eigenvalues, falling
	vectors *mat.Dense
}

// explicitFrom takes as features the columns √λ_i u_i of an eigendecomposition
// of the kernel matrix over all points, built from At alone.
func explicitFrom(k kernel.Kernel, x *mat.Dense, n int) *explicit {
	all, _ := x.Dims()
	gram := mat.NewSymDense(all, nil)
	for i := range all {
		for j := i; j < all; j++ {
			gram.SetSym(i, j, k.At(x.RawRowView(i), x.RawRowView(j)))
		}
	}
	var solver mat.EigenSym
	solver.Factorize(gram, true)
	psi := new(mat.Dense)
	solver.VectorsTo(psi)
	for j, v := range solver.Values(nil) {
		for i := range all {
			psi.Set(i, j, psi.At(i, j)*math.Sqrt(max(v, 0)))
		}
	}
	return explicitFeatures(psi, n)
}

func explicitFeatures(psi *mat.Dense, n int) *explicit {
	_, p := psi.Dims()
	e := &explicit{n: n, psi: psi, mean: make([]float64, p), sigma: mat.NewSymDense(p, nil)}
	for i := range n {
		for a := range p {
			e.mean[a] += psi.At(i, a) / float64(n)
		}
	}
	for i := range n {
		for a := range p {
			for b := a; b < p; b++ {
				e.sigma.SetSym(a, b, e.sigma.At(a, b)+(psi.At(i, a)-e.mean[a])*(psi.At(i, b)-e.mean[b])/float64(n))
			}
		}
	}
	var solver mat.EigenSym
	solver.Factorize(e.sigma, true)
	e.values = solver.Values(nil)
	slices.Reverse(e.values)
	e.vectors = new(mat.Dense)
	solver.VectorsTo(e.vectors)
	return e
}

// moments of f_i = ⟨w_i, ·⟩, w the columns of w.
func (e *explicit) moments(w *mat.Dense, eigen int) Moments {
	p, l := w.Dims()
	m := Moments{Mean: make([]float64, l), Tau: make([]float64, l), Cov: mat.NewSymDense(l, nil)}
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
	}
	var image, second mat.Dense // Σw, Σ²w
	image.Mul(e.sigma, w)
	second.Mul(e.sigma, &image)
	images := mat.NewSymDense(l, nil) // ⟨Lw_i, Lw_j⟩ in L² is ⟨w_i, Σ³w_j⟩
	m.image = given(images)
	for i := range l {
		m.Mean[i] = mat.Dot(mat.NewVecDense(p, e.mean), w.ColView(i))
		m.Tau[i] = mat.Dot(image.ColView(i), image.ColView(i))
		for j := i; j < l; j++ {
			m.Cov.SetSym(i, j, mat.Dot(w.ColView(i), image.ColView(j)))
			images.SetSym(i, j, mat.Dot(image.ColView(i), second.ColView(j)))
		}
		for a := range min(eigen, p) {
			if e.values[a] > 1e-12*e.values[0] {
				m.Eigen.Set(a, i, math.Sqrt(e.values[a])*mat.Dot(e.vectors.ColView(p-1-a), w.ColView(i)))
			}
		}
	}
	return m
}

func tail(values []float64, power, ell int) float64 {
	sum := 0.0
	for _, v := range values[min(ell, len(values)):] {
		sum += math.Pow(max(v, 0), float64(power))
	}
	return sum
}

// The feature matrix comes from an eigendecomposition, with errors of N·2^−52·λ
// ~ 1e-13; the tolerance leaves room for random coefficients.
func TestEmpiricalMomentsAgreeWithAnExplicitFeatureMatrix(t *testing.T) {
	const n, further, eigen = 60, 5, 4
	for _, k := range []kernel.Kernel{
		kernel.NewGaussian(0.2), kernel.Laplace{Sigma: 3}, kernel.Cauchy{Sigma: 2}, kernel.Matern{Half: 1, Sigma: 2},
		kernel.Polynomial{Degree: 2, Gamma: 0.3, Offset: 1},
	} {
		rng := newRand(21)
		x := normalMatrix(rng, n+further, 3)
		copy(x.RawRowView(7), x.RawRowView(3)) // duplicates
		copy(x.RawRowView(n), x.RawRowView(3))
		e := explicitFrom(k, x, n)
		points := mat.DenseCopyOf(x.Slice(0, n, 0, 3))
		for _, rank := range []int{0, eigen, 10, n} {
			p := newEmpiricalPopulation(points, k, rank)
			for i, v := range must(p.Eigenvalues(min(rank, 10))) {
				near(t, fmt.Sprintf("%s: λ_%d", p, i+1), v, max(e.values[i], 0), 1e-12*e.values[0])
			}
			for power := 1; power <= 2; power++ {
				for _, ell := range []int{0, min(1, rank), min(4, rank)} {
					near(t, fmt.Sprintf("%s: Tail(%d, %d)", p, power, ell), must(p.Tail(power, ell)), tail(e.values, power, ell), 1e-11*tail(e.values, power, 0))
				}
			}
			f := kernel.Expansion{Kernel: k, Points: mat.DenseCopyOf(x.Slice(n-3, n+further, 0, 3)), Coef: normalMatrix(rng, 3+further, 2)}
			var w mat.Dense // f_i = ⟨Σ_j Coef_ji ψ(p_j), ·⟩
			w.Mul(e.psi.Slice(n-3, n+further, 0, n+further).T(), f.Coef)
			known := min(rank, eigen)
			want := e.moments(&w, known)
			scale := 1 + mat.Max(want.Cov)*(1+mat.Max(want.Cov)) + e.values[0]*e.values[0]
			sameMoments(t, p.String(), must(p.Moments(f, known)), want, 1e-10*scale)
		}
	}
}

// A linear kernel has the D coordinates for features: N is large enough for the
// Krylov solver, D for eigenvalues past its rank.
func TestEmpiricalPopulationOfManyPoints(t *testing.T) {
	const n, d, rank = 1500, 12, 20
	rng := newRand(22)
	x := normalMatrix(rng, n, d)
	x.Apply(func(_, j int, v float64) float64 { return 5 + v/float64(1+j) }, x)
	p := newEmpiricalPopulation(x, kernel.Polynomial{Degree: 1, Gamma: 1}, rank)
	e := explicitFeatures(x, n)
	for i, v := range must(p.Eigenvalues(rank)) {
		want := 0.0
		if i < d {
			want = e.values[i]
		}
		near(t, fmt.Sprintf("λ_%d", i+1), v, want, 1e-12)
	}
	f := kernel.Expansion{Kernel: p.kernel, Points: normalMatrix(rng, 4, d), Coef: normalMatrix(rng, 4, 3)}
	var w mat.Dense
	w.Mul(f.Points.T(), f.Coef)
	sameMoments(t, p.String(), must(p.Moments(f, 6)), e.moments(&w, 6), 1e-10)
	m := must(p.Moments(f, rank))
	for j := range 3 {
		for i := d; i < rank; i++ {
			// e_i past the rank are functions on the points orthogonal to all in H.
			near(t, fmt.Sprintf("C(%d, %d)", i, j), m.Eigen.At(i, j), 0, 1e-9)
		}
	}
	near(t, "Tail(1, 12)", must(p.Tail(1, 12)), 0, 1e-12)
}

// Any functions have moments under an empirical population: naive loops over
// their values.
func TestEmpiricalMomentsOfOtherFunctions(t *testing.T) {
	const n = 70
	rng := newRand(23)
	k := kernel.NewGaussian(0.5)
	x := normalMatrix(rng, n, 2)
	p := newEmpiricalPopulation(x, k, 3)
	features := kernel.NewFourier(k, 6, 2, rng)
	line := make([]float64, n)
	for i := range line {
		line[i] = rng.Float64()
	}
	series := must(kernel.NewPowerSeries(2))
	onLine := newEmpiricalPopulation(mat.NewDense(n, 1, line), series, 3)
	for _, test := range []struct {
		population *empiricalPopulation
		f          kernel.Functions
	}{
		{p, kernel.FeatureExpansion{Map: features, Coef: normalMatrix(rng, 12, 3)}},
		{p, kernel.Expansion{Kernel: kernel.Laplace{Sigma: 1}, Points: normalMatrix(rng, 4, 2), Coef: normalMatrix(rng, 4, 2)}},
		{p, constantFunction{}},
		{onLine, kernel.FeatureExpansion{Map: kernel.NewMercer(series, 9, rng), Coef: normalMatrix(rng, 9, 2)}},
	} {
		got := must(test.population.Moments(test.f, 0))
		values, points := test.f.Eval(test.population.points), test.population.points
		image := mat.NewDense(n, test.f.Len(), nil) // L f at the points
		for i := range test.f.Len() {
			mean := 0.0
			for a := range n {
				mean += values.At(a, i) / n
			}
			near(t, "mean", got.Mean[i], mean, 1e-14)
			tau := 0.0
			for a := range n {
				for b := range n {
					tau += (values.At(a, i) - mean) * (values.At(b, i) - mean) * test.population.kernel.At(points.RawRowView(a), points.RawRowView(b)) / n / n
				}
			}
			near(t, "tau", got.Tau[i], tau, 1e-13)
			for a := range n {
				for b := range n {
					for c := range n {
						v := (values.At(b, i) - mean) / n / n
						image.Set(a, i, image.At(a, i)+v*(test.population.kernel.At(points.RawRowView(a), points.RawRowView(b))-test.population.kernel.At(points.RawRowView(c), points.RawRowView(b))))
					}
				}
			}
			for j := range test.f.Len() {
				cov := 0.0
				for a := range n {
					cov += (values.At(a, i) - mean) * (values.At(a, j) - got.Mean[j]) / n
				}
				near(t, "covariance", got.Cov.At(i, j), cov, 1e-13)
			}
			for j := range i + 1 {
				near(t, "image", got.Image().At(i, j), mat.Dot(image.ColView(i), image.ColView(j))/n, 1e-13)
			}
		}
	}
}

// The eigenfunctions themselves, as functions in H, have C = diag(√λ), S =
// diag(λ), τ = λ²: φ_i = Σ_a v_a k(·,z_a)/√(Nλ_i).
func TestEmpiricalEigenfunctions(t *testing.T) {
	const n, rank = 80, 5
	rng := newRand(24)
	k := kernel.NewGaussian(0.3)
	p := newEmpiricalPopulation(normalMatrix(rng, n, 2), k, rank)
	lambda := must(p.Eigenvalues(rank))
	phi := mat.NewDense(n, rank, nil) // e_i(z_a)/(N√λ_i)
	phi.Apply(func(a, i int, _ float64) float64 { return p.vectors.At(a, i) / n / math.Sqrt(lambda[i]) }, phi)
	got := must(p.Moments(kernel.Expansion{Kernel: k, Points: p.points, Coef: phi}, rank))
	want := Moments{Mean: got.Mean, Cov: mat.NewSymDense(rank, nil), Tau: make([]float64, rank), Eigen: mat.NewDense(rank, rank, nil)}
	images := mat.NewSymDense(rank, nil)
	want.image = given(images)
	for i, l := range lambda {
		images.SetSym(i, i, l*l*l)
		want.Cov.SetSym(i, i, l)
		want.Tau[i] = l * l
		want.Eigen.Set(i, i, math.Sqrt(l))
	}
	sameMoments(t, "eigenfunctions", got, want, 1e-12)
}

// A population that was opened for fewer eigenpairs than it has must not pass
// off the others as 0.
func TestEmpiricalPopulationAskedForMoreThanItHas(t *testing.T) {
	rng := newRand(25)
	k := kernel.NewGaussian(0.5)
	f := kernel.Expansion{Kernel: k, Points: normalMatrix(rng, 2, 2), Coef: normalMatrix(rng, 2, 1)}
	p := newEmpiricalPopulation(normalMatrix(rng, 30, 2), k, 3)
	asked := map[string]error{}
	_, asked["eigenvalues"] = p.Eigenvalues(4)
	_, asked["tail"] = p.Tail(1, 4)
	_, asked["moments"] = p.Moments(f, 4)
	for what, err := range asked {
		if err == nil || !strings.Contains(err.Error(), "3") || !strings.Contains(err.Error(), "4") {
			t.Errorf("%s past the 3 known eigenpairs: %v", what, err)
		}
	}
	// With all N eigenpairs at hand, what follows is 0.
	full := newEmpiricalPopulation(p.points, k, 40)
	values := must(full.Eigenvalues(35))
	for i := 30; i < 35; i++ {
		near(t, fmt.Sprintf("λ_%d of 30 points", i+1), values[i], 0, 0)
	}
	near(t, "Tail(1, 35) of 30 points", must(full.Tail(1, 35)), 0, 1e-14)
	m := must(full.Moments(f, 35))
	for i := 30; i < 35; i++ {
		near(t, fmt.Sprintf("C(%d, 0) of 30 points", i), m.Eigen.At(i, 0), 0, 0)
	}
}

// Kernels so wide that the centred kernel matrix is a small difference of large
// numbers: the spectrum is that of the linear kernel, times 2·gamma, to first
// order in gamma.
func TestEmpiricalPopulationOfAWideKernel(t *testing.T) {
	for _, n := range []int{100, 600} { // dense and Krylov
		x := normalMatrix(newRand(26), n, 3)
		linear := explicitFeatures(x, n)
		for _, gamma := range []float64{1e-6, 1e-10, 1e-17} {
			p := newEmpiricalPopulation(x, kernel.NewGaussian(gamma), 3)
			values, err := p.Eigenvalues(3)
			if err != nil {
				t.Errorf("n = %d, gamma = %v: %v", n, gamma, err)
				continue
			}
			for i, v := range values {
				// Entries are rounded to 2^−53; the next order is 40·gamma².
				near(t, fmt.Sprintf("gamma = %v: λ_%d", gamma, i+1), v, 2*gamma*linear.values[i], 100*gamma*gamma+1e-16)
			}
		}
	}
}

func TestEmpiricalPopulationsOfFewPoints(t *testing.T) {
	k := kernel.NewGaussian(0.5)
	one := newEmpiricalPopulation(mat.NewDense(1, 2, []float64{1, 2}), k, 3)
	near(t, "tr Σ of one point", must(one.Tail(1, 0)), 0, 0)
	near(t, "λ_1 of one point", must(one.Eigenvalues(1))[0], 0, 0)
	two := newEmpiricalPopulation(mat.NewDense(2, 1, []float64{0, 1}), k, 2)
	// Σ = (φ(0)−φ(1))(φ(0)−φ(1))ᵀ/4, of norm (2−2k)/4.
	near(t, "λ_1 of two points", must(two.Eigenvalues(1))[0], (1-math.Exp(-0.5))/2, 1e-16)
	equal := newEmpiricalPopulation(mat.NewDense(3, 1, []float64{4, 4, 4}), k, 2)
	near(t, "tr Σ of three equal points", must(equal.Tail(1, 0)), 0, 1e-16)
	near(t, "λ_1 of three equal points", must(equal.Eigenvalues(2))[0], 0, 1e-16)
}

func TestEmpiricalPopulationOfTooManyPoints(t *testing.T) {
	_, err := newEmpiricalPopulation(mat.NewDense(maxEmpirical+1, 1, nil), kernel.NewGaussian(1), 3).Tail(1, 0)
	if err == nil || !strings.Contains(err.Error(), "30001 points") || !strings.Contains(err.Error(), "held_out") {
		t.Errorf("error %v", err)
	}
}

// For the race detector, and because all must see the same numbers.
func TestEmpiricalPopulationIsSafeForConcurrentUse(t *testing.T) {
	rng := newRand(27)
	k := kernel.NewGaussian(0.5)
	p := newEmpiricalPopulation(normalMatrix(rng, 60, 2), k, 5)
	f := kernel.Expansion{Kernel: k, Points: normalMatrix(rng, 6, 2), Coef: normalMatrix(rng, 6, 2)}
	results := make([]string, 16)
	var group sync.WaitGroup
	for i := range results {
		group.Go(func() {
			values, err := p.Eigenvalues(5)
			tail, tailErr := p.Tail(2, 3)
			m, momentsErr := p.Moments(f, 4)
			if err := errors.Join(err, tailErr, momentsErr); err != nil {
				results[i] = err.Error()
				return
			}
			results[i] = fmt.Sprint(values, tail, m.Mean, m.Tau, m.Cov.RawSymmetric().Data, m.Eigen.RawMatrix().Data)
		})
	}
	group.Wait()
	for i, r := range results {
		if r != results[0] || !strings.HasPrefix(r, "[0.") {
			t.Errorf("goroutine %d saw %s, goroutine 0 %s", i, r, results[0])
		}
	}
}
