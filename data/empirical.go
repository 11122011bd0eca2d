package data

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/kernel"
	"mercer/internal/linalg"
)

// centredRoundings is how many units in the last place of tr C an eigenvalue may be off,
// because kernel values cancel as they are centred.
const centredRoundings = 8

// maxEmpirical bounds the points of an empirical population whose operators are
// asked for: they need the whole N×N kernel matrix, 8·N² bytes.
const maxEmpirical = 30_000

// empiricalPopulation is a distribution on N given points Z, the uniform one where
// nothing else is said: Σ, the mean and all moments are finite sums. The centred
// kernel matrix is computed at first use and kept.
type empiricalPopulation struct {
	points *mat.Dense // N×D
	masses []float64  // N probabilities; nil for 1/N each
	kernel kernel.Kernel
	rank   int // eigenpairs known

	solved  func() error  // sets these
	gram    *mat.SymDense // CKC: centred once, a wide kernel's small differences stay what they are
	trace   [2]float64    // tr Σ, tr Σ²
	values  []float64     // λ_1 … λ_rank
	vectors *mat.Dense    // N×rank, columns of norm √N: values of e_i at Z

	// Computed at first use and kept.
	uncentred         func() (Uncentred, error)
	spectrum          func() ([]float64, error)
	uncentredSpectrum func() ([]float64, error)
	scale             func() float64
}

func newEmpiricalPopulation(points *mat.Dense, k kernel.Kernel, rank int) *empiricalPopulation {
	n, _ := points.Dims()
	p := &empiricalPopulation{points: points, kernel: k, rank: min(rank, n)}
	p.solved = sync.OnceValue(p.solve)
	p.uncentred = sync.OnceValues(p.factor)
	p.spectrum = sync.OnceValues(p.wholeSpectrum)
	p.uncentredSpectrum = sync.OnceValues(p.uncentredValues)
	p.scale = sync.OnceValue(p.meanNorm)
	return p
}

// under has the points carry these masses, positive and of sum 1, instead of 1/N each.
func (p *empiricalPopulation) under(masses []float64) *empiricalPopulation {
	p.masses = masses
	return p
}

// divisor is what sums over the points are divided by: N, or 1 where masses make means
// of them.
func (p *empiricalPopulation) divisor() float64 {
	if p.masses != nil {
		return 1
	}
	n, _ := p.points.Dims()
	return float64(n)
}

// CheckOperators says why the operators of a population of n points cannot be
// computed; nil where they can.
func CheckOperators(n int) error {
	if n <= maxEmpirical {
		return nil
	}
	return fmt.Errorf("a population of %d points would need a kernel matrix of %.1f GiB; at most %d points are allowed: declare a smaller one, such as population: {held_out: 5000}", n, 8*float64(n)*float64(n)/(1<<30), maxEmpirical)
}

func (p *empiricalPopulation) String() string {
	n, d := p.points.Dims()
	law := "uniform"
	if p.masses != nil {
		law = "a distribution"
	}
	return fmt.Sprintf("%s on %d points in R^%d, %s", law, n, d, p.kernel)
}

// prepare computes the centred kernel matrix, its traces, and the top of its
// spectrum, in which eigenvalues that are tied to rounding are equal: N²/2 kernel evaluations, 8·N² bytes, and a few N²·rank flops. It
// fails where more eigenpairs are asked for than the population was opened with.
func (p *empiricalPopulation) prepare(eigenpairs int) error {
	n, _ := p.points.Dims()
	if err := CheckOperators(n); err != nil {
		return err
	}
	if min(eigenpairs, n) > p.rank {
		return fmt.Errorf("%d eigenpairs asked of a population that was opened for %d: %s", eigenpairs, p.rank, p)
	}
	return p.solved()
}

func (p *empiricalPopulation) solve() error {
	n, _ := p.points.Dims()
	p.gram = kernel.Gram(p.kernel, p.points)
	weighted := p.centre()
	p.trace = traces(weighted, p.divisor())
	if p.rank == 0 {
		return nil
	}
	top, err := linalg.Top(linalg.Symmetric(weighted), p.rank, linalg.DefaultTopOptions(p.rank))
	if err == nil && !top.Converged {
		err = fmt.Errorf("eigenpairs of %s did not converge", p)
	}
	if err != nil {
		return fmt.Errorf("spectrum of the population: %w", err)
	}
	p.values, p.vectors = top.Values, top.Vectors
	rounding := 0x1p-52 * (float64(n)*max(top.Values[0], 0)/p.divisor() + centredRoundings*p.scale())
	for i, v := range p.values {
		p.values[i] = max(v, 0) / p.divisor()
		if i > 0 && p.values[i-1]-p.values[i] <= rounding {
			p.values[i] = p.values[i-1] // tied, as far as can be told
		}
	}
	p.vectors.Scale(math.Sqrt(p.divisor()), p.vectors)
	for i, mass := range p.masses {
		floats.Scale(1/math.Sqrt(mass), p.vectors.RawRowView(i))
	}
	return nil
}

// centre centres the kernel matrix, and returns the one with the eigenvalues of
// N·Σ: itself, or P^(1/2)CKCᵀP^(1/2) under masses, whose eigenvalues are those of Σ.
func (p *empiricalPopulation) centre() *mat.SymDense {
	if p.masses == nil {
		linalg.CentreSym(p.gram)
		return p.gram
	}
	linalg.CentreSymBy(p.gram, p.masses)
	weighted := mat.NewSymDense(len(p.masses), nil)
	weighted.CopySym(p.gram)
	linalg.WeighSym(weighted, p.masses)
	return weighted
}

// traces are tr Σ = tr(CKC)/N and tr Σ² = ‖CKC‖²/N², N the divisor.
func traces(centred *mat.SymDense, divisor float64) [2]float64 {
	n := centred.SymmetricDim()
	first, second := 0.0, 0.0
	for i := range n {
		first += centred.At(i, i)
		row := 0.0
		for j := range n {
			v := centred.At(i, j)
			row += v * v
		}
		second += row
	}
	return [2]float64{first / divisor, second / divisor / divisor}
}

// Tail is tr Σ^power less the leading eigenvalues.
func (p *empiricalPopulation) Tail(power, ell int) (float64, error) {
	if err := p.prepare(ell); err != nil {
		return 0, err
	}
	tail := p.trace[power-1]
	for i := range min(ell, len(p.values)) {
		tail -= math.Pow(p.values[i], float64(power))
	}
	return max(tail, 0), nil
}

func (p *empiricalPopulation) Eigenvalues(count int) ([]float64, error) {
	if err := p.prepare(count); err != nil {
		return nil, err
	}
	values := make([]float64, count)
	copy(values, p.values)
	return values, nil
}

// Moments evaluates f at the N points: any functions will do.
func (p *empiricalPopulation) Moments(f kernel.Functions, eigen int) (Moments, error) {
	if err := p.prepare(eigen); err != nil {
		return Moments{}, err
	}
	values := f.Eval(p.points)
	n, l := values.Dims()
	divisor := p.divisor()
	mean := make([]float64, l)
	for i := range n {
		for j, v := range values.RawRowView(i) {
			if p.masses != nil {
				v *= p.masses[i]
			}
			mean[j] += v / divisor
		}
	}
	linalg.SubtractRow(values, mean)
	shares := linalg.ScaledRows(values, p.masses)
	var product mat.Dense
	product.Mul(p.gram, shares)
	m := Moments{Mean: mean, Cov: linalg.SymmetricProduct(shares, values), Tau: columnProducts(shares, &product)}
	m.Cov.ScaleSym(1/divisor, m.Cov)
	for i := range m.Tau {
		m.Tau[i] /= divisor * divisor
	}
	m.image = func() *mat.SymDense { // L f is K_c Y/N at the points
		image := linalg.SymmetricProduct(linalg.ScaledRows(&product, p.masses), &product)
		image.ScaleSym(math.Pow(divisor, -3), image)
		return image
	}
	if eigen > 0 {
		m.Eigen = mat.NewDense(eigen, l, nil)
		known := min(eigen, len(p.values))
		if known > 0 {
			top := m.Eigen.Slice(0, known, 0, l).(*mat.Dense)
			top.Mul(p.vectors.Slice(0, n, 0, known).T(), shares)
			top.Scale(1/divisor, top)
		}
		m.rest = func(ell int) *mat.SymDense {
			left, ell := mat.DenseCopyOf(values), min(ell, known)
			if ell > 0 {
				e, c := p.vectors.Slice(0, n, 0, ell).(*mat.Dense), m.Eigen.Slice(0, ell, 0, l).(*mat.Dense)
				linalg.Gemm(blas.NoTrans, blas.NoTrans, -1, e.RawMatrix(), c.RawMatrix(), 1, left.RawMatrix())
			}
			rest := linalg.SymmetricProduct(linalg.ScaledRows(left, p.masses), left)
			rest.ScaleSym(1/divisor, rest)
			return rest
		}
	}
	return m, nil
}
